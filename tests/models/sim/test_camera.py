"""From light to an 8-bit picture."""

from dataclasses import replace

import numpy as np
import pytest

from models.sim.camera import STILL, VIDEO, Camera, develop, meter

PLAIN = Camera(vignette=0, blur_px=0, shot_noise=0, read_noise=0, shoulder=0, contrast=0, sharpening=0)


def flat(level: float, size: int = 64) -> np.ndarray:
    return np.full((size, size, 3), level, np.float32)


def test_even_light_is_exposed_to_the_level_whatever_its_strength() -> None:
    expected = round(255 * (PLAIN.exposure / 1.3) ** (1 / 2.2))
    for level in (0.01, 0.3, 5.0):
        picture = develop(flat(level), PLAIN, np.random.default_rng(1))
        assert picture.dtype == np.uint8
        assert np.abs(picture.astype(int) - expected).max() <= 1


def test_meter_of_even_light() -> None:
    assert meter(flat(0.5)) == pytest.approx(0.5 * 1.3)


def test_parts_share_the_light_meter() -> None:
    bright = develop(flat(0.4), PLAIN, np.random.default_rng(1), metered=1.0)
    dark = develop(flat(0.1), PLAIN, np.random.default_rng(1), metered=1.0)
    assert bright.mean() > 1.5 * dark.mean()


def test_channels_come_out_as_blue_green_red() -> None:
    light = flat(0.3)
    light[..., 0] = 0.6
    picture = develop(light, PLAIN, np.random.default_rng(1))
    assert picture[0, 0, 2] > picture[0, 0, 1]
    assert picture[0, 0, 0] == picture[0, 0, 1]


def test_noise_has_the_variance_asked_for() -> None:
    noisy = replace(PLAIN, gamma=1.0, shot_noise=1e-3, read_noise=0.01, exposure=1.0)
    picture = develop(flat(0.5, 400), noisy, np.random.default_rng(2), metered=1.0) / 255
    assert picture.var() == pytest.approx(1e-3 * 0.5 + 0.01**2, rel=0.05)


def test_same_numbers_give_the_same_picture() -> None:
    light = np.random.default_rng(3).random((40, 50, 3), np.float32)
    camera = replace(STILL, jpeg_quality=80)
    first, second = (develop(light, camera, np.random.default_rng(9)) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert (first != develop(light, camera, np.random.default_rng(10))).any()


def test_video_is_less_noisy_than_a_still() -> None:
    still, video = (develop(flat(0.3), camera, np.random.default_rng(1)).std() for camera in (STILL, VIDEO))
    assert video < 0.6 * still


def test_saturation_nought_is_grey() -> None:
    light = flat(0.3)
    light[..., 1] = 0.1
    picture = develop(light, replace(PLAIN, saturation=0.0), np.random.default_rng(1))
    assert np.ptp(picture[0, 0]) <= 1
