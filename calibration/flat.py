"""A die's picture laid flat: what is seen about its top, in edges of the die, as the gauge takes it.

Where the die is taken to be larger than it is, it looks too small there, and so on: place, turn and size that are wrong
are all seen in it, and the more of its sides the more the camera leans.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.cube import AROUND, Points
from vision.lens import Lens

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]

SIDE, REACH = 72, 0.9
"""Px of a flat picture's edge, and edges of the die from its middle to there."""
LAYERS = 5
BODY = 0.36
"""Edges from the middle in which the die's colour is seen."""
CONTRAST = 20.0
"""Levels of contrast with the floor that count as little."""
GREY = np.array([0.114, 0.587, 0.299], np.float32)
_CORNERS = np.array([(0, 0), (SIDE - 1, 0), (SIDE - 1, SIDE - 1), (0, SIDE - 1)], np.float32)


@dataclass(frozen=True, slots=True)
class Flat:
    """picture, empty: (SIDE, SIDE, 3) BGR with the die and without. known: (4,) how far the camera leans along the
    die's two sides, px of its face, and its edge beside the camera's height above its top."""

    picture: Image
    empty: Image
    known: Points


def lay_flat(picture: Image, empty: Image, lens: Lens, pose: Points, edge: float, grown: float = 1.0) -> Flat:
    """The picture about a die that lies at `pose` (x, y and its turn), the unit as the lens has it.

    grown: by how much larger the top is seen than the lens says.
    """
    cos, sin = math.cos(pose[2]), math.sin(pose[2])
    turn = np.array([[cos, sin], [-sin, cos]])
    corners = lens.project(pose[:2] + grown * REACH * edge * AROUND @ turn, edge).astype(np.float32)
    to_flat = cv2.getPerspectiveTransform(_CORNERS, corners)
    how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    seen, bare = (
        np.asarray(cv2.warpPerspective(image, to_flat, (SIDE, SIDE), flags=how, borderMode=cv2.BORDER_REPLICATE))
        for image in (picture, empty)
    )
    x, y, height = lens.place
    lean = turn @ (np.array([x, y]) - pose[:2]) / (height - edge)
    face = float(np.linalg.norm(corners[1] - corners[0])) / (2 * REACH)
    return Flat(seen.astype(np.uint8), bare.astype(np.uint8), np.array([*lean, face, edge / (height - edge)]))


def layers(flat: Flat) -> FloatArray:
    """(LAYERS, SIDE, SIDE): how much of the die's colour is seen and how much of others, grey levels, and how far they
    and the colours differ from those of the empty floor."""
    seen, bare = flat.picture.astype(np.float32), flat.empty.astype(np.float32)
    first = int(SIDE / 2 * (1 - BODY / REACH))
    middle = seen[first : SIDE - first, first : SIDE - first].reshape(-1, 3)
    apart = np.linalg.norm(middle - np.median(middle, axis=0), axis=1)
    way = np.median(middle[apart <= np.median(apart)], axis=0) - bare  # the commonest colour: pips are less of it
    off = seen - bare
    squared = (way**2).sum(2) + CONTRAST**2
    share = (off * way).sum(2) / squared
    other = np.linalg.norm(off - share[..., None] * way, axis=2) / np.sqrt(squared)
    grey, before = seen @ GREY, bare @ GREY
    found = (
        np.clip(share, -1, 2.5) - 0.5,
        np.clip(other, 0, 2) - 0.3,
        grey / 128 - 1,
        np.clip((grey - before) / 64, -2, 2),
        np.linalg.norm(off, axis=2) / 80 - 0.5,
    )
    return np.stack(found).astype(np.float32)
