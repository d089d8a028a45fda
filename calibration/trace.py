"""A shape moved onto the edges of a picture, to a fraction of a pixel, and how well it lies on them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.fit import FINE_PX, ROUGH_PX, fit
from calibration.floor import Place, grown_floor
from calibration.floor_edge import SAMPLES, edges_near
from calibration.shape import Kind, Points, View, corners, evenly, try_lens

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]
Rough = tuple[Kind, View, float]
"""A shape, a view of it and how far it lies off what it was fitted to, px."""

REACHES = (0.055, 0.03, 0.02)
"""How far from the outline so far its edge is looked for, round by round, in half widths."""
LEAST_REACH = 4.0
SOME_CONTRAST, QUARTERS = 2.5, 4
"""Levels from which there is an edge at all, where people point and in each of so many parts of an outline: floors
without one have .5 at most where people point, within REACHES 1.3, a faint one that people see 4."""
FITS_PX = 1.5
"""A place whose edge lies this near the shape supports it; or this many half widths."""
FITS = 0.008
SUPPORT = {"square": 0.93, "rectangle": 0.93, "octagon": 0.85, "hexagon": 0.85, "round": 0.85}
"""Least share of the outline on which an edge lies; four sides need more of it than eight."""
PRECISE, WHOLE_PRECISE = 0.0008, 0.0014
"""Half widths by which the edges lie off the shape in the middle, and off the floor of a whole tray; more, and it is
another shape or a shadow: .0016 at least of drawn shallow trays that shadows along two walls misled by 3 to 5 mm, .0013
at most of 90 that were told rightly, in a trial that no command repeats."""
LEAST_PRECISE_PX = 0.12
"""Px by which edges may lie off a shape however small it is seen."""
CONTRAST = 6.0
"""Levels of the weakest edge of a floor to believe in."""
LIKELY = 0.6
"""Support from which an outline that is not sure is shown to people as a guess; a whole tray's always is."""
SQUARE, MOST_SIDES = 0.03, 0.65
"""A rectangle whose sides differ by less is a square whose one side a shadow hides, if most of it lies on edges."""
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
    rim: tuple[Points, Points] | None = None

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
    def precise(self) -> bool:
        """Whether the edges found lie on the shape."""
        return self.off <= max((WHOLE_PRECISE if self.whole else PRECISE) * self.view.scale, LEAST_PRECISE_PX)

    @property
    def sure(self) -> bool:
        """Whether edges lie all along the shape, and on it; or along the whole tray; and nothing tells another."""
        if self.doubted or not self.precise:
            return False
        plain = self.contrast >= CONTRAST and self.weakest >= SOME_CONTRAST
        return self.whole or (plain and self.support >= SUPPORT[self.kind])

    @property
    def likely(self) -> bool:
        """Whether it may well be the floor, so that people can be asked."""
        return self.contrast >= CONTRAST and (self.whole or self.support >= LIKELY)


def rough_shapes(
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
    rough = [(kind, *rough_fit(kind, hull, (empty.shape[1], empty.shape[0]))) for kind in kinds]
    rough.sort(key=lambda found: found[2])
    return [each for each in rough if each[2] < 3 * rough[0][2] + 2]


def outlined(rough: Sequence[Rough], colours: FloatArray, reaches: tuple[float, ...] = REACHES) -> Outline | None:
    """The shape that fits best to the floor's edges."""
    size = (colours.shape[1], colours.shape[0])
    found = [_refined(kind, view, colours, size, reaches) for kind, view, _ in rough]
    whole = {outline.kind: outline for outline in found if outline is not None}
    best = min(whole.values(), key=lambda outline: (outline.contrast < CONTRAST, _badness(outline)), default=None)
    square = whole.get("square")
    if best is not None and best.kind == "rectangle" and square is not None and square.support > MOST_SIDES:
        return square if best.view.ratio > 1 - SQUARE else best
    return best


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


def rough_fit(kind: Kind, hull: Points, size: tuple[int, int]) -> tuple[View, float]:
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


def _badness(outline: Outline) -> float:
    """Low for a shape that lies on edges all round; simple shapes are preferred a little."""
    spread = outline.off + 0.15
    return spread * (SIMPLER if outline.kind == "rectangle" else 1.0) / max(outline.support, 0.01) ** 2


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
