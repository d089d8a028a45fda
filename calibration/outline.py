"""The floor's outline in the empty tray's picture: the shape that its edges belong to, not those of rim and shadows."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.banded import is_banded
from calibration.faint import faint_floor, other_floor
from calibration.floor import Place, colours_of
from calibration.floor_edge import SAMPLES, edges_near
from calibration.rim import behind_shadows, find_solid
from calibration.rings import rings
from calibration.shadowed import goes_on, hides_a_side, is_floor_seen, is_rim_seen
from calibration.shape import KINDS, Kind, Points, View, along, distance
from calibration.solid import (
    NARROW,
    Edges,
    Solid,
    edges_around,
    floor_by,
    floor_support,
    other_ring,
    outside,
    own_support,
    refined,
    support,
)
from calibration.sunk import sunk_floor
from calibration.trace import (
    FITS,
    FITS_PX,
    LEAST_REACH,
    SOME_CONTRAST,
    FloatArray,
    Image,
    Outline,
    outlined,
    rough_shapes,
)

SURE_HUE = 0.93
"""Support from which an outline by hue is believed."""
ALIKE = 0.012
SOME_SIDES, ALL_SIDES = 0.3, 0.97
"""Two outlines so many half widths apart are alike there; alike along a share between these, a shadow parts them."""
VAGUE = 0.6
"""An outline that lies so much nearer on its edges than the one by hue is the right one."""
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
MOSTLY, ALL_ALONG = 0.5, 0.9
"""Shares of a sure outline that lie on the floor of a tray, or on any of its edges, if the tray is what it shows."""
PLAINER = 0.35
"""Share of the outline by which a mat's edge lies on more edges than the floor of a tray that it may pass for."""
ON_RIM_PX = 1.2
"""Px off the rim's inner edge, in the middle, of an outline that is that edge."""
SOME = 0.3
"""Share of an outline with sides that runs along a rim's inner edge, not along the floor, and as much that lies off
that edge, two sides about: .38 of one that ran along two walls like their floor, and .22 of a right one beside a tray
that a shadow along one side misled, numbers 3073 and 3124 of `outlines`, in a trial that no command repeats."""
OF_ITS_OWN = 0.1
"""Support of the floor of a whole tray with sides, by edges that are not the rim's, below which it is doubted: .01 of a
drawn one that was told by its rim's edge alone, .19 at least of right ones, in a trial that no command repeats."""
NEAR = 0.012
"""Half widths about the floor of a whole tray in which its edge is looked for to show it."""
INSIDE, STRAYS = 0.3, 0.1
"""Faces by which dice lie inside the floor, and the share that may not."""


def find_outline(
    empty: Image, places: Sequence[Place], die_px: float, kinds: tuple[Kind, ...] = KINDS, bare: bool = True
) -> Outline | None:
    """The outline of the floor on which dice lay at `places`, px, in a picture of it empty, BGR; None if nothing fits.

    A bare tray is looked for as a whole, with its rim. Where there is none to be seen, the floor's edges alone tell, as
    on a mat, which a tray with a rim is far from; but they are doubted if they may be a rim's own, if light and hue
    contradict each other, or if hue alone tells: a wall of the floor's hue looks so. Where light tells too little for a
    guess, hue may guess. `bare`: as for `grown_floor`.
    """
    size = (empty.shape[1], empty.shape[0])
    rough = [rough_shapes(empty, places, die_px, kinds, by_hue, bare) for by_hue in (False, True)]
    colours, hues = colours_of(empty, 0.7, False), colours_of(empty, 0.7, True)
    plain, shaded = outlined(rough[0], colours), outlined(rough[1], hues)
    flat = _told_apart(plain, shaded, size, bare)
    if not bare:
        return flat
    hue_alone = flat is plain and plain is not None and not plain.sure and shaded is not None and shaded.sure
    flat = shaded if hue_alone else flat
    floors = [(each.kind, each.view) for each in (plain, shaded) if each is not None]
    agreed = _agree(plain, shaded, size)
    found = _tray(colours, flat, [each[:2] for views in rough for each in views], floors, agreed)
    beside = None if hue_alone else flat
    whole = None if found is None else _whole(*found, beside, (plain, shaded), colours, hues, places, die_px)
    on_rim = flat is not None and found is not None and _on_rim(flat, found[0], colours)
    if agreed and flat is not None:
        alone = whole is None or _plainer(flat, whole, colours)
        return _lowest(replace(flat, doubted=on_rim), colours) if alone else whole
    sure = [each for each in (plain, shaded) if each is not None and each.sure]
    if whole is not None and found is not None and _borne_out(found[0], sure, size):
        return whole
    doubted = on_rim or len(sure) > 1 or hue_alone
    guess = next((each for each in (flat, shaded) if each is not None and each.likely), flat)
    return None if guess is None else _lowest(replace(guess, doubted=doubted), colours)


