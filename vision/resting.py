"""Dice at rest as facts: what lies where and shows what, and what became of the dice since they lay still before."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from scorer.events import DieState
from vision.read import Reading
from vision.rest import FloatArray
from vision.track import Sighting

Cause = Literal["hand", "hit"]

SET = 5
"""Dice of a game: no more can have left or lie under others than are missing, whatever seemed so."""
SAME_PLACE = 0.25
"""Faces: a die within this of where one lay, looking the same or showing the same, is that one."""
SAME_LOOK = 0.9


@dataclass(frozen=True, slots=True)
class Resting:
    """A die at rest: place in px, what it shows and how it lies, and its look (see `rest.patch`).

    id is None until it is known which die it is. `touched`: a hand has been over it since it came to rest, or took it.
    `knocked`: before that, it was seen to leave its place by itself. `handled`: it could not be read, and has looked
    otherwise since a hand was over it, which may have turned it. `covered`: it lies under another and is not seen, or
    was not seen as it lies. `laid_open`: unread under another, it has been seen since as it lies, and that is its look.
    """

    x: float
    y: float
    size: float
    state: DieState
    reading: Reading
    look: FloatArray
    id: int | None = None
    touched: bool = False
    knocked: bool = False
    handled: bool = False
    covered: bool = False
    laid_open: bool = False

    @property
    def value(self) -> int | None:
        """What it shows, where that is sure."""
        return self.reading.value

    def moved(self, shift: npt.NDArray[np.float64]) -> "Resting":
        """The die after the whole tray went elsewhere in the picture, by the map (2, 3) of places in px."""
        x, y = (float(v) for v in shift @ (self.x, self.y, 1))
        turn = math.degrees(math.atan2(shift[1, 0], shift[0, 0]))
        middle = ((self.look.shape[1] - 1) / 2, (self.look.shape[0] - 1) / 2)
        warp = cv2.getRotationMatrix2D(middle, -turn, 1.0)  # OpenCV turns against y down
        look = cv2.warpAffine(self.look, warp, self.look.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        face_x, face_y = (float(v) for v in shift @ (*self.reading.centre, 1))
        return replace(self, x=x, y=y, reading=self.reading.at(face_x, face_y), look=np.asarray(look, np.float32))


def apart(thing: Resting | Sighting, die: Resting) -> float:
    """Distance of something from a die, in faces."""
    return math.hypot(thing.x - die.x, thing.y - die.y) / max(die.size, 1.0)


@dataclass(frozen=True, slots=True)
class Changed:
    """A die that stayed but shows another face."""

    id: int
    before: int
    after: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class Settlement:
    """The dice at rest, all with ids, and what happened to them since they lay still before.

    moved: ids of dice that stayed but lie elsewhere, each with whether it is surely that die. gone: dice that are no
    longer there. lifted: those of them, by number, that a hand took. handled: ids of those that lie there and are read
    now, but which a hand may have turned before. covered: dice that lie under others, as they lay, or unread where they
    were thrown with those.
    """

    dice: tuple[Resting, ...]
    thrown: tuple[int, ...]
    kept: tuple[int, ...]
    moved: tuple[tuple[int, bool], ...]
    changed: tuple[Changed, ...]
    gone: tuple[Resting, ...]
    lifted: tuple[Resting, ...]
    handled: tuple[int, ...] = ()
    covered: tuple[Resting, ...] = ()

    def away(self, before: Sequence[int], unseen: Sequence[int]) -> tuple[int, ...]:
        """Numbers of the dice that are out of view since they left the tray: those of `before` that did not come back
        and were not thrown, those fetched from beside the tray, and new ones for the `unseen`."""
        here = {die.id for die in self.dice}
        still = () if self.thrown else tuple(n for n in before if n not in here)
        fetched = tuple(die.id for die in self.gone if die.state == "off_tray" and die.id is not None)
        return (*still, *fetched, *unseen)
