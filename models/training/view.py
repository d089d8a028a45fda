"""A pinhole camera above a table: where a point of the table's world falls in the picture.

The world's unit is the edge of a die, its floor is z = 0 and z points up, towards the camera.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Picture = NDArray[np.uint8]

SUBPIXEL_BITS = 4
"""Fractional bits of the picture places that OpenCV is given to draw at."""


@dataclass(frozen=True)
class View:
    """A camera: picture size and focal length in px, world position (3,) in die edges, rotation (3, 3) world to camera.

    The camera's x points right, its y down and its z away from it, into the scene.
    """

    width: int
    height: int
    focal: float
    position: Points
    rotation: Points

    def project(self, points: Points) -> Points:
        """Return the picture places (n, 2) in px of world points (n, 3)."""
        seen = (np.asarray(points) - self.position) @ self.rotation.T
        return seen[:, :2] * (self.focal / seen[:, 2:]) + (self.width / 2, self.height / 2)

    def on_floor(self, x: float, y: float) -> Points:
        """Return the point (3,) of the floor that is seen at (x, y) px."""
        ray = self.rotation.T @ np.array([(x - self.width / 2) / self.focal, (y - self.height / 2) / self.focal, 1.0])
        return np.asarray(self.position - ray * (self.position[2] / ray[2]))

    def towards(self, point: Points) -> Points:
        """Return the unit vector (3,) from a world point to the camera."""
        ray = self.position - point
        return np.asarray(ray / np.linalg.norm(ray))

    def scale(self, point: Points) -> float:
        """Return px per die edge at a world point."""
        return float(self.focal / (self.rotation @ (point - self.position))[2])


def turn(axis: Points, angle: float) -> Points:
    """Return the rotation matrix (3, 3) about a unit axis (3,) by `angle` radians (Rodrigues' formula)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def look_down(width: int, height: int, face_px: float, distance: float, tilt: float, azimuth: float) -> View:
    """Return a camera `distance` die edges from the floor's origin, leaning `tilt` radians from the vertical.

    `face_px` is the size of a die's edge at the origin; `azimuth` (radians) is the side to which the camera leans.
    """
    straight = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])
    lean = turn(np.array([-np.sin(azimuth), np.cos(azimuth), 0.0]), tilt)
    return View(
        width, height, face_px * distance, np.asarray(lean @ np.array([0, 0, distance])), np.asarray(straight @ lean.T)
    )
