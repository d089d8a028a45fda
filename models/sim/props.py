"""Things that move over the tray and are no hands: a dice cup, a phone, a head, somebody who stands in the light.

Each is given in its own mm, in which its upright axis is +z and it faces +x.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models.sim.die import Colour
from models.sim.pose import Vec3
from models.sim.shape import Capsule, Part, Shape, bake, melted, mesh, shaped, tinted, vec

CENTRE: Vec3 = (0.0, 0.0, 0.0)
CUP_VOXEL_MM = 2.0
PHONE_VOXEL_MM = 2.0
HEAD_VOXEL_MM = 4.5
PHONE_MM = (150.0, 73.0, 8.5)


@dataclass(frozen=True, slots=True)
class Cup:
    """A dice cup, open at its top; the origin is the middle of its axis."""

    colour: Colour
    leather: bool = True
    radius: float = 38.0
    height: float = 92.0
    wall: float = 4.5

    @property
    def hollow(self) -> Vec3:
        """Its middle."""
        return CENTRE

    def parts(self, closing: int) -> tuple[Part, ...]:
        """The cup in one piece."""
        light = tinted(self.colour, (1.5 if self.leather else 1.05,) * 3)
        rough, gloss = (0.55, 0.4) if self.leather else (0.22, 0.9)
        return (Part(_cup(self), self.colour, light, rough, gloss, "cloth" if self.leather else "skin"),)


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone that lies flat, its screen up, its lens and lamp underneath at the far end."""

    screen: Colour = (0.02, 0.02, 0.022)

    @property
    def hollow(self) -> Vec3:
        """Its middle."""
        return CENTRE

    def parts(self, closing: int) -> tuple[Part, ...]:
        """A black case and the screen in it."""
        case, glass = _phone()
        dark = (0.015, 0.015, 0.017)
        return (Part(case, dark, dark, 0.4, 0.4), Part(glass, self.screen, tinted(self.screen, (1.2,) * 3), 0.1, 1.0))


@dataclass(frozen=True, slots=True)
class Head:
    """A head with the shoulders below it; without `hair` it is bald."""

    skin: Colour
    hair: Colour | None
    shirt: Colour

    @property
    def hollow(self) -> Vec3:
        """The middle of the skull."""
        return CENTRE

    def parts(self, closing: int) -> tuple[Part, ...]:
        """Face, hair and shoulders."""
        face, hair, shirt = _head()
        parts = [
            Part(face, tinted(self.skin, (0.88,) * 3), tinted(self.skin, (1.22, 1.14, 1.1))),
            Part(shirt, self.shirt, tinted(self.shirt, (1.3,) * 3), 1.0, 0.0, "cloth"),
        ]
        if self.hair is not None:
            parts.append(Part(hair, self.hair, tinted(self.hair, (2.2,) * 3), 0.7, 0.4, "cloth"))
        return tuple(parts)


@dataclass(frozen=True, slots=True)
class Passer:
    """Somebody's head and arm between lamp and tray: only the shadow is in the picture."""

    size_mm: float

    @property
    def reach_mm(self) -> float:
        """How far any of it is from the middle at most: the end of the arm."""
        return (math.hypot(1.5, 0.5) + 0.5) * self.size_mm

    @property
    def hollow(self) -> Vec3:
        """The middle."""
        return CENTRE

    def parts(self, closing: int) -> tuple[Part, ...]:
        """One dark shape."""
        return (Part(_passer(self.size_mm), (0.1, 0.1, 0.1), (0.12, 0.12, 0.12), 1.0, 0.0, "cloth"),)


