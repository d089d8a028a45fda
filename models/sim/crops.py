"""Labelled crops of simulated dice, to train and to test the reader on."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sim.camera import Camera, Picture, develop, meter
from models.sim.errors import SimulatorError
from models.sim.labels import DieLabel, label_dice
from models.sim.rooms import random_camera, random_lens, random_light, random_table, random_tray
from models.sim.scatter import random_dice, random_hand
from models.sim.scene import Scene
from models.sim.tracer import render
from models.sim.view import project

CROP_PX = 72
CROP_FACES = 2.0
"""A crop spans two edges of the die's upmost face."""

MOST_PIPS = 6
NO_PIP = -1.0
UNREADABLE = 0

LEAST_VISIBLE = 0.7
CLEARLY_TILTED_DEG = 20.0
"""Below this angle to the level, or to the line of sight, a crop alone cannot tell a cocked die; it is left out."""

LEAST_CONTRAST = 10.0
"""Levels between pips and the face beside them, in the channel that tells them best, below which nobody can read it."""

HAND_SHARE = 0.12
"""Share of scenes with a hand over the tray."""

_SAMPLES = (16, 20)
_FACE_PX = (20.0, 60.0)
_PLANE_PX = 4096
"""Crops are cut from a picture so large that no die leaves it."""
_EMPTY_PLACES = 1.5
"""Mean number of crops without a die per scene."""


@dataclass(frozen=True, slots=True)
class Crop:
    """One crop: uint8 BGR (72, 72, 3), the value that is up or 0, and its pips' places (6, 2) px, -1 for none."""

    picture: Picture
    value: int
    pips: NDArray[np.float32]
    state: str
    tilt_deg: float
    visible: float
    scene: int


def write_crops(count: int, seed: int, out: Path) -> None:
    """Write `count` crops as arrays: pictures, values, pips, known_pips, states, tilts_deg, visible, scenes (.npz).

    Raises SimulatorError when the folder does not exist or the tracer cannot be compiled.
    """
    if not out.parent.is_dir():
        raise SimulatorError(f"there is no folder {out.parent}: make it first")
    crops = [crop for crop, _ in zip(make_crops(seed), range(count), strict=False)]
    partial = out.with_name(out.name + ".part")
    with partial.open("wb") as file:
        np.savez_compressed(
            file,
            pictures=np.stack([crop.picture for crop in crops]),
            values=np.array([crop.value for crop in crops], np.int64),
            pips=np.stack([crop.pips for crop in crops]),
            known_pips=np.ones(count, np.float32),
            states=np.array([crop.state for crop in crops]),
            tilts_deg=np.array([crop.tilt_deg for crop in crops], np.float32),
            visible=np.array([crop.visible for crop in crops], np.float32),
            scenes=np.array([crop.scene for crop in crops], np.int64),
        )
    partial.replace(out)


def make_crops(seed: int) -> Iterator[Crop]:
    """Crops without end, scene after scene; each scene is drawn from (seed, its number) alone."""
    number = 0
    while True:
        yield from scene_crops(seed, number)
        number += 1


def scene_crops(seed: int, number: int) -> Iterator[Crop]:
    """The crops of one scene: every die that can be labelled, and some places without a die."""
    rng = np.random.default_rng([seed, number])
    scene = _random_scene(rng, number)
    camera = replace(random_camera(rng), vignette=0.0)
    metered = meter(render(_overview(scene), samples=(4, 4)).rgb)
    cutter = _Cutter(scene, camera, metered, number)
    labels = label_dice(scene)
    for label in labels:
        place = label.top if label.state == "flat" else label.middle
        crop = cutter.die(rng, label, place + rng.normal(size=2) * 0.04 * label.face)
        if crop is not None:
            yield crop
    for _ in range(int(rng.poisson(_EMPTY_PLACES))):
        empty = _empty_place(rng, scene, labels)
        if empty is not None:
            yield cutter.empty(rng, empty)


