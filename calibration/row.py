"""The dice's edge by a row of them pushed together: their middles lie an edge apart, however rounded they are.

People say that they show one: dice that happen to lie in line are often not quite together. All that is wrong with a
row makes dice look larger: what lies between two of them, or one that is turned beside the next.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.pips import diagonals_of, turn
from calibration.shape import Points
from vision.lens import Lens

LEAST = 4
"""Dice of the shortest row: in a shorter one, each is worth too much."""
NEAR, ACROSS = 0.25, 0.25
"""Edges by which the middle of the next die may be farther or less far than an edge ahead, and lie aside: one that is
near but does not touch belongs to the row, which was not pushed together then."""
TURNED, TURNS = math.radians(8), math.radians(0.7)
"""By which a die may be turned beside the next, and the spread of what its pips tell of that."""
UNEQUAL_PX, WAYS_PX = 0.6, 0.15
"""Px by which the ways from die to die may differ: where one is longer, those two do not touch; and the spread of what
pips tell of them."""
PLACED_PX = 0.3
"""Px by which the ends of a row may be off together."""
GAP = 0.007
"""Share of the edge that dust, burrs, or gaps and turns too small to be seen leave between two dice: of 16 mm a tenth
of a millimetre, the most that simulated owners leave. How right all this is, `make eval-rows` tells."""
LEVER = 1.2
"""Share by which a row is longer whose dice are turned with a spread of a radian: they touch where their faces cease to
be flat, 0.4 edges or less from the middle, and most have two neighbours."""
UNLIKE = 1.25
"""So many times as far as 19 of 20 rows differ at most from what dice's looks tell: farther, one of both is wrong."""


@dataclass(frozen=True, slots=True)
class Row:
    """edge: of the dice, in the lens' unit. doubt: share by which it may be off. count: dice in the row."""

    edge: float
    doubt: float
    count: int


def edge_by_row(together: Sequence[Sequence[Points]], lens: Lens, edge: float) -> Row | None:
    """What the longest row tells among dice that lay `together`, of each the middles (n, 2) of its pips, px; `edge` is
    about theirs. None where there is no row."""
    rows = [row for dice in together if (row := _row(dice, lens, edge)) is not None]
    return max(rows, key=lambda row: (row.count, -row.edge), default=None)


def agreed(row: Row, edge: float, doubt: float) -> Row | None:
    """The row with the edge, and its doubt, that it tells together with one that is told otherwise, each by how sure it
    is; None where they contradict each other."""
    apart = abs(math.log(row.edge / edge))
    if apart > UNLIKE * math.hypot(row.doubt, doubt):
        return None
    sureness, other = row.doubt**-2, doubt**-2
    share = sureness / (sureness + other)
    both = math.exp(share * math.log(row.edge) + (1 - share) * math.log(edge))
    return Row(both, (sureness + other) ** -0.5 * max(1.0, apart / math.hypot(row.doubt, doubt)), row.count)


def _row(dice: Sequence[Points], lens: Lens, edge: float) -> Row | None:
    """The longest row that runs any way through any die; None where it is too short, or not pushed together."""
    if len(dice) < LEAST:
        return None
    poses = np.array([_lies(pips, lens, edge) for pips in dice])
    chains = [
        [*reversed(_chain(poses, here, way + math.pi, edge)), here, *_chain(poses, here, way, edge)]
        for here, turned in enumerate(poses[:, 2].tolist())
        for way in (turned, turned + math.pi / 2)
    ]
    longest = max(chains, key=len)
    if len(longest) < LEAST:
        return None
    ends = [dice[k].mean(0) for k in (longest[0], longest[-1])]
    return _measured(poses[longest], math.dist(*ends))


def _lies(pips: Points, lens: Lens, edge: float) -> tuple[float, float, float]:
    """The die's place on the floor, and its turn there, nan where one pip tells none."""
    there = lens.to_floor(pips, edge)
    x, y = there.mean(0).tolist()
    return x, y, turn(diagonals_of(there)) if len(there) > 1 else math.nan


def _chain(poses: Points, here: int, way: float, edge: float) -> list[int]:
    """The dice that lie one beside the other from this one on, going about this way, radians."""
    chain = [here]
    while True:
        ahead, aside = np.array([math.cos(way), math.sin(way)]), np.array([-math.sin(way), math.cos(way)])
        off = poses[:, :2] - poses[chain[-1], :2]
        turned = np.nan_to_num(_turned(poses[:, 2] - way))
        near = (np.abs(off @ ahead - edge) < NEAR * edge) & (np.abs(off @ aside) < ACROSS * edge)
        following = np.nonzero(near & (np.abs(turned) < TURNED))[0]
        if len(following) != 1:
            return chain[1:]
        chain.append(int(following[0]))
        way += float(turned[following[0]])


def _measured(poses: Points, ends_px: float) -> Row | None:
    """How long an edge is by the way from the first middle to the last, which is so many px long, square to the faces
    that touch; None where the ways from one to the next differ."""
    ahead = poses[-1, :2] - poses[0, :2]
    turns = poses[~np.isnan(poses[:, 2]), 2]
    about = _turned(turns - turns[0])
    about -= np.median(about)
    way = _towards(float(turns[0] - about[0]), ahead)
    along = np.array([math.cos(way), math.sin(way)])
    reach, links = float(ahead @ along), np.diff(poses[:, :2], axis=0) @ along
    edge, unit_px = reach / len(links), ends_px / reach
    uneven_px = np.abs(links - edge) * unit_px
    if uneven_px.max() > UNEQUAL_PX:
        return None
    gaps = _beyond(links.std(ddof=1) * unit_px, WAYS_PX) / (unit_px * edge)  # where they differ, they are as wide
    turned = LEVER * _beyond(math.sqrt(float((about**2).sum()) / max(1, len(about) - 1)), TURNS)
    return Row(edge, math.hypot(PLACED_PX / ends_px, GAP, gaps, turned), len(poses))


def _beyond(spread: float, told: float) -> float:
    """What is left of a spread without that of what was told."""
    return math.sqrt(max(0.0, spread**2 - told**2))


def _towards(turn: float, ahead: Points) -> float:
    """The one of four ways of a square that is turned so, radians, which goes most nearly ahead."""
    return turn + round((math.atan2(ahead[1], ahead[0]) - turn) / (math.pi / 2)) * math.pi / 2


def _turned(radians: Points) -> Points:
    """Turns of a square, within an eighth of the full one."""
    return np.asarray((radians + math.pi / 4) % (math.pi / 2) - math.pi / 4, np.float64)
