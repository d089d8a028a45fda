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


@dataclass(frozen=True, slots=True)
class Clear:
    """A thrown die where it was last seen away from any hand: its centre in px and the time in s."""

    x: float
    y: float
    t: float


class Interference:
    """Remembers where thrown dice were last clear of any hand."""

    def __init__(self) -> None:
        self._clear: dict[int, Clear] = {}

    def step(self, t: float, thrown: Sequence[Track]) -> None:
        """Note the thrown dice that no hand is near at `t`."""
        self._clear = {number: clear for number, clear in self._clear.items() if t - clear.t <= COVERING_S}
        for track in thrown:
            if track.t == t and not track.sighting.near_body:
                self._clear[track.number] = Clear(track.sighting.x, track.sighting.y, t)

    def moving(self, entered: float, recent: Sequence[Past], geometry: TrayGeometry) -> bool:
        """Whether a thrown die has moved since a hand came in at `entered`, or moved until that hand was near it.

        recent: the last pictures, oldest first.
        """
        return any(self._moved(clear, entered, recent, geometry) for clear in self._clear.values())

    def _moved(self, clear: Clear, entered: float, recent: Sequence[Past], geometry: TrayGeometry) -> bool:
        now = next(look for look in reversed(recent) if look.t <= clear.t)
        since = entered if clear.t > entered else clear.t - LAGS_S[1]
        then = next((look for look in reversed(recent) if look.t <= since), None)
        place = clear.x, clear.y, geometry.face_px(clear.x, clear.y)
        return then is not None and likeness(patch(now, *place), patch(then, *place)) < STIRRED
