"""The floor's outline in the empty tray's picture, to a fraction of a pixel: the shape that its edges belong to."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.banded import is_banded
from calibration.errors import CalibrationError
from calibration.fit import FINE_PX, ROUGH_PX, fit
from calibration.floor import Place, colours_of, grown_floor
from calibration.floor_edge import SAMPLES, edges_near
from calibration.rim import behind_shadows, find_solid
from calibration.rings import rings
from calibration.shadowed import goes_on, hides_a_side, is_rim_seen
from calibration.shape import KINDS, Kind, Points, View, along, corners, distance, evenly, try_lens
from calibration.solid import Solid, edges_around, floor_support, other_ring, outside, own_support
from calibration.sunk import sunk_floor

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]
Rough = tuple[Kind, View, float]
"""A shape, a view of it and how far it lies off what it was fitted to, px."""

REACHES = (0.055, 0.03, 0.02)
"""How far from the outline so far its edge is looked for, round by round, in half widths."""
LEAST_REACH = 4.0
AT_HAND = (0.0, 0.0, 0.0)
"""Where people point, edges within LEAST_REACH come first: plainer ones farther off, as a wall's upper edge, are not
what they meant."""
SOME_CONTRAST, QUARTERS = 2.5, 4
"""Levels from which there is an edge at all, where people point and in each of so many parts of an outline: floors
without one have .5 at most where people point, within REACHES 1.3, a faint one that people see 4."""
FITS_PX = 1.5
"""A place whose edge lies this near the shape supports it; or this many half widths."""
FITS = 0.008
SUPPORT = {"square": 0.93, "rectangle": 0.93, "octagon": 0.85, "hexagon": 0.85, "round": 0.85}
"""Least share of the outline on which an edge lies; four sides need more of it than eight."""
WHOLE_PRECISE = 0.0022
PRECISE = 0.0008
"""Half widths by which the edges lie off the shape in the middle; more, and it is another shape or a shadow."""
CONTRAST = 6.0
"""Levels of the weakest edge of a floor to believe in."""
SURE_HUE = 0.93
"""Support from which an outline by hue is believed."""
LIKELY = 0.6
"""Support from which an outline that is not sure is shown to people as a guess."""
ALIKE = 0.012
SOME_SIDES, ALL_SIDES = 0.3, 0.97
"""Two outlines so many half widths apart are alike there; alike along a share between these, a shadow parts them."""
SQUARE, MOST_SIDES = 0.03, 0.65
"""A rectangle whose sides differ by less is a square whose one side a shadow hides, if most of it lies on edges."""
VAGUE = 0.6
"""An outline that lies so much nearer on its edges than the one by hue is the right one."""
LEAST_FLOOR, LEAST_RIM, LEAST_TRAY, LEAST_ALONE = 0.25, 0.3, 1.6, 1.75
"""Support of floor, of each edge of the rim, and of all together from which a tray is believed, where its floor alone
is sure and where it is not or round: what a shadow leaves of a circle may look sure."""
LEAST_CIRCLE, LEAST_OWN, LEAST_INNER, LEAST_ROUND = 0.35, 0.3, 0.5, 1.5
"""Support of a round floor at least, and by edges that are not the rim's: drawn ones that were told 2 mm off had .3,
where a narrow shadow lay along a third of it, and .18 of its own, where its wall was hardly darker; right ones .45, in
a trial that no command repeats. And of a round rim's inner edge, the plainest of a tray, and of all together from
which that is enough, if the outer edge has as much as a floor: circles leave less to choose from."""
SEEN, ON_FLOOR_PX = 0.8, 1.0
"""Share of a round floor's edge on which, so near, one lies by light or by hue, from which it is believed in a rim
whose inner edge is seen all round: chosen."""
OTHER_RING = 0.4
"""Share of a ring between a rim's edges on which edges lie, from which one of those was taken for another."""
MOSTLY, ALL_ALONG = 0.5, 0.9
"""Shares of a sure outline that lie on the floor of a tray, or on any of its edges, if the tray is what it shows."""
PLAINER = 0.35
"""Share of the outline by which a mat's edge lies on more edges than the floor of a tray that it may pass for."""
ON_RIM_PX = 1.2
"""Px off the rim's inner edge, in the middle, of an outline that is that edge."""
NEAR = 0.012
"""Half widths about the floor of a whole tray in which its edge is looked for to show it."""
INSIDE, STRAYS = 0.3, 0.1
"""Faces by which dice lie inside the floor, and the share that may not."""
POINTED = 0.03
"""Half widths by which corners that somebody pointed at lie off their shape in the middle at most."""
LEAST_AREA, ON_FLOOR = 12.0, 0.8
"""Faces of dice of the smallest floor to believe in, and the share of the dice that lie on it."""
SIMPLER = 1.15
"""A shape with more to choose from must fit better by this factor."""
OTHER_HEIGHT, ON_OUTLINE_PX = 0.8, 0.4
"""Logarithm by which the camera may be higher or lower than the tray tells, and px by which the outline may lie farther
off its edges then."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The floor's outline: its shape, the camera's view of it, and how well that fits.

    points: edges found (n, 2), px. offsets: their distance from the shape, px. support: share of the outline along
    which an edge lies on it. contrast: median contrast of these edges, levels; weakest: that of the quarter of the
    outline on which it is least. whole: whether the rim tells it too; the support is that of edges of any strength
    then, weak ones less, and points where a shadow hides the floor's edge are the shape's own. doubted: whether the
    rim, or light and hue, tell another floor as surely; the shape may be that one then, and the rest what was seen of
    the first.
    """

    kind: Kind
    view: View
    points: Points
    offsets: Points
    support: float
    contrast: float
    whole: bool = False
    doubted: bool = False
    weakest: float = math.inf

    @property
    def off(self) -> float:
        """How far the edges found lie off the shape in the middle, px."""
        return float(np.median(np.abs(self.offsets)))

    def ends(self, size: tuple[int, int]) -> Points:
        """Its corners (n, 2) in pictures of this size, px."""
        return self.view.lens(size).project(corners(self.kind, self.view.ratio))

    @property
    def taken(self) -> bool:
        """Whether it is the corners that people gave as they are, as no edge lies along them."""
        return self.contrast == 0

    @property
    def sure(self) -> bool:
        """Whether edges lie all along the shape, and on it; or along the whole tray; and nothing tells another."""
        if self.doubted:
            return False
        if self.whole:
            return self.off <= WHOLE_PRECISE * self.view.scale
        plain = self.contrast >= CONTRAST and self.weakest >= SOME_CONTRAST
        precise = self.off <= max(PRECISE * self.view.scale, 0.12)
        return plain and precise and self.support >= SUPPORT[self.kind]

    @property
    def likely(self) -> bool:
        """Whether it may well be the floor, so that people can be asked."""
        return self.contrast >= CONTRAST and self.support >= LIKELY


