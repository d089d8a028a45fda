"""Draws a recording's setting: a tray on a table, its light, the camera above it, the dice and the players' arms.

Everything here is meant to be seen well: plain floors, dice that stand out from them, light that shows the pips.
"""

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from models.sim.die import WESTERN, Colour, DieLook, Face, pip_cells
from models.sim.gesture import Player
from models.sim.hand import HandMake
from models.sim.looks import hsv
from models.sim.physics import Surface
from models.sim.scene import Lamp, Lens, Material, Sky, Table, Tray, polygon_sides, rectangle_sides
from models.sim.script import Setting
from models.sim.view import overhead

PICTURE = (640, 480)
DICE = 5
BORDER_MM = 34.0
"""Table seen beyond the tray's outer edge, at least."""

FELTS = (
    (0.39, 0.75, 0.3),
    (0.99, 0.8, 0.34),
    (0.61, 0.65, 0.3),
    (0.08, 0.1, 0.22),
    (0.47, 0.7, 0.28),
    (0.76, 0.45, 0.3),
)
"""Hue, saturation and value of floors: green, burgundy, navy, charcoal, petrol, plum."""
BODIES: tuple[tuple[Colour, Colour], ...] = (
    ((0.80, 0.79, 0.75), (0.02, 0.02, 0.02)),
    ((0.78, 0.72, 0.58), (0.03, 0.02, 0.02)),
    ((0.55, 0.02, 0.02), (0.85, 0.85, 0.83)),
    ((0.02, 0.07, 0.38), (0.85, 0.85, 0.83)),
    ((0.60, 0.36, 0.02), (0.03, 0.02, 0.02)),
)
"""Colours of dice and their pips: white, ivory, red, blue, amber."""
METALS: tuple[Colour, ...] = ((0.6, 0.42, 0.12), (0.55, 0.55, 0.56))
STRAPS: tuple[Colour, ...] = ((0.1, 0.05, 0.02), (0.02, 0.02, 0.02), (0.5, 0.5, 0.52), (0.05, 0.1, 0.3))
SKINS: tuple[Colour, ...] = ((0.68, 0.44, 0.33), (0.60, 0.37, 0.26), (0.46, 0.27, 0.17), (0.24, 0.13, 0.08))


def draw_setting(
    rng: np.random.Generator, seats: Mapping[str, float], size: tuple[int, int] = PICTURE, dice: int = DICE
) -> Setting:
    """A setting for players who sit in these directions (radians in the picture); all else varies with `rng`."""
    hue, saturation, value = FELTS[rng.integers(len(FELTS))]
    felt = hsv(hue + rng.normal() * 0.015, saturation, value * rng.uniform(0.85, 1.2))
    tray = _tray(rng, felt)
    return Setting(
        tray=tray,
        table=Table(_wood(rng), (float(rng.uniform(-200, 200)), float(rng.uniform(-200, 200)))),
        lamps=_lamps(rng),
        sky=_sky(rng),
        lens=_lens(rng, tray, size),
        dice=(_die(rng, felt),) * dice,
        players=_players(rng, seats),
        surface=Surface(float(rng.uniform(0.45, 0.62)), float(rng.uniform(0.6, 0.75))),
    )


def _tray(rng: np.random.Generator, felt: Colour) -> Tray:
    reach = float(rng.uniform(104, 126))
    shape = rng.choice(["octagon", "square", "rectangle", "hexagon", "round"])
    sides = {
        "octagon": polygon_sides(8, reach, math.pi / 8),
        "square": polygon_sides(4, reach * 0.95),
        "rectangle": rectangle_sides(reach * 1.2, reach * 0.85),
        "hexagon": polygon_sides(6, reach, math.pi / 6),
        "round": polygon_sides(4, reach * 1.2),
    }[str(shape)]
    return Tray(
        sides=sides,
        floor=Material("felt", felt, _lighter(felt, 1.35), float(rng.uniform(80, 180)), roughness=1.0),
        wall=Material("felt", _lighter(felt, 0.8), felt, 120.0, roughness=1.0),
        rim=_wood(rng),
        circle_mm=reach if shape == "round" else 0.0,
        wall_height_mm=float(rng.uniform(30, 42)),
        wall_width_mm=float(rng.uniform(9, 15)),
    )


def _wood(rng: np.random.Generator) -> Material:
    dark = hsv(rng.uniform(0.055, 0.09), rng.uniform(0.4, 0.65), rng.uniform(0.3, 0.72))
    return Material(
        "wood",
        dark,
        _lighter(dark, float(rng.uniform(1.25, 1.5))),
        float(rng.uniform(220, 420)),
        float(rng.uniform(0, math.pi)),
        roughness=float(rng.uniform(0.35, 0.6)),
        gloss=float(rng.uniform(0.2, 0.5)),
        variant=int(rng.integers(4)),
    )


