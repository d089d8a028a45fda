"""Dice that a hand may have thrown while the view was lost: they were thrown, whatever they show."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from scorer.events import DiceAtRest, DiceThrown, RollCounted, RollHeld, RollUnseen, TrayEvent
from scorer.presets import BHO
from scorer.umpire import Umpire
from tests.vision.drawn_tray import (
    GEOMETRY,
    HERE,
    PLACES,
    THROWER,
    VALUES,
    DiePath,
    HandPath,
    Image,
    Point,
    chain,
    film,
    moving_hand,
    reaching,
    roll,
    thrown,
)
from vision.network import Networks
from vision.watcher import Watcher

LANDS = (400.0, 350.0)
TAKES = reaching(PLACES[4], 1.9, 2.7, origin=(700, PLACES[4][1]))
Gaps = Sequence[tuple[float, float]]


def watch(
    networks: Networks,
    dice: Sequence[DiePath],
    hands: Sequence[HandPath],
    seconds: float,
    dark: Gaps = (),
    change: Callable[[float, Image], Image] = lambda _t, image: image,
) -> list[TrayEvent]:
    """What is said of a film in which no frame of the `dark` times is sound."""
    watcher, events = Watcher(networks, GEOMETRY), list[TrayEvent]()
    for frame in film(dice, list(hands), seconds, 30.0, change):
        events += watcher.step(replace(frame, sound=not any(lost < frame.t < back for lost, back in dark)))
    return events


def thrown_again(taken: float, at: float) -> list[DiePath]:
    """Five dice lie there, one of which is `taken` and thrown again so that it shows what it showed."""
    *others, last = roll()
    return [*others, chain(lambda t: last(t) if t < taken else None, thrown(HERE, LANDS, VALUES[4], at))]


def throws(events: Sequence[TrayEvent]) -> list[DiceThrown]:
    """All throws; of the second a die came to rest, and the others stayed."""
    rest = [event for event in events if isinstance(event, DiceAtRest)][-1]
    assert (len(rest.thrown), len(rest.kept)) == (1, 4)
    return [event for event in events if isinstance(event, DiceThrown)]


@pytest.mark.parametrize(
    ("since", "until", "lost"),
    [(3.0, 3.7, 3.1), (3.0, 3.7, 3.5), (3.0, 4.9, 3.3), (3.5, 4.9, 3.3), (3.5, 4.2, 3.3), (2.25, 3.7, 3.3)],
    ids=["left", "left as it flew", "stays", "came and stays", "came and left", "had just taken it"],
)
def test_a_die_that_shows_what_it_showed_was_thrown_if_a_hand_may_have_thrown_it_unseen(
    networks: Networks, since: float, until: float, lost: float
) -> None:
    hands = [THROWER, TAKES, reaching((110, 240), since, until)]
    _, second = throws(watch(networks, thrown_again(2.3, 3.4), hands, 6.0, [(lost, 4.4)]))
    assert second.t_first < 4.4 + 0.5  # too soon after the view is back to be a throw in clear view


@pytest.mark.parametrize("stays", [True, False])
def test_so_was_one_that_a_hand_came_for_took_and_threw_all_unseen(networks: Networks, stays: bool) -> None:
    goes = ((4.9, 110, 240), (5.2, -60, 240)) if stays else ((4.4, -60, 240),)
    hand = moving_hand((3.3, 700, 180), (3.6, 470, 180), (3.75, 470, 180), (3.95, 110, 240), *goes)
    assert len(throws(watch(networks, thrown_again(3.7, 3.95), [THROWER, hand], 6.4, [(3.2, 4.8)]))) == 2


def test_so_was_one_that_flew_as_the_view_was_lost_though_the_hand_had_left(networks: Networks) -> None:
    ways: list[tuple[float, float, float]] = [(2.0, -60, 240), (2.3, 440, 180), (2.45, 440, 180), (2.7, 110, 240)]
    hand = moving_hand(*ways, (3.0, 110, 240), (3.25, -60, 240))
    assert len(throws(watch(networks, thrown_again(2.4, 3.0), [THROWER, hand], 5.4, [(3.3, 3.9)]))) == 2


def test_so_was_one_that_a_hand_hides_as_the_view_is_back_from_another_place(networks: Networks) -> None:
    def pushed(t: float, image: Image) -> Image:
        swings = 0.0 if t >= 4.4 else 12 * math.sin(23 * t)
        return image if t < 3.15 else np.roll(image, (14 + round(swings), 4), (1, 0))

    covers = ((4.2, 390, 348), (5.9, 390, 348), (6.3, -60, 240))
    hand = moving_hand((3.3, -20, 240), (3.5, 110, 240), (4.0, 110, 240), *covers)
    assert len(throws(watch(networks, thrown_again(3.5, 3.7), [THROWER, hand], 7.4, change=pushed))) == 2


def ruled(events: Sequence[TrayEvent]) -> list[str]:
    """What is ruled on the rolls."""
    umpire = Umpire(BHO, ["Ann"])
    umpire.start()
    rulings = (ruling for event in events for ruling in umpire.on(event))
    return [type(ruling).__name__ for ruling in rulings if isinstance(ruling, RollCounted | RollHeld | RollUnseen)]


@pytest.mark.parametrize(
    ("lands", "until", "dark", "came"),
    [(0.7, 2.0, (0.95, 2.6), None), (1.0, 2.7, (0.65, 2.2), (1.6, 3.4)), (1.0, 2.2, (0.25, 2.0), (1.6, 3.0))],
    ids=["unseen", "hand in at the loss", "hand in as the view is back"],
)
def test_a_throw_lost_from_view_and_taken_back_is_not_forgotten_for_the_next(
    networks: Networks, lands: float, until: float, dark: tuple[float, float], came: Point | None
) -> None:
    again = ((420.0, 250.0), (310.0, 320.0), (460.0, 170.0), (250.0, 200.0), (360.0, 150.0))
    second = [thrown(HERE, place, 3, 4.5 + 0.02 * n) for n, place in enumerate(again)]
    dice = [chain(*both) for both in zip(roll(lands, until=until), second, strict=True)]
    taking = [] if came is None else [reaching((350, 220), *came)]
    events = watch(networks, dice, [THROWER, *taking, reaching((110, 240), 4.2, 4.9)], 6.2, [dark])
    assert ruled(events) == ["RollUnseen"]
