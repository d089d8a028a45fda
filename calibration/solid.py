"""A tray as a solid before the camera: its floor and the two edges of its rim, fitted to the picture's edges together.

The rim is the floor's shape, farther out and raised by the wall's height. Where a shadow hides the floor's edge or the
wall looks like the floor, the rest of the tray tells where it must be. Lengths are in half widths of the floor.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.fit import (
    FARTHEST_PX,
    RATIO,
    SCALE,
    Looked,
    border_slopes,
    descend,
    meet,
    outward_by_height,
    told_by,
    unusual,
    unusual_slopes,
)
from calibration.shape import Kind, Points, View, along, border, distance, outward, packed, try_lens, unpacked
from vision.lens import Lens

FloatArray = npt.NDArray[np.float32]
SAMPLES = 120
"""Places along the floor's outline across which the picture's edges are looked for."""
INWARD, OUTWARD = 0.3, 0.6
"""How far, half widths."""
STRONGEST = 6
"""Edges kept of those that cross one place."""
WEAKEST, HALF_SURE = 3.0, 8.0
"""Levels of the weakest edge, and of one that counts half as much as the strongest."""
WIDTHS = (3.0, 2.5, 2.0, 1.5, 1.2, 1.2)
"""Px within which the picture's edges are taken for the tray's, round by round."""
NARROW = WIDTHS[3:]
"""The rounds for a solid whose floor is known well."""
LENS_WIDTH = 2.5
"""From this width on the lens is fitted as well."""
STEPS = 2
ON_PX = 1.5
LEAST_WEIGHT = 0.03
LIPS = ((0.02, 0.05), (0.12, 0.07), (0.27, 0.12))
"""What trays are like, mean and spread: how far the rim's inner edge lies outside the floor, its width, its height."""
MOST_PX = 400
"""Px from which a place is no farther outside an edge."""
LIP_WEIGHT, LEAST_WIDTH, LEAST_HEIGHT, FORBIDDEN = 3.0, 0.02, 0.1, 2000.0


@dataclass(frozen=True, slots=True)
class Solid:
    """A tray: the view of its floor, how far the rim's inner and outer edge lie outside it, and the rim's height."""

    kind: Kind
    view: View
    inner: float
    outer: float
    height: float

    def contours(self) -> tuple[tuple[float, float], ...]:
        """How far outside the floor's edge, and how high above, the three edges lie."""
        return (0.0, 0.0), (self.inner, self.height), (self.outer, self.height)


@dataclass(frozen=True, slots=True)
class Edges:
    """Edges of the picture around a tray: places (n, 2) px, strengths (n,) to 1, and which sample (n,) they cross.

    out: how far (n,) they lie outside the outline across which they were looked for. away: (SAMPLES,) how far along its
    normals that outline lies from the point below the camera.
    """

    places: Points
    strengths: Points
    samples: npt.NDArray[np.intp]
    out: Points
    away: Points


def wider(kind: Kind, ratio: float, out: float) -> tuple[float, float]:
    """The half width and the ratio of a shape with all its sides moved outward."""
    return 1 + out, (ratio + out) / (1 + out) if kind == "rectangle" else ratio


def rim_of(solid: Solid, size: tuple[int, int]) -> tuple[View, float]:
    """The inner edge of a tray's rim as a shape of its own, and how many half widths of the floor its own are."""
    view = solid.view
    half, ratio = wider(solid.kind, view.ratio, solid.inner)
    above = (view.height - solid.height) / half
    x, y = view.lens(size).project([(0.0, 0.0)], solid.height)[0].tolist()
    return replace(view, scale=view.scale * view.height / above, height=above, centre=(x, y), ratio=ratio), half


def rim_edges(solid: Solid, size: tuple[int, int]) -> tuple[Points, Points]:
    """The inner edge of a tray's rim, at which its wall ends, and the outer one (n, 2), px, in order round it."""
    lens = solid.view.lens(size)

    def seen(out: float, height: float) -> Points:
        half, ratio = wider(solid.kind, solid.view.ratio, out)
        return lens.project(half * border(solid.kind, ratio, SAMPLES), height)

    _, inner, outer = (seen(*contour) for contour in solid.contours())
    return inner, outer


def floor_below(kind: Kind, rim: View, inset: float, height: float, size: tuple[int, int]) -> View:
    """The view of a floor that lies so far below a rim's inner edge and so far inside it, in half widths of that."""
    half, ratio = wider(kind, rim.ratio, -inset)
    x, y = rim.lens(size).project([(0.0, 0.0)], -height)[0].tolist()
    above = (rim.height + height) / half
    return replace(rim, scale=rim.scale * rim.height / above, height=above, centre=(x, y), ratio=ratio)


