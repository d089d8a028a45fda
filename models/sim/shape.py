"""Shapes of what moves and is no die: grids of distances baked from capsules, and the parts that a body is made of."""

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from models.sim.die import Colour
from models.sim.pose import Pose, Vec3, multiply
from models.sim.scene import Body

Grid = NDArray[np.float32]
Mesh = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Shape:
    """A grid of distances in the body's own mm, and points all over it (n, 3) to measure what it covers.

    Only what is drawn needs the grid: it is `baked` when it is asked for.
    """

    baked: Callable[[], Grid]
    voxel_mm: float
    origin: Vec3
    points: NDArray[np.float64]

    @cached_property
    def grid(self) -> Grid:
        """(nz, ny, nx) mm, negative inside."""
        return np.ascontiguousarray(self.baked(), np.float32)


HERE = Pose((0.0, 0.0, 0.0))


@dataclass(frozen=True)
class Part:
    """One rigid piece of a body: its shape, where that is in the body's own mm, and its surface."""

    shape: Shape
    colour: Colour
    second_colour: Colour
    roughness: float = 0.5
    gloss: float = 0.6
    kind: Literal["skin", "cloth"] = "skin"
    place: Pose = HERE

    @property
    def points(self) -> NDArray[np.float64]:
        """(n, 3) points all over it, in the body's own mm."""
        return self.place.to_world(self.shape.points)

    def drawn(self, start: Pose, end: Pose) -> Body:
        """The part as a thing to draw, while its body moves from one pose to the other."""
        shape = self.shape
        return Body(
            shape.grid,
            shape.voxel_mm,
            shape.origin,
            within(start, self.place),
            within(end, self.place),
            self.colour,
            self.second_colour,
            self.roughness,
            self.gloss,
            self.kind,
        )


class Make(Hashable, Protocol):
    """What a body is made of: a player's hand and arm, a head, any thing that moves."""

    @property
    def hollow(self) -> Vec3:
        """The point, in the body's own mm, that a key of its movement places."""
        ...

    def parts(self, closing: int) -> tuple[Part, ...]:
        """All parts; `closing` is a hand's step of closing."""
        ...


@dataclass(frozen=True, slots=True)
class Capsule:
    """A rounded bone from a to b whose radius runs from ra to rb; capsules of one group melt together most."""

    a: Vec3
    b: Vec3
    ra: float
    rb: float
    group: str = "palm"


def within(outer: Pose, inner: Pose) -> Pose:
    """The pose in the world of a thing given in the coordinates of another."""
    return Pose(vec(outer.to_world([inner.position])[0]), multiply(outer.rotation, inner.rotation))


def bake(capsules: Sequence[Capsule], voxel: float, x_range: tuple[float, float] = (-math.inf, math.inf)) -> Shape:
    """Distances to the capsules melted together: softly within the palm, sharply between fingers."""
    ends = [(np.minimum(c.a, c.b) - max(c.ra, c.rb), np.maximum(c.a, c.b) + max(c.ra, c.rb)) for c in capsules]
    low = np.min([end[0] for end in ends], axis=0) - 6
    high = np.max([end[1] for end in ends], axis=0) + 6
    low[0], high[0] = max(low[0], x_range[0]), min(high[0], x_range[1])
    at = partial(mesh, vec(low), vec(high), voxel)
    x, y, z = (axis[::2, ::2, ::2] for axis in at())
    points = _skin(melted(capsules, (x, y, z)), voxel, vec(low))
    return Shape(lambda: melted(capsules, at()), voxel, vec(low), points)


def melted(capsules: Sequence[Capsule], at: Mesh) -> Grid:
    """Distance in mm to the capsules at every point of what `mesh` gives."""
    x, y, z = (axis.astype(np.float32) for axis in (at[0][:1, :1], at[1][:1, :, :1], at[2][:, :1, :1]))
    groups: dict[str, list[Grid]] = {}
    for capsule in capsules:
        groups.setdefault(capsule.group, []).append(_distance((x, y, z), capsule))
    melted = [_soft_minimum(parts, 4.0 if name == "palm" else 1.2) for name, parts in groups.items()]
    return _soft_minimum(melted, 2.2)


def mesh(low: Vec3, high: Vec3, voxel: float) -> Mesh:
    """x, y and z of every voxel, each (nz, ny, nx)."""
    counts = [math.ceil((h - lo) / voxel) + 1 for lo, h in zip(low, high, strict=True)]
    z, y, x = np.meshgrid(*(low[k] + voxel * np.arange(counts[k]) for k in (2, 1, 0)), indexing="ij")
    return x, y, z


def shaped(grid: NDArray[np.floating], voxel: float, origin: Vec3) -> Shape:
    """The grid with one point in every other voxel that lies in a thin skin under the surface."""
    return Shape(lambda: grid, voxel, origin, _skin(grid[::2, ::2, ::2], voxel, origin))


def _skin(coarse: NDArray[np.floating], voxel: float, origin: Vec3) -> NDArray[np.float64]:
    """(n, 3) points in a thin skin under the surface, of a grid's every other voxel."""
    z, y, x = np.nonzero((coarse <= 0) & (coarse > -2.5 * voxel))
    points: NDArray[np.float64] = np.column_stack([x, y, z]) * 2 * voxel + np.asarray(origin)
    return points


def tinted(colour: Colour, factors: Iterable[float]) -> Colour:
    """The colour with its channels multiplied."""
    r, g, b = (min(0.95, c * f) for c, f in zip(colour, factors, strict=True))
    return (r, g, b)


def vec(values: Iterable[float]) -> Vec3:
    """Three plain numbers."""
    x, y, z = (float(v) for v in values)
    return (x, y, z)


def _distance(axes: Sequence[Grid], capsule: Capsule) -> Grid:
    """Distance in mm to one capsule from everywhere along the open axes x, y and z, one axis after the other: an
    array of vectors would be three times as large."""
    a, b = np.asarray(capsule.a, np.float32), np.asarray(capsule.b, np.float32)
    bone = b - a
    off = [axis - start for axis, start in zip(axes, a, strict=True)]
    share: Grid = off[0] * bone[0] + off[1] * bone[1] + off[2] * bone[2]
    share /= np.float32(max(float(bone @ bone), 1e-9))
    np.clip(share, 0, 1, out=share)
    gap = np.zeros_like(share)
    for start, along in zip(off, bone, strict=True):
        away = share * along
        np.subtract(start, away, out=away)
        away *= away
        gap += away
    np.sqrt(gap, out=gap)
    share *= np.float32(capsule.rb - capsule.ra)
    share += np.float32(capsule.ra)
    gap -= share
    return gap


def _soft_minimum(distances: Sequence[Grid], width: float) -> Grid:
    least = np.min(distances, axis=0)
    total = sum((np.exp((least - d) / width) for d in distances[1:]), np.exp((least - distances[0]) / width))
    melted: Grid = (least - width * np.log(total)).astype(np.float32)
    return melted
