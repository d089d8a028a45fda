"""Dice drawn on a felt, seen from straight above, as readings and pixels."""

import math
from dataclasses import replace

import cv2
import numpy as np

from vision.geometry import TrayGeometry
from vision.lens import Lens
from vision.read import Reading

FELT, RED, DARK_RED = (50, 110, 40), (40, 40, 220), (25, 25, 140)
GREY, WHITE = (113, 113, 113), (235, 235, 235)
SHADOW, DEEP_SHADOW = (30, 66, 24), (18, 40, 15)
FACE = 30
LENS = Lens((1170.0, 1170.0), (320.0, 240.0), (0.0, 0.0, 0.0), (0.0, 0.0, 640.0))
UNMEASURED = TrayGeometry(((80, 60), (560, 60), (560, 420), (80, 420)), FACE, (640, 480))
GEOMETRY = replace(UNMEASURED, lens=LENS)
AT_WALL, NEAR_WALL, FREE = (320, 80), (320, 88), (320, 200)


def reading_at(place: tuple[int, int]) -> Reading:
    x, y = place
    box = (x - FACE / 2, y - FACE / 2, float(FACE), float(FACE))
    return Reading(2, 0.99, 2, "flat", 0.0, box, 0.9, 0.0)


def felt() -> np.ndarray:
    return np.full((480, 640, 3), FELT, np.uint8)


def draw(
    picture: np.ndarray,
    place: tuple[int, int],
    side: tuple[int, int] = (0, 0),
    colours: tuple[tuple[int, int, int], ...] = (DARK_RED, RED),
    turn: float = 0.0,
) -> None:
    """A die's top face, with its sides next to it in direction `side` (x, y) px and a shadow about it."""
    corners = [(FACE / math.sqrt(2), turn + (k + 0.5) * math.pi / 2) for k in range(4)]
    square = np.array([(r * math.cos(a), r * math.sin(a)) for r, a in corners]) + place
    shadow = np.zeros(picture.shape[:2], np.uint8)
    cv2.circle(shadow, (place[0] - 12, place[1] + 12), FACE, 1, cv2.FILLED)
    picture[(shadow == 1) & (picture == FELT).all(axis=2)] = SHADOW
    for shift, colour in zip((side, (0, 0)), colours, strict=True):
        cv2.fillConvexPoly(picture, np.round(square + shift).astype(np.int32), colour)
