"""Where the dice lie: trays, tables, light and lenses, a few named ones and any number drawn at random."""

import math
from dataclasses import dataclass, replace

import numpy as np

from models.sim.camera import Camera
from models.sim.die import Colour
from models.sim.looks import any_colour, hsv
from models.sim.scene import (
    Lamp,
    Lens,
    Material,
    Sky,
    Table,
    TextureName,
    Tray,
    floor_edge,
    polygon_sides,
    rectangle_sides,
)
from models.sim.view import overhead

Rng = np.random.Generator

OAK = Material("wood", (0.16, 0.085, 0.035), (0.42, 0.26, 0.13), 160, 0.0, 0.35, 0.6)
WALNUT = Material("wood", (0.055, 0.025, 0.012), (0.2, 0.1, 0.05), 160, 0.0, 0.35, 0.7, variant=1)
GREEN_FELT = Material("felt", (0.015, 0.075, 0.03), (0.05, 0.2, 0.085), 110, 0.3)
RED_FELT = Material("felt", (0.12, 0.012, 0.016), (0.3, 0.04, 0.045), 110, 0.3)
BROWN_LEATHER = Material("leather", (0.05, 0.02, 0.01), (0.17, 0.08, 0.04), 90, 0.3, 0.45, 0.5)
DESK = Material("planks", (0.22, 0.14, 0.08), (0.48, 0.33, 0.2), 600, 0.1, 0.4, 0.4)


@dataclass(frozen=True, slots=True)
class Light:
    """The lamps and the sky of a room."""

    lamps: tuple[Lamp, ...]
    sky: Sky


NAMED_TRAYS: dict[str, Tray] = {
    "felt": Tray(polygon_sides(4, 115), GREEN_FELT, WALNUT, WALNUT, wall_height_mm=28),
    "leather": Tray(polygon_sides(4, 115), BROWN_LEATHER, BROWN_LEATHER, BROWN_LEATHER, wall_slope=0.25),
    "octagon": Tray(polygon_sides(8, 120), RED_FELT, OAK, OAK, wall_height_mm=35, wall_width_mm=16),
    "round": Tray((), GREEN_FELT, OAK, OAK, circle_mm=125, wall_width_mm=10),
}
NAMED_TABLES: dict[str, Table] = {"desk": Table(DESK)}
NAMED_LIGHTS: dict[str, Light] = {
    "day": Light((Lamp((-700, -500, 1300), 350, (1.0, 1.0, 1.0)),), Sky((0.45, 0.47, 0.5), (0.3, 0.3, 0.3))),
    "lamp": Light((Lamp((350, -450, 900), 25, (1.3, 1.15, 0.9)),), Sky((0.1, 0.1, 0.1), (0.08, 0.08, 0.08))),
    "two_lamps": Light(
        (Lamp((-600, 200, 1200), 60, (0.9, 0.85, 0.75)), Lamp((500, 400, 1000), 60, (0.5, 0.5, 0.5))),
        Sky((0.2, 0.2, 0.2), (0.15, 0.15, 0.15)),
    ),
}


def reach(tray: Tray) -> tuple[float, float]:
    """Half the tray's outer width and height in mm, along x and y."""
    half_width, half_height = np.abs(floor_edge(tray, 64)).max(axis=0)
    return float(half_width) + tray.wall_width_mm, float(half_height) + tray.wall_width_mm


def lens_over(tray: Tray, size: tuple[int, int] = (640, 480), height_mm: float = 700.0, fill: float = 0.92) -> Lens:
    """A lens straight above the tray that fills `fill` of the picture with it."""
    half_width, half_height = reach(tray)
    nearest = height_mm - tray.wall_height_mm
    focal = nearest * fill * min(size[0] / (2 * half_width), size[1] / (2 * half_height))
    return overhead(height_mm, focal, size)


def random_material(rng: Rng, place: str) -> Material:
    """A surface for a `floor`, a `wall` (and rim) or a `table`, in mostly dull colours."""
    odds = _ODDS[place]
    texture: TextureName = list(odds)[int(rng.choice(len(odds), p=list(odds.values())))]
    variant = int(rng.integers(6))
    size = float(rng.uniform(*_SIZES[texture]))
    turn = 0.0 if place == "wall" else float(rng.uniform(0, 2 * math.pi))
    dark, light = _two_tones(rng, texture)
    roughness = _roughness(rng, texture)
    gloss = 0.0 if roughness > 0.8 else float(rng.uniform(0.3, 1))
    return Material(texture, dark, light, size, turn, roughness, gloss, variant)


