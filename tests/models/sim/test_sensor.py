"""The film's sensor: develops as single pictures are developed, and only what changed."""

from dataclasses import replace

import numpy as np
import pytest

from models.sim.camera import VIDEO, develop
from models.sim.sensor import Exposure, Sensor

PLACE = (5, 9)
ONE = Exposure((1.0, 1.0, 1.0))
CLEAN = replace(VIDEO, shot_noise=0, read_noise=0)


@pytest.fixture
def light() -> np.ndarray:
    rough = np.random.default_rng(4).random((12, 16, 3), np.float32)
    return np.asarray(rough.repeat(8, axis=0).repeat(8, axis=1) * 2)


def test_it_develops_as_a_picture_is_developed(light: np.ndarray) -> None:
    film = Sensor(CLEAN, (128, 96), 1).picture(light, Exposure((CLEAN.exposure / 0.8,) * 3), PLACE, light, [])
    picture = develop(light, CLEAN, np.random.default_rng(1), metered=0.8)
    assert np.abs(film.astype(int) - picture).max() <= 2


def test_a_part_that_changed_is_developed_as_the_whole_would_be(light: np.ndarray) -> None:
    now = light.copy()
    now[30:50, 40:80] *= 0.5
    part = Sensor(VIDEO, (128, 96), 1).picture(light, ONE, PLACE, now, [(40 - 8, 30 - 8, 56, 36)])
    whole = Sensor(VIDEO, (128, 96), 1).picture(now, ONE, PLACE, now, [])
    assert np.abs(part.astype(int) - whole).max() <= 1


def test_noise_is_as_strong_as_in_a_single_picture_and_other_in_each_frame() -> None:
    camera = replace(VIDEO, shot_noise=2e-4, read_noise=2e-3, sharpening=0)
    even = np.full((200, 200, 3), 0.4, np.float32)
    sensor = Sensor(camera, (200, 200), 1)
    places = ((0, 0), (77, 31))
    middle = (slice(80, 120), slice(80, 120))
    one, other = (sensor.picture(even, Exposure((0.5,) * 3), place, even, [])[middle].astype(int) for place in places)
    single = develop(even, replace(camera, exposure=0.5), np.random.default_rng(1), metered=1.0)
    assert one.std() == pytest.approx(single[middle].std(), rel=0.1)
    assert (one - other).std() == pytest.approx(1.41 * one.std(), rel=0.1)
