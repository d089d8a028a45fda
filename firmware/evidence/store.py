"""Storing evidence: first the file, whole and on the disk, then its hash in the ledger; only then does it exist."""

import errno
import logging
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from firmware.endcode import NOTE
from firmware.entries import entries
from firmware.evidence.budget import Budget
from firmware.evidence.choosing import PROVED, Due
from firmware.evidence.pieces import FOLDER, KEPT, LOST, Frames, kept, pack
from firmware.evidence.verify import sound
from firmware.ledger import Ledger, Signer
from firmware.record import close

log = logging.getLogger("fairtray")
ZIP_BYTES, PICTURE_BYTES, DIE_BYTES = 1500, 300, 50
"""What the file takes beside the pictures: for itself, for each, and for each die in it."""
_NAME = re.compile(r"\d{6,}-(frames|clip)\.zip(\.part)?")
_PROVED = {kind.__name__ for kind in PROVED}


class Store:
    """The evidence of one match that is being played."""

    def __init__(self, ledger: Ledger, budget: Budget) -> None:
        """Files that a crash left behind, of which the ledger knows nothing, are deleted."""
        self._ledger, self._budget = ledger, budget
        self._folder = ledger.folder / FOLDER
        self._done: set[int] = set()
        self._unproved: list[int] = []
        known = set()
        for entry in entries(ledger.folder):
            body = entry.body
            if body["name"] in (KEPT, LOST) and body["kind"] == NOTE:
                self._done.update(body["entries"])
                known.add(body.get("file"))
            elif body["name"] in _PROVED:
                self._unproved.append(body["entry"])
        self._sweep(known)

    def broken_off(self) -> None:
        """Tell which rulings nothing was kept of when the match broke off: what they rested on is gone."""
        self.lost([entry for entry in self._unproved if entry not in self._done], "broken_off")

    def store(self, due: Due) -> None:
        """Keep this, unless it is kept already; what cannot be kept is told in the ledger.

        Raises:
            LedgerError: the ledger cannot be written.
        """
        if self._done.issuperset(due.entries):
            return
        if not self._budget.make_room(_about(due.frames)):
            self.lost(due.entries, "budget", len(due.frames.pictures))
            return
        file = f"{FOLDER}/{due.entries[0]:06}-{due.what}.zip"
        try:
            self._write(self._ledger.folder / file, due.frames)
            body = kept(due.entries, due.what, self._ledger.folder, file, due.frames)
        except OSError as error:
            log.error("evidence lost", extra={"told": {"file": file, "error": str(error)}})
            self.lost(due.entries, "disk_full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "disk")
            return
        self._ledger.append([body], sign=True)
        self._budget.took(body["bytes"])
        self._done.update(due.entries)

    def close(self) -> None:
        """The match is over, and all that there is of it is stored."""
        close(self._ledger)

    def lost(self, numbers: Iterable[int], reason: str, frames: int = 0) -> None:
        """Tell in the ledger that evidence for these rulings, or that many frames, could not be kept, and why.

        Of a match that is closed nothing is told: its recording is only watched once more.
        """
        told = list(numbers)
        if (told or frames) and not self._ledger.code:
            body = {"kind": NOTE, "name": LOST, "entries": told, "frames": frames, "reason": reason}
            self._ledger.append([body])
            self._done.update(told)

    def _write(self, path: Path, frames: Frames) -> None:
        self._folder.mkdir(exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("wb") as file:
                pack(frames, file)
                file.flush()
                os.fsync(file.fileno())
            part.rename(path)
            _sync(self._folder)
        except OSError:
            with suppress(OSError):
                part.unlink()
            raise

    def _sweep(self, known: set[str | None]) -> None:
        if not self._folder.is_dir():
            return
        for path in self._folder.iterdir():
            if _NAME.fullmatch(path.name) and f"{FOLDER}/{path.name}" not in known:
                with suppress(OSError):
                    path.unlink()


def close_left(folder: Path, signer: Signer | None, budget_mb: float) -> str:
    """Close a match that is over and broke off before it was; the code that it ends with.

    Raises:
        LedgerError: it was altered, is played right now, or cannot be written to.
    """
    sound(folder)  # or the device would vouch for what it did not write
    with Ledger(folder, signer) as ledger:
        if not ledger.code:
            store = Store(ledger, Budget(ledger, budget_mb, signer))
            store.broken_off()
            store.close()
        return ledger.code


def _about(frames: Frames) -> int:
    """Bytes that the file will have, or a little more."""
    return ZIP_BYTES + sum(
        len(picture.jpeg) + PICTURE_BYTES + DIE_BYTES * len(picture.dice) for picture in frames.pictures
    )


def _sync(folder: Path) -> None:
    """Have the folder's own entries on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