def random_tray(rng: Rng) -> Tray:
    """A tray of any common shape, 16 to 34 cm wide, with walls of 12 to 55 mm; now and then a flat mat."""
    half = float(rng.uniform(80, 170))
    shape = rng.choice(
        ["square", "rectangle", "octagon", "round", "hexagon", "mat"], p=[0.3, 0.25, 0.2, 0.13, 0.05, 0.07]
    )
    wall = random_material(rng, "wall")
    tray = Tray(
        sides=(),
        floor=random_material(rng, "floor"),
        wall=wall,
        rim=wall if rng.random() < 0.7 else random_material(rng, "wall"),
        wall_height_mm=float(rng.uniform(12, 55)),
        wall_width_mm=float(rng.uniform(2, 22)),
        base_mm=float(rng.uniform(1, 6)),
        bevel_mm=float(rng.uniform(0.3, 3)),
    )
    if shape == "round":
        return replace(tray, circle_mm=half)
    slope = float(rng.uniform(0, 0.5)) if rng.random() < 1 / 3 else 0.0
    tray = replace(tray, wall_slope=min(slope, 0.8 * tray.wall_width_mm / tray.wall_height_mm))
    if shape == "octagon":
        return replace(tray, sides=polygon_sides(8, half))
    if shape == "hexagon":
        return replace(tray, sides=polygon_sides(6, half))
    if shape == "mat":
        return replace(tray, sides=rectangle_sides(half, half), wall_height_mm=0.0, wall_width_mm=0.1, wall_slope=0.0)
    other = half if shape == "square" else half * float(rng.uniform(0.6, 1))
    cut = math.hypot(half, other) * float(rng.uniform(0.9, 0.98)) if rng.random() < 0.2 else 0.0
    slope = 0.0 if cut else tray.wall_slope
    return replace(tray, sides=rectangle_sides(half, other), circle_mm=cut, wall_slope=slope)


def random_table(rng: Rng) -> Table:
    """A table top, mostly wood."""
    return Table(random_material(rng, "table"), (float(rng.uniform(0, 500)), float(rng.uniform(0, 500))))


def random_light(rng: Rng) -> Light:
    """One to three lamps, hard to soft, under a sky that gives from almost nothing to most of the light."""
    ambient = float(rng.uniform(0.25, 0.8) if rng.random() < 0.45 else rng.uniform(0.03, 0.25))
    count = int(rng.choice([1, 1, 2, 3]))
    lamps = []
    for _ in range(count):
        away, around, distance = rng.uniform(0, 1.1), rng.uniform(0, 2 * math.pi), rng.uniform(450, 2200)
        x, y = distance * math.sin(away) * math.cos(around), distance * math.sin(away) * math.sin(around)
        radius = distance * rng.choice([0.01, 0.03, 0.06, 0.12, 0.25])
        strength = rng.uniform(0.25, 1.0) / count * (1.5 - ambient)
        at_1_m = strength * (distance / 1000) ** 2 / max(0.3, math.cos(away))
        lamps.append(Lamp((x, y, distance * math.cos(away)), radius, _tinted(rng, at_1_m)))
    return Light(tuple(lamps), _random_sky(rng, ambient))


def random_lens(rng: Rng, tray: Tray, size: tuple[int, int]) -> Lens:
    """A camera 35 to 120 cm above the tray, most of it in view, a little tilted, turned any way."""
    height = float(rng.uniform(350, 1200))
    focal = lens_over(tray, size, height).focal_px * float(rng.uniform(0.8, 1.35))
    tilt = min(abs(float(rng.normal(0, 0.157))), 0.6)
    roll = float(rng.choice([0, math.pi / 2, rng.uniform(0, 2 * math.pi)]) + rng.normal() * 0.05)
    lens = overhead(height, focal, size, tilt, float(rng.uniform(0, 2 * math.pi)), roll)
    distortion = float(rng.uniform(-0.25, 0.12)) * min(1.0, (focal / size[0]) ** 2) if rng.random() < 0.5 else 0.0
    aperture = float(rng.uniform(0.3, 2.5)) if rng.random() < 1 / 3 else 0.0
    return replace(lens, k1=distortion, aperture_mm=aperture, focus_mm=height - 8 + float(rng.normal()) * height * 0.04)


