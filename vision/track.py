"""One thing followed from frame to frame: where it was seen, how far it moved, and whether it tumbled."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]

MOVED = 0.25
ROLLED = 0.25
"""Share of tumbling steps beside a hand from which the die was not merely moved by it."""
FEWEST_STEPS, FEWEST_LOOKS = 3, 2
ON_EDGE = 0.5
"""Faces that a die goes which turns over on its edge: chosen, half of what it does."""
FOLLOWED = 1.0
"""Faces that a die was followed in flight: chosen, an edge, which one that only rocks does not go."""
DIE_HEAT = 0.5
FLYING_HEAT = 0.38
"""A die blurred by its flight looks less like one."""
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
LEFT = 3.5
"""Faces beyond the floor's edge from which a die that flies out is not back over the floor a moment later: chosen, one
that comes back from the wall may be 1 face beyond it, and 2 or 3 a frame later had it flown on."""

Moment = tuple[float, int]
"""A time in s and the number of its frame."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A die-like thing in one frame: centre and face in px; `still` by `rest`, `near_body` next to a hand,
    `uncovered` where a hand was a moment ago, `held` where one touches it; so many faces `beyond` the floor's edge,
    negative over the floor; `parts`: the places, px, at which its ends were seen, where its flight smeared it; `bare`:
    the picture hardly differs there from that of the empty tray, or of what lay there as watching began; `lies`: a die
    lay still there a moment ago, and it looks as that did."""

    x: float
    y: float
    size: float
    heat: float
    still: bool
    near_body: bool
    uncovered: bool = False
    held: bool = False
    beyond: float = -1.0
    parts: tuple[tuple[float, float], ...] = ()
    bare: bool = False
    lies: bool = False

    @property
    def outside(self) -> bool:
        """Whether it is beyond the floor's edge."""
        return self.beyond > 0

    @property
    def clear(self) -> bool:
        """Whether this is surely a die and no finger, which looks a little like one, nor only what a hand that has just
        been there lets be seen of one."""
        return self.heat >= (DIE_HEAT if self.near_body else FLYING_HEAT if self.uncovered else 0.0)

    @property
    def may_fly(self) -> bool:
        """Whether this may be a die in flight, and no finger of a hand that has just been there."""
        return self.heat >= FLYING_HEAT and not self.still and not self.uncovered

    @property
    def leaves(self) -> bool:
        """Whether this may be a die that flies from the tray, however blurred: but for fingers nothing else does."""
        return self.outside and not (self.still or self.near_body or self.uncovered)

    @property
    def finger(self) -> bool:
        """Whether this is a part of the hand it is seen beside, as it looks like no die even in flight."""
        return self.near_body and self.heat < FLYING_HEAT

    @property
    def plain(self) -> bool:
        """Whether this is a die, if maybe one in flight: away from hands nothing else looks like one."""
        return self.heat >= FLYING_HEAT and not self.near_body

    @property
    def surely_die(self) -> bool:
        """Whether this is a die, if maybe one in flight, and no finger: away from hands, or for its looks."""
        return self.plain or self.heat >= BESIDE_HAND_HEAT

    def apart(self, other: "Sighting") -> float:
        """Distance to another in px."""
        return math.hypot(self.x - other.x, self.y - other.y)


