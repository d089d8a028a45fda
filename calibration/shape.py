"""The outline of a tray's floor as its shape seen by a camera.

A square, rectangle, octagon, hexagon or circle lies in a plane before a camera with radial distortion. Lengths are in
half widths of the shape, from its middle to a side: one picture cannot know more.
"""

import math
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

WIDE, K1, K2 = (0.25, 12.0), (-0.6, 0.5), (-0.3, 0.4)
"""Focal lengths in widths of the picture and distortions of lenses that there are."""
NEAREST, MOST_TILT = 1.4, math.radians(45)
"""Cameras nearer, in half widths, or more aslant see no tray whole."""


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

    def project(self, places: Points, size: tuple[int, int]) -> Points:
        """(n, 2) px of thousands of places (n, 2) on the floor in pictures of `size`; they are those of the lens, which
        has OpenCV find how each changes with all of its numbers as well."""
        lens = self.lens(size)
        turn = cv2.Rodrigues(np.array(lens.rotation))[0]
        ahead = places @ turn[:, :2].T + lens.translation
        flat = ahead[:, :2] / ahead[:, 2:]
        square = (flat * flat) @ (1.0, 1.0)
        bend = 1 + square * (self.k1 + self.k2 * square)
        return np.asarray(flat * (lens.focal[0] * bend)[:, None] + lens.centre, np.float64)


_STRAIGHT = np.eye(3)


def _rotation(tilt: tuple[float, float], roll: float) -> tuple[float, float, float]:
    """The rotation vector of a camera so tilted and turned."""
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


def outward(kind: Kind, ratio: float | Points, points: Points) -> Points:
    """(n, 2) unit normals of the shape's border, or of those of (n,) ratios, at points near it."""
    if kind == "round":
        return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True), np.float64)
    if kind in ("square", "rectangle"):
        x, y = points[:, 0], points[:, 1]
        across = np.abs(x) - 1 > np.abs(y) - ratio
        return np.column_stack([np.where(across, np.sign(x), 0.0), np.where(across, 0.0, np.sign(y))])
    normals, out = _sides_of(kind)
    return np.asarray(normals[(points @ normals.T - out).argmax(1)], np.float64)


def distance(kind: Kind, ratio: float | Points, points: Points) -> npt.NDArray[np.float64]:
    """(n,) signed distance of points from the shape's border, or from those of (n,) ratios, half widths, positive
    outside.

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


def packed(view: View) -> Points:
    logs = (math.log(view.scale), math.log(view.height))
    return np.array([*logs, view.k1, view.k2, *view.tilt, view.roll, *view.centre, math.log(view.ratio)])


def unpacked(v: Points) -> View:
    scale, height, k1, k2, a, b, roll, x, y, ratio = v.tolist()
    return View(math.exp(scale), math.exp(height), k1, k2, (a, b), roll, (x, y), math.exp(ratio))


@lru_cache(maxsize=4)
def try_lens(view: View, size: tuple[int, int]) -> Lens | None:
    """The lens, or None where no camera is like that: far from it nothing tells a shape from a point.

    The last few are remembered: a fit asks where points lie, and then how that grows, of the same view.
    """
    wide = view.scale * view.height / max(size)
    bends = K1[0] < view.k1 < K1[1] and K2[0] < view.k2 < K2[1]
    stands = view.height > NEAREST and math.hypot(*view.tilt) < MOST_TILT
    if not (WIDE[0] < wide < WIDE[1] and bends and stands):
        return None
    try:
        return view.lens(size)
    except ValueError:
        return None


def mm_per_px(lens: Lens) -> float:
    """Mm, or the unit that the lens was made with, to a px in the middle of the floor."""
    return 1 / float(lens.px_per_mm(lens.project([(0.0, 0.0)]))[0])
