"""Following dice from frame to frame: which sighting is which die, how far it moved, and whether it tumbled."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from vision.rest import Past, cut

Image = npt.NDArray[np.uint8]

GATE = 0.45
"""Faces that a die which lay still may be found off its place."""
GATE_PER_S = 24.0
"""Faces per second that a gate opens for a die that may be moving: 0.8 a frame at 30 fps."""
WIDEST_GATE = 1.6
FLIGHT_PER_S = 130.0
"""Faces per second that a thrown die flies at most: 2 m/s, four faces between two frames at 30 fps."""
LOST_S = 0.2
"""A moving die not seen for so long is lost."""
STEP = 0.04
"""Faces: shorter steps are the locator's noise."""
MOVED = 0.25
LEAP = 0.5
"""Faces that a die goes at once and still is itself where another is missed: what is farther off may be that one."""
STRUCK = 2.0
"""Faces from where a die lay within which the one that hit it is seen a moment later: chosen, 1.5 where it was met."""
SIDE = 0.8
"""Faces from a die within which what looks little like one is a side of it, that shows as it rolls."""
TWICE = 0.6
"""Faces from a die within which what is seen all at once is mostly that die again, seldom one over it."""
SMEARED = 0.9
"""Faces from a die within which one that its flight smears may be seen twice."""
LEFT = 3.5
"""Faces beyond the floor's edge from which a die that flies out is not back over the floor a moment later: chosen, one
that comes back from the wall may be 1 face beyond it, and 2 or 3 a frame later had it flown on."""
CROSSING = 0.5
"""Faces by which the ways of two dice must be shorter than if they had changed places."""
TUMBLE_S = 0.03
"""Looks are compared over at least this time, so that a share means the same at every frame rate."""
TUMBLE_STEP = 0.06
"""Faces: a die that moves less between two looks rocks to rest, and has little left to tumble."""
TUMBLE_REACH = 1.6
TUMBLED = 0.74
"""A die that only slides or spins keeps a likeness above this to its last look, shifted and turned back."""
ROLLED = 0.25
"""Share of tumbling steps beside a hand from which the die was not merely moved by it."""
FEWEST_STEPS = 3
DIE_HEAT = 0.5
FLYING_HEAT = 0.38
"""A die blurred by its flight looks less like one."""
TURNS = (0.0, 12.0, -12.0, 24.0, -24.0)
LONG_S = (0.09, 0.2)
"""Away from hands a die is compared, too, with its look of so long ago, at least and at most: one smeared by its flight
looks much as a moment ago while it turns over..."""
LONG_TURNS = (*TURNS, 36.0, -36.0, 48.0, -48.0, 60.0, -60.0)
"""...and one that slides spins farther meanwhile, too."""
SCALE_PX = 16.0
"""Face edge of the looks compared for tumbling."""
INNER = 0.36
"""Half edge, in faces, of what is compared of a die: no corner of the floor comes into it however the die is turned,
whose edge against a bright die looks the same whichever side is up."""

Moment = tuple[float, int]
"""A time in s and the number of its frame."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A die-like thing in one frame: centre and face in px; `still` by `rest`, `near_body` next to a hand,
    `uncovered` where a hand was a moment ago, `held` where one touches it; so many faces `beyond` the floor's edge,
    negative over the floor."""

    x: float
    y: float
    size: float
    heat: float
    still: bool
    near_body: bool
    uncovered: bool = False
    held: bool = False
    beyond: float = -1.0

    @property
    def outside(self) -> bool:
        """Whether it is beyond the floor's edge."""
        return self.beyond > 0


