"""The dice's edge by a row of them pushed together."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.row import GAP, Row, agreed, edge_by_row
from calibration.sides import Lying
from tests.calibration.drawn import SIZE, VIEW

EDGE, FLAT = 0.16, 0.4
"""Of the dice, half widths, and how far a face is flat from its middle, edges."""
LENS = VIEW.lens(SIZE)
PICTURE = np.zeros((1, 1, 3), np.uint8)


def lying(x: float, y: float, turn: float, off_px: Sequence[float] = (0.0, 0.0)) -> Lying:
    """A die on the floor, half widths and radians, as it is read: its top's middle and its angle in the picture."""
    ahead = 0.02 * np.array([math.cos(turn), math.sin(turn)])
    middle, there = LENS.project([(x, y), (x + ahead[0], y + ahead[1])], EDGE)
    seen = math.degrees(math.atan2(*(there - middle)[::-1])) % 90
    return Lying(PICTURE, middle[0] + off_px[0], middle[1] + off_px[1], 26.0, seen)


def row(
    way: float,
    along: Sequence[float],
    aside: Sequence[float] = (0.0,) * 9,
    turns: Sequence[float] = (0.0,) * 9,
    noise: Sequence[Sequence[float]] = ((0.0, 0.0),) * 9,
) -> list[Lying]:
    """Dice so many edges along a way through the floor's middle, and aside, turned so, radians, read so many px off."""
    cos, sin = math.cos(way), math.sin(way)
    dice = []
    for k, here in enumerate(along):
        a, b = EDGE * (here - float(np.mean(along))), EDGE * aside[k]
        place = (a * cos - b * sin, a * sin + b * cos)
        dice.append(lying(*place, way + turns[k] + k * math.pi / 2, noise[k]))
    return dice


def apart(turns: Sequence[float]) -> list[float]:
    """Where dice lie, edges, that are turned so and pushed together: each touches the next where its face ends."""
    steps = [1 + FLAT * abs(there - here) for here, there in pairwise(turns)]
    return [0.0, *np.cumsum(steps).tolist()]


def told(*lots: Sequence[Lying]) -> Row | None:
    return edge_by_row(lots, LENS, EDGE)


asides = st.lists(st.floats(-0.08, 0.08), min_size=5, max_size=5)


@given(st.floats(-math.pi, math.pi), asides, st.permutations(range(5)), st.sets(st.integers(0, 4), max_size=4))
def test_a_row_tells_the_edge_whatever_its_way(
    way: float, aside: list[float], order: list[int], untold: set[int]
) -> None:
    dice = row(way, range(5), aside)
    lot = [replace(dice[k], angle=math.nan) if k in untold else dice[k] for k in order]
    found = edge_by_row([[], lot], LENS, EDGE * 1.015)
    assert found is not None and found.count == 5
    assert found.edge == pytest.approx(EDGE, rel=0.004)


def test_dice_whose_pips_tell_no_angle_are_no_row() -> None:
    assert told([replace(die, angle=math.nan) for die in row(0.3, range(5))]) is None


def test_its_doubt_covers_middles_and_turns_that_are_told_roughly() -> None:
    rng = np.random.default_rng(1)
    found = [
        told(row(way, range(5), turns=turns, noise=noise))
        for way, turns, noise in zip(
            rng.uniform(-3, 3, 200), rng.normal(0, 0.01, (200, 5)), rng.normal(0, 0.1, (200, 5, 2)), strict=True
        )
    ]
    off = [abs(math.log(each.edge / EDGE)) < each.doubt for each in found if each is not None]
    assert len(off) > 190 and np.mean(off) > 0.95
    assert GAP < np.median([each.doubt for each in found if each is not None]) < 0.007


@pytest.mark.parametrize("spread_deg", [0.5, 1.0, 2.0, 4.0])
def test_dice_turned_beside_each_other_are_in_doubt_or_no_row(spread_deg: float) -> None:
    rng = np.random.default_rng(2)
    odd, off = 0, []
    for turns in rng.normal(0, math.radians(spread_deg), (100, 5)):
        found = told(row(0.7, apart(turns), turns=turns))
        if found is not None:
            odd += abs(math.log(found.edge / EDGE)) > 2 * found.doubt
            both = agreed(found, EDGE, 0.0125)
            off += [] if both is None else [abs(math.log(both.edge / EDGE))]
    assert odd < 10 and max(off) < 0.016


def test_a_longer_row_is_surer_and_counts() -> None:
    four, five = row(0.3, range(4)), row(1.0, range(5))
    short, long = told(four), told(five)
    assert short is not None and long is not None
    assert (short.count, long.count) == (4, 5) and long.doubt < short.doubt
    assert told(four, five) == told(five, four) == long


@pytest.mark.parametrize(
    "dice",
    [
        [],
        row(0.3, range(3)),
        row(0.3, range(5), aside=(0.0, 0.6, 0.0, 0.6, 0.0)),
        row(0.3, (0, 1, 2, 3, 4.05)),
        row(0.3, (0, 1, 2.04, 3, 4)),
        row(0.3, (0, 1, 2, 3, 4.2)),
        [*row(0.3, range(6))[:3], *row(0.3, range(6))[4:]],
        row(0.3, range(4), turns=(0.0, 0.0, 0.5, 0.0)),
    ],
    ids=["none", "three", "aside", "a gap at its end", "inside", "a wide one", "one unseen", "one turned"],
)
def test_dice_that_are_not_pushed_together_are_no_row(dice: list[Lying]) -> None:
    assert told(dice) is None


def test_one_that_is_not_seen_at_its_end_shortens_it() -> None:
    found = told(row(0.3, range(5))[1:])
    assert found is not None and found.count == 4 and found.edge == pytest.approx(EDGE, rel=1e-3)


def test_dice_that_did_not_lie_there_at_one_time_are_no_row() -> None:
    dice = row(0.3, range(4))
    assert told(dice[:2], dice[2:]) is None


@given(st.floats(0.004, 0.02), st.floats(-0.03, 0.03))
def test_a_row_and_looks_are_told_together_or_contradict_each_other(doubt: float, apart: float) -> None:
    seen = Row(EDGE * math.exp(apart), 0.005, 5)
    both = agreed(seen, EDGE, doubt)
    if both is None:
        assert abs(apart) > math.hypot(doubt, seen.doubt)
    else:
        assert min(EDGE, seen.edge) * (1 - 1e-9) <= both.edge <= max(EDGE, seen.edge) * (1 + 1e-9)
        assert both.doubt < min(doubt, seen.doubt) and both.count == 5


def test_all_dice_evenly_apart_are_contradicted_by_their_looks() -> None:
    found = told(row(0.3, [1.03 * k for k in range(5)]))
    assert found is not None and agreed(found, EDGE, 0.0125) is None
