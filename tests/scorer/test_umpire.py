"""The match: turns, boxes, the end, and what the display is told."""

from collections.abc import Sequence

import pytest

from tests.scorer.tray import (
    FIRST,
    Fact,
    choose,
    dice,
    die,
    match,
    short,
    throw,
)

SCENARIOS: dict[str, tuple[Sequence[Fact], list[str]]] = {
    "a box is chosen": (
        [*FIRST, choose(5, "3s"), *throw(9, dice("55555", first=11))],
        [
            "RollCounted roll=1 values=13346",
            "BoxProposed box=3s points=6",
            "BoxEntered box=3s points=6",
            "TurnEnded",
            "TurnStarted",
            "RollCounted roll=1 values=55555",
        ],
    ),
    "the score announced is wrong": (
        [*FIRST, choose(5, "C", announced=18)],
        [
            "RollCounted roll=1 values=13346",
            "BoxProposed box=C points=17",
            "ScoreCorrected box=C announced=18 right=17",
            "BoxEntered box=C points=17",
            "TurnEnded",
            "TurnStarted",
        ],
    ),
    "boxes that may not be chosen": (
        [
            choose(1, "C"),
            *FIRST,
            choose(5, "C", player="Ben"),
            choose(5, "7s"),
            choose(5, "C", announced=17),
            choose(6, "C", player="Ben"),
            *throw(9, [*dice("1334"), die(5, None, "off_tray")]),
            choose(10, "C", player="Ben"),
        ],
        [
            "BoxRefused no_roll box=C",
            "RollCounted roll=1 values=13346",
            "BoxRefused not_your_turn box=C",
            "BoxRefused unknown_box box=7s",
            "BoxProposed box=C points=17",
            "BoxEntered box=C points=17",
            "TurnEnded",
            "TurnStarted",
            "BoxRefused no_roll box=C",
            "RerollOrdered off_tray ids=5 count=1 roll=1",
            "BoxRefused roll_open box=C",
        ],
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str) -> None:
    facts, expected = SCENARIOS[name]
    _, rulings = match(*facts)
    assert [short(ruling) for ruling in rulings] == expected