def in_cup(cup: Cup, count: int, side_mm: float) -> list[Vec3]:
    """Places in the cup's own mm for dice that lie in it, three to a layer."""
    step, floor = side_mm * 1.15, -cup.height / 2 + cup.wall + side_mm * 0.75
    ring = [(0.62 * math.cos(a), 0.62 * math.sin(a)) for a in (0.4, 2.5, 4.6)]
    cells = [(*ring[k % 3], k // 3) for k in range(count)]
    return [(x * step, y * step, floor + layer * step * 1.2) for x, y, layer in cells]


@lru_cache(maxsize=8)
def _cup(cup: Cup) -> Shape:
    low = (-cup.radius - 8, -cup.radius - 8, -cup.height / 2 - 6)
    x, y, z = mesh(low, vec(-np.asarray(low)), CUP_VOXEL_MM)
    away = np.hypot(x, y)
    outer = cup.radius - 3.0 + 3.0 * z / (cup.height / 2)
    solid = np.maximum(away - outer, np.abs(z) - cup.height / 2)
    room = np.maximum(away - outer + cup.wall, -(z + cup.height / 2 - cup.wall))
    bead = np.hypot(away - outer, z - cup.height / 2 + 2) - 2.6
    return shaped(np.minimum(np.maximum(solid, -room), bead), CUP_VOXEL_MM, low)


@lru_cache(maxsize=1)
def _phone() -> tuple[Shape, Shape]:
    half = np.asarray(PHONE_MM) / 2
    low = vec(-half - 7)
    x, y, z = mesh(low, vec(half + 7), PHONE_VOXEL_MM)

    def slab(inset: float, top: float, bottom: float) -> NDArray[np.float64]:
        flat = [np.abs(x) - half[0] + inset + 9, np.abs(y) - half[1] + inset + 9]
        rounded = np.hypot(np.maximum(flat[0], 0), np.maximum(flat[1], 0)) + np.minimum(np.maximum(*flat), 0) - 9
        block: NDArray[np.float64] = np.maximum(rounded, np.maximum(z - top, bottom - z))
        return block

    case, glass = slab(0, half[2], -half[2]), slab(4, half[2] + 0.8, -half[2] + 3)
    return shaped(case, PHONE_VOXEL_MM, low), shaped(glass, PHONE_VOXEL_MM, low)


@lru_cache(maxsize=1)
def _head() -> tuple[Shape, Shape, Shape]:
    skull = [Capsule((-28, 0, 4), (26, 0, 0), 74, 70), Capsule((22, 0, -58), (46, 0, -66), 44, 36)]
    nose = Capsule((84, 0, -14), (100, 0, -38), 8, 11, "nose")
    ears = [Capsule((-4, side * 74, -4), (-10, side * 80, -34), 11, 9, "ear") for side in (-1, 1)]
    neck = Capsule((-30, 0, -80), (-95, 0, -170), 56, 64)
    face = bake([*skull, nose, *ears, neck], HEAD_VOXEL_MM)
    low, high = (-125.0, -105.0, -110.0), (115.0, 105.0, 105.0)
    x, y, z = at = mesh(low, high, HEAD_VOXEL_MM)
    wave = 2.0 * np.sin(x * 0.21 + 1.7 * np.sin(y * 0.09)) * np.sin(y * 0.17 + 0.4)
    cap = melted([Capsule((-30, 0, 4), (22, 0, 4), 84, 76)], at) + wave
    hair = np.maximum(cap, (x - 44) - 0.75 * (z - 20))
    hair = np.maximum(hair, -70 - z - 0.4 * (x + 60))
    shoulders = [
        Capsule((-130, -165, -205), (-130, 165, -205), 66, 66),
        Capsule((-200, -120, -230), (-200, 120, -230), 95, 95),
        *(Capsule((-130, side * 175, -205), (-150, side * 215, -320), 62, 55) for side in (-1, 1)),
    ]
    return face, shaped(hair * 0.8, HEAD_VOXEL_MM, low), bake(shoulders, HEAD_VOXEL_MM * 1.5)


@lru_cache(maxsize=8)
def _passer(size_mm: float) -> Shape:
    half = size_mm / 2
    return bake(
        [Capsule(CENTRE, (-half, 0, 0), half, half), Capsule((-half, 0, 0), (-3 * half, half, 0), half, half)], 8.0
    )
