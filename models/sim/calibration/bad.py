"""Families of recordings that must be refused, each plainly for one reason."""

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sim.calibration.acts import EMPTY_S, hand_passes, leave_empty, show, show_and_throw, take_and_throw
from models.sim.calibration.family import Family, die_size
from models.sim.calibration.props import second_tray
from models.sim.calibration.setup import Rng, Wish, around_rim, filled
from models.sim.camera import Camera
from models.sim.conditions import Flicker, Glare, Push
from models.sim.script import Setting
from models.sim.stage import Stage
from models.sim.view import floor_outline, floor_px_per_mm

ALWAYS = (-10.0, 1e6)
"""From before the recording begins until after it ends."""
CUT_OFF = (0.12, 0.35)
"""Share of the floor outside the picture."""
BOTH, NARROWER = 0.96, 0.98
"""Share of the picture that two trays fill at most, and by which a lens' focal length is shortened until they do."""
FIVE_FPS = 5.0
THREE_FRAMES_S = 0.1


def _no_wall(rng: Rng, setting: Setting) -> Setting:
    """Dice on the bare table."""
    table = replace(setting.table, offset_mm=(0.0, 0.0))
    wood = table.material
    bare = replace(setting.tray, floor=wood, wall=wood, rim=wood, wall_height_mm=0.0, wall_width_mm=0.1, bevel_mm=0.0)
    bare = replace(bare, wall_slope=0.0, base_mm=0.1)
    return replace(setting, tray=bare, table=table)


def _two(rng: Rng, setting: Setting) -> Setting:
    """Another tray of the same make beside it, both whole in the picture."""
    bodies, apart = second_tray(setting.tray)
    rim = around_rim(setting.tray)
    both = np.concatenate([rim, rim + np.array([apart, 0.0, 0.0])])
    x, y, z = setting.lens.position
    lens = replace(setting.lens, position=(x + apart / 2, y, z))
    while filled(lens, both) > BOTH:
        lens = replace(lens, focal_px=lens.focal_px * NARROWER)
    return replace(setting, lens=lens, clutter=bodies)


def _cut_off(rng: Rng, setting: Setting) -> Setting:
    """The camera aims so far beside the tray that part of the floor is outside the picture."""
    lens, wanted = setting.lens, float(rng.uniform(*CUT_OFF))
    towards = float(rng.choice([0.0, 0.5, 1.0, 1.5])) * math.pi
    x, y, z = lens.position
    moved = lens
    for off in np.arange(0.0, 400.0, 4.0):
        moved = replace(lens, position=(x + float(off * math.cos(towards)), y + float(off * math.sin(towards)), z))
        if outside_share(floor_outline(setting.tray, moved), lens.size) > wanted:
            break
    return replace(setting, lens=moved)


def outside_share(outline_px: NDArray[np.float64], size: tuple[int, int]) -> float:
    """The share of an outline's area that lies outside a picture of this size; it reaches not a picture's size away."""
    width, height = size
    canvas = np.zeros((3 * height, 3 * width), np.uint8)
    cv2.fillPoly(canvas, [np.round(outline_px + size).astype(np.int32)], 1)
    return 1 - float(canvas[height : 2 * height, width : 2 * width].sum()) / float(canvas.sum())


def _dark(rng: Rng, camera: Camera) -> Camera:
    """Far too little light: hardly anything above the noise."""
    return replace(camera, exposure=float(rng.uniform(0.003, 0.007)), shot_noise=3e-4, read_noise=2e-3)


def _on_the_table(stage: Stage) -> None:
    """Dice on the bare table, where few of them can be thrown without losing some."""
    leave_empty(stage)
    show(stage)
    take_and_throw(stage, 2, vigour=0.5)


def _empty(stage: Stage) -> None:
    """No die is ever seen; a hand may pass."""
    leave_empty(stage)
    stage.clock += float(stage.rng.uniform(*EMPTY_S))
    if stage.rng.random() < 0.5:
        hand_passes(stage)
    stage.clock += float(stage.rng.uniform(3, 5))


