"""A die laid flat shows by how much it was taken to be too large, to lie aside and to be turned."""

import numpy as np
import pytest

from calibration.flat import LAYERS, REACH, SIDE, lay_flat, layers
from tests.calibration.test_dice import BARE, EDGE, LENS, POSES, drawn

TOP = (SIDE - 1) / (2 * REACH)


@pytest.mark.parametrize("share", [1.0, 1.25])
def test_a_die_taken_for_larger_looks_smaller(share: float) -> None:
    pose = np.array(POSES[4])
    flat = lay_flat(drawn(POSES[4], shadow=False), BARE, LENS, pose, EDGE * share)
    light = flat.picture.mean(axis=2) > 165
    assert np.sqrt(light.sum()) == pytest.approx(TOP * 0.97 / share, abs=1.0)
    assert flat.known[2] == pytest.approx(EDGE * share * 200, rel=0.1)
    found = layers(flat)
    assert found.shape == (LAYERS, SIDE, SIDE)
    assert np.median(found[0][light]) == pytest.approx(0.5, abs=0.1)
    assert found[0][0].mean() == pytest.approx(-0.5, abs=0.1)


def test_the_camera_leans_to_the_side_on_which_it_stands() -> None:
    x, y, _ = LENS.place
    beside = np.array([x - 0.5, y, 0.0])
    assert lay_flat(BARE, BARE, LENS, beside, EDGE).known[0] > 0.05
    turned = lay_flat(BARE, BARE, LENS, beside + np.array([0, 0, np.pi / 2]), EDGE).known
    assert turned[1] < -0.05 and abs(turned[0]) < 1e-9
