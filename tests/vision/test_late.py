"""Dice that come to light late from under the hand that threw others."""

from dataclasses import replace

import numpy as np
import pytest

from scorer.events import BodyInterfered, DiceAtRest, TrayEvent
from tests.vision.drawn_tray import DIE_PX, GEOMETRY, PLACES, VALUES, film, lying, moving_hand, thrown
from tests.vision.thrown_track import track
from vision.late import UNDER_S, came_late
from vision.network import Networks
from vision.read import Reading
from vision.resting import Resting
from vision.track import Track
from vision.watcher import Watcher

THERE = (200.0, 300.0)


def at_rest(x: float, y: float) -> Resting:
    reading = Reading(4, 0.99, 4, "flat", 20.0, (x, y, DIE_PX, DIE_PX), 0.9, 0.0)
    return Resting(x, y, DIE_PX, "flat", reading, np.zeros((32, 32), np.float32))


def never(_t: float, _number: int, _die: Resting) -> bool:
    """It was never seen to lie so."""
    return False


def uncovered(free: float | None) -> Track:
    """A die that lies beside a hand, or under it, until it is seen free of it."""
    die = track(*THERE, free=free, still=True, travel=0.0)
    die.first, die.by_hand, die.steps, die.tumbles = replace(die.sighting, near_body=True), True, 1, 0
    return die


@pytest.mark.parametrize(("free", "late"), [(1.5, False), (1.0 + UNDER_S + 0.1, True), (None, False)])
def test_a_die_is_late_that_a_hand_had_under_it_for_long(free: float | None, late: bool) -> None:
    dice, lying = [track(free=1.0), uncovered(free)], [at_rest(300.0, 240.0), at_rest(*THERE)]
    assert came_late(dice, dice, lying, never) == (dice[1].free if late else None)


def test_a_die_that_a_hand_covered_after_it_flew_or_was_seen_is_not_late() -> None:
    dice, lying = [track(free=1.0), uncovered(3.0)], [at_rest(300.0, 240.0), at_rest(*THERE)]
    assert came_late(dice, [*dice, track(*THERE, free=1.1)], lying, never) is None
    assert came_late(dice, [*dice, uncovered(1.3)], lying, never) is None
    assert came_late(dice, dice, lying, lambda t, *_: t >= 1.0 + UNDER_S) is None


def test_where_none_flew_none_is_late() -> None:
    assert came_late([uncovered(3.0)], [uncovered(3.0)], [at_rest(*THERE)], never) is None


PALM = ((0.3, -60, 240), (0.6, 170, 240), (1.9, 170, 240), (2.2, -60, 240))
"""It lets four go at .7 s, and has the fifth under it."""
LEAVES = ((0.3, -60, 240), (0.6, 170, 240), (0.8, 170, 240), (1.1, -60, 240))


@pytest.mark.parametrize(
    ("tips", "late"),
    [(PALM, True), (LEAVES, False)],
    ids=["under the palm", "uncovered soon"],
)
def test_a_die_that_comes_to_light_late_is_none_that_was_thrown(
    networks: Networks, tips: tuple[tuple[float, float, float], ...], late: bool
) -> None:
    dice = [thrown((210.0, 240.0), PLACES[n], VALUES[n], 0.7 + 0.02 * n) for n in range(1, 5)]
    watcher, events = Watcher(networks, GEOMETRY), list[TrayEvent]()
    for frame in film([*dice, lying(165, 240, 6, since=0.7)], [moving_hand(*tips)], tips[-1][0] + 1.0):
        events += watcher.step(frame)
    assert [len(event.thrown) for event in events if isinstance(event, DiceAtRest)] == [5]
    assert any(isinstance(event, BodyInterfered) for event in events) is late
