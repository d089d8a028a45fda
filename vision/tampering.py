"""How thrown dice lay, still and in sight, before their rest was said; which of them a hand has had since."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.entry import FREE_ROLL
from vision.interference import AT_REST
from vision.lying import Lying
from vision.perceive import Perception, Scene
from vision.rest import SHORT_LAG_S, FloatArray, Past, lagged, likeness, likeness_there, patch
from vision.resting import SAME_PLACE, Resting
from vision.settle import UNCHANGED_LOOK
from vision.track import DIE_HEAT, Moment, Sighting, Track

Image = npt.NDArray[np.uint8]
IN_PLACE_YET = 0.1
"""Faces within which a die lies yet that looks otherwise as a hand is in the tray: its shadow goes ahead of it."""
MOST = 16
"""Dice remembered at once, and with each a picture: what lay for a moment, as fingertips do, is forgotten first."""
Read = Callable[[Sighting, Sequence[Image]], int | None]
"""What a die located so shows in all of these images (BGR), where that is sure."""


@dataclass(frozen=True, slots=True)
class Lay:
    """A thrown die as it lay: where it was located in an image, BGR (h, w, 3), its look there (see `rest.patch`), and
    since when a hand has been over it. `still`: it had lain so, clear of hands, for as long as a rest takes. `since`:
    when it was first seen to lie there."""

    thing: Sighting
    look: FloatArray
    image: Image
    still: bool
    since: float
    touched: Moment | None = None

    def is_before(self, t: float) -> bool:
        """Whether a hand was over it before `t`, s."""
        return self.touched is not None and self.touched[0] < t

    def may_be_held(self, flew: float) -> bool:
        """Whether a hand may show it between its fingers that has not thrown yet: it was beside one when it was seen
        last, and seen there before any die `flew`, s."""
        return self.thing.near_body and not -math.inf < flew <= self.since

    def is_at(self, die: Resting) -> bool:
        """Whether a die at rest lies where this lay."""
        return math.hypot(self.thing.x - die.x, self.thing.y - die.y) <= SAME_PLACE * die.size


class Tampering:
    """Remembers how the dice of one throw lay when they were last seen at rest and clear of hands."""

    def __init__(self) -> None:
        """None has lain there."""
        self._lay: dict[int, Lay] = {}

    def step(self, scene: Scene, tracks: Sequence[Track], lying: Lying, perception: Perception) -> None:
        """Note which dice that did not lie there before, or rolled to where one did, lie still, and which of those a
        hand is over. One that goes on by itself lay there no more than for a moment; one that a hand touches, as long
        as a rest takes."""
        then = lagged(perception.recent, SHORT_LAG_S)
        if scene.body.area > 0:
            self._touch(scene, tracks, perception)
        for track in tracks:
            thing = track.sighting
            came = track.travel >= FREE_ROLL or lying.at(thing.x, thing.y) is None
            new = track.die is None and came
            if then is None or not new or thing.heat < DIE_HEAT or (thing.held and not thing.still):
                continue
            self._note(scene, track, then, perception.geometry.face_px(thing.x, thing.y))
        while len(self._lay) > MOST:
            moments = (number for number, lay in self._lay.items() if not lay.still)
            del self._lay[next(moments, next(iter(self._lay)))]

    def unwatched(self, since: Moment) -> None:
        """Nobody saw since then what became of those that lay still: a hand may have been over them."""
        self._lay = {number: replace(lay, touched=lay.touched or since) for number, lay in self._lay.items()}

    def _note(self, scene: Scene, track: Track, then: Past, face: float) -> None:
        """Note how a die of this track lies now, beside the picture of a moment ago; `face` in px."""
        thing, number = track.sighting, self._number(track, face)
        old = self._lay.get(number)
        if old is not None and old.touched:
            if likeness(patch(scene.picture, old.thing.x, old.thing.y, face), old.look) > UNCHANGED_LOOK:
                del self._lay[number]
                self._lay[track.number] = replace(old, touched=None)
            return
        look, in_place, since = patch(scene.picture, thing.x, thing.y, face), False, scene.frame.t
        if old is not None:
            in_place = old.thing.apart(thing) <= IN_PLACE_YET * face
            since = old.since if in_place else since
            if in_place and thing.near_body and not old.thing.near_body:
                return
        if likeness_there(scene.picture, then, thing.x, thing.y, face) >= AT_REST:
            still = (thing.still and not thing.near_body) or (old is not None and old.still and in_place)
            self._lay[track.number] = Lay(thing, look, scene.frame.image, still, since)
        elif scene.body.area == 0 or not in_place:
            self._lay.pop(track.number, None)

    def _number(self, track: Track, face: float) -> int:
        """The number by which a track's die is remembered: that of one which a hand was over there, where it has none
        of its own, as tracks end under hands."""
        if track.number in self._lay:
            return track.number
        near = (
            n for n, lay in self._lay.items() if lay.touched and lay.thing.apart(track.sighting) <= SAME_PLACE * face
        )
        return next(near, track.number)

    def _touch(self, scene: Scene, tracks: Sequence[Track], perception: Perception) -> None:
        """Note over which of them the body of this scene is."""
        held = {track.number for track in tracks if track.sighting.held}
        now = scene.frame.t, scene.frame.index
        for number, lay in self._lay.items():
            if lay.touched is None and (number in held or perception.touched(lay.thing.x, lay.thing.y)):
                self._lay[number] = replace(lay, touched=now)

    def is_away(self, numbers: Sequence[int], dice: Sequence[Resting]) -> bool:
        """Whether a die lay somewhere for as long as a rest takes where none of these now does, and it is none of the
        tracks of these numbers that no hand has had since then: such a one was but knocked on. What looked as the bare
        floor does there was none."""
        lain = ((number, lay) for number, lay in self._lay.items() if lay.still and not lay.thing.bare)
        away = (lay for number, lay in lain if lay.touched or number not in numbers)
        return any(not any(lay.is_at(die) for die in dice) for lay in away)

    def tampered(self, numbers: Sequence[int], dice: Sequence[Resting], read: Read, flew: float) -> Moment | None:
        """Since when a hand was over the first of them that lies there no more and does not show what it showed; these
        are the dice at rest now, with the numbers of their tracks. What nobody can read was none where a hand was over
        it before any die `flew`, s, as a hand's tips look like dice; nor is it known how it lay where it did so for
        less than a rest takes: fingers may have hidden a part of it; what looked as the bare floor does there may be
        its pattern."""
        here = dict(zip(numbers, dice, strict=True))
        lays = ((n, lay) for n, lay in self._lay.items() if lay.touched and not lay.may_be_held(flew))
        sure = ((n, lay, lay.still and not lay.is_before(flew) and not lay.thing.bare) for n, lay in lays)
        dice_had = ((n, lay) for n, lay, known in sure if known or read(lay.thing, [lay.image]) is not None)
        had = [lay.touched for n, lay in dice_had if not _is_same(lay, here.get(n), dice, read)]
        return min((moment for moment in had if moment is not None), default=None)

    def lay_so(self, t: float, number: int, die: Resting, read: Read) -> bool:
        """Whether a die at rest, of the track of this number, lay there or showed what it does before `t`, s."""
        before = [(n, lay) for n, lay in self._lay.items() if lay.since < t and (n == number or lay.is_at(die))]
        return any(_is_same(lay, die if n == number else None, [die], read) for n, lay in before)


def _is_same(lay: Lay, followed: Resting | None, dice: Sequence[Resting], read: Read) -> bool:
    """Whether a die lies as it lay, or one that was `followed`, or is where it was, shows surely what it showed."""
    there = next((die for die in dice if lay.is_at(die)), None)
    if there is not None and likeness(lay.look, there.look) > UNCHANGED_LOOK:
        return True
    die = followed or there
    return die is not None and die.value is not None and die.value == read(lay.thing, [lay.image])
