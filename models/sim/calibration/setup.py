"""Draws a tray as its owner has just set it up under a camera: any shape, height, tilt, lens, dice, floor and wall.

A set-up drawn here is plainly good: floor, wall and dice are told apart by their colours, nothing shines, the whole
edge of the floor is seen.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.sim.die import Colour, DieLook
from models.sim.errors import SimulatorError
from models.sim.looks import luminance, random_look
from models.sim.rooms import random_material
from models.sim.scene import Lens, Material, Table, Tray, floor_edge, polygon_sides, rectangle_sides
from models.sim.script import Setting
from models.sim.setting import draw_setting
from models.sim.shape import vec
from models.sim.textures import material_texels
from models.sim.view import floor_px_per_mm, overhead, project

Rng = np.random.Generator
Shape = Literal["square", "rectangle", "octagon", "round"]

SHAPES: tuple[Shape, ...] = ("square", "rectangle", "octagon", "round")
USUAL, LARGE = (960, 720), (1280, 960)
"""Px of the picture: as high as the appliance's own, whose sides, where nothing is seen of a tray, are left out; and a
larger one."""
LEAST_FACE_PX = 28.0
"""Where faces were smaller in the usual picture, the large one is taken."""
REACH_MM = (95.0, 140.0)
"""From the middle of the floor to its nearer sides."""
BARREL = (-0.27, 0.06)
"""k1 and k2 of a wide lens whose picture radius grows with the angle, like a fish-eye's."""
HIDDEN_MM = 0.5
"""So much of the floor's edge may the wall hide at most."""
WALL_TOLD, DIE_TOLD, PIPS_TOLD = 0.2, 0.33, 0.35
"""Least distance of two colours as they are seen, which is about the root of their light."""
WALL_LIGHTS = (0.35, 0.5, 0.7, 1.0)
"""Shares of the floor's light that walls get: upright ones less, each side another one."""
AIM_MM = 5.0
"""Spread of the camera's aim about the middle of the floor."""
OVEREXPOSED = 2.0
"""What is so many times as light as the lighter of floor and table is about white."""
MATT = 0.45
"""Floors and tables are at least so rough: a lamp is not mirrored in them."""
DICE = (4, 5)
"""A set is five, of which one may be elsewhere; a row takes four."""
TRIES = 4000


@dataclass(frozen=True, slots=True)
class Wish:
    """What a family asks of its set-ups; all else is left to chance.

    `height_mm` is the camera's distance from the middle of the floor, `tilt_deg` its angle off the vertical, `barrel`
    the share of the wide lens' distortion, `fill` the share of the picture that the tray fills, `reach_mm` how far the
    tray's nearer sides are from its middle, all from and to. `size` is the picture's.
    """

    shapes: tuple[Shape, ...] = SHAPES
    height_mm: tuple[float, float] = (350.0, 1200.0)
    tilt_deg: tuple[float, float] = (0.0, 20.0)
    barrel: tuple[float, float] = (0.0, 0.25)
    fill: tuple[float, float] = (0.82, 0.94)
    reach_mm: tuple[float, float] = REACH_MM
    size: tuple[int, int] | None = None


def draw_setup(rng: Rng, wish: Wish, size: tuple[int, int] | None = None) -> tuple[Setting, Shape]:
    """A set-up as wished, and the tray's shape; `size` is the picture's, else one in which the dice can be read.

    Raises:
        SimulatorError: none is found.
    """
    size = size or wish.size
    shape = wish.shapes[int(rng.integers(len(wish.shapes)))]
    usual = draw_setting(rng, {"Ann": float(rng.uniform(0, 2 * math.pi))})
    table = Table(_matt(random_material(rng, "table")), (float(rng.uniform(-200, 200)), float(rng.uniform(-200, 200))))
    for _ in range(TRIES):
        tray = _tray(rng, shape, wish.reach_mm)
        look = _look(rng)
        stand = _Stand.drawn(rng, wish)
        if _told_apart(tray, look) and _exposed(tray, table, look) and stand.hides(tray) < HIDDEN_MM:
            break
    else:
        raise SimulatorError("no tray, dice and camera fit together: choose another --seed")
    lens = stand.lens(tray, size or USUAL)
    if size is None and look.side_mm * floor_px_per_mm(lens) < LEAST_FACE_PX:
        lens = stand.lens(tray, LARGE)
    dice = (look,) * int(rng.integers(DICE[0], DICE[1] + 1))
    return replace(usual, tray=tray, table=table, lens=lens, dice=dice), shape


