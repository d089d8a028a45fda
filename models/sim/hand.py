"""A player's hand and arm as grids of distances, baked from a skeleton of tapered capsules.

A hand's own axes, in mm: the wrist at the origin, fingers along +x, the palm facing -z; the thumb of a right hand
points to -y (the world's y runs down the picture). Lengths are those of a grown-up's hand of 19 cm; `size` scales it.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models.sim.die import Colour
from models.sim.pose import Pose, Vec3
from models.sim.scene import Body

HAND_VOXEL_MM = 2.4
ARM_VOXEL_MM = 4.0
ARM_MM = 460.0
"""From the wrist backward: long enough to leave the picture wherever the hand is."""
HOLLOW: Vec3 = (92.0, -2.0, -36.0)
"""Middle of the room under the closed fingers, where dice are carried."""
CLOSING_STEPS = 4
"""The hand opens in so many steps: each needs a grid of its own."""

KNUCKLES = ((88.0, -30.0, 4.0), (93.0, -10.0, 6.0), (88.0, 10.0, 5.0), (78.0, 28.0, 1.0))
BONES = ((44.0, 26.0, 21.0), (49.0, 30.0, 23.0), (45.0, 28.0, 22.0), (35.0, 20.0, 19.0))
THICKNESS = ((10.0, 8.8, 7.8, 6.6), (10.3, 9.0, 8.0, 6.8), (9.9, 8.6, 7.6, 6.5), (8.8, 7.5, 6.6, 5.7))
"""Radii at knuckle, two joints and tip of index, middle, ring and little finger."""


@dataclass(frozen=True, slots=True)
class HandMake:
    """What a player's arm looks like. Without `sleeve` it is bare; a sleeve ends `cuff_mm` behind the wrist."""

    skin: Colour
    sleeve: Colour | None
    size: float = 1.0
    left: bool = False
    cuff_mm: float = 25.0
    wrinkle: float = 0.0


@dataclass(frozen=True)
class Shape:
    """A baked grid in the hand's own mm, and points all over its body (n, 3) to measure what it covers."""

    grid: NDArray[np.float32]
    voxel_mm: float
    origin: Vec3
    points: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Capsule:
    """A rounded bone from a to b whose radius runs from ra to rb; capsules of one group melt together most."""

    a: Vec3
    b: Vec3
    ra: float
    rb: float
    group: str


@lru_cache(maxsize=24)
def hand_shape(make: HandMake, closing: int) -> Shape:
    """The hand from fingertips to just behind the wrist; closing 0 = open ... CLOSING_STEPS - 1 = closed over dice."""
    capsules = _skeleton(make, closing / (CLOSING_STEPS - 1))
    return _bake(capsules, HAND_VOXEL_MM, (-58.0 * make.size, math.inf))


@lru_cache(maxsize=8)
def arm_shape(make: HandMake) -> Shape:
    """The forearm behind the hand: a wrinkled sleeve, or the bare arm."""
    if make.sleeve is None:
        return _bake(_forearm(make), ARM_VOXEL_MM, (-ARM_MM, -30.0 * make.size))
    low, high = (-ARM_MM, -70.0, -62.0), (-make.cuff_mm + 8, 70.0, 74.0)
    x, y, z = _mesh(low, high, ARM_VOXEL_MM)
    w = make.wrinkle
    radius = (31 + np.maximum(-x - 40, 0) * 0.055) * make.size
    radius += 1.5 * np.sin(x * 0.2 + 2 * np.sin(y * 0.05 + w)) + 1.2 * np.sin(x * 0.1 + y * 0.1 + z * 0.13 + w)
    tube = np.maximum(np.hypot(y, z - 3) - radius, x + make.cuff_mm) * 0.8
    return _shape(tube.astype(np.float32), ARM_VOXEL_MM, low)