def _borne_out(solid: Solid, sure: Sequence[Outline], size: tuple[int, int]) -> bool:
    """Whether a sure outline, where there is any, lies mostly on the tray's floor, or all along edges of the tray."""
    lens, reach = solid.view.lens(size), ALIKE * solid.view.scale
    near = [np.abs(outside(solid, lens, outline.points)) < reach for outline in sure]
    return not near or any(each[0].mean() >= MOSTLY or each.any(0).mean() >= ALL_ALONG for each in near)


def _lowest(flat: Outline, colours: FloatArray) -> Outline:
    """The outline, or, doubted, the floor that lies below it if there is one: a mat with a seam along its edge looks as
    a tray does whose wall has about the floor's colour, so people are asked which it is. So they are where a band runs
    round inside the outline: a mat with a border looks as a tray does that is outlined by its rim; and where the floor
    goes on in the shade beyond a side of it, up to a line behind that if there is one."""
    if not flat.sure:
        return flat
    size = (colours.shape[1], colours.shape[0])
    edges = edges_around(flat.kind, flat.view, colours, size)
    below = None if edges is None else sunk_floor(flat.kind, flat.view, edges, size)
    if below is None and flat.kind != "round":
        below = faint_floor(flat.kind, flat.view, colours, size)
    if below is not None:
        return replace(flat, view=below, doubted=True)
    if goes_on(flat.kind, flat.view, colours, size):
        behind = behind_shadows(flat.kind, flat.view, colours, size)
        ends = next((each for each in behind if not goes_on(*each, colours, size)), (flat.kind, flat.view))
        return replace(flat, kind=ends[0], view=ends[1], doubted=True)
    return replace(flat, doubted=is_banded(flat.kind, flat.view, colours, size))


def _whole(
    solid: Solid,
    told: Points,
    flat: Outline | None,
    seen: Sequence[Outline | None],
    colours: FloatArray,
    hues: FloatArray,
    places: Sequence[Place],
    die_px: float,
) -> Outline | None:
    """The floor's outline by a whole tray with this support; None where it is not believed.

    `seen` are those by light and by hue alone. A shadow along a part of a round floor has an edge by light that draws
    the outline towards it. Where hue shows the floor's own edge elsewhere, all round, that is the floor, or it is
    doubted.
    """
    if not _is_believed(solid, told, flat, seen, colours, hues):
        return None
    whole = _with_rim(solid, told, colours, colours, places, die_px)
    if whole is None:
        return None
    if solid.kind != "round":
        return _with_sides(solid, whole, seen[1], colours, hues)
    moved = _by_hue(solid, colours, hues)
    if moved is None or (whole.sure and _off(solid, moved[0], colours) < ASIDE):
        return whole
    by_hue = _with_rim(*moved, hues, colours, places, die_px)
    if by_hue is not None and by_hue.sure and _is_believed(*moved, flat, seen, colours, hues):
        return by_hue
    return replace(whole, doubted=True)


