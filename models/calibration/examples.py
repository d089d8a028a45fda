"""Dice that lie on trays as calibration recordings show them, drawn one by one without filming: the gauge learns them.

Set-ups, cameras and the codec are those of the simulated recordings; only what is about a die is drawn.
"""

import math
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from models.sim.calibration.families import DIMMEST
from models.sim.calibration.good import GOOD
from models.sim.calibration.setup import draw_setup
from models.sim.camera import Camera, Light, Picture, meter, without_grain
from models.sim.die import PlacedDie
from models.sim.errors import SimulatorError
from models.sim.film import REST_GRAIN
from models.sim.rig import Rig
from models.sim.scatter import lay_flat
from models.sim.scene import Scene
from models.sim.sensor import Exposure, Sensor
from models.sim.tracer import render
from models.sim.video import write_video
from models.sim.view import as_opencv, floor_px_per_mm, project
from vision import lens as opencv

SIZES, SHARES = ((640, 480), (1280, 960), None), (0.25, 0.15, 0.6)
"""Of the picture: small ones too, that people may well record, and as recordings are drawn; and how often."""
TILE = 3.3
"""Faces to the side of the picture about a die."""
DICE, LEAST = 7, 3
"""Dice laid on one tray, and how few of them are enough."""
ON_DICE, OFF_DICE = (10, 24), (10, 10)
"""Rays per pixel."""
COARSER = 12
"""The whole picture is drawn so many times smaller to be metered."""
FRAMES = 4
"""So many frames of the empty tray are taken, and of the dice."""
STREAM = 424242
"""Tells these set-ups from those of recordings with the same seed."""
HEAP = 25
"""Sets to a file."""


@dataclass(frozen=True, slots=True)
class LaidDie:
    """picture, empty: (side, side, 3) BGR with the dice and without. corner: px of the tile's first pixel in the whole
    picture. pose: x, y, mm, and turn, radians, as seen from above with y down."""

    picture: Picture
    empty: Picture
    corner: tuple[int, int]
    pose: NDArray[np.float64]

    def lens(self, whole: opencv.Lens) -> opencv.Lens:
        """The lens of the tile, by that of the whole picture."""
        (cx, cy), (x, y) = whole.centre, self.corner
        return replace(whole, centre=(cx - x, cy - y))


@dataclass(frozen=True, slots=True)
class Laid:
    """Dice of one make on one tray under one camera; edge: mm."""

    edge: float
    lens: opencv.Lens
    dice: tuple[LaidDie, ...]


def lay(number: int) -> Laid | None:
    """The dice of one number, always the same; None where its set-up leaves too few of them in the picture."""
    rng = np.random.default_rng([number, STREAM])
    family = GOOD[int(rng.integers(len(GOOD)))]
    try:
        setting, _ = draw_setup(rng, family.wish, SIZES[int(rng.choice(len(SIZES), p=SHARES))])
    except SimulatorError:
        return None
    look = setting.dice[0]
    dice = lay_flat(rng, setting.tray, [look] * DICE)
    scene = Scene(setting.tray, setting.table, setting.lamps, setting.sky, setting.lens, tuple(dice), (), number)
    bare = replace(scene, dice=())
    rig = Rig()
    rig.adapt_to(float(rng.uniform(0, DIMMEST)))
    exposure = rig.camera.exposure / meter(render(_overview(bare), samples=(4, 4)).rgb)
    side = 2 * round(TILE / 2 * look.side_mm * floor_px_per_mm(setting.lens))
    tiles = [_tile(scene, bare, rig.camera, die, side) for die in dice]
    kept = [(die, tile) for die, tile in zip(dice, tiles, strict=True) if tile is not None]
    if len(kept) < LEAST:
        return None
    lights = [np.concatenate([tile[k] for _, tile in kept], axis=1) for k in (1, 0)]
    seen = filmed(lights, replace(rig.camera, vignette=0.0), exposure, rng)
    empty, shown = still(seen[:FRAMES]), seen[-2]
    laid = []
    for k, (die, (_, _, corner)) in enumerate(kept):
        part = slice(k * side, (k + 1) * side)
        laid.append(LaidDie(shown[:, part].copy(), empty[:, part].copy(), corner, _pose(die)))
    return Laid(look.side_mm, as_opencv(setting.lens), tuple(laid))


