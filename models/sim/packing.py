"""Puts a scene into the structures that tracer.cpp reads.

The ctypes structures mirror section 2 of tracer.cpp field by field; tracer.py compares their sizes when it loads it.
"""

import ctypes
import math
from collections.abc import Sequence
from ctypes import c_float, c_int32, c_uint32

import numpy as np
from numpy.typing import NDArray

from models.sim.die import DieLook
from models.sim.errors import SimulatorError
from models.sim.pose import Pose
from models.sim.scene import Body, Lamp, Lens, Material, Scene, Sky, Tray
from models.sim.textures import material_texels

NOTHING, FLOOR, WALL, RIM, OUTSIDE, TABLE, DIE, BODY = 0, 1, 2, 3, 4, 5, 16, 64
"""Identities in the id map; die k is DIE + k, body k is BODY + k."""

MAX_SIDES = 8
TIMES = 64
"""Poses made over the exposure; one more is for its middle."""

LEAST_EDGE_MM = 0.05
SINGLE_PIP_PITCH = 4.0
"""A lone middle pip may be wider than a cell of the usual grid, so its grid is this many sides wide."""

_FloatPointer = ctypes.POINTER(c_float)
_IntPointer = ctypes.POINTER(c_int32)


class _Lens(ctypes.Structure):
    _fields_ = (
        ("position", c_float * 3),
        ("axes", c_float * 9),
        ("focal", c_float),
        ("centre", c_float * 2),
        ("k1", c_float),
        ("k2", c_float),
        ("aperture", c_float),
        ("focus", c_float),
    )


class _Material(ctypes.Structure):
    _fields_ = (
        ("texels", _IntPointer),
        ("size", c_float),
        ("turn_cos", c_float),
        ("turn_sin", c_float),
        ("shift", c_float * 2),
        ("mean", c_float * 3),
        ("roughness", c_float),
        ("gloss", c_float),
    )


class _Tray(ctypes.Structure):
    _fields_ = (
        ("side_count", c_int32),
        ("sides", (c_float * 3) * MAX_SIDES),
        ("circle", c_float),
        ("height", c_float),
        ("width", c_float),
        ("slope", c_float),
        ("base", c_float),
        ("bevel", c_float),
    )


class _Lamp(ctypes.Structure):
    _fields_ = (("position", c_float * 3), ("radius", c_float), ("colour", c_float * 3))


class _Sky(ctypes.Structure):
    _fields_ = (
        ("zenith", c_float * 3),
        ("horizon", c_float * 3),
        ("window", c_float * 4),
        ("window_colour", c_float * 3),
    )


class _Face(ctypes.Structure):
    _fields_ = (
        ("mask", c_int32),
        ("radius", c_float),
        ("depth", c_float),
        ("pitch", c_float),
        ("colour", c_float * 3),
    )


class _Die(ctypes.Structure):
    _fields_ = (
        ("half", c_float),
        ("edge", c_float),
        ("clip", c_float),
        ("bound", c_float),
        ("colour", c_float * 3),
        ("second_colour", c_float * 3),
        ("absorption", c_float * 3),
        ("marbling", c_float),
        ("marbling_per_mm", c_float),
        ("marbling_blur", c_float),
        ("roughness", c_float),
        ("gloss", c_float),
        ("translucency", c_float),
        ("pip_wear", c_float),
        ("edge_wear", c_float),
        ("faces", _Face * 6),
    )


class _Body(ctypes.Structure):
    _fields_ = (
        ("grid", _FloatPointer),
        ("size", c_int32 * 3),
        ("voxel", c_float),
        ("origin", c_float * 3),
        ("colour", c_float * 3),
        ("second_colour", c_float * 3),
        ("roughness", c_float),
        ("gloss", c_float),
        ("cloth", c_int32),
    )