def _with_sides(solid: Solid, whole: Outline, hue: Outline | None, colours: FloatArray, hues: FloatArray) -> Outline:
    """The outline by a whole tray with sides; doubted where another floor is seen below its rim, where that by hue
    contradicts it, or where its floor's own edge is hardly seen."""
    size = (colours.shape[1], colours.shape[0])
    other = other_floor(solid, colours, hues, size)
    if other is not None:
        return replace(whole, view=other, doubted=True)
    if hue is not None and _contradicts(hue, whole, size):
        return replace(whole, kind=hue.kind, view=hue.view, doubted=True)
    around = edges_around(solid.kind, solid.view, colours, size)
    return replace(whole, doubted=around is None or own_support(solid, around, size) < OF_ITS_OWN)


def _contradicts(hue: Outline, whole: Outline, size: tuple[int, int]) -> bool:
    """Whether an outline by hue, if it and that of a whole tray with sides are sure, lies inside or outside the latter
    along two sides: a shadow's edge was taken for the floor's there, or a shadow hid that. Outside along most, walls
    have the floor's hue."""
    off = distance(whole.kind, whole.view.ratio, whole.view.lens(size).to_floor(hue.points))
    aside = (off < -ASIDE).mean() >= TWO_SIDES or TWO_SIDES <= (off > ASIDE).mean() <= MOST_SIDES
    return bool(hue.sure and whole.sure and aside)


def _by_hue(solid: Solid, colours: FloatArray, hues: FloatArray) -> tuple[Solid, Points] | None:
    """The tray moved onto its floor's edge by hue and its rim's by light, and its support by light; None where hue does
    not show the floor all round."""
    size = (colours.shape[1], colours.shape[0])
    edges = _edges_by_both(solid, colours, hues)
    for _ in range(BY_HUE):
        floor = None if edges is None else floor_by(solid, edges[1], edges[0], AROUND * solid.view.scale, size)
        moved = None if floor is None else refined(solid, floor, size, NARROW)
        if moved is None:
            return None
        solid, edges = moved, _edges_by_both(moved, colours, hues)
    if edges is None or not is_floor_seen(solid, edges[1], size, LEAST_CIRCLE):
        return None
    return solid, support(solid, edges[0], size)


def _edges_by_both(solid: Solid, colours: FloatArray, hues: FloatArray) -> tuple[Edges, Edges] | None:
    """The edges around a tray by light and by hue; None where one shows none."""
    size = (colours.shape[1], colours.shape[0])
    light, hue = (edges_around(solid.kind, solid.view, each, size) for each in (colours, hues))
    return None if light is None or hue is None else (light, hue)


def _off(solid: Solid, other: Solid, colours: FloatArray) -> float:
    """How far the floor of another tray lies off this one's, half widths, where it does most."""
    size = (colours.shape[1], colours.shape[0])
    seen = other.view.lens(size).project(along(other.kind, other.view.ratio, SAMPLES))
    return float(np.abs(distance(solid.kind, solid.view.ratio, solid.view.lens(size).to_floor(seen))).max())


def _is_believed(
    solid: Solid,
    told: Points,
    flat: Outline | None,
    seen: Sequence[Outline | None],
    colours: FloatArray,
    hues: FloatArray,
) -> bool:
    """Whether a tray with this support is believed beside its floor's outline alone, as light and hue tell it, and
    those that are `seen` by either."""
    if solid.kind == "round":
        return _is_told_round(solid, told, colours, hues)
    return _is_told(told, flat) or _is_shadowed(solid, seen, colours)


def _is_told(told: Points, flat: Outline | None) -> bool:
    """Whether a tray with sides and this support is believed, by what its floor's outline alone is like."""
    least = LEAST_TRAY if flat is not None and flat.sure else LEAST_ALONE
    return bool((told >= (LEAST_FLOOR, LEAST_RIM, LEAST_RIM)).all() and told.sum() >= least)