def lay_many(numbers: range, folder: Path) -> Iterator[Laid]:
    """The dice of these numbers, without those that none are laid for; what is drawn is kept in the folder."""
    for first in range(numbers.start, numbers.stop, HEAP):
        path = folder / f"{first:06}-{HEAP}.pkl"
        if not path.exists():
            laid = [found for number in range(first, first + HEAP) if (found := lay(number)) is not None]
            part = path.with_suffix(".part")
            part.write_bytes(pickle.dumps(laid))
            part.replace(path)
        yield from pickle.loads(path.read_bytes())


def _overview(scene: Scene) -> Scene:
    width, height = (side // COARSER for side in scene.lens.size)
    focal, centre = scene.lens.focal_px / COARSER, ((width - 1) / 2, (height - 1) / 2)
    return replace(scene, lens=replace(scene.lens, size=(width, height), centre_px=centre, focal_px=focal))


def _tile(
    scene: Scene, bare: Scene, camera: Camera, die: PlacedDie, side: int
) -> tuple[Light, Light, tuple[int, int]] | None:
    """The light about a die, with the dice and without, and the tile's corner; None where it is hardly in the picture.

    The lens' own loss of light is that of the die's place.
    """
    (px, py), (width, height) = project(scene.lens, [die.start.position])[0].tolist(), scene.lens.size
    x, y = round(px) - side // 2, round(py) - side // 2
    left, top, right, bottom = max(0, x), max(0, y), min(width, x + side), min(height, y + side)
    if right - left < side // 2 or bottom - top < side // 2:
        return None
    region = (left, top, right - left, bottom - top)
    beside = ((top - y, y + side - bottom), (left - x, x + side - right), (0, 0))
    aside = (2 * px / (width - 1) - 1) ** 2 + (2 * py / (height - 1) - 1) ** 2
    loss = np.float32(1 - camera.vignette * aside / 2)
    with_dice, without = (
        np.pad(without_grain(render(drawn, region, samples), *REST_GRAIN), beside, "edge") * loss
        for drawn, samples in ((scene, ON_DICE), (bare, OFF_DICE))
    )
    return with_dice, without, (x, y)


def filmed(lights: Sequence[Light], camera: Camera, exposure: float, rng: np.random.Generator) -> list[Picture]:
    """What a video shows of each light in turn, over FRAMES frames."""
    sensor = Sensor(camera, lights[0].shape[1::-1], int(rng.integers(2**31)))
    gains = Exposure((exposure, exposure, exposure))
    frames = [
        sensor.picture(light, gains, (int(rng.integers(128)), int(rng.integers(128))), light, [])
        for light in lights
        for _ in range(FRAMES)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dice.mp4"
        write_video(path, frames, [k / 30 for k in range(len(frames))], 30.0, lambda: None)
        with av.open(str(path)) as film:
            return [np.asarray(frame.to_ndarray(format="bgr24"), np.uint8) for frame in film.decode(video=0)]


def still(frames: Sequence[Picture]) -> Picture:
    """What frames of something that rests show, without noise; the first, packed worst, is left out."""
    return np.asarray(np.median(frames[1:], axis=0), np.uint8)


def _pose(die: PlacedDie) -> NDArray[np.float64]:
    """Its place and the turn of one of its upright sides."""
    sides = die.start.matrix[:2]
    along = sides[:, int(np.argmax(np.abs(sides).max(axis=0)))]
    return np.array([*die.start.position[:2], math.atan2(along[1], along[0])])
