"""Films: the same every time, and redrawing only what moves shows what drawing everything would."""

from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest

from models.sim.camera import VIDEO, develop, meter
from models.sim.film import film
from models.sim.scenarios import act
from models.sim.script import Timeline
from models.sim.tracer import render

pytestmark = pytest.mark.usefixtures("compiler")


@pytest.fixture(scope="module")
def small() -> Timeline:
    return act("throw", 1, (160, 120))


def test_the_same_seed_gives_the_same_frames(small: Timeline) -> None:
    short = replace(small, clock=small.clock.until(small.visits[0].start + 0.5))
    first, second = (list(film(short, 1)) for _ in range(2))
    assert len(first) == short.clock.frames
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_nothing_changes_while_nothing_moves_but_the_sensor(small: Timeline) -> None:
    first, last = (frame.astype(int) for frame in islice(film(small, 1, VIDEO), 0, 21, 20))
    assert np.abs(first - last).mean() < 2
    assert np.abs(first - last).max() < 25


def test_two_frames_that_follow_have_never_the_same_noise(small: Timeline) -> None:
    frames = list(islice(film(small, 1), 40))
    assert all(not np.array_equal(now, then) for now, then in pairwise(frames))


def test_frames_show_what_drawing_everything_shows(small: Timeline) -> None:
    """Hand and dice in the air: all of the picture that differs from the resting one is drawn again."""
    release = next(c.since for c in small.stories[0] if type(c).__name__ == "Falls")
    number = small.clock.frame_from(release + 0.1)
    frames = list(islice(film(small, 1, VIDEO), number + 1))
    scene = small.scene(small.clock.taken[number], 1)
    light = meter(render(small.scene(0.0, 1)).rgb)
    whole = develop(render(scene, samples=(30, 60)).rgb, VIDEO, np.random.default_rng(0), light)
    changed = np.abs(whole.astype(int) - frames[0]).max(axis=2) > 40
    assert changed.sum() > 300
    wrong = np.abs(whole.astype(int) - frames[number]).max(axis=2) > 40
    assert wrong.sum() < 0.03 * changed.sum()
