"""Whether a body came in while thrown dice still moved: those it leaves in sight, and those that it covered."""

from collections.abc import Sequence
from dataclasses import dataclass

from vision.geometry import TrayGeometry
from vision.rest import LAGS_S, Past, likeness, patch
from vision.track import Track

STIRRED = 0.97
"""A die's surroundings less alike than this have moved; a hand's shadow or noise changes them less."""
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
        moved = [self._moved(clear, clear.t - LAGS_S[1], recent, geometry) for clear in covered]
        return any(moved) or any(self._moved(clear, entered, recent, geometry) for clear in in_sight)

    def _moved(self, clear: Clear, since: float, recent: Sequence[Past], geometry: TrayGeometry) -> bool:
        now = next(look for look in reversed(recent) if look.t <= clear.t)
        then = next((look for look in reversed(recent) if look.t <= since), None)
        place = clear.x, clear.y, geometry.face_px(clear.x, clear.y)
        return then is not None and likeness(patch(now, *place), patch(then, *place)) < STIRRED
