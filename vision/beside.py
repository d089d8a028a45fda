"""Dice that were seen beside the hand that threw them: where, and since when."""

import math
from collections import deque

from vision.rest import FloatArray, likeness
from vision.resting import SAME_LOOK, SAME_PLACE
from vision.track import Moment, Sighting

MOST_BESIDE = 500
"""Places beside a hand that are remembered: one that plays with dice over the tray makes new ones in every frame."""


class Beside:
    """Where dice were seen beside the hand that threw them and may have held them yet: the last of these places."""

    def __init__(self) -> None:
        """None was seen yet."""
        self._seen: deque[tuple[Moment, float, float, FloatArray]] = deque(maxlen=MOST_BESIDE)

    def note(self, now: Moment, die: Sighting, look: FloatArray, face_px: float) -> None:
        """A die is there, px, whose face is `face_px` wide, with such a look (see `rest.patch`)."""
        if self.first(die.x, die.y, look, face_px) is None:
            self._seen.append((now, die.x, die.y, look))

    def first(self, x: float, y: float, look: FloatArray, face_px: float) -> Moment | None:
        """When the die that lies there now, px, was first seen there."""
        reach = SAME_PLACE * face_px
        return next(
            (
                moment
                for moment, then_x, then_y, then in self._seen
                if math.dist((x, y), (then_x, then_y)) <= reach and likeness(look, then) > SAME_LOOK
            ),
            None,
        )
