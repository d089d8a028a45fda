"""A round tray that was turned is told by the dice that lie in it."""

import math
from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
from hypothesis import assume, given

from vision.read import Reading
from vision.resting import Resting
from vision.turned import MOST_DEG, find_turn

MIDDLE, FACE = (320.0, 240.0), 20.0


def die(x: float, y: float, value: int | None) -> Resting:
    reading = Reading(value, 0.99, value or 1, "flat", 0.0, (x - 10, y - 10, FACE, FACE), 0.9, 0.0)
    return Resting(x, y, FACE, "flat", reading, np.zeros((32, 32), np.float32))


def turned(dice: list[Resting], deg: float) -> list[Resting]:
    """The dice turned about the middle, last first."""
    cos, sin = math.cos(math.radians(deg)), math.sin(math.radians(deg))
    places = [(one.x - MIDDLE[0], one.y - MIDDLE[1]) for one in reversed(dice)]
    there = [(MIDDLE[0] + x * cos - y * sin, MIDDLE[1] + x * sin + y * cos) for x, y in places]
    return [die(*place, one.value) for one, place in zip(reversed(dice), there, strict=True)]


LAY = [die(400.0, 240.0, 3), die(300.0, 130.0, 5), die(250.0, 260.0, 3)]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 6)), min_size=2, max_size=5,
                unique_by=lambda one: one[:2]), st.floats(-MOST_DEG + 0.5, MOST_DEG - 0.5))  # fmt: skip
def test_dice_that_all_lie_turned_by_as_much_tell_the_turn(places: list[tuple[int, int, int]], deg: float) -> None:
    dice = [die(220.0 + 48 * x, 140.0 + 48 * y, value) for x, y, value in places]
    now = turned(dice, deg)
    turn = find_turn(dice, now, MIDDLE)
    farthest = max(math.hypot(one.x - MIDDLE[0], one.y - MIDDLE[1]) for one in dice)
    assume(math.radians(abs(deg)) * farthest > 0.3 * FACE)
    assert turn is not None
    for before in dice:
        there = before.moved(turn)
        assert any(math.hypot(one.x - there.x, one.y - there.y) <= 0.25 * FACE for one in now)


def test_where_all_lie_as_they_lay_nothing_turned() -> None:
    assert find_turn(LAY, turned(LAY, 0.5), MIDDLE) is None


def test_one_that_lies_elsewhere_or_shows_another_value_or_none_or_is_missing_was_not_turned_with_the_tray() -> None:
    first, *others = turned(LAY, 6.0)
    assert find_turn(LAY, [first, *others], MIDDLE) is not None
    assert find_turn(LAY, [replace(first, x=first.x + 10.0), *others], MIDDLE) is None
    assert find_turn(LAY, [die(first.x, first.y, 4), *others], MIDDLE) is None
    assert find_turn(LAY, [die(first.x, first.y, None), *others], MIDDLE) is None
    assert find_turn(LAY, others, MIDDLE) is None


def test_a_single_die_or_a_turn_by_more_than_pushes_turn_tells_nothing() -> None:
    assert find_turn(LAY[:1], turned(LAY[:1], 6.0), MIDDLE) is None
    assert find_turn(LAY, turned(LAY, MOST_DEG + 3.0), MIDDLE) is None
