"""The ledger of a match: what was seen, said and ruled, entry after entry in SQLite, each sealed with a hash.

An entry's hash is the SHA-256 of the canonical JSON (keys in order, no spaces, ASCII) of its number, the hash of the
entry before and its body. So no entry can be changed, moved, taken out or put in without another hash for all that
follow. An entry that `append` has returned from is on the disk: the journal is synced with every transaction.

An entry of kind `note` is about the record itself. `Signed` holds the device's signature of its own number and of the
hash before it; the public key to check it with is in the last `DeviceKey` before it. `Closed`
ends a match that is over, once all that proves it is stored.
"""

import fcntl
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from firmware.endcode import DEVICE_KEY, NOTE, SIGNED, Ending
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
        with _as_ledger(self._path):
            try:
                self._hold(folder)
                self._connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
            except BaseException:
                os.close(self._lock)
                raise
            try:
                self._open()
            except BaseException:
                self.close()
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
            self._take(seq, body_of(text) or {}, sealed)

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


@contextmanager
def _as_ledger(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise LedgerError(f"{path} cannot be used as a ledger: {error}") from error


def canonical(body: Body) -> str:
    """The one way in which a body is written."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False)


def same(one: Body, other: Body) -> bool:
    """Whether they say the same: 60 and 60.0 is one number, and a rule is the same in another version's words."""
    told, others = (json.loads(canonical({**body, "rule": ""})) for body in (one, other))
    return bool(told == others)


def legible(told: Body) -> str:
    """JSON for people, on one line, with letters as they are; a file's name that is no UTF-8 cannot be written so."""
    text = json.dumps(told, ensure_ascii=False)
    return text if text.encode("utf-8", "replace").decode("utf-8") == text else json.dumps(told)


def seal(seq: int, prev: str, text: str) -> str:
    """The hash of an entry; `text` is its body as canonical JSON."""
    return hashlib.sha256(f'{{"body":{text},"prev":"{prev}","seq":{seq}}}'.encode()).hexdigest()


def body_of(text: str) -> dict[str, Any] | None:
    """What the entry says, None where it says nothing of a match."""
    try:
        body = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    named = isinstance(body, dict) and all(isinstance(body.get(key), str) for key in ("kind", "name"))
    return body if named else None
