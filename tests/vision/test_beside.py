"""Dice beside the hand that threw them: since when they lie there."""

import numpy as np
import pytest

from tests.vision.drawn_tray import DIE_PX
from vision.beside import MOST_BESIDE, Beside
from vision.rest import FloatArray
from vision.track import Sighting


def test_a_die_beside_the_hand_lies_there_since_it_was_first_seen_so() -> None:
    rng = np.random.default_rng(1)
    look, other = (rng.normal(0, 1, (32, 32)).astype(np.float32) for _ in range(2))
    beside, there = Beside(), Sighting(100.0, 100.0, DIE_PX, 0.7, still=True, near_body=True)
    beside.note((1.0, 30), there, look, DIE_PX)
    beside.note((2.0, 60), there, look, DIE_PX)
    assert beside.first(101.0, 100.0, look, DIE_PX) == (1.0, 30)
    assert beside.first(101.0, 100.0, other, DIE_PX) is None
    assert beside.first(150.0, 100.0, look, DIE_PX) is None


def test_a_hand_that_plays_with_dice_over_the_tray_fills_no_memory() -> None:
    look, beside = np.random.default_rng(1).normal(0, 1, (32, 32)).astype(np.float32), Beside()
    for n in range(MOST_BESIDE + 1):
        there = Sighting(float(n * DIE_PX), 100.0, DIE_PX, 0.7, still=False, near_body=True)
        beside.note((float(n), n), there, look, DIE_PX)
    assert beside.first(0.0, 100.0, look, DIE_PX) is None
    assert beside.first(DIE_PX, 100.0, look, DIE_PX) == (1.0, 1)


def seen_beside(places: list[tuple[float, float]], dice: list[tuple[float, int]]) -> Beside:
    """A die seen beside the hand in each of the places, px, from when to when, s; `dice`: each one's x and look."""
    beside = Beside()
    for (since, until), (x, kind) in zip(places, dice, strict=True):
        for frame in range(round(since * 30), round(until * 30) + 1):
            there = Sighting(x, 100.0, DIE_PX, 0.7, still=False, near_body=True)
            beside.note((frame / 30, frame), there, look_of(kind), DIE_PX)
    return beside


def look_of(kind: int) -> FloatArray:
    return np.random.default_rng(kind).normal(0, 1, (32, 32)).astype(np.float32)


def test_a_die_that_lay_beside_the_hand_lies_there_though_it_was_knocked_on() -> None:
    beside = seen_beside([(1.0, 1.4), (1.5, 1.9), (2.0, 2.1)], [(100.0, 1), (112.0, 2), (124.0, 3)])
    assert beside.first(124.0, 100.0, look_of(3), DIE_PX) == (1.0, 30)


@pytest.mark.parametrize(
    ("until", "then", "x"), [(1.1, 1.2, 112.0), (1.4, 1.9, 112.0), (1.4, 1.5, 160.0)], ids=["moving", "later", "far"]
)
def test_a_die_held_beside_the_hand_and_then_elsewhere_was_not_knocked_on(until: float, then: float, x: float) -> None:
    beside = seen_beside([(1.0, until), (then, 2.1)], [(100.0, 1), (x, 2)])
    assert beside.first(x, 100.0, look_of(2), DIE_PX) == (then, round(then * 30))


def test_a_die_put_beside_one_that_lies_there_yet_was_not_knocked_on() -> None:
    beside = Beside()
    for frame in range(30, 60):
        for x, kind in ((100.0, 1), (128.0, 2)):
            if kind == 1 or frame >= 45:
                there = Sighting(x, 100.0, DIE_PX, 0.7, still=False, near_body=True)
                beside.note((frame / 30, frame), there, look_of(kind), DIE_PX)
    assert beside.first(128.0, 100.0, look_of(2), DIE_PX) == (1.5, 45)


def test_a_hand_that_plays_with_two_dice_for_minutes_makes_them_no_harder_to_date() -> None:
    beside, frames, looks = Beside(), 5 * 60 * 30, {kind: look_of(kind) for kind in (1, 2)}
    for frame in range(frames):
        aside = 12.0 * (frame // 11 % 2)
        for x, kind in ((100.0, 1), (124.0, 2)):
            there = Sighting(x + aside, 100.0, DIE_PX, 0.7, still=False, near_body=True)
            beside.note((frame / 30, frame), there, looks[kind], DIE_PX)
    there = Sighting(100.0 + aside, 100.0, DIE_PX, 0.7, still=False, near_body=True)
    beside.note((frames / 30, frames), there, look_of(3), DIE_PX)
    assert beside.first(100.0 + aside, 100.0, look_of(3), DIE_PX) == (0.0, 0)
