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
_TURNS = slice(_TILT.start, _ROLL + 1)

Looked = tuple[Points, Callable[[], Points]]
"""Values (n,) at a vector (m,), and how they grow (n, m) with each of its numbers there, for who asks: most of what the
one takes is the other's too."""


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

    of_view = unusual_slopes(len(points))

    def look(at: Points) -> Looked:
        view = unpacked(at)
        offsets, growth = _offsets(kind, view, points, size)
        residuals = np.concatenate([_weighed(offsets, huber_px), unusual(view, len(points))])
        return residuals, lambda: np.vstack([_weight_slopes(offsets, huber_px)[:, None] * growth(), of_view])

    found = unpacked(descend(look, vector, free))
    return found, _offsets(kind, found, points, size)[0]


def told_by(kind: Kind) -> npt.NDArray[np.bool_]:
    """(10,) which of a view's numbers a shape tells: a circle looks the same turned, only a rectangle has a ratio."""
    told = np.ones(RATIO + 1, bool)
    told[RATIO], told[_ROLL] = kind == "rectangle", kind != "round"
    return told


def _offsets(kind: Kind, view: View, points: Points, size: tuple[int, int]) -> Looked:
    """Distance of each point from the border, in px of the middle of the shape; far points are cut off."""
    lens = try_lens(view, size)
    if lens is None:
        return np.full(len(points), FARTHEST_PX), lambda: np.zeros((len(points), RATIO + 1))
    rays = lens.rays(points)
    places = lens.meet(rays)
    away = distance(kind, view.ratio, places) * view.scale

    def slopes() -> Points:
        grows = border_slopes(view, lens, rays, outward(kind, view.ratio, places))
        grows[:, SCALE] += away
        return grows

    return np.asarray(np.clip(away, -FARTHEST_PX, FARTHEST_PX), np.float64), slopes


def border_slopes(view: View, lens: Lens, rays: Points, normals: Points, height: float | Points = 0.0) -> Points:
    """(n, 10) px by which the places where rays (n, 3) meet the plane, or those (n,), so high above the floor move
    outward from a border with these normals (n, 2) there, with each number of the view; scale's own growth of px is not
    in them.

    A change of the camera moves the place out of the plane; along its ray it returns. What that comes to outward is
    told by one vector for each place, which is taken to the camera's frame, where rays and turns change.
    """
    turn, turns = _turns(view)
    outside = np.column_stack([normals, outward_by_height(rays, normals)])
    seen, sight = outside @ turn.T, rays @ turn.T
    reach = (lens.place[2] - height) / _deep(rays)
    from_foot = reach[:, None] * sight - lens.translation
    bent = _bends(sight[:, :2], view) * (reach * _times(seen[:, :2], sight[:, :2]))
    grows = seen @ _foot_slopes(view, lens)
    grows[:, SCALE] += bent[0]
    grows[:, _HEIGHT : _K2 + 1] += bent.T
    grows[:, _TURNS] = (from_foot[:, :, None] * outside[:, None]).reshape(-1, 9) @ turns
    grows[:, RATIO] = -np.abs(normals[:, 1]) * view.ratio
    return np.asarray(grows * view.scale, np.float64)


def meet(lens: Lens, rays: Points, height: Points) -> Points:
    """(n, 2) where rays (n, 3) meet planes so high (n,) above the floor, as `Lens.meet` does for one."""
    reach = (lens.place[2] - height) / _deep(rays)
    return np.asarray(lens.place[:2] + rays[:, :2] * reach[:, None], np.float64)


def _foot_slopes(view: View, lens: Lens) -> Points:
    """(3, 10) how the floor's middle, as the camera's frame has it, moves back with each number of the view but turns:
    what is the same for all rays."""
    foot = np.array(lens.translation)
    ray = foot[:2] / foot[2]
    back = np.zeros((3, RATIO + 1))
    back[:2, _HEIGHT : _K2 + 1] = np.outer(ray, _bends(ray, view)) * -view.height
    back[:, SCALE] = back[:, _HEIGHT]
    back[:, _HEIGHT] -= foot
    back[:2, _CENTRE] = _unbent(ray, view) / -view.scale
    return back


def outward_by_height(rays: Points, normals: Points) -> Points:
    """(n,) by which the places where rays (n, 3) meet a plane move outward as it is raised, in parts of that."""
    return np.asarray(-_times(normals, rays[:, :2]) / _deep(rays), np.float64)


def _times(one: Points, other: Points) -> Points:
    """(...,) the scalar products of pairs of directions (..., 2)."""
    return np.asarray(one[..., 0] * other[..., 0] + one[..., 1] * other[..., 1], np.float64)


def _deep(rays: Points) -> Points:
    """(n,) how far rays go down; those that never meet a floor are as good as level, as for `Lens.meet`."""
    return np.asarray(np.maximum(rays[:, 2], 1e-6), np.float64)


@lru_cache(maxsize=4)
def _turns(view: View) -> tuple[Points, Points]:
    """(3, 3) the rotation of the floor's frame into the camera's, and how its numbers (9, 3) change with tilt's x and y
    and roll."""
    tilted, slopes = cv2.Rodrigues(np.array([*view.tilt, 0.0]))
    c, s = math.cos(view.roll), math.sin(view.roll)
    rolled = np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)])
    by_x, by_y = (np.asarray(each.reshape(3, 3) @ rolled, np.float64) for each in slopes[:2])
    by_roll = tilted @ np.array([(-s, -c, 0), (c, -s, 0), (0, 0, 0)])
    return tilted @ rolled, np.array([by_x, by_y, by_roll]).reshape(3, 9).T


def _bends(flat: Points, view: View) -> Points:
    """(3, ...) by how much of themselves directions (..., 2), as a lens without distortion sees them, grow with the
    logarithm of the focal length, k1 and k2, where they are seen at the same px."""
    square = _times(flat, flat)
    bend, slope = _bend(square, view)
    return np.asarray(-np.array([bend, square, square * square]) / (bend + square * slope), np.float64)


def _unbent(flat: Points, view: View) -> Points:
    """(2, 2) how a direction (2,) changes with the one that the distorting lens shows."""
    square = flat @ flat
    bend, slope = _bend(square, view)
    return np.asarray((np.eye(2) - np.outer(flat, flat) * slope / (bend + square * slope)) / bend, np.float64)


def _bend(square: Points, view: View) -> tuple[Points, Points]:
    """How much farther out a lens with distortion shows directions of these squared lengths (...,), and twice how that
    grows with them."""
    return 1 + view.k1 * square + view.k2 * square * square, 2 * view.k1 + 4 * view.k2 * square


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


def descend(look: Callable[[Points], Looked], start: Points, free: npt.NDArray[np.bool_], steps: int = STEPS) -> Points:
    """The vector (m,) that makes the sum of squares of the residuals (n,) seen there least, its `free` numbers
    changed."""
    at, damping = start.copy(), 1e-3
    here, slopes = look(at)
    for _ in range(steps):
        grows = slopes()[:, free]
        normal, pull = grows.T @ grows, grows.T @ here
        better = False
        for _ in range(8):
            change = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -pull)
            moved = at.copy()
            moved[free] += change
            there, slopes = look(moved)
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