def hidden_mm(tray: Tray, camera: NDArray[np.float64]) -> float:
    """How wide the strip of floor is that the wall hides from the camera at (x, y, z) mm, where it is widest."""
    edge = floor_edge(tray, 64)
    if tray.circle_mm > 0:
        normals = edge / np.linalg.norm(edge, axis=1, keepdims=True)
        gaps = ((camera[:2] - edge) * normals).sum(axis=1)
    else:
        gaps = np.array([camera[0] * nx + camera[1] * ny - d for nx, ny, d in tray.sides])
    height, lean = tray.wall_height_mm, tray.wall_slope * tray.wall_height_mm
    return float(((gaps - lean) * height / (camera[2] - height) - lean).max())


def around_rim(tray: Tray) -> NDArray[np.float64]:
    """(n, 3) mm: places round the outer edge of the rim, or a little outside it."""
    edge = floor_edge(tray, 64)
    outward = edge / np.linalg.norm(edge, axis=1, keepdims=True)
    corner = edge + outward * tray.wall_width_mm * math.sqrt(2)
    return np.column_stack([corner, np.full(len(edge), tray.wall_height_mm)])


def filled(lens: Lens, places: NDArray[np.float64]) -> float:
    """The share of the way from the picture's middle to its edges at which the farthest of places (n, 3) mm is seen."""
    size = np.asarray(lens.size)
    return float((np.abs(project(lens, places) - (size - 1) / 2) / size * 2).max())


@dataclass(frozen=True, slots=True)
class _Stand:
    """How the camera stands: its distance, its angles in radians, how far it is aimed off, its lens' distortion."""

    height_mm: float
    tilt: float
    towards: float
    roll: float
    aim_mm: tuple[float, float]
    barrel: float
    fill: float

    @classmethod
    def drawn(cls, rng: Rng, wish: Wish) -> "_Stand":
        """A stand as wished."""
        tilt = math.radians(rng.uniform(*wish.tilt_deg))
        roll = rng.normal(0, math.radians(3)) + (rng.uniform(-0.6, 0.6) if rng.random() < 0.2 else 0.0)
        aim = rng.normal(0, AIM_MM, 2)
        return cls(
            height_mm=float(rng.uniform(*wish.height_mm)),
            tilt=tilt,
            towards=float(rng.uniform(0, 2 * math.pi)),
            roll=float(roll),
            aim_mm=(float(aim[0]), float(aim[1])),
            barrel=float(rng.uniform(*wish.barrel)),
            fill=float(rng.uniform(*wish.fill)),
        )

    def hides(self, tray: Tray) -> float:
        """`hidden_mm` from here."""
        return hidden_mm(tray, np.asarray(self.lens_at(1000.0, USUAL).position))

    def lens_at(self, focal_px: float, size: tuple[int, int]) -> Lens:
        """The lens with this focal length."""
        lens = overhead(self.height_mm, focal_px, size, self.tilt, self.towards, self.roll)
        x, y, z = lens.position
        k1, k2 = (self.barrel * k for k in BARREL)
        return replace(lens, position=(x + self.aim_mm[0], y + self.aim_mm[1], z), k1=k1, k2=k2)

    def lens(self, tray: Tray, size: tuple[int, int]) -> Lens:
        """The lens with the focal length that fills the wished share of the picture with the tray."""
        rim = around_rim(tray)
        low, high = 20.0, 20000.0
        for _ in range(40):
            focal = math.sqrt(low * high)
            low, high = (focal, high) if filled(self.lens_at(focal, size), rim) < self.fill else (low, focal)
        return self.lens_at(low, size)


