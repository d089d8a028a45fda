"""The outline of a tray's floor as its shape seen by a camera: fitted to points of the picture.

A square, rectangle, octagon, hexagon or circle lies in a plane before a camera with radial distortion. Lengths are in
half widths of the shape, from its middle to a side: one picture cannot know more.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, get_args

import cv2
import numpy as np
import numpy.typing as npt

from vision.lens import Lens

Points = npt.NDArray[np.float64]
Kind = Literal["square", "rectangle", "octagon", "hexagon", "round"]
KINDS: tuple[Kind, ...] = get_args(Kind)

STEPS = 30
"""Steps of the fit at most."""
NUDGE = 2e-4
"""Relative step of a derivative; OpenCV takes turns below 1e-5 for none."""
SETTLED = 1e-6
"""A step that betters the fit by less than this share is the last."""
ROUGH_PX, FINE_PX = 1.0, 0.3
"""Points farther off than this draw with a constant force (Huber): while the edges are found, and in the end."""
USUAL = ((math.log(5.5), 0.6), (-0.04, 0.07), (0.0, 0.03), (0.0, 0.2))
"""What cameras above trays are like, mean and spread: it decides where the picture does not tell. The logarithm of the
height in half widths, k1, k2 beside what goes with k1, and tilt."""
WIDE, K1, K2 = (0.25, 12.0), (-0.6, 0.5), (-0.3, 0.4)
"""Focal lengths in widths of the picture and distortions of lenses that there are."""
NEAREST, MOST_TILT = 1.4, math.radians(45)
"""Cameras nearer, in half widths, or more aslant see no tray whole."""
DOUBT_PX = 0.15
"""By so much all points together may be off: errors of neighbouring points are alike, and do not average out."""
K2_OF_K1 = -0.22
"""Lenses bend less towards their corners than k1 alone says."""


@dataclass(frozen=True, slots=True)
class View:
    """A camera above a shape: parameters of the fit.

    scale: px to a half width at the shape's centre, straight on. height: from the camera to the centre, half widths.
    tilt: rotation vector's x and y. roll: turn of the shape in the picture. centre: of the shape, px. ratio: of a
    rectangle's sides.
    """

    scale: float
    height: float
    k1: float
    k2: float
    tilt: tuple[float, float]
    roll: float
    centre: tuple[float, float]
    ratio: float = 1.0

    def lens(self, size: tuple[int, int], unit_mm: float = 1.0) -> Lens:
        """The camera for pictures of `size`, with the half width in mm."""
        focal = self.scale * self.height
        middle = ((size[0] - 1) / 2, (size[1] - 1) / 2)
        distortion = (self.k1, self.k2, 0.0, 0.0, 0.0)
        bent = np.array([[[self.centre[0] - middle[0], self.centre[1] - middle[1]]]]) / focal
        ray = cv2.undistortPoints(bent, _STRAIGHT, np.array(distortion))[0, 0] * self.height * unit_mm
        translation = (float(ray[0]), float(ray[1]), self.height * unit_mm)
        return Lens((focal, focal), middle, _rotation(self.tilt, self.roll), translation, distortion)


_STRAIGHT = np.eye(3)


@lru_cache(maxsize=16)
def _rotation(tilt: tuple[float, float], roll: float) -> tuple[float, float, float]:
    """The rotation vector of a camera so tilted and turned. Most steps of a fit ask for the same as the one before."""
    turn = cv2.Rodrigues(np.array([*tilt, 0.0]))[0] @ cv2.Rodrigues(np.array([0.0, 0.0, roll]))[0]
    a, b, c = cv2.Rodrigues(turn)[0].ravel().tolist()
    return a, b, c


def corners(kind: Kind, ratio: float = 1.0) -> Points:
    """(n, 2) corners in half widths, clockwise in the picture; a circle's are 64 points of it."""
    if kind == "round":
        angles = np.arange(64) * (2 * np.pi / 64)
        return np.column_stack([np.cos(angles), np.sin(angles)])
    if kind in ("square", "rectangle"):
        return np.array([(-1, -ratio), (1, -ratio), (1, ratio), (-1, ratio)], np.float64)
    count = 8 if kind == "octagon" else 6
    angles = (np.arange(count) + 0.5) * (2 * np.pi / count)
    return np.column_stack([np.cos(angles), np.sin(angles)]) / math.cos(math.pi / count)


def along(kind: Kind, ratio: float, count: int) -> Points:
    """(count, 2) points evenly along the shape's border, in half widths, clockwise in the picture."""
    if kind == "round":
        angles = np.arange(count) * (2 * np.pi / count)
        return np.column_stack([np.cos(angles), np.sin(angles)])
    return evenly(corners(kind, ratio), count)


def evenly(polygon: Points, count: int) -> Points:
    """(count, 2) points evenly along a closed polygon."""
    closed = np.vstack([polygon, polygon[:1]])
    reach = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    at = (np.arange(count) + 0.5) * (reach[-1] / count)
    return np.column_stack([np.interp(at, reach, closed[:, k]) for k in (0, 1)])


