"""Whether a body came in while thrown dice still moved: those it leaves in sight, and those that it covered."""

from collections.abc import Sequence
from dataclasses import dataclass

from vision.geometry import TrayGeometry
from vision.rest import ALIKE, LAGS_S, Past, likeness, patch
from vision.track import Track

STIRRED = 0.97
"""A die's surroundings less alike than this have moved; a hand's shadow or noise changes them less. Of one that moved
until a hand came, less than a die at rest stays alike is enough: a shadow is no likelier reason than its last steps."""
COVERING_S = 0.2
"""A die last seen clear of any hand so long before one was noticed has been covered by it."""
FREE_S = 0.1
"""A thrown die is free of the hand that threw it so long before that one leaves."""


@dataclass(frozen=True, slots=True)
class Clear:
    """A thrown die where it was last seen away from any hand, at `t` s, and since when: its centre in px."""

    x: float
    y: float
    t: float
    since: float


class Interference:
    """Remembers where thrown dice were last clear of any hand."""

    def __init__(self) -> None:
        self._clear: dict[int, Clear] = {}

    def step(self, t: float, thrown: Sequence[Track]) -> None:
        """Note the thrown dice that no hand is near at `t`."""
        self._clear = {number: clear for number, clear in self._clear.items() if t - clear.t <= COVERING_S}
        for track in thrown:
            if track.t == t and not track.sighting.near_body:
                since = t if track.free is None else track.free[0]
                self._clear[track.number] = Clear(track.sighting.x, track.sighting.y, t, since)

    def moving(self, left: float, entered: float, recent: Sequence[Past], geometry: TrayGeometry) -> bool:
        """Whether a thrown die has moved since a hand came in at `entered`, or moved until that hand was near it.

        left: when the hand that threw had left. recent: the last pictures, oldest first. A die that no hand was near
        only when that one had left may be a finger of it that was at rest.
        """
        covered = [c for c in self._clear.values() if c.t <= entered and c.since <= left - FREE_S]
        in_sight = [c for c in self._clear.values() if c.t > entered]
        if any(_alike(clear, clear.t - LAGS_S[1], clear.t, recent, geometry) < STIRRED for clear in covered):
            return True
        return any(_moves_on(clear, entered, recent, geometry) for clear in in_sight)


def _moves_on(clear: Clear, entered: float, recent: Sequence[Past], geometry: TrayGeometry) -> bool:
    """Whether a die in sight has moved since `entered`: one that moved until then, if it has not come to rest by it."""
    moved = _alike(clear, entered - LAGS_S[1], entered, recent, geometry) < STIRRED
    return _alike(clear, entered, clear.t, recent, geometry) < (ALIKE if moved else STIRRED)


def _alike(clear: Clear, first: float, last: float, recent: Sequence[Past], geometry: TrayGeometry) -> float:
    """How much the die's surroundings look alike at these two times, s; 1 where one of them is not remembered."""
    then, now = (next((look for look in reversed(recent) if look.t <= t), None) for t in (first, last))
    if then is None or now is None:
        return 1.0
    place = clear.x, clear.y, geometry.face_px(clear.x, clear.y)
    return likeness(patch(now, *place), patch(then, *place))
