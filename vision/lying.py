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
from vision.rest import Past, likeness, patch
from vision.resting import SAME_LOOK, SAME_PLACE, Resting, Settlement, apart
from vision.settle import UNCHANGED_LOOK, UPON, settle
from vision.track import BESIDE_HAND_HEAT, FLYING_HEAT, LOST_S, Sighting, Track
from vision.turned import find_turn

STACK = 1.2
"""Faces from a stack within which nothing is seen when its lower die is gone, too: chosen, as that one lies within
`UPON` of the upper one."""
BARE_S = 0.1
"""A die whose place is bare for so long with none in flight was taken by the hand that is in, though only fingers were
seen at it that look a little like dice, and so like no hand: chosen, three frames at 30 fps in which a die that hit it
away from the hand would be seen, or that one itself."""
HIT_S = LOST_S
"""One that flew so long before a place became bare may have hit what lay there."""

UNSTIRRED = 0.99
"""So alike its place must look for a die that is not seen to lie still to lie as it did."""


class Lying:
    """The dice of the last rest, and the numbers that they go by."""

    def __init__(self, geometry: TrayGeometry, first: int = 1) -> None:
        """Nothing has lain there yet. `first`: the first die's number."""
        self._geometry = geometry
        self._dice: tuple[Resting, ...] = ()
        self._taken: tuple[Resting, ...] = ()
        self._away: tuple[int, ...] = ()
        self._flew = -math.inf  # when one that did not lie there was last seen in flight, s
        self._seen: dict[int, float] = {}  # when each of them was last seen, by number, s
        self._loose: set[int] = set()  # numbers of those seen away from their places by themselves
        self._gone: set[int] = set()  # numbers of those whose places are bare since a hand is in
        self._pushed = False  # since the last rest
        self._first = self._next_id = first

    @property
    def dice(self) -> tuple[Resting, ...]:
        """As they lay at the last rest, and what a hand or a throw has done to them since."""
        return self._dice

    @property
    def some_out(self) -> bool:
        """Whether dice of the game are in hands, or left the tray."""
        return bool(self._taken or self._away) or any(die.state == "off_tray" for die in self._dice)

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
        moves that die, and may do so before it is still; one that flew over it may have taken its track along.
        """
        die = self.at(thing.x, thing.y)
        if die is None:
            return None
        look = patch(picture, die.x, die.y, self._geometry.face_px(die.x, die.y))
        return die.id if likeness(look, die.look) > (UNCHANGED_LOOK if thing.still else UNSTIRRED) else None

    def step(self, scene: Scene, tracks: Sequence[Track], perception: Perception) -> None:
        """Note which dice a hand is over, has taken, or has left as they lay, and which it laid open; once a throw has
        knocked one away, it is over that one's place alone."""
        self._dice = tuple(
            replace(die, touched=False) if die.touched and self._is_left(die, scene, tracks) else die
            for die in self._dice
        )
        self._dice = tuple(
            self._laid_open(die, scene, tracks, perception) if die.covered else die for die in self._dice
        )
        self._note_seen(scene.frame.t, tracks)
        if scene.body.area == 0:
            return
        loose = {t.die: t.sighting for t in tracks if not t.sighting.near_body and t.sighting.heat >= FLYING_HEAT}
        gone = {die.id: self._gone_since(die, scene.frame.t, perception) for die in self._dice}
        self._gone = {number for number, since in gone.items() if number is not None and since < math.inf}
        self._dice = tuple(
            die if die.touched else self._watched(die, loose.get(die.id), gone[die.id], perception)
            for die in self._dice
        )

    def lose_sight(self) -> None:
        """Nobody knows what happened meanwhile: only what lies where it lay and looks the same is still known."""
        self._dice = tuple(replace(die, touched=True) for die in self._dice)

    def moved(self, shift: npt.NDArray[np.float64], geometry: TrayGeometry) -> None:
        """The tray lies elsewhere in the picture from now on, by the map (2, 3) of places in px."""
        self._geometry = geometry
        self._dice = tuple(die.moved(shift) for die in self._dice)
        self._pushed = True

    def settle(
        self, now: Sequence[Resting], tracks: Sequence[Track], over: Sequence[Track], lost: Sequence[Track]
    ) -> Settlement:
        """Which of the dice at rest `now` are these, and which were thrown; see `settle`. Those that went while a hand
        was in are in it, whatever seemed to fly, if no other lies there or went `over` the rim."""
        if not over and all(self.at(die.x, die.y) is not None for die in now):
            self._dice = tuple(replace(die, touched=die.touched or die.id in self._gone) for die in self._dice)
        x, y = self._geometry.outline.mean(0).tolist()
        turn = find_turn(self._dice, now, (x, y)) if self._pushed else None
        if turn is not None:
            self._dice = tuple(die.moved(turn) for die in self._dice)
        return settle(self._dice, self._taken, now, tracks, self._next_id, self._away, self._first, over, lost)

    def remember(self, settled: Settlement, unseen: Sequence[DieUnseen]) -> None:
        """What lies there now is what the next rest is compared with. `unseen`: the dice that left the tray."""
        self._dice = (*settled.dice, *settled.covered)
        here = {die.id for die in settled.dice}
        self._seen = {number: t for number, t in self._seen.items() if number in here}
        self._loose, self._gone, self._pushed = set(), set(), False
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
        return any(thing.still and thing.plain for thing in here) and self._looks_so(die, scene, UNCHANGED_LOOK)

    def _laid_open(self, die: Resting, scene: Scene, tracks: Sequence[Track], perception: Perception) -> Resting:
        """A die that was never read, under one that a hand has taken off: as it is seen now, from when on a hand may
        turn it, or as taken where its place is bare; the same while nobody can tell."""
        upper = next((other for other in self._dice if other.state == "stacked" and apart(other, die) <= UPON), None)
        if die.value is not None or upper is None or not upper.touched:
            return die
        near = [track.sighting for track in tracks if apart(track.sighting, die) <= STACK]
        if not near and perception.last_bare(die.x, die.y) == scene.frame.t:
            return replace(die, state="unknown", covered=False, touched=True)
        plain = [thing for thing in near if thing.still and thing.plain and apart(thing, die) <= UPON]
        if not plain or self._looks_so(upper, scene, SAME_LOOK):
            return die
        return self._as_seen(die, min(plain, key=lambda thing: apart(thing, die)), scene)

    def _as_seen(self, die: Resting, thing: Sighting, scene: Scene) -> Resting:
        """A die that lay under another, where it is seen; had it been seen before, as it looked then."""
        look = patch(scene.picture, thing.x, thing.y, self._geometry.face_px(thing.x, thing.y))
        turned = die.laid_open and likeness(look, die.look) <= UNCHANGED_LOOK
        seen = replace(die, x=thing.x, y=thing.y, look=die.look if die.laid_open else look)
        return replace(seen, state="unknown", covered=False, touched=turned, laid_open=True)

    def _looks_so(self, die: Resting, scene: Scene, alike: float) -> bool:
        """Whether the place of a die looks as alike as it lay, or more."""
        return likeness(patch(scene.picture, die.x, die.y, self._geometry.face_px(die.x, die.y)), die.look) > alike

    def _watched(self, die: Resting, loose: Sighting | None, gone: float, perception: Perception) -> Resting:
        """A die that no hand has been over, as it is now. `loose`: where it is followed with no hand at it. `gone`:
        since when it is gone, s: taken by the hand that is in, where none flew that may have knocked it away."""
        leap = LEAP * self._geometry.die_px
        leapt = loose is not None and math.hypot(loose.x - die.x, loose.y - die.y) >= leap
        knocked = die.knocked or (bool(self._taken) and leapt)
        had = perception.touched(die.x, die.y) or (gone < math.inf and self._flew < gone - HIT_S)
        return replace(die, knocked=knocked, touched=had and not knocked)

    def _note_seen(self, t: float, tracks: Sequence[Track]) -> None:
        """Note which of these dice are seen at `t`, s, and which away from their places, and whether others fly."""
        known = {die.id: die for die in self._dice if die.id is not None}
        for track in tracks:
            thing, die = track.sighting, known.get(track.die or 0)
            if die is not None and die.id is not None and thing.clear:
                self._seen[die.id] = t
                away = thing.plain and thing.heat >= BESIDE_HAND_HEAT and apart(thing, die) > LEAP
                self._loose |= {die.id} if away else set()
            flies = thing.leaves or (track.free is not None and not thing.still)
            if flies and self.is_new(track, FLYING_HEAT):
                self._flew = t

    def _gone_since(self, die: Resting, t: float, perception: Perception) -> float:
        """Since when a die is gone at `t`, s; infinity while it is not, or where it was seen going by itself.

        A place may seem bare with the die on it: then it was bare already when the die was last seen.
        """
        if die.id is None or die.id in self._loose:
            return math.inf
        since = perception.bare_since(die.x, die.y)
        return since if since <= t - BARE_S and self._seen.get(die.id, math.inf) < since else math.inf
