"""Cheap random texture: every grain is cut from one fixed bank of normal noise."""

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]

_BANK_SHAPE = (1100, 1500, 3)
_BANK: Image = np.random.default_rng(7).standard_normal(_BANK_SHAPE, dtype=np.float32)


def grain(rng: np.random.Generator, height: int, width: int, channels: int) -> Image:
    """Return white noise of standard deviation 1, float32 (height, width, channels).

    Cutting a random window out of a bank is some thirty times cheaper than drawing new normal numbers.
    """
    top = int(rng.integers(_BANK_SHAPE[0] - height))
    left = int(rng.integers(_BANK_SHAPE[1] - width))
    window = _BANK[top : top + height, left : left + width, :channels]
    return window[:: rng.choice([-1, 1]), :: rng.choice([-1, 1])]


def texture(
    rng: np.random.Generator, height: int, width: int, channels: int, octaves: list[tuple[float, float]]
) -> Image:
    """Return smooth noise, float32 (height, width, channels): the sum of `octaves` of (wavelength in px, amplitude)."""
    total = np.zeros((height, width, channels), np.float32)
    for wavelength, amplitude in octaves:
        rows, columns = max(2, int(height / wavelength)), max(2, int(width / wavelength))
        layer = grain(rng, rows, columns, channels)
        if wavelength > 1:
            smooth = cv2.resize(np.ascontiguousarray(layer), (width, height), interpolation=cv2.INTER_CUBIC)
            layer = np.asarray(smooth, np.float32).reshape(height, width, channels)
        total += np.float32(amplitude) * layer
    return total
