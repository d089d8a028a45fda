"""Projection into the picture and back, and the floor's place in it."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.sim.die import PlacedDie
from models.sim.errors import SimulatorError
from models.sim.looks import NAMED_DICE
from models.sim.pose import Pose, about
from models.sim.rooms import NAMED_TRAYS, lens_over, random_lens
from models.sim.scene import Lens
from models.sim.view import as_opencv, face_px, floor_homography, floor_outline, overhead, project, to_floor

STRAIGHT = overhead(600, 800, (640, 480))


def test_untilted_picture_has_x_right_and_y_down() -> None:
    seen = project(STRAIGHT, [[0, 0, 0], [30, 0, 0], [0, 30, 0]])
    np.testing.assert_allclose(seen, [[319.5, 239.5], [359.5, 239.5], [319.5, 279.5]])


@given(st.integers(0, 10_000))
def test_pixels_come_back_from_the_floor(seed: int) -> None:
    rng = np.random.default_rng(seed)
    lens = random_lens(rng, NAMED_TRAYS["felt"], (640, 480))
    pixels = rng.uniform((100, 100), (540, 380), (6, 2))
    floor = to_floor(lens, pixels)
    back = project(lens, np.column_stack([floor, np.zeros(6)]))
    assert np.abs(back - pixels).max() < 1e-6


def test_any_lens_looks_at_the_middle_of_the_floor() -> None:
    lens = overhead(700, 900, (640, 480), tilt=0.3, tilt_towards=2.0, roll=1.0)
    np.testing.assert_allclose(project(lens, [[0, 0, 0]]), [[319.5, 239.5]], atol=1e-9)
    assert math.dist(lens.position, (0, 0, 0)) == pytest.approx(700)


def test_homography_is_exact_for_a_lens_that_does_not_distort() -> None:
    lens = overhead(700, 900, (640, 480), tilt=0.2, tilt_towards=1.0, roll=0.4)
    spots = np.array([[-50.0, 20, 0], [80, -60, 0], [10, 90, 0]])
    pixels = np.column_stack([project(lens, spots), np.ones(3)])
    mapped = pixels @ floor_homography(lens).T
    np.testing.assert_allclose(mapped[:, :2] / mapped[:, 2:], spots[:, :2], atol=1e-4)


def test_outline_of_a_square_tray_runs_clockwise_through_its_corners() -> None:
    tray = NAMED_TRAYS["felt"]
    lens = lens_over(tray)
    outline = floor_outline(tray, lens, 4)
    corners = {(round(x), round(y)) for x, y in to_floor(lens, outline)}
    assert {(115, 115), (-115, 115), (-115, -115), (115, -115)} <= corners
    x, y = outline.T
    assert (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0  # clockwise where y points down


def test_face_size_of_a_die_straight_below() -> None:
    look = NAMED_DICE["ivory"]
    die = PlacedDie.still(look, Pose((0, 0, 8)))
    assert face_px(STRAIGHT, die) == pytest.approx(16 * 800 / (600 - 16))


def test_looking_past_the_floor_is_refused() -> None:
    level = Lens((0, 0, 100), about((1, 0, 0), math.pi / 2), 500, (320, 240), (640, 480))
    with pytest.raises(SimulatorError, match="tilt it down"):
        to_floor(level, [[320, 100], [320, 380]])


def test_the_lens_of_a_calibration_sees_alike() -> None:
    plain = overhead(650, 900, (640, 480), 0.3, 1.0, 0.4)
    lens = replace(plain, k1=-0.15, k2=0.02)
    points = np.array([(-90.0, 40.0, 0.0), (100.0, 80.0, 16.0), (0.0, -110.0, 35.0)])
    seen = as_opencv(lens)
    assert np.allclose(seen.project(points[:, :2], points[:, 2]), project(lens, points), atol=1e-6)
    assert seen.place == pytest.approx(lens.position)
    assert seen.tilt == pytest.approx(0.3)
