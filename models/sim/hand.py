"""A player's hand and arm as grids of distances, baked from a skeleton of tapered capsules.

A hand's own axes, in mm: the wrist at the origin, fingers along +x, the palm facing -z; the thumb of a right hand
points to -y (the world's y runs down the picture). Lengths are those of a grown-up's hand of 19 cm; `size` scales it.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models.sim.die import Colour
from models.sim.pose import Pose, Vec3
from models.sim.scene import Body
from models.sim.shape import Capsule, Make, Part, Shape, bake, mesh, shaped, tinted, vec, within
from models.sim.worn import ring_shape, watch_shapes

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
class Held:
    """A thing that a hand holds: where it is in the hand's own mm."""

    thing: Make
    place: Pose


@dataclass(frozen=True, slots=True)
class HandMake:
    """What a player's arm looks like. Without `sleeve` it is bare; a sleeve ends `cuff_mm` behind the wrist.

    `loose` widens the sleeve. A `glove`, a `ring` and a `watch` have these colours where they are worn. `pointing`
    keeps the index finger straight however far the hand closes.
    """

    skin: Colour
    sleeve: Colour | None
    size: float = 1.0
    left: bool = False
    cuff_mm: float = 25.0
    wrinkle: float = 0.0
    loose: float = 1.0
    glove: Colour | None = None
    ring: Colour | None = None
    watch: Colour | None = None
    pointing: bool = False
    holds: Held | None = None

    @property
    def hollow(self) -> Vec3:
        """Middle of the room under the closed fingers."""
        return vec(np.asarray(HOLLOW) * (1, -1 if self.left else 1, 1) * self.size)

    def parts(self, closing: int) -> tuple[Part, ...]:
        """Hand and arm, what is worn on them, and what the hand holds."""
        held = self.holds.thing.parts(0) if self.holds else ()
        place = self.holds.place if self.holds else Pose((0.0, 0.0, 0.0))
        own = _parts(replace(self, holds=None), closing)
        return own + tuple(replace(part, place=within(place, part.place)) for part in held)


@lru_cache(maxsize=64)
def _parts(make: HandMake, closing: int) -> tuple[Part, ...]:
    dark, light = tinted(make.skin, (0.88,) * 3), tinted(make.skin, (1.22, 1.14, 1.1))
    parts = [Part(hand_shape(make, closing), dark, light)]
    if make.glove is not None:
        parts = [Part(hand_shape(make, closing), make.glove, tinted(make.glove, (1.25,) * 3), 0.9, 0.1, "cloth")]
    if make.sleeve is None:
        parts.append(Part(arm_shape(make), dark, light))
    else:
        parts.append(Part(arm_shape(make), make.sleeve, tinted(make.sleeve, (1.3,) * 3), 1.0, 0.0, "cloth"))
    if make.ring is not None and make.glove is None:
        bone = next(c for c in _skeleton(make, _share(closing)) if c.group == "finger2")
        parts.append(Part(ring_shape(bone), make.ring, tinted(make.ring, (1.5,) * 3), 0.25, 1.0))
    if make.watch is not None:
        band, face = watch_shapes(tuple(_forearm(make)), make.size)
        parts.append(Part(band, make.watch, tinted(make.watch, (1.2,) * 3), 0.6, 0.3))
        parts.append(Part(face, (0.03, 0.03, 0.035), (0.05, 0.05, 0.06), 0.15, 1.0))
    return tuple(parts)


@lru_cache(maxsize=64)
def hand_shape(make: HandMake, closing: int) -> Shape:
    """The hand from fingertips to just behind the wrist; closing 0 = open ... CLOSING_STEPS - 1 = closed over dice."""
    capsules = _skeleton(make, _share(closing))
    return bake(capsules, HAND_VOXEL_MM, (-58.0 * make.size, math.inf))


