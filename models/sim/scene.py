"""Everything one simulated picture shows, as plain frozen facts in mm.

World: the middle of the tray's floor is the origin and the floor is z = 0; z points up, to the camera. x points right
and y DOWN in the picture of an untilted camera, as in image and calibration coordinates. Drawn on paper these axes
are a mirrored frame, but every formula here (quaternions, cross products, a physics engine fed with these numbers) is
the usual right-handed algebra: bodies fall and turn in a mirror as they do outside. The one thing a mirror changes
is which way round a die's values run, and models.sim.die states that as seen in the picture.

`models.sim.pose` has poses, `models.sim.die` the dice, `models.sim.view` the projection into the picture.
"""

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.sim.die import Colour, DieLook, PlacedDie, upmost_face
from models.sim.pose import Pose, Quaternion, Vec3

TextureName = Literal["plain", "felt", "cloth", "leather", "wood", "planks", "print", "speckle"]
DieState = Literal["flat", "stacked", "cocked", "off_tray"]

FLAT_TILT_DEG = 8.0
STACKED_HEIGHT = 0.7
"""A flat die whose centre is higher than this many sides lies on something."""


@dataclass(frozen=True, slots=True)
class Material:
    """A surface: a grey texture that runs from `colour` to `second_colour`.

    One period of the texture is `size_mm` wide and turned by `turn` radians. `roughness` 0 is a mirror's polish,
    1 is felt; `gloss` scales the reflection (0 = none). `variant` picks one of the texture's drawings.
    """

    texture: TextureName
    colour: Colour
    second_colour: Colour
    size_mm: float = 200.0
    turn: float = 0.0
    roughness: float = 0.9
    gloss: float = 0.0
    variant: int = 0


@dataclass(frozen=True, slots=True)
class Tray:
    """A convex floor with a raised edge.

    The floor is where nx * x + ny * y < d for each `side` (nx, ny, d) (at most 8, unit normals pointing outward)
    and, when `circle_mm` > 0, inside that radius. The wall's inner side leans outward by `wall_slope` mm per mm of
    height, its upright outer side stands `wall_width_mm` outside the floor's edge, its top is the rim, whose edges
    are rounded over `bevel_mm`. A wall height of 0 makes a flat mat. The floor lies `base_mm` above the table.
    """

    sides: tuple[Vec3, ...]
    floor: Material
    wall: Material
    rim: Material
    circle_mm: float = 0.0
    wall_height_mm: float = 30.0
    wall_width_mm: float = 12.0
    wall_slope: float = 0.0
    base_mm: float = 4.0
    bevel_mm: float = 1.5


@dataclass(frozen=True, slots=True)
class Table:
    """What the tray stands on; the texture is shifted by `offset_mm`."""

    material: Material
    offset_mm: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Lamp:
    """A disc lamp of `radius_mm`, always facing the lit point.

    `colour` is the linear RGB that a white surface facing it at 1 m shows.
    """

    position: Vec3
    radius_mm: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Sky:
    """Light from everywhere above, from the zenith to the horizon.

    `window` is a bright patch seen only in reflections: x from, x to, y from, y to of the direction divided by its z.
    """

    zenith: Colour
    horizon: Colour
    window: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    window_colour: Colour = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera.

    Its own axes are x right and y down in the picture and z back out of the lens, so that an unturned camera
    (rotation 1, 0, 0, 0) looks straight down with its picture's x and y along the world's. (0, 0) is the centre of
    the top-left pixel. A direction (x, y, -1) is seen at centre + focal * (x, y) * (1 + k1 r^2 + k2 r^4).
    `aperture_mm` is the lens' radius (0 = all sharp), `focus_mm` the distance in focus; `size` is (width, height) px.
    """

    position: Vec3
    rotation: Quaternion
    focal_px: float
    centre_px: tuple[float, float]
    size: tuple[int, int]
    k1: float = 0.0
    k2: float = 0.0
    aperture_mm: float = 0.0
    focus_mm: float = 600.0

    @property
    def pose(self) -> Pose:
        """Where the camera is and how it is turned."""
        return Pose(self.position, self.rotation)


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A hand, a sleeve or any other shape, as a grid of distances to its surface.

    `grid` is float32 (nz, ny, nx), in mm, negative inside; voxel (0, 0, 0) lies at `origin` in the body's own mm.
    Skin mixes its two colours in soft blotches, cloth has a bumpy surface.
    """

    grid: NDArray[np.float32] = field(repr=False)
    voxel_mm: float
    origin: Vec3
    start: Pose
    end: Pose
    colour: Colour
    second_colour: Colour
    roughness: float = 0.5
    gloss: float = 0.6
    kind: Literal["skin", "cloth"] = "skin"


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture's world. `seed` chooses the grain of the drawing, nothing else."""

    tray: Tray
    table: Table
    lamps: tuple[Lamp, ...]
    sky: Sky
    lens: Lens
    dice: tuple[PlacedDie, ...] = ()
    bodies: tuple[Body, ...] = ()
    seed: int = 0


