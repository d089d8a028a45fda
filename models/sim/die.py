"""One die: its body, its six faces, where its pips are, and which value lies on top.

Faces are numbered 0..5 for the die's own directions +x, -x, +y, -y, +z, -z. The in-face coordinates (u, v) of a
face whose normal is along x are (y, z), along y (z, x), along z (x, y), the same for both signs.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.sim.errors import SimulatorError
from models.sim.pose import Pose, Quaternion, about, between, multiply

Colour = tuple[float, float, float]
"""Linear RGB, 0..1."""

FACE_NORMALS: NDArray[np.float64] = np.array(
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float64
)

# Values on +x, -x, +y, -y, +z, -z. Opposite faces add to 7. In the picture, 1-2-3 run anticlockwise about their
# common corner on dice sold in the West and clockwise on most Asian ones (the world's y points down the picture).
WESTERN = (2, 5, 1, 6, 3, 4)
ASIAN = (1, 6, 2, 5, 3, 4)


@dataclass(frozen=True, slots=True)
class Face:
    """One face: its value and its pips, in mm.

    `cells` are the cells (column, row), each -1, 0 or 1, of the 3x3 grid along (u, v) that hold a pip; the grid's
    pitch is `pitch_mm`. `depth_mm` is the depth of the dent, small for painted pips.
    """

    value: int
    cells: tuple[tuple[int, int], ...]
    colour: Colour
    radius_mm: float
    pitch_mm: float
    depth_mm: float

    @property
    def mask(self) -> int:
        """The cells as bits: bit (u + 1) * 3 + (v + 1)."""
        return sum(1 << ((u + 1) * 3 + v + 1) for u, v in self.cells)


@dataclass(frozen=True, slots=True)
class DieLook:
    """A die's make: a rounded cube, cut by a sphere of `clip_radius_mm` when that is not 0.

    `marbling` (0..1) mixes in the second colour, in blots `marbling_mm` wide whose outline is the sharper the
    smaller `marbling_blur` (0..1). `translucency` 0 is solid, 1 clear. `pip_wear` rubs paint out of the pips,
    `edge_wear` greys the edges, both 0..1. `gloss` scales the reflection, about 1 for plastic.
    """

    side_mm: float
    edge_radius_mm: float
    faces: tuple[Face, ...]
    colour: Colour
    clip_radius_mm: float = 0.0
    second_colour: Colour = (0.5, 0.5, 0.5)
    marbling: float = 0.0
    marbling_mm: float = 4.0
    marbling_blur: float = 0.15
    roughness: float = 0.15
    gloss: float = 1.0
    translucency: float = 0.0
    pip_wear: float = 0.0
    edge_wear: float = 0.0

    def __post_init__(self) -> None:
        if sorted(self.values) != [1, 2, 3, 4, 5, 6] or any(sum(self.values[k : k + 2]) != 7 for k in (0, 2, 4)):
            raise SimulatorError(f"die with faces {self.values}: give six values, opposite ones adding to 7")

    @property
    def values(self) -> tuple[int, ...]:
        """The six faces' values, in the order of FACE_NORMALS."""
        return tuple(face.value for face in self.faces)


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die and its poses when the shutter opens and closes."""

    look: DieLook
    start: Pose
    end: Pose

    @classmethod
    def still(cls, look: DieLook, pose: Pose) -> "PlacedDie":
        """A die that does not move while the shutter is open."""
        return cls(look, pose, pose)

    @property
    def middle(self) -> Pose:
        """The pose half way through the exposure: labels are given for it."""
        return between(self.start, self.end, 0.5)


def pip_cells(value: int, turned: bool = False) -> tuple[tuple[int, int], ...]:
    """Grid cells of a value's pips; 2, 3 and 6 have two orientations, the second by `turned`."""
    diagonal = ((-1, 1), (1, -1)) if turned else ((-1, -1), (1, 1))
    corners = ((-1, -1), (-1, 1), (1, -1), (1, 1))
    sides = ((0, -1), (0, 1)) if turned else ((-1, 0), (1, 0))
    centre = ((0, 0),)
    cells: dict[int, tuple[tuple[int, int], ...]] = {
        1: centre,
        2: diagonal,
        3: diagonal + centre,
        4: corners,
        5: corners + centre,
        6: corners + sides,
    }
    return cells[value]


def face_axes(face: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The die's own unit vectors along (u, v) of a face."""
    axis = face // 2
    unit = np.eye(3)
    return unit[(axis + 1) % 3], unit[(axis + 2) % 3]


def pip_centres(look: DieLook, face: int) -> NDArray[np.float64]:
    """(k, 3) mm: centres of a face's pips on its plane, in the die's own coordinates."""
    u_axis, v_axis = face_axes(face)
    facts = look.faces[face]
    cells = np.asarray(facts.cells, np.float64) * facts.pitch_mm
    plane = FACE_NORMALS[face] * look.side_mm / 2
    centres: NDArray[np.float64] = plane + cells[:, :1] * u_axis + cells[:, 1:] * v_axis
    return centres


def face_corners(look: DieLook, face: int) -> NDArray[np.float64]:
    """(4, 3) mm: corners of a face (before rounding) going round it, in the die's own coordinates."""
    u_axis, v_axis = face_axes(face)
    half = look.side_mm / 2
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
    corners: NDArray[np.float64] = half * (FACE_NORMALS[face] + signs[:, :1] * u_axis + signs[:, 1:] * v_axis)
    return corners


def upmost_face(pose: Pose) -> tuple[int, float]:
    """Number of the face that looks up most, and the angle in degrees between its normal and straight up."""
    heights = FACE_NORMALS @ pose.matrix[2]
    face = int(np.argmax(heights))
    return face, math.degrees(math.acos(min(1.0, float(heights[face]))))


def top_face(look: DieLook, pose: Pose) -> tuple[int, float]:
    """The value on top and the die's tilt in degrees (0 = flat)."""
    face, tilt = upmost_face(pose)
    return look.faces[face].value, tilt


def face_up(look: DieLook, value: int, yaw: float) -> Quaternion:
    """The turn that lays a die flat with `value` on top, then turns it by `yaw` radians about the vertical."""
    normal = FACE_NORMALS[look.values.index(value)]
    up = np.array([0.0, 0.0, 1.0])
    axis = np.cross(normal, up)
    if normal[2] > 0.5:
        tip: Quaternion = (1.0, 0.0, 0.0, 0.0)
    elif normal[2] < -0.5:
        tip = about((1, 0, 0), math.pi)
    else:
        tip = about(axis, math.pi / 2)
    return multiply(about(up, yaw), tip)


def lowest_point(look: DieLook, rotation: Quaternion) -> float:
    """Height in mm of a turned die's centre above its lowest point: where to put it so that it touches the floor."""
    core = look.side_mm / 2 - look.edge_radius_mm
    depth = float(np.abs(Pose((0, 0, 0), rotation).matrix[2]).sum()) * core + look.edge_radius_mm
    return min(depth, look.clip_radius_mm) if look.clip_radius_mm > 0 else depth