def find_outline(
    empty: Image, places: Sequence[Place], die_px: float, kinds: tuple[Kind, ...] = KINDS, bare: bool = True
) -> Outline | None:
    """The outline of the floor on which dice lay at `places`, px, in a picture of it empty, BGR; None if nothing fits.

    A bare tray is looked for as a whole, with its rim. Where there is none to be seen, the floor's edges alone tell, as
    on a mat, which a tray with a rim is far from; but they are doubted if they may be a rim's own, if light and hue
    contradict each other, or if hue alone tells: a wall of the floor's hue looks so. `bare`: as for `grown_floor`.
    """
    size = (empty.shape[1], empty.shape[0])
    rough = [_rough(empty, places, die_px, kinds, by_hue, bare) for by_hue in (False, True)]
    colours, hues = colours_of(empty, 0.7, False), colours_of(empty, 0.7, True)
    plain, shaded = _outlined(rough[0], colours), _outlined(rough[1], hues)
    flat = _told_apart(plain, shaded, size, bare)
    if not bare:
        return flat
    hue_alone = flat is plain and plain is not None and not plain.sure and shaded is not None and shaded.sure
    flat = shaded if hue_alone else flat
    floors = [(each.kind, each.view) for each in (plain, shaded) if each is not None]
    agreed = _agree(plain, shaded, size)
    found = _tray(colours, flat, [each[:2] for views in rough for each in views], floors, agreed)
    beside = None if hue_alone else flat
    told = found is not None and _is_believed(*found, beside, (plain, shaded), colours, hues)
    whole = _with_rim(found[0], found[1], colours, places, die_px) if found is not None and told else None
    on_rim = flat is not None and found is not None and _on_rim(flat, found[0], size)
    if agreed and flat is not None:
        alone = whole is None or _plainer(flat, whole, colours)
        return _lowest(replace(flat, doubted=whole is None and on_rim), colours) if alone else whole
    sure = [each for each in (plain, shaded) if each is not None and each.sure]
    if whole is not None and found is not None and _borne_out(found[0], sure, size):
        return whole
    doubted = on_rim or len(sure) > 1 or hue_alone
    return None if flat is None else _lowest(replace(flat, doubted=doubted), colours)