@dataclass(slots=True)
class Track:
    """One thing followed. `die` is its number once it was reported at rest.

    first: its first sighting, at `first_t`. arrived: it was not there when watching began. free: time and frame at
    which a hand let it go, a moment before it was first seen over the floor and away from any hand, at `freed`, px, a
    place last seen `vacant` of it at that time, s; a hand that touches it again takes that back unless it `lay` there
    still, or was clear of hands for a while. lain: when and where, px, it last lay still, plainly and clear of hands.
    travel: faces moved away from any hand, heat: the most it looked like a die meanwhile. steps, tumbles: like travel,
    counted where it was clearly a die. looked, turned: how often it was compared with its look of some time ago, away
    from hands, and how often it was unlike that. alike: whether it looked as a moment ago, turned and shifted, in its
    last step; None if not compared. frame: that in which it was last seen. outward: faces per second by which it went
    away from the floor in its last step. left: time and frame at which it went beyond the floor's edge, where it is
    yet. by_hand: it moved beside a hand. doubtful: another die was so near that it may have become that one. crossed:
    when it may last have changed places with another track. witnesses: numbers of the tracks that were surely other
    dice whenever, besides, it was not sure where it went, since `strayed`; None where that never was. side: it may be
    but a side of another die, or that die seen twice.
    """

    number: int
    sighting: Sighting
    t: float
    first_t: float
    first: Sighting
    arrived: bool = True
    free: Moment | None = None
    freed: tuple[float, float] = (0.0, 0.0)
    vacant: float = -math.inf
    lay: bool = False
    lain: tuple[float, float, float] | None = None
    die: int | None = None
    doubtful: bool = False
    crossed: float = -math.inf
    strayed: float = math.inf
    witnesses: frozenset[int] | None = None
    speed: tuple[float, float] = (0.0, 0.0)
    outward: float = 0.0
    left: Moment | None = None
    travel: float = 0.0
    heat: float = 0.0
    steps: int = 0
    tumbles: int = 0
    looked: int = 0
    turned: int = 0
    alike: bool | None = None
    frame: int = 0
    by_hand: bool = False
    side: bool = False
    look: Image | None = field(default=None, repr=False)
    look_t: float = -1.0
    look_at: tuple[float, float] = (0.0, 0.0)
    look_clear: bool = False
    looks: tuple[tuple[float, Image], ...] = field(default=(), repr=False)

    @property
    def alone(self) -> bool:
        """Whether it was seen moving alone, or came to its place with no hand there."""
        came = self.arrived and not (self.first.near_body or self.first.uncovered or self.by_hand)
        return self.travel > 2 * MOVED or came

    @property
    def flew(self) -> bool:
        """Whether it moved alone, or was seen rolling beside a hand.

        A die that lay there, and moved only beside a hand, was turned by it however it looked meanwhile.
        """
        turned = self.die is not None and self.travel == 0
        return self.alone or (self.rolled and not turned)

    @property
    def rolled(self) -> bool:
        """Whether it tumbled more than a die may seem to that a hand only moves."""
        return self.steps >= FEWEST_STEPS and self.tumbles >= max(2, ROLLED * self.steps)

    @property
    def tumble(self) -> float | None:
        """Share of its steps that tumbled, or in which it had turned over; None where too few were seen."""
        if self.steps < FEWEST_STEPS:
            return None
        return max(self.tumbles / self.steps, self.turned / self.looked if self.looked >= FEWEST_STEPS else 0.0)

    def surely(self, others: Iterable["Track"]) -> bool:
        """Whether it is still the die that it was, where these are all the other dice that moved: it changed places
        with none of them, and whenever it was not sure where it went they were seen elsewhere."""
        witnesses = frozenset() if self.witnesses is None else self.witnesses
        apart = all(other.number in witnesses and other.crossed < self.strayed for other in others)
        return not self.doubtful or (apart and self.crossed == -math.inf)

    def rest(self, die: int) -> None:
        """It lies still as die number `die`: what it does from now on is counted anew."""
        self.die, self.doubtful, self.by_hand = die, False, False
        self.crossed, self.strayed, self.witnesses = -math.inf, math.inf, None
        self.travel, self.heat, self.steps, self.tumbles, self.looked, self.turned = 0.0, 0.0, 0, 0, 0, 0
        self.first, self.first_t, self.free, self.lay = self.sighting, self.t, None, False
        self.look, self.looks = None, ()


