"""Judging what lies still: which of the things are dice, what each shows, and whether it lies flat."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
import numpy.typing as npt

from scorer.events import DieState
from vision.faceless import faceless
from vision.flush import is_flush
from vision.geometry import TrayGeometry
from vision.known_readings import KnownReadings
from vision.lean import hides_another, lies
from vision.leaner import see_leaning
from vision.network import Networks
from vision.read import Reading, as_unsure, read_die
from vision.rest import Past, likeness, patch
from vision.resting import SAME_LOOK, SET, Resting
from vision.settle import UNCHANGED_LOOK, UPON
from vision.together import Lie, Together
from vision.track import DIE_HEAT, Sighting, Track

Image = npt.NDArray[np.uint8]

UNLEVEL: tuple[DieState, ...] = ("cocked", "stacked")
"""Ways to lie in which no value is sure: a die lies so until a hand comes over it, it looks otherwise or another face
is read: in the shadow of a hand that comes for it a stacked one was read as if it lay flat."""
LEANING_HEAT = 0.4
"""How surely a thing beside a die must look like a die to be one that leans on it, though no face of it can be read."""
TWO_DICE = (0.8, 1.7)
"""Faces between the middles of two dice that lean on each other: nearer lie a die's own top and side."""
ONE_FACE = 0.5
"""Faces between the middles of two faces, below which they are one: chosen, half of what two dice have room for."""
TOP, BURNT, MOSTLY_BURNT = 0.3, 250, 0.5
"""Half edge, in faces, of what is looked at of a die's top; the level from which on that is burnt out, and the share of
it that is then: chosen."""
UNSHIFTED = 0.06
UNTURNED_DEG = 4.0
"""A flat die that shows the same face no farther off, and no more turned, lies flat still: one that comes to lean by 8
degrees has its face shifted by .13 faces."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A die-like thing that lies still: `new` where it differs from the empty tray, `old` what lay there before."""

    sighting: Sighting
    track: Track
    new: bool
    old: Resting | None


Judged = tuple[Resting, bool, Thing]
"""A thing as a die at rest, and whether it is one."""


