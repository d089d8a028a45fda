"""Fitting a camera's view of a floor, by how what it sees moves as the view is changed.

The slopes are those of the formulas themselves: by differences a fit would ask for ten times as many views.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration.shape import Kind, Points, View, distance, outward, packed, try_lens, unpacked
from vision.lens import Lens

STEPS = 30
"""Steps of the fit at most."""
SETTLED = 1e-6
"""A step that betters the fit by less than this share is the last."""
ROUGH_PX, FINE_PX = 1.0, 0.3
"""Points farther off than this draw with a constant force (Huber): while the edges are found, and in the end."""
FARTHEST_PX = 1e3
"""Points farther off are no farther."""
USUAL = ((math.log(5.5), 0.6), (-0.04, 0.07), (0.0, 0.03), (0.0, 0.2))
"""What cameras above trays are like, mean and spread: it decides where the picture does not tell. The logarithm of the
height in half widths, k1, k2 beside what goes with k1, and tilt."""
K2_OF_K1 = -0.22
"""Lenses bend less towards their corners than k1 alone says."""
DOUBT_PX = 0.15
"""By so much all points together may be off: errors of neighbouring points are alike, and do not average out."""

SCALE, _HEIGHT, _K1, _K2, _TILT, _ROLL, _CENTRE, RATIO = 0, 1, 2, 3, slice(4, 6), 6, slice(7, 9), 9
"""Where a view's numbers stand among those of `packed`."""


def fit(
    kind: Kind,
    points: Points,
    size: tuple[int, int],
    start: View,
    free_lens: bool = True,
    huber_px: float = ROUGH_PX,
    free_height: bool = True,
) -> tuple[View, Points]:
    """The view in which the shape's border passes through `points` (n, 2) px best, and each point's distance, px.

    Levenberg and Marquardt's method with Huber's weights; without `free_lens` distortion and height stay, without
    `free_height` the height.
    """
    vector, free = packed(start), told_by(kind)
    free[_HEIGHT : _K2 + 1] &= free_lens
    free[_HEIGHT] &= free_height

    def residuals(at: Points) -> Points:
        view = unpacked(at)
        return np.concatenate([_weighed(_offsets(kind, view, points, size), huber_px), unusual(view, len(points))])

    def slopes(at: Points) -> Points:
        view = unpacked(at)
        return np.vstack([_offset_slopes(kind, view, points, size, huber_px), unusual_slopes(len(points))])

    found = unpacked(descend(residuals, slopes, vector, free))
    return found, _offsets(kind, found, points, size)


def told_by(kind: Kind) -> npt.NDArray[np.bool_]:
    """(10,) which of a view's numbers a shape tells: a circle looks the same turned, only a rectangle has a ratio."""
    told = np.ones(RATIO + 1, bool)
    told[RATIO], told[_ROLL] = kind == "rectangle", kind != "round"
    return told


def _offsets(kind: Kind, view: View, points: Points, size: tuple[int, int]) -> Points:
    """Distance of each point from the border, in px of the middle of the shape; far points are cut off."""
    lens = try_lens(view, size)
    if lens is None:
        return np.full(len(points), FARTHEST_PX)
    away = distance(kind, view.ratio, lens.to_floor(points)) * view.scale
    return np.asarray(np.clip(away, -FARTHEST_PX, FARTHEST_PX), np.float64)


def _offset_slopes(kind: Kind, view: View, points: Points, size: tuple[int, int], huber_px: float) -> Points:
    """(n, 10) how each point's weighed distance from the border grows with each number of the view."""
    lens = try_lens(view, size)
    if lens is None:
        return np.zeros((len(points), RATIO + 1))
    rays = lens.rays(points)
    places = lens.meet(rays)
    normals = outward(kind, view.ratio, places)
    away = distance(kind, view.ratio, places) * view.scale
    grows = border_slopes(view, lens, rays, normals)
    grows[:, SCALE] += away
    return np.asarray(grows * _weight_slopes(away, huber_px)[:, None], np.float64)


def border_slopes(view: View, lens: Lens, rays: Points, normals: Points, height: float = 0.0) -> Points:
    """(n, 10) px by which the places where rays (n, 3) meet the plane so high above the floor move outward from a
    border with these normals (n, 2) there, with each number of the view; scale's own growth of px is not in them.

    A change of the camera moves the place out of the plane; along its ray it returns. What that comes to outward is
    told by one vector for each place, which is taken to the camera's frame, where rays and turns change.
    """
    turn, *turns = _turns(view)
    outside = np.column_stack([normals, outward_by_height(rays, normals)])
    seen, sight = outside @ turn.T, rays @ turn.T
    flat, foot = sight[:, :2], np.array(lens.translation)
    reach = (lens.place[2] - height) / _deep(rays)
    ray = foot[:2] / foot[2]
    from_foot = reach[:, None] * sight - foot
    bent = _bends(flat, view) * (reach * (seen[:, :2] * flat).sum(1))
    bent -= _bends(ray[None], view) * view.height * (seen[:, :2] @ ray)
    grows = np.zeros((len(rays), RATIO + 1))
    grows[:, SCALE] = bent[0]
    grows[:, _HEIGHT] = bent[0] - seen @ foot
    grows[:, _K1], grows[:, _K2] = bent[1], bent[2]
    for place, change in enumerate(turns, _TILT.start):
        grows[:, place] = ((from_foot @ change) * outside).sum(1)
    grows[:, _CENTRE] = -seen[:, :2] @ _unbent(ray, view) / view.scale
    grows[:, RATIO] = -np.abs(normals[:, 1]) * view.ratio
    return np.asarray(grows * view.scale, np.float64)


