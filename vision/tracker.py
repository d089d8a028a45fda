"""Following dice from frame to frame: which sighting is which die, and where that cannot be sure."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations

from vision.rest import Past
from vision.track import DIE_HEAT, FLYING_HEAT, MOVED, Sighting, Track
from vision.tumbling import look_alike, watch_tumbling

BESIDE_HAND_HEAT = 0.6
"""What looks so much like a die is one, beside a hand, too: chosen, well above any finger (see `entry.ROLLS_HEAT`)."""
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
THROUGH = 1.0
"""Faces by which the ways of two dice are longer at least if one went through the other, which lay still and came
towards it, than if it was hit: chosen, 1.8 where it was met."""
ON_WAY = 0.25
"""Faces from where a die is expected within which one that its flight blurred for a moment went on as itself: chosen,
.2 where it was met."""


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
        self._blurred: dict[int, tuple[float, float, float, float, float]] = {}

    def step(self, t: float, picture: Past, sightings: Sequence[Sighting]) -> list[Track]:
        """Continue the tracks with the sightings in `picture`; the tracks of the things seen, each once."""
        for track in self.tracks:
            track.alike = None
        sightings, chosen = self._whole(sightings, self._match(t, sightings))
        chosen |= self._match_flying(t, sightings, chosen)
        sightings, chosen = self._whole(sightings, chosen, alone=True)
        crossed, astray = self._crossed(sightings, chosen), self._astray(t, sightings, chosen)
        result = [self._continued(chosen.get(index), sighting, t) for index, sighting in enumerate(sightings)]
        elder = [track.sighting for track in result if track.sighting is not track.first]
        for track in result:
            track.frame = picture.frame
            track.left = (track.left or (t, picture.frame)) if track.sighting.outside else None
            again = track.sighting is track.first and self._is_seen_twice(track.sighting, sightings, elder)
            track.side = again or self._is_side(track.sighting, sightings)
            watch_tumbling(track, t, picture, self._die_px)
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

    def recover(self, t: float, missed: Sighting, beside: Track) -> Track:
        """The track of a die that was located as one with another, that of `beside`: of those that ended near there
        the nearest, else of those that flew as they ended, or a new one, of which nobody knows how it came there. Which
        of both went on is not sure."""
        gone = [track for track in (*self.tracks, *self.lost) if track.t < t and not track.side]
        ended = [track for track in gone if _apart(track.sighting, missed) <= WIDEST_GATE * self._die_px]
        ended = ended or [track for track in gone if track.die is None and self._flew_to(track, missed, t)]
        if not ended:
            self._count += 1
            self.tracks.append(Track(self._count, missed, t, t, missed, arrived=False, unseen=True))
            return self.tracks[-1]
        track = min(ended, key=lambda track: _apart(track.sighting, missed))
        if track in self.lost:
            self.lost.remove(track)
            self.tracks.append(track)
        if track.die is not None or beside.die is not None:
            for each in (track, beside):
                each.doubtful, each.crossed = True, t
        track.sighting, track.t, track.speed = missed, t, (0.0, 0.0)
        return track

    def _flew_to(self, track: Track, missed: Sighting, t: float) -> bool:
        """Whether a die that ended in flight, free of any hand, may be what lies there."""
        return track.free is not None and not track.sighting.outside and self._reaches(track, missed, t)

    def recognise(self, track: Track, die: int) -> None:
        """This track is die number `die`, which lies still: what was followed as that one is something else."""
        for other in self.tracks:
            other.die = None if other.die == die else other.die
        track.rest(die)

    def forget_lost(self) -> None:
        """Start a new throw: what came to no rest before it, and is not seen now, no longer matters."""
        self.lost = []
        self.tracks = [track for track in self.tracks if track.die is not None or track.t == self._t]

    def forget(self) -> None:
        """Nothing can be followed any more: what is seen from now on has come from anywhere."""
        self.tracks, self.lost, self._like_dice, self._blurred = [], [], frozenset(), {}

    def _match(self, t: float, sightings: Sequence[Sighting]) -> dict[int, Track]:
        """Nearest pairs first, each within its gate; of a die and what may be its side, the die.

        First comes what was seen a moment ago, where it is expected, or where it was if it turned back at a wall or at
        another die, or looked little like one; then what was missed since; last what was beside a hand then, though it
        may have been thrown there.
        """
        lately = [track for track in self.tracks if track.t == self._t or not track.sighting.near_body]
        now = [track for track in lately if track.t == self._t]
        plain = [track for track in now if _is_plain(track.sighting)]
        faint = [track for track in now if not track.sighting.near_body]
        far, ends, chosen = WIDEST_GATE, self._ends(sightings), dict[int, Track]()
        seen_now = (now, _off, far), (plain, _moved, far), (faint, _moved, LEAP)
        for tracks, off, most in (*seen_now, (lately, _off, far), (self.tracks, _off, far)):
            left = self._unmatched(tracks, chosen)
            free = [(index, sighting) for index, sighting in enumerate(sightings) if index not in chosen]
            pairs = [(off(track, s, t), track.number, index, track) for track in left for index, s in free]
            near = [pair for pair in pairs if pair[0] <= min(self._gate(t, pair[3]), most * self._die_px)]
            chosen |= _nearest_first(near, ends)
        return self._not_through(sightings, self._not_to_end(t, sightings, chosen))

    def _not_to_end(self, t: float, sightings: Sequence[Sighting], chosen: dict[int, Track]) -> dict[int, Track]:
        """The same, but for what was thrown and seems to go where likely but an end of another die is seen, while what
        is seen where it may have turned back would have come from nowhere: it is the latter."""
        new = [i for i in self._new(sightings, chosen) if not self._is_known(t, sightings[i], sightings, chosen)]
        if len(new) != 1:
            return chosen
        back = [
            (index, track)
            for index, track in chosen.items()
            if self._flew_lately(track)
            and _moved(track, sightings[new[0]], t) <= self._gate(t, track)
            and self._is_end_of_another(index, sightings, chosen)
        ]
        if len(back) != 1:
            return chosen
        ((end, track),) = back
        return {**{index: other for index, other in chosen.items() if index != end}, new[0]: track}

    def _is_known(self, t: float, thing: Sighting, sightings: Sequence[Sighting], chosen: Mapping[int, Track]) -> bool:
        """Whether a thing to which no track leads may be an end of a die, or one that was missed, or that lay there."""
        missed = (track for track in self._unmatched(self.tracks, chosen) if not _is_finger(track.sighting))
        ends = any(self._is_end(thing, sightings[index]) for index in chosen)
        return ends or any(self._reaches(track, thing, t) for track in missed)

    def _flew_lately(self, track: Track) -> bool:
        """Whether this was thrown, and seen in flight a moment ago."""
        return track.die is None and track.t == self._t and _may_fly(track.sighting) and not track.sighting.near_body

    def _is_end_of_another(self, index: int, sightings: Sequence[Sighting], chosen: Mapping[int, Track]) -> bool:
        """Whether this sighting is likely but an end of a die to which another track leads, and which looks more like
        one."""
        thing = sightings[index]
        others = (sightings[other] for other in chosen if other != index)
        return any(self._is_end(thing, die) and die.heat > max(thing.heat, FLYING_HEAT) for die in others)

    def _new(self, sightings: Sequence[Sighting], chosen: Mapping[int, Track]) -> list[int]:
        """Indices of the sightings to which no track leads and which may be dice that fly, away from any hand."""
        new = [index for index in range(len(sightings)) if index not in chosen]
        return [index for index in new if _may_fly(sightings[index]) and not sightings[index].near_body]

    def _not_through(self, sightings: Sequence[Sighting], chosen: dict[int, Track]) -> dict[int, Track]:
        """The same, but for a die that seems to go on through one that lay still until now, which comes towards it: it
        stays behind, and the one that it hit goes on."""
        here = [index for index, track in chosen.items() if track.t == self._t and _is_plain(track.sighting)]
        for hit, by in permutations(here, 2):
            one, other = chosen[hit].sighting, chosen[by].sighting
            if not one.still or other.still or chosen[by].die is not None:
                continue
            straight = _apart(one, sightings[hit]) + _apart(other, sightings[by])
            turned = _apart(one, sightings[by]) + _apart(other, sightings[hit])
            if straight - turned > THROUGH * self._die_px:
                chosen |= {hit: chosen[by], by: chosen[hit]}
        return chosen

    def _whole(
        self, sightings: Sequence[Sighting], chosen: Mapping[int, Track], alone: bool = False
    ) -> tuple[list[Sighting], dict[int, Track]]:
        """The sightings, of which those that no track leads to are one with a die that one leads to, or with one
        `alone`, where they are likely another end of it, smeared by its flight; and which tracks lead to them.

        What moves away from hands came from somewhere: it was followed, or was one with what is seen beside it.
        """
        parts = {index: [sightings[index]] for index in chosen}
        whole = list(chosen)
        for index in sorted(set(range(len(sightings))) - set(chosen), key=lambda index: -sightings[index].heat):
            thing = sightings[index]
            near = [i for i in whole if self._is_end(thing, sightings[i])]
            if near:
                parts[min(near, key=lambda i: _apart(sightings[i], thing))].append(thing)
                continue
            parts[index] = [thing]
            whole += [index] if alone else []
        order = sorted(parts)
        return [_as_one(parts[i]) for i in order], {n: chosen[i] for n, i in enumerate(order) if i in chosen}

    def _is_end(self, thing: Sighting, die: Sighting) -> bool:
        """Whether both move, away from hands, and so near each other that they are likely ends of one die."""
        free = not any(part.still or part.near_body for part in (thing, die))
        return free and _apart(thing, die) < SMEARED * self._die_px

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

    def _crossed(self, sightings: Sequence[Sighting], chosen: Mapping[int, Track]) -> list[tuple[Track, Track]]:
        """Pairs of tracks that may have gone on in each other's place, as no die passes through another."""
        steps = [(track, sightings[index], _apart(track.sighting, sightings[index])) for index, track in chosen.items()]
        crossed = []
        for (a, to_a, moved_a), (b, to_b, moved_b) in combinations(steps, 2):
            if max(moved_a, moved_b) <= MOVED * self._die_px:
                continue
            exchanged = _apart(a.sighting, to_b) + _apart(b.sighting, to_a)
            if exchanged - moved_a - moved_b < CROSSING * self._die_px:
                crossed.append((a, b))
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
            goes = moved > MOVED * self._die_px or bool(track.sighting.parts)
            other = goes and any(self._comes_from(track, s, t) for s in new)
            came = moved > LEAP * self._die_px and any(self._reaches(m, to, t) for m in missed)
            leapt = min(moved, _off(track, to, t)) > self._gate(t, track)
            if other or came or (leapt and not self._is_struck(track, sightings, chosen)):
                astray.add(track.number)
        return astray

    def _comes_from(self, track: Track, new: Sighting, t: float) -> bool:
        """Whether this may be what was followed, or an end of it, which was another die then."""
        seen = ((track.sighting.x, track.sighting.y), *track.sighting.parts)
        return any(math.dist(place, (new.x, new.y)) <= self._gate(t, track) for place in seen)

    def _is_struck(self, die: Track, sightings: Sequence[Sighting], chosen: Mapping[int, Track]) -> bool:
        """Whether a die that lay here is gone so far because of another, which is seen beside where it was."""
        if die.die is None:
            return False
        others = (sightings[index] for index, track in chosen.items() if track.die is None)
        reach = STRUCK * self._die_px
        return any(thing.heat >= FLYING_HEAT and _apart(thing, die.sighting) < reach for thing in others)

    def _doubt(self, t: float, crossed: Sequence[tuple[Track, Track]], astray: Collection[int]) -> None:
        """Note which tracks may have become others, and which were plainly other dice then, and followed from a moment
        before: had they changed places, they would have crossed. Two that look as a moment ago, and unlike each other,
        have not."""
        exchanged = {track.number for pair in crossed if not _stayed_themselves(*pair) for track in pair}
        now = [track for track in self.tracks if track.t == t]
        plain = frozenset(track.number for track in now if _is_surely_die(track.sighting))
        known = plain & (self._like_dice | self._on_their_way(t, now))
        for track in self.tracks:
            if track.number in exchanged:
                track.doubtful, track.crossed = True, t
            strays = track.number in astray and not track.alike
            track.doubtful |= strays
            if strays or track.t < t:
                seen = known - {track.number}
                track.witnesses = seen if track.witnesses is None else track.witnesses & seen
                track.strayed = min(track.strayed, t)
        before = self._like_dice
        self._like_dice = frozenset(track.number for track in now if track.sighting.heat >= FLYING_HEAT)
        free = (track for track in now if track.number in before - self._like_dice and not track.sighting.near_body)
        self._blurred = {track.number: (t, track.sighting.x, track.sighting.y, *track.speed) for track in free}

    def _on_their_way(self, t: float, now: Sequence[Track]) -> frozenset[int]:
        """Numbers of the tracks that looked little like dice for a moment, but did before, and went straight on."""
        on_way = set()
        for track in now:
            then, x, y, dx, dy = self._blurred.get(track.number, (t, math.inf, math.inf, 0.0, 0.0))
            expected = x + dx * (t - then), y + dy * (t - then)
            if math.dist(expected, (track.sighting.x, track.sighting.y)) <= ON_WAY * self._die_px:
                on_way.add(track.number)
        return frozenset(on_way)

    def _advance(self, track: Track, sighting: Sighting, t: float) -> None:
        dx, dy, dt = sighting.x - track.sighting.x, sighting.y - track.sighting.y, max(t - track.t, 1e-3)
        step = math.hypot(dx, dy) / self._die_px
        if step > STEP:
            held = sighting.held or track.sighting.held
            track.by_hand |= held
            if not held and track.sighting.clear and sighting.clear:
                track.travel += step
                track.heat = max(track.heat, sighting.heat)
        still = sighting.still or step <= STEP
        track.speed = (0.0, 0.0) if still else (dx / dt, dy / dt)
        track.outward = (sighting.beyond - track.sighting.beyond) / dt
        track.sighting, track.t = sighting, t


def _as_one(parts: Sequence[Sighting]) -> Sighting:
    """A die seen in parts: about their middle, and for the rest the plainest of them."""
    if len(parts) == 1:
        return parts[0]
    heat = sum(part.heat for part in parts)
    x, y, beyond = (sum(getattr(p, name) * p.heat for p in parts) / heat for name in ("x", "y", "beyond"))
    places = tuple((part.x, part.y) for part in parts)
    return replace(max(parts, key=lambda part: part.heat), x=x, y=y, beyond=beyond, parts=places)


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


def _stayed_themselves(a: Track, b: Track) -> bool:
    """Whether two dice that may have changed places have not, by their looks."""
    return bool(a.alike and b.alike) and not look_alike(a, b)


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


def _is_surely_die(sighting: Sighting) -> bool:
    """Whether this is a die, if maybe one in flight, and no finger: away from hands, or for its looks."""
    return _is_plain(sighting) or sighting.heat >= BESIDE_HAND_HEAT
