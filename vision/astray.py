"""Where it cannot be sure which die a track follows: two may have changed places, or one gone on as another."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from vision.matching import LEAP, missed, unmatched
from vision.parts import SMEARED, is_side
from vision.resting import SET
from vision.track import FLIGHT_PER_S, FLYING_HEAT, MOVED, Sighting, Track
from vision.tumbling import look_alike

CROSSING = 0.5
"""Faces by which the ways of two dice must be shorter than if they had changed places."""
ON_WAY = 0.25
"""Faces from where a die is expected within which it rolls on, and has not been hit."""
STRUCK = 2.0
"""Faces from where a die lay within which the one that hit it is seen a moment later: chosen, 1.5 where it was met."""
BACK = 0.5
"""Faces by which one is back the way from which a die was hit that is not the one that was: chosen."""
TOUCHES = 1.2
"""Faces between the middles of two dice of which one passes the other and may touch it: chosen, between 1 (side to
side) and 1.4 (edge to edge)."""
RETURNS = 0.5
"""Share of its speed that a die has at most when it comes back from a wall or another die: chosen. One that lay gets no
more than the half of that and one from the one that hits it."""


@dataclass(frozen=True, slots=True)
class Steps:
    """What is seen at `t`, s, and which of the `tracks` go on in which of the sightings, before they do. A face has
    `die_px`."""

    tracks: Sequence[Track]
    sightings: Sequence[Sighting]
    chosen: Mapping[int, Track]
    t: float
    die_px: float

    def crossed(self) -> list[tuple[Track, Track]]:
        """Pairs of tracks that may have gone on in each other's place, as no die passes through another."""
        ways = ((track, self.sightings[index]) for index, track in self.chosen.items())
        steps = [(track, to, track.sighting.apart(to)) for track, to in ways]
        crossed = []
        for (a, to_a, moved_a), (b, to_b, moved_b) in combinations(steps, 2):
            if max(moved_a, moved_b) <= MOVED * self.die_px:
                continue
            exchanged = a.sighting.apart(to_b) + b.sighting.apart(to_a)
            shorter = exchanged - moved_a - moved_b < CROSSING * self.die_px
            if shorter or self._may_have_struck(a, to_a, b, to_b) or self._may_have_struck(b, to_b, a, to_a):
                crossed.append((a, b))
        return [*crossed, *self._gone_through()]

    def _gone_through(self) -> list[tuple[Track, Track]]:
        """Pairs of one that seems to have gone on through where a die lay, and that die, which is not seen: it may have
        been hit away, and be what is seen beyond."""
        before = max((track.t for track in self.tracks), default=self.t)
        unseen = (track for track in unmatched(self.tracks, self.chosen) if track.die is not None and track.t == before)
        lay = [track for track in unseen if track.sighting.plain and self._lay_there(track)]
        ways = [(track, self.sightings[index]) for index, track in self.chosen.items() if track.die is None]
        return [(by, die) for die in lay for by, to in ways if to.plain and self._touches(by, die.sighting, to)]

    def _lay_there(self, die: Track) -> bool:
        """Whether a die has not moved from where it lay still."""
        return die.lain is not None and die.lain[1].apart(die.sighting) <= MOVED * self.die_px

    def _touches(self, by: Track, lay: Sighting, to: Sighting) -> bool:
        """Whether the way to where one is seen now leads past where a die lay, and touches it."""
        came = by.sighting
        aside = abs((to.x - came.x) * (lay.y - came.y) - (to.y - came.y) * (lay.x - came.x))
        onwards = self._onwards(by, lay, to) > 0 and came.apart(lay) < came.apart(to)
        return onwards and aside < TOUCHES * self.die_px * came.apart(to)

    def see_all(self) -> bool:
        """Whether all dice of a game are surely seen that were seen a moment ago, too: what is missed is none then. One
        that lies beside the tray is none of them."""
        before = max((track.t for track in self.tracks), default=self.t)
        ways = ((track, self.sightings[i]) for i, track in self.chosen.items() if track.t == before and not track.side)
        dice = [to for track, to in ways if to.surely_die and track.sighting.clear and not (to.outside and to.still)]
        apart = all(one.apart(other) >= SMEARED * self.die_px for one, other in combinations(dice, 2))
        return apart and len(dice) >= SET

    def astray(self) -> set[int]:
        """Numbers of the tracks that may have gone where a new thing is seen, or where one that is missed now may have
        come, unless they roll on as they did."""
        new = self._new()
        gone = [track for track in missed(self.tracks, self.chosen) if not (track.side or track.sighting.finger)]
        astray: set[int] = set()
        for index, track in self.chosen.items():
            to = self.sightings[index]
            moved = track.sighting.apart(to)
            goes = moved > MOVED * self.die_px or bool(track.sighting.parts)
            other = goes and any(self._comes_from(track, s) for s in new)
            leaps = moved > LEAP * self.die_px and not self._rolls_on(track, to)
            came = leaps and any(m.reaches(to, self.t, self.die_px) for m in gone)
            if other or came or (self._leaps(track, to) and not self._is_struck(track)):
                astray.add(track.number)
        return astray

    def hit_away(self) -> set[int]:
        """Numbers of the tracks of dice that lay there, which may have been hit away, to where something new is seen or
        out of sight for a moment, while what hit them is seen in their place, however alike."""
        ways = ((track, self.sightings[index]) for index, track in self.chosen.items())
        hit = [(die, to) for die, to in ways if self._stirs(die, to)]
        return {die.number for die, to in hit if self._came_as_near(die, to) or self._may_be_new(die, to)}

    def told_apart(self) -> dict[int, frozenset[int]]:
        """For each die that was hit where it lay, the numbers of the tracks that are surely not that die now, though
        nobody saw them at the hit: what is hit goes on, and what comes back hit it."""
        hit = [(track, self.sightings[i]) for i, track in self.chosen.items() if track.die is not None and track.lain]
        return {die.number: frozenset(self._come_back(die, to)) for die, to in hit if die.lain and not to.still}

    def _come_back(self, die: Track, to: Sighting) -> list[int]:
        """Numbers of the tracks that are back now the way from which a die was hit that lay there a moment ago, and
        seems to go on `to` somewhere."""
        assert die.lain is not None
        (t, lay), by = die.lain, self._may_have_hit(die)
        thrown = [(track, self.sightings[index]) for index, track in self.chosen.items() if track.die is None]
        beside = any(track.t > t and track.sighting.apart(lay) < STRUCK * self.die_px for track, _ in thrown)
        if beside or not by or min(self._onwards(track, lay, to) for track in by) <= 0:
            return []
        way = (1 + RETURNS) / 2 * max(self._speed(track, t, lay) for track in by) * (self.t - t)
        back = [(track, thing) for track, thing in thrown if thing.plain and self._rebound(die, lay, thing) > way]
        return [track.number for track, thing in back if all(self._onwards(x, lay, thing) <= -BACK for x in by)]

    def _may_have_hit(self, die: Track) -> list[Track]:
        """Tracks of what may have hit a die that lay there a moment ago, and was not seen since: no fingers."""
        assert die.lain is not None
        t, lay = die.lain
        gone = (track for track in self.tracks if track.die is None and track.t <= t)
        thrown = (track for track in gone if not (track.side or track.sighting.finger))
        return [track for track in thrown if track.reaches(lay, min(self.t, die.strayed), self.die_px)]

    def _speed(self, by: Track, t: float, lay: Sighting) -> float:
        """Faces per second at which one comes at most that at `t`, s, had not yet hit a die which lay there."""
        if by.t < t:
            return min(FLIGHT_PER_S, max(0.0, by.sighting.apart(lay) / self.die_px - 1) / (t - by.t))
        return FLIGHT_PER_S if by.speed == (0.0, 0.0) else math.hypot(*by.speed) / self.die_px

    def _onwards(self, by: Track, lay: Sighting, thing: Sighting) -> float:
        """Faces by which a thing is farther on than where a die lay, the way that one came for it."""
        came = by.sighting
        way = max(came.apart(lay), 1e-6) * self.die_px
        return ((thing.x - lay.x) * (lay.x - came.x) + (thing.y - lay.y) * (lay.y - came.y)) / way

    def _rebound(self, die: Track, lay: Sighting, thing: Sighting) -> float:
        """Faces that a die which lay there would have gone, had it come to where a thing is from the wall, or from
        another that lies, and not been slower on the way back."""
        others = [other.sighting for other in self.tracks if other.die not in (None, die.die)]
        ways = [(place.apart(lay) / self.die_px - 1, place.apart(thing) / self.die_px - 1) for place in others]
        ways.append((-lay.beyond - 0.5, -thing.beyond - 0.5))
        return min(max(0.0, to) + max(0.0, back) / RETURNS for to, back in ways)

    def _new(self) -> list[Sighting]:
        """What no track leads to, and is no side of a die."""
        new = (sighting for index, sighting in enumerate(self.sightings) if index not in self.chosen)
        return [sighting for sighting in new if not is_side(sighting, self.sightings, self.die_px)]

    def _leaps(self, track: Track, to: Sighting) -> bool:
        """Whether it is seen farther off than gates reach: nothing but its flight says that it is the same."""
        return min(track.sighting.apart(to), track.off(to, self.t)) > track.gate(self.t, self.die_px)

    def _stirs(self, die: Track, to: Sighting) -> bool:
        """Whether what is seen as a die that lay there moves, and does not merely roll on."""
        return die.die is not None and not (to.still or self._rolls_on(die, to))

    def _rolls_on(self, track: Track, to: Sighting) -> bool:
        """Whether something that moved goes on as it did."""
        return track.speed != (0.0, 0.0) and track.off(to, self.t) <= ON_WAY * self.die_px

    def _came_as_near(self, die: Track, to: Sighting) -> bool:
        """Whether one that flew a moment ago, and is missed now, was as near to where a die seems to have come."""
        near = die.sighting.apart(to) + CROSSING * self.die_px
        return any(gone.flew_lately and gone.sighting.apart(to) < near for gone in missed(self.tracks, self.chosen))

    def _may_be_new(self, die: Track, to: Sighting) -> bool:
        """Whether a die that seems to be where it came `to` may be something new instead: hit by one that may be
        anywhere now, or, where none of those can be there, by one that nobody saw come."""
        new = [thing for thing in self._new() if thing.may_fly and thing.plain]
        by = [track for track in self._unsure() if track is not die and track.reaches(to, self.t, self.die_px)]
        if not by:
            return any(die.reaches(thing, self.t, self.die_px) for thing in new)
        return any(self._hits_onwards(track, die, thing) for track in by for thing in new)

    def _unsure(self) -> list[Track]:
        """Tracks of what did not lie there, and may be anywhere now: missed, seen far off, or beside a hand before."""
        leaping = [track for index, track in self.chosen.items() if self._leaps(track, self.sightings[index])]
        unseen = missed(self.tracks, self.chosen)
        tracks = (track for track in self.tracks if track.die is None)
        return [track for track in tracks if track in leaping or track in unseen or track.sighting.near_body]

    def _may_have_struck(self, by: Track, by_to: Sighting, die: Track, to: Sighting) -> bool:
        """Whether `by`, which seems to leap, may have come to where the die seems to be, and hit it away to where `by`
        seems to be."""
        leaps = by_to.may_fly and by_to.plain and self._leaps(by, by_to)
        hits = leaps and self._stirs(die, to) and by.reaches(to, self.t, self.die_px)
        return hits and self._hits_onwards(by, die, by_to)

    def _hits_onwards(self, by: Track, die: Track, thing: Sighting) -> bool:
        """Whether what was followed as `by` can have hit a die where it was, and that one be this thing now: it goes on
        the way that it is hit, and both take no longer than flights do."""
        came, was = by.sighting, die.sighting
        onwards = (thing.x - was.x) * (was.x - came.x) + (thing.y - was.y) * (was.y - came.y) > 0
        ways = max(0.0, came.apart(was) - self.die_px) + was.apart(thing)
        return onwards and ways <= FLIGHT_PER_S * (self.t - by.t) * self.die_px

    def _comes_from(self, track: Track, new: Sighting) -> bool:
        """Whether this may be what was followed, or an end of it, which was another die then."""
        seen = ((track.sighting.x, track.sighting.y), *track.sighting.parts)
        return any(math.dist(place, (new.x, new.y)) <= track.gate(self.t, self.die_px) for place in seen)

    def _is_struck(self, die: Track) -> bool:
        """Whether a die that lay here is gone so far because of another, which is seen beside where it was."""
        if die.die is None:
            return False
        others = (self.sightings[index] for index, track in self.chosen.items() if track.die is None)
        reach = STRUCK * self.die_px
        return any(thing.heat >= FLYING_HEAT and thing.apart(die.sighting) < reach for thing in others)


def stayed_themselves(a: Track, b: Track) -> bool:
    """Whether two dice that may have changed places have not, by their looks."""
    return bool(a.alike and b.alike) and not look_alike(a, b)
