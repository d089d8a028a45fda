"""Events in a few words."""

from typing import Any

import pytest

from firmware.drawn.told import say_event
from scorer import seen
from scorer.events import DieFact, TrayEvent

WHEN: dict[str, Any] = {"t": 1.0, "frame": 30, "t_said": 1.1}


def die(value: int | None, state: seen.DieState = "flat") -> DieFact:
    return DieFact(1, value, 0.9, state, (0.0, 0.0), thrown=True)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (seen.HandEntered(**WHEN), "hand in"),
        (seen.HandLeft(**WHEN), "hand out"),
        (seen.DiceLifted(ids=(2, 5), **WHEN), "lifted #2 #5"),
        (seen.DiceThrown(count=3, t_first=1.0, t_last=1.25, **WHEN), "3 thrown in 0.2 s"),
        (seen.DiceThrown(count=5, t_first=1.0, t_last=1.03, **WHEN), "5 thrown"),
        (seen.DiceThrown(count=2, t_first=1, t_last=2, tumble=(0.5, 0.1), **WHEN), "2 thrown in 1.0 s, tumble ≥10%"),
        (seen.KeptDieChanged(id=4, before=2, after=6, cause="hit", **WHEN), "kept #4 was 2, is 6: hit"),
        (seen.KeptDieMoved(id=4, identity="lost", **WHEN), "kept #4 moved, or another one"),
        (seen.DieUnseen(count=1, last_seen="over_rim", **WHEN), "1 die unseen, over the rim"),
        (seen.BodyInterfered(**WHEN), "hand among moving dice"),
        (seen.ViewLost(cause="camera_moved", **WHEN), "view lost: camera moved"),
        (seen.ViewRestored(cause="glare", **WHEN), "view back: glare"),
    ],
)
def test_each_event_has_its_words(event: TrayEvent, words: str) -> None:
    assert say_event(event) == words


def test_a_rest_names_every_die_and_how_it_lies() -> None:
    dice = (die(5), die(None, "unknown"), die(1), die(None, "cocked"), die(3, "off_tray"))
    rest = seen.DiceAtRest(dice=dice, thrown=(1,), kept=(), missing=1, **WHEN)
    assert say_event(rest) == "at rest: 1 5 ?, 3 off tray, ? cocked, 1 missing"
    assert say_event(seen.DiceAtRest(dice=(), thrown=(), kept=(), **WHEN)) == "at rest: no dice"
