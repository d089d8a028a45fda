"""Where a body reaches in over the border of what is watched."""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from vision.pieces import grown

Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

Pixel = TypeVar("Pixel", bound=np.generic)

SIDE_PX = 2
"""Px of the working picture along its border by which a body reaches in."""


def reaches_in(body: Mask) -> bool:
    """Whether a body (h, w) reaches in."""
    return any(part.any() for _, part in _sides(body))


def along_border(picture: npt.NDArray[Pixel]) -> npt.NDArray[Pixel]:
    """What is in a picture (h, w), 0 elsewhere, along its border (2 * (h + w),), once around it: of the pixels within
    SIDE_PX the largest."""
    top, bottom, left, right = (part for _, part in _sides(picture))
    return np.concatenate([top.max(0), right.max(1), bottom.max(0)[::-1], left.max(1)[::-1]])


def arm(body: Mask, floor: Image) -> tuple[float, float] | None:
    """The place, px of the working picture, at which what of a body (h, w) is over the `floor` (h, w), 1 there and 0
    elsewhere, reaches in; None where it does not."""
    sides = _sides(grown(body & (floor > 0), body.astype(np.uint8)))
    places = np.concatenate([np.argwhere(side) + np.array(corner) for corner, side in sides])
    if len(places) == 0:
        return None
    y, x = places.mean(axis=0).tolist()
    return x, y


def _sides(body: npt.NDArray[Pixel]) -> list[tuple[tuple[int, int], npt.NDArray[Pixel]]]:
    """A body (h, w) along each side of what is watched: row and column where a part begins, and it."""
    height, width = body.shape
    return [
        ((0, 0), body[:SIDE_PX]),
        ((height - SIDE_PX, 0), body[-SIDE_PX:]),
        ((0, 0), body[:, :SIDE_PX]),
        ((0, width - SIDE_PX), body[:, -SIDE_PX:]),
    ]
