"""The entries of a ledger as they are read: each held against the one before, and the whole as it was written."""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from firmware.endcode import CLOSED, Ending, is_code_of
from firmware.errors import LedgerError
from firmware.ledger import FIRST, LEDGER, body_of, canonical, seal

_NO_ROOM = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)
"""What SQLite says where it cannot make its file beside the ledger."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as it was read: its number, its hash, and what it says."""

    seq: int
    hash: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a ledger is whole: how many entries fit, the hash of the last of them, and the first fault, if any."""

    entries: int
    head: str
    fault: str | None = None
    ending: Ending = field(default_factory=lambda: Ending(FIRST), compare=False)

    @property
    def ok(self) -> bool:
        """Whether nothing was altered."""
        return self.fault is None

    @property
    def closed(self) -> bool:
        """Whether the closing entry stands behind all else."""
        return self.ending.closed is not None

    @property
    def code(self) -> str:
        """As `Ending.code`."""
        return self.ending.code


def verify(folder: Path, code: str | None = None) -> Verdict:
    """Whether every entry is as it was sealed; `code` is what the players noted at the end of the match.

    Raises:
        LedgerError: there is no ledger in the folder.
    """
    count, head, ending, noted_at = 0, FIRST, Ending(FIRST), 0
    try:
        with closing(_reading(folder)) as connection:
            for row in connection.execute("SELECT seq, prev, body, hash FROM entries ORDER BY seq"):
                fault = _fault(count + 1, head, row)
                if fault:
                    return Verdict(count, head, f"entry {count + 1}: {fault}")
                count, head = row[0], row[3]
                body = body_of(row[2]) or {}
                ending.take(body, head)
                if code is not None and body.get("name") == CLOSED and is_code_of(code, head):
                    noted_at = count
            damage = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if damage != "ok":
                return Verdict(count, head, f"entry {count + 1}: the file is damaged: {damage}")
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return Verdict(count, head, f"entry {count + 1}: the file cannot be read there: {error}")
    verdict = Verdict(count, head, None, ending)
    if code is None or ending.is_noted(code):
        return verdict
    went_on = f"; it was closed with that at entry {noted_at}, and went on" if noted_at else ""
    return replace(verdict, fault=f"entry {count}: the match ends with {verdict.code}, not {code}{went_on}")


def read(folder: Path) -> list[dict[str, Any]]:
    """What every entry of a match says.

    Raises:
        LedgerError: there is no ledger in the folder, or it was altered.
    """
    verdict = verify(folder)
    if verdict.fault:
        raise LedgerError(f"{folder / LEDGER} was altered, {verdict.fault}")
    return [dict(entry.body) for entry in entries(folder)]


def entries(folder: Path, after: Entry | None = None) -> Iterator[Entry]:
    """The entries that follow that one, or all, each held against the one before.

    Raises:
        LedgerError: there is no ledger in the folder, or it was altered.
    """
    count, head = (after.seq, after.hash) if after else (0, FIRST)
    try:
        with closing(_reading(folder)) as connection:
            rows = connection.execute("SELECT seq, prev, body, hash FROM entries WHERE seq > ? ORDER BY seq", (count,))
            for row in rows:
                if fault := _fault(count + 1, head, row):
                    raise LedgerError(f"{folder / LEDGER} was altered, entry {count + 1}: {fault}")
                count, head = row[0], row[3]
                body = body_of(row[2])
                if body is None:
                    raise LedgerError(f"{folder / LEDGER}: entry {count} is none of a match")
                yield Entry(count, head, body)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise LedgerError(f"{folder / LEDGER} cannot be read at entry {count + 1}: {error}") from error


def opened_at(folder: Path) -> str:
    """When the match was opened, as the ledger has it; empty where it cannot be read."""
    try:
        with closing(_reading(folder)) as connection:
            (text,) = connection.execute("SELECT body FROM entries WHERE seq = 1").fetchone() or ("",)
    except (sqlite3.Error, LedgerError):
        return ""
    return str((body_of(text) or {}).get("at", ""))


def _reading(folder: Path) -> sqlite3.Connection:
    path = folder / LEDGER
    if not path.is_file():
        raise LedgerError(f"there is no match in {folder}: no file {LEDGER}")
    uri = f"{path.absolute().as_uri()}?mode=ro"
    log, shared = (path.with_name(f"{LEDGER}-{end}") for end in ("wal", "shm"))
    has_log, is_writable = log.exists() and log.stat().st_size > 0, os.access(folder, os.W_OK)
    if is_writable or (has_log and shared.exists()):
        connection = sqlite3.connect(uri, uri=True)
        try:
            connection.execute("PRAGMA schema_version")
            return connection
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode & 0xFF not in _NO_ROOM:
                raise
    if has_log:
        raise LedgerError(f"{folder} cannot be read where nothing can be written: copy it, and read the copy")
    return sqlite3.connect(f"{uri}&immutable=1", uri=True)  # which looks at no log, and makes no file beside it


def _fault(seq: int, prev: str, row: Iterable[Any]) -> str | None:
    """What is wrong with an entry that should have this number and follow this hash."""
    number, before, text, sealed = row
    if number != seq:
        return f"it is missing, number {number} stands in its place"
    if before != prev:
        return "it does not follow the entry before it"
    if not isinstance(text, str) or seal(seq, prev, text) != sealed:
        return "its content is not what was sealed"
    return None if _is_canonical(text) else "its content is not written as the ledger writes it"


def _is_canonical(text: str) -> bool:
    """Whether there is one way to read it: a key that is there twice, say, is one thing to us and another to others."""
    try:
        return canonical(json.loads(text)) == text
    except (ValueError, RecursionError):
        return False