def random_camera(rng: Rng) -> Camera:
    """Settings from a good camera in good light to a poor one in poor light."""
    red, blue = (float(v) for v in np.clip(1 + rng.normal(size=2) * (0.08, 0.1), 0.6, 1.5))
    return Camera(
        exposure=0.33 * float(np.exp(rng.normal() * 0.3)),
        white_balance=(red, 1.0, blue),
        vignette=float(rng.choice([0, rng.uniform(0, 0.6)])),
        blur_px=float(rng.choice([0, rng.uniform(0.3, 0.8), rng.uniform(0.6, 1.6)], p=[0.45, 0.35, 0.2])),
        shot_noise=float(10 ** rng.uniform(-4.5, -2.4)),
        read_noise=float(10 ** rng.uniform(-3, -1.6)),
        shoulder=float(rng.choice([0, rng.uniform(0, 0.8)])),
        gamma=float(rng.uniform(1.8, 2.5)),
        contrast=float(rng.uniform(0, 0.6)),
        saturation=float(rng.choice([1, rng.uniform(0.5, 1.2), 0], p=[0.55, 0.4, 0.05])),
        sharpening=float(rng.choice([0, rng.uniform(0.2, 1.0)])),
        jpeg_quality=int(rng.choice([100, 95, 90, 80, 65, 45])),
    )


_ODDS: dict[str, dict[TextureName, float]] = {
    "floor": {
        "plain": 0.15,
        "felt": 0.34,
        "cloth": 0.12,
        "leather": 0.15,
        "wood": 0.12,
        "planks": 0.05,
        "print": 0.04,
        "speckle": 0.03,
    },
    "wall": {"plain": 0.33, "felt": 0.1, "cloth": 0.06, "leather": 0.15, "wood": 0.33, "speckle": 0.03},
    "table": {
        "plain": 0.2,
        "felt": 0.03,
        "cloth": 0.13,
        "leather": 0.03,
        "wood": 0.2,
        "planks": 0.32,
        "print": 0.04,
        "speckle": 0.05,
    },
}
_SIZES: dict[TextureName, tuple[float, float]] = {
    "plain": (80, 400),
    "felt": (60, 200),
    "cloth": (60, 240),
    "leather": (50, 140),
    "wood": (120, 350),
    "planks": (250, 700),
    "print": (80, 400),
    "speckle": (80, 300),
}


def _two_tones(rng: Rng, texture: TextureName) -> tuple[Colour, Colour]:
    if texture in ("wood", "planks"):
        dark = hsv(rng.uniform(0.04, 0.1), rng.uniform(0.3, 0.75), rng.uniform(0.25, 0.7))
        return dark, _scaled(dark, rng.uniform(1.5, 3.0))
    if texture == "print":
        return any_colour(rng), any_colour(rng)
    if texture == "felt" and rng.random() < 0.5:
        hue = float(rng.choice([0.0, 0.38, 0.4, 0.62, 0.75, 0.98])) + rng.normal() * 0.015
        dark = hsv(hue, rng.uniform(0.25, 0.9), rng.uniform(0.2, 0.6))
        return dark, _scaled(dark, 1.8)
    dark = any_colour(rng, 0.08)
    return dark, any_colour(rng) if texture == "speckle" else _scaled(dark, rng.uniform(1.1, 2.0))


def _roughness(rng: Rng, texture: TextureName) -> float:
    if texture in ("felt", "cloth"):
        return 1.0
    if texture == "leather":
        return 0.45
    if texture == "plain":
        return float(rng.choice([0.2, 0.5, 1.0]))
    return float(rng.choice([0.2, 0.35, 0.6]))


def _random_sky(rng: Rng, ambient: float) -> Sky:
    x, y = rng.normal(size=2) * 0.7
    window = (float(x), float(x + rng.uniform(0.2, 1.2)), float(y), float(y + rng.uniform(0.2, 1.2)))
    glare = ambient * float(rng.uniform(0, 10)) if rng.random() < 0.5 else 0.0
    zenith = _tinted(rng, ambient * float(rng.uniform(0.6, 1.2)))
    return Sky(zenith, _tinted(rng, ambient * float(rng.uniform(0.4, 1.2))), window, (glare, glare, glare))


def _tinted(rng: Rng, strength: float) -> Colour:
    red, blue = (max(0.2, 1 + float(v)) for v in rng.normal(size=2) * (0.05, 0.12))
    return (strength * red, strength, strength * blue)


def _scaled(colour: Colour, factor: float) -> Colour:
    red, green, blue = (min(c * factor, 0.9) for c in colour)
    return (red, green, blue)
