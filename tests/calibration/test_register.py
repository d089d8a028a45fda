"""The set of dice that was shown: colours, pips, and how often a reading is not sure."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from calibration.recording import Seen
from calibration.register import lain_together, registered, usual_count
from calibration.sides import Lying
from calibration.words import likely_share
from tests.calibration.drawn import empty
from tests.vision.drawn_tray import Pose, draw_die
from vision.network import load_networks
from vision.read import read_die

Image = npt.NDArray[np.uint8]

FACE = 30.0


BLUE, RED = np.array([220.0, 85.0, 20.0]), np.array([30.0, 30.0, 200.0])
"""Equally light."""


def in_red_on_blue(picture: Image, turn: float) -> Image:
    """The picture with its die, so far turned, blue and its pips red."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]] - np.array([240.0, 320.0])[:, None, None]
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    top = np.maximum(np.abs(x * cos + y * sin), np.abs(y * cos - x * sin)) < FACE / 2
    body = np.clip((picture.mean(2) - 27) / 196, 0, 1)[..., None]
    return np.where(top[..., None], RED + (BLUE - RED) * body, picture).astype(np.uint8)


def seen_at(turn: float, value: int, coloured: bool = False) -> Seen:
    """A die drawn so far turned, or one with red pips on blue, as it is read."""
    picture = empty()
    draw_die(picture, Pose(320.0, 240.0, turn, value))
    picture = in_red_on_blue(picture, turn) if coloured else picture
    reading = read_die(load_networks(), [picture], 320.0, 240.0, FACE)
    assert reading.value == value
    return Seen(Lying(picture, *reading.centre, FACE, reading.angle), 0.0, value)


def test_pips_are_registered_upright_however_the_dice_lay() -> None:
    dice = [seen_at(turn, value) for value in (1, 2, 3, 4, 5, 6) for turn in (10.0, 105.0)]
    known = registered(load_networks(), dice, 5)
    assert (known.count, known.readings, known.unsure) == (5, 12, 0.0)
    assert [sum(of == value for of, _, _ in known.pips) for value in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    (_, ax, ay), (_, bx, by) = (pip for pip in known.pips if pip[0] == 2)
    assert (ax, ay, bx, by) == pytest.approx((-0.26, -0.26, 0.26, 0.26), abs=0.05)
    six = np.array([pip[1:] for pip in known.pips if pip[0] == 6])
    assert np.abs(np.abs(six[:, 0]) - 0.25).max() < 0.05
    assert sorted(np.abs(six[:, 1]).round(1)) == pytest.approx([0, 0, 0.3, 0.3, 0.3, 0.3], abs=0.1)
    ((light, _, _),), ((dark, _, _),) = known.colours, known.pip_colours
    assert light > 180 and dark < 60


def test_pips_that_grey_hides_are_registered_where_colour_shows_them() -> None:
    known = registered(load_networks(), [seen_at(50.0, value, coloured=True) for value in (4, 5, 6)], 3)
    for value, rows in ((4, (-0.26, 0.26)), (6, (-0.26, 0.0, 0.26))):
        places = np.array([pip[1:] for pip in known.pips if pip[0] == value])
        layout = np.array([(x, y) for x in (-0.26, 0.26) for y in rows])
        assert np.linalg.norm(layout[:, None] - places, axis=2).min(1).max() < 0.05


def test_what_was_not_sure_is_counted_and_no_value_is_made_up() -> None:
    die = seen_at(20.0, 4)
    unsure = Seen(die.lying, 1.0, None)
    known = registered(load_networks(), [die, unsure, unsure], usual_count([(4,), (4, 4), (1, 2)]))
    assert (known.count, known.readings) == (2, 3)
    assert known.unsure == pytest.approx(2 / 3, abs=1e-3)
    assert {of for of, _, _ in known.pips} == {4.0}
    assert registered(load_networks(), [unsure], 1).pips == ()


def test_dice_laid_down_one_by_one_are_one_rest_and_what_stays_belongs_to_the_next() -> None:
    lying = Lying(np.zeros((8, 8, 3), np.uint8), 4.0, 4.0, 4.0, 0.0)
    shown = [(1.0, 6.0, 4), (2.5, 9.0, 2), (4.0, 5.0, 5), (7.0, 9.0, 6), (8.0, 9.0, None)]
    seen = [Seen(lying, t, value, until=until) for t, until, value in shown]
    assert lain_together(seen) == ((2, 4, 5), (2, 6))


def test_the_share_to_be_expected_is_as_wide_as_few_readings_make_it() -> None:
    assert likely_share(0, 0) == (0.0, 1.0)
    low, high = likely_share(0, 10)
    assert (low, high) == pytest.approx((0.0, 0.2775), abs=1e-3)
    low, high = likely_share(50, 100)
    assert low < 0.5 < high and math.isclose(0.5 - low, high - 0.5)
