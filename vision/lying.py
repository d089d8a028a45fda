"""The dice that lay there at the last rest: what has come over each since, and which of a set are taken or away."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from scorer.events import DieUnseen
from vision.geometry import TrayGeometry
from vision.matching import LEAP
from vision.perceive import Perception, Scene
from vision.rest import UNMOVED, Past, likeness, patch
from vision.resting import SAME_LOOK, SAME_PLACE, Resting, Settlement
from vision.settle import UNCHANGED_LOOK, UPON, settle
from vision.track import FLYING_HEAT, Sighting, Track

GONE = 1.2
"""Faces from a stack within which nothing is seen when its lower die is gone, too: it lies within `UPON` of the upper
one (chosen)."""
GONE_S = 0.1
"""A die whose place is bare for so long with none in flight was taken by the hand that is in, though only fingers were
seen at it that look a little like dice, and so like no hand: chosen, three frames at 30 fps in which one that hit it
would be seen."""
HIT_S = 0.2
"""A die in flight so long before may have hit it: chosen, as long as one may be lost from sight."""


class Lying:
    """The dice of the last rest, and the numbers that they go by."""

    def __init__(self, geometry: TrayGeometry, first: int = 1) -> None:
        """Nothing has lain there yet. `first`: the first die's number."""
        self._geometry = geometry
        self._dice: tuple[Resting, ...] = ()
        self._taken: tuple[Resting, ...] = ()
        self._away: tuple[int, ...] = ()
        self._flew = -math.inf  # when a new die was last seen in flight, s
        self._seen: dict[int, float] = {}  # when each of the dice was last, s
        self._first = self._next_id = first

    @property
    def dice(self) -> tuple[Resting, ...]:
        """As they lay at the last rest, and what a hand or a throw has done to them since."""
        return self._dice

    def at(self, x: float, y: float) -> Resting | None:
        """The die that lay within a quarter face of a place, px."""
        reach = SAME_PLACE * self._geometry.die_px
        return next((die for die in self._dice if math.hypot(die.x - x, die.y - y) <= reach), None)

    def is_new(self, track: Track, heat: float) -> bool:
        """Whether this looks as much like a die, and is none of these."""
        thing = track.sighting
        return track.die is None and thing.heat >= heat and self.at(thing.x, thing.y) is None

    def uncovered(self, thing: Sighting, picture: Past) -> int | None:
        """The number of the die that lay where this thing is, if it is seen as it lay; else None.

        A hand that covered it until its track was lost, or went on with the fingers, need not leave the tray before it
        moves that die, and may do so before it is still.
        """
        die = self.at(thing.x, thing.y)
        if die is None:
            return None
        look = patch(picture, die.x, die.y, self._geometry.face_px(die.x, die.y))
        return die.id if likeness(look, die.look) > (UNCHANGED_LOOK if thing.still else UNMOVED) else None

    def step(self, scene: Scene, tracks: Sequence[Track], perception: Perception) -> None:
        """Note which dice a hand is over, or has left as they lay; once a throw has knocked one away, it is over that
        one's place alone."""
        self._dice = tuple(
            replace(die, touched=False) if die.touched and self._is_left(die, scene, tracks) else die
            for die in self._dice
        )
        self._dice = tuple(self._bared(die, scene, tracks, perception) if die.covered else die for die in self._dice)
        self._note_seen(scene.frame.t, tracks)
        if scene.body.area == 0:
            return
        loose = {t.die: t.sighting for t in tracks if not t.sighting.near_body and t.sighting.heat >= FLYING_HEAT}
        self._dice = tuple(
            die if die.touched else self._watched(die, loose.get(die.id), scene.frame.t, perception)
            for die in self._dice
        )

    def lose_sight(self) -> None:
        """Nobody knows what happened meanwhile: only what lies where it lay and looks the same is still known."""
        self._dice = tuple(replace(die, touched=True) for die in self._dice)

    def moved(self, shift: npt.NDArray[np.float64], geometry: TrayGeometry) -> None:
        """The tray lies elsewhere in the picture from now on, by the map (2, 3) of places in px."""
        self._geometry = geometry
        self._dice = tuple(die.moved(shift) for die in self._dice)

    def settle(
        self, now: Sequence[Resting], tracks: Sequence[Track], over: Sequence[Track], lost: Sequence[Track]
    ) -> Settlement:
        """Which of the dice at rest `now` are these, and which were thrown; see `settle`."""
        return settle(self._dice, self._taken, now, tracks, self._next_id, self._away, self._first, over, lost)

    def remember(self, settled: Settlement, unseen: Sequence[DieUnseen]) -> None:
        """What lies there now is what the next rest is compared with. `unseen`: the dice that left the tray."""
        self._dice = (*settled.dice, *settled.covered)
        here = {die.id for die in settled.dice}
        self._seen = {number: t for number, t in self._seen.items() if number in here}
        held = tuple(die for die in self._taken if die.id not in here)
        self._taken = () if settled.thrown else held + settled.lifted
        self._next_id = max([self._next_id, *(die.id + 1 for die in self._dice if die.id is not None)])
        known = [number for event in unseen for number in event.ids]
        strange = sum(event.count for event in unseen) - len(known)
        self._away = settled.away(self._away, [*known, *range(self._next_id, self._next_id + strange)])
        self._next_id += strange

    def _is_left(self, die: Resting, scene: Scene, tracks: Sequence[Track]) -> bool:
        """Whether a die that a hand was over is seen lying still as it lay, clear of hands: what becomes of it from now
        on is not that hand's doing."""
        here = (track.sighting for track in tracks if self.at(track.sighting.x, track.sighting.y) is die)
        if not any(thing.still and thing.plain for thing in here):
            return False
        return self._looks_so(die, scene, UNCHANGED_LOOK)

    def _bared(self, die: Resting, scene: Scene, tracks: Sequence[Track], perception: Perception) -> Resting:
        """An unread die that lay under one which a hand had, as it is first seen lying still and clear of hands, which
        may turn it from then on; or as one that a hand took, where nothing lies there any more."""
        upper = next((other for other in self._dice if other.state == "stacked" and _apart(other, die) <= UPON), None)
        if die.value is not None or upper is None or not upper.touched:
            return die
        things = [track.sighting for track in tracks if _apart(track.sighting, die) <= GONE]
        if not things and perception.last_bare(die.x, die.y) == scene.frame.t:
            return replace(die, state="unknown", covered=False, touched=True)
        here = min(
            (thing for thing in things if thing.still and thing.plain), key=lambda t: _apart(t, die), default=None
        )
        if here is None or _apart(here, die) > UPON or self._looks_so(upper, scene, SAME_LOOK):
            return die
        look = patch(scene.picture, here.x, here.y, self._geometry.face_px(here.x, here.y))
        return replace(die, x=here.x, y=here.y, look=look, state="unknown", covered=False, touched=False)

    def _looks_so(self, die: Resting, scene: Scene, alike: float) -> bool:
        """Whether the place of a die looks as alike as it lay, or more."""
        return likeness(patch(scene.picture, die.x, die.y, self._geometry.face_px(die.x, die.y)), die.look) > alike

    def _watched(self, die: Resting, loose: Sighting | None, t: float, perception: Perception) -> Resting:
        """A die that no hand has been over, as it is at `t`, s; `loose`: where it is followed with no hand at it."""
        leap = LEAP * self._geometry.die_px
        leapt = loose is not None and math.hypot(loose.x - die.x, loose.y - die.y) >= leap
        knocked = die.knocked or (bool(self._taken) and leapt)
        had = perception.touched(die.x, die.y) or self._is_taken(die, t, perception)
        return replace(die, knocked=knocked, touched=had and not knocked)

    def _note_seen(self, t: float, tracks: Sequence[Track]) -> None:
        """Note which of these dice are seen at `t`, s, and whether new ones are in flight."""
        self._seen |= {track.die: t for track in tracks if track.die is not None and track.sighting.clear}
        free = (track for track in tracks if track.free is not None and not track.sighting.still)
        if any(self.is_new(track, FLYING_HEAT) for track in free):
            self._flew = t

    def _is_taken(self, die: Resting, t: float, perception: Perception) -> bool:
        """Whether a die is seen to be gone, while a hand is in, with none in flight that may have knocked it away.

        One that lies unseen where all seems bare was so before it was seen last.
        """
        since = perception.bare_since(die.x, die.y)
        gone = since <= t - GONE_S and self._seen.get(die.id or 0, math.inf) < since
        return gone and self._flew < since - HIT_S


def _apart(thing: Resting | Sighting, die: Resting) -> float:
    """Distance of something from a die, in faces."""
    return math.hypot(thing.x - die.x, thing.y - die.y) / max(die.size, 1.0)
