"""Reading a whole photograph: which dice lie there and what each of them shows."""

import math
import statistics
from dataclasses import dataclass

import cv2
import numpy as np

from vision.errors import PictureError
from vision.locate import SMALLEST_DIE_PX, Image, Located, locate
from vision.network import Networks, Thresholds
from vision.read import Reading, read_die
from vision.scale import find_die_px

SIZE_SPREAD = 1.15
"""One die's face may differ from the photograph's by this factor: the locator's own sizes are noisy."""


@dataclass(frozen=True, slots=True)
class PhotoDie:
    """One die of a photograph: its reading and how strongly the locator saw it."""

    reading: Reading
    heat: float


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """The dice of a photograph from top to bottom, and the face size that they were read at, px.

    `values` are the sorted values of the sure dice; the photograph is `sure` where it shows dice and all are sure.
    """

    dice: tuple[PhotoDie, ...]
    values: tuple[int, ...]
    sure: bool
    die_px: float | None


def read_photo(networks: Networks, bgr: Image, die_px: float | None = None) -> PhotoReading:
    """Read every die of a photograph (h, w, 3) BGR or (h, w) grey, uint8; without `die_px` its size is searched for.

    Raises PictureError where the picture has another form or the die size fits no picture.
    """
    if bgr.dtype != np.uint8 or bgr.ndim not in (2, 3) or (bgr.ndim == 3 and bgr.shape[2] != 3) or bgr.size == 0:
        raise PictureError(f"a uint8 BGR or grey picture is needed, not {bgr.dtype} of shape {bgr.shape}")
    grey = bgr if bgr.ndim == 2 else np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    if die_px is None:
        die_px = find_die_px(networks, [grey])
    elif not SMALLEST_DIE_PX <= die_px <= max(grey.shape):
        raise PictureError(f"a die of {die_px:g} px cannot lie in a picture of {grey.shape[1]}x{grey.shape[0]} px")
    if die_px is None:
        return PhotoReading((), (), False, None)
    things = locate(networks, grey, die_px)
    dice = [PhotoDie(read_die(networks, [bgr], t.x, t.y, size), t.heat) for t, size in _sized(things, die_px)]
    dice = [die for die in dice if _is_die(die, networks.thresholds)]
    dice.sort(key=lambda die: (die.reading.centre[1], die.reading.centre[0]))
    values = tuple(sorted(d.reading.value for d in dice if d.reading.value is not None))
    return PhotoReading(tuple(dice), values, bool(dice) and len(values) == len(dice), die_px)


def _sized(things: list[Located], die_px: float) -> list[tuple[Located, float]]:
    """Each thing with the face size to read it at: between what was expected and what the locator measured."""
    if not things:
        return []
    usual = math.sqrt(statistics.median(t.size for t in things) * die_px)
    return [(t, min(max(t.size, usual / SIZE_SPREAD), usual * SIZE_SPREAD)) for t in things]


def _is_die(die: PhotoDie, limits: Thresholds) -> bool:
    """Specks, screws and empty cloth: weak in the locator, and no face for the reader."""
    return die.heat >= limits.solid or die.reading.blank < limits.blank
