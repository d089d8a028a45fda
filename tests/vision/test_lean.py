"""A die that shows its sides away from the picture's centre leans; one that shows them towards it lies flat."""

import cv2
import numpy as np
import pytest

from vision.lean import leans, side_shift
from vision.read import Reading

FELT, RED, DARK_RED, SHADOW = (50, 110, 40), (40, 40, 220), (20, 20, 120), (30, 66, 24)
FACE = 30
FOOT = (320.0, 240.0)


def reading_at(x: float, y: float) -> Reading:
    box = (x - FACE / 2, y - FACE / 2, float(FACE), float(FACE))
    return Reading(2, 0.99, 2, "flat", 0.0, box, 0.9, 0.0)


def tray(x: int, y: int, side: tuple[int, int], body: tuple[int, int, int] = RED) -> np.ndarray:
    """A die's top face centred at (x, y), with its sides and a shadow next to it in direction `side` (x, y) px."""
    picture = np.full((480, 640, 3), FELT, np.uint8)
    half = FACE // 2
    dark = DARK_RED if body == RED else body
    for (dx, dy), colour in ((side, dark), ((0, 0), body)):
        cv2.rectangle(picture, (x - half + dx, y - half + dy), (x + half + dx, y + half + dy), colour, cv2.FILLED)
    shadow = np.zeros(picture.shape[:2], np.uint8)
    cv2.circle(shadow, (x - 12, y + 12), FACE, 1, cv2.FILLED)
    picture[(shadow == 1) & (picture == FELT).all(axis=2)] = SHADOW
    return picture


def test_the_silhouette_is_shifted_to_where_the_sides_show() -> None:
    flat, leaning = (side_shift(tray(320, 80, (0, dy)), reading_at(320, 80)) for dy in (8, -8))
    assert flat is not None
    assert leaning is not None
    assert flat[1] == pytest.approx(0.13, abs=0.05)
    assert leaning[1] == pytest.approx(-0.13, abs=0.05)
    assert abs(flat[0]) < 0.05
    assert abs(leaning[0]) < 0.05


def test_nothing_is_said_where_colour_does_not_tell() -> None:
    assert side_shift(tray(320, 80, (0, -8), body=(55, 118, 46)), reading_at(320, 80)) is None


def test_sides_that_show_outwards_belong_to_a_leaning_die() -> None:
    places = [(320.0, 80.0), (250.0, 120.0), (100.0, 240.0)]
    shifts = [(0.0, -0.13), (0.03, 0.06), (0.08, 0.0)]
    assert [leans(i, places, shifts, FOOT) for i in range(3)] == [True, False, False]


def test_a_camera_that_looks_in_aslant_shifts_all_dice_alike() -> None:
    places = [(320.0, 80.0), (320.0, 400.0), (100.0, 240.0)]
    assert not any(leans(i, places, [(0.0, 0.2)] * 3, FOOT) for i in range(3))


def test_a_lone_die_leans_only_where_there_is_no_doubt() -> None:
    assert not leans(0, [(320.0, 80.0)], [(0.0, -0.1)], FOOT)
    assert leans(0, [(320.0, 80.0)], [(0.0, -0.2)], FOOT)
    assert not leans(0, [(320.0, 80.0)], [None], FOOT)
