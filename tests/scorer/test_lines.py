"""The vocabulary as JSON lines."""

import json
from collections.abc import Mapping

from scorer.events import DiceAtRest, DieFact, MatchEnded, ReadingAsked, RollCounted, RollRefused, to_json
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
    head: Mapping[str, object] = {"t": 0.0, "frame": 0, "t_said": 0.0, "player": "Ann", "rule": "r"}
    assert to_json(RollRefused(**head, reason="three_rolls"))["roll"] is None  # type: ignore[arg-type]
    assert "likely" not in to_json(ReadingAsked(**head, id=1))  # type: ignore[arg-type]


def test_every_line_of_a_match_is_json() -> None:
    _, rulings = match(FIRST, choose(5, "C", announced=18), rest(6, kept=[]))
    assert [json.loads(json.dumps(to_json(ruling)))["name"] for ruling in rulings if isinstance(ruling, RollCounted)]
    totals = MatchEnded(t=1.0, frame=1, t_said=1.0, player=None, rule="r", totals={"Ann": 5}, complete=True)
    assert to_json(totals)["totals"] == {"Ann": 5}
