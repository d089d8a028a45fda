"""The solver's data, held against `placements` on thousands of random cards and rolls."""

from collections.abc import Callable, Mapping
from random import Random

import pytest

from scorer.analysis.earnings import Earnings, check_solvable, counted, standing
from scorer.boxes import MINUS, PLUS
from scorer.card import Card, totals
from scorer.dice import Dice
from scorer.errors import AnalysisError
from scorer.legal import placements
from scorer.presets import ruleset
from scorer.settings import Value
from tests.scorer.analysis.solved import random_card, random_roll


def in_tables(earn: Earnings, card: Card, roll: Dice) -> Mapping[str, tuple[int, int]]:
    """Points and Yahtzee bonus in every box that the tables call legal."""
    place, row = standing(earn.rules, card), earn.graph.rolls.index(roll)
    if row not in earn.special:
        open_boxes = [number for number, box in enumerate(earn.rules.boxes) if box.name not in card]
        return {earn.rules.boxes[number].name: (int(earn.plain[row, number]), 0) for number in open_boxes}
    at = place.filled, int(place.full), list(earn.special).index(row)
    numbers = zip(earn.rules.boxes, earn.points[at], earn.besides[at], strict=True)
    return {box.name: (int(points), int(besides)) for box, points, besides in numbers if besides >= 0}


@pytest.mark.parametrize("name", ["verhoeff", "official", "yams"])
def test_the_tables_are_what_placements_says(name: str, asked: Callable[[str], Earnings]) -> None:
    random, earn = Random(name), asked(name)
    for _ in range(3000):
        card, roll = random_card(earn.rules, random), random_roll(random)
        legal, _ = placements(earn.rules, card, roll)
        answer = {placement.box: (placement.points, placement.yahtzee_bonus) for placement in legal}
        assert in_tables(earn, card, roll) == answer


@pytest.mark.parametrize("middle", ["sum", "delta"])
def test_plus_and_minus_alone_are_what_they_come_to_together(middle: str) -> None:
    rules = ruleset("yams", {"yams_middle": middle})
    for plus, minus in ((22, 13), (5, 30), (17, 17)):
        alone = counted(rules, rules.box[PLUS], plus) + counted(rules, rules.box[MINUS], minus)
        assert alone == totals(rules, Card({PLUS: plus, MINUS: minus})).total


@pytest.mark.parametrize(
    ("name", "settings", "word"),
    [
        ("triple", {}, "one column"),
        ("deluxe", {}, "five dice"),
        ("casino", {"columns": 2}, "one column"),
        ("bho", {"mulligan": True}, "mulligan"),
        ("bho", {"chance_chance": True}, "chance_chance"),
        ("bho", {"mega_yahtzee": True}, "mega_yahtzee"),
        ("wyi", {"fool_house": True}, "fool_house"),
        ("bho", {"voluntary_zero": True}, "voluntary_zero"),
        ("bho", {"first_yahtzee_in_box": True}, "first_yahtzee_in_box"),
        ("yams", {"plus_over_minus": True}, "plus_over_minus"),
    ],
)
def test_rules_that_cannot_be_solved_say_why(name: str, settings: Mapping[str, Value], word: str) -> None:
    with pytest.raises(AnalysisError, match=word):
        check_solvable(ruleset(name, settings))