class Tracker:
    """Tracks of all dice in view; those that lie still are kept for as long as nothing says that they left."""

    def __init__(self, die_px: float) -> None:
        """`die_px`: a die's face in px of the pictures given."""
        self._die_px = die_px
        self._count = 0
        self.tracks: list[Track] = []
        self.lost: list[Track] = []
        self._began = False
        self._t = -math.inf
        self._like_dice: frozenset[int] = frozenset()

    def step(self, t: float, picture: Past, sightings: Sequence[Sighting]) -> list[Track]:
        """Continue the tracks with the sightings in `picture`; the track of each sighting, in their order."""
        for track in self.tracks:
            track.alike = None
        chosen = self._match(t, sightings)
        crossed, astray = self._crossed(sightings, chosen), self._astray(t, sightings, chosen)
        result = [self._continued(chosen.get(index), sighting, t) for index, sighting in enumerate(sightings)]
        elder = [track.sighting for track in result if track.sighting is not track.first]
        for track in result:
            track.frame = picture.frame
            track.left = (track.left or (t, picture.frame)) if track.sighting.outside else None
            again = track.sighting is track.first and self._is_seen_twice(track.sighting, sightings, elder)
            track.side = again or self._is_side(track.sighting, sightings)
            self._watch_tumbling(track, t, picture)
        self._note_taken_over(sightings, result)
        self._began, self._t = True, t
        self._doubt(t, crossed, astray)
        gone = [track for track in self.tracks if t - track.t > LOST_S]
        self.lost += gone
        self.tracks = [track for track in self.tracks if track not in gone]
        return result

    def _note_taken_over(self, sightings: Sequence[Sighting], seen: Sequence[Track]) -> None:
        """A track that is missed where another's die is seen now was that die, which its flight had smeared in two."""
        dice = [sighting for sighting in sightings if sighting.heat >= DIE_HEAT]
        for track in self._missed({track.number: track for track in seen}):
            if track.t == self._t:
                track.side |= any(_apart(track.sighting, die) < TWICE * self._die_px for die in dice)

    def _continued(self, track: Track | None, sighting: Sighting, t: float) -> Track:
        """The track with its next sighting, or a new one."""
        if track is not None:
            self._advance(track, sighting, t)
            return track
        self._count += 1
        self.tracks.append(Track(self._count, sighting, t, t, sighting, arrived=self._began))
        return self.tracks[-1]

    def recognise(self, track: Track, die: int) -> None:
        """This track is die number `die`, which lies still: what was followed as that one is something else."""
        for other in self.tracks:
            other.die = None if other.die == die else other.die
        track.rest(die)

    def forget_lost(self) -> None:
        """Start a new throw: tracks that ended before it no longer matter."""
        self.lost = []

    def forget(self) -> None:
        """Nothing can be followed any more: what is seen from now on has come from anywhere."""
        self.tracks, self.lost, self._like_dice = [], [], frozenset()

    def _match(self, t: float, sightings: Sequence[Sighting]) -> dict[int, Track]:
        """Nearest pairs first, each within its gate; of a die and what may be its side, the die.

        What was beside a hand and not seen lately takes none from its own track, though it may have been thrown where
        that would be; nor from one that was seen a moment ago, and turned back at a wall or at another die.
        """
        lately = [track for track in self.tracks if track.t == self._t or not track.sighting.near_body]
        plain = [track for track in lately if track.t == self._t and _is_plain(track.sighting)]
        ends, chosen = self._ends(sightings), dict[int, Track]()
        for tracks, off in ((lately, _off), (plain, _moved), (self.tracks, _off)):
            left = self._unmatched(tracks, chosen)
            free = [(index, sighting) for index, sighting in enumerate(sightings) if index not in chosen]
            pairs = [(off(track, s, t), track.number, index, track) for track in left for index, s in free]
            chosen |= _nearest_first([pair for pair in pairs if pair[0] <= self._gate(t, pair[3])], ends)
        return chosen | self._match_flying(t, sightings, chosen)

    def _unmatched(self, tracks: Sequence[Track], chosen: Mapping[int, Track]) -> list[Track]:
        """Those of the tracks that have no sighting yet."""
        known = {track.number for track in chosen.values()}
        return [track for track in tracks if track.number not in known]

    def _is_side(self, thing: Sighting, sightings: Sequence[Sighting]) -> bool:
        """Whether a thing may be but a side of a die that is seen too."""
        return thing.heat < FLYING_HEAT and self._has_die(SIDE, thing, sightings)

    def _is_seen_twice(self, new: Sighting, sightings: Sequence[Sighting], elder: Sequence[Sighting]) -> bool:
        """Whether what was not there a moment ago may be a die again that is seen too, though an `elder` one, which was
        there, may look less like it: such a thing is matched last, but may be a die over another."""
        beside = (die for die in elder if die.heat >= FLYING_HEAT)
        again = self._has_die(TWICE, new, sightings) or any(_apart(new, die) < TWICE * self._die_px for die in beside)
        return again and not new.still

    def _has_die(self, faces: float, thing: Sighting, sightings: Sequence[Sighting]) -> bool:
        """Whether a die that looks no less like one is so near to a thing."""
        dice = (other for other in sightings if other.heat >= max(DIE_HEAT, thing.heat))
        return any(0 < _apart(thing, die) < faces * self._die_px for die in dice)

    def _ends(self, sightings: Sequence[Sighting]) -> set[int]:
        """Indices of sightings that may be but one end of a smeared die, or a side of it, seen beside it as a thing of
        its own."""
        faint = [i for i, thing in enumerate(sightings) if thing.heat < FLYING_HEAT and not thing.near_body]
        dice = [thing for thing in sightings if thing.heat >= FLYING_HEAT]
        smeared = {i for i in faint if any(_apart(sightings[i], die) < SMEARED * self._die_px for die in dice)}
        return smeared | {i for i, thing in enumerate(sightings) if self._is_side(thing, sightings)}

    def _gate(self, t: float, track: Track) -> float:
        """How far, px, a track may be found from where it is expected."""
        return min(WIDEST_GATE, GATE + GATE_PER_S * (t - track.t)) * self._die_px

    def _match_flying(self, t: float, sightings: Sequence[Sighting], chosen: dict[int, Track]) -> dict[int, Track]:
        """Dice too fast for the gates: what came into view far from every track, and what is missed elsewhere."""
        pairs = []
        for track in self._missed(chosen):
            for index, sighting in enumerate(sightings):
                distance = _apart(track.sighting, sighting)
                flies = _may_fly(track.sighting) and _may_fly(sighting)
                flies |= track.free is not None and not track.by_hand and _leaves(sighting)
                flies &= sighting.outside or not _has_left(track, t)
                if index not in chosen and self._reaches(track, sighting, t) and flies:
                    pairs.append((distance, track.number, index, track))
        found = _nearest_first(pairs)
        hit = self._match_hit(t, sightings, chosen | found, {index for _, _, index, _ in pairs})
        for index, track in found.items():
            track.doubtful = True  # where no other may be meant, it changes places with none that is seen
            contested = sum(index == seen or track is other for _, _, seen, other in pairs) > 1
            if contested or track.sighting.heat < DIE_HEAT:
                track.crossed = t
        return found | hit

    def _match_hit(
        self, t: float, sightings: Sequence[Sighting], chosen: Mapping[int, Track], others: Collection[int]
    ) -> dict[int, Track]:
        """The one die that lay here, was seen clear of hands a moment ago and is gone all at once, with the one thing
        that flies now and was nowhere before: nothing moves a die so fast but another that hits it, or a wall.

        `others`: indices of the sightings that any that flew before may be as well.
        """
        lay = [track for track in self._unmatched(self.tracks, chosen) if track.die is not None]
        gone = [track for track in lay if track.t == self._t and _is_plain(track.sighting)]
        new = [i for i, s in enumerate(sightings) if i not in chosen and (_is_plain(s) or _leaves(s))]
        if len(gone) != 1 or len(new) != 1 or new[0] in others:
            return {}
        sighting = sightings[new[0]]
        hit = self._reaches(gone[0], sighting, t) and not (sighting.still or sighting.uncovered)
        return {new[0]: gone[0]} if hit else {}

    def _reaches(self, track: Track, sighting: Sighting, t: float) -> bool:
        """Whether a die could have flown there since it was last seen."""
        return _apart(track.sighting, sighting) <= FLIGHT_PER_S * (t - track.t) * self._die_px

    def _missed(self, chosen: Mapping[int, Track]) -> list[Track]:
        """Tracks of things that have not come to rest as dice and are not seen now."""
        return [track for track in self._unmatched(self.tracks, chosen) if track.die is None]

    def _crossed(self, sightings: Sequence[Sighting], chosen: Mapping[int, Track]) -> set[int]:
        """Numbers of the tracks that may have gone on in each other's place, as no die passes through another."""
        steps = [(track, sightings[index], _apart(track.sighting, sightings[index])) for index, track in chosen.items()]
        crossed: set[int] = set()
        for (a, to_a, moved_a), (b, to_b, moved_b) in combinations(steps, 2):
            if max(moved_a, moved_b) <= MOVED * self._die_px:
                continue
            exchanged = _apart(a.sighting, to_b) + _apart(b.sighting, to_a)
            if exchanged - moved_a - moved_b < CROSSING * self._die_px:
                crossed |= {a.number, b.number}
        return crossed

    def _astray(self, t: float, sightings: Sequence[Sighting], chosen: Mapping[int, Track]) -> set[int]:
        """Numbers of the tracks that may have gone where a new thing is seen, or where one that is missed now may have
        come."""
        new = [sighting for index, sighting in enumerate(sightings) if index not in chosen]
        new = [sighting for sighting in new if not self._is_side(sighting, sightings)]
        missed = [track for track in self._missed(chosen) if not _is_finger(track.sighting)]
        astray: set[int] = set()
        for index, track in chosen.items():
            to = sightings[index]
            moved = _apart(track.sighting, to)
            other = moved > MOVED * self._die_px and any(_apart(track.sighting, s) <= self._gate(t, track) for s in new)
            came = moved > LEAP * self._die_px and any(self._reaches(m, to, t) for m in missed)
            leapt = min(moved, _off(track, to, t)) > self._gate(t, track) and not self._is_struck(
                track, sightings, chosen
            )
            if other or came or leapt:
                astray.add(track.number)
        return astray

    def _is_struck(self, die: Track, sightings: Sequence[Sighting], chosen: Mapping[int, Track]) -> bool:
        """Whether a die that lay here is gone so far because of another, which is seen beside where it was."""
        flying = [sightings[index] for index, track in chosen.items() if track.die is None]
        near = (thing for thing in flying if _apart(thing, die.sighting) < STRUCK * self._die_px)
        return die.die is not None and any(thing.heat >= FLYING_HEAT for thing in near)

    def _doubt(self, t: float, crossed: Collection[int], astray: Collection[int]) -> None:
        """Note which tracks may have become others, and which were plainly other dice then, and followed from a moment
        before: had they changed places, they would have crossed."""
        now = [track for track in self.tracks if track.t == t]
        plain = frozenset(track.number for track in now if _is_plain(track.sighting))
        for track in self.tracks:
            if track.number in crossed and not track.alike:
                track.doubtful, track.crossed = True, t
            strays = track.number in astray and not track.alike
            track.doubtful |= strays
            if strays or track.t < t:
                seen = (plain & self._like_dice) - {track.number}
                track.witnesses = seen if track.witnesses is None else track.witnesses & seen
                track.strayed = min(track.strayed, t)
        self._like_dice = frozenset(track.number for track in now if track.sighting.heat >= FLYING_HEAT)

    def _advance(self, track: Track, sighting: Sighting, t: float) -> None:
        dx, dy, dt = sighting.x - track.sighting.x, sighting.y - track.sighting.y, max(t - track.t, 1e-3)
        step = math.hypot(dx, dy) / self._die_px
        if step > STEP:
            held = sighting.held or track.sighting.held
            track.by_hand |= held
            if not held and _is_clear(track.sighting) and _is_clear(sighting):
                track.travel += step
                track.heat = max(track.heat, sighting.heat)
        still = sighting.still or step <= STEP
        track.speed = (0.0, 0.0) if still else (dx / dt, dy / dt)
        track.outward = (sighting.beyond - track.sighting.beyond) / dt
        track.sighting, track.t = sighting, t

    def _watch_tumbling(self, track: Track, t: float, picture: Past) -> None:
        """Compare the die's look with that of a moment ago, shifted and turned back."""
        if track.look is not None and (track.sighting.still or t - track.look_t < TUMBLE_S):
            return
        now = _cut(picture, track.sighting, self._die_px)
        if track.look is not None:
            step = math.hypot(track.sighting.x - track.look_at[0], track.sighting.y - track.look_at[1]) / self._die_px
            clear = track.look_clear and _is_clear(track.sighting)
            if TUMBLE_STEP < step <= TUMBLE_REACH and clear:
                track.steps += 1
                track.alike = _best_likeness(track.look, now) >= TUMBLED
                track.tumbles += not track.alike
                _look_back(track, t, now)
        track.look, track.look_t, track.look_at = now, t, (track.sighting.x, track.sighting.y)
        track.look_clear = _is_clear(track.sighting)


