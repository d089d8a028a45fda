"""Scenarios: a seed acts the same again, hands keep clear of what lies, and dice go where hands take them."""

from itertools import pairwise

import numpy as np
import pytest

from models.sim import scenarios
from models.sim.errors import SimulatorError
from models.sim.gesture import held, points_of
from models.sim.pose import Pose
from models.sim.scenarios import act
from models.sim.scene import room_inside
from models.sim.script import Carried, Falls, Lies, Moved
from models.sim.view import project
from tests.models.sim.acted import acted


def test_the_same_seed_acts_the_same_and_another_does_not() -> None:
    again = act("throw", 1)
    assert again.visits == acted("throw").visits
    assert [story[-1] for story in again.stories] == [story[-1] for story in acted("throw").stories]
    assert acted("throw", 2).setting != again.setting


def test_an_unknown_scenario_names_the_known_ones() -> None:
    with pytest.raises(SimulatorError, match="four_dice"):
        act("snap", 1)


@pytest.mark.parametrize("seed", [1, 3])
def test_a_throw_that_knocks_a_die_out_is_found_without_trying_other_trays(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenarios, "ATTEMPTS", 1)
    timeline = act("knocked_out", seed)
    moved = [(die, c) for die, story in enumerate(timeline.stories) for c in story if isinstance(c, Moved)]
    tray = timeline.setting.tray
    assert [die for die, c in moved if c.visit is None and room_inside(tray, *c.way.last.position) < 0]


@pytest.mark.parametrize("name", ["keep", "kept_turned", "off_tray"])
def test_hands_stay_above_floor_rim_and_dice(name: str) -> None:
    timeline = acted(name)
    setting = timeline.setting
    for visit in timeline.visits:
        for t in np.arange(visit.start, visit.end, 0.1):
            hand = timeline.hand_at(t, visit)
            points = points_of(visit, hand)
            for x, y, z in points[points[:, 2] < setting.tray.wall_height_mm]:
                assert z > 0 if room_inside(setting.tray, x, y) > 0 else z > -setting.tray.base_mm
            for die, look in enumerate(setting.dice):
                chapter = timeline.chapter(die, t)
                if isinstance(chapter, Lies):
                    apart = np.linalg.norm(points - chapter.pose.position, axis=1).min()
                    assert apart > look.side_mm / 2


@pytest.mark.parametrize("name", ["keep", "four_dice"])
def test_dice_in_a_hand_are_hidden_by_it(name: str) -> None:
    """From above most dice that a closed hand carries are covered."""
    timeline = acted(name)
    lens, seen, hidden = timeline.setting.lens, 0, 0
    for story in timeline.stories:
        for chapter, following in pairwise(story):
            if not isinstance(chapter, Carried) or not isinstance(following, Falls):
                continue
            visit = timeline.visits[chapter.visit]
            hand = timeline.hand_at(following.since - 0.1, visit)
            die = held(hand, chapter.place, chapter.rotation)
            body = project(lens, points_of(visit, hand))
            near = np.linalg.norm(body - project(lens, die.position), axis=1).min() < 8
            seen, hidden = seen + (not near), hidden + near
    assert hidden > 0
    assert seen == 0


def test_a_hand_turns_a_die_under_cover() -> None:
    timeline = acted("kept_turned")
    turns = [(die, c) for die, story in enumerate(timeline.stories) for c in story if isinstance(c, Moved)]
    assert len(turns) == 2
    for die, chapter in turns:
        moment = chapter.since + chapter.way.seconds / 2
        (visit,) = timeline.visits_at(moment)
        pose = timeline.die_at(die, moment)
        assert pose is not None
        hand = timeline.hand_at(moment, visit)
        points = points_of(visit, hand)
        px = project(timeline.setting.lens, points) - project(timeline.setting.lens, pose.position)
        reach = 0.5 * timeline.setting.dice[die].side_mm * timeline.setting.lens.focal_px / 600
        for towards in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            assert np.linalg.norm(px - np.multiply(towards, reach), axis=1).min() < 8


def test_a_falling_die_begins_where_the_hand_held_it() -> None:
    timeline = acted("keep")
    for die, story in enumerate(timeline.stories):
        for chapter in story:
            if isinstance(chapter, Falls):
                before = timeline.die_at(die, chapter.since - 1e-6)
                assert isinstance(before, Pose)
                np.testing.assert_allclose(before.position, chapter.fall.at(0).position, atol=0.5)
