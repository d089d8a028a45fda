"""The evidence as pages show it: pieces by the number of their entry, frames by their place, read once for a while."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from firmware.errors import EvidenceError
from firmware.evidence.history import History, Ruled
from firmware.evidence.pieces import Crop, Die, Frames, Piece

KEPT = 4
"""So many pieces are kept read."""


def overlay(dice: Iterable[Die], crop: Crop) -> list[dict[str, Any]]:
    """The dice as they were seen, for drawing over a picture that was cut out there."""
    left, top = crop[:2]
    return [asdict(replace(die, x=round(die.x - left, 1), y=round(die.y - top, 1))) for die in dice]


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece with its frames; `fault` says why there are none."""

    piece: Piece
    frames: Frames | None
    fault: str | None = None

    @property
    def told(self) -> list[dict[str, Any]]:
        """Of each frame its address, number, time (s) and dice, for the viewer."""
        if self.frames is None:
            return []
        return [
            {
                "src": f"/frame/{self.piece.seq}/{place}.jpg",
                "frame": picture.frame,
                "t": round(picture.t, 3),
                "dice": overlay(picture.dice, self.frames.crop),
            }
            for place, picture in enumerate(self.frames.pictures)
        ]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the frames, px."""
        return self.frames.crop[2:] if self.frames else (4, 3)


class Shelf:
    """The pieces that were looked at last."""

    def __init__(self) -> None:
        self._read: OrderedDict[int, Shown] = OrderedDict()

    def shown(self, piece: Piece) -> Shown:
        """The piece with its frames."""
        known = self._read.pop(piece.seq, None)
        if known is None or known.piece != piece:
            known = _shown(piece)
        self._read[piece.seq] = known
        while len(self._read) > KEPT:
            self._read.popitem(last=False)
        return known

    def jpeg(self, history: History, seq: int, place: int) -> bytes | None:
        """A frame of the piece with that entry; None where there is none."""
        piece = next((piece for piece in history.pieces if piece.seq == seq), None)
        shown = self.shown(piece) if piece else None
        if shown is None or shown.frames is None or not 0 <= place < len(shown.frames.pictures):
            return None
        return shown.frames.pictures[place].jpeg


def _shown(piece: Piece) -> Shown:
    try:
        return Shown(piece, piece.read())
    except EvidenceError as error:
        return Shown(piece, None, str(error))


def last_picture(history: History, ruled: Ruled) -> str | None:
    """The address of the last frame of what proves a ruling, or the one it takes the place of: how the dice lay."""
    for piece in reversed(ruled.evidence):
        if not piece.pruned and piece.frames:
            return f"/frame/{piece.seq}/{piece.frames - 1}.jpg"
    before = history.ruled(ruled.ruling.replaces or 0)
    return last_picture(history, before) if before else None


def pieces_of(ruled: Sequence[Ruled]) -> tuple[Piece, ...]:
    """All pieces of these rulings, each once."""
    return tuple({piece.seq: piece for one in ruled for piece in one.evidence}.values())
