"""Events beside the true ones: found once, alike or not, how late, how read."""

import pytest

from models.tray.events import pair, readings, said_after
from tests.models.tray.lines import counted, die, event, rest


def test_each_event_is_matched_once_with_the_nearest() -> None:
    true = [event(1.0, "HandEntered"), event(1.3, "HandEntered"), event(9.0, "HandEntered")]
    said = [event(1.25, "HandEntered"), event(1.4, "HandEntered"), event(20.0, "HandEntered")]
    pairs = pair(true, said)
    found = {(p.true["t"], p.said["t"]) for p in pairs if p.true is not None and p.said is not None}
    assert found == {(1.3, 1.25), (1.0, 1.4)}
    assert [p.true["t"] for p in pairs if p.true is not None and p.said is None] == [9.0]
    assert [p.said["t"] for p in pairs if p.said is not None and p.true is None] == [20.0]


def test_alike_are_events_that_say_the_same_whatever_the_ids() -> None:
    (same,) = pair([event(1, "DiceLifted", ids=[1, 2])], [event(1, "DiceLifted", ids=[7, 9])])
    (other,) = pair([event(1, "DiceLifted", ids=[1, 2])], [event(1, "DiceLifted", ids=[7])])
    assert same.alike
    assert not other.alike
    (cause,) = pair([event(1, "ViewLost", cause="glare")], [event(1.2, "ViewLost", cause="blocked")])
    assert not cause.alike
    assert cause.off == pytest.approx(0.2)


def test_names_are_never_mixed() -> None:
    assert len(pair([event(1, "HandEntered")], [event(1, "HandLeft")])) == 2


def test_dice_are_told_apart_by_where_they_lie() -> None:
    true = [rest(1, die(1, 0), die(2, 40), die(3, 80), die(4, 120), die(5, 160, "cocked"), die(6, 200, "off_tray"))]
    said = [rest(1, die(1, 3), die(4, 42), die(None, 80), die(5, 158), die(2, 300))]
    assert readings(pair(true, said)) == {
        "right": 1,
        "wrong": 1,
        "unsure": 1,
        "missed": 1,
        "leaning_read": 1,
        "extra": 1,
    }


def test_a_roll_is_timed_from_the_true_rest() -> None:
    late = {**counted(2.1, [1] * 5), "t_said": 2.35}
    assert said_after([counted(2.0, [1] * 5)], [late]) == [pytest.approx(0.35)]