def outward_by_height(rays: Points, normals: Points) -> Points:
    """(n,) by which the places where rays (n, 3) meet a plane move outward as it is raised, in parts of that."""
    return np.asarray(-(normals * rays[:, :2]).sum(1) / _deep(rays), np.float64)


def _deep(rays: Points) -> Points:
    """(n,) how far rays go down; those that never meet a floor are as good as level, as for `Lens.meet`."""
    return np.asarray(np.maximum(rays[:, 2], 1e-6), np.float64)


@lru_cache(maxsize=4)
def _turns(view: View) -> tuple[Points, Points, Points, Points]:
    """(3, 3) the rotation of the floor's frame into the camera's, and how it changes with tilt's x and y and roll."""
    tilted, slopes = cv2.Rodrigues(np.array([*view.tilt, 0.0]))
    c, s = math.cos(view.roll), math.sin(view.roll)
    rolled = np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)])
    by_x, by_y = (np.asarray(each.reshape(3, 3) @ rolled, np.float64) for each in slopes[:2])
    return tilted @ rolled, by_x, by_y, tilted @ np.array([(-s, -c, 0), (c, -s, 0), (0, 0, 0)])


def _bends(flat: Points, view: View) -> Points:
    """(3, n) by how much of themselves directions (n, 2), as a lens without distortion sees them, grow with the
    logarithm of the focal length, k1 and k2, where they are seen at the same px."""
    square = (flat * flat).sum(1)
    bend, slope = _bend(square, view)
    return np.asarray(-np.array([bend, square, square * square]) / (bend + square * slope), np.float64)


def _unbent(flat: Points, view: View) -> Points:
    """(2, 2) how a direction (2,) changes with the one that the distorting lens shows."""
    square = np.array([flat @ flat])
    bend, slope = _bend(square, view)
    return np.asarray((np.eye(2) - np.outer(flat, flat) * slope / (bend + square * slope)) / bend, np.float64)


def _bend(square: Points, view: View) -> tuple[Points, Points]:
    """How much farther out a lens with distortion shows directions of these squared lengths (n,), and twice how that
    grows with them."""
    return 1 + view.k1 * square + view.k2 * square**2, 2 * view.k1 + 4 * view.k2 * square


def _weighed(offsets: Points, huber_px: float) -> Points:
    """Residuals whose squares are Huber's loss."""
    far = np.abs(offsets)
    beyond = huber_px * np.sqrt(np.maximum(2 * far / huber_px - 1, 1e-12))
    return np.asarray(np.where(far <= huber_px, offsets, np.sign(offsets) * beyond), np.float64)


def _weight_slopes(offsets: Points, huber_px: float) -> Points:
    """How these residuals grow with the offsets."""
    far = np.abs(offsets)
    return np.asarray((far < FARTHEST_PX) / np.sqrt(np.maximum(2 * far / huber_px - 1, 1)), np.float64)


def unusual(view: View, count: int) -> Points:
    """How far the view is from usual ones, in spreads, weighed against the errors of so many points."""
    noise = math.sqrt(count) * DOUBT_PX
    told = np.array([math.log(view.height), view.k1, view.k2 - K2_OF_K1 * view.k1, *view.tilt])
    return np.asarray(noise * (told - _USUAL) / _SPREAD, np.float64)


def unusual_slopes(count: int) -> Points:
    """(5, 10) how that grows with each number of the view."""
    grows = np.zeros((len(_USUAL), RATIO + 1))
    grows[:, _HEIGHT : _TILT.stop] = np.eye(len(_USUAL))
    grows[2, _K1] = -K2_OF_K1
    return np.asarray(grows * (math.sqrt(count) * DOUBT_PX / _SPREAD)[:, None], np.float64)


_USUAL, _SPREAD = np.array([*USUAL, USUAL[-1]], np.float64).T


def descend(
    residuals: Callable[[Points], Points],
    slopes: Callable[[Points], Points],
    start: Points,
    free: npt.NDArray[np.bool_],
    steps: int = STEPS,
) -> Points:
    """The vector (m,) that makes the sum of squares of its residuals (n,) least, its `free` numbers changed; `slopes`
    (n, m) tells how they grow with each number."""
    at, damping = start.copy(), 1e-3
    here = residuals(at)
    for _ in range(steps):
        grows = slopes(at)[:, free]
        normal, pull = grows.T @ grows, grows.T @ here
        better = False
        for _ in range(8):
            change = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -pull)
            moved = at.copy()
            moved[free] += change
            there = residuals(moved)
            if there @ there < here @ here:
                better = True
                break
            damping *= 6
        if not better:
            return at
        gain = 1 - float(there @ there) / max(float(here @ here), 1e-12)
        at, here, damping = moved, there, max(damping / 8, 1e-9)
        if gain < SETTLED:
            return at
    return at