def _is_told_round(solid: Solid, told: Points, colours: FloatArray, hues: FloatArray) -> bool:
    """Whether a round tray with this support is believed: its floor by edges of its own, and by the rest of the tray or
    by light and hue; or by hue all round, and by the rest."""
    size = (colours.shape[1], colours.shape[0])
    edges = edges_around(solid.kind, solid.view, colours, size)
    if edges is None:
        return False
    least, outer = (LEAST_ROUND, LEAST_FLOOR) if told[1] >= LEAST_INNER else (LEAST_ALONE, LEAST_RIM)
    plain, in_rim = told[1] >= LEAST_RIM and told[2] >= outer and told.sum() >= least, is_rim_seen(solid, edges, size)
    if told[0] >= LEAST_CIRCLE and own_support(solid, edges, size) >= LEAST_OWN:
        return bool(plain or (in_rim and _is_seen(solid, colours, hues)))
    return bool(plain and in_rim and _is_told_by_hue(solid, hues))


def _is_told_by_hue(solid: Solid, hues: FloatArray) -> bool:
    """Whether the edge of the tray's floor is seen all round by hue: by light a wall that is as light may hide it.

    The tray was found by light alone, so hue bears it out; and a shadow, beside which a floor may be taken for smaller
    or for aside, has no edge by hue.
    """
    size = (hues.shape[1], hues.shape[0])
    edges = edges_around(solid.kind, solid.view, hues, size)
    return edges is not None and is_floor_seen(solid, edges, size, LEAST_CIRCLE)


def _is_shadowed(solid: Solid, flat: Sequence[Outline | None], colours: FloatArray) -> bool:
    """Whether a sure outline, of these, is the floor of this tray but for one side, which a shadow hides."""
    size = (colours.shape[1], colours.shape[0])
    sure = [each.points for each in flat if each is not None and each.sure]
    edges = edges_around(solid.kind, solid.view, colours, size) if sure else None
    return edges is not None and any(hides_a_side(solid, points, edges, size) for points in sure)


def _is_seen(solid: Solid, colours: FloatArray, hues: FloatArray) -> bool:
    """Whether the edge of the tray's floor is seen by light or by hue nearly all along, not counting the rim's own."""
    size = (colours.shape[1], colours.shape[0])
    near = [edges_near(solid.kind, solid.view, by, size, _reach(solid)) for by in (colours, hues)]
    lens, on = solid.view.lens(size), np.zeros(SAMPLES, bool)
    for points, contrast in (each for each in near if each is not None):
        floor, inner, _ = np.abs(outside(solid, lens, points))
        on |= (floor < ON_FLOOR_PX) & (inner > ON_RIM_PX) & (contrast >= SOME_CONTRAST)
    return bool(on.mean() >= SEEN)


def _reach(solid: Solid) -> float:
    """Px about a whole tray's floor in which its edge is looked for."""
    return max(LEAST_REACH, NEAR * solid.view.scale)


def _on_rim(flat: Outline, solid: Solid, colours: FloatArray) -> bool:
    """Whether an outline runs along the inner edge of a tray's rim, and not along the floor below it: a round one does,
    or one with sides along some, where walls look like the floor. Along all of them it may be a mat's with an edge sewn
    on."""
    size = (colours.shape[1], colours.shape[0])
    seen = flat.view.lens(size).project(along(flat.kind, flat.view.ratio, SAMPLES))
    floor, inner, _ = np.abs(outside(solid, solid.view.lens(size), seen))
    if flat.kind == "round":
        return bool(np.median(inner) < min(float(np.median(floor)), ON_RIM_PX))
    apart = ALIKE * solid.view.scale
    on, off = (inner < ON_RIM_PX) & (floor > apart), inner > apart
    edges = edges_around(solid.kind, solid.view, colours, size) if min(on.mean(), off.mean()) >= SOME else None
    return edges is not None and is_rim_seen(solid, edges, size)


def _agree(plain: Outline | None, shaded: Outline | None, size: tuple[int, int]) -> bool:
    """Whether the outlines by light and by hue are sure, and the same nearly all along."""
    if plain is None or shaded is None or not (plain.sure and shaded.sure):
        return False
    apart = distance(plain.kind, plain.view.ratio, plain.view.lens(size).to_floor(shaded.points))
    return float((np.abs(apart) < ALIKE).mean()) >= ALL_SIDES


