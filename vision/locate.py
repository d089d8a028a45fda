"""Finding die-like things in a grey picture, with the picture shrunk until a die's face is 18 px."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import PictureError
from vision.network import LOCATOR_FACE_PX, FloatArray, Networks

Image = npt.NDArray[np.uint8]

STRIDE = 4
"""Picture pixels per cell of the locator's maps."""
PADDING = 8
"""The network takes pictures whose sides are multiples of this."""
APART = 0.55
"""Nearer than this share of the larger die, two candidates are one die: two faces cannot lie closer than one edge."""
SIZES = (0.5, 1.9)
"""Candidates smaller or larger than these multiples of the expected face are no dice (pips, hands)."""
SMALLEST_DIE_PX = 4.0
LARGEST_PICTURE = 24_000_000
"""Pixels of the shrunk picture beyond which the die size must be a mistake."""


@dataclass(frozen=True, slots=True)
class Located:
    """A die-like thing: its centre and face edge in px of the picture given, and how sure the locator is, 0 to 1."""

    x: float
    y: float
    size: float
    heat: float


def locate(networks: Networks, grey: Image, die_px: float) -> list[Located]:
    """Die-like things in `grey` (h, w), strongest first, where a die's face is about `die_px` wide.

    Raises PictureError where the picture is not grey or the die size can belong to no picture.
    """
    picture = working_picture(grey, die_px)
    maps = networks.run_locator(_normalised(picture))
    height, width = grey.shape
    candidates = _peaks(maps, networks.thresholds.heat)
    x_scale, y_scale = width / picture.shape[1], height / picture.shape[0]
    found = [Located(c.x * x_scale, c.y * y_scale, c.size * x_scale, c.heat) for c in candidates]
    low, high = SIZES
    return _suppress([f for f in found if low < f.size / die_px < high and 0 <= f.x < width and 0 <= f.y < height])


def working_picture(grey: Image, die_px: float) -> Image:
    """`grey` scaled so that a face of `die_px` becomes 18 px wide: what the locator sees, before normalising.

    Halving by area as often as possible and a linear step for the rest costs a tenth of one area average.
    """
    if grey.ndim != 2 or grey.size == 0:
        raise PictureError(f"a grey picture (h, w) is needed, not one of shape {grey.shape}")
    if not math.isfinite(die_px) or die_px < SMALLEST_DIE_PX:
        raise PictureError(f"a die of {die_px} px is too small to find: at least {SMALLEST_DIE_PX:g} px are needed")
    scale = LOCATOR_FACE_PX / die_px
    height, width = (max(1, round(side * scale)) for side in grey.shape)
    if height * width > LARGEST_PICTURE:
        raise PictureError(
            f"a die of {die_px} px in a picture of {grey.shape[1]}x{grey.shape[0]} px: size is too small"
        )
    while grey.shape[0] >= 2 * height and grey.shape[1] >= 2 * width:
        half = (max(1, grey.shape[1] // 2), max(1, grey.shape[0] // 2))
        grey = _uint8(cv2.resize(grey, half, interpolation=cv2.INTER_AREA))
    return _uint8(cv2.resize(grey, (width, height), interpolation=cv2.INTER_LINEAR))


def _normalised(picture: Image) -> FloatArray:
    """The locator's input: whole blocks, mean 0, contrast 1 (with a floor, or empty cloth would become noise)."""
    below, right = -picture.shape[0] % PADDING, -picture.shape[1] % PADDING
    padded = cv2.copyMakeBorder(picture, 0, below, 0, right, cv2.BORDER_REPLICATE)
    mean, deviation = (float(v[0, 0]) / 255 for v in cv2.meanStdDev(padded))
    scale = 1 / (deviation + 0.05)
    normalised = padded.astype(np.float32)
    normalised *= np.float32(scale / 255)  # in place: fresh memory costs more here than the sums
    normalised -= np.float32(mean * scale)
    return normalised


def _peaks(maps: FloatArray, heat_limit: float) -> list[Located]:
    """Local maxima of the heat map, in px of the working picture."""
    logits = np.ascontiguousarray(maps[0])
    limit = math.log(heat_limit / (1 - heat_limit))
    rows, columns = np.nonzero((logits >= cv2.dilate(logits, np.ones((3, 3), np.uint8))) & (logits > limit))
    peaks = []
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        logit, log_size, dx, dy = (float(v) for v in maps[:, row, column])
        size = LOCATOR_FACE_PX * math.exp(min(max(log_size, -3.0), 3.0))
        x, y = (column + dx + 0.5) * STRIDE, (row + dy + 0.5) * STRIDE
        peaks.append(Located(x, y, size, 1 / (1 + math.exp(-logit))))
    return peaks


def _suppress(found: list[Located]) -> list[Located]:
    """Keep the strongest of candidates that lie within one die of each other."""
    kept: list[Located] = []
    for candidate in sorted(found, key=lambda f: (-f.heat, f.y, f.x)):
        clear = (math.hypot(candidate.x - k.x, candidate.y - k.y) > APART * max(candidate.size, k.size) for k in kept)
        if all(clear):
            kept.append(candidate)
    return kept


def _uint8(image: object) -> Image:
    return np.asarray(image, np.uint8)
