"""Where the outline of a flat die must lie in the picture: from where its top face lies and where the camera stands."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import TrayGeometry
from vision.lens import Lens
from vision.read import Reading

Array = npt.NDArray[np.float64]
Shift = tuple[float, float]

HEIGHT_DICE = 40.0
"""Height of a camera that nobody has measured, in dice."""
CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True, slots=True)
class Outline:
    """A flat die as it must be seen: the corners of its top face (4, 2) and its convex outline (n, 2), px."""

    top: Array
    whole: Array


def flat_outline(geometry: TrayGeometry, reading: Reading, aslant: Shift = (0.0, 0.0), turned: float = 0.0) -> Outline:
    """The outline of a flat die where a top face was read, `turned` by so many degrees more.

    A camera that nobody has measured is taken to look straight down, or so `aslant` that it shows the floor so many
    faces off where it would be seen from above.
    """
    lens = camera(geometry, reading.centre, aslant)
    middle, axes = top_face(geometry, lens, reading, reading.angle + turned)
    corners = middle + CORNERS @ (geometry.die_mm * axes)
    heights = np.repeat([geometry.die_mm, 0.0], len(corners))
    seen = lens.project(np.concatenate([corners, corners]), heights)
    return Outline(seen[: len(corners)], hull(seen))


def top_face(geometry: TrayGeometry, lens: Lens, reading: Reading, angle: float) -> tuple[Array, Array]:
    """The middle (2,) of a top face turned by an angle, degrees, in mm on the floor, and the directions of its edges
    there (2, 2)."""
    (x, y), face, turn = reading.centre, geometry.face_px(*reading.centre), math.radians(angle)
    aside = x + face / 2 * math.cos(turn), y + face / 2 * math.sin(turn)
    middle, edge = lens.to_floor([(x, y), aside], geometry.die_mm)
    along = (edge - middle) / float(np.linalg.norm(edge - middle))
    return middle, np.array([along, (-along[1], along[0])])


def breadth(geometry: TrayGeometry, reading: Reading, there: Shift) -> float:
    """The breadth of a die's top towards a place, px, beside that across, as shares of what a flat one shows there; 1
    where its pips do not tell."""
    if reading.spread is None:
        return 1.0
    way = np.subtract(there, reading.centre)
    xx, xy, yy = reading.spread
    flat = flat_outline(geometry, reading).top
    flat = flat - flat.mean(axis=0)

    def seen(way: npt.NDArray[np.float64]) -> float:
        return float(way @ np.array([[xx, xy], [xy, yy]]) @ way / ((flat @ way) ** 2).sum())

    return math.sqrt(seen(way) / seen(np.array([-way[1], way[0]])))


def hull(points: npt.ArrayLike) -> Array:
    """The convex outline (m, 2) of points (n, 2)."""
    return cv2.convexHull(np.asarray(points, np.float32)).reshape(-1, 2).astype(np.float64)


def camera(geometry: TrayGeometry, place: tuple[float, float], aslant: Shift = (0.0, 0.0)) -> Lens:
    """The camera, as it was measured or as it may be, right for a die at that place.

    Seen from straight above, what lies h below a point seen at p, where the camera stands H above that, is seen at
    foot + (p - foot) * (1 - h / H): so a camera that looks in aslant differs by where its foot is seen.
    """
    if geometry.lens is not None:
        return geometry.lens
    height, face = HEIGHT_DICE * geometry.die_mm, geometry.face_px(*place)
    focal = face * (HEIGHT_DICE - 1)
    x, y = (foot + HEIGHT_DICE * face * off for foot, off in zip(geometry.foot, aslant, strict=True))
    return Lens((focal, focal), (x, y), (0.0, 0.0, 0.0), (0.0, 0.0, height))
