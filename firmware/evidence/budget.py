"""Keeping within the disk's budget: the oldest evidence that nobody argues about goes first, of all matches together.

First go clips, then the frames of rolls, then what belonged to disputes that the referee has settled; never anything of
a dispute that is open. Each deletion is an entry of the match's ledger, signed before the file goes.
"""

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

from firmware.endcode import NOTE, PRUNED
from firmware.entries import entries, opened_at
from firmware.errors import FirmwareError
from firmware.evidence.pieces import FOLDER, Piece, pieces
from firmware.ledger import LEDGER, Body, Ledger, Signer

MB = 1e6
SPARE = 0.02
"""This share of the budget is made free at once: to look for what may go takes long."""
log = logging.getLogger("fairtray")

_Ranks = tuple[list[Piece], list[Piece], list[Piece]]


class Budget:
    """What all matches in the folder of this one may take together."""

    def __init__(self, ledger: Ledger, budget_mb: float, signer: Signer | None = None) -> None:
        self._ledger, self._signer, self._most = ledger, signer, int(budget_mb * MB)
        self._taken = sum(_size(folder) for folder in self._matches())

    def took(self, size: int) -> None:
        """So many bytes were stored."""
        self._taken += size

    def make_room(self, size: int) -> bool:
        """Prune until this much more fits; whether it does."""
        if self._taken + size <= self._most:
            return True
        self._taken = sum(_size(folder) for folder in self._matches())  # of other matches some may be gone
        spare = int(SPARE * self._most)
        for folder, going in self._prunable() if size <= self._most else ():
            if self._taken + size <= self._most:
                break
            self._prune(folder, going, self._taken + size + spare - self._most)
        return self._taken + size <= self._most

    def _matches(self) -> list[Path]:
        """The folders of all matches, oldest first."""
        folders = [path.parent for path in self._ledger.folder.resolve().parent.glob(f"*/{LEDGER}")]
        return sorted(folders, key=lambda folder: (opened_at(folder), folder.name))

    def _prunable(self) -> Iterator[tuple[Path, list[Piece]]]:
        """Match by match what may go, what is missed least first."""
        ranked: dict[Path, _Ranks] = {}
        for rank in range(3):
            for folder in self._matches():
                if folder not in ranked:
                    ranked[folder] = _ranked(folder)
                if ranked[folder][rank]:
                    yield folder, ranked[folder][rank]

    def _prune(self, folder: Path, may_go: Iterable[Piece], size: int) -> None:
        """Delete so many bytes of these pieces, oldest first, or all."""
        going: list[Piece] = []
        for piece in may_go:
            if sum(one.size for one in going) >= size:
                break
            going.append(piece)
        bodies = [{"kind": NOTE, "name": PRUNED, "file": piece.file, "reason": "budget"} for piece in going]
        try:
            if folder == self._ledger.folder.resolve():
                self._ledger.append(bodies, sign=True)
            else:
                with Ledger(folder, self._signer) as other:
                    other.append(bodies, sign=True)
        except FirmwareError as error:  # it is being played, or cannot be written to: then nothing of it goes
            log.warning("not pruned", extra={"told": {"match": str(folder), "error": str(error)}})
            return
        for piece in going:
            piece.path.unlink(missing_ok=True)
            self._taken -= piece.size


def _ranked(folder: Path) -> _Ranks:
    """Clips, frames and settled disputes that may go; nothing of a match that cannot be read."""
    try:
        told = list(entries(folder))
        kept = [piece for piece in pieces(folder, ((entry.seq, entry.body) for entry in told)) if not piece.pruned]
        open_, settled = _disputed(entry.body for entry in told)
    except (FirmwareError, KeyError, TypeError):  # whatever lies beside the match that is played, it is kept
        return [], [], []
    plain = [piece for piece in kept if not (open_ | settled).intersection(piece.entries)]
    clips = [piece for piece in plain if piece.what == "clip"]
    frames = [piece for piece in plain if piece.what == "frames"]
    return clips, frames, [piece for piece in kept if piece not in plain and not open_.intersection(piece.entries)]


def _disputed(bodies: Iterable[Body]) -> tuple[set[int], set[int]]:
    """The numbers of rulings that belong to open disputes, and to settled ones: the dispute and its turn's before it.

    They are told by the ledger alone, whatever version ruled.
    """
    turn: set[int] = set()
    before: set[int] = set()
    open_: set[int] = set()
    settled: set[int] = set()
    for body in bodies:
        if body["kind"] != "ruling":
            continue
        if body["name"] in ("TurnStarted", "TurnEnded"):
            turn, before = (set(), turn) if turn else (turn, before)
            continue
        turn.add(body["entry"])
        if body["name"] == "DisputeOpened":
            open_ |= turn | (before if len(turn) == 1 else set())
        if body["name"] == "RefereeRuled":
            settled, open_ = settled | open_, set()
    return open_, settled


def _size(folder: Path) -> int:
    """Bytes that the evidence of a match takes."""
    kept = folder / FOLDER
    return sum(path.lstat().st_size for path in kept.iterdir()) if kept.is_dir() else 0
