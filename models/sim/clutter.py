"""What lies about beside a tray: a pencil, a score pad, a mug, dice in a row that are not in play."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

from models.sim.die import DieLook, PlacedDie, face_up
from models.sim.looks import hsv
from models.sim.pose import Pose, about, multiply
from models.sim.props import Cup
from models.sim.scene import Body, room_inside
from models.sim.script import Setting
from models.sim.shape import Capsule, Part, Shape, bake, mesh, shaped, tinted
from models.sim.view import project

TRIES = 400
GAP_MM = 7.0
"""Least distance of a thing from the tray and from other things."""
ARM_RAD = 0.75
"""Nothing stands where a player reaches in."""
PENCIL_MM, PAD_MM = 165.0, (74.0, 104.0, 5.0)


@dataclass(frozen=True, slots=True)
class _Thing:
    """What is to be put down: the discs that it covers, (n, 3) x, y and radius in its own mm, and how it is built."""

    discs: tuple[tuple[float, float, float], ...]
    build: Callable[[Pose], tuple[Sequence[Body], Sequence[PlacedDie]]]
    whole: bool = False


def cluttered(setting: Setting, rng: np.random.Generator) -> Setting:
    """The setting with a few things on the table, wherever there is room that no arm crosses."""
    return _strewn(setting, [_dice_row(setting.dice[0], rng), _mug(rng), _pad(), _pencil(rng)], rng)


def papers(setting: Setting, rng: np.random.Generator) -> Setting:
    """The setting with a score pad and a pencil on the table, where there is room that no arm crosses."""
    return _strewn(setting, [_pad(), _pencil(rng)], rng)


def _strewn(setting: Setting, things: Sequence[_Thing], rng: np.random.Generator) -> Setting:
    taken: list[tuple[float, float, float]] = []
    bodies: list[Body] = []
    dice: list[PlacedDie] = []
    for thing in things:
        pose = _room_for(thing, setting, taken, rng)
        if pose is not None:
            taken += _discs_at(thing, pose)
            more, others = thing.build(pose)
            bodies += more
            dice += others
    return replace(setting, clutter=tuple(bodies), idle_dice=tuple(dice))


def _room_for(
    thing: _Thing, setting: Setting, taken: Sequence[tuple[float, float, float]], rng: np.random.Generator
) -> Pose | None:
    for _ in range(TRIES):
        around, away = rng.uniform(0, 2 * math.pi), rng.uniform(120, 330)
        pose = Pose(
            (float(away * math.cos(around)), float(away * math.sin(around)), -setting.tray.base_mm),
            about((0, 0, 1), float(rng.uniform(0, 2 * math.pi))),
        )
        discs = _discs_at(thing, pose)
        if _is_free(discs, setting, taken) and _is_shown(discs, setting, thing.whole):
            return pose
    return None


def _discs_at(thing: _Thing, pose: Pose) -> list[tuple[float, float, float]]:
    at = pose.to_world([(x, y, 0.0) for x, y, _ in thing.discs])
    return [(float(x), float(y), r) for (x, y, _), (_, _, r) in zip(at, thing.discs, strict=True)]


def _is_free(
    discs: Sequence[tuple[float, float, float]], setting: Setting, taken: Sequence[tuple[float, float, float]]
) -> bool:
    """Beside the tray, apart from other things, and where no player's arm comes from."""
    edge = setting.tray.wall_width_mm + GAP_MM
    for x, y, r in discs:
        if room_inside(setting.tray, x, y) > -(edge + r):
            return False
        if any(math.hypot(x - u, y - v) < r + other + GAP_MM for u, v, other in taken):
            return False
        for player in setting.players:
            off = math.atan2(y, x) - player.seat
            if abs(math.atan2(math.sin(off), math.cos(off))) < ARM_RAD:
                return False
    return True


def _is_shown(discs: Sequence[tuple[float, float, float]], setting: Setting, whole: bool) -> bool:
    """Whether the picture shows all of it, or at least the middle of some disc."""
    width, height = setting.lens.size
    per_mm = setting.lens.focal_px / setting.lens.position[2]
    px = project(setting.lens, [(x, y, 0.0) for x, y, _ in discs])
    rim = np.array([r * per_mm * 1.3 for _, _, r in discs])[:, None] if whole else 0.0
    inside = ((px > rim) & (px < np.array([width, height]) - rim)).all(axis=1)
    return bool(inside.all() if whole else inside.any())


def _dice_row(look: DieLook, rng: np.random.Generator) -> _Thing:
    """Three to six dice side by side; of the kind that is played with, or of another colour."""
    count, step = int(rng.integers(3, 7)), look.side_mm * float(rng.uniform(1.1, 1.6))
    own = rng.random() < 0.5
    other = replace(look, colour=hsv(rng.random(), rng.uniform(0.3, 0.9), rng.uniform(0.3, 0.8)))
    values = [int(value) for value in rng.integers(1, 7, count)]
    places = [(k - (count - 1) / 2) * step for k in range(count)]

    def build(pose: Pose) -> tuple[Sequence[Body], Sequence[PlacedDie]]:
        dice = []
        for x, value in zip(places, values, strict=True):
            turn = multiply(pose.rotation, face_up(look, value, float(rng.normal(0, 0.08))))
            at = pose.to_world([(x, float(rng.normal(0, 0.8)), look.side_mm / 2)])[0]
            placed = Pose((float(at[0]), float(at[1]), float(at[2])), turn)
            dice.append(PlacedDie.still(look if own else other, placed))
        return (), dice

    return _Thing(tuple((x, 0.0, look.side_mm * 0.75) for x in places), build, whole=True)


