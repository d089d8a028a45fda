"""Where it cannot be sure which die a track follows: two may have changed places, or one gone on as another."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from vision.matching import LEAP, missed
from vision.parts import is_side
from vision.track import FLYING_HEAT, MOVED, Sighting, Track
from vision.tumbling import look_alike

CROSSING = 0.5
"""Faces by which the ways of two dice must be shorter than if they had changed places."""
STRUCK = 2.0
"""Faces from where a die lay within which the one that hit it is seen a moment later: chosen, 1.5 where it was met."""


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
            if exchanged - moved_a - moved_b < CROSSING * self.die_px:
                crossed.append((a, b))
        return crossed

    def astray(self) -> set[int]:
        """Numbers of the tracks that may have gone where a new thing is seen, or where one that is missed now may have
        come."""
        new = [sighting for index, sighting in enumerate(self.sightings) if index not in self.chosen]
        new = [sighting for sighting in new if not is_side(sighting, self.sightings, self.die_px)]
        gone = [track for track in missed(self.tracks, self.chosen) if not track.sighting.finger]
        astray: set[int] = set()
        for index, track in self.chosen.items():
            to = self.sightings[index]
            moved = track.sighting.apart(to)
            goes = moved > MOVED * self.die_px or bool(track.sighting.parts)
            other = goes and any(self._comes_from(track, s) for s in new)
            came = moved > LEAP * self.die_px and any(m.reaches(to, self.t, self.die_px) for m in gone)
            leapt = min(moved, track.off(to, self.t)) > track.gate(self.t, self.die_px)
            if other or came or (leapt and not self._is_struck(track)):
                astray.add(track.number)
        return astray

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