def bodies(make: HandMake, closing: int, start: Pose, end: Pose) -> tuple[Body, Body]:
    """The hand and its arm as things to draw, moving from one pose to the other while the shutter is open."""
    hand, arm = hand_shape(make, closing), arm_shape(make)
    second = _tint(make.skin, (1.22, 1.14, 1.1))
    skin = Body(hand.grid, hand.voxel_mm, hand.origin, start, end, _tint(make.skin, (0.88,) * 3), second)
    if make.sleeve is None:
        bare = Body(arm.grid, arm.voxel_mm, arm.origin, start, end, _tint(make.skin, (0.88,) * 3), second)
        return skin, bare
    light = _tint(make.sleeve, (1.3,) * 3)
    cloth = Body(arm.grid, arm.voxel_mm, arm.origin, start, end, make.sleeve, light, 1.0, 0.0, "cloth")
    return skin, cloth


def carried(make: HandMake, count: int, side_mm: float) -> list[Vec3]:
    """Places in the hand's own mm for dice in the closed hand: two rows above, the others below them."""
    step = side_mm * 1.16
    cells = [(0.4, -0.6, 0), (0.4, 0.6, 0), (-0.6, 0, 0), (0.3, 0, -1), (-0.6, -0.9, -1), (-0.6, 0.9, -1)]
    hollow = np.asarray(HOLLOW) * (1, -1 if make.left else 1, 1) * make.size
    places = [hollow + step * np.asarray(cell) for cell in cells[:count]]
    return [(float(x), float(y), float(z)) for x, y, z in places]


def _skeleton(make: HandMake, closed: float) -> list[Capsule]:
    """All bones of a hand whose joints are bent by `closed` (0 = nearly flat, 1 = a cupped hand)."""
    bend = 0.12 + 0.72 * closed
    spread = 0.11 * (1 - 0.75 * closed)
    parts: list[Capsule] = []
    for k, (knuckle, bones, radii) in enumerate(zip(KNUCKLES, BONES, THICKNESS, strict=True)):
        parts.append(Capsule((4.0, knuckle[1] * 0.55, 0.0), knuckle, 15.0, 11.5, "palm"))
        yaw = (k - 1.5) * spread
        heading, at = 0.0, np.asarray(knuckle)
        for j, share in enumerate((1.0, 1.05, 0.7)):
            heading += (bend + 0.05 * ((k * 7) % 3 - 1)) * share
            along = np.array([math.cos(heading) * math.cos(yaw), math.sin(yaw), -math.sin(heading)])
            end = at + along * bones[j]
            parts.append(Capsule(_vec(at), _vec(end), radii[j], radii[j + 1], f"finger{k}"))
            at = end
    parts += _thumb(closed)
    parts.append(Capsule((60.0, -24.0, -6.0), (58.0, 22.0, -6.0), 12.0, 12.0, "palm"))
    parts.append(Capsule((-2.0, -8.0, 0.0), (-2.0, 8.0, 0.0), 17.0, 17.0, "palm"))
    scaled = [_placed(part, make) for part in parts]
    return scaled + _forearm(make)


def _thumb(closed: float) -> list[Capsule]:
    out = 0.75 - 0.65 * closed
    first = _unit((math.cos(out), -math.sin(out), -0.3 - 0.4 * closed))
    second = _unit(first + np.array([0.5, 0.1 + 0.35 * closed, -0.05]))
    third = _unit(second + np.array([0.2, 0.25 * closed, 0.0]))
    root = np.array([22.0, -26.0, -4.0])
    joint = root + first * 42
    middle = joint + second * 31
    return [
        Capsule((8.0, -14.0, -2.0), _vec(root), 17.0, 16.0, "palm"),
        Capsule(_vec(root), _vec(joint), 15.5, 11.0, "palm"),
        Capsule(_vec(joint), _vec(middle), 10.8, 9.3, "thumb"),
        Capsule(_vec(middle), _vec(middle + third * 24), 9.3, 7.2, "thumb"),
    ]