def _look_back(track: Track, t: float, now: Image) -> None:
    """Compare the look of a die that moves, if no hand is near it, with that of some time ago."""
    least, most = LONG_S
    track.looks = () if track.sighting.near_body else tuple(old for old in track.looks if t - old[0] <= most)
    then = next((look for at, look in reversed(track.looks) if t - at >= least), None)
    if then is not None:
        track.looked += 1
        track.turned += _best_likeness(then, now, LONG_TURNS) < TUMBLED
    if not track.sighting.near_body:
        track.looks = (*track.looks, (t, now))


def _off(track: Track, sighting: Sighting, t: float) -> float:
    """How far, px, a sighting is from where a track is expected."""
    dt = t - track.t
    x, y = track.sighting.x + track.speed[0] * dt, track.sighting.y + track.speed[1] * dt
    return math.hypot(sighting.x - x, sighting.y - y)


def _moved(track: Track, sighting: Sighting, _: float) -> float:
    """How far, px, a sighting is from where a track was seen last."""
    return _apart(track.sighting, sighting)


def _apart(a: Sighting, b: Sighting) -> float:
    """Distance of two sightings in px."""
    return math.hypot(a.x - b.x, a.y - b.y)


def _nearest_first(pairs: Sequence[tuple[float, int, int, Track]], ends: Collection[int] = ()) -> dict[int, Track]:
    """Of pairs of distance, track number, sighting's index and track: each track and each sighting once, last
    those that may be no dice: `ends` are indices of such sightings."""
    chosen: dict[int, Track] = {}
    taken: set[int] = set()
    for _, number, index, track in sorted(pairs, key=lambda pair: (pair[3].side, pair[2] in ends, *pair[:3])):
        if index not in chosen and number not in taken:
            chosen[index] = track
            taken.add(number)
    return chosen


