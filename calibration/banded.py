"""Whether a band of another colour runs all round inside an outline: a wall does, inside the outer edge of its rim.

On a floor of many colours single places show no edge of the wall, but many places side by side do in the mean.
"""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.shape import Kind, View, along, outward

FloatArray = npt.NDArray[np.float32]

SECTORS, PLACES = 12, 10
"""Parts of an outline, and places of each, over which colours are averaged."""
FROM, BAND, STEP = -0.5, (-0.3, -0.05), 0.01
"""Half widths inside the outline from which on it is looked at, and where a band may be: nearer the edge, where a
wall's shadow may lie, it is none."""
APART, NOISES = 12.0, 2.5
"""Levels, and spreads of the floor's own mean colours, by which a band differs in every part: 37 and 7 inside a rim of
a speckled tray, 6 levels at most in 81 simulated set-ups that were outlined by their floor."""


def is_banded(kind: Kind, view: View, colours: FloatArray, size: tuple[int, int]) -> bool:
    """Whether such a band is seen inside the outline; `colours` (h, w, 3) are levels, `size` the picture's."""
    border = along(kind, view.ratio, SECTORS * PLACES)
    out = np.arange(FROM, 0.0, STEP)
    places = border[:, None] + outward(kind, view.ratio, border)[:, None] * out[:, None]
    at = view.lens(size).project(places.reshape(-1, 2)).reshape(len(border), -1, 2).astype(np.float32)
    seen = cv2.remap(colours, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    means = seen.reshape(SECTORS, PLACES, len(out), -1).mean(1)
    means = (means[:, :-2] + means[:, 1:-1] + means[:, 2:]) / 3
    floor, band = out[1:-1] < BAND[0], (out[1:-1] >= BAND[0]) & (out[1:-1] < BAND[1])
    apart = np.linalg.norm(means - np.median(means[:, floor], axis=1, keepdims=True), axis=2)
    spread = float(np.median(np.quantile(apart[:, floor], 0.9, axis=1)))
    return bool(apart[:, band].max(1).min() > max(APART, NOISES * spread))
