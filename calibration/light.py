"""The light on the floor: how even it lies, whether it is too much, and whether it changed while it was filmed."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.floor import Mask
from calibration.recording import Recording

Image = npt.NDArray[np.uint8]

NEAR_BLACK = 4.0
"""Levels added to both sides of a ratio of brightness: near black they are noise. The watcher adds more, and each has
its limits for what it compares so: `vision.light` has the watcher's."""
FULL = 252
"""Level from which a pixel is full white in every channel: nothing can be told in it."""
ENDS = (3, 97)
"""Percentiles of the floor's brightness that count as its darkest and its brightest part."""
STEP = 4
"""Every so many px a picture is looked at for changes."""
STEADY = (5, 95)
"""Percentiles over the pictures between which brightness and colour change: a hand that covers the floor is none."""


@dataclass(frozen=True, slots=True)
class Light:
    """How the floor is lit.

    even: brightness, levels, of its darkest part beside its brightest, 0 to 1; darkest: where that is, px. clipped:
    share of it that is full white. colour: its median blue, green and red. brightness_drift, colour_drift: shares by
    which its brightness, and its blue and red beside its green, change over the recording.
    """

    even: float
    darkest: tuple[float, float]
    clipped: float
    colour: tuple[float, float, float]
    brightness_drift: float
    colour_drift: float


def light_on(floor: Mask, empty: Image, recording: Recording, die_px: float) -> Light:
    """The light on the floor (h, w) of the empty tray's picture, BGR, and in the others of the recording."""
    even, darkest = _even(floor, empty, die_px)
    brightness, colour = _drifts(floor, empty, recording)
    blue, green, red = (float(v) for v in np.median(empty[floor], axis=0))
    clipped = float((empty[floor].min(1) >= FULL).mean())
    return Light(even, darkest, clipped, (blue, green, red), brightness, colour)


def _even(floor: Mask, empty: Image, die_px: float) -> tuple[float, tuple[float, float]]:
    """Evenness, and where the floor is darkest; texture and the wall's own edge are smoothed away over a die."""
    width = 2 * round(die_px / 2) + 1
    inside = cv2.erode(floor.astype(np.uint8), np.ones((width, width), np.uint8), borderValue=0).astype(np.float32)
    if not inside.any():
        inside = floor.astype(np.float32)
    grey = cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY).astype(np.float32)
    weight = cv2.GaussianBlur(inside, (0, 0), die_px / 2)
    smooth = cv2.GaussianBlur(grey * inside, (0, 0), die_px / 2) / np.maximum(weight, 1e-6)
    dark, bright = np.percentile(smooth[inside > 0], ENDS)
    rows, columns = np.nonzero((inside > 0) & (smooth <= dark))
    return float((dark + 1) / (bright + 1)), (float(np.median(columns)), float(np.median(rows)))


def _drifts(floor: Mask, empty: Image, recording: Recording) -> tuple[float, float]:
    """Shares by which the usual pixel of the floor changes: dice and hands cover the lesser part of it."""
    thin = (slice(None, None, STEP), slice(None, None, STEP))
    there = floor[thin]
    usual = empty[thin][there] + np.float32(NEAR_BLACK)
    pictures = (picture[thin][there] + np.float32(NEAR_BLACK) for _, picture in recording.pictures)
    gains = np.array([np.median(picture / usual, axis=0) for picture in pictures])
    blue, green, red = gains.T
    low, high = np.percentile([green, blue / green, red / green], STEADY, axis=1)
    brightness, *colours = (high - low).tolist()
    return brightness, max(colours)
