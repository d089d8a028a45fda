"""What a family of calibration recordings is: a way to set up a tray and to show it, and what must be found of it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from models.sim.calibration.acts import show_and_throw
from models.sim.calibration.setup import Rng, Wish
from models.sim.camera import Camera
from models.sim.script import Setting
from models.sim.stage import Stage

Reason = Literal[
    "no_tray",
    "two_trays",
    "tray_cut_off",
    "no_dice",
    "too_short",
    "too_dark",
    "out_of_focus",
    "glare",
    "flicker",
    "camera_moving",
    "low_frame_rate",
]
Given = Callable[[Rng, Setting], Sequence[str]]
"""The options that the recording's user passes for its set-up."""


ROW = "--row"
TAPE_MM, MARKS_MM = 4.0, 5
"""Spread of people's error who measure how high the camera is, and to how many mm they read the tape."""


def die_size(rng: Rng, setting: Setting) -> Sequence[str]:
    """The size of the dice."""
    return "--die-mm", f"{setting.dice[0].side_mm:g}"


def die_and_height(rng: Rng, setting: Setting) -> Sequence[str]:
    """The size of the dice, and how far the lens is from the middle of the floor."""
    far = math.dist(setting.lens.position, (0, 0, 0)) + rng.normal(0, TAPE_MM)
    return *die_size(rng, setting), "--height-mm", f"{MARKS_MM * round(far / MARKS_MM)}"


def tray_size(rng: Rng, setting: Setting) -> Sequence[str]:
    """How wide the floor is from wall to wall, the longer way of a rectangle."""
    return "--tray-mm", f"{tray_mm(setting):g}"


def either_size(rng: Rng, setting: Setting) -> Sequence[str]:
    """The dice's or the tray's."""
    return die_and_height(rng, setting) if rng.random() < 0.6 else tray_size(rng, setting)


def as_advised(rng: Rng, setting: Setting) -> Sequence[str]:
    """The one or the other, and that the dice are shown in a row."""
    return *either_size(rng, setting), ROW


def tray_and_row(rng: Rng, setting: Setting) -> Sequence[str]:
    """The tray's, and that the dice are shown in a row."""
    return *tray_size(rng, setting), ROW


def board_and_row(rng: Rng, setting: Setting) -> Sequence[str]:
    """That the printed board is shown, and the dice in a row."""
    return "--board", ROW


def no_size(rng: Rng, setting: Setting) -> Sequence[str]:
    """Nothing: no length is known."""
    return ()


def tray_mm(setting: Setting) -> float:
    """Inside, on the floor, from wall to opposite wall in mm; of a rectangle the longer one, of a round tray across."""
    tray = setting.tray
    return 2 * (tray.circle_mm or max(d for _, _, d in tray.sides))


@dataclass(frozen=True, slots=True)
class Family:
    """A named family: one line that says what is seen, and why the recording must be refused (None: it must pass).

    `dress` changes what chance has drawn, `act` says what people do, `camera` what the camera does beyond that.
    """

    name: str
    about: str
    wish: Wish = field(default_factory=Wish)
    given: Given = either_size
    reason: Reason | None = None
    dress: Callable[[Rng, Setting], Setting] = lambda rng, setting: setting
    act: Callable[[Stage], None] = show_and_throw
    camera: Callable[[Rng, Camera], Camera] = lambda rng, camera: camera