class Judge:
    """Judges things at rest in one tray. A die once read surely is not read again until `forget`."""

    def __init__(self, networks: Networks, geometry: TrayGeometry) -> None:
        """Nothing has been read yet."""
        self._networks = networks
        self._geometry = geometry
        self._known = KnownReadings()
        self._missed: dict[tuple[float, float], Reading] = {}
        self._shown: tuple[Sequence[Image], dict[tuple[float, float, float], Reading]] = (), {}
        self._lies: tuple[list[Reading], list[int], list[Lie]] = [], [], []

    @property
    def answers(self) -> Mapping[int, Reading]:
        """What the faces alone said of the dice, by the numbers of their tracks."""
        return self._known.now

    def forget(self) -> None:
        """Something moves: what was read surely says nothing about what will lie there."""
        self._known.forget()
        self._missed = {}
        self._shown = (), {}
        self._lies = [], [], []

    def moved(self, geometry: TrayGeometry) -> None:
        """The tray lies elsewhere in the picture from now on."""
        self._geometry = geometry

    def judge(
        self, things: Sequence[Thing], picture: Past, images: Sequence[Image], followed: bool = False
    ) -> tuple[list[Resting], list[Track]]:
        """The dice among the things, and their tracks. `images`: a moment ago and now, BGR (h, w, 3). `followed`: also
        what shows no face but was followed as one that is missing."""
        judged = self._once([(*self._resting(thing, picture, images), thing) for thing in things])
        inside = [die for die, is_die, _ in judged if is_die and die.state != "off_tray"]
        unread = [die for die in inside if die.value is None]
        judged = self._with_followed(judged) if followed else judged
        found = [
            (die if is_die or not self._is_beside(die, unread) else replace(die, state="unknown"), thing)
            for die, is_die, thing in judged
            if is_die or (thing.new and thing.sighting.heat >= LEANING_HEAT and self._is_beside(die, inside))
        ]
        found = [(die, thing) for die, thing in found if not self._is_other_face(die, thing, found)]
        shown = [not any(self._is_below(die, other) for other, _ in found) for die, _ in found]
        upper = [any(self._is_below(other, die) for other, _ in found) for die, _ in found]
        found, upper = list(compress(found, shown)), list(compress(upper, shown))
        dice = self._doubt_leaning(images[-1], found)
        dice = [self._on_another(die) if upon else die for die, upon in zip(dice, upper, strict=True)]
        return dice, [thing.track for _, thing in found]

    def _once(self, judged: Sequence[Judged]) -> list[Judged]:
        """These without what is a die again that was located twice and is read as the same face in the same place: what
        lay there or was followed for longest is kept."""
        elder = sorted(judged, key=lambda one: (one[2].old is None, one[2].track.first_t))
        again = {
            id(thing.track)
            for index, (die, _, thing) in enumerate(elder)
            if any(self._is_same_face(die, other) for other, _, _ in elder[:index])
        }
        return [one for one in judged if id(one[2].track) not in again]

    def _with_followed(self, judged: Sequence[Judged]) -> list[Judged]:
        """These; where dice are missing, what was followed as one plainly like a die from the hand to where it lies is
        one, though it stands on an edge and shows no face, and so is what plainly looks like one where none of the dice
        can be read, as their pips do not stand out: none so near another that it may be its side."""
        dice = [die for die, is_die, _ in judged if is_die]
        missing, unreadable = SET - len(dice), bool(dice) and all(die.value is None for die in dice)
        faint = [
            thing
            for die, is_die, thing in judged
            if not (is_die or self._is_at(die, dice))
            and (self._was_followed(die, thing) or (unreadable and self._is_like(die, thing)))
        ]
        best = sorted(faint, key=lambda thing: -thing.sighting.heat)[: max(0, missing)]
        return [(die, is_die or any(thing is one for one in best), thing) for die, is_die, thing in judged]

    def _is_like(self, die: Resting, thing: Thing) -> bool:
        """Whether a thing that came into the tray looks like a die."""
        plain = thing.sighting.plain and thing.sighting.heat >= DIE_HEAT
        return thing.new and die.state != "off_tray" and not thing.track.side and plain

    def _is_at(self, thing: Resting, dice: Sequence[Resting]) -> bool:
        """Whether a thing is nearer to one of the dice than another die can be."""
        near = TWO_DICE[0] * self._geometry.face_px(thing.x, thing.y)
        return any(math.hypot(thing.x - die.x, thing.y - die.y) < near for die in dice)

    def _was_followed(self, die: Resting, thing: Thing) -> bool:
        """Whether a thing in the tray was plainly like a die as it flew, and still is a little."""
        track, limits = thing.track, self._networks.thresholds
        like = thing.sighting.heat >= LEANING_HEAT and track.heat >= limits.solid
        return thing.new and die.state != "off_tray" and track.came_flying and like

    def _is_same_face(self, die: Resting, other: Resting) -> bool:
        """Whether both show one face: two dice have no room for theirs so near each other."""
        near = ONE_FACE * self._geometry.face_px(die.x, die.y)
        alike = die.value is not None and die.value == other.value
        return alike and math.dist(die.reading.centre, other.reading.centre) < near

    def lying_on_missing(self, image: Image, dice: Sequence[Resting], all_but_one: bool) -> list[Resting]:
        """The dice where some are missing: those that show a face and could not be read, but more than a flat die, lie
        on others; so does the one that seems to lean where `all_but_one` of a throw are seen, as a throw of too few is
        far rarer. `image`: BGR (h, w, 3)."""
        doubted = {"unknown", "cocked"} if all_but_one else {"unknown"}
        if not any(die.state in doubted for die in dice):
            return list(dice)
        readings = [die.reading for die in dice]
        hiding = hides_another(Together(image, self._geometry, readings))
        chances = see_leaning(self._networks, image, self._geometry, readings)
        return [
            replace(die, state="stacked")
            if die.state in doubted
            and die.reading.blank < self._networks.thresholds.blank
            and (hiding[index] or (chances is not None and chances.doubt(index, "below") == "plain"))
            else die
            for index, die in enumerate(dice)
        ]

    def _is_other_face(self, die: Resting, thing: Thing, found: Sequence[tuple[Resting, Thing]]) -> bool:
        """Whether this is but another face of a die that stands on its edge there: that one looks more like a die, or
        was read, and there are more things than dice."""
        if die.value is not None:
            return False
        near = TWO_DICE[0] * self._geometry.face_px(die.x, die.y)
        beside = ((other, at) for other, at in found if 0 < math.hypot(die.x - other.x, die.y - other.y) < near)
        return any(
            len(found) > SET if other.value is not None else at.sighting.heat > thing.sighting.heat
            for other, at in beside
        )

    def _is_below(self, die: Resting, other: Resting) -> bool:
        """Whether a die that cannot be read lies under another that can: flat ones have no room so near each other."""
        near = UPON * self._geometry.face_px(die.x, die.y)
        read = die.value is None and other.value is not None
        inside = "off_tray" not in (die.state, other.state)
        return read and inside and math.hypot(die.x - other.x, die.y - other.y) < near

    def _on_another(self, die: Resting) -> Resting:
        """The die as one that lies on another; no value is sure of it."""
        return replace(self._as_it_lies(die, "stacked"), state="stacked")

    def _is_beside(self, thing: Resting, dice: Sequence[Resting]) -> bool:
        """Whether a thing in the tray touches a die: one that leans on another may show no face."""
        face = self._geometry.face_px(thing.x, thing.y)
        near, far = (faces * face for faces in TWO_DICE)
        touches = any(near < math.hypot(thing.x - die.x, thing.y - die.y) < far for die in dice)
        return touches and thing.state != "off_tray"

    def _resting(self, thing: Thing, picture: Past, images: Sequence[Image]) -> tuple[Resting, bool]:
        """The thing as a die at rest, and whether it is one: where one lay that a hand was over, and the floor is bare
        again and looks otherwise, what is not read is the floor's pattern."""
        sighting, old = thing.sighting, thing.old
        look = patch(picture, sighting.x, sighting.y, self._geometry.face_px(sighting.x, sighting.y))
        alike = likeness(look, old.look) if old is not None else 0.0
        unchanged = alike > UNCHANGED_LOOK
        leans_still = old is not None and old.state in UNLEVEL and not old.touched and alike > SAME_LOOK
        if old is not None and unchanged and not old.touched and (leans_still or old.value is not None):
            reading = old.reading
        else:
            reading = self._read(thing, picture, images)
            if old is not None and (
                (unchanged and reading.value is None)
                or (leans_still and reading.value in (None, old.reading.likely))  # 2 and 3 are .954 alike
            ):
                reading = old.reading
        inside = self._geometry.inside(sighting.x, sighting.y) >= 0
        limits = self._networks.thresholds
        read = reading.value is not None and (inside or thing.new)
        shows_pips = reading.blank < limits.blank and (inside or not self._is_cut_off(sighting))
        seen = thing.new and (sighting.heat >= limits.solid or shows_pips)
        there = old is not None and not (old.touched and not thing.new and alike <= SAME_LOOK)
        is_die = (inside or not sighting.near_body) and (read or seen or there)
        state: DieState = "flat" if reading.value is not None else "unknown"
        if reading.value is None and reading.blank >= limits.blank and not self._is_burnt_out(sighting, images[-1]):
            state = "cocked"
        if old is not None and reading is old.reading and old.state != "off_tray":
            state = old.state
        state = state if inside else "off_tray"
        return Resting(sighting.x, sighting.y, self._geometry.die_px, state, reading, look), is_die

    def _is_burnt_out(self, sighting: Sighting, image: Image) -> bool:
        """Whether the top of a die is mostly as bright as a picture (BGR) can be: no pips show, however it lies."""
        x, y = self._geometry.top_of(sighting.x, sighting.y)
        half = TOP * self._geometry.face_px(sighting.x, sighting.y)
        rows, columns = (slice(max(0, round(v - half)), max(0, round(v + half)) + 1) for v in (y, x))
        top = image[rows, columns].min(axis=2)
        return top.size > 0 and float((top >= BURNT).mean()) > MOSTLY_BURNT

    def _is_cut_off(self, sighting: Sighting) -> bool:
        """Whether the picture's border cuts off a part of what is seen: it may be a finger that reaches in there."""
        half, (width, height) = self._geometry.face_px(sighting.x, sighting.y) / 2, self._geometry.size
        return min(sighting.x, sighting.y, width - sighting.x, height - sighting.y) < half

    def _read(self, thing: Thing, picture: Past, images: Sequence[Image]) -> Reading:
        """The die's reading over both images, or what stands of it yet."""
        number, sighting = thing.track.number, thing.sighting
        known = self._known.of(number, sighting, picture)
        if known is not None:
            return known
        if images is not self._shown[0]:
            self._shown = images, {}
        place, readings = (sighting.x, sighting.y, sighting.size), self._shown[1]
        if place not in readings:  # the same images are judged again where more was found in them
            face, reading = self._geometry.face_px(sighting.x, sighting.y), self.read_at(sighting, images)
            readings[place] = self._known.keep(number, sighting, picture, face, reading)
        return readings[place]

    def is_flush(self, die: Resting, missed: Sighting, images: Sequence[Image]) -> bool:
        """Whether at a place beside a die read surely another one lies flush with it, read surely or not; not looked at
        again while nothing moves. `images`: as for `judge`."""
        place = missed.x, missed.y
        return is_flush(die, self.read_once(missed, images), place, self._geometry, self._networks.thresholds.blank)

    def read_once(self, missed: Sighting, images: Sequence[Image]) -> Reading:
        """What the faces alone say at a place where no die was located; not looked at again while nothing moves.
        `images`: as for `judge`."""
        place = missed.x, missed.y
        if place not in self._missed:
            self._missed[place] = self.read_at(missed, images)
        return self._missed[place]

    def read_at(self, sighting: Sighting, images: Sequence[Image]) -> Reading:
        """What the faces alone say of a die located so, in all of the images (BGR)."""
        size = self._geometry.read_at(sighting.x, sighting.y, sighting.size)
        sides = self._geometry.sides(sighting.x, sighting.y)
        x, y = self._geometry.top_of(sighting.x, sighting.y)
        given_up = faceless(self._networks, images[-1], x, y, size)
        return read_die(self._networks, images, x, y, size, sides) if given_up is None else given_up

    def _doubt_leaning(self, image: Image, dice: Sequence[tuple[Resting, Thing]]) -> list[Resting]:
        """The dice as they lie: no value is sure of one that leans, lies on another or may do so.

        Where its colour hides how a die lies that may lean, its value must be clear to be sure. One that lies there
        unchanged was judged before. Where nothing can be read of others that show a face, neither, or of more of them
        than can be read, that one shows none says nothing of how it lies: their pips may not stand out.
        """
        found = self._told(image, dice)
        judged = [
            die if thing.old is not None and thing.old.reading is die.reading else self._as_it_lies(die, lie)
            for (die, thing), lie in zip(dice, found, strict=True)
        ]
        states = Counter(die.state for die in judged)
        if states["unknown"] <= states["flat"] or states["stacked"]:
            return judged
        blank = self._networks.thresholds.blank
        told = [
            lie == "cocked" or (thing.old is not None and thing.old.reading is die.reading)
            for (die, thing), lie in zip(dice, found, strict=True)
        ]
        return [
            die if known or die.state != "cocked" or die.reading.blank < blank else replace(die, state="unknown")
            for die, known in zip(judged, told, strict=True)
        ]

    def _told(self, image: Image, dice: Sequence[tuple[Resting, Thing]]) -> list[Lie]:
        """How the dice lie; not looked at again while nothing moves and no more of them are read surely."""
        sure = [die.reading for die, _ in dice if die.value is not None]
        numbers = [thing.track.number for _, thing in dice]
        if (sure, numbers) != self._lies[:2]:
            unlevel = [index for index, (die, _) in enumerate(dice) if die.state == "cocked"]
            level = [index for index, (die, thing) in enumerate(dice) if lies_on(die, thing.old)]
            readings = [die.reading for die, _ in dice]
            chances = see_leaning(self._networks, image, self._geometry, readings)
            together = Together(image, self._geometry, readings, level, unlevel, len(dice) >= SET)
            self._lies = sure, numbers, lies(together, chances)
        return self._lies[2]

    def _as_it_lies(self, die: Resting, lie: Lie) -> Resting:
        unclear = lie == "untold" and die.reading.score < self._networks.thresholds.clear
        if die.value is None and die.state == "unknown" and lie == "cocked":
            return replace(die, state="cocked")
        if die.value is None or die.state == "off_tray" or lie == "flat" or (lie == "untold" and not unclear):
            return die
        state: DieState = lie if lie in UNLEVEL else "unknown"
        return replace(die, state=state, reading=as_unsure(self._networks, die.reading))


def lies_on(die: Resting, old: Resting | None) -> bool:
    """Whether a die lies flat as it did before."""
    if old is None or old.state != "flat" or die.value is None or die.value != old.value:
        return False
    now, then = die.reading, old.reading
    alike = math.dist(now.centre, then.centre) <= UNSHIFTED * now.face_px
    return alike and (die.value == 1 or now.turned_from(then) <= UNTURNED_DEG)
