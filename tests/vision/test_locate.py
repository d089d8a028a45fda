"""Finding die-like things."""

import math

import cv2
import numpy as np
import pytest

from tests.vision.drawn_photo import PLACES, photograph
from tests.vision.drawn_tray import DIE_PX
from vision.errors import PictureError
from vision.locate import Image, locate, working_picture
from vision.network import Networks


def grey_photograph(die_px: float) -> Image:
    return np.asarray(cv2.cvtColor(photograph([1, 2, 3, 4, 5], die_px), cv2.COLOR_BGR2GRAY), np.uint8)


@pytest.mark.parametrize("die_px", [18, 30, 77])
def test_every_die_is_found_once_at_its_place(networks: Networks, die_px: float) -> None:
    found = locate(networks, grey_photograph(die_px), die_px)
    scale = die_px / DIE_PX
    for x, y in PLACES:
        near = [f for f in found if math.dist((f.x, f.y), (x * scale, y * scale)) < 0.3 * die_px]
        assert len(near) == 1
        assert near[0].size == pytest.approx(die_px, rel=0.5)
    assert [f.heat for f in found] == sorted((f.heat for f in found), reverse=True)


@pytest.mark.parametrize("shape", [(1, 1), (1, 300), (7, 9), (40, 40)])
def test_small_pictures_hold_no_dice(networks: Networks, shape: tuple[int, int]) -> None:
    assert locate(networks, np.full(shape, 90, np.uint8), 30) == []


def test_working_picture_averages_instead_of_skipping() -> None:
    stripes = np.tile(np.array([[0, 255]], np.uint8), (400, 200))
    small = working_picture(stripes, 72)
    assert small.shape == (100, 100)
    assert int(small.max()) - int(small.min()) <= 2


@pytest.mark.parametrize("die_px", [0.0, -3.0, float("nan"), float("inf"), 1.0])
def test_a_size_no_die_can_have(networks: Networks, die_px: float) -> None:
    with pytest.raises(PictureError):
        locate(networks, np.zeros((40, 40), np.uint8), die_px)


def test_a_size_that_would_blow_the_picture_up(networks: Networks) -> None:
    with pytest.raises(PictureError, match="too small"):
        locate(networks, np.zeros((4000, 4000), np.uint8), 4.0)


def test_colour_is_refused(networks: Networks) -> None:
    with pytest.raises(PictureError, match="grey"):
        locate(networks, np.zeros((40, 40, 3), np.uint8), 18)