def polygon_sides(count: int, apothem_mm: float, turn: float = 0.0) -> tuple[Vec3, ...]:
    """Sides of a regular polygon whose sides lie `apothem_mm` from the middle (4 = square, 8 = octagon)."""
    angles = [turn + 2 * math.pi * k / count for k in range(count)]
    return tuple((math.cos(a), math.sin(a), apothem_mm) for a in angles)


def rectangle_sides(half_width_mm: float, half_height_mm: float) -> tuple[Vec3, ...]:
    """Sides of an upright rectangle."""
    return ((1, 0, half_width_mm), (-1, 0, half_width_mm), (0, 1, half_height_mm), (0, -1, half_height_mm))


def room_inside(tray: Tray, x: float, y: float, z: float = 0.0) -> float:
    """How far in mm a point lies inside the floor's edge, or at height z inside the wall (negative = outside)."""
    rooms = [(d + tray.wall_slope * z) - (nx * x + ny * y) for nx, ny, d in tray.sides]
    if tray.circle_mm > 0:
        rooms.append(tray.circle_mm - math.hypot(x, y))
    return min(rooms)


def floor_edge(tray: Tray, n: int) -> NDArray[np.float64]:
    """(m, 2) mm: the floor's edge, clockwise in the picture: `n` points even in angle, and all corners of the sides."""
    angles = {round(2 * math.pi * k / n, 9) for k in range(n)} | set(_corner_angles(tray))
    points = []
    for angle in sorted(angles):
        x, y = math.cos(angle), math.sin(angle)
        reach = [d / (nx * x + ny * y) for nx, ny, d in tray.sides if nx * x + ny * y > 1e-9]
        if tray.circle_mm > 0:
            reach.append(tray.circle_mm)
        points.append((x * min(reach), y * min(reach)))
    return np.array(points)


def _corner_angles(tray: Tray) -> list[float]:
    """Angles in [0, 2 pi) at which two sides meet on the floor's edge."""
    angles = []
    for i, (ax, ay, ad) in enumerate(tray.sides):
        for bx, by, bd in tray.sides[i + 1 :]:
            det = ax * by - ay * bx
            if abs(det) < 1e-9:
                continue
            x, y = (ad * by - bd * ay) / det, (ax * bd - bx * ad) / det
            if room_inside(tray, x, y) > -1e-6:
                angles.append(round(math.atan2(y, x) % (2 * math.pi), 9))
    return angles


def die_state(tray: Tray, look: DieLook, pose: Pose) -> DieState:
    """How a die at rest lies: off the tray, cocked, stacked on something, or flat on the floor."""
    x, y, z = pose.position
    if z < 0 or room_inside(tray, x, y, z) < 0:
        return "off_tray"
    if upmost_face(pose)[1] > FLAT_TILT_DEG:
        return "cocked"
    return "stacked" if z > STACKED_HEIGHT * look.side_mm else "flat"
