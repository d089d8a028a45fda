"""Where a die's top face lies and how it is turned, from its pips or from its edges."""

import cmath
import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.network import CROP_FACES, CROP_PX, PIP_CELLS, FloatArray


@dataclass(frozen=True, slots=True)
class Pip:
    """A peak of the pip map: its place in die faces from the crop's centre (x right, y down) and its height, 0 to 1."""

    x: float
    y: float
    height: float


def find_pips(pip_map: FloatArray, count: int) -> tuple[Pip, ...]:
    """The `count` strongest peaks of an upright map of probabilities (28, 28), each at its 3x3 cells' centroid."""
    peaks = pip_map >= cv2.dilate(pip_map, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero(peaks)
    strongest = np.argsort(-pip_map[rows, columns], kind="stable")[:count]
    return tuple(_centroid(pip_map, int(rows[i]), int(columns[i])) for i in strongest)


def _centroid(pip_map: FloatArray, row: int, column: int) -> Pip:
    top, left = max(0, row - 1), max(0, column - 1)
    cells = pip_map[top : row + 2, left : column + 2].astype(float)
    total = float(cells.sum()) + 1e-9
    y = top + float((cells.sum(1) * np.arange(cells.shape[0])).sum()) / total
    x = left + float((cells.sum(0) * np.arange(cells.shape[1])).sum()) / total
    cell, middle = CROP_FACES / PIP_CELLS, (PIP_CELLS - 1) / 2
    return Pip((x - middle) * cell, (y - middle) * cell, float(pip_map[row, column]))


def pip_centre(pips: tuple[Pip, ...]) -> tuple[float, float]:
    """Centre of the face, in die faces from the crop's centre: the pips of every value are symmetric about it."""
    return sum(p.x for p in pips) / len(pips), sum(p.y for p in pips) / len(pips)


def pip_angle(pips: tuple[Pip, ...]) -> float | None:
    """Direction of the face's edges in degrees, in [0, 90) (x right, y down); None for a single pip.

    Corner pips lie on the diagonals, and the fourth power of a place forgets in which corner: the sum over the pips
    turns four times as fast as the die. The six's two middle pips pull the other way, but weigh less than its corners.
    """
    if len(pips) < 2:
        return None
    x, y = pip_centre(pips)
    return _fourfold(-sum(complex(p.x - x, p.y - y) ** 4 for p in pips))


def edge_angle(crop: FloatArray) -> float:
    """Direction of the strongest edges within a crop (56, 56) of a face, in degrees, [0, 90)."""
    dx, dy = cv2.Sobel(crop, cv2.CV_32F, 1, 0), cv2.Sobel(crop, cv2.CV_32F, 0, 1)
    gradient = dx.astype(np.complex128) + 1j * dy
    strength = np.abs(gradient) + 1e-9
    axis = np.arange(CROP_PX) - (CROP_PX - 1) / 2
    reach = np.hypot(axis[:, None], axis[None, :]) * CROP_FACES / CROP_PX
    near = (reach > 0.35) & (reach < 0.75)  # the face's edges; pips and neighbours lie inside and outside
    return _fourfold(complex((gradient**4 / strength**2)[near].sum()))


def _fourfold(moment: complex) -> float:
    """Angle in degrees, [0, 90), of a moment that turns four times as fast."""
    angle = math.degrees(cmath.phase(moment)) / 4 % 90
    return angle if angle < 90 else 0.0  # the remainder of a tiny negative number rounds up to 90


def face_box(x: float, y: float, face_px: float, angle: float) -> tuple[float, float, float, float]:
    """Left, top, width and height of the upright rectangle around a square face of edge `face_px` turned by `angle`."""
    turned = math.radians(angle)
    side = face_px * (abs(math.cos(turned)) + abs(math.sin(turned)))
    return x - side / 2, y - side / 2, side, side
