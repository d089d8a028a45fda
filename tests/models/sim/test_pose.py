"""Quaternions turn as matrices do, and poses in between lie in between."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.sim.pose import Pose, about, between, multiply, random_rotation, rotation_matrix

seeds = st.integers(0, 10_000)


@given(seeds)
def test_product_turns_like_one_after_the_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = random_rotation(rng), random_rotation(rng)
    both = rotation_matrix(multiply(second, first))
    np.testing.assert_allclose(both, rotation_matrix(second) @ rotation_matrix(first), atol=1e-12)


@given(seeds)
def test_matrix_is_a_rotation(seed: int) -> None:
    matrix = rotation_matrix(random_rotation(np.random.default_rng(seed)))
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(matrix) == pytest.approx(1)


def test_turn_about_the_vertical_takes_x_to_y() -> None:
    turned = rotation_matrix(about((0, 0, 2), math.pi / 2)) @ [1, 0, 0]
    np.testing.assert_allclose(turned, [0, 1, 0], atol=1e-12)


def test_half_way_turns_half_the_angle_the_short_way() -> None:
    start = Pose((0, 0, 0))
    w, x, y, z = about((0, 0, 1), math.radians(80))
    for same_turn in ((w, x, y, z), (-w, -x, -y, -z)):
        middle = between(start, Pose((10, 0, 4), same_turn), 0.5)
        assert middle.position == (5, 0, 2)
        np.testing.assert_allclose(middle.matrix, rotation_matrix(about((0, 0, 1), math.radians(40))), atol=1e-12)


def test_points_are_turned_then_moved() -> None:
    pose = Pose((1, 2, 3), about((0, 0, 1), math.pi / 2))
    np.testing.assert_allclose(pose.to_world([[1, 0, 0], [0, 0, 5]]), [[1, 3, 3], [1, 2, 8]], atol=1e-12)