def _tray(rng: Rng, shape: Shape, reach_mm: tuple[float, float]) -> Tray:
    reach = round(rng.uniform(*reach_mm))
    other = round(reach * rng.uniform(1.15, 1.45))
    wide = rectangle_sides(other, reach) if rng.random() < 0.8 else rectangle_sides(reach, other)
    sides = {
        "square": polygon_sides(4, reach),
        "rectangle": wide,
        "octagon": polygon_sides(8, reach, math.pi / 8),
        "round": polygon_sides(4, reach * 1.2),
    }[shape]
    height, width = float(rng.uniform(22, 45)), float(rng.uniform(5, 20))
    slope = 0.0 if shape == "round" or rng.random() < 0.6 else float(rng.uniform(0.05, 0.45))
    floor, wall = _floor(rng), random_material(rng, "wall")
    if rng.random() < 0.3:
        shade = float(rng.uniform(0.35, 0.7) if rng.random() < 0.5 else rng.uniform(1.5, 2.2))
        wall = replace(floor, colour=_shaded(floor.colour, shade), second_colour=_shaded(floor.second_colour, shade))
    wall = _matt(wall)
    return Tray(
        sides=sides,
        floor=floor,
        wall=wall,
        rim=wall if rng.random() < 0.7 else _matt(random_material(rng, "wall")),
        circle_mm=reach if shape == "round" else 0.0,
        wall_height_mm=height,
        wall_width_mm=max(width, slope * height + 3.0),
        wall_slope=slope,
        base_mm=float(rng.uniform(2, 6)),
        bevel_mm=float(rng.uniform(0.5, 2.5)),
    )


def _floor(rng: Rng) -> Material:
    """Any but one printed with a pattern, or made of boards."""
    while (floor := random_material(rng, "floor")).texture in ("print", "planks"):
        pass
    return _matt(floor)


def _matt(material: Material) -> Material:
    return replace(material, roughness=max(material.roughness, MATT), gloss=min(material.gloss, 0.4))


def _look(rng: Rng) -> DieLook:
    """A die of a size that its owner can name: a whole or half number of mm."""
    while (look := random_look(rng)).side_mm * 2 % 1 or look.pip_wear > 0.4:
        pass
    return look


def _told_apart(tray: Tray, look: DieLook) -> bool:
    """Whether floor and wall, floor and dice, dice and pips differ plainly."""
    floor, wall = (np.asarray(material_texels(material)[1], np.float64) for material in (tray.floor, tray.wall))
    body = np.asarray(look.colour)
    if look.marbling:
        body = body * (1 - look.marbling / 2) + np.asarray(look.second_colour) * look.marbling / 2
    if look.translucency:
        body = body * (1 - look.translucency / 2)
    walls = min(_apart(floor, wall * light) for light in WALL_LIGHTS)
    pips = min(_apart(body, np.asarray(face.colour)) for face in look.faces)
    return walls > WALL_TOLD and _apart(floor, body) > DIE_TOLD and pips > PIPS_TOLD


def _exposed(tray: Tray, table: Table, look: DieLook) -> bool:
    """Whether dice and pips are not both overexposed by a camera that exposes for floor and table."""
    floor, wood = (luminance(vec(material_texels(material)[1])) for material in (tray.floor, table.material))
    darker = min(luminance(look.colour), *(luminance(face.colour) for face in look.faces))
    return darker < OVEREXPOSED * max(floor, wood)


def _apart(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(np.sqrt(a) - np.sqrt(b)))


def _shaded(colour: Colour, factor: float) -> Colour:
    r, g, b = (min(0.9, v * factor) for v in colour)
    return (r, g, b)