def at_height(outline: Outline, away: float, size: tuple[int, int]) -> Outline | None:
    """The outline as a camera sees it whose lens is so far `away` from the floor's middle, half widths; None where the
    picture contradicts that."""
    now = np.array(outline.view.lens(size).translation)
    height = away * float(now[2] / np.linalg.norm(now))
    start = replace(outline.view, height=height)
    if abs(math.log(height / outline.view.height)) > OTHER_HEIGHT or try_lens(start, size) is None:
        return None
    view, offsets = fit(outline.kind, outline.points, size, start, huber_px=FINE_PX, free_height=False)
    held = replace(outline, view=view, offsets=offsets)
    return held if held.off < outline.off + ON_OUTLINE_PX else None


def _borne_out(solid: Solid, sure: Sequence[Outline], size: tuple[int, int]) -> bool:
    """Whether a sure outline, where there is any, lies mostly on the tray's floor, or all along edges of the tray."""
    lens, reach = solid.view.lens(size), ALIKE * solid.view.scale
    near = [np.abs(outside(solid, lens, outline.points)) < reach for outline in sure]
    return not near or any(each[0].mean() >= MOSTLY or each.any(0).mean() >= ALL_ALONG for each in near)


def _lowest(flat: Outline, colours: FloatArray) -> Outline:
    """The outline, or, doubted, the floor that lies below it if there is one: a mat with a seam along its edge looks as
    a tray does whose wall has the floor's colour, so people are asked which it is. So they are where a band runs round
    inside the outline: a mat with a border looks as a tray does that is outlined by its rim; and where the floor goes
    on in the shade beyond a side of it, up to a line behind that if there is one."""
    if not flat.sure:
        return flat
    size = (colours.shape[1], colours.shape[0])
    edges = edges_around(flat.kind, flat.view, colours, size)
    below = None if edges is None else sunk_floor(flat.kind, flat.view, edges, size)
    if below is not None:
        return replace(flat, view=below, doubted=True)
    if goes_on(flat.kind, flat.view, colours, size):
        behind = behind_shadows(flat.kind, flat.view, colours, size)
        ends = next((each for each in behind if not goes_on(*each, colours, size)), (flat.kind, flat.view))
        return replace(flat, kind=ends[0], view=ends[1], doubted=True)
    return replace(flat, doubted=is_banded(flat.kind, flat.view, colours, size))


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
    by light and hue."""
    size = (colours.shape[1], colours.shape[0])
    edges = edges_around(solid.kind, solid.view, colours, size)
    if edges is None or told[0] < LEAST_CIRCLE or own_support(solid, edges, size) < LEAST_OWN:
        return False
    least, outer = (LEAST_ROUND, LEAST_FLOOR) if told[1] >= LEAST_INNER else (LEAST_ALONE, LEAST_RIM)
    plain = told[1] >= LEAST_RIM and told[2] >= outer and told.sum() >= least
    return bool(plain or (is_rim_seen(solid, edges, size) and _is_seen(solid, colours, hues)))


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


def _on_rim(flat: Outline, solid: Solid, size: tuple[int, int]) -> bool:
    """Whether a round outline runs along the inner edge of a tray's rim, and not along the floor below it."""
    if flat.kind != "round":
        return False
    seen = flat.view.lens(size).project(along(flat.kind, flat.view.ratio, SAMPLES))
    floor, inner, _ = np.median(np.abs(outside(solid, solid.view.lens(size), seen)), axis=1)
    return bool(inner < min(floor, ON_RIM_PX))


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
    solid: Solid, told: Points, colours: FloatArray, places: Sequence[Place], die_px: float
) -> Outline | None:
    """The floor's outline by the whole tray, which has this support; None where the dice did not lie inside, or where
    the rim has an edge too many."""
    size = (colours.shape[1], colours.shape[0])
    around = edges_around(solid.kind, solid.view, colours, size)
    if around is None or other_ring(solid, around, size) > OTHER_RING:
        return None
    lens = solid.view.lens(size)
    stood = lens.to_floor(np.array(places), die_px / solid.view.scale)  # tops of dice are seen farther out
    beyond = distance(solid.kind, solid.view.ratio, stood)
    edges = edges_near(solid.kind, solid.view, colours, size, _reach(solid))
    if edges is None or np.median(beyond) > 0 or (beyond > -INSIDE * die_px / solid.view.scale).mean() > STRAYS:
        return None
    points, contrast = edges
    offsets = solid.view.scale * distance(solid.kind, solid.view.ratio, lens.to_floor(points))
    hidden = np.abs(offsets) > max(FITS_PX, FITS * solid.view.scale)
    points[hidden] = lens.project(along(solid.kind, solid.view.ratio, SAMPLES))[hidden]
    offsets[hidden] = 0.0
    return Outline(solid.kind, solid.view, points, offsets, float(told[0]), float(np.median(contrast)), whole=True)


