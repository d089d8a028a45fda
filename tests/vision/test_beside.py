"""Dice beside the hand that threw them: since when they lie there."""

import numpy as np

from tests.vision.drawn_tray import DIE_PX
from vision.beside import MOST_BESIDE, Beside
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
