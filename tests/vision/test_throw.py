"""Throws: when the dice entered, and which of them left the tray."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn_tray import DIE_PX, GEOMETRY
from vision.throw import MOST_BESIDE, Beside, Crowd, Throw, entry, went_over_rim
from vision.track import Sighting, Track


def track(
    x: float = 300.0, y: float = 240.0, free: float | None = 1.0, still: bool = False, travel: float = 5.0
) -> Track:
    sighting = Sighting(x, y, DIE_PX, 0.9, still, near_body=False)
    made = Track(1, sighting, 2.0, 1.0, sighting, travel=travel, heat=0.9, steps=10, tumbles=4)
    made.free = None if free is None else (free, round(30 * free))
    return made


def test_dice_enter_when_they_are_first_seen_free() -> None:
    seen = entry([track(free=1.2), track(free=1.0), track(free=1.1)], [], Crowd(), (3.0, 90), {}, [])
    assert (seen.t_first, seen.t_last, seen.frame) == (1.0, 1.2, 30)
    assert seen.tumble == (0.4, 0.4, 0.4)


def test_a_die_that_rolled_under_a_resting_hand_did_not_come_when_that_went_away() -> None:
    under = track(free=4.8, travel=0.0)
    under.by_hand = True
    seen = entry([track(free=1.0), track(free=1.1), under], [], Crowd(), (7.0, 210), {}, [])
    assert (seen.t_first, seen.t_last) == (1.0, 1.1)


@pytest.mark.parametrize(("bare", "t_last"), [(1.3, 1.3), (5.0, 4.8)], ids=["hidden since", "seen bare before"])
def test_a_die_whose_place_was_hidden_since_it_was_bare_may_have_come_ever_since(bare: float, t_last: float) -> None:
    late = replace(track(free=4.8), number=2)
    assert entry([track(free=1.0), late], [], Crowd(), (7.0, 210), {2: bare}, []).t_last == t_last


def test_a_die_that_lay_beside_the_hand_entered_when_it_was_first_seen_there() -> None:
    rng = np.random.default_rng(1)
    look, other = (rng.normal(0, 1, (32, 32)).astype(np.float32) for _ in range(2))
    beside, there = Beside(), Sighting(100.0, 100.0, DIE_PX, 0.7, still=True, near_body=True)
    beside.note((1.0, 30), there, look, DIE_PX)
    beside.note((2.0, 60), there, look, DIE_PX)
    assert beside.first(101.0, 100.0, look, DIE_PX) == (1.0, 30)
    assert beside.first(101.0, 100.0, other, DIE_PX) is None
    assert beside.first(150.0, 100.0, look, DIE_PX) is None
    assert entry([track(free=2.5)], [], Crowd(), (3.0, 90), {}, [(1.0, 30)]).t_first == 1.0


def test_a_hand_that_plays_with_dice_over_the_tray_fills_no_memory() -> None:
    look, beside = np.random.default_rng(1).normal(0, 1, (32, 32)).astype(np.float32), Beside()
    for n in range(MOST_BESIDE + 1):
        there = Sighting(float(n * DIE_PX), 100.0, DIE_PX, 0.7, still=False, near_body=True)
        beside.note((float(n), n), there, look, DIE_PX)
    assert beside.first(0.0, 100.0, look, DIE_PX) is None
    assert beside.first(DIE_PX, 100.0, look, DIE_PX) == (1.0, 1)


@pytest.mark.parametrize(("tumbles", "tumble"), [(0, (0.0, 0.0)), (4, ())], ids=["a finger", "a die"])
def test_what_a_hand_moved_and_never_tumbled_was_none_of_the_dice(tumbles: int, tumble: tuple[float, ...]) -> None:
    slid = track(free=2.5, travel=0.0)
    slid.steps = 0
    lost = track(free=2.0)
    lost.by_hand, lost.tumbles = True, tumbles
    assert entry([slid, slid], [lost], Crowd(), (3.0, 90), {}, []).tumble == tumble


def test_late_track_of_a_die_that_was_lost_on_its_way_does_not_stagger_the_throw() -> None:
    crowd = Crowd()
    for t, count in ((1.0, 1), (1.1, 3), (1.2, 2)):
        crowd.note(t, count)
    assert entry([track(free=1.0), track(free=1.1), track(free=2.4)], [], crowd, (3.0, 90), {}, []).t_last == 1.1
    assert entry([track(free=1.0), track(free=2.4)] + 2 * [track()], [], crowd, (3.0, 90), {}, []).t_last == 2.4


@pytest.mark.parametrize(("lay", "t_first"), [(True, 1.0), (False, 2.4)])
def test_throw_began_with_the_die_that_lay_there_until_the_hand_came_over_it_with_the_others(
    lay: bool, t_first: float
) -> None:
    covered = track(free=1.0)
    covered.lay = lay
    assert entry([track(free=2.4), track(free=2.5)], [covered], Crowd(), (3.0, 90), {}, []).t_first == t_first


def test_dice_put_down_enter_when_they_are_reported_and_did_not_tumble() -> None:
    placed = track(free=None, travel=0.0)
    placed.by_hand, placed.steps = True, 0
    assert entry([placed], [], Crowd(), (3.0, 90), {}, []).tumble == (0.0,)
    assert entry([placed], [], Crowd(), (3.0, 90), {}, []).t_first == 3.0


def test_nothing_is_said_of_tumbling_where_one_of_the_dice_rolled_and_not_all_were_followed() -> None:
    hidden = track(travel=0.0)
    hidden.steps = 0
    assert entry([hidden, track()], [], Crowd(), (3.0, 90), {}, []).tumble == ()
    assert entry([hidden], [track()], Crowd(), (3.0, 90), {}, []).tumble == ()


def test_dice_that_slide_on_a_little_did_not_tumble_whatever_fingers_hid() -> None:
    slid = track(travel=1.0)
    slid.steps, slid.tumbles = 2, 2
    assert entry([slid, slid], [], Crowd(), (3.0, 90), {}, []).tumble == (0.0, 0.0)
    knuckle = track(travel=3.0)
    knuckle.heat = 0.42
    assert entry([slid, slid], [knuckle], Crowd(), (3.0, 90), {}, []).tumble == (0.0, 0.0)


@pytest.mark.parametrize(("tumbles", "tumble"), [(5, ()), (2, (0.0, 0.0))])
def test_a_die_that_tumbles_plainly_beside_the_hand_was_thrown(tumbles: int, tumble: tuple[float, ...]) -> None:
    beside, hidden = track(travel=0.0), track(travel=0.0)
    beside.tumbles, hidden.steps = tumbles, 0
    assert entry([beside, hidden], [], Crowd(), (3.0, 90), {}, []).tumble == tumble


@pytest.mark.parametrize(("tumbles", "tumble"), [(2, (0.25, 0.25, 0.25)), (1, (0.0, 0.0, 0.0))])
def test_dice_that_all_roll_on_a_little_tumbled_if_all_together_did_often_enough(
    tumbles: int, tumble: tuple[float, ...]
) -> None:
    dice = [track(travel=1.2) for _ in range(3)]
    for die in dice:
        die.steps, die.tumbles = 8, tumbles
    assert entry(dice, [], Crowd(), (3.0, 90), {}, []).tumble == tumble


@pytest.mark.parametrize(
    ("lost", "speed", "out"),
    [
        (track(x=590), (0.0, 0.0), True),  # last seen beside the floor
        (track(x=550), (600.0, 0.0), True),  # on its way across the edge
        (track(x=550), (-600.0, 0.0), False),  # on its way back
        (track(x=300), (600.0, 0.0), False),  # in the middle
        (track(x=590, still=True), (0.0, 0.0), False),  # lay there
        (track(x=590, travel=0.1), (0.0, 0.0), False),  # a shadow
        (track(x=590, free=None), (0.0, 0.0), True),  # flew out from under the hand
        (track(x=590, free=None, travel=1.0), (0.0, 0.0), False),  # something beside the tray
    ],
)
def test_over_the_rim(lost: Track, speed: tuple[float, float], out: bool) -> None:
    lost.speed = speed
    assert (went_over_rim([lost], GEOMETRY) == [lost]) is out


@pytest.mark.parametrize(("heat", "out"), [(0.3, []), (0.41, [1])], ids=["a finger", "a die"])
def test_what_a_hand_that_draws_back_leaves_apart_from_it_for_a_moment_is_no_die_over_the_rim(
    heat: float, out: list[int]
) -> None:
    fled = track(x=320.0, y=GEOMETRY.centre[1], travel=1.3)
    fled.sighting = replace(fled.sighting, x=-20.0, still=False)
    fled.by_hand, fled.heat, fled.speed = True, heat, (-1000.0, 0.0)
    assert [found.number for found in went_over_rim([fled], GEOMETRY)] == out


@pytest.mark.parametrize(("times", "strayed"), [((), None), ((1.0, 1.03), 1.03), ((1.0, 1.4), None)])
def test_what_stays_beyond_the_rim_is_no_die_that_flew_past(times: tuple[float, ...], strayed: float | None) -> None:
    throw = Throw()
    for t in times:
        throw.stray((t, round(30 * t)))
    assert (throw.strayed and throw.strayed[0]) == strayed
