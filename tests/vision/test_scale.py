"""The die size where nobody gives it."""

import itertools

import cv2
import numpy as np
import pytest

from tests.vision.drawn_photo import photograph
from vision.locate import Image
from vision.network import Networks
from vision.scale import candidates, find_die_px


def grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


@pytest.mark.parametrize("die_px", [24, 40, 110])
def test_the_size_of_drawn_dice_is_found(networks: Networks, die_px: float) -> None:
    found = find_die_px(networks, [grey(photograph([2, 3, 4, 5, 6], die_px))])
    assert found == pytest.approx(die_px, rel=0.25)


def test_several_pictures_are_weighed_together(networks: Networks) -> None:
    pictures = [grey(photograph(values)) for values in ([1], [3, 1], [2, 6])]
    assert find_die_px(networks, pictures) == pytest.approx(30, rel=0.25)


def test_nothing_to_measure(networks: Networks) -> None:
    assert find_die_px(networks, []) is None
    assert find_die_px(networks, [np.zeros((1, 1), np.uint8)]) is None
    assert find_die_px(networks, [grey(photograph([]))]) is None


def test_candidates_cover_the_range_in_even_steps() -> None:
    sizes = candidates(1080)
    assert sizes[0] == 27
    assert sizes[-1] > 0.6 * 1080
    assert all(1.2 < b / a < 1.3 for a, b in itertools.pairwise(sizes))