@dataclass(slots=True)
class Track:
    """One thing followed. `die` is its number once it was reported at rest.

    first: its first sighting, at `first_t`. arrived: it was not there when watching began. free: time and frame at
    which a hand let it go, a moment before it was first seen over the floor and away from any hand, at `freed`, px, a
    place last seen `vacant` of it at that time, s; a hand that touches it again takes that back unless it is `let_go`:
    it lay still, or was clear of hands for a while. last_still: when and where, px, it last lay so, clear of hands;
    lain: when and as what it was last seen still at all. travel: faces moved away from any hand, `farthest` in one
    step; heat: the most it looked like a die meanwhile. steps, tumbles: like travel, counted where it was clearly a
    die. looked, turned: how often it was compared with its look of some time ago, away from hands, and how often it was
    unlike that. alike: whether it looked as a moment ago, turned and shifted, in its last step; None if not compared.
    frame: that in which it was last seen. outward: faces per second by which it went away from the floor in its last
    step. left: time and frame at which it went beyond the floor's edge, where it is yet. by_hand: it moved beside a
    hand. doubtful: another die was so near that it may have become that one. crossed: when it may last have changed
    places with another track. witnesses: numbers of the tracks that were surely other dice whenever, besides, it was
    not sure where it went, since `strayed`; None where that never was. told: since when, s, some of these are, which
    were not seen then. side: it may be but a side of another die, or that die seen twice, or was missed while all dice
    were seen, and is none. unseen: nobody knows how it came where it lies, located as one with another until now.
    blind: a hand may have thrown it while the view was lost. bare_since: since when, s, it has lain still where the
    floor looked so when it was empty; pattern: for so long that it is the floor's pattern, unless it is read: it stays
    where it is, seen or not.
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
    let_go: bool = False
    last_still: tuple[float, float, float] | None = None
    lain: tuple[float, Sighting] | None = None
    die: int | None = None
    doubtful: bool = False
    unseen: bool = False
    blind: bool = False
    crossed: float = -math.inf
    strayed: float = math.inf
    witnesses: frozenset[int] | None = None
    told: dict[int, float] = field(default_factory=dict)
    speed: tuple[float, float] = (0.0, 0.0)
    outward: float = 0.0
    left: Moment | None = None
    travel: float = 0.0
    farthest: float = 0.0
    heat: float = 0.0
    steps: int = 0
    tumbles: int = 0
    looked: int = 0
    turned: int = 0
    alike: bool | None = None
    frame: int = 0
    by_hand: bool = False
    side: bool = False
    bare_since: float = math.inf
    pattern: bool = False
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
    def came_flying(self) -> bool:
        """Whether a hand let it go and it flew on to where it is, plainly a die on its way."""
        return self.free is not None and self.travel >= FOLLOWED and self.heat >= DIE_HEAT and not self.side

    @property
    def stirred(self) -> bool:
        """Whether it was seen to move at all, or lay there before: one first seen when the view is back may have lain
        as long."""
        return self.die is not None or self.travel > 0 or self.steps > 0 or self.by_hand

    @property
    def rolled(self) -> bool:
        """Whether it tumbled more than a die may seem to that a hand only moves, or that comes to light where it lies
        under the fingers."""
        tumbled = self.steps >= FEWEST_STEPS and self.tumbles >= max(2, ROLLED * self.steps)
        return tumbled and (self.travel > 0 or self.sighting.apart(self.first) >= ON_EDGE * self.sighting.size)

    @property
    def tumble(self) -> float | None:
        """Share of its steps that tumbled, or in which it had turned over; None where too few were seen."""
        if self.steps < FEWEST_STEPS:
            return None
        return max(self.tumbles / self.steps, self.turned / self.looked if self.looked >= FEWEST_LOOKS else 0.0)

    @property
    def flew_lately(self) -> bool:
        """Whether it was thrown, and last seen in flight."""
        return self.die is None and self.sighting.may_fly and not self.sighting.near_body

    def gate(self, t: float, die_px: float) -> float:
        """How far, px, it may be found from where it is expected, where a face has `die_px`."""
        return min(WIDEST_GATE, GATE + GATE_PER_S * (t - self.t)) * die_px

    def reaches(self, sighting: Sighting, t: float, die_px: float) -> bool:
        """Whether it could have flown there since it was last seen, where a face has `die_px`."""
        return self.sighting.apart(sighting) <= FLIGHT_PER_S * (t - self.t) * die_px

    def off(self, sighting: Sighting, t: float) -> float:
        """How far, px, a sighting is from where it is expected."""
        dt = t - self.t
        x, y = self.sighting.x + self.speed[0] * dt, self.sighting.y + self.speed[1] * dt
        return math.hypot(sighting.x - x, sighting.y - y)

    def has_left(self, t: float) -> bool:
        """Whether it flew out of the tray, and is far from it now."""
        return self.sighting.outside and self.sighting.beyond + self.outward * (t - self.t) >= LEFT

    def surely(self, others: Iterable["Track"]) -> bool:
        """Whether it is still the die that it was, where these are all the other dice that moved: it changed places
        with none of them, and whenever it was not sure where it went they were seen elsewhere."""
        witnesses = frozenset() if self.witnesses is None else self.witnesses
        apart = all(other.number in witnesses and self._told_from(other) for other in others)
        return not self.doubtful or (apart and self.crossed == -math.inf)

    def _told_from(self, other: "Track") -> bool:
        """Whether another has been no other since it was seen elsewhere, or since it was told from this one."""
        return other.crossed < self.strayed or other.crossed <= self.told.get(other.number, -math.inf)

    def rest(self, die: int) -> None:
        """It lies still as die number `die`: what it does from now on is counted anew."""
        self.die, self.doubtful, self.by_hand, self.pattern = die, False, False, False
        self.unseen = self.blind = False
        self.crossed, self.strayed, self.witnesses, self.told = -math.inf, math.inf, None, {}
        self.travel, self.farthest, self.heat = 0.0, 0.0, 0.0
        self.steps, self.tumbles, self.looked, self.turned = 0, 0, 0, 0
        self.first, self.first_t, self.free, self.let_go = self.sighting, self.t, None, False
        self.look, self.looks, self.bare_since = None, (), math.inf
