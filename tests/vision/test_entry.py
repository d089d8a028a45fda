"""When the dice of a throw entered, and how they tumbled."""

from dataclasses import replace

import pytest

from tests.vision.thrown_track import track
from vision.crowd import Crowd
from vision.entry import entry, lay_there, rolled


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


def test_a_die_that_a_hand_uncovered_came_since_its_place_was_seen_without_it() -> None:
    under = replace(track(free=4.8, travel=0.0), number=2, by_hand=True)
    assert entry([track(free=1.0), under], [], Crowd(), (7.0, 210), {2: 4.2}, []).t_last == 4.2
    assert entry([track(free=1.0), under], [], Crowd(), (7.0, 210), {2: 0.9}, []).t_last == 1.0


def test_a_die_that_lay_there_beside_the_hand_entered_when_it_was_first_seen_so() -> None:
    assert entry([track(free=2.5)], [], Crowd(), (3.0, 90), {}, [(1.0, 30)]).t_first == 1.0


@pytest.mark.parametrize(("lay", "t_first"), [(True, 1.0), (False, 2.5)])
def test_a_die_that_a_hand_set_down_entered_when_it_lay_clear_of_it(lay: bool, t_first: float) -> None:
    down = replace(track(free=1.0, travel=0.0), by_hand=True, let_go=lay)
    assert entry([down, track(free=2.5)], [], Crowd(), (3.0, 90), {}, []).t_first == t_first


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
    covered.let_go = lay
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


@pytest.mark.parametrize(("travel", "tumble"), [(3.0, ()), (1.0, (0.0, 0.0))], ids=["thrown", "set down"])
def test_a_die_that_tumbled_and_was_lost_on_its_way_may_be_one_that_does_not_tumble_where_it_is_found_again(
    travel: float, tumble: tuple[float, ...]
) -> None:
    late = track(travel=0.8)
    late.tumbles = 0
    assert entry([late, late], [track(travel=travel)], Crowd(), (3.0, 90), {}, []).tumble == tumble


def test_dice_that_slide_on_a_little_did_not_tumble_whatever_fingers_hid() -> None:
    slid = track(travel=0.2)
    slid.steps, slid.tumbles = 2, 2
    assert entry([slid, slid], [], Crowd(), (3.0, 90), {}, []).tumble == (0.0, 0.0)
    knuckle = track(travel=3.0)
    knuckle.heat = 0.42
    assert entry([slid, slid], [knuckle], Crowd(), (3.0, 90), {}, []).tumble == (0.0, 0.0)


@pytest.mark.parametrize("tumbles", [1, 0], ids=["as if it tumbled once", "it slid"])
def test_people_say_whether_dice_were_thrown_that_rolled_but_a_little(tumbles: int) -> None:
    little, none = track(travel=1.2), track(travel=0.0)
    little.steps, little.tumbles, none.steps, none.tumbles = 3, tumbles, 3, 0
    assert entry([little, none], [], Crowd(), (3.0, 90), {}, []).tumble == (0.0, 0.0)


@pytest.mark.parametrize(
    ("tumbles", "travel", "tumble"), [(3, 0.7, (0.6, 0.6)), (2, 0.7, (0.0, 0.0)), (3, 0.3, (0.0, 0.0))]
)
def test_dice_that_go_on_a_little_and_tumble_plainly_together_were_thrown(
    tumbles: int, travel: float, tumble: tuple[float, ...]
) -> None:
    beside = track(travel=travel)
    beside.by_hand, beside.steps, beside.tumbles = True, 5, tumbles
    assert entry([beside, beside], [], Crowd(), (3.0, 90), {}, []).tumble == tumble


@pytest.mark.parametrize(
    ("travel", "looked", "turned", "thrown"),
    [(1.1, 2, 2, True), (1.1, 3, 2, False), (1.1, 1, 1, False), (0.9, 2, 2, False)],
)
def test_a_die_that_goes_on_a_little_and_turns_over_whenever_that_can_be_told_was_thrown(
    travel: float, looked: int, turned: int, thrown: bool
) -> None:
    turns, moved = track(travel=travel), track(travel=0.7)
    turns.steps, turns.tumbles, turns.looked, turns.turned = 4, 1, looked, turned
    moved.by_hand, moved.steps, moved.tumbles = True, 3, 0
    assert (entry([turns, moved], [], Crowd(), (3.0, 90), {}, []).tumble == (1.0, 0.0)) is thrown


@pytest.mark.parametrize(("farthest", "tumble"), [(1.6, (0.0, 0.0)), (0.8, (1.0, 0.0))], ids=["a leap", "two steps"])
def test_a_die_that_comes_to_light_a_step_beside_a_fingertip_did_not_roll(
    farthest: float, tumble: tuple[float, ...]
) -> None:
    leapt, beside = replace(track(travel=1.6), farthest=farthest), track(travel=0.0)
    leapt.steps, leapt.tumbles, leapt.looked, leapt.turned = 3, 3, 0, 0
    beside.by_hand, beside.steps, beside.tumbles = True, 3, 0
    assert entry([leapt, beside], [], Crowd(), (3.0, 90), {}, []).tumble == tumble


def test_one_die_that_slides_on_does_not_vouch_for_others_that_fingers_move() -> None:
    slid, moved = track(travel=1.45), track(travel=0.0)
    slid.steps, slid.tumbles = 4, 0
    moved.by_hand, moved.steps, moved.tumbles = True, 3, 2
    assert entry([slid, moved, moved, moved], [], Crowd(), (3.0, 90), {}, []).tumble == (0.0,) * 4


def test_a_finger_beside_which_dice_are_uncovered_did_not_roll() -> None:
    finger, uncovered = track(travel=3.2), track(travel=0.0)
    finger.heat, finger.steps, finger.tumbles, uncovered.steps = 0.53, 6, 1, 0
    assert entry([finger, uncovered], [], Crowd(), (3.0, 90), {}, []).tumble == (0.0, 0.0)


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
    ("changed", "pushed"),
    [
        ({}, True),
        ({"tumbles": 2}, False),
        ({"looked": 3, "turned": 2}, False),
        ({"die": None}, False),
        ({"by_hand": False}, False),
        ({"steps": 7}, False),
    ],
)
def test_a_die_that_lay_there_and_hardly_turned_over_as_a_hand_moved_it_was_pushed(
    changed: dict[str, int | bool | None], pushed: bool
) -> None:
    slid = replace(track(free=2.5, travel=3.7), die=1, by_hand=True, steps=10, tumbles=1)
    for name, value in changed.items():
        setattr(slid, name, value)
    assert lay_there([slid], []) == pushed


@pytest.mark.parametrize(
    ("steps", "tumbles", "turned", "rolls"),
    [(22, 1, 2, False), (22, 5, 2, True), (22, 1, 6, True), (7, 1, 0, True), (3, 0, 0, False), (2, 0, 0, True)],
    ids=["hardly turns over", "tumbles", "has turned", "seen shortly", "does not tumble", "seen too shortly"],
)
def test_what_goes_far_and_hardly_turns_over_is_a_finger(steps: int, tumbles: int, turned: int, rolls: bool) -> None:
    gone = replace(track(travel=12.8), steps=steps, tumbles=tumbles, looked=19, turned=turned)
    assert rolled([gone]) == ([gone] if rolls else [])
