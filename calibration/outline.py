"""The floor's outline in the empty tray's picture: the shape that its edges belong to, not those of rim and shadows."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.banded import is_banded
from calibration.faint import faint_floor
from calibration.floor import Place, colours_of
from calibration.floor_edge import SAMPLES
from calibration.rim import behind_shadows, find_solid
from calibration.rings import rings
from calibration.shadowed import goes_on, is_rim_seen
from calibration.shape import KINDS, Kind, Points, View, along, distance
from calibration.solid import Solid, edges_around, floor_support, outside
from calibration.sunk import sunk_floor
from calibration.trace import FloatArray, Image, Outline, outlined, rough_shapes
from calibration.whole import ON_RIM_PX, Pictured, whole_outline

SURE_HUE = 0.93
"""Support from which an outline by hue is believed."""
ALIKE = 0.012
SOME_SIDES, ALL_SIDES = 0.3, 0.97
"""Two outlines so many half widths apart are alike there; alike along a share between these, a shadow parts them."""
VAGUE = 0.6
"""An outline that lies so much nearer on its edges than the one by hue is the right one."""
MOSTLY, ALL_ALONG = 0.5, 0.9
"""Shares of a sure outline that lie on the floor of a tray, or on any of its edges, if the tray is what it shows."""
PLAINER = 0.35
"""Share of the outline by which a mat's edge lies on more edges than the floor of a tray that it may pass for."""
SOME = 0.3
"""Share of an outline with sides that runs along a rim's inner edge, not along the floor, and as much that lies off
that edge, two sides about: .38 of one that ran along two walls like their floor, and .22 of a right one beside a tray
that a shadow along one side misled, numbers 3073 and 3124 of `outlines`, in a trial that no command repeats."""


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
    seen = Pictured(colours, hues, plain, shaded, places, die_px)
    whole = None if found is None else whole_outline(*found, beside, seen)
    on_rim = flat is not None and found is not None and _on_rim(flat, found[0], colours)
    if agreed and flat is not None:
        alone = whole is None or _plainer(flat, whole, colours) or (not whole.precise and _alike(whole, flat, size))
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
    return plain is not None and shaded is not None and plain.sure and shaded.sure and _alike(plain, shaded, size)


def _alike(one: Outline, other: Outline, size: tuple[int, int]) -> bool:
    """Whether two outlines are the same nearly all along."""
    apart = distance(one.kind, one.view.ratio, one.view.lens(size).to_floor(other.points))
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
