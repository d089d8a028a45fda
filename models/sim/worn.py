"""What hands wear: rings and watches, as shapes in the hand's own mm."""

from collections.abc import Sequence

import numpy as np

from models.sim.shape import Capsule, Shape, melted, mesh, shaped, vec

RING_VOXEL_MM = 0.7
WATCH_VOXEL_MM = 1.6
WATCH_X_MM = -26.0
"""Where on the forearm a watch sits."""


def ring_shape(bone: Capsule) -> Shape:
    """A ring a third of the way along a finger's first bone."""
    a, b = np.asarray(bone.a), np.asarray(bone.b)
    middle, along = a + 0.36 * (b - a), (b - a) / np.linalg.norm(b - a)
    radius = bone.ra + 0.36 * (bone.rb - bone.ra) + 0.6
    reach = radius + 4.0
    at = mesh(vec(middle - reach), vec(middle + reach), RING_VOXEL_MM)
    away = np.stack(at, axis=-1) - middle
    height = away @ along
    across = np.sqrt(np.maximum((away**2).sum(axis=-1) - height**2, 0))
    return shaped(np.hypot(across - radius, height) - 1.9, RING_VOXEL_MM, vec(middle - reach))


def watch_shapes(forearm: Sequence[Capsule], size: float) -> tuple[Shape, Shape]:
    """The band around the wrist, and the watch on the back of it."""
    middle = WATCH_X_MM * size
    low, high = (middle - 24.0, -44.0, -34.0), (middle + 24.0, 44.0, 42.0)
    x, y, z = at = mesh(low, high, WATCH_VOXEL_MM)
    band = np.maximum(melted(forearm, at) - 2.4, np.abs(x - middle) - 9.0)
    face = np.maximum(np.hypot(x - middle, y) - 19.0 * size, np.abs(z - 23.0 * size) - 4.5)
    return shaped(band, WATCH_VOXEL_MM, low), shaped(face, WATCH_VOXEL_MM, low)