def _forearm(make: HandMake) -> list[Capsule]:
    bones = [Capsule((-2.0, y, 0.0), (-ARM_MM, 1.7 * y, 8.0), 19.0, 42.0, "palm") for y in (-7.0, 7.0)]
    return [_placed(bone, make) for bone in bones]


def _placed(part: Capsule, make: HandMake) -> Capsule:
    """The bone in a hand of this size and side."""
    scale = np.array([1.0, -1.0 if make.left else 1.0, 1.0]) * make.size
    return Capsule(_vec(part.a * scale), _vec(part.b * scale), part.ra * make.size, part.rb * make.size, part.group)


def _bake(capsules: Sequence[Capsule], voxel: float, x_range: tuple[float, float]) -> Shape:
    """Distances to the capsules melted together: softly within the palm, sharply between fingers."""
    ends = [(np.minimum(c.a, c.b) - max(c.ra, c.rb), np.maximum(c.a, c.b) + max(c.ra, c.rb)) for c in capsules]
    low = np.min([end[0] for end in ends], axis=0) - 6
    high = np.max([end[1] for end in ends], axis=0) + 6
    low[0], high[0] = max(low[0], x_range[0]), min(high[0], x_range[1])
    at = np.stack(_mesh(_vec(low), _vec(high), voxel), axis=-1).astype(np.float32)
    groups: dict[str, list[NDArray[np.float32]]] = {}
    for capsule in capsules:
        groups.setdefault(capsule.group, []).append(_distance(at, capsule))
    melted = [_soft_minimum(parts, 4.0 if name == "palm" else 1.2) for name, parts in groups.items()]
    return _shape(_soft_minimum(melted, 2.2), voxel, _vec(low))


def _distance(at: NDArray[np.float32], capsule: Capsule) -> NDArray[np.float32]:
    a, b = np.asarray(capsule.a, np.float32), np.asarray(capsule.b, np.float32)
    bone = b - a
    share = np.clip((at - a) @ bone / (bone @ bone), 0, 1)
    away = at - a - share[..., None] * bone
    gap: NDArray[np.float32] = np.sqrt((away**2).sum(axis=-1)) - (capsule.ra + (capsule.rb - capsule.ra) * share)
    return gap.astype(np.float32)


def _soft_minimum(distances: Sequence[NDArray[np.float32]], width: float) -> NDArray[np.float32]:
    least = np.min(distances, axis=0)
    total = np.sum([np.exp((least - d) / width) for d in distances], axis=0)
    melted: NDArray[np.float32] = (least - width * np.log(total)).astype(np.float32)
    return melted


def _mesh(low: Vec3, high: Vec3, voxel: float) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """x, y and z of every voxel, each (nz, ny, nx)."""
    counts = [math.ceil((h - lo) / voxel) + 1 for lo, h in zip(low, high, strict=True)]
    z, y, x = np.meshgrid(*(low[k] + voxel * np.arange(counts[k]) for k in (2, 1, 0)), indexing="ij")
    return x, y, z


def _shape(grid: NDArray[np.float32], voxel: float, origin: Vec3) -> Shape:
    """The grid with one point in every other voxel that lies in a thin skin under the surface."""
    coarse = grid[::2, ::2, ::2]
    z, y, x = np.nonzero((coarse <= 0) & (coarse > -2.5 * voxel))
    points = np.column_stack([x, y, z]) * 2 * voxel + np.asarray(origin)
    return Shape(np.ascontiguousarray(grid), voxel, origin, points)


def _tint(colour: Colour, factors: Iterable[float]) -> Colour:
    r, g, b = (min(0.95, c * f) for c, f in zip(colour, factors, strict=True))
    return (r, g, b)


def _unit(vector: Iterable[float]) -> NDArray[np.float64]:
    v = np.asarray(list(vector), np.float64)
    return v / np.linalg.norm(v)


def _vec(values: Iterable[float]) -> Vec3:
    x, y, z = (float(v) for v in values)
    return (x, y, z)
