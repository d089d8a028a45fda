"""Where a body reaches in over the border of what is watched."""

import numpy as np
import numpy.typing as npt

from vision.hand import grown

Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

SIDE_PX = 2
"""Px of the working picture along its border by which a body reaches in."""


def reaches_in(body: Mask) -> bool:
    """Whether a body (h, w) reaches in."""
    return any(part.any() for _, part in _sides(body))


def arm(body: Mask, floor: Image) -> tuple[float, float] | None:
    """The place, px of the working picture, at which what of a body (h, w) is over the `floor` (h, w), 1 there and 0
    elsewhere, reaches in; None where it does not."""
    sides = _sides(grown(body & (floor > 0), body.astype(np.uint8)))
    places = np.concatenate([np.argwhere(side) + np.array(corner) for corner, side in sides])
    if len(places) == 0:
        return None
    y, x = places.mean(axis=0).tolist()
    return x, y


def _sides(body: Mask) -> list[tuple[tuple[int, int], Mask]]:
    """A body (h, w) along each side of what is watched: row and column where a part begins, and it."""
    height, width = body.shape
    return [
        ((0, 0), body[:SIDE_PX]),
        ((height - SIDE_PX, 0), body[-SIDE_PX:]),
        ((0, 0), body[:, :SIDE_PX]),
        ((0, width - SIDE_PX), body[:, -SIDE_PX:]),
    ]