def _plainer(flat: Outline, whole: Outline, colours: FloatArray) -> bool:
    """Whether the floor's own outline lies on many more edges than the floor of a whole tray does, as a mat's does."""
    size = (colours.shape[1], colours.shape[0])
    edges = edges_around(flat.kind, flat.view, colours, size)
    return edges is not None and floor_support(flat.kind, flat.view, edges, size) > PLAINER + whole.support


def _told_apart(plain: Outline | None, shaded: Outline | None, size: tuple[int, int], bare: bool) -> Outline | None:
    """The better of the floor's outlines by light and by hue.

    A wall's shadow on the floor ends at an edge like the floor's own. Seen by its hue alone the shadow is the floor,
    but so is a wall of the same hue. Where the two outlines differ on some sides only, it was a shadow; else a wall.
    """
    if plain is None or shaded is None or shaded.support < SURE_HUE:
        return plain or shaded
    if bare and plain.support >= shaded.support and plain.off < VAGUE * shaded.off:
        return plain
    wider = distance(plain.kind, plain.view.ratio, plain.view.lens(size).to_floor(shaded.points))
    alike = float((np.abs(wider) < ALIKE).mean())
    return shaded if SOME_SIDES < alike < ALL_SIDES and float(wider.mean()) > 0 else plain


def _tray(
    colours: FloatArray,
    flat: Outline | None,
    rough: Sequence[tuple[Kind, View]],
    floors: Sequence[tuple[Kind, View]],
    agreed: bool,
) -> tuple[Solid, Points] | None:
    """The tray with its rim that the edges tell best, and its support: a round one where the floor is. agreed: whether
    `floors` are sure and alike."""
    size = (colours.shape[1], colours.shape[0])
    if flat is not None and flat.kind == "round":
        circles = [view for kind, view in rough if kind == "round"]
        circles += [replace(view, tilt=(0.0, 0.0)) for view in circles[:1]]  # what a shadow leaves looks aslant
        around = [(view, edges_around("round", view, colours, size)) for view in circles]
        seen = [rings(view, edges, size) for view, edges in around if edges is not None]
        likely = [each for each in floors if each[0] == "round"]
        below: list[tuple[Kind, View]] = [("round", ring) for rings_below, _ in seen for ring in rings_below]
        above: list[tuple[Kind, View]] = [("round", ring) for _, rings_above in seen for ring in rings_above]
        return find_solid(above, below, likely, colours, agreed)
    kinds = {kind for kind, _ in rough}
    angular = [each for each in rough if each[0] not in ({"round", "square"} if "rectangle" in kinds else {"round"})]
    return find_solid(angular, [], [each for each in floors if each[0] != "round"], colours, agreed)


def _with_rim(
    solid: Solid,
    told: Points,
    shown: FloatArray,
    colours: FloatArray,
    places: Sequence[Place],
    die_px: float,
) -> Outline | None:
    """The floor's outline by the whole tray, which has this support; None where the dice did not lie inside, or where
    the rim has an edge too many. `shown` are the colours by which the floor's edge is looked for."""
    size = (colours.shape[1], colours.shape[0])
    around = edges_around(solid.kind, solid.view, colours, size)
    if around is None or other_ring(solid, around, size) > OTHER_RING:
        return None
    lens = solid.view.lens(size)
    stood = lens.to_floor(np.array(places), die_px / solid.view.scale)  # tops of dice are seen farther out
    beyond = distance(solid.kind, solid.view.ratio, stood)
    edges = edges_near(solid.kind, solid.view, shown, size, _reach(solid))
    if edges is None or np.median(beyond) > 0 or (beyond > -INSIDE * die_px / solid.view.scale).mean() > STRAYS:
        return None
    points, contrast = edges
    offsets = solid.view.scale * distance(solid.kind, solid.view.ratio, lens.to_floor(points))
    hidden = np.abs(offsets) > max(FITS_PX, FITS * solid.view.scale)
    points[hidden] = lens.project(along(solid.kind, solid.view.ratio, SAMPLES))[hidden]
    offsets[hidden] = 0.0
    return Outline(solid.kind, solid.view, points, offsets, float(told[0]), float(np.median(contrast)), whole=True)
