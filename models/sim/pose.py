"""Where a rigid thing is and how it is turned, and the quaternion algebra for it.

Quaternions are (w, x, y, z), unit length, and turn the thing's own coordinates into the world's, as in MuJoCo.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vec3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

UPRIGHT: Quaternion = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Pose:
    """A place in the world, in mm, and a turn."""

    position: Vec3
    rotation: Quaternion = UPRIGHT

    @property
    def matrix(self) -> NDArray[np.float64]:
        """(3, 3) rotation: world = matrix @ own + position."""
        return rotation_matrix(self.rotation)

    def to_world(self, points: ArrayLike) -> NDArray[np.float64]:
        """World coordinates, (n, 3) mm, of points (n, 3) given in the thing's own coordinates."""
        # a row for each axis: numpy is slow along triples
        world: NDArray[np.float64] = self.matrix @ np.asarray(points, np.float64).T + np.array(self.position)[:, None]
        return world.T


def rotation_matrix(quaternion: Quaternion) -> NDArray[np.float64]:
    """(3, 3) matrix of a unit quaternion."""
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """The turn b followed by the turn a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def about(axis: ArrayLike, radians: float) -> Quaternion:
    """A turn about an axis, which need not have unit length."""
    direction = np.asarray(axis, np.float64)
    x, y, z = direction / np.linalg.norm(direction) * math.sin(radians / 2)
    return (math.cos(radians / 2), float(x), float(y), float(z))


def random_rotation(rng: np.random.Generator) -> Quaternion:
    """A turn drawn evenly from all turns."""
    w, x, y, z = _unit(rng.normal(size=4))
    return (w, x, y, z)


def between(start: Pose, end: Pose, share: float) -> Pose:
    """The pose at `share` (0 = start, 1 = end) of an even motion that turns the short way."""
    place = np.asarray(start.position) * (1 - share) + np.asarray(end.position) * share
    x, y, z = (float(v) for v in place)
    return Pose((x, y, z), _slerp(start.rotation, end.rotation, share))


def _slerp(start: Quaternion, end: Quaternion, share: float) -> Quaternion:
    a, b = np.asarray(start), np.asarray(end)
    if a @ b < 0:
        b = -b
    angle = math.acos(min(1.0, float(a @ b)))
    if angle < 1e-6:
        w, x, y, z = _unit(a * (1 - share) + b * share)
    else:
        w, x, y, z = _unit(a * math.sin((1 - share) * angle) + b * math.sin(share * angle))
    return (w, x, y, z)


def _unit(quaternion: NDArray[np.float64]) -> tuple[float, float, float, float]:
    w, x, y, z = (float(v) for v in quaternion / np.linalg.norm(quaternion))
    return w, x, y, z
