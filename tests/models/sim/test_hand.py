"""Hands: baked shapes that open, close, mirror and fit together."""

import numpy as np
import pytest

from models.sim.hand import CLOSING_STEPS, HandMake, arm_shape, bodies, carried, hand_shape
from models.sim.pose import Pose

RIGHT = HandMake(skin=(0.6, 0.4, 0.3), sleeve=None)
LEFT = HandMake(skin=(0.6, 0.4, 0.3), sleeve=(0.1, 0.2, 0.4), left=True)


def test_a_hand_gets_shorter_as_it_closes() -> None:
    reaches = [hand_shape(RIGHT, step).points[:, 0].max() for step in range(CLOSING_STEPS)]
    assert reaches == sorted(reaches, reverse=True)
    assert reaches[0] == pytest.approx(190, abs=12)


def test_the_thumb_of_a_right_hand_is_up_in_the_picture_and_mirrored_on_a_left() -> None:
    right, left = hand_shape(RIGHT, 0).points, hand_shape(LEFT, 0).points
    assert right[:, 1].min() < -60 < 60 > right[:, 1].max()
    assert left[:, 1].max() == pytest.approx(-right[:, 1].min(), abs=5)


def test_the_grid_is_negative_inside_only() -> None:
    shape = hand_shape(RIGHT, 0)
    border = np.concatenate([shape.grid[0].ravel(), shape.grid[:, 0].ravel(), shape.grid[:, :, -1].ravel()])
    assert border.min() > 0
    palm = np.round((np.array([60.0, 0.0, 0.0]) - shape.origin) / shape.voxel_mm).astype(int)
    assert shape.grid[palm[2], palm[1], palm[0]] < -5


@pytest.mark.parametrize("make", [RIGHT, LEFT])
def test_arm_and_hand_overlap_at_the_wrist(make: HandMake) -> None:
    assert arm_shape(make).points[:, 0].max() > hand_shape(make, 1).points[:, 0].min()
    assert arm_shape(make).points[:, 0].min() < -440


def test_bodies_are_skin_and_cloth() -> None:
    pose = Pose((0.0, 0.0, 60.0))
    assert [body.kind for body in bodies(LEFT, 3, pose, pose)] == ["skin", "cloth"]
    assert [body.kind for body in bodies(RIGHT, 3, pose, pose)] == ["skin", "skin"]


def test_carried_dice_do_not_touch_each_other() -> None:
    places = np.array(carried(RIGHT, 5, 16.0))
    apart = np.abs(places[:, None] - places[None]).max(axis=2) + np.eye(5) * 99
    assert apart.min() > 15.9
