"""Hands and other bodies over the tray: what they wear and hold, when they come, and what is told of them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from models.sim.gesture import body_points, points_of
from models.sim.hand import CLOSING_STEPS, HandMake
from models.sim.manner import with_cup
from models.sim.props import Cup, Head, Passer, Phone, in_cup
from models.sim.scene import die_state
from models.sim.script import Carried, Moved, Timeline
from models.sim.shape import Make
from models.sim.sight import Sight
from scorer.events import BodyInterfered, DiceAtRest, DiceThrown, HandEntered, HandLeft, RollHeld, TrayEvent
from tests.models.sim.acted import acted, told

BARE = HandMake(skin=(0.6, 0.4, 0.3), sleeve=None)
CUP = Cup((0.1, 0.05, 0.02))


def events(name: str) -> list[TrayEvent]:
    return [fact for fact in told(name).facts if isinstance(fact, TrayEvent)]


def touches(timeline: Timeline, visit: int) -> list[tuple[int, float]]:
    """The dice that the hand of a visit takes up, moves or sets down, and when."""
    stories = enumerate(timeline.stories)
    handled = [(die, c) for die, story in stories for c in story if isinstance(c, Carried | Moved)]
    return [(die, chapter.since) for die, chapter in handled if chapter.visit == visit]


@pytest.mark.parametrize("make", [CUP, Phone(), Head((0.6, 0.4, 0.3), (0.1, 0.1, 0.1), (0.1, 0.2, 0.3)), Passer(140)])
def test_shapes_are_whole(make: Make) -> None:
    """Nothing of a shape is cut off by the edge of its grid, and none is empty."""
    for part in make.parts(0):
        grid = part.shape.grid
        border = [grid[0], grid[-1], grid[:, 0], grid[:, -1], grid[:, :, 0], grid[:, :, -1]]
        assert min(float(side.min()) for side in border) > 0
        assert len(part.shape.points) > 0


def test_what_is_worn_and_held_are_parts_of_the_hand() -> None:
    worn = replace(BARE, ring=(0.6, 0.4, 0.1), watch=(0.1, 0.1, 0.1))
    assert [len(make.parts(0)) for make in (BARE, worn, with_cup(worn, CUP))] == [2, 5, 6]


def test_a_pointing_finger_stays_straight() -> None:
    closed = CLOSING_STEPS - 1
    reaches = [make.parts(closed)[0].points[:, 0].max() for make in (BARE, replace(BARE, pointing=True))]
    assert reaches[1] > reaches[0] + 30


def test_dice_lie_inside_the_cup_apart() -> None:
    places = np.array(in_cup(CUP, 5, 16.0))
    assert (np.hypot(places[:, 0], places[:, 1]) + 8 < CUP.radius - CUP.wall).all()
    assert places[:, 2].min() - 8 > -CUP.height / 2
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + np.eye(5) * 99
    assert apart.min() > 16


def test_whoever_meddles_comes_between_rolling_dice_and_touches_none() -> None:
    said, timeline = events("interference"), acted("interference")
    meddled = next(event for event in said if isinstance(event, BodyInterfered))
    sight = Sight(timeline)
    thrown = sight.released(0, 0)
    assert thrown is not None
    assert sight.clock.frame_from(thrown) < meddled.frame < sight.first_still(sight.clock.frame_from(thrown))
    visit = timeline.visits[1]
    for frame in range(meddled.frame, meddled.frame + 15):
        t = sight.clock.middle(frame)
        points = points_of(visit, timeline.hand_at(t, visit))
        for die, look in enumerate(timeline.setting.dice):
            pose = timeline.die_at(die, t)
            assert pose is not None
            assert np.linalg.norm(points - pose.position, axis=1).min() > look.side_mm / 2


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_who_helps_comes_while_dice_roll_and_has_one_of_them_as_the_throwing_hand_stays(seed: int) -> None:
    """One is turned, one is stopped, one is set down elsewhere."""
    timeline = acted("helped", seed)
    sight, (thrower, helper, *_) = Sight(timeline), timeline.visits
    had = touches(timeline, 1)
    (die,), touched = {die for die, _ in had}, min(t for _, t in had)
    released = sight.released(die, 0)
    assert released is not None
    assert abs(math.remainder(helper.player.seat - thrower.player.seat, math.tau)) > 1.2
    seen = min(sight.first_seen(other, released, sight.clock.frame_from(touched)) for other in sight.dice())
    assert seen < sight.entries(1)[0] < sight.first_still(seen)
    assert released < touched < thrower.end - 0.6
    after = timeline.die_at(die, helper.end)
    assert after is not None
    assert die_state(timeline.setting.tray, timeline.setting.dice[die], after) == "flat"


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_what_was_done_to_a_die_that_rolled_is_told_by_its_throw_alone(seed: int) -> None:
    said = [fact for fact in told("helped", seed).facts if isinstance(fact, TrayEvent)]
    until = next(k for k, event in enumerate(said) if isinstance(event, DiceAtRest))
    kinds = [type(event) for event in said[: until + 1]]
    assert kinds == [HandEntered, DiceThrown, BodyInterfered, HandLeft, DiceAtRest]
    rest = said[until]
    assert isinstance(rest, DiceAtRest)
    assert len(rest.thrown) == 5
    sight = Sight(acted("helped", seed))
    assert all(fact.value == sight.value(fact.id - 1, sight.clock.middle(rest.frame)) for fact in rest.dice)


def test_the_hand_that_turns_a_die_which_rolled_comes_down_upon_it_without_a_jump() -> None:
    timeline = acted("helped", 2)
    ((_, touched),) = touches(timeline, 1)
    before, after = (timeline.hand_at(touched + wait, timeline.visits[1]).wrist for wait in (-0.002, 0.002))
    assert math.dist(before.position, after.position) < 3


@pytest.mark.parametrize("seed", [1, 2])
def test_who_looks_on_is_there_since_before_the_throw_and_no_die_comes_near(seed: int) -> None:
    timeline = acted("onlooker", seed)
    sight, first = Sight(timeline), timeline.visits[0].player.name
    index = next(k for k, visit in enumerate(timeline.visits) if visit.player.name != first)
    visit, thrower = timeline.visits[index], timeline.visits[index - 1]
    assert abs(math.remainder(visit.player.seat - thrower.player.seat, math.tau)) > 1.2
    thrown = {die: t for die in sight.dice() if (t := sight.released(die, index - 1)) is not None}
    assert visit.keys[1].t < min(thrown.values())
    still = sight.first_still(sight.clock.frame_from(max(thrown.values())))
    assert sight.clock.middle(still) < visit.end
    for frame in range(sight.clock.frame_from(min(thrown.values())), still):
        t = sight.clock.middle(frame)
        points = points_of(visit, timeline.hand_at(t, visit))
        for die in thrown:
            pose = timeline.die_at(die, t)
            assert pose is not None
            assert np.linalg.norm(points - pose.position, axis=1).min() > sight.look(die).side_mm
    assert not any(isinstance(fact, BodyInterfered) for fact in told("onlooker", seed).facts)


@pytest.mark.parametrize("name", ["brisk", "two_hands", "resting_hand", "sleeve", "helped", "onlooker"])
def test_dice_lie_in_view_long_enough_before_the_next_hand(name: str) -> None:
    said = events(name)
    for rest in (event for event in said if isinstance(event, DiceAtRest)):
        later = [event.t for event in said if isinstance(event, HandEntered) and event.t > rest.t]
        assert min(later, default=rest.t + 1) - rest.t > 0.15


def test_two_hands_are_one_stay() -> None:
    """The tray is free only when both have left it."""
    said = events("two_hands")
    rest = next(event for event in said if isinstance(event, DiceAtRest))
    first = [event for event in said if isinstance(event, HandEntered | HandLeft) and event.t <= rest.t]
    assert [type(event) for event in first] == [HandEntered, HandLeft]
    sight = Sight(acted("two_hands"))
    assert all(any(first[0].frame <= frame < rest.frame for frame in sight.over[k]) for k in (0, 1))


def test_a_passer_is_as_far_from_the_middle_as_it_says() -> None:
    passer = Passer(140)
    farthest = float(np.linalg.norm(body_points(passer, 0), axis=1).max())
    assert farthest == pytest.approx(passer.reach_mm, rel=0.03)


def test_a_shadow_comes_from_beside_the_picture_and_goes_there() -> None:
    timeline = acted("shadow")
    lens, lamps = timeline.setting.lens, timeline.setting.lamps
    seen = lens.position[2] * math.hypot(*lens.size) / 2 / lens.focal_px
    lamp = np.asarray(max(lamps, key=lambda lamp: sum(lamp.colour) / math.dist(lamp.position, (0, 0, 0)) ** 2).position)
    for visit in (visit for visit in timeline.visits if isinstance(visit.make, Passer)):
        for t in (visit.start, visit.end):
            body = points_of(visit, visit.at(t, timeline.setting.tray, []))
            shadow = lamp + (body - lamp) * (lamp[2] / (lamp[2] - body[:, 2:]))
            assert float(np.hypot(shadow[:, 0], shadow[:, 1]).min()) > seen


def test_a_shadow_is_no_hand() -> None:
    timeline = acted("shadow")
    over = Sight(timeline).over
    assert [bool(frames) for frames in over] == [not isinstance(visit.make, Passer) for visit in timeline.visits]


@pytest.mark.parametrize(("seed", "below"), [(2, False), (3, True)])
def test_a_throw_of_which_a_die_comes_to_rest_hidden_below_anothers_sleeve_is_held(seed: int, below: bool) -> None:
    truth, sight = told("sleeve", seed), Sight(acted("sleeve", seed))
    thrown = next(fact for fact in truth.facts if isinstance(fact, DiceThrown))
    assert any(sight.hides(1, die, sight.first_still(thrown.frame)) for die in sight.dice()) == below
    meddled = [(fact.frame, fact.t) for fact in truth.facts if isinstance(fact, BodyInterfered)]
    assert meddled == ([(thrown.frame, thrown.t)] if below else [])
    held = [ruling.reason for ruling in truth.rulings if isinstance(ruling, RollHeld)]
    assert held == (["interference"] if below else [])
