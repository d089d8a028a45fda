"""The floor's outline by a whole tray: whether a tray that edges tell is believed, and where its floor lies."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.faint import other_floor
from calibration.floor import Place
from calibration.floor_edge import SAMPLES, edges_near
from calibration.shadowed import hides_a_side, is_floor_seen, is_rim_seen
from calibration.shape import Points, along, distance
from calibration.solid import (
    NARROW,
    Edges,
    Solid,
    edges_around,
    floor_by,
    other_ring,
    outside,
    own_support,
    refined,
    rim_edges,
    support,
)
from calibration.trace import FITS, FITS_PX, LEAST_REACH, SOME_CONTRAST, FloatArray, Outline

LEAST_FLOOR, LEAST_RIM, LEAST_TRAY, LEAST_ALONE = 0.25, 0.3, 1.6, 1.75
"""Support of floor, of each edge of the rim, and of all together from which a tray is believed, where its floor alone
is sure and where it is not or round: what a shadow leaves of a circle may look sure."""
LEAST_CIRCLE, LEAST_OWN, LEAST_INNER, LEAST_ROUND = 0.35, 0.3, 0.5, 1.5
"""Support of a round floor at least, and by edges that are not the rim's: drawn ones that were told 2 mm off had .3,
where a narrow shadow lay along a third of it, and .18 of its own, where its wall was hardly darker; right ones .45, in
a trial that no command repeats. By hue every quarter must have as much as a floor in all: of 319 circles tried about
drawn trays, 1.5 mm off and more, none was believed so that was not by light, in such a trial, too. And of a round rim's
inner edge, the plainest of a tray, and of all together from which that is enough, if the outer edge has as much as a
floor: circles leave less to choose from."""
SEEN, ON_FLOOR_PX = 0.8, 1.0
"""Share of a round floor's edge on which, so near, one lies by light or by hue, from which it is believed in a rim
whose inner edge is seen all round: chosen."""
BY_HUE, AROUND, ASIDE = 3, 0.025, 0.008
"""How often a round tray is moved onto its floor's edge by hue, half widths around the floor in which that is looked
for, and by which it lies elsewhere at least: of a tray 240 mm wide, 1 mm. By hue edges lie to .004 outside, as videos
smear colours."""
TWO_SIDES, MOST_SIDES = 0.4, 0.7
"""Shares of an outline by hue, ASIDE of the floor of a whole tray with sides, from which it lies so along two of them,
and along most: chosen, half is along two, and .3 along the longer side of a rectangle. Of some 180 drawn trays with
sides none that was outlined rightly had more than .26, in a trial that no command repeats; of 200 others one had,
number 6193 of `outlines`: two of its walls have the floor's hue, and it is asked about without need."""
OTHER_RING = 0.4
"""Share of a ring between a rim's edges on which edges lie, from which one of those was taken for another."""
ON_RIM_PX = 1.2
"""Px off the rim's inner edge, in the middle, of an outline that is that edge."""
OF_ITS_OWN = 0.37
"""Support of the floor of a whole tray with sides, by edges that are not the rim's, below which it is doubted: where
walls are seen edge-on the rim's edge may be taken for the floor's, and the tray leans to reach it. .29 and .34 of drawn
ones that were told 1.5 to 2.5 mm off so; .49 at least of 90 right ones, and .39 of one beside a plain shadow and of a
mat with an edge sewn on, in a trial that no command repeats."""
NEAR = 0.012
"""Half widths about the floor of a whole tray in which its edge is looked for to show it."""
INSIDE, STRAYS = 0.3, 0.1
"""Faces by which dice lie inside the floor, and the share that may not."""


