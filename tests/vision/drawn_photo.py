"""Drawn photographs for tests: dice of any size on cloth, drawn by the same hand as the videos."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from tests.vision.drawn_tray import DIE_PX, film, lying

Image = npt.NDArray[np.uint8]

PLACES = ((150.0, 130.0), (300.0, 200.0), (450.0, 150.0), (200.0, 330.0), (420.0, 340.0))
ANGLES = (0.0, 17.0, 38.0, 61.0, 80.0)


def photograph(values: Sequence[int], die_px: float = DIE_PX) -> Image:
    """A BGR picture of up to five dice at `PLACES`, turned by `ANGLES`, scaled until a face has `die_px`."""
    lie = zip(PLACES, values, ANGLES, strict=False)
    dice = [lying(x, y, value, angle) for (x, y), value, angle in lie]
    image = next(iter(film(dice, seconds=0.1))).image
    scale = die_px / DIE_PX
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
