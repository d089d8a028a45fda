"""Between two dice shows the floor, in light or shadow, or a side of one that leans: what it is like, and how light."""

import math

import cv2
import numpy as np
import pytest

from vision.ground import Patch
from vision.outline import Outline
from vision.strip import Strip, strip

FELT, WHITE, GREY_FELT = (50, 110, 40), (225, 225, 225), (70, 70, 70)
FACE = 30
Colour = tuple[int, int, int]


def outline(x: float, y: float) -> Outline:
    half = FACE / 2
    square = np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])
    return Outline(square, square)


def seen(between: Colour, gap: int = 8, floor: Colour = FELT, die: Colour = WHITE) -> Strip:
    """The strip between two dice with a `gap`, px, in which all has a colour."""
    picture = np.full((200, 220, 3), floor, np.uint8)
    one, other = outline(95, 100), outline(95 + FACE + gap, 100)
    cv2.rectangle(picture, (80, 85), (109 + gap, 114), between, cv2.FILLED)
    for place in (one, other):
        cv2.fillConvexPoly(picture, np.round(place.top - 0.01).astype(np.int32), die)
    patch = Patch(picture, (95.0, 100.0), FACE)
    around = (patch.radius > 1.0) & ~patch.mask(other.whole, 0.2)
    return strip(patch, one, other, patch.mask(one.top, -0.12), around)


def shaded(colour: Colour, light: float) -> Colour:
    blue, green, red = (round(light * level) for level in colour)
    return blue, green, red


@pytest.mark.parametrize("light", [1.0, 0.7, 0.4])
def test_the_floor_is_no_die_in_whatever_light(light: float) -> None:
    assert seen(shaded(FELT, light)).likeness < 0 < seen(shaded(WHITE, light)).likeness


def test_a_side_is_lighter_than_the_floor_that_has_no_colour_either() -> None:
    floor, side = (seen(colour, floor=GREY_FELT) for colour in (shaded(GREY_FELT, 0.6), shaded(WHITE, 0.6)))
    assert math.exp(floor.light) < 0.3 < math.exp(side.light)


def test_the_gap_has_its_area_and_one_too_narrow_tells_no_more() -> None:
    assert abs(seen(FELT).area - 8 / FACE) < 0.06
    assert seen(FELT, gap=0) == Strip(seen(FELT, gap=0).area, 0.0, 0.0)
    assert seen(FELT, gap=0).area < 0.06
