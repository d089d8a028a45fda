"""A throw, said once."""

import pytest

from tests.vision.drawn_tray import DIE_PX, GEOMETRY, THROWER, roll
from tests.vision.seen_film import perceived
from tests.vision.thrown_track import track
from vision.lying import Lying
from vision.throw import Throw
from vision.tracker import Tracker


def test_a_throw_is_said_once() -> None:
    throw = Throw()
    [said] = throw.say([track(free=1.0), track(free=1.2)], [], (3.0, 90), {})
    assert (said.count, said.t_first, said.t_last, said.frame, said.t_said) == (2, 1.0, 1.2, 30, 3.0)
    assert throw.say([track(free=1.0)], [], (4.0, 120), {}) == []


def test_a_throw_that_the_view_was_lost_in_began_before() -> None:
    throw = Throw()
    throw.cut_short([track(free=1.5), track(free=1.0)])
    [said] = throw.say([track(free=2.5)], [], (3.0, 90), {})
    assert (said.t_first, said.frame) == (1.0, 30)


def test_a_throw_by_a_hand_that_left_unseen_began_as_the_view_was_lost_unless_it_was_seen_before() -> None:
    throw = Throw()
    throw.unseen((1.2, 36))
    [said] = throw.say([track(free=2.5)], [], (3.0, 90), {})
    assert (said.t_first, said.frame) == (1.2, 36)
    throw = Throw()
    throw.cut_short([track(free=1.0)])
    throw.unseen((1.2, 36))
    [said] = throw.say([track(free=2.5)], [], (3.0, 90), {})
    assert (said.t_first, said.frame) == (1.0, 30)


@pytest.mark.parametrize(("times", "strayed"), [((), None), ((1.0, 1.13), 1.0), ((1.0, 1.4), None)])
def test_what_stays_beyond_the_rim_is_no_die_that_flew_past(times: tuple[float, ...], strayed: float | None) -> None:
    throw = Throw()
    for t in times:
        throw.stray((t, round(30 * t)), thrown=True)
    assert (throw.strayed and throw.strayed[0]) == strayed


@pytest.mark.parametrize(("t", "strayed"), [(0.4, None), (0.8, 0.8), (1.1, None)])
def test_a_die_may_fly_past_the_rim_ahead_of_all_that_are_seen(t: float, strayed: float | None) -> None:
    throw = Throw()
    throw.stray((t, round(30 * t)), thrown=False)
    throw.say([track(free=1.0)], [], (3.0, 90), {})
    assert (throw.strayed and throw.strayed[0]) == strayed


def test_dice_came_in_as_they_were_first_seen_clear_of_the_hand() -> None:
    throw, tracker, tracks, lying = Throw(), Tracker(DIE_PX), [], Lying(GEOMETRY)
    for perception, scene in perceived(roll(0.7), [THROWER], 1.8):
        tracks = tracker.step(scene.frame.t, scene.picture, scene.sightings)
        throw.step(scene, tracks, tracker.tracks, lying, perception)
    dice = [track for track in tracks if track.free is not None and track.last_still is not None]
    [said] = throw.say(dice, tracker.lost, (1.8, 54), {})
    assert (said.count, said.t_first) == (5, min(track.free[0] for track in dice if track.free is not None))
    assert 0.65 < said.t_first <= said.t_last < 0.95