@dataclass(frozen=True, slots=True)
class _Cutter:
    """Draws and develops crops of one scene."""

    scene: Scene
    camera: Camera
    metered: float
    number: int

    def die(self, rng: np.random.Generator, label: DieLabel, place: NDArray[np.float64]) -> Crop | None:
        """The crop of a die, or None when what it shows cannot be told from the crop."""
        flat = label.state in ("flat", "stacked")
        clear = label.visible >= LEAST_VISIBLE if flat else min(label.tilt_deg, label.seen_deg) >= CLEARLY_TILTED_DEG
        if not clear:
            return None
        picture, scale = self._cut(rng, place, label.face)
        pips = np.full((MOST_PIPS, 2), NO_PIP, np.float32)
        if flat:
            pips[: label.value] = (label.pips - place) * scale + (CROP_PX - 1) / 2
            if not legible(picture, (label.corners - place) * scale + (CROP_PX - 1) / 2, pips[: label.value]):
                return None
        value = label.value if flat else UNREADABLE
        return Crop(picture, value, pips, label.state, label.tilt_deg, label.visible, self.number)

    def empty(self, rng: np.random.Generator, place: NDArray[np.float64]) -> Crop:
        """A crop about a place without a die, as large as those of the scene's dice."""
        face = self.scene.lens.focal_px / self.scene.lens.position[2] * 16
        pips = np.full((MOST_PIPS, 2), NO_PIP, np.float32)
        return Crop(self._cut(rng, place, face)[0], UNREADABLE, pips, "empty", 0.0, 0.0, self.number)

    def _cut(self, rng: np.random.Generator, place: NDArray[np.float64], face: float) -> tuple[Picture, float]:
        """The developed crop about a place, and its scale in crop px per picture px."""
        scale = CROP_PX / (CROP_FACES * face)
        reach = int(np.ceil(CROP_FACES * face / 2)) + 2
        x, y = (int(v) - reach for v in place)
        drawn = render(self.scene, (x, y, 2 * reach + 1, 2 * reach + 1), _SAMPLES)
        picture = develop(drawn.rgb, self.camera, rng, self.metered)
        if scale < 0.9:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.42 / scale), np.uint8)
        middle = (CROP_PX - 1) / 2
        warp = np.array([[scale, 0, middle - scale * (place[0] - x)], [0, scale, middle - scale * (place[1] - y)]])
        crop = cv2.warpAffine(picture, warp, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REFLECT)
        return np.asarray(crop, np.uint8), scale


def legible(picture: Picture, corners: NDArray[np.float64], pips: NDArray[np.float32]) -> bool:
    """Whether the pips (n, 2) stand out from their face, corners (4, 2), both in px of a picture (h, w, 3).

    They do not where they are burnt out, lost in the dark, smeared or rubbed off.
    """
    size = 40
    square = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    to_square = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    face = cv2.GaussianBlur(cv2.warpPerspective(picture, to_square, (size, size)), (0, 0), 1.0)
    on_pips = np.zeros((size, size), np.uint8)
    for x, y in cv2.perspectiveTransform(pips[None], to_square)[0]:
        cv2.circle(on_pips, (round(float(x)), round(float(y))), 2, 1, -1)
    beside = (cv2.dilate(on_pips, np.ones((15, 15), np.uint8)) == 1) & (
        cv2.dilate(on_pips, np.ones((5, 5), np.uint8)) == 0
    )
    difference = face[on_pips == 1].mean(axis=0) - face[beside].mean(axis=0)
    return bool(np.abs(difference).max() >= LEAST_CONTRAST)


def _random_scene(rng: np.random.Generator, number: int) -> Scene:
    tray, light = random_tray(rng), random_light(rng)
    lens = random_lens(rng, tray, (_PLANE_PX, _PLANE_PX))
    dice = random_dice(rng, tray)
    face = float(np.exp(rng.uniform(*np.log(_FACE_PX))))
    side = dice[0].look.side_mm if dice else 16.0
    lens = replace(lens, focal_px=face / side * lens.position[2], k1=0.0)
    hand = random_hand(rng, tray) if rng.random() < HAND_SHARE else ()
    return Scene(tray, random_table(rng), light.lamps, light.sky, lens, dice, hand, number)


def _overview(scene: Scene) -> Scene:
    """The scene as a small picture of the whole tray, to meter its light."""
    lens = replace(scene.lens, size=(48, 36), centre_px=(23.5, 17.5), focal_px=0.2 * scene.lens.position[2] / 2)
    return replace(scene, lens=lens)


def _empty_place(rng: np.random.Generator, scene: Scene, labels: tuple[DieLabel, ...]) -> NDArray[np.float64] | None:
    """A place with no die in its middle: just beside one in half of the cases, else anywhere about the tray."""
    for _ in range(20):
        if labels and rng.random() < 0.5:
            label = labels[int(rng.integers(len(labels)))]
            angle = rng.uniform(0, 2 * np.pi)
            place = label.middle + rng.uniform(0.8, 1.3) * label.face * np.array([np.cos(angle), np.sin(angle)])
        else:
            reach = 1.3 * max([scene.tray.circle_mm, *(d for *_, d in scene.tray.sides)])
            place = project(scene.lens, [(*rng.uniform(-reach, reach, 2), 0.0)])[0]
        if all(np.hypot(*(place - label.middle)) > 0.75 * label.face for label in labels):
            return np.asarray(place, np.float64)
    return None
