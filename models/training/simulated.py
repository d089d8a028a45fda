"""The simulated test set: drawn scenes and traced trays that no training sees, with the truth about every die."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from models.sim.camera import develop, without_grain
from models.sim.crops import CLEARLY_TILTED_DEG, HAND_SHARE, legible
from models.sim.die import PlacedDie
from models.sim.labels import DieLabel, label_dice
from models.sim.packing import DIE
from models.sim.rooms import random_camera, random_lens, random_light, random_table, random_tray
from models.sim.scatter import random_dice, random_hand
from models.sim.scene import Scene
from models.sim.tracer import Rendered, render
from models.training.real import LabelledDie, Photo
from models.training.scene import UNREADABLE, draw_scene
from models.training.view import Picture

_SEED = 90_210  # training draws from plain numbers, and traces from (22, scene)
_SIZE = (960, 720)
_SAMPLES = (8, 20)
_LEAST_FACE_PX = 20.0
_STEEPEST_DEG = 38.0  # from the line of sight: beyond it the card promises nothing
_STILL = 0.02  # die edges that a die may move while the shutter is open and still be sharp
_SMEARED = 0.15  # die edges from which on nobody could tell its value
_BOX = 1.3  # edges of the face that an upright box about a turned die spans

Simulated = tuple[Photo, Picture]


def drawn(number: int) -> Simulated:
    """Return one scene drawn as training draws them; it does not say why a die is unreadable."""
    scene = draw_scene(np.random.default_rng([_SEED, number]))
    dice = tuple(
        LabelledDie(float(d.centre[0]), float(d.centre[1]), d.face_px, d.value, _BOX * d.face_px, False)
        for d in scene.dice
    )
    return _photo("drawn", number, dice, scene.face_px, scene.complete), scene.picture


def traced(number: int) -> Simulated:
    """Return one tray, 960 x 720, from a camera above, with up to six dice of one size; raises SimulatorError."""
    rng = np.random.default_rng([_SEED, number])
    tray, light = random_tray(rng), random_light(rng)
    dice = random_dice(rng, tray, one_size=True)
    lens = random_lens(rng, tray, _SIZE)
    if dice:  # the camera looks closer where the dice would be too small to read
        face_px = lens.focal_px * dice[0].look.side_mm / lens.position[2]
        lens = replace(lens, focal_px=lens.focal_px * max(1.0, 1.2 * _LEAST_FACE_PX / face_px))
    hand = random_hand(rng, tray) if rng.random() < HAND_SHARE else ()
    scene = Scene(tray, random_table(rng), light.lamps, light.sky, lens, dice, hand, number)
    drawing = render(scene, samples=_SAMPLES)
    picture = develop(without_grain(drawing), random_camera(rng), rng)
    labels = [_labelled(label, dice[label.index], drawing, picture) for label in label_dice(scene)]
    seen = tuple(die for die in labels if die is not None)
    face_px = float(np.median([die.face_px for die in seen])) if seen else lens.focal_px * 16 / lens.position[2]
    return _photo("traced", number, seen, face_px), picture


SETS: dict[str, Callable[[int], Simulated]] = {"drawn": drawn, "traced": traced}


def _photo(source: str, number: int, dice: Sequence[LabelledDie], face_px: float, complete: bool = True) -> Photo:
    values = tuple(sorted(die.value for die in dice if die.value != UNREADABLE))
    return Photo(Path(f"{source}_{number:05d}"), source, tuple(dice), values, complete, face_px)


def _labelled(label: DieLabel, die: PlacedDie, drawing: Rendered, picture: Picture) -> LabelledDie | None:
    """Return what a reader should make of a die, or None where the picture shows nothing of it."""
    if label.visible < 0.05:
        return None
    kind, doubtful = _hindrance(label, die, drawing, picture)
    place = label.top if label.state in ("flat", "stacked") else label.middle
    return LabelledDie(
        x=float(place[0]),
        y=float(place[1]),
        face_px=label.face,
        value=UNREADABLE if kind else label.value,
        box_px=_BOX * label.face,
        doubtful=doubtful,
        kind=kind,
    )


def _hindrance(label: DieLabel, die: PlacedDie, drawing: Rendered, picture: Picture) -> tuple[str, bool]:
    """Return why a die must not be read, "" where it can be, and whether that is doubtful."""
    height, width = drawing.ids.shape
    moved = math.dist(die.start.position, die.end.position) / die.look.side_mm
    if label.state == "moving":
        return "moving", _STILL < moved < _SMEARED
    if label.state == "off_tray":
        return "off the tray", True  # vision's tray mask rules on it, not the reader
    if label.state == "cocked":
        return "cocked", min(label.tilt_deg, label.seen_deg) < CLEARLY_TILTED_DEG
    columns, rows = np.round(label.pips).astype(int).T
    if ((label.pips < 0) | (label.pips > (width - 1, height - 1))).any():
        return "cut off", False
    if (drawing.ids[rows, columns] != DIE + label.index).any():
        return "covered", False
    outside = bool(((label.corners < 0) | (label.corners > (width - 1, height - 1))).any())
    unclear = not legible(picture, label.corners, np.asarray(label.pips, np.float32))
    return "", outside or unclear or label.seen_deg > _STEEPEST_DEG or label.face < _LEAST_FACE_PX
