"""The pips of a value are told by how they lie, and peaks elsewhere do not matter."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.drawn_tray import PIPS
from vision.face import Pip
from vision.lattice import Peaks

VALUES = (1, 2, 3, 4, 5, 6)
SPACING = 0.25
turns = st.floats(0, 360)
places = st.floats(-0.15, 0.15)


def pips_of(value: int, angle: float, x: float = 0.0, y: float = 0.0, height: float = 0.9) -> list[Pip]:
    c, s = math.cos(math.radians(angle)) * SPACING, math.sin(math.radians(angle)) * SPACING
    return [Pip(x + u * c - v * s, y + u * s + v * c, height) for u, v in PIPS[value]]


def margin(pips: list[Pip], value: int) -> float:
    lattice = Peaks(pips).lattice(value)
    return 0.0 if lattice is None else lattice.margin


@given(st.sampled_from(VALUES), turns, places, places)
def test_the_value_whose_pips_these_are_has_the_best_margin(value: int, angle: float, x: float, y: float) -> None:
    pips = pips_of(value, angle, x, y)
    lattice = Peaks(pips).lattice(value)
    assert lattice is not None
    assert lattice.margin == pytest.approx(0.9)
    assert set(lattice.pips) == set(pips)
    assert all(margin(pips, other) < 0.1 for other in VALUES if other != value), [margin(pips, v) for v in VALUES]


@given(st.sampled_from([(2, 3), (2, 4), (3, 5), (4, 5), (4, 6)]), turns, st.floats(0.1, 0.9))
def test_a_faint_pip_more_takes_as_much_of_the_margin(values: tuple[int, int], angle: float, faint: float) -> None:
    fewer, more = values
    plain = pips_of(fewer, angle)
    added = [
        pip
        for pip in pips_of(more, angle, height=faint)
        if min(math.dist((pip.x, pip.y), (p.x, p.y)) for p in plain) > 0.05
    ]
    assert margin([*plain, *added], fewer) == pytest.approx(0.9 - faint, abs=0.01)


@given(st.sampled_from([2, 3, 4, 5]), turns)
def test_print_between_the_pips_and_pips_of_side_faces_do_not_count(value: int, angle: float) -> None:
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    elsewhere = [Pip(u * c - v * s, u * s + v * c, 0.8) for u, v in ((0.62, 0.2), (0.62, -0.1), (0.12, 0.13))]
    assert margin([*pips_of(value, angle), *elsewhere], value) == pytest.approx(0.9)


@given(turns, st.floats(0.38, 1.3))
def test_the_pips_of_a_two_may_lie_close_together(angle: float, apart: float) -> None:
    x, y = (apart / 2 * turn(math.radians(angle)) for turn in (math.cos, math.sin))
    assert margin([Pip(x, y, 0.9), Pip(-x, -y, 0.9)], 2) == pytest.approx(0.9)


@given(turns)
def test_a_row_of_four_is_no_part_of_a_six(angle: float) -> None:
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    further = Pip(-SPACING * s + 2 * SPACING * c, SPACING * c + 2 * SPACING * s, 0.8)
    row = [
        Pip(u * SPACING * c - v * SPACING * s, u * SPACING * s + v * SPACING * c, 0.9)
        for v in (-1, 1)
        for u in (-1, 0, 1)
    ]
    assert margin(row, 6) == pytest.approx(0.9)
    assert margin([*row, further], 6) < 0.2


def rows_of_six(angle: float, along: float, across: float) -> list[Pip]:
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    places = [(u * along, v * across) for v in (-0.5, 0.5) for u in (-1, 0, 1)]
    return [Pip(u * c - v * s, u * s + v * c, 0.9) for u, v in places]


@given(turns, st.floats(0.31, 0.5))
def test_the_rows_of_a_six_may_lie_close_together(angle: float, across: float) -> None:
    assert margin(rows_of_six(angle, 0.27, across), 6) == pytest.approx(0.9)


@given(turns, st.floats(-0.1, 0.1), st.floats(-0.1, 0.1))
def test_print_between_the_rows_of_a_six_does_not_count(angle: float, x: float, y: float) -> None:
    assert margin([*rows_of_six(angle, 0.25, 0.5), Pip(x, y, 0.8)], 6) == pytest.approx(0.9)


@given(turns)
def test_a_square_of_nine_dots_is_no_six(angle: float) -> None:
    nine = {(round(p.x, 6), round(p.y, 6)): p for across in (0.0, 0.5) for p in rows_of_six(angle, 0.25, across)}
    assert len(nine) == 9
    assert margin(list(nine.values()), 6) < 0.1


def test_any_other_peak_makes_a_one_doubtful() -> None:
    assert margin([*pips_of(1, 0), Pip(0.6, 0.1, 0.7)], 1) == pytest.approx(0.2)


def test_nothing_lies_as_the_pips_of_a_value_where_there_are_too_few() -> None:
    assert all(Peaks(pips_of(value, 0)[:-1]).lattice(value) is None for value in VALUES)
    assert Peaks([]).lattice(1) is None


def test_two_peaks_of_one_wide_pip_are_one() -> None:
    pips = pips_of(4, 30)
    assert margin([*pips, Pip(0.04 + pips[0].x, 0.04 + pips[0].y, 0.8)], 4) == pytest.approx(0.9)
