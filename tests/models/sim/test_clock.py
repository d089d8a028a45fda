"""The camera's clock: which frames a file holds, how they are stamped, and what is to be made of that."""

from itertools import pairwise

import numpy as np
import pytest

from models.sim.clock import jittering, mistaken, set_at, steady, without
from vision.stamps import timed


def test_a_frame_shows_the_middle_of_its_exposure() -> None:
    assert steady(30, 2, 1 / 80).middle(30) == pytest.approx(1.00625)


def test_dropped_frames_leave_a_gap() -> None:
    clock = without(steady(25, 4, 0.01), 1.0, 2.0)
    assert clock.frames == 75
    assert clock.frame_from(1.5) == 25
    assert clock.time_of(25) - clock.time_of(24) == pytest.approx(1.04)


def test_faults_of_the_stamps_are_mended_as_the_truth_says() -> None:
    clock = jittering(steady(30, 9, 0.01), 0.004, np.random.default_rng(1))
    clock = mistaken(set_at(set_at(without(clock, 2, 2.4), 3, 2.5), 6, -4.0), 7.5, 3.0)
    assert any(a > b for a, b in pairwise(clock.stamps))
    told = [t for t, _ in timed(((stamp, None) for stamp in clock.stamps), 1 / 30)]
    assert told == pytest.approx(clock.times, abs=0.03)
    assert clock.told(6.5) == pytest.approx(9.0, abs=0.03)