class PackedScene(ctypes.Structure):
    """The tracer's whole scene."""

    _fields_ = (
        ("lens", _Lens),
        ("tray", _Tray),
        ("floor", _Material),
        ("wall", _Material),
        ("rim", _Material),
        ("table", _Material),
        ("sky", _Sky),
        ("lamps", ctypes.POINTER(_Lamp)),
        ("dice", ctypes.POINTER(_Die)),
        ("bodies", ctypes.POINTER(_Body)),
        ("placements", _FloatPointer),
        ("lamp_count", c_int32),
        ("die_count", c_int32),
        ("body_count", c_int32),
        ("seed", c_uint32),
        ("mean_light", c_float * 3),
    )


Arrays = list[NDArray[np.float32] | NDArray[np.int32]]


def pack(scene: Scene) -> tuple[PackedScene, Arrays]:
    """The packed scene, and the arrays it points into, which must live as long as it does."""
    tray, table = scene.tray, scene.table
    if len(tray.sides) > MAX_SIDES or len(scene.dice) > BODY - DIE:
        raise SimulatorError(f"a scene takes at most {MAX_SIDES} tray sides and {BODY - DIE} dice")
    keep: Arrays = []
    packed = PackedScene(
        lens=_lens(scene.lens),
        tray=_tray(tray),
        floor=_material(tray.floor, keep),
        wall=_material(tray.wall, keep),
        rim=_material(tray.rim, keep),
        table=_material(table.material, keep, table.offset_mm),
        sky=_sky(scene.sky),
        lamps=(_Lamp * len(scene.lamps))(*map(_lamp, scene.lamps)),
        dice=(_Die * len(scene.dice))(*(_die(die.look) for die in scene.dice)),
        bodies=(_Body * len(scene.bodies))(*(_body(body, keep) for body in scene.bodies)),
        lamp_count=len(scene.lamps),
        die_count=len(scene.dice),
        body_count=len(scene.bodies),
        seed=scene.seed & 0xFFFFFFFF,
        mean_light=_floats(_mean_light(scene)),
    )
    things = [(die.start, die.end) for die in scene.dice] + [(body.start, body.end) for body in scene.bodies]
    placements = _placements(things)
    keep.append(placements)
    packed.placements = placements.ctypes.data_as(_FloatPointer)
    return packed, keep


def _floats(values: Sequence[float] | NDArray[np.float64] | NDArray[np.float32]) -> ctypes.Array[c_float]:
    return (c_float * len(values))(*(float(v) for v in values))


def _lens(lens: Lens) -> _Lens:
    return _Lens(
        position=_floats(lens.position),
        axes=_floats(lens.pose.matrix.ravel()),
        focal=lens.focal_px,
        centre=_floats(lens.centre_px),
        k1=lens.k1,
        k2=lens.k2,
        aperture=lens.aperture_mm,
        focus=lens.focus_mm,
    )


def _material(material: Material, keep: Arrays, offset_mm: tuple[float, float] = (0.0, 0.0)) -> _Material:
    texels, mean = material_texels(material)
    keep.append(texels)
    per_mm = texels.shape[0] / material.size_mm
    return _Material(
        texels=texels.ctypes.data_as(_IntPointer),
        size=material.size_mm,
        turn_cos=math.cos(material.turn),
        turn_sin=math.sin(material.turn),
        shift=_floats([v * per_mm for v in offset_mm]),
        mean=_floats(mean),
        roughness=material.roughness,
        gloss=material.gloss,
    )


def _tray(tray: Tray) -> _Tray:
    packed = _Tray(
        side_count=len(tray.sides),
        circle=tray.circle_mm,
        height=tray.wall_height_mm,
        width=tray.wall_width_mm,
        slope=tray.wall_slope,
        base=tray.base_mm,
        bevel=tray.bevel_mm,
    )
    for k, side in enumerate(tray.sides):
        packed.sides[k][:] = side
    return packed


def _lamp(lamp: Lamp) -> _Lamp:
    return _Lamp(position=_floats(lamp.position), radius=lamp.radius_mm, colour=_floats(lamp.colour))