@lru_cache(maxsize=32)
def arm_shape(make: HandMake) -> Shape:
    """The forearm behind the hand: a wrinkled sleeve, or the bare arm."""
    if make.sleeve is None:
        return bake(_forearm(make), ARM_VOXEL_MM, (-ARM_MM, -30.0 * make.size))
    wide = 70.0 * max(make.loose, 1.0)
    low, high = (-ARM_MM, -wide, 8.0 - wide), (-make.cuff_mm + 8, wide, 4.0 + wide)
    x, y, z = mesh(low, high, ARM_VOXEL_MM)
    w = make.wrinkle
    radius = (31 + np.maximum(-x - 40, 0) * 0.055) * make.size * make.loose
    radius += 1.5 * np.sin(x * 0.2 + 2 * np.sin(y * 0.05 + w)) + 1.2 * np.sin(x * 0.1 + y * 0.1 + z * 0.13 + w)
    tube = np.maximum(np.hypot(y, z - 3) - radius, x + make.cuff_mm) * 0.8
    return shaped(tube, ARM_VOXEL_MM, low)


def bodies(make: Make, closing: int, start: Pose, end: Pose) -> tuple[Body, ...]:
    """The body's parts as things to draw, moving from one pose to the other while the shutter is open."""
    return tuple(part.drawn(start, end) for part in make.parts(closing))


def carried(make: HandMake, count: int, side_mm: float) -> list[Vec3]:
    """Places in the hand's own mm for dice in the closed hand: two rows above, the others below them."""
    step = side_mm * 1.16
    cells = [(0.4, -0.6, 0), (0.4, 0.6, 0), (-0.6, 0, 0), (0.3, 0, -1), (-0.6, -0.9, -1), (-0.6, 0.9, -1)]
    return [vec(np.asarray(make.hollow) + step * np.asarray(cell)) for cell in cells[:count]]


def _share(closing: int) -> float:
    return closing / (CLOSING_STEPS - 1)


def _skeleton(make: HandMake, closed: float) -> list[Capsule]:
    """All bones of a hand whose joints are bent by `closed` (0 = nearly flat, 1 = a cupped hand)."""
    spread = 0.11 * (1 - 0.75 * closed)
    parts: list[Capsule] = []
    for k, (knuckle, bones, radii) in enumerate(zip(KNUCKLES, BONES, THICKNESS, strict=True)):
        parts.append(Capsule((4.0, knuckle[1] * 0.55, 0.0), knuckle, 15.0, 11.5, "palm"))
        yaw = (k - 1.5) * spread
        bend = 0.05 if make.pointing and k == 0 else 0.12 + 0.72 * closed
        heading, at = 0.0, np.asarray(knuckle)
        for j, share in enumerate((1.0, 1.05, 0.7)):
            heading += (bend + 0.05 * ((k * 7) % 3 - 1)) * share
            along = np.array([math.cos(heading) * math.cos(yaw), math.sin(yaw), -math.sin(heading)])
            end = at + along * bones[j]
            parts.append(Capsule(vec(at), vec(end), radii[j], radii[j + 1], f"finger{k}"))
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
        Capsule((8.0, -14.0, -2.0), vec(root), 17.0, 16.0, "palm"),
        Capsule(vec(root), vec(joint), 15.5, 11.0, "palm"),
        Capsule(vec(joint), vec(middle), 10.8, 9.3, "thumb"),
        Capsule(vec(middle), vec(middle + third * 24), 9.3, 7.2, "thumb"),
    ]


def _forearm(make: HandMake) -> list[Capsule]:
    bones = [Capsule((-2.0, y, 0.0), (-ARM_MM, 1.7 * y, 8.0), 19.0, 42.0, "palm") for y in (-7.0, 7.0)]
    return [_placed(bone, make) for bone in bones]


def _placed(part: Capsule, make: HandMake) -> Capsule:
    """The bone in a hand of this size and side."""
    scale = np.array([1.0, -1.0 if make.left else 1.0, 1.0]) * make.size
    return Capsule(vec(part.a * scale), vec(part.b * scale), part.ra * make.size, part.rb * make.size, part.group)


def _unit(vector: Iterable[float]) -> NDArray[np.float64]:
    v = np.asarray(list(vector), np.float64)
    return v / np.linalg.norm(v)