def outline_pointed_at(
    empty: Image, places: Sequence[Place], die_px: float, given: Sequence[Place]
) -> tuple[Outline, Outline | None]:
    """The outline that somebody means who points at these corners, px, and the one that is plain elsewhere, if any.

    Where the plain one is what they mean, it is the outline, as it is found with more care. Where it is not, people may
    know better, as of a box whose wall looks just like its floor: theirs is taken, and they are asked. Raises
    CalibrationError as `outline_of_corners` does.
    """
    pointed, plain = outline_of_corners(empty, given), find_outline(empty, places, die_px)
    if plain is None or not plain.sure:
        return pointed, None
    size = (empty.shape[1], empty.shape[0])
    off = min(strays(plain, ends, size) for ends in (np.array(given, np.float64), pointed.ends(size)))
    return (plain, None) if off <= max(LEAST_REACH, POINTED * plain.view.scale) else (pointed, plain)


def strays(outline: Outline, pointed: Points, size: tuple[int, int]) -> float:
    """How far from places that were pointed at (n, 2) an outline's corners are at most, or a circle is, px."""
    if outline.kind == "round":
        on_floor = outline.view.lens(size).to_floor(pointed)
        return float(np.abs(distance("round", 1.0, on_floor)).max() * outline.view.scale)
    return float(np.linalg.norm(pointed[:, None] - outline.ends(size), axis=2).min(1).max())


def outline_of_corners(empty: Image, given: Sequence[Place]) -> Outline:
    """The shape through corners that somebody pointed at, px, moved onto the edges near them where there are any: not
    farther in all rounds together than an edge is looked for in the first.

    Four corners are those of a square or a rectangle, six of a hexagon, eight of an octagon; any other number of points
    lies round a circle. Their order does not matter. Raises CalibrationError where no camera sees a floor so.
    """
    size = (empty.shape[1], empty.shape[0])
    if any(not (-1 <= x <= size[0] and -1 <= y <= size[1]) for x, y in given):
        raise CalibrationError(f"--corners: they must lie in the picture of {size[0]}x{size[1]} px")
    kinds: dict[int, tuple[Kind, ...]] = {4: ("square", "rectangle"), 6: ("hexagon",), 8: ("octagon",)}
    hull = cv2.convexHull(np.array(given, np.float32)).reshape(-1, 2).astype(np.float64)
    if len(hull) < (len(given) if len(given) in kinds else 4):
        raise CalibrationError("--corners: one of them lies between or within the others: give each corner once")
    rough = [(kind, *_rough_fit(kind, hull, size)) for kind in kinds.get(len(given), ("round",))]
    kind, view, off = min(rough, key=lambda found: found[2])
    if off > POINTED * view.scale:
        raise CalibrationError(f"--corners: no camera sees a {kind} floor so: point at its corners again")
    colours = colours_of(empty, 0.7, False)
    for reaches in (AT_HAND, REACHES):
        refined = _outlined(rough, colours, reaches)
        if refined is None or refined.support <= SURE_HUE or refined.contrast < SOME_CONTRAST:
            continue
        if strays(refined, hull, size) <= math.sqrt(2) * max(LEAST_REACH, reaches[0] * view.scale):  # both its sides
            return refined
    if kind == "rectangle" and view.ratio > 1 - SQUARE:
        kind, view, _ = rough[0]
    points = evenly(hull, SAMPLES)
    _, offsets = fit(kind, points, size, view, free_lens=False)
    return Outline(kind, view, points, offsets, 1.0, 0.0)


def check_held(corners: Sequence[Place], places: Sequence[Place], die_px: float) -> None:
    """Raise CalibrationError where a floor with these corners, px, cannot be the one on which dice lay at `places`."""
    flat = cv2.convexHull(np.array(corners, np.float32))
    if cv2.contourArea(flat) < LEAST_AREA * die_px**2:
        raise CalibrationError(f"--corners: a floor so small holds no dice of {die_px:.0f} px")
    if np.mean([cv2.pointPolygonTest(flat, place, False) >= 0 for place in places]) < ON_FLOOR:
        raise CalibrationError("--corners: the dice came to rest outside of them: point at the floor's own corners")