def _mug(rng: np.random.Generator) -> _Thing:
    colour = hsv(rng.random(), rng.uniform(0, 0.7), rng.uniform(0.2, 0.75))
    drink = (0.05, 0.025, 0.012)

    def build(pose: Pose) -> tuple[Sequence[Body], Sequence[PlacedDie]]:
        cup = Cup(colour, leather=False, radius=40.0, height=88.0)
        shape, coffee = _mug_shapes()
        parts = [
            *cup.parts(0),
            Part(shape, colour, tinted(colour, (1.05,) * 3), 0.22, 0.9),
            Part(coffee, drink, drink, 0.1, 1.0),
        ]
        return _set_down(parts, pose, 44.5), ()

    return _Thing(((0.0, 0.0, 44.0), (52.0, 0.0, 16.0)), build)


def _pad() -> _Thing:
    def build(pose: Pose) -> tuple[Sequence[Body], Sequence[PlacedDie]]:
        sheet, lines = _pad_shapes()
        paper, ink = (0.72, 0.72, 0.68), (0.2, 0.22, 0.3)
        parts = [Part(sheet, paper, tinted(paper, (1.04,) * 3), 0.95, 0.0), Part(lines, ink, ink, 0.95, 0.0)]
        return _set_down(parts, pose, PAD_MM[2] / 2), ()

    corners = [(x, y, 20.0) for x in (-18.0, 18.0) for y in (-32.0, 0.0, 32.0)]
    return _Thing(tuple(corners), build)


def _pencil(rng: np.random.Generator) -> _Thing:
    colour = hsv(rng.choice([0.0, 0.12, 0.33, 0.6]), 0.85, rng.uniform(0.3, 0.7))

    def build(pose: Pose) -> tuple[Sequence[Body], Sequence[PlacedDie]]:
        shaft, tip = _pencil_shapes()
        wood = (0.55, 0.38, 0.2)
        return _set_down(
            [Part(shaft, colour, colour, 0.3, 0.6), Part(tip, wood, tinted(wood, (0.8,) * 3))], pose, 4
        ), ()

    return _Thing(tuple((x, 0.0, 8.0) for x in np.linspace(-PENCIL_MM / 2, PENCIL_MM / 2, 7).tolist()), build)


def _set_down(parts: Sequence[Part], pose: Pose, half_height: float) -> list[Body]:
    x, y, z = pose.position
    lying = Pose((x, y, z + half_height), pose.rotation)
    return [part.drawn(lying, lying) for part in parts]


@lru_cache(maxsize=1)
def _mug_shapes() -> tuple[Shape, Shape]:
    """The handle, and the drink."""
    ring = [(40 + 22 * math.sin(a), 26 * math.cos(a)) for a in np.linspace(0.25, math.pi - 0.25, 8)]
    handle = bake([Capsule((a[0], 0, a[1]), (b[0], 0, b[1]), 5, 5) for a, b in pairwise(ring)], 2.0)
    low = (-44.0, -44.0, 4.0)
    x, y, z = mesh(low, (44.0, 44.0, 36.0), 2.0)
    coffee = np.maximum(np.hypot(x, y) - 36.5, np.abs(z - 20) - 6)
    return handle, shaped(coffee, 2.0, low)


@lru_cache(maxsize=1)
def _pad_shapes() -> tuple[Shape, Shape]:
    """The paper, and the lines printed on it."""
    half = np.asarray(PAD_MM) / 2
    low = (-half[0] - 6, -half[1] - 6, -half[2] - 4)
    x, y, z = mesh(low, (half[0] + 6, half[1] + 6, half[2] + 4), 1.0)
    sheet = np.maximum.reduce([np.abs(x) - half[0], np.abs(y) - half[1], np.abs(z) - half[2]])
    rows = np.abs((y + 4) % 8.0 - 4.0) - 0.45
    columns = np.minimum(np.abs(np.abs(x) - 12), np.abs(np.abs(x) - 30)) - 0.45
    border = np.maximum(np.abs(x) - half[0] + 7, np.abs(y) - half[1] + 7)
    lines = np.maximum.reduce([np.minimum(rows, columns), border, np.abs(z - half[2]) - 0.5])
    return shaped(sheet, 1.0, low), shaped(lines, 1.0, low)


@lru_cache(maxsize=1)
def _pencil_shapes() -> tuple[Shape, Shape]:
    """The painted shaft and the sharpened tip, along x."""
    half = PENCIL_MM / 2
    shaft = bake([Capsule((-half, 0, 0), (half - 20, 0, 0), 3.7, 3.7)], 1.2)
    return shaft, bake([Capsule((half - 20, 0, 0), (half, 0, 0), 3.6, 0.6)], 0.8)
