"""The truth about a recording: what a perfect watcher says, consistent with itself and with what its scenario states.

What is asked of every scenario is asked here, where each is acted once: acting is what takes time.
"""

import json
from itertools import pairwise

import numpy as np
import pytest

from models.sim.scenarios import SCENARIOS, act
from models.sim.scene import die_state, room_inside
from models.sim.script import Falls, Lies, Moved
from models.sim.sight import Sight
from models.sim.stage import KNOCKED_SIDES
from models.sim.truth import tell
from models.sim.view import project
from scorer.events import (
    DiceAtRest,
    DiceLifted,
    DiceThrown,
    DieUnseen,
    HandEntered,
    HandLeft,
    KeptDieChanged,
    RollHeld,
    TrayEvent,
)
from tests.models.sim.acted import acted, told

CASES = [(name, None) for name in SCENARIOS] + [("throw", 2), ("keep", 2), ("off_tray", 2), ("sleeve", 3)]


def events(name: str) -> list[TrayEvent]:
    return [fact for fact in told(name).facts if isinstance(fact, TrayEvent)]


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_the_umpire_rules_what_the_scenario_states(name: str, seed: int | None) -> None:
    expected, rulings = acted(name, seed).expected, told(name, seed).rulings
    assert [type(ruling).__name__ for ruling in rulings] == [ruling for ruling, _ in expected]
    for ruling, (_, fields) in zip(rulings, expected, strict=True):
        assert {key: getattr(ruling, key) for key in fields} == dict(fields)


@pytest.mark.parametrize("name", SCENARIOS)
def test_everything_is_said_in_order_after_it_happened(name: str) -> None:
    lines = told(name).lines()
    assert all(a["t_said"] <= b["t_said"] for a, b in pairwise(lines))
    assert all(line["t"] <= line["t_said"] for line in lines)
    times = acted(name).clock.times
    assert all(line["t"] == pytest.approx(times[line["frame"]], abs=1e-3) for line in lines if line["kind"] == "event")
    assert max(line["frame"] for line in lines) < acted(name).clock.frames
    json.dumps(lines)