def _sky(sky: Sky) -> _Sky:
    return _Sky(
        zenith=_floats(sky.zenith),
        horizon=_floats(sky.horizon),
        window=_floats(sky.window),
        window_colour=_floats(sky.window_colour),
    )


def _die(look: DieLook) -> _Die:
    half = look.side_mm / 2
    edge = min(max(look.edge_radius_mm, LEAST_EDGE_MM), half)
    corner = (half - edge) * math.sqrt(3) + edge
    packed = _Die(
        half=half,
        edge=edge,
        clip=look.clip_radius_mm,
        bound=(min(corner, look.clip_radius_mm) if look.clip_radius_mm > 0 else corner) + 0.01,
        colour=_floats(look.colour),
        second_colour=_floats(look.second_colour),
        absorption=_floats([math.log(c + 0.01) * 1.6 / look.side_mm for c in look.colour]),
        marbling=look.marbling,
        marbling_per_mm=1 / look.marbling_mm,
        marbling_blur=look.marbling_blur,
        roughness=look.roughness,
        gloss=look.gloss,
        translucency=look.translucency,
        pip_wear=look.pip_wear,
        edge_wear=look.edge_wear,
    )
    for k, face in enumerate(look.faces):
        lone = face.cells == ((0, 0),)
        packed.faces[k] = _Face(
            mask=face.mask,
            radius=face.radius_mm,
            depth=face.depth_mm,
            pitch=SINGLE_PIP_PITCH * look.side_mm if lone else face.pitch_mm,
            colour=_floats(face.colour),
        )
    return packed


def _body(body: Body, keep: Arrays) -> _Body:
    grid = np.ascontiguousarray(body.grid, np.float32)
    keep.append(grid)
    return _Body(
        grid=grid.ctypes.data_as(_FloatPointer),
        size=(c_int32 * 3)(*grid.shape[::-1]),
        voxel=body.voxel_mm,
        origin=_floats(body.origin),
        colour=_floats(body.colour),
        second_colour=_floats(body.second_colour),
        roughness=body.roughness,
        gloss=body.gloss,
        cloth=int(body.kind == "cloth"),
    )


def _mean_light(scene: Scene) -> NDArray[np.float64]:
    """About the light that a white floor shows: what shaded things throw back onto each other."""
    light = 0.6 * np.asarray(scene.sky.zenith) + 0.4 * np.asarray(scene.sky.horizon)
    for lamp in scene.lamps:
        distance = math.hypot(*lamp.position)
        light = light + 0.6 * np.asarray(lamp.colour) * 1e6 / distance**2 * lamp.position[2] / distance
    return light


def _placements(things: Sequence[tuple[Pose, Pose]]) -> NDArray[np.float32]:
    """(TIMES + 1, things, 12) rotation rows and position of every thing at every time of the exposure."""
    shares = np.append((np.arange(TIMES) + 0.5) / TIMES, 0.5)
    placed = np.zeros((TIMES + 1, len(things), 12), np.float32)
    for k, (start, end) in enumerate(things):
        placed[:, k] = _placed(start, end, shares)
    return placed


def _placed(start: Pose, end: Pose, shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 12) rotation rows and position at these shares of the way, as `between` gives them one by one."""
    if start == end:
        return np.array([[*start.matrix.ravel(), *start.position]])
    a, b, share = np.array(start.rotation), np.array(end.rotation), shares[:, None]
    b = -b if a @ b < 0 else b
    angle = math.acos(min(1.0, float(a @ b)))
    if angle < 1e-6:
        turns = a * (1 - share) + b * share
    else:
        turns = a * np.sin((1 - share) * angle) + b * np.sin(share * angle)
    w, x, y, z = (turns / np.linalg.norm(turns, axis=1, keepdims=True)).T
    rows = [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip
    place = np.asarray(start.position) * (1 - share) + np.asarray(end.position) * share
    return np.column_stack([*rows, place])