def border(kind: Kind, ratio: float, count: int) -> Points:
    """(n, 2) points round the shape's border, clockwise in the picture: all corners, `count` points or a few more."""
    ends = corners(kind, ratio)
    if kind == "round":
        return along(kind, ratio, count)
    each = -(-count // len(ends))
    shares = np.arange(each)[None, :, None] / each
    return np.asarray((ends[:, None] * (1 - shares) + np.roll(ends, -1, axis=0)[:, None] * shares).reshape(-1, 2))


def outward(kind: Kind, ratio: float, points: Points) -> Points:
    """(n, 2) unit normals of the shape's border at points near it."""
    if kind == "round":
        return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True), np.float64)
    ends = corners(kind, ratio)
    sides = np.roll(ends, -1, axis=0) - ends
    normals = np.column_stack([sides[:, 1], -sides[:, 0]]) / np.linalg.norm(sides, axis=1, keepdims=True)
    beyond = points @ normals.T - (ends * normals).sum(1)
    return np.asarray(normals[beyond.argmax(1)], np.float64)


def distance(kind: Kind, ratio: float, points: Points) -> npt.NDArray[np.float64]:
    """(n,) signed distance of points from the shape's border, half widths, positive outside.

    It is the largest of those from the lines of its sides. Fits ask it many thousand times.
    """
    x, y = points[:, 0], points[:, 1]
    if kind == "round":
        return np.asarray(np.sqrt(x * x + y * y) - 1, np.float64)
    if kind in ("square", "rectangle"):
        return np.asarray(np.maximum(np.abs(x) - 1, np.abs(y) - ratio), np.float64)
    normals, out = _sides_of(kind)
    return np.asarray((points @ normals.T - out).max(1), np.float64)


@cache
def _sides_of(kind: Kind) -> tuple[Points, Points]:
    """The normals (n, 2) of a regular polygon's sides and how far these lie from its middle (n,)."""
    ends = corners(kind)
    sides = np.roll(ends, -1, axis=0) - ends
    normals = np.column_stack([sides[:, 1], -sides[:, 0]]) / np.linalg.norm(sides, axis=1, keepdims=True)
    return normals, (ends * normals).sum(1)


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
    vector = packed(start)
    free = np.ones(len(vector), bool)
    free[9] = kind == "rectangle"
    free[1:4] &= free_lens
    free[1] &= free_height

    def residuals(at: Points) -> Points:
        view = unpacked(at)
        return np.concatenate([_weighed(_offsets(kind, view, points, size), huber_px), unusual(view, len(points))])

    found = unpacked(descend(residuals, vector, free))
    return found, _offsets(kind, found, points, size)


def packed(view: View) -> Points:
    logs = (math.log(view.scale), math.log(view.height))
    return np.array([*logs, view.k1, view.k2, *view.tilt, view.roll, *view.centre, math.log(view.ratio)])


def unpacked(v: Points) -> View:
    scale, height, k1, k2, a, b, roll, x, y, ratio = v.tolist()
    return View(math.exp(scale), math.exp(height), k1, k2, (a, b), roll, (x, y), math.exp(ratio))


def _offsets(kind: Kind, view: View, points: Points, size: tuple[int, int]) -> Points:
    """Distance of each point from the border, in px of the middle of the shape; far points are cut off."""
    lens = try_lens(view, size)
    if lens is None:
        return np.full(len(points), 1e3)
    away = distance(kind, view.ratio, lens.to_floor(points)) * view.scale
    return np.asarray(np.clip(away, -1e3, 1e3), np.float64)


def try_lens(view: View, size: tuple[int, int]) -> Lens | None:
    """The lens, or None where no camera is like that: far from it nothing tells a shape from a point."""
    wide = view.scale * view.height / max(size)
    bends = K1[0] < view.k1 < K1[1] and K2[0] < view.k2 < K2[1]
    stands = view.height > NEAREST and math.hypot(*view.tilt) < MOST_TILT
    if not (WIDE[0] < wide < WIDE[1] and bends and stands):
        return None
    try:
        return view.lens(size)
    except ValueError:
        return None


def _weighed(offsets: Points, huber_px: float) -> Points:
    """Residuals whose squares are Huber's loss."""
    far = np.abs(offsets)
    beyond = huber_px * np.sqrt(np.maximum(2 * far / huber_px - 1, 1e-12))
    return np.asarray(np.where(far <= huber_px, offsets, np.sign(offsets) * beyond), np.float64)


def unusual(view: View, count: int) -> Points:
    """How far the view is from usual ones, in spreads, weighed against the errors of so many points."""
    noise = math.sqrt(count) * DOUBT_PX
    told = np.array([math.log(view.height), view.k1, view.k2 - K2_OF_K1 * view.k1, *view.tilt])
    return np.asarray(noise * (told - _USUAL) / _SPREAD, np.float64)


_USUAL, _SPREAD = np.array([*USUAL, USUAL[-1]], np.float64).T


def descend(
    residuals: Callable[[Points], Points], start: Points, free: npt.NDArray[np.bool_], steps: int = STEPS
) -> Points:
    """The vector that makes the sum of squares least, its `free` numbers changed."""
    at, damping = start.copy(), 1e-3
    here = residuals(at)
    places = np.nonzero(free)[0]
    for _ in range(steps):
        slopes = np.empty((len(here), len(places)))
        for column, place in enumerate(places):
            step = NUDGE * max(1.0, abs(at[place]))
            moved = at.copy()
            moved[place] += step
            slopes[:, column] = (residuals(moved) - here) / step
        normal, pull = slopes.T @ slopes, slopes.T @ here
        better = False
        for _ in range(8):
            change = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -pull)
            moved = at.copy()
            moved[places] += change
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


def mm_per_px(lens: Lens) -> float:
    """Mm, or the unit that the lens was made with, to a px in the middle of the floor."""
    return 1 / float(lens.px_per_mm(lens.project([(0.0, 0.0)]))[0])
