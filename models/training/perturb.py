"""Labelled dice as other tables would show them: turned, lit and packed otherwise, size and place less well known.

What is sure of a die in one photograph must stay right in all of these.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from models.training.die import Picture
from models.training.real import LabelledDie

_SIZE = 0.1  # the die's size is known to this share
_OFF = 0.05  # faces that the crop is off the middle, along each axis
_STOPS = 1.0
_BLUR_PX = 0.5
_JPEG_QUALITY = 60
_REACH = 3.0  # faces kept on each side of the die: more than the widest crop shows


@dataclass(frozen=True)
class Perturbed:
    """A picture uint8 (h, w, 3) BGR and where a die is looked for in it: x, y and the edge of its face, px."""

    picture: Picture
    x: float
    y: float
    face_px: float


def perturb(rng: np.random.Generator, picture: Picture, die: LabelledDie) -> Perturbed:
    """Return the surroundings of a die (h, w, 3) turned by any angle; blur and JPEG each come in half of the cases."""
    middle = round(_REACH * die.face_px)
    angle = rng.uniform(0, 2 * math.pi)
    cos, sin = math.cos(angle), math.sin(angle)
    warp = np.array([[cos, -sin, middle - cos * die.x + sin * die.y], [sin, cos, middle - sin * die.x - cos * die.y]])
    size = (2 * middle + 1, 2 * middle + 1)
    turned = cv2.warpAffine(picture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    lit = np.clip(turned * np.float32(2 ** rng.uniform(-_STOPS, _STOPS)), 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), _BLUR_PX), np.uint8)
    if rng.random() < 0.5:
        packed = cv2.imencode(".jpg", lit, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1]
        lit = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    x, y = middle + rng.uniform(-_OFF, _OFF, 2) * die.face_px
    return Perturbed(lit, float(x), float(y), float(die.face_px * (1 + rng.uniform(-_SIZE, _SIZE))))
