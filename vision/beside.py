"""Dice that were seen beside the hand that threw them: where, and since when."""

import math
from collections import deque
from dataclasses import dataclass

from vision.rest import FloatArray, likeness
from vision.resting import SAME_LOOK, SAME_PLACE
from vision.track import Moment, Sighting

MOST_BESIDE = 500
"""Places beside a hand that are remembered: one that plays with dice over the tray makes new ones in every frame."""
STAYED_S = 0.3
"""What was seen in one place for so long beside a hand lies there..."""
KNOCKED_S = 0.3
"""...and, gone from there, is what is seen beside that place so soon after..."""
KNOCKED = 1.0
"""...within so many faces: another die, or the hand, has knocked it on. All three chosen; .37, .14 and .6 were met. A
hand that waits with a die and then lays it down right there is taken for that too: its throw began too early, and is
asked about rather than counted."""


@dataclass(slots=True)
class _Stay:
    """A die beside the hand in one place, px, from a moment to another, s; `before`: stays that it may have come from,
    if they ended; `lay`: since when it lay where it was knocked from, once that is settled."""

    x: float
    y: float
    began: Moment
    last: float
    before: tuple["_Stay", ...]
    lay: Moment | None = None

    def came(self) -> Moment | None:
        """Since when it lay where it was knocked from; None where it was not."""
        left = (stay.lay or stay.began for stay in self.before if stay.last < self.began[0])
        return min(left, default=self.lay)

    def settle(self) -> None:
        """Note what it came from and forget the stays before it: what had ended when it began is not noted any more."""
        self.lay, self.before = self.came(), ()


class Beside:
    """Where dice were seen beside the hand that threw them and may have held them yet: the last of these places."""

    def __init__(self) -> None:
        """None was seen yet."""
        self._seen: deque[tuple[Moment, _Stay, float, float, FloatArray]] = deque(maxlen=MOST_BESIDE)
        self._stays: list[_Stay] = []

    def note(self, now: Moment, die: Sighting, look: FloatArray, face_px: float) -> None:
        """A die is there, px, whose face is `face_px` wide, with such a look (see `rest.patch`)."""
        stay = self._stay(now, die, face_px)
        if self.first(die.x, die.y, look, face_px) is None:
            self._seen.append((now, stay, die.x, die.y, look))

    def first(self, x: float, y: float, look: FloatArray, face_px: float) -> Moment | None:
        """When the die that lies there now, px, was first seen there, or where it was knocked from."""
        reach = SAME_PLACE * face_px
        return next(
            (
                stay.came() or moment
                for moment, stay, then_x, then_y, then in self._seen
                if math.dist((x, y), (then_x, then_y)) <= reach and likeness(look, then) > SAME_LOOK
            ),
            None,
        )

    def _stay(self, now: Moment, die: Sighting, face_px: float) -> _Stay:
        """The stay of the die that is there now, until now."""
        self._stays = [stay for stay in self._stays if now[0] - stay.last <= KNOCKED_S]
        near = [(math.dist((die.x, die.y), (stay.x, stay.y)) / face_px, stay) for stay in self._stays]
        here = next((stay for faces, stay in near if faces <= SAME_PLACE), None)
        if here is None:
            before = [stay for faces, stay in near if faces <= KNOCKED and stay.last - stay.began[0] >= STAYED_S]
            for stay in before:
                stay.settle()
            here = _Stay(die.x, die.y, now, now[0], tuple(before))
            self._stays.append(here)
        here.last = now[0]
        return here