def edges_around(kind: Kind, view: View, colours: FloatArray, size: tuple[int, int]) -> Edges | None:
    """The picture's edges that run about along a shape; None where there is none."""
    lens = view.lens(size)
    edge = along(kind, view.ratio, SAMPLES)
    normals = outward(kind, view.ratio, edge)
    steps = np.arange(-INWARD * view.scale, OUTWARD * view.scale + 0.5) / view.scale
    where = view.project((edge[:, None] + normals[:, None] * steps[:, None]).reshape(-1, 2), size)
    at = where.reshape(SAMPLES, -1, 2).astype(np.float32)
    profiles = cv2.remap(colours, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = (np.roll(profiles, -1, axis=0) + profiles + np.roll(profiles, 1, axis=0)) / 3
    seen = (np.isfinite(at) & (at > 1) & (at < np.array(size) - 2)).all(2)
    slope = np.zeros(seen.shape)
    slope[:, 1:-1] = np.linalg.norm(smooth[:, 2:] - smooth[:, :-2], axis=2)
    slope *= seen
    before, after = np.roll(slope, 1, axis=1), np.roll(slope, -1, axis=1)
    top = (slope >= before) & (slope > after) & (slope > WEAKEST)
    top[:, :2] = top[:, -2:] = False
    rank = np.argsort(np.argsort(np.where(top, -slope, 0.0), axis=1), axis=1)
    samples, columns = np.nonzero(top & (rank < STRONGEST))
    if not len(samples):
        return None
    b, h, a = before[samples, columns], slope[samples, columns], after[samples, columns]
    shift = np.clip(0.5 * (b - a) / np.minimum(b - 2 * h + a, -1e-6), -0.5, 0.5)
    out = steps[columns] + shift * (steps[1] - steps[0])
    places = lens.project(edge[samples] + normals[samples] * out[:, None])
    away = (normals * (edge - np.array(lens.place[:2]))).sum(1)
    return Edges(places, h / (h + HALF_SURE), samples, out, np.asarray(away, np.float64))


def floor_by(solid: Solid, floor: Edges, rest: Edges, reach: float, size: tuple[int, int]) -> Edges:
    """Of edges that were looked for around one outline in two ways: those within so many px of the solid's floor of the
    one, the others of the other."""
    lens = solid.view.lens(size)
    near, far = (np.abs(outside(solid, lens, each.places)[0]) < reach for each in (floor, rest))
    places, strengths, out = (
        np.concatenate([one[near], other[~far]])
        for one, other in ((floor.places, rest.places), (floor.strengths, rest.strengths), (floor.out, rest.out))
    )
    return Edges(places, strengths, np.concatenate([floor.samples[near], rest.samples[~far]]), out, rest.away)


def support(solid: Solid, edges: Edges, size: tuple[int, int]) -> Points:
    """(3,) shares of floor, inner and outer edge of the rim along which an edge of the picture lies, weak ones less.

    Where the wall is hidden one edge tells floor and rim.
    """
    lens = try_lens(solid.view, size)
    return np.zeros(3) if lens is None else _told(outside(solid, lens, edges.places), edges)


def own_support(solid: Solid, edges: Edges, size: tuple[int, int]) -> float:
    """The share of the floor's outline on which edges lie that are not the rim's inner one, weak ones less."""
    off = outside(solid, solid.view.lens(size), edges.places)
    return float(_told(np.where(np.abs(off[1]) < ON_PX, np.inf, off[0])[None], edges)[0])


def floor_support(kind: Kind, view: View, edges: Edges, size: tuple[int, int]) -> float:
    """The share of a floor's outline along which an edge of the picture lies, weak ones less."""
    off = view.scale * distance(kind, view.ratio, view.lens(size).to_floor(edges.places))
    return float(_told(off[None], edges)[0])


def other_ring(solid: Solid, edges: Edges, size: tuple[int, int]) -> float:
    """The share along which edges lie of the ring between the rim's two that has most of them; a rim has none there."""
    rings = np.arange(solid.inner + LEAST_WIDTH, solid.outer - LEAST_WIDTH, 1 / solid.view.scale)
    if not len(rings):
        return 0.0
    out = distance(solid.kind, solid.view.ratio, solid.view.lens(size).to_floor(edges.places, solid.height))
    return float(_told((out - rings[:, None]) * solid.view.scale, edges).max())


def _told(off: Points, edges: Edges) -> Points:
    """(k,) shares of k contours on which edges lie, by their offsets (k, n) px."""
    told = np.zeros((len(off), SAMPLES))
    for row, each in zip(told, off, strict=True):
        np.maximum.at(row, edges.samples, edges.strengths * np.exp(-0.5 * (each / ON_PX) ** 2))
    return np.asarray(told.mean(1), np.float64)


def refined(solid: Solid, edges: Edges, size: tuple[int, int], widths: Sequence[float] = WIDTHS) -> Solid | None:
    """The solid moved onto the picture's edges near its own, ever nearer ones; None where none is near or no
    camera is like that.

    A wall that stands upright stays so.
    """
    vector = _packed(solid)
    free = np.append(told_by(solid.kind), (solid.inner > 0, True, True))
    of_view = np.pad(unusual_slopes(SAMPLES), ((0, 0), (0, len(LIPS))))
    for width in widths:
        now = _unpacked(solid.kind, vector)
        lens = try_lens(now.view, size)
        if lens is None:
            return None
        off = outside(now, lens, edges.places)
        weights = edges.strengths * np.exp(-0.5 * (off / width) ** 2)
        weights *= weights >= weights.max(0) * 0.999  # an edge belongs to one contour
        used = weights > LEAST_WEIGHT
        near = used.any(0)
        if not near.any():
            return None
        used, roots, places = used[:, near], np.sqrt(weights[used]), edges.places[near]
        free[2:4] = width < LENS_WIDTH

        def look(
            at: Points, places: Points = places, used: npt.NDArray[np.bool_] = used, roots: Points = roots
        ) -> Looked:
            now = _unpacked(solid.kind, at)
            far, growth = _offsets(now, places, used, size)
            residuals = np.concatenate([roots * far, unusual(now.view, SAMPLES), _unusual_lip(now)])
            return residuals, lambda: np.vstack([roots[:, None] * growth(), of_view, _unusual_lip_slopes(now)])

        vector = descend(look, vector, free, STEPS)
    return _unpacked(solid.kind, vector)


def as_square(solid: Solid) -> Solid:
    """A rectangle that is nearly one as a square."""
    return replace(solid, kind="square", view=replace(solid.view, ratio=1.0))


def as_upright(solid: Solid) -> Solid:
    """A tray whose wall leans outward as one whose wall stands upright, its rim as wide as before."""
    return replace(solid, inner=0.0, outer=solid.outer - solid.inner)


def outside(solid: Solid, lens: Lens, places: Points) -> Points:
    """(3, n) px by which places (n, 2) px lie outside floor, inner and outer edge of the rim; `lens` is the view's."""
    every = np.ones((len(solid.contours()), len(places)), bool)
    return _outside(solid, lens, lens.rays(places), every)[0].reshape(every.shape)


def _offsets(solid: Solid, places: Points, used: npt.NDArray[np.bool_], size: tuple[int, int]) -> Looked:
    """(k,) those of these offsets that are `used` (3, n), and how they grow with each of the solid's 13 numbers."""
    lens = try_lens(solid.view, size)
    if lens is None:
        count = np.count_nonzero(used)
        return np.full(count, FARTHEST_PX), lambda: np.zeros((count, RATIO + 1 + len(LIPS)))
    return _outside(solid, lens, lens.rays(places), used)


def _outside(solid: Solid, lens: Lens, rays: Points, used: npt.NDArray[np.bool_]) -> Looked:
    """The same by rays (n, 3)."""
    contour, place = np.nonzero(used)
    rays, scale = rays[place], solid.view.scale
    lips = [(*wider(solid.kind, solid.view.ratio, out), height) for out, height in solid.contours()]
    half, ratio, height = np.array(lips)[contour].T
    met = meet(lens, rays, height) / half[:, None]
    off = half * distance(solid.kind, ratio, met) * scale

    def slopes() -> Points:
        normals = outward(solid.kind, ratio, met)
        of_view = border_slopes(solid.view, lens, rays, normals, height)
        of_view[:, SCALE] += off
        of_inner, of_outer = contour == 1, contour == 2
        of_height = (contour > 0) * outward_by_height(rays, normals)
        return np.hstack([of_view, scale * np.column_stack([-1.0 * of_inner, -1.0 * of_outer, of_height])])

    return np.asarray(np.clip(off, -MOST_PX, MOST_PX), np.float64), slopes


def _unusual_lip(solid: Solid) -> Points:
    """How far the rim is from usual ones, in spreads, and from ones that can be."""
    lip = (solid.inner, solid.outer - solid.inner, solid.height)
    usual = [LIP_WEIGHT * (each - mean) / spread for each, (mean, spread) in zip(lip, LIPS, strict=True)]
    least = (0.0, LEAST_WIDTH, LEAST_HEIGHT)
    below = [FORBIDDEN * min(0.0, each - bound) for each, bound in zip(lip, least, strict=True)]
    return np.array([*usual, *below])


def _unusual_lip_slopes(solid: Solid) -> Points:
    """(6, 13) how that grows with each of the solid's numbers."""
    of_lip = np.array([(1.0, 0.0, 0.0), (-1.0, 1.0, 0.0), (0.0, 0.0, 1.0)])  # by inner, outer and height
    lip, least = of_lip @ (solid.inner, solid.outer, solid.height), (0.0, LEAST_WIDTH, LEAST_HEIGHT)
    spreads = np.array([[LIP_WEIGHT / spread] for _, spread in LIPS])
    grows = np.vstack([spreads * of_lip, FORBIDDEN * (lip < least)[:, None] * of_lip])
    return np.hstack([np.zeros((len(grows), RATIO + 1)), grows])


def _packed(solid: Solid) -> Points:
    return np.concatenate([packed(solid.view), [solid.inner, solid.outer, solid.height]])


def _unpacked(kind: Kind, v: Points) -> Solid:
    return Solid(kind, unpacked(v[:-3]), float(v[-3]), float(v[-2]), float(v[-1]))