def _cut_short(stage: Stage) -> None:
    """The recording ends before anything is shown, sometimes after three frames."""
    stage.clock = THREE_FRAMES_S if stage.rng.random() < 0.25 else float(stage.rng.uniform(0.3, 1.6))


def _blurred(stage: Stage) -> None:
    face = stage.setting.dice[0].side_mm * floor_px_per_mm(stage.setting.lens)
    blur = face * float(stage.rng.uniform(0.17, 0.28))
    stage.rig.camera = replace(stage.rig.camera, blur_px=blur)
    show_and_throw(stage)


def _glaring(stage: Stage) -> None:
    """A lamp is mirrored on the floor all the time, larger than two dice."""
    rng, lens = stage.rng, stage.setting.lens
    floor = floor_outline(stage.setting.tray, lens)
    middle = floor.mean(axis=0)
    x, y = middle + (floor[rng.integers(len(floor))] - middle) * rng.uniform(0.1, 0.6)
    reach = floor_px_per_mm(lens) * rng.uniform(30, 50, 2)
    glare = Glare(*ALWAYS, (float(x), float(y)), (float(reach[0]), float(reach[1])), float(rng.uniform(1.5, 3.0)))
    stage.rig.meets(glares=glare)
    show_and_throw(stage)


def _flickering(stage: Stage) -> None:
    """A lamp at 50 or 60 Hz under a short exposure, read out row by row: bands run over the picture.

    The frame rate does not go into the lamp's, else the bands would stand still.
    """
    rng = stage.rng
    mains, fps = ((50.0, 30.0), (60.0, 25.0))[int(rng.integers(2))]
    mains *= 1 + rng.normal() * 2e-4
    stage.rig.set_rate(fps)
    stage.rig.adapt_to(0.0)
    stage.rig.meets(flicker=Flicker(2 * mains, float(rng.uniform(0.3, 0.55)), float(rng.uniform(0.012, 0.028))))
    show_and_throw(stage)


def _hand_held(stage: Stage) -> None:
    """The camera sways all the time, as held in a hand."""
    leave_empty(stage)
    show(stage)
    t, rng = 0.0, stage.rng
    x = y = turn = 0.0
    while t < stage.clock + 2:
        lasts = float(rng.uniform(0.4, 0.9))
        to_x, to_y = (float(v) for v in rng.uniform(5, 16, 2) * rng.choice([-1, 1], 2))
        to_turn = float(rng.normal(0, 0.02))
        stage.rig.meets(pushes=Push(t, t + lasts, "camera", to_x - x, to_y - y, to_turn - turn))
        x, y, turn, t = to_x, to_y, to_turn, t + lasts + float(rng.uniform(0.0, 0.15))


def _at_five(stage: Stage) -> None:
    stage.rig.set_rate(FIVE_FPS)
    show_and_throw(stage)


BAD = (
    Family("no_tray", "dice on the bare table", given=die_size, reason="no_tray", dress=_no_wall, act=_on_the_table),
    Family(
        "two_trays",
        "two trays side by side in the picture",
        Wish(height_mm=(600.0, 1200.0), tilt_deg=(0.0, 4.0), size=(960, 540)),
        reason="two_trays",
        dress=_two,
    ),
    Family("tray_cut_off", "part of the tray is outside the picture", reason="tray_cut_off", dress=_cut_off),
    Family("no_dice", "an empty tray, and nothing else", reason="no_dice", act=_empty),
    Family("too_short", "it ends before anything is shown", reason="too_short", act=_cut_short),
    Family("too_dark", "hardly any light", reason="too_dark", camera=_dark),
    Family("out_of_focus", "all is blurred", reason="out_of_focus", act=_blurred),
    Family("glare", "a lamp is mirrored on the floor", reason="glare", act=_glaring),
    Family("flicker", "the lamp flickers with the mains", reason="flicker", act=_flickering),
    Family("camera_moving", "the camera is held in a hand", reason="camera_moving", act=_hand_held),
    Family("low_frame_rate", "five frames a second", reason="low_frame_rate", act=_at_five),
)