def _may_fly(sighting: Sighting) -> bool:
    """Whether this may be a die in flight, and no finger of a hand that has just been there."""
    return sighting.heat >= FLYING_HEAT and not sighting.still and not sighting.uncovered


def _leaves(sighting: Sighting) -> bool:
    """Whether this may be a die that flies from the tray, however blurred: but for fingers nothing else does."""
    return sighting.outside and not (sighting.still or sighting.near_body or sighting.uncovered)


def _has_left(track: Track, t: float) -> bool:
    """Whether this flew out of the tray, and is far from it now."""
    return track.sighting.outside and track.sighting.beyond + track.outward * (t - track.t) >= LEFT


def _is_finger(sighting: Sighting) -> bool:
    """Whether this is a part of the hand it is seen beside, as it looks like no die even in flight."""
    return sighting.near_body and sighting.heat < FLYING_HEAT


def _is_plain(sighting: Sighting) -> bool:
    """Whether this is a die, if maybe one in flight: away from hands nothing else looks like one."""
    return sighting.heat >= FLYING_HEAT and not sighting.near_body


def _is_clear(sighting: Sighting) -> bool:
    """Whether this is surely a die and no finger, which looks a little like one."""
    return not sighting.near_body or sighting.heat >= DIE_HEAT


def _cut(picture: Past, sighting: Sighting, die_px: float) -> Image:
    """2.4 faces around a sighting, with faces of 16 px."""
    return cut(picture, sighting.x, sighting.y, 1.2 * die_px, round(2.4 * SCALE_PX))


def _best_likeness(before: Image, now: Image, turns: Sequence[float] = TURNS) -> float:
    """The best correlation of the middle of the face in `now` with `before` shifted by up to 0.64 faces and turned."""
    edge = now.shape[0]
    face, reach = slice(*_around(edge, INNER)), slice(*_around(edge, 1.0))
    middle = now[face, face]
    best = -1.0
    for turn in turns:
        warp = cv2.getRotationMatrix2D(((edge - 1) / 2, (edge - 1) / 2), turn, 1.0)
        turned = cv2.warpAffine(before, warp, (edge, edge), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        best = max(best, float(cv2.matchTemplate(turned[reach, reach], middle, cv2.TM_CCOEFF_NORMED).max()))
        if best >= TUMBLED:
            break
    return best


def _around(edge: int, faces: float) -> tuple[int, int]:
    """Start and end of so many faces on either side of the middle."""
    half = round(faces * SCALE_PX)
    return edge // 2 - half, edge // 2 + half
