"""Pips of dice at rest: from one to the opposite one to a fraction of a pixel, in any colours."""

import math
from dataclasses import replace

import numpy as np
import pytest

from calibration.pips import diagonals, diagonals_of, middles, turn
from tests.calibration.test_register import seen_at
from vision.network import load_networks


def test_diagonals_are_as_long_however_a_die_is_turned() -> None:
    dice = [seen_at(turn, value) for value in (2, 3, 4, 5) for turn in (0.0, 10.0, 45.0, 105.0)]
    found = diagonals(load_networks(), dice)
    assert [die.value for die in found] == [die.value for die in dice]
    assert [len(die.px) for die in found] == [1] * 8 + [2] * 8
    lengths = np.concatenate([np.linalg.norm(die.px[:, 1] - die.px[:, 0], axis=1) for die in found])
    assert lengths == pytest.approx(np.full(24, np.median(lengths)), rel=0.015)


def test_pips_as_light_as_their_die_are_told_by_colour() -> None:
    dice = [seen_at(20.0, 5, coloured) for coloured in (False, True)]
    grey, red = diagonals(load_networks(), dice)
    assert red.px == pytest.approx(grey.px, abs=0.15)


def test_a_one_has_none_and_a_six_two() -> None:
    one, six = seen_at(10.0, 1), seen_at(10.0, 6)
    (found,) = diagonals(load_networks(), [one, six])
    assert (found.value, len(found.px)) == (6, 2)


def test_pips_tell_where_a_die_lies_and_how_it_is_turned() -> None:
    networks = load_networks()
    for value in range(1, 7):
        for angle in (0.0, 10.0, 45.0, 80.0):
            true = seen_at(angle, value).lying
            pips = middles(networks, replace(true, x=321.0, y=239.4, angle=33.0), value)
            assert pips is not None and len(pips) == value
            assert pips.mean(0) == pytest.approx(np.array([320.0, 240.0]), abs=0.1)
            if value > 1:
                assert (math.degrees(turn(diagonals_of(pips))) - angle + 45) % 90 == pytest.approx(45, abs=1.5)


def test_pips_that_are_not_plain_are_not_placed() -> None:
    die = seen_at(20.0, 5).lying
    assert middles(load_networks(), replace(die, picture=np.full_like(die.picture, 128)), 5) is None
