"""One step of all tracks: what is seen now, and in which of it they go on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from vision.matching import missed
from vision.parts import SMEARED, is_side
from vision.resting import SET
from vision.track import FLYING_HEAT, Sighting, Track

CROSSING = 0.5
"""Faces by which the ways of two dice must be shorter than if they had changed places."""
ON_WAY = 0.25
"""Faces from where a die is expected within which it rolls on, and has not been hit."""


@dataclass(frozen=True, slots=True)
class Steps:
    """What is seen at `t`, s, and which of the `tracks` go on in which of the sightings, before they do. A face has
    `die_px`."""

    tracks: Sequence[Track]
    sightings: Sequence[Sighting]
    chosen: Mapping[int, Track]
    t: float
    die_px: float

    @property
    def ways(self) -> list[tuple[Track, Sighting]]:
        """The tracks that go on, and in what."""
        return [(track, self.sightings[index]) for index, track in self.chosen.items()]

    @property
    def missed(self) -> list[Track]:
        """The tracks of things that have not come to rest as dice and are not seen now."""
        return missed(self.tracks, self.chosen)

    @property
    def before(self) -> float:
        """When something was seen last, s."""
        return max((track.t for track in self.tracks), default=self.t)

    @property
    def new(self) -> list[Sighting]:
        """What no track leads to, and is no side of a die."""
        new = (sighting for index, sighting in enumerate(self.sightings) if index not in self.chosen)
        return [sighting for sighting in new if not is_side(sighting, self.sightings, self.die_px)]

    def see_all(self) -> bool:
        """Whether all dice of a game are surely seen that were seen a moment ago, too: what is missed is none then. One
        that lies beside the tray is none of them."""
        before = self.before
        ways = ((track, to) for track, to in self.ways if track.t == before and not track.side)
        like = ((track.sighting, to) for track, to in ways if not (to.outside and to.still))
        dice = [to for was, to in like if to.surely_die and (was.heat >= FLYING_HEAT or was.clear)]
        apart = all(one.apart(other) >= SMEARED * self.die_px for one, other in combinations(dice, 2))
        return apart and len(dice) >= SET

    def leaps(self, track: Track, to: Sighting) -> bool:
        """Whether it is seen farther off than gates reach: nothing but its flight says that it is the same."""
        return min(track.sighting.apart(to), track.off(to, self.t)) > track.gate(self.t, self.die_px)

    def rolls_on(self, track: Track, to: Sighting) -> bool:
        """Whether something that moved goes on as it did."""
        return track.speed != (0.0, 0.0) and track.off(to, self.t) <= ON_WAY * self.die_px