def _rough(
    empty: Image, places: Sequence[Place], die_px: float, kinds: tuple[Kind, ...], shaded: bool, bare: bool
) -> list[Rough]:
    """The shapes that lie on the hull of what looks like the floor, with their distance from it, px, the best first."""
    region = grown_floor(empty, places, die_px, shaded, bare)
    if region is None:
        return []
    contours, _ = cv2.findContours(region.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(contours, key=cv2.contourArea)).reshape(-1, 2).astype(np.float64)
    if len(hull) < 4:
        return []
    rough = [(kind, *_rough_fit(kind, hull, (empty.shape[1], empty.shape[0]))) for kind in kinds]
    rough.sort(key=lambda found: found[2])
    return [each for each in rough if each[2] < 3 * rough[0][2] + 2]


def _outlined(rough: Sequence[Rough], colours: FloatArray, reaches: tuple[float, ...] = REACHES) -> Outline | None:
    """The shape that fits best to the floor's edges."""
    size = (colours.shape[1], colours.shape[0])
    found = [_refined(kind, view, colours, size, reaches) for kind, view, _ in rough]
    whole = {outline.kind: outline for outline in found if outline is not None}
    best = min(whole.values(), key=lambda outline: (outline.contrast < CONTRAST, _badness(outline)), default=None)
    square = whole.get("square")
    if best is not None and best.kind == "rectangle" and square is not None and square.support > MOST_SIDES:
        return square if best.view.ratio > 1 - SQUARE else best
    return best


def _badness(outline: Outline) -> float:
    """Low for a shape that lies on edges all round; simple shapes are preferred a little."""
    spread = outline.off + 0.15
    return spread * (SIMPLER if outline.kind == "rectangle" else 1.0) / max(outline.support, 0.01) ** 2


def _rough_fit(kind: Kind, hull: Points, size: tuple[int, int]) -> tuple[View, float]:
    """The view in which the shape lies on the hull, with its median distance from it, px.

    A shape is seen much alike from the other side: where a fit was led there, the way back is tried.
    """
    points = evenly(hull, SAMPLES)
    best: tuple[View, float] | None = None
    for start in _starts(kind, hull):
        view, offsets = fit(kind, points, size, start, free_lens=False)
        over = replace(view, tilt=(-view.tilt[0], -view.tilt[1]))
        for seen, beside in ((view, offsets), fit(kind, points, size, over, free_lens=False)):
            off = float(np.median(np.abs(beside)))
            if best is None or off < best[1]:
                best = seen, off
    assert best is not None
    return best


def _starts(kind: Kind, hull: Points) -> list[View]:
    """Views from straight above with the shape about where the hull is."""
    flat = hull.astype(np.float32)
    (x, y), (width, height), degrees = cv2.minAreaRect(flat)
    area = float(cv2.contourArea(flat))
    turn = np.radians(degrees)
    ratio = 1.0
    if kind == "rectangle":
        if height > width:
            width, height, turn = height, width, turn + np.pi / 2
        ratio = height / width
    own = float(cv2.contourArea(corners(kind, ratio).astype(np.float32)))
    turns = {"octagon": (0.0, np.pi / 8), "hexagon": (0.0, np.pi / 6)}.get(kind, (0.0,))
    scale = float(np.sqrt(area / own))
    return [View(scale, 5.5, -0.02, 0.0, (0.0, 0.0), float(turn + more), (x, y), ratio) for more in turns]


def _refined(
    kind: Kind, view: View, lab: FloatArray, size: tuple[int, int], reaches: tuple[float, ...]
) -> Outline | None:
    """The shape moved onto the picture's edges."""
    for round_, reach in enumerate(reaches):
        edges = edges_near(kind, view, lab, size, max(LEAST_REACH, reach * view.scale))
        if edges is None:
            return None
        points, contrast = edges
        huber = ROUGH_PX if round_ < len(reaches) - 1 else FINE_PX
        view, offsets = fit(kind, points, size, view, round_ > 0, huber)
    on = np.abs(offsets) < max(FITS_PX, FITS * view.scale)
    weakest = float(np.median(contrast.reshape(QUARTERS, -1), axis=1).min())
    return Outline(kind, view, points, offsets, float(on.mean()), float(np.median(contrast)), weakest=weakest)
