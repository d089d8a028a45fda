"""The dice's edge by a row of them pushed together."""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.row import GAP, Row, agreed, edge_by_row
from calibration.shape import Points
from tests.calibration.drawn import SIZE, VIEW

EDGE, FLAT = 0.16, 0.4
"""Of the dice, half widths, and how far a face is flat from its middle, edges."""
LENS = VIEW.lens(SIZE)
PIPS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
"""Of a four, quarters of an edge from its middle."""


def pips(x: float, y: float, turn: float, value: int = 4) -> Points:
    """The pips of a die on the floor, half widths and radians, px: of a four, or the one of a one."""
    cos, sin = math.cos(turn), math.sin(turn)
    at = [(x + EDGE / 4 * (u * cos - v * sin), y + EDGE / 4 * (u * sin + v * cos)) for u, v in PIPS]
    return LENS.project(at if value == 4 else [(x, y)], EDGE)


def row(
    way: float,
    along: Sequence[float],
    aside: Sequence[float] = (0.0,) * 9,
    turns: Sequence[float] = (0.0,) * 9,
    noise: Sequence[Sequence[float]] = ((0.0, 0.0),) * 9,
    ones: Collection[int] = (),
) -> list[Points]:
    """Dice so many edges along a way through the floor's middle, and aside, turned so, radians, seen so many px off."""
    cos, sin = math.cos(way), math.sin(way)
    dice = []
    for k, here in enumerate(along):
        a, b = EDGE * (here - float(np.mean(along))), EDGE * aside[k]
        place = (a * cos - b * sin, a * sin + b * cos)
        dice.append(pips(*place, way + turns[k] + k * math.pi / 2, 1 if k in ones else 4) + np.array(noise[k]))
    return dice


def apart(turns: Iterable[float]) -> list[float]:
    """Where dice lie, edges, that are turned so and pushed together: each touches the next where its face ends."""
    steps = [1 + FLAT * abs(there - here) for here, there in pairwise(turns)]
    return [0.0, *np.cumsum(steps).tolist()]


def told(*lots: Sequence[Points]) -> Row | None:
    return edge_by_row(lots, LENS, EDGE)


asides = st.lists(st.floats(-0.08, 0.08), min_size=5, max_size=5)


@given(st.floats(-math.pi, math.pi), asides, st.permutations(range(5)), st.sets(st.integers(0, 4), max_size=4))
def test_a_row_tells_the_edge_whatever_its_way(
    way: float, aside: list[float], order: list[int], ones: set[int]
) -> None:
    dice = row(way, range(5), aside, ones=ones)
    found = edge_by_row([[], [dice[k] for k in order]], LENS, EDGE * 1.015)
    assert found is not None and found.count == 5
    assert found.edge == pytest.approx(EDGE, rel=0.004)


def test_ones_alone_are_no_row() -> None:
    assert told(row(0.3, range(5), ones=range(5))) is None


@pytest.mark.parametrize(("turned_deg", "gap"), [(0.0, 0.0), (0.3, 0.0), (0.0, 0.004)])
def test_its_doubt_covers_what_is_seen_roughly_and_what_people_leave(turned_deg: float, gap: float) -> None:
    rng = np.random.default_rng(1)
    found = []
    for _ in range(200):
        turns, gaps = rng.normal(0, math.radians(turned_deg), 5), rng.exponential(gap, 5)
        along = np.array(apart(turns)) + np.cumsum(gaps)
        seen, noise = turns + rng.normal(0, math.radians(0.7), 5), rng.normal(0, 0.08, (5, 2))
        found.append(told(row(rng.uniform(-3, 3), along.tolist(), turns=seen.tolist(), noise=noise.tolist())))
    off = [abs(math.log(each.edge / EDGE)) < each.doubt for each in found if each is not None]
    assert len(off) > 190 and np.mean(off) > 0.9
    assert GAP < np.median([each.doubt for each in found if each is not None]) < 0.012


@pytest.mark.parametrize("spread_deg", [0.5, 1.0, 2.0, 4.0])
def test_dice_turned_beside_each_other_are_in_doubt_or_no_row(spread_deg: float) -> None:
    rng = np.random.default_rng(2)
    odd, off = 0, []
    for turns in rng.normal(0, math.radians(spread_deg), (100, 5)):
        found = told(row(0.7, apart(turns), turns=turns))
        if found is not None:
            odd += abs(math.log(found.edge / EDGE)) > 1.5 * found.doubt
            both = agreed(found, EDGE, 0.0125)
            off += [] if both is None else [abs(math.log(both.edge / EDGE))]
    assert odd < 25 and max(off) < 0.016


@pytest.mark.parametrize("turned_deg", [3.0, 5.0])
def test_one_die_turned_inside_a_row_is_in_doubt_by_as_much(turned_deg: float) -> None:
    turns = [0.0, 0.0, math.radians(turned_deg), 0.0, 0.0]
    found = told(row(0.7, apart(turns), turns=turns))
    assert found is None or abs(math.log(found.edge / EDGE)) < found.doubt


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
def test_dice_that_are_not_pushed_together_are_no_row(dice: list[Points]) -> None:
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
        within = abs(apart) < math.hypot(doubt, seen.doubt)
        assert both.count == 5 and (both.doubt < min(doubt, seen.doubt) or not within)


def test_all_dice_evenly_apart_are_contradicted_by_their_looks() -> None:
    found = told(row(0.3, [1.03 * k for k in range(5)]))
    assert found is not None and agreed(found, EDGE, 0.0125) is None


def test_of_two_rows_as_long_the_shorter_is_pushed_together_better() -> None:
    first, then = row(0.3, [1.012 * k for k in range(5)]), row(1.3, range(5))
    assert told(first, then) == told(then, first) == told(then)


def test_a_leaning_camera_turns_no_die_beside_another() -> None:
    lens = replace(VIEW, tilt=(0.3, -0.15)).lens(SIZE)
    flat = [LENS.to_floor(die, EDGE) for die in row(0.4, range(5))]
    found = edge_by_row([[lens.project(die, EDGE) for die in flat]], lens, EDGE)
    assert found is not None and found.edge == pytest.approx(EDGE, rel=1e-3) and found.doubt < 0.009
