"""Whether a body came in while thrown dice still moved: those it leaves in sight, and those that it covered."""

from collections.abc import Sequence
from dataclasses import dataclass

from vision.geometry import TrayGeometry
from vision.rest import LAG_S, SHORT_LAG_S, SLACK_S, Past, likeness_there
from vision.track import Moment, Track

STIRRED, MOVES_ON = 0.97, 0.995
"""A die's surroundings less alike than this have moved; a hand's shadow or noise changes them less. Of one that moved
until a hand came less than the second is enough: a shadow is no likelier reason than its last steps."""
AT_REST = 0.985
"""Likeness that a die at rest keeps when shadows of hands pass (99 % of filmed dice): it has turned by less than 2
degrees and moved by less than 0.5 mm."""
COVERING_S = 0.2
"""A die last seen clear of any hand so long before one was noticed has been covered by it."""
FREE_S = 0.1
"""A thrown die is free of the hand that threw it so long before that one leaves..."""
ROLLED_ON = 1.0
"""...or has gone so many faces away from any hand, as no finger has that was at rest."""


@dataclass(frozen=True, slots=True)
class Clear:
    """A thrown die where it was last seen away from any hand, at `t` s, and since when: its centre in px, whether it
    was `still`, and how many faces it had gone away from hands."""

    x: float
    y: float
    t: float
    since: float
    still: bool
    travel: float


class Interference:
    """Remembers where thrown dice were last clear of any hand."""

    def __init__(self) -> None:
        self._clear: dict[int, Clear] = {}
        self._came: Moment | None = None
        self._restless: frozenset[int] = frozenset()

    def step(self, t: float, thrown: Sequence[Track]) -> None:
        """Note the thrown dice that no hand is near at `t`."""
        self._clear = {number: clear for number, clear in self._clear.items() if t - clear.t <= COVERING_S}
        for track in thrown:
            if track.t == t and not track.sighting.near_body:
                since = t if track.free is None else track.free[0]
                thing = track.sighting
                self._clear[track.number] = Clear(thing.x, thing.y, t, since, thing.still, track.travel)

    def moving(self, left: float, entered: float, recent: Sequence[Past], geometry: TrayGeometry) -> bool:
        """Whether a thrown die has moved since a hand came in at `entered`, or moved until that hand was near it.

        left: when the hand that threw had left. recent: the last pictures, oldest first. A die that no hand was near
        only when that one had left may be a finger of it that was at rest.
        """
        free = [c for c in self._clear.values() if c.since <= left - FREE_S or c.travel >= ROLLED_ON]
        covered = [c for c in free if c.t <= entered]
        in_sight = [c for c in self._clear.values() if c.t > entered]
        if any(
            _alike(c, c.t - SHORT_LAG_S, c.t, recent, geometry) < (STIRRED if c.still else AT_REST) for c in covered
        ):
            return True
        return any(_moves_on(clear, entered, recent, geometry) for clear in in_sight)

    def watch(self, entered: Moment) -> None:
        """A hand came in while nothing was seen to move: thrown dice that were not known to lie still may do so yet."""
        self._came = entered
        self._restless = frozenset(number for number, clear in self._clear.items() if not clear.still)

    def moved_on(self, t: float, recent: Sequence[Past], geometry: TrayGeometry) -> Moment | None:
        """When the hand came in that is watched for, once a die in sight is seen by `t` to have moved since by more
        than one at rest does in as long a time as proves it."""
        came = self._came
        if came is None or t - came[0] > LAG_S + SLACK_S:
            self._came = None
            return None
        seen = [c for number, c in self._clear.items() if number in self._restless and c.t > came[0]]
        if all(_alike(clear, came[0], clear.t, recent, geometry) >= AT_REST for clear in seen):
            return None
        self._came = None
        return came


def _moves_on(clear: Clear, entered: float, recent: Sequence[Past], geometry: TrayGeometry) -> bool:
    """Whether a die in sight has moved since `entered`: one that moved until then, if it has not come to rest by it."""
    moved = _alike(clear, entered - SHORT_LAG_S, entered, recent, geometry) < STIRRED
    return _alike(clear, entered, clear.t, recent, geometry) < (MOVES_ON if moved else STIRRED)


def _alike(clear: Clear, first: float, last: float, recent: Sequence[Past], geometry: TrayGeometry) -> float:
    """How much the die's surroundings look alike at these two times, s; 1 where one of them is not remembered."""
    then, now = (next((look for look in reversed(recent) if look.t <= t), None) for t in (first, last))
    if then is None or now is None:
        return 1.0
    return likeness_there(now, then, clear.x, clear.y, geometry.face_px(clear.x, clear.y))
