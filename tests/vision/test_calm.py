"""When the dice of drawn throws are at rest, and since when."""

import cv2
import numpy as np
import pytest

from scorer.events import DiceAtRest, HandEntered, HandLeft, TrayEvent, ViewLost
from tests.vision.drawn_tray import (
    GEOMETRY,
    THROW_S,
    THROWER,
    Hand,
    HandPath,
    Image,
    Pose,
    draw_die,
    film,
    moving_hand,
    reaching,
    roll,
)
from vision.network import Networks
from vision.watcher import Watcher

STOPPED = 0.78 + THROW_S
SPINS_UNTIL = 2.4


def watch(networks: Networks, *hands: HandPath, shaded: bool = False) -> list[TrayEvent]:
    """What is said of five dice that come to rest at `STOPPED`; `shaded` are some of them from a moment before."""

    def lit(t: float, image: Image) -> Image:
        return shade(image, 0.3 + 2 * (t - STOPPED)) if shaded else image

    watcher, events = Watcher(networks, GEOMETRY), list[TrayEvent]()
    for frame in film(roll(), (THROWER, *hands), 2.5, 30.0, lit):
        events += watcher.step(frame)
    return events


def shade(image: Image, way: float) -> Image:
    """The soft shadow of somebody who walks past: its middle at this share of the way from the left to the right."""
    columns = np.arange(image.shape[1]) / image.shape[1]
    dark = 0.6 * np.exp(-(((columns - way) / 0.12) ** 2))
    return np.asarray(image * (1 - dark)[None, :, None], np.uint8)


def rest_of(events: list[TrayEvent]) -> DiceAtRest:
    (rest,) = (event for event in events if isinstance(event, DiceAtRest))
    assert sorted(die.value or 0 for die in rest.dice) == [1, 2, 4, 5, 6]
    return rest


def test_roll_counts_that_has_come_to_rest_as_the_next_hand_is_first_seen(networks: Networks) -> None:
    events = watch(networks, reaching((150, 240), STOPPED - 0.02, STOPPED + 0.58))
    rest = rest_of(events)
    assert abs(rest.t - STOPPED) <= 0.1
    assert rest.t_said == [event.t for event in events if isinstance(event, HandEntered)][-1]


def test_rest_is_not_dated_before_the_last_hand_was_gone_where_it_is_back_at_once(networks: Networks) -> None:
    stays = moving_hand((0.9, -60, 240), (1.0, 110, 240), (1.7, 110, 240), (1.8, -60, 240))
    events = watch(networks, stays, reaching((150, 240), 1.7, 2.3))
    gone = [event.t for event in events if isinstance(event, HandLeft)]
    assert rest_of(events).t == gone[1] > STOPPED + 0.3


def test_rest_is_dated_through_a_shadow_that_comes_over_some_dice_before_the_last_is_still(networks: Networks) -> None:
    events = watch(networks, shaded=True)
    rest = rest_of(events)
    assert not [event for event in events if isinstance(event, ViewLost)]
    assert rest.t_said - STOPPED > 0.25
    assert abs(rest.t - STOPPED) <= 0.1


def test_rest_is_dated_through_a_light_that_falls_on_a_die_which_had_lain_for_long(networks: Networks) -> None:
    """A shadow passes over all dice, and as it leaves the last the edge of a light falls on that for a frame."""

    def lit(t: float, image: Image) -> Image:
        image = shade(image, 0.3 + t - STOPPED)
        if 0.5 <= t - STOPPED < 0.55:
            image[170:220, 440:470] = np.clip(image[170:220, 440:470].astype(np.int32) + 15, 0, 255)
        return image

    watcher, events = Watcher(networks, GEOMETRY), list[TrayEvent]()
    for frame in film(roll(), (THROWER,), 3.0, 30.0, lit):
        events += watcher.step(frame)
    rest = rest_of(events)
    assert rest.t_said > STOPPED + 0.55
    assert abs(rest.t - STOPPED) <= 0.1


def test_rest_is_dated_through_what_looks_like_a_hand_for_one_frame_as_a_deep_shadow_may(networks: Networks) -> None:
    def once(t: float) -> Hand | None:
        return Hand((-60.0, 240.0), (110.0, 240.0)) if abs(t - STOPPED - 0.08) < 1 / 60 else None

    assert abs(rest_of(watch(networks, once)).t - STOPPED) <= 0.1


def test_a_die_that_spins_on_where_it_came_is_waited_for_though_it_has_nearly_the_floors_colour(
    networks: Networks,
) -> None:
    start, end = (60.0, 240.0), (430.0, 340.0)

    def spun(t: float, image: Image) -> Image:
        if t < 0.72:
            return image
        way = 1 - (1 - min(1.0, (t - 0.72) / THROW_S)) ** 2
        turn = 1100 * min(t, SPINS_UNTIL)
        x, y = (a + way * (b - a) for a, b in zip(start, end, strict=True))
        drawn = image.copy()
        draw_die(drawn, Pose(x, y, turn, 3))
        like_floor = 0.14 if way > 0.9 else 1.0
        return np.asarray(cv2.addWeighted(drawn, like_floor, image, 1 - like_floor, 0), np.uint8)

    watcher, rests = Watcher(networks, GEOMETRY), list[DiceAtRest]()
    for frame in film(roll(count=4), [THROWER], SPINS_UNTIL + 1.2, 30.0, spun):
        rests += [event for event in watcher.step(frame) if isinstance(event, DiceAtRest)]
    assert [len(rest.dice) for rest in rests] == [5]
    assert rests[0].t == pytest.approx(SPINS_UNTIL, abs=0.1)