@pytest.mark.parametrize("name", SCENARIOS)
def test_hands_come_and_go_in_turn_and_throws_lie_between(name: str) -> None:
    hands = [event for event in events(name) if isinstance(event, HandEntered | HandLeft)]
    assert [type(event) for event in hands] == [HandEntered, HandLeft] * (len(hands) // 2)
    assert all(a.t < b.t for a, b in pairwise(hands))
    rests = [event for event in events(name) if isinstance(event, DiceAtRest)]
    for thrown in (event for event in events(name) if isinstance(event, DiceThrown)):
        assert thrown.t == thrown.t_first <= thrown.t_last
        entered = max(event.t for event in hands if isinstance(event, HandEntered) and event.t <= thrown.t)
        rest = min(event.t for event in rests if event.t >= thrown.t)
        assert entered < thrown.t_last <= rest


def test_a_die_that_the_throwing_hand_hides_till_it_leaves_came_in_with_the_others() -> None:
    truth = tell(act("two_hands", 31))  # one of five lies under the hand, which stays for three seconds
    throw = next(fact for fact in truth.facts if isinstance(fact, DiceThrown))
    assert throw.count == 5
    assert throw.t_last - throw.t_first < 1.0
    assert not any(isinstance(ruling, RollHeld) for ruling in truth.rulings)


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_die_at_rest_moves_or_lies_under_a_hand(name: str) -> None:
    timeline = acted(name)
    hands = [event for event in events(name) if isinstance(event, HandEntered | HandLeft)]
    for rest in (event for event in events(name) if isinstance(event, DiceAtRest)):
        before = [event for event in hands if event.t <= rest.t]
        assert isinstance(before[-1], HandLeft)
        for fact in rest.dice:
            now, soon = (timeline.die_at(fact.id - 1, timeline.clock.middle(rest.frame) + wait) for wait in (0.0, 0.15))
            assert now is not None
            assert soon is not None
            assert now.position == pytest.approx(soon.position, abs=0.5)
            assert fact.place == pytest.approx(now.position[:2])


@pytest.mark.parametrize("name", ["keep", "sample"])
def test_dice_rest_clearly(name: str) -> None:
    """Flat on the floor or off the tray: nothing that people could argue about."""
    timeline = acted(name)
    tray = timeline.setting.tray
    for look, story in zip(timeline.setting.dice, timeline.stories, strict=True):
        states = {die_state(tray, look, chapter.pose) for chapter in story if isinstance(chapter, Lies)}
        assert states <= {"flat", "off_tray"}


def test_kept_dice_show_what_they_showed() -> None:
    rests = [event for event in events("sample") if isinstance(event, DiceAtRest)]
    for before, after in pairwise(rests):
        values = {fact.id: fact.value for fact in before.dice}
        assert all(fact.value == values[fact.id] for fact in after.dice if fact.id in after.kept)


def test_lifted_dice_lay_on_the_floor() -> None:
    floor: set[int] = set()
    for event in events("sample"):
        if isinstance(event, DiceAtRest):
            floor = {fact.id for fact in event.dice if fact.state != "off_tray"}
        elif isinstance(event, DiceLifted):
            assert set(event.ids) <= floor


def test_a_lost_die_is_seen_to_go_before_the_rest_without_it() -> None:
    said = events("off_tray")
    unseen = next(k for k, event in enumerate(said) if isinstance(event, DieUnseen))
    rest = next(event for event in said[unseen:] if isinstance(event, DiceAtRest))
    assert sum(fact.state == "flat" for fact in rest.dice) == 4
    off = [fact for fact in rest.dice if fact.state == "off_tray"]
    assert len(off) + rest.missing == 1
    tray = acted("off_tray").setting.tray
    assert all(room_inside(tray, *fact.place) < 0 for fact in off)


def test_a_cocked_die_is_reported_as_such() -> None:
    rest = next(event for event in events("cocked") if isinstance(event, DiceAtRest))
    assert sorted(fact.state for fact in rest.dice) == ["cocked", "flat", "flat", "flat", "flat"]


def test_a_turned_die_changes_there_and_back() -> None:
    there, back = (event for event in events("kept_turned") if isinstance(event, KeptDieChanged))
    assert (there.id, there.before, there.after) == (back.id, back.after, back.before)


def test_choices_are_legal_boxes_at_their_time() -> None:
    choices = told("sample").choices
    assert [getattr(choice, "player", "") for choice in choices] == ["Ann", "Ben", "Ann", "Ben"]
    assert all(a.t < b.t for a, b in pairwise(choices))
    entered = [ruling for ruling in told("sample").rulings if type(ruling).__name__ == "BoxEntered"]
    assert [(ruling.t, getattr(ruling, "box", "")) for ruling in entered] == [
        (choice.t, getattr(choice, "box", None)) for choice in choices
    ]


def test_a_die_has_a_line_for_each_change() -> None:
    lines = [line for line in told("throw").lines() if line["kind"] == "die" and line["id"] == 1]
    assert [line["state"] for line in lines] == ["away", "in_hand", "falling", "flat"]
    x, y = lines[-1]["px"]
    width, height = acted("throw").setting.lens.size
    assert 0 < x < width
    assert 0 < y < height


@pytest.mark.parametrize("name", ["kept_hit", "kept_knocked", "knocked_out"])
def test_what_a_throw_knocks_away_is_seen_beside_the_hand(name: str) -> None:
    timeline = acted(name)
    sight = Sight(timeline)
    moved = [(die, c) for die, story in enumerate(timeline.stories) for c in story if isinstance(c, Moved)]
    by_dice = [(die, c) for die, c in moved if c.visit is None]
    knocked = [(die, c) for die, c in by_dice if c.way.moved_mm > KNOCKED_SIDES * sight.look(die).side_mm]
    assert knocked
    for _, chapter in knocked:
        frame = sight.clock.frame_from(chapter.since)
        x, y = np.round(project(sight.lens_at(chapter.since), chapter.way.at(0.0).position)[0]).astype(int)
        assert not sight.covered(frame)[y, x]


@pytest.mark.parametrize("name", ["kept_hit", "kept_knocked", "knocked_out"])
def test_a_die_that_a_throw_hits_can_be_followed(name: str) -> None:
    timeline, lag = acted(name), 1 / 30
    hit = [(die, c) for die, story in enumerate(timeline.stories) for c in story if isinstance(c, Moved)]
    (die, moved), *_ = [each for each in hit if each[1].visit is None and each[1].way.moved_mm > 3]
    released = max(
        c.since for story in timeline.stories for c in story if isinstance(c, Falls) and c.since < moved.since
    )
    falls = [c for story in timeline.stories for c in story if isinstance(c, Falls) and c.since == released]
    side = timeline.setting.dice[die].side_mm
    for t in np.arange(moved.since - lag, moved.since + moved.way.seconds, lag / 4):
        before, own = (np.array(moved.way.at(at - moved.since).position[:2]) for at in (t, t + lag))
        others = [np.array(fall.fall.at(t + lag - fall.since).position[:2]) for fall in falls]
        nearest = min(float(np.linalg.norm(other - before)) for other in others)
        assert np.linalg.norm(own - before) + 0.3 * side < nearest