@dataclass(frozen=True, slots=True, eq=False)
class Pictured:
    """The empty tray's picture, and what is told of its floor without a rim.

    colours, hues: by light (h, w, ...) and by hue. plain, shaded: the floor's outline by either alone. places: where
    dice lay on the floor, px, whose faces are `die_px` wide.
    """

    colours: FloatArray
    hues: FloatArray
    plain: Outline | None
    shaded: Outline | None
    places: Sequence[Place]
    die_px: float

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, px."""
        return self.colours.shape[1], self.colours.shape[0]

    def edges(self, solid: Solid, *, by_hue: bool = False) -> Edges | None:
        """The edges around a tray, by light or by hue."""
        return edges_around(solid.kind, solid.view, self.hues if by_hue else self.colours, self.size)


def whole_outline(solid: Solid, told: Points, flat: Outline | None, of: Pictured) -> Outline | None:
    """The floor's outline by a whole tray with this support, beside that of its floor alone; None where the tray is not
    believed.

    A shadow along a part of a round floor has an edge by light that draws the outline towards it. Where hue shows the
    floor's own edge elsewhere, all round, that is the floor, or it is doubted.
    """
    if not _is_believed(solid, told, flat, of):
        return None
    whole = _with_rim(solid, told, of.colours, of)
    if whole is None:
        return None
    if solid.kind != "round":
        return _with_sides(solid, whole, of)
    moved = _by_hue(solid, of)
    if moved is None or (whole.sure and _off(solid, moved[0], of.size) < ASIDE):
        return whole
    by_hue = _with_rim(*moved, of.hues, of)
    if by_hue is not None and by_hue.sure and _is_believed(*moved, flat, of):
        return by_hue
    return replace(whole, doubted=True)


def _with_sides(solid: Solid, whole: Outline, of: Pictured) -> Outline:
    """The outline by a whole tray with sides; doubted where another floor is seen below its rim, where that by hue
    contradicts it, or where its floor's own edge is hardly seen."""
    other = other_floor(solid, of.colours, of.hues, of.size)
    if other is not None:
        return replace(whole, view=other, rim=None, doubted=True)
    hue = of.shaded
    if hue is not None and contradicts(hue, whole, of.size):
        return replace(whole, kind=hue.kind, view=hue.view, rim=None, doubted=True)
    around = of.edges(solid)
    return replace(whole, doubted=around is None or own_support(solid, around, of.size) < OF_ITS_OWN)


def contradicts(hue: Outline, whole: Outline, size: tuple[int, int]) -> bool:
    """Whether an outline by hue, if it and that of a whole tray with sides are sure, lies inside or outside the latter
    along two sides: a shadow's edge was taken for the floor's there, or a shadow hid that. Outside along most, walls
    have the floor's hue."""
    off = distance(whole.kind, whole.view.ratio, whole.view.lens(size).to_floor(hue.points))
    aside = (off < -ASIDE).mean() >= TWO_SIDES or TWO_SIDES <= (off > ASIDE).mean() <= MOST_SIDES
    return bool(hue.sure and whole.sure and aside)


def _by_hue(solid: Solid, of: Pictured) -> tuple[Solid, Points] | None:
    """The tray moved onto its floor's edge by hue and its rim's by light, and its support by light; None where hue does
    not show the floor all round."""
    edges = _edges_by_both(solid, of)
    for _ in range(BY_HUE):
        floor = None if edges is None else floor_by(solid, edges[1], edges[0], AROUND * solid.view.scale, of.size)
        moved = None if floor is None else refined(solid, floor, of.size, NARROW)
        if moved is None:
            return None
        solid, edges = moved, _edges_by_both(moved, of)
    if edges is None or not is_floor_seen(solid, edges[1], of.size, LEAST_CIRCLE):
        return None
    return solid, support(solid, edges[0], of.size)


def _edges_by_both(solid: Solid, of: Pictured) -> tuple[Edges, Edges] | None:
    """The edges around a tray by light and by hue; None where one shows none."""
    light, hue = of.edges(solid), of.edges(solid, by_hue=True)
    return None if light is None or hue is None else (light, hue)


def _off(solid: Solid, other: Solid, size: tuple[int, int]) -> float:
    """How far the floor of another tray lies off this one's, half widths, where it does most."""
    seen = other.view.lens(size).project(along(other.kind, other.view.ratio, SAMPLES))
    return float(np.abs(distance(solid.kind, solid.view.ratio, solid.view.lens(size).to_floor(seen))).max())


def _is_believed(solid: Solid, told: Points, flat: Outline | None, of: Pictured) -> bool:
    """Whether a tray with this support is believed beside its floor's outline alone, as light and hue tell it."""
    if solid.kind == "round":
        return _is_told_round(solid, told, of)
    return _is_told(told, flat) or _is_shadowed(solid, of)


