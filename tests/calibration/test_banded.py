"""A band all round inside an outline is a wall's, on a floor of many colours too; shadows on some sides are none."""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.banded import is_banded
from calibration.floor import colours_of
from calibration.shape import View
from tests.calibration.drawn import SIZE, VIEW, empty, outline

Image = npt.NDArray[np.uint8]

RIM = replace(VIEW, scale=VIEW.scale * 1.21)
"""About the outer edge of the drawn tray's rim, taken for a floor."""


def speckled(picture: Image) -> Image:
    """The picture with the floor's and the rim's light specks, as stone has them."""
    rng = np.random.default_rng(2)
    specks = cv2.GaussianBlur(rng.normal(0, 1, SIZE[::-1]), (0, 0), 2.0)
    light = (specks > 0.9 * specks.std()) & (picture.max(2) > 80)
    return np.where(light[..., None], 230, picture).astype(np.uint8)


def banded(picture: Image, view: View) -> bool:
    return is_banded("square", view, colours_of(picture, 0.7, False), SIZE)


@pytest.mark.parametrize("many_coloured", [False, True])
def test_a_tray_outlined_by_its_rim_has_a_band_inside_and_its_floor_has_none(many_coloured: bool) -> None:
    picture = speckled(empty()) if many_coloured else empty()
    assert banded(picture, RIM)
    assert not banded(picture, VIEW)


def test_a_shadow_on_one_side_is_no_band() -> None:
    picture, (left, top) = empty(), outline().min(0)
    picture[:, round(float(left)) : round(float(left)) + 40] //= 2
    picture[round(float(top)) : round(float(top)) + 40] //= 2
    assert not banded(picture, VIEW)
