"""The exact truth about every die of a drawn picture, at the middle of its exposure."""

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.sim.die import FACE_NORMALS, PlacedDie, face_corners, pip_centres, upmost_face
from models.sim.packing import DIE
from models.sim.pose import Pose, rotation_matrix
from models.sim.scene import DieState, Scene, die_state
from models.sim.tracer import render
from models.sim.view import face_px, project

MOVING_MM = 0.2
"""A die one of whose corners moves farther than this during the exposure is moving."""

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DieLabel:
    """One die: its number in the scene, what it shows and where its upmost face is in the picture.

    `value` is on the upmost face, `tilt_deg` that face's angle to the level, `seen_deg` its angle to the line of sight
    (0 = seen square on). All places are px: `top` (2,) the middle
    of that face, `middle` (2,) the die's own middle, `corners` (4, 2) the face's corners before rounding, `pips`
    (value, 2) its pips' centres. `face` is the mean length of the face's edges, `angle_deg` the direction of an edge,
    0..90. `visible` is the share of the die's outline that nothing hides and the picture holds.
    """

    index: int
    value: int
    state: DieState | Literal["moving"]
    tilt_deg: float
    seen_deg: float
    top: Points
    middle: Points
    corners: Points
    pips: Points
    face: float
    angle_deg: float
    visible: float


def label_dice(scene: Scene) -> tuple[DieLabel, ...]:
    """The labels of all dice of a scene, in its order."""
    return tuple(_label(scene, index) for index in range(len(scene.dice)))


def _label(scene: Scene, index: int) -> DieLabel:
    die, lens = scene.dice[index], scene.lens
    pose = die.middle
    face, tilt = upmost_face(pose)
    corners = project(lens, pose.to_world(face_corners(die.look, face)))
    edge = corners[1] - corners[0]
    return DieLabel(
        index=index,
        value=die.look.faces[face].value,
        state="moving" if _moves(die) else die_state(scene.tray, die.look, pose),
        tilt_deg=tilt,
        seen_deg=_seen_deg(scene, pose.to_world([FACE_NORMALS[face]])[0], pose),
        top=project(lens, pose.to_world([FACE_NORMALS[face] * die.look.side_mm / 2]))[0],
        middle=project(lens, [pose.position])[0],
        corners=corners,
        pips=project(lens, pose.to_world(pip_centres(die.look, face))),
        face=face_px(lens, die),
        angle_deg=math.degrees(math.atan2(edge[1], edge[0])) % 90,
        visible=_visible(scene, index),
    )


def _seen_deg(scene: Scene, above: Points, pose: Pose) -> float:
    """Angle between a face's normal, which ends at `above`, and the way from the die to the camera."""
    normal = above - np.asarray(pose.position)
    sight = np.asarray(scene.lens.position) - np.asarray(pose.position)
    return math.degrees(math.acos(min(1.0, float(normal @ sight) / math.hypot(*sight))))


def _moves(die: PlacedDie) -> bool:
    shift = math.dist(die.start.position, die.end.position)
    turn = np.abs(rotation_matrix(die.start.rotation) - rotation_matrix(die.end.rotation)).max() * die.look.side_mm / 2
    return bool(shift + turn > MOVING_MM)


def _visible(scene: Scene, index: int) -> float:
    """Pixels of a die in the picture, as a share of its pixels when drawn alone, without tray and frame."""
    die = scene.dice[index]
    half = die.look.side_mm / 2
    cube = half * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    box = project(scene.lens, die.middle.to_world(cube))
    x, y = (int(v) for v in np.floor(box.min(axis=0)) - 1)
    width, height = (int(v) for v in np.ceil(box.max(axis=0)) + 2 - (x, y))
    no_tray = replace(scene.tray, sides=(), circle_mm=1e-3, wall_height_mm=0.0, wall_width_mm=0.0)
    alone = replace(scene, dice=(die,), bodies=(), lamps=(), tray=no_tray)
    outline = render(alone, (x, y, width, height), samples=(0, 0)).ids == DIE
    seen = render(scene, (x, y, width, height), samples=(0, 0)).ids == DIE + index
    in_frame = seen[max(0, -y) : max(0, scene.lens.size[1] - y), max(0, -x) : max(0, scene.lens.size[0] - x)]
    return float(in_frame.sum() / outline.sum()) if outline.any() else 0.0
