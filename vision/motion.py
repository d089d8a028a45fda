"""Motion on the floor that no die and no hand explains: edges that are not where they were."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.empty import SQUARE
from vision.hand import Disc, punch
from vision.network import LOCATOR_FACE_PX
from vision.pieces import largest

Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

MOVING_EDGE = 20
"""Levels by which an edge changes when something moves; soft shadows that pass change less."""
IDLE_FACES = 0.2
"""Die areas of moving edges that are not worth sorting out."""


def motion(now: Image, then: Image, floor: Image, bodies: Sequence[Mask], dice: Sequence[Disc]) -> float:
    """Die areas of the largest piece of floor where edges moved between two working pictures (h, w) and no thing is.

    floor: 1 on the floor, 0 elsewhere (h, w). bodies: those of the last pictures: where a hand has just been, its
    leaving is the motion. dice: die-like things in the picture of now.
    """
    edges = [cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, SQUARE) for picture in (now, then)]
    moved = (cv2.absdiff(*edges) > MOVING_EDGE).astype(np.uint8) & floor
    for body in bodies:
        moved[body] = 0
    if (pixels := cv2.countNonZero(moved)) < IDLE_FACES * LOCATOR_FACE_PX**2:
        return pixels / LOCATOR_FACE_PX**2
    moved = np.asarray(cv2.morphologyEx(moved, cv2.MORPH_CLOSE, SQUARE), np.uint8)
    punch(moved, dice)
    return largest(moved) / LOCATOR_FACE_PX**2
