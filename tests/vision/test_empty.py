"""The picture of the empty tray: things, ghosts, shadows and the light."""

import cv2
import numpy as np
import pytest

from vision.empty import EmptyTray, Image, Mask


def floor() -> Image:
    return np.full((120, 160), 100, np.uint8)


def with_block(level: int, blur: float = 0.0) -> Image:
    picture = floor()
    picture[40:80, 50:90] = level
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8) if blur else picture


def region_of(tray: EmptyTray, picture: Image) -> Mask:
    return tray.compare(picture).mask > 0


def test_thing_that_came_is_real() -> None:
    tray = EmptyTray(floor())
    picture = with_block(200)
    assert region_of(tray, picture).sum() == 40 * 40
    assert tray.is_real(region_of(tray, picture), tray.compare(picture).levelled)


def test_thing_that_went_leaves_a_ghost_that_is_learned() -> None:
    tray = EmptyTray(with_block(200))
    difference = tray.compare(floor())
    region = difference.mask > 0
    assert not tray.is_real(region, difference.levelled)
    tray.learn(region, difference.levelled)
    assert not tray.compare(floor()).mask.any()


def test_soft_shadow_is_not_real() -> None:
    tray = EmptyTray(floor())
    shadow = with_block(50, blur=14.0)
    region = region_of(tray, shadow)
    assert region.any()
    assert not tray.is_real(region, tray.compare(shadow).levelled)


@pytest.mark.parametrize("gain", [0.7, 1.3])
def test_change_of_exposure_is_no_difference(gain: float) -> None:
    tray = EmptyTray(with_block(140))
    difference = tray.compare((with_block(140) * gain).astype(np.uint8))
    assert difference.gain == pytest.approx(gain, abs=0.03)
    assert not difference.mask.any()


def test_slow_light_is_followed_and_things_are_not() -> None:
    tray = EmptyTray(floor())
    brighter = with_block(200)
    brighter[brighter == 100] = 104
    brighter[::4, ::4] = 100  # the exposure itself has not changed
    before = tray.picture[60, 70]
    for _ in range(20):
        tray.follow(tray.compare(brighter))
    assert tray.picture[10, 11] == pytest.approx(102, abs=0.1)
    assert tray.picture[60, 70] == before