def _is_told(told: Points, flat: Outline | None) -> bool:
    """Whether a tray with sides and this support is believed, by what its floor's outline alone is like."""
    least = LEAST_TRAY if flat is not None and flat.sure else LEAST_ALONE
    return bool((told >= (LEAST_FLOOR, LEAST_RIM, LEAST_RIM)).all() and told.sum() >= least)


def _is_told_round(solid: Solid, told: Points, of: Pictured) -> bool:
    """Whether a round tray with this support is believed: its floor by edges of its own, and by the rest of the tray or
    by light and hue; or by hue all round, and by the rest."""
    edges = of.edges(solid)
    if edges is None:
        return False
    least, outer = (LEAST_ROUND, LEAST_FLOOR) if told[1] >= LEAST_INNER else (LEAST_ALONE, LEAST_RIM)
    plain = told[1] >= LEAST_RIM and told[2] >= outer and told.sum() >= least
    in_rim = is_rim_seen(solid, edges, of.size)
    if told[0] >= LEAST_CIRCLE and own_support(solid, edges, of.size) >= LEAST_OWN:
        return bool(plain or (in_rim and _is_seen(solid, of)))
    return bool(plain and in_rim and is_told_by_hue(solid, of))


def is_told_by_hue(solid: Solid, of: Pictured) -> bool:
    """Whether the edge of the tray's floor is seen all round by hue: by light a wall that is as light may hide it.

    The tray was found by light alone, so hue bears it out; and a shadow, beside which a floor may be taken for smaller
    or for aside, has no edge by hue.
    """
    edges = of.edges(solid, by_hue=True)
    return edges is not None and is_floor_seen(solid, edges, of.size, LEAST_CIRCLE)


def _is_shadowed(solid: Solid, of: Pictured) -> bool:
    """Whether a sure outline by light or by hue alone is the floor of this tray but for one side, which a shadow
    hides."""
    sure = [each.points for each in (of.plain, of.shaded) if each is not None and each.sure]
    edges = of.edges(solid) if sure else None
    return edges is not None and any(hides_a_side(solid, points, edges, of.size) for points in sure)


def _is_seen(solid: Solid, of: Pictured) -> bool:
    """Whether the edge of the tray's floor is seen by light or by hue nearly all along, not counting the rim's own."""
    near = [edges_near(solid.kind, solid.view, by, of.size, _reach(solid)) for by in (of.colours, of.hues)]
    lens, on = solid.view.lens(of.size), np.zeros(SAMPLES, bool)
    for points, contrast in (each for each in near if each is not None):
        floor, inner, _ = np.abs(outside(solid, lens, points))
        on |= (floor < ON_FLOOR_PX) & (inner > ON_RIM_PX) & (contrast >= SOME_CONTRAST)
    return bool(on.mean() >= SEEN)


def _reach(solid: Solid) -> float:
    """Px about a whole tray's floor in which its edge is looked for."""
    return max(LEAST_REACH, NEAR * solid.view.scale)


def _with_rim(solid: Solid, told: Points, shown: FloatArray, of: Pictured) -> Outline | None:
    """The floor's outline by the whole tray, which has this support; None where the dice did not lie inside, or where
    the rim has an edge too many. `shown` are the colours by which the floor's edge is looked for."""
    around = of.edges(solid)
    if around is None or other_ring(solid, around, of.size) > OTHER_RING:
        return None
    lens = solid.view.lens(of.size)
    stood = lens.to_floor(np.array(of.places), of.die_px / solid.view.scale)  # tops of dice are seen farther out
    beyond = distance(solid.kind, solid.view.ratio, stood)
    edges = edges_near(solid.kind, solid.view, shown, of.size, _reach(solid))
    if edges is None or np.median(beyond) > 0 or (beyond > -INSIDE * of.die_px / solid.view.scale).mean() > STRAYS:
        return None
    points, contrast = edges
    offsets = solid.view.scale * distance(solid.kind, solid.view.ratio, lens.to_floor(points))
    hidden = np.abs(offsets) > max(FITS_PX, FITS * solid.view.scale)
    points[hidden] = lens.project(along(solid.kind, solid.view.ratio, SAMPLES))[hidden]
    offsets[hidden] = 0.0
    rim = rim_edges(solid, of.size)
    return Outline(
        solid.kind, solid.view, points, offsets, float(told[0]), float(np.median(contrast)), whole=True, rim=rim
    )
