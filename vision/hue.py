"""The hues of a picture, compared like grey levels: what is as bright as the floor differs in them, a shadow hardly."""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]
Indices = npt.NDArray[np.intp]

HUE_SCALE = 220.0
"""Shares of red and of green in a colour, times this, are compared like grey levels: a glove that is as bright as the
floor differs in hue, and the floor in a shadow does not."""
HUE_FLOOR = 60.0
"""Levels added to a pixel's sum: in the dark a share is noise."""


def hues(image: Image) -> FloatArray:
    """Shares of red and green (h, w, 2), times HUE_SCALE, of a BGR picture (h, w, 3)."""
    planes = [plane.astype(np.float32) for plane in cv2.split(cv2.blur(image, (3, 3)))]
    total = planes[0] + planes[1] + planes[2] + np.float32(HUE_FLOOR)
    return np.asarray(cv2.merge([cv2.divide(plane, total, scale=HUE_SCALE) for plane in planes[2:0:-1]]), np.float32)


def hues_at(hue: FloatArray, at: Indices) -> FloatArray:
    """The hues (n, 2) of pixels by their numbers in the picture, far faster than by a mask."""
    return np.asarray(hue.reshape(-1, 2).take(at, axis=0), np.float32)


def shaded_hues(grey: FloatArray, hue: FloatArray, left: FloatArray) -> FloatArray:
    """The hues (n, 2) of pixels of this grey (n,) and these hues where a shadow has left them a share of light (n,)."""
    total = _total(grey, hue)
    paler = left * total / np.maximum(left * (total - HUE_FLOOR) + HUE_FLOOR, 1.0)
    return np.asarray(hue * paler[:, None], np.float32)


def chroma(grey: FloatArray, hue: FloatArray) -> FloatArray:
    """Levels (n,) by which red or blue differs most from the grey of pixels of this grey (n,) and these hues (n, 2)."""
    total = _total(grey, hue)
    red, green = (hue[:, k] * total / np.float32(HUE_SCALE) for k in (0, 1))
    blue = total - np.float32(HUE_FLOOR) - red - green
    return np.asarray(np.maximum(np.abs(red - grey), np.abs(blue - grey)), np.float32)


def _total(grey: FloatArray, hue: FloatArray) -> FloatArray:
    """Red + green + blue + HUE_FLOOR of pixels of this grey (n,) and these hues (n, 2).

    Grey is .299 red + .587 green + .114 blue, so that with two of the three shares it tells their sum.
    """
    share = np.float32(0.299 - 0.114) * hue[:, 0] + np.float32(0.587 - 0.114) * hue[:, 1]
    share += np.float32(0.114 * HUE_SCALE)
    return np.asarray((grey + np.float32(0.114 * HUE_FLOOR)) * np.float32(HUE_SCALE) / share, np.float32)


def most_hue(hue: npt.NDArray[Any]) -> FloatArray:
    """The larger of the two values of each pixel: (h, w, 2) -> (h, w)."""
    return np.asarray(cv2.max(hue[..., 0], hue[..., 1]), np.float32)
