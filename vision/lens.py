"""A camera's lens and where it stands above the floor: pixels of the picture to millimetres and back."""

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import GeometryError

Points = npt.NDArray[np.float64]
Triple = tuple[float, float, float]

UNDISTORTED = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-9)
"""Steps and precision with which distortion is taken back."""
FOCAL = (0.1, 20.0)
"""Focal lengths that a camera can have, in widths of its picture."""
LEVEL = 0.5
"""Least cosine of a camera's tilt: one that looks in from more than 60 degrees aslant sees no tray."""


@dataclass(frozen=True)
class Lens:
    """A pinhole camera with OpenCV's distortion, and the pose of the floor before it.

    focal: fx, fy, px. centre: cx, cy, px. distortion: k1, k2, p1, p2, k3. rotation: vector (axis times radians) and
    translation: mm, that take the floor's frame into the camera's (x right, y down, z forward). The floor's frame has
    its origin at the floor's centre, x right, y down as in the picture, and z away from the camera: heights above the
    floor are -z.
    """

    focal: tuple[float, float]
    centre: tuple[float, float]
    rotation: Triple
    translation: Triple
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        """Raises GeometryError where no camera above a floor can be meant."""
        if min(self.focal) <= 0:
            raise GeometryError("a focal length must be positive")
        if self._turn[2, 2] < LEVEL or self.place[2] <= 0:
            raise GeometryError("the camera's pose does not look down on the floor")

    @cached_property
    def matrix(self) -> Points:
        """(3, 3) camera matrix."""
        return np.array([[self.focal[0], 0, self.centre[0]], [0, self.focal[1], self.centre[1]], [0, 0, 1]])

    @cached_property
    def _turn(self) -> Points:
        """(3, 3) rotation matrix of the floor's frame into the camera's."""
        return np.asarray(cv2.Rodrigues(np.array(self.rotation))[0], np.float64)

    @cached_property
    def place(self) -> Triple:
        """Where the camera is: x, y on the floor and its height above it, mm."""
        x, y, z = (float(v) for v in -self._turn.T @ np.array(self.translation))
        return x, y, -z

    @property
    def tilt(self) -> float:
        """Angle between the line of sight and the vertical, radians."""
        return float(np.arccos(np.clip(self._turn[2, 2], -1, 1)))

    @cached_property
    def foot(self) -> tuple[float, float]:
        """The px straight below the camera."""
        x, y = self.project([self.place[:2]])[0].tolist()
        return x, y

    def project(self, places: npt.ArrayLike, height_mm: float | npt.ArrayLike = 0.0) -> Points:
        """(n, 2) px of places (n, 2) on the floor, mm, or so high (one height or n) above it."""
        flat = np.asarray(places, np.float64).reshape(-1, 2)
        points = np.column_stack([flat, np.broadcast_to(-np.asarray(height_mm, np.float64), len(flat))])
        seen, _ = cv2.projectPoints(
            points, np.array(self.rotation), np.array(self.translation), self.matrix, np.array(self.distortion)
        )
        return np.asarray(seen, np.float64).reshape(-1, 2)

    def to_floor(self, pixels: npt.ArrayLike, height_mm: float = 0.0) -> Points:
        """(n, 2) mm where the rays of pixels (n, 2) meet the floor, or the plane so high above it."""
        return self.meet(self.rays(pixels), height_mm)

    def rays(self, pixels: npt.ArrayLike) -> Points:
        """(n, 3) directions in the floor's frame in which pixels (n, 2) look."""
        given = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        flat = cv2.undistortPoints(given, self.matrix, np.array(self.distortion), criteria=UNDISTORTED).reshape(-1, 2)
        return np.asarray(np.column_stack([flat, np.ones(len(flat))]) @ self._turn, np.float64)

    def meet(self, rays: Points, height_mm: float = 0.0) -> Points:
        """(n, 2) mm where rays (n, 3) meet the floor, or the plane so high above it."""
        x, y, height = self.place
        steps = (height - height_mm) / np.maximum(rays[:, 2:], 1e-6)
        return np.asarray((x, y) + rays[:, :2] * steps, np.float64)

    def moved(self, shift: Points, corners: npt.ArrayLike) -> "Lens":
        """The camera after it, or the floor, was pushed; `shift` (2, 3) maps places, px, before to those after.

        The pose is found anew by the places of the floor's `corners` (n, 2), px before the push, and between them.
        """
        known = np.asarray(corners, np.float64)
        middles = [known.mean(0), *(known + np.roll(known, -1, axis=0)) / 2, *(known + known.mean(0)) / 2]
        seen = np.vstack([known, middles])
        places = np.column_stack([self.to_floor(seen), np.zeros(len(seen))])
        now = seen @ shift[:, :2].T + shift[:, 2]
        turn, step = np.array(self.rotation), np.array(self.translation)
        _, turn, step = cv2.solvePnP(
            places, now, self.matrix, np.array(self.distortion), turn, step, True, cv2.SOLVEPNP_ITERATIVE
        )
        (rx, ry, rz), (x, y, z) = turn.ravel().tolist(), step.ravel().tolist()
        return replace(self, rotation=(rx, ry, rz), translation=(x, y, z))

    def px_per_mm(self, pixels: npt.ArrayLike, height_mm: float = 0.0) -> npt.NDArray[np.float64]:
        """(n,) px to a mm at pixels (n, 2) that show the floor or the plane above it: the root of the area's ratio."""
        given = np.asarray(pixels, np.float64).reshape(-1, 2)
        around = given[:, None] + np.array([(0.5, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.0, -0.5)])
        right, left, below, above = self.to_floor(around.reshape(-1, 2), height_mm).reshape(-1, 4, 2).swapaxes(0, 1)
        across, down = right - left, below - above
        area = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])
        return np.asarray(1 / np.sqrt(np.maximum(area, 1e-12)), np.float64)
