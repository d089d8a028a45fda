"""By how much a round tray was turned, which its push does not tell: all dice lie in it as they did, but turned."""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.resting import SAME_PLACE, Resting, apart
from vision.shift import Matrix

MOST_DEG = 12.0
"""A push turns the tray by so much at most: chosen, six times the standard deviation of simulated ones."""
FEWEST = 2
"""Dice without which no turn is told: one lies somewhere else as well where it was thrown again."""


def find_turn(before: Sequence[Resting], now: Sequence[Resting], middle: tuple[float, float]) -> Matrix | None:
    """The turn about the tray's `middle`, px, that takes all dice of `before` to where those of `now` lie that show the
    same, as a map (2, 3) of places in px; None where none does, or none is needed."""
    if len(before) < FEWEST or len(before) != len(now) or _all_lie(before, now):
        return None
    pairs = [(die, other) for die in before for other in now if _shows_the_same(die, other)]
    turns = (math.remainder(_angle(other, middle) - _angle(die, middle), math.tau) for die, other in pairs)
    maps = (_turn_about(middle, turn) for turn in sorted(turns, key=abs) if abs(turn) <= math.radians(MOST_DEG))
    return next((turn for turn in maps if _all_lie([die.moved(turn) for die in before], now)), None)


def _all_lie(dice: Sequence[Resting], now: Sequence[Resting]) -> bool:
    """Whether each of these dice lies where one of `now` does that shows the same."""
    return all(any(apart(other, die) <= SAME_PLACE and _shows_the_same(die, other) for other in now) for die in dice)


def _shows_the_same(die: Resting, other: Resting) -> bool:
    return die.value is not None and die.value == other.value


def _angle(die: Resting, middle: tuple[float, float]) -> float:
    return math.atan2(die.y - middle[1], die.x - middle[0])


def _turn_about(middle: tuple[float, float], turn: float) -> Matrix:
    return np.asarray(cv2.getRotationMatrix2D(middle, -math.degrees(turn), 1.0), np.float64)  # it turns against y down
