"""What lies beside a tray that is being set up, where it should not: another tray."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from models.sim.pose import Pose
from models.sim.scene import Body, Material, Tray
from models.sim.shape import Part, Shape, mesh, shaped, vec
from models.sim.textures import material_texels

GAP_MM = 12.0
"""Between two trays that stand side by side."""
VOXEL_MM = 3.0
FLOOR_MM = 4.0
"""How thick its floor is."""


def second_tray(tray: Tray) -> tuple[tuple[Body, ...], float]:
    """A tray like the given one at its right, and how far apart in mm their middles are."""
    apart = 2 * (_reach(tray, 1.0, 0.0) + tray.wall_width_mm) + GAP_MM
    place = Pose((apart, 0.0, -tray.base_mm))
    wall, floor = _shapes(tray)
    parts = (_part(wall, tray.wall), _part(floor, tray.floor))
    return tuple(part.drawn(place, place) for part in parts), apart


def _part(shape: Shape, material: Material) -> Part:
    mean = np.asarray(material_texels(material)[1], np.float64)
    return Part(shape, vec(mean * 0.95), vec(mean * 1.05), 1.0, 0.0)


def _reach(tray: Tray, x: float, y: float) -> float:
    reaches: Sequence[float] = [d / (nx * x + ny * y) for nx, ny, d in tray.sides if nx * x + ny * y > 1e-9]
    return min([*reaches, tray.circle_mm] if tray.circle_mm > 0 else reaches)


@lru_cache(maxsize=4)
def _shapes(tray: Tray) -> tuple[Shape, Shape]:
    """The wall and the floor of the tray, standing on the table at z = 0."""
    reach = max(_reach(tray, x, y) for x, y in ((1.0, 0.0), (0.0, 1.0))) * 1.1 + tray.wall_width_mm
    high = tray.wall_height_mm + tray.base_mm
    low = (-reach - 8, -reach - 8, -6.0)
    x, y, z = mesh(low, (reach + 8, reach + 8, high + 8), VOXEL_MM)
    away = np.max([nx * x + ny * y - d for nx, ny, d in tray.sides], axis=0)
    if tray.circle_mm > 0:
        away = np.maximum(away, np.hypot(x, y) - tray.circle_mm)
    inner = away - tray.wall_slope * z
    ring = np.maximum.reduce([away - tray.wall_width_mm, -inner, z - high, -z])
    slab = np.maximum.reduce([away - 2.0, z - FLOOR_MM - tray.base_mm, -z])
    return shaped(ring, VOXEL_MM, low), shaped(slab, VOXEL_MM, low)
