"""Labelled dice as other tables would show them: turned, lit and packed otherwise, size and place less well known.

What is sure of a die in one photograph must stay right in all of these.
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import cv2
import numpy as np

from models.training.real import LabelledDie
from models.training.view import Picture

Kind = Literal["turned", "lit", "blurred", "packed", "shifted", "sized"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""What a table may do to a die: any angle, up to a stop of light, blur, JPEG, a crop off its middle, a wrong size."""

_SIZE = 0.1  # the die's size is known to this share
_OFF = 0.05  # faces that the crop is off the middle, along each axis
_STOPS = 1.0
_BLUR_PX = 0.5
_JPEG_QUALITY = 60
_REACH = 3.0  # faces kept on each side of the die: more than the widest crop shows


@dataclass(frozen=True)
class Perturbed:
    """A picture uint8 (h, w, 3) BGR and where a die is looked for in it: x, y and the edge of its face, px.

    turn: radians by which the picture was turned, from x right to y down.
    """

    picture: Picture
    x: float
    y: float
    face_px: float
    turn: float = 0.0


def perturb(rng: np.random.Generator, picture: Picture, die: LabelledDie, alone: Kind | None = None) -> Perturbed:
    """Return the surroundings of a die (h, w, 3) with all kinds of perturbation together, or with one of them alone.

    Together, blur and JPEG each come in half of the cases.
    """
    kinds = _together(rng) if alone is None else (alone,)
    middle = round(_REACH * die.face_px)
    angle = rng.uniform(0, 2 * math.pi) if "turned" in kinds else 0.0
    cos, sin = math.cos(angle), math.sin(angle)
    column, row = round(die.x), round(die.y)  # whole px: unturned, the surroundings are copied as they are
    warp = np.array([[cos, -sin, middle - cos * column + sin * row], [sin, cos, middle - sin * column - cos * row]])
    size = (2 * middle + 1, 2 * middle + 1)
    seen = cv2.warpAffine(picture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    if "lit" in kinds:
        seen = np.clip(seen * np.float32(2 ** rng.uniform(-_STOPS, _STOPS)), 0, 255).astype(np.uint8)
    if "blurred" in kinds:
        seen = cv2.GaussianBlur(seen, (0, 0), _BLUR_PX)
    if "packed" in kinds:
        packed = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1]
        seen = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    off_x, off_y = rng.uniform(-_OFF, _OFF, 2) * die.face_px if "shifted" in kinds else (0.0, 0.0)
    known = 1 + rng.uniform(-_SIZE, _SIZE) if "sized" in kinds else 1.0
    return Perturbed(
        np.asarray(seen, np.uint8),
        float(middle + cos * (die.x - column) - sin * (die.y - row) + off_x),
        float(middle + sin * (die.x - column) + cos * (die.y - row) + off_y),
        float(die.face_px * known),
        angle,
    )


def _together(rng: np.random.Generator) -> tuple[Kind, ...]:
    blurred, packed = rng.random(2) < 0.5
    left_out = {kind for kind, comes in (("blurred", blurred), ("packed", packed)) if not comes}
    return tuple(kind for kind in KINDS if kind not in left_out)
