"""Reading stored frames again with today's networks: where would a die be read otherwise?"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from firmware.errors import EvidenceError
from firmware.evidence.history import History
from firmware.evidence.pieces import Die, Frames, Picture
from scorer.events import RollCounted
from vision.network import Networks
from vision.read import read_die
from vision.source import Image


@dataclass(frozen=True, slots=True)
class Reread:
    """A die of a counted roll: the ruling's number, the frame, the die, and its value and probability today.

    `value` is None where it would not be sure.
    """

    entry: int
    frame: int
    die: Die
    value: int | None
    p: float

    @property
    def differs(self) -> bool:
        """Whether it is not read as it was."""
        return self.value != self.die.value


def reread(history: History, networks: Networks) -> Iterator[Reread]:
    """Every die of every counted roll that was read and whose frames are still there.

    Raises:
        EvidenceError: a piece is not what was kept, or holds no pictures.
    """
    for ruled in history.rulings:
        pieces = [piece for piece in ruled.evidence if not piece.pruned]
        if isinstance(ruled.ruling, RollCounted) and pieces:
            frames = pieces[0].read()
            for picture, die, images in _read_then(frames):
                left, top = frames.crop[:2]
                reading = read_die(networks, images, die.x - left, die.y - top, die.size)
                yield Reread(ruled.ruling.entry, picture.frame, die, reading.value, round(reading.p, 3))


def _read_then(frames: Frames) -> Iterator[tuple[Picture, Die, list[Image]]]:
    """The dice that had been read by the last frame, and that frame with the one before, as at the table."""
    if not frames.pictures:
        return
    *_, before, last = (frames.pictures[0], *frames.pictures)
    images = [_decoded(picture) for picture in (before, last)]
    for die in last.dice:
        if die.value is not None:
            yield last, die, images


def _decoded(picture: Picture) -> Image:
    content = np.frombuffer(picture.jpeg, np.uint8)
    image = cv2.imdecode(content, cv2.IMREAD_COLOR) if content.size else None
    if image is None:
        raise EvidenceError(f"frame {picture.frame} of the evidence is no picture")
    return np.asarray(image, np.uint8)
