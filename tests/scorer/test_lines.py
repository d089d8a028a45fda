"""The vocabulary as JSON lines, and back."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import said, seen
from scorer.errors import FactError
from scorer.events import (
    BoxChosen,
    DiceAtRest,
    DiceThrown,
    DieFact,
    Fact,
    HouseRuleCalled,
    HouseRulesDeclared,
    MatchEnded,
    PlayerInput,
    ReadingAsked,
    RefereeDecided,
    RollCounted,
    RollRefused,
    TrayEvent,
    Undo,
    as_written,
    from_json,
    to_json,
)
from tests.scorer.tray import FIRST, choose, match, rest


def test_an_event_is_a_line_with_rounded_numbers() -> None:
    die = DieFact(id=3, value=None, p=0.12345, state="flat", place=(10.06, -0.04), thrown=True)
    event = DiceAtRest(t=2.00049, frame=60, t_said=2.2, dice=(die,), thrown=(3,), kept=())
    assert "-0.0" not in json.dumps(to_json(event))
    assert to_json(event) == {
        "t": 2.0,
        "frame": 60,
        "t_said": 2.2,
        "kind": "event",
        "name": "DiceAtRest",
        "dice": [{"id": 3, "value": None, "p": 0.123, "state": "flat", "place": [10.1, 0.0], "thrown": True}],
        "thrown": [3],
        "kept": [],
        "missing": 0,
    }


def test_a_ruling_says_its_rule_and_leaves_out_what_it_has_not() -> None:
    _, rulings = match(FIRST)
    line = to_json(rulings[0])
    assert (line["kind"], line["name"], line["roll"], line["values"]) == ("ruling", "RollCounted", 1, [1, 3, 3, 4, 6])
    assert line["legal"][0] == {"box": "1s", "points": 1, "yahtzee_bonus": 0, "upper_bonus": 0}
    assert "reason" not in line
    assert list(line)[:5] == ["t", "frame", "t_said", "kind", "name"]


def test_what_is_none_by_nature_stays() -> None:
    head: Mapping[str, Any] = {"t": 0.0, "frame": 0, "t_said": 0.0, "player": "Ann", "rule": "r"}
    assert to_json(RollRefused(**head, reason="three_rolls"))["roll"] is None
    assert "likely" not in to_json(ReadingAsked(**head, id=1))


def test_every_line_of_a_match_is_json() -> None:
    _, rulings = match(FIRST, choose(5, "C", announced=18), rest(6, kept=[]))
    assert [json.loads(json.dumps(to_json(ruling)))["name"] for ruling in rulings if isinstance(ruling, RollCounted)]
    totals = MatchEnded(t=1.0, frame=1, t_said=1.0, player=None, rule="r", totals={"Ann": 5}, complete=True)
    assert to_json(totals)["totals"] == {"Ann": 5}


FACTS: list[Fact] = [
    *FIRST,
    rest(
        4.00049, thrown=[DieFact(3, None, 0.12345, "cocked", (10.06, -0.04), True, likely=5, foreign=True)], missing=1
    ),
    DiceThrown(t=1.23456, frame=3, t_said=1.3, count=2, t_first=1.11111, t_last=1.2, tumble=(0.33333, 1.0)),
    choose(5, "C", announced=17, cross=True),
    HouseRulesDeclared(t=0.5, settings={"mulligan": True, "mega_bonus": 500, "tie": "ask"}),
    HouseRuleCalled(t=6, player="Ann", rule="mulligan"),
    RefereeDecided(t=7, action="correct_reading", reason="it leaned", replaces=3, before=4, after=5),
    Undo(t=8, entry=9, by=("Ann", "Ben")),
]


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: type(fact).__name__)
def test_what_was_seen_and_said_is_read_back_as_it_was_written(fact: Fact) -> None:
    line = json.loads(json.dumps(to_json(fact)))
    assert from_json(line) == as_written(fact)
    assert to_json(from_json(line)) == line


def test_every_event_and_input_can_be_read_back() -> None:
    samples: dict[Any, Any] = {float: 1.5, int: 2, str: "Ann", bool: True}
    kinds = [kind for module in (seen, said) for kind in vars(module).values() if isinstance(kind, type)]
    for kind in kinds:
        if issubclass(kind, TrayEvent | PlayerInput) and kind not in (TrayEvent, PlayerInput):
            simple = {f.name: samples[f.type] for f in fields(kind) if f.type in samples}
            if set(simple) == {f.name for f in fields(kind)}:
                fact = kind(**simple)
                assert from_json(to_json(fact)) == fact


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ([], "a JSON object"),
        ({"t": 1}, "unknown name None"),
        ({"name": "RollCounted", "t": 1}, "unknown name 'RollCounted'"),
        ({"name": "TrayEvent", "t": 1}, "unknown name 'TrayEvent'"),
        ({"name": "BoxChosen", "t": 1, "player": "Ann"}, "needs the field 'box'"),
        ({"name": "BoxChosen", "t": 1, "player": "Ann", "box": "C", "points": 3}, "no field 'points'"),
        ({"name": "BoxChosen", "t": "x", "player": "Ann", "box": "C"}, "t is 'x'; it is a number"),
        ({"name": "BoxChosen", "t": float("nan"), "player": "Ann", "box": "C"}, "it is a number"),
        ({"name": "BoxChosen", "t": 10**400, "player": "Ann", "box": "C"}, "it is a number"),
        ({"name": "RefereeDecided", "t": 1, "action": "warn", "reason": "x", "votes": [1]}, "votes has 1 values"),
        ({"name": "BoxChosen", "t": True, "player": "Ann", "box": "C"}, "it is a number"),
        ({"name": "BoxChosen", "t": 1, "player": 7, "box": "C"}, "it is a text"),
        ({"name": "HoldAnswered", "t": 1, "counts": 1}, "it is true or false"),
        ({"name": "ReadingAnswered", "t": 1, "id": 1.5, "value": 2}, "it is a whole number"),
        ({"name": "HouseRuleCalled", "t": 1, "player": "Ann", "rule": "cheat"}, "it is one of mulligan"),
        ({"name": "Undo", "t": 1, "entry": 3, "by": "Ann"}, "it is a list"),
        ({"name": "HouseRulesDeclared", "t": 1, "settings": []}, "it is an object"),
        ({"name": "DiceAtRest", "t": 1, "frame": 1, "t_said": 1, "dice": [3], "thrown": [], "kept": []}, "an object"),
        (
            {"name": "DiceAtRest", "t": 1, "frame": 1, "t_said": 1, "thrown": [], "kept": [],
             "dice": [{"id": 1, "value": 3, "p": 1, "state": "flat", "place": [1], "thrown": True}]},
            "place has 1 values; it has 2",
        ),
    ],
)  # fmt: skip
def test_a_line_that_is_no_fact_is_refused_in_one_clear_line(line: Any, said: str) -> None:
    with pytest.raises(FactError) as caught:
        from_json(line)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_input_has_its_kind() -> None:
    assert to_json(BoxChosen(t=1.0, player="Ann", box="C")) == {
        "t": 1.0,
        "kind": "input",
        "name": "BoxChosen",
        "player": "Ann",
        "box": "C",
        "announced": None,
        "cross": False,
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.data())
def test_nonsense_is_refused_and_never_anything_else(data: st.DataObject) -> None:
    """Any known line with some of its fields replaced by anything."""
    line = to_json(data.draw(st.sampled_from(FACTS)))
    for field in data.draw(st.sets(st.sampled_from([*line, "more"]), min_size=1, max_size=2)):
        line[field] = data.draw(JSON)
    try:
        fact = from_json(line)
    except FactError as error:
        assert "\n" not in str(error)
    else:
        assert from_json(to_json(fact)) == as_written(fact)