def _lamps(rng: np.random.Generator) -> tuple[Lamp, ...]:
    """A ceiling lamp, in half the rooms a second one."""
    lamps = []
    for k in range(int(rng.integers(1, 3))):
        away, around, height = rng.uniform(120, 520), rng.uniform(0, 2 * math.pi), rng.uniform(1300, 2000)
        place = (float(away * math.cos(around)), float(away * math.sin(around)), float(height))
        power = float((height / 1000) ** 2 * (1.0 if k == 0 else rng.uniform(0.3, 0.7)))
        warm = float(rng.uniform(0.86, 1.0))
        lamps.append(Lamp(place, float(rng.uniform(110, 260)), (power, power * (0.5 + warm / 2), power * warm)))
    return tuple(lamps)


def _sky(rng: np.random.Generator) -> Sky:
    zenith, horizon = float(rng.uniform(0.45, 0.75)), float(rng.uniform(0.25, 0.45))
    return Sky((zenith,) * 3, (horizon,) * 3)


def _lens(rng: np.random.Generator, tray: Tray, size: tuple[int, int]) -> Lens:
    """A camera on a stand that sees the tray and a border of table."""
    height = float(rng.uniform(580, 760))
    reach_y = max(_reach(tray, 0.0, 1.0), _reach(tray, 0.0, -1.0))
    reach_x = max(_reach(tray, 1.0, 0.0), _reach(tray, -1.0, 0.0))
    grown = 1 + tray.wall_height_mm / height
    margin = tray.wall_width_mm * grown + BORDER_MM
    focal = height * min(size[1] / 2 / (reach_y * grown + margin), size[0] / 2 / (reach_x * grown + margin))
    tilt, around = abs(float(rng.normal(0, math.radians(2.5)))), float(rng.uniform(0, 2 * math.pi))
    lens = overhead(height, focal, size, min(tilt, math.radians(6)), around, float(rng.normal(0, math.radians(2))))
    return Lens(lens.position, lens.rotation, lens.focal_px, lens.centre_px, size, float(rng.uniform(-0.08, 0.02)))


def _reach(tray: Tray, x: float, y: float) -> float:
    """How far the floor reaches from its middle in a direction."""
    reaches = [d / (nx * x + ny * y) for nx, ny, d in tray.sides if nx * x + ny * y > 1e-9]
    return min([*reaches, tray.circle_mm] if tray.circle_mm > 0 else reaches)


def _die(rng: np.random.Generator, felt: Colour) -> DieLook:
    """A die that stands out from the floor."""
    told = [pair for pair in BODIES if math.dist(pair[0], felt) > 0.35]
    body, pips = told[rng.integers(len(told))]
    side = float(rng.choice([15.0, 16.0, 16.0, 16.0, 18.0]))
    radius, turned = side * float(rng.uniform(0.085, 0.1)), rng.integers(0, 2, 7)
    faces = tuple(
        Face(value, pip_cells(value, bool(turned[value])), pips, radius, side * 0.25, radius * 0.5) for value in WESTERN
    )
    edge = side / 2 * float(rng.uniform(0.14, 0.26))
    return DieLook(side, edge, faces, body, roughness=float(rng.uniform(0.15, 0.3)), gloss=float(rng.uniform(0.6, 1.0)))


def _players(rng: np.random.Generator, seats: Mapping[str, float]) -> tuple[Player, ...]:
    """Each with a hand of their own, about where they sit."""
    skins = rng.permutation(len(SKINS))
    players = []
    for k, (name, seat) in enumerate(seats.items()):
        sleeve = None if rng.random() < 0.25 else hsv(rng.random(), rng.uniform(0.2, 0.7), rng.uniform(0.12, 0.6))
        make = HandMake(
            skin=SKINS[skins[k % len(SKINS)]],
            sleeve=sleeve,
            size=float(rng.uniform(0.88, 1.05)),
            left=bool(rng.random() < 0.15),
            cuff_mm=float(rng.uniform(8, 45)),
            wrinkle=float(rng.uniform(0, 6)),
        )
        make = _dressed(make, rng.spawn(1)[0])
        players.append(Player(name, make, seat + float(rng.normal(0, 0.18))))
    return tuple(players)


def _dressed(make: HandMake, rng: np.random.Generator) -> HandMake:
    """The hand a little lighter or darker, some with rings, watches, gloves or wide sleeves."""
    metal, worn = METALS[rng.integers(len(METALS))], rng.random(4)
    return replace(
        make,
        skin=_lighter(make.skin, float(rng.uniform(0.55, 1.05))),
        ring=metal if worn[0] < 0.3 else None,
        watch=STRAPS[rng.integers(len(STRAPS))] if worn[1] < 0.3 else None,
        glove=hsv(rng.random(), rng.uniform(0, 0.7), rng.uniform(0.04, 0.7)) if worn[2] < 0.12 else None,
        loose=float(rng.uniform(1.15, 1.45)) if worn[3] < 0.25 else 1.0,
    )


def _lighter(colour: Colour, factor: float) -> Colour:
    r, g, b = (min(0.9, channel * factor) for channel in colour)
    return (r, g, b)
