"""The ledger of a match: what was seen, said and ruled, entry after entry in SQLite, each sealed with a hash.

An entry's hash is the SHA-256 of the canonical JSON (keys in order, no spaces, ASCII) of its number, the hash of the
entry before and its body. So no entry can be changed, moved, taken out or put in without another hash for all that
follow. An entry that `append` has returned from is on the disk: the journal is synced with every transaction.

An entry of kind `note` is about the record itself. `Signed` holds the device's signature of its own number and of the
hash before it; the public key to check it with is in the last `DeviceKey` before it.
"""

import fcntl
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from firmware.endcode import CLOSED, DEVICE_KEY, NOTE, SIGNED, Ending, is_code_of
from firmware.errors import LedgerError
from hardware.closing import Closing

LEDGER = "match.db"
"""The ledger's name in the folder of a match."""
FIRST = hashlib.sha256(b"fairtray ledger 1").hexdigest()
"""What the first entry has for the hash of the one before."""
CLOSE_S = 0.2
"""How long the end waits for what is being written."""

_LAYOUT = """
CREATE TABLE entries (
  seq INTEGER PRIMARY KEY, prev TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER only_next BEFORE INSERT ON entries
  WHEN NEW.seq != 1 + coalesce((SELECT max(seq) FROM entries), 0) OR NEW.prev != coalesce(
    (SELECT hash FROM entries ORDER BY seq DESC LIMIT 1), '{first}')
  BEGIN SELECT raise(ABORT, 'an entry follows the last one'); END;
CREATE TRIGGER no_update BEFORE UPDATE ON entries BEGIN SELECT raise(ABORT, 'entries are never changed'); END;
CREATE TRIGGER no_delete BEFORE DELETE ON entries BEGIN SELECT raise(ABORT, 'entries are never deleted'); END;
"""

_NO_ROOM = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)
"""What SQLite says where it cannot make its file beside the ledger."""

Body = Mapping[str, Any]
_Row = tuple[int, str, str, str]


class Signer(Protocol):
    """Who signs a ledger: `public` is what the signatures are checked with."""

    @property
    def public(self) -> str: ...

    def sign(self, seq: int, prev: str) -> str:
        """The signature for entry `seq` after the hash `prev`."""
        ...


class Ledger(Closing):
    """An open ledger, to append to, from any thread. Only one process has it at a time."""

    def __init__(self, folder: Path, signer: Signer | None = None) -> None:
        """Open the ledger of a match, or begin one; without a signer nothing is signed.

        Raises:
            LedgerError: the folder cannot be written to, another process plays this match, or the file is no ledger.
        """
        self.count, self.head, self._ending = 0, FIRST, Ending(FIRST)
        self.folder, self._path = folder, folder / LEDGER
        self._signer, self._key, self._one_at_a_time = signer, "", Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise LedgerError(f"cannot write the match to {folder}: {error.strerror}") from error
        try:
            self._hold(folder)
            self._connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        except BaseException:
            os.close(self._lock)
            raise
        try:
            self._open()
        except BaseException as error:
            self.close()
            if isinstance(error, sqlite3.Error):
                raise LedgerError(f"{self._path} cannot be used as a ledger: {error}") from error
            raise

    def append(self, bodies: Sequence[Body], sign: bool = False) -> None:
        """Write these entries, all or none, with `sign` a signature behind them; on return they are on the disk.

        Raises:
            LedgerError: they could not be written (a full disk, a missing one); nothing of them was.
        """
        with self._one_at_a_time:
            told = list(bodies)
            if sign and self._signer and self._signer.public != self._key:
                told.append({"kind": NOTE, "name": DEVICE_KEY, "key": self._signer.public})
            rows = list(self._sealed(told))
            if sign and self._signer:
                seq, prev = self._last(rows)
                told.append({"kind": NOTE, "name": SIGNED, "signature": self._signer.sign(seq + 1, prev)})
                rows += self._sealed(told[-1:], rows)
            try:
                with self._transaction():
                    self._connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)
            except sqlite3.Error as error:
                raise LedgerError(f"cannot write to {self._path} ({error}): is the disk full or gone?") from error
            for body, row in zip(told, rows, strict=True):
                self._take(row[0], body, row[3])

    def _take(self, seq: int, body: Body, sealed: str) -> None:
        """This entry is in the file."""
        self.count, self.head = seq, sealed
        self._ending.take(body, sealed)
        if (body.get("kind"), body.get("name")) == (NOTE, DEVICE_KEY):
            self._key = str(body.get("key"))

    def _sealed(self, bodies: Iterable[Body], before: Sequence[_Row] = ()) -> Iterator[_Row]:
        """The rows of these entries, which follow those."""
        count, head = self._last(before)
        for body in bodies:
            count, text = count + 1, canonical(body)
            sealed = seal(count, head, text)
            yield count, head, text, sealed
            head = sealed

    def _last(self, rows: Sequence[_Row]) -> tuple[int, str]:
        """Number and hash of the last entry once these are written."""
        return (rows[-1][0], rows[-1][3]) if rows else (self.count, self.head)

    @property
    def code(self) -> str:
        """What players note of the match once it is closed, empty before."""
        return self._ending.code if self._ending.closed else ""

    def close(self) -> None:
        """Let go of the file and of the match; once closed, nothing."""
        if self._lock >= 0:
            if self._one_at_a_time.acquire(timeout=CLOSE_S):  # a disk that hangs in another thread holds up no end
                self._connection.close()
                self._one_at_a_time.release()
            os.close(self._lock)
            self._lock = -1

    def _hold(self, folder: Path) -> None:
        """Keep others out for as long as this process lives, however it ends."""
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise LedgerError(f"the match in {folder} is being played by another fairtray: stop that first") from error

    def _open(self) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        if not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            self._connection.executescript(f"BEGIN; {_LAYOUT.format(first=FIRST)} COMMIT;")
        for seq, text, sealed in self._connection.execute("SELECT seq, body, hash FROM entries ORDER BY seq"):
            self._take(seq, _body(text) or {}, sealed)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise


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


def canonical(body: Body) -> str:
    """The one way in which a body is written."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False)


def same(one: Body, other: Body) -> bool:
    """Whether they say the same as JSON: 60 and 60.0 is one number, however a program keeps it."""
    return bool(json.loads(canonical(one)) == json.loads(canonical(other)))


def legible(told: Body) -> str:
    """JSON for people, on one line, with letters as they are; a file's name that is no UTF-8 cannot be written so."""
    text = json.dumps(told, ensure_ascii=False)
    return text if text.encode("utf-8", "replace").decode("utf-8") == text else json.dumps(told)


def seal(seq: int, prev: str, text: str) -> str:
    """The hash of an entry; `text` is its body as canonical JSON."""
    return hashlib.sha256(f'{{"body":{text},"prev":"{prev}","seq":{seq}}}'.encode()).hexdigest()


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
                body = _body(row[2]) or {}
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
                body = _body(row[2])
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
    return str((_body(text) or {}).get("at", ""))


def _body(text: str) -> dict[str, Any] | None:
    """What the entry says, None where it says nothing of a match."""
    try:
        body = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    named = isinstance(body, dict) and all(isinstance(body.get(key), str) for key in ("kind", "name"))
    return body if named else None


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
