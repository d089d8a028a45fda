"""Comparing rulesets: nothing that differs is missed, and every example shows what it is given for."""

from collections.abc import Mapping
from dataclasses import fields, replace
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given

from scorer.boxes import YAHTZEE_BOXES
from scorer.card import parse_card
from scorer.cases import Case, answers, example_roll
from scorer.compare import Comparison, Difference, compare
from scorer.dice import parse_dice
from scorer.presets import BHO, RULESETS, TRIPLE, WYI, ruleset
from scorer.rules import Ruleset
from scorer.settings import SETTINGS, Value, change, settings_of
from tests.scorer.strategies import presets

TEXTS = {"name", "title", "about", "source", "texts", "readings", "remarks"}
"""What a ruleset says of itself, which is no rule."""


def found(comparison: Comparison) -> set[str]:
    return {difference.name for difference in comparison.differences}


def example(comparison: Comparison, name: str) -> tuple[Case, Case]:
    """The example of a difference, where both rulesets have one."""
    pair = next(difference.example for difference in comparison.differences if difference.name == name)
    assert pair is not None
    first, second = pair
    assert first is not None and second is not None
    return first, second


def names(case: Case) -> set[str]:
    return {answer.box for answer in case.answers}


@given(presets)
def test_a_ruleset_does_not_differ_from_itself(rules: Ruleset) -> None:
    assert compare(rules, rules) == Comparison(())


def test_two_presets_with_other_texts_alone_do_not_differ() -> None:
    assert not compare(RULESETS["bho"], RULESETS["bga"]).differences


def test_the_joker_rule_of_two_presets_is_told_apart_by_one_card() -> None:
    comparison = compare(BHO, WYI)
    assert found(comparison) == {"after_upper"}
    bho, wyi = example(comparison, "after_upper")
    assert (bho.dice, bho.card) == (wyi.dice, wyi.card) == ("11111", "1s=2 Y=50")
    assert names(bho) == names(wyi) == {"2s", "3s", "4s", "5s", "6s"}
    assert all(answer.legal and answer.in_all == 100 for answer in bho.answers)
    assert {answer.reason for answer in wyi.answers} == {"joker_lower_first"}


def test_every_parameter_that_is_no_setting_is_compared() -> None:
    others: Mapping[str, object] = {
        "boxes": YAHTZEE_BOXES[:-1],
        "weights": (1, 1, 2),
        "active_when": "never",
        "middle": "sum",
    }
    for field in fields(Ruleset):
        if field.name not in {*TEXTS, *SETTINGS} - {"columns", "active_when"}:
            base = TRIPLE if field.name in ("rounds", "weights") else BHO
            old = getattr(base, field.name)
            new = others[field.name] if field.name in others else (not old if isinstance(old, bool) else old + 1)
            changes: dict[str, Any] = {field.name: new}
            assert compare(base, replace(base, **changes)).differences, field.name


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_is_compared_by_its_own_name(name: str) -> None:
    base = next(rules for rules in RULESETS.values() if SETTINGS[name].applies(rules))
    values = SETTINGS[name].values
    other = next(value for value in (values[0], values[-1]) if value != settings_of(base)[name])
    assert name in found(compare(base, change(base, name, other)))


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        ("triple", {"bonus_needs": "every"}),
        ("bho", {"first_yahtzee_in_box": True}),
        ("bho", {"five_equal_full_house": True}),
        ("bho", {"fool_house": True}),
        ("bho", {"mega_yahtzee": True}),
        ("yams", {"rigole_points": 1}),
        ("yams", {"yams_middle": "delta"}),
        ("yams", {"plus_over_minus": True}),
        ("casino", {"voluntary_zero": True}),
        ("casino", {"columns": 2}),
    ],
)
def test_a_setting_that_changes_points_or_boxes_gets_an_example(rules: str, settings: dict[str, Value]) -> None:
    comparison = compare(RULESETS[rules], ruleset(rules, settings))
    for name in settings:
        first, second = example(comparison, name)
        assert first.answers != second.answers


@pytest.mark.parametrize("name", ["tie", "start_dice", "clockwise", "mulligan", "battle_cry", "bottoms_up"])
def test_a_setting_of_throws_turns_and_totals_has_none(name: str) -> None:
    comparison = compare(BHO, change(BHO, name, SETTINGS[name].values[-1 if name != "clockwise" else 0]))
    assert [(difference.name, difference.example) for difference in comparison.differences] == [(name, None)]


@pytest.mark.parametrize(("first", "second"), list(combinations(RULESETS, 2)))
def test_every_difference_of_two_presets_has_a_true_example(first: str, second: str) -> None:
    for difference in compare(RULESETS[first], RULESETS[second]).differences:
        assert difference.example is not None
        for case in difference.example:
            if case is not None:
                rules = RULESETS[case.rules]
                said = answers(rules, parse_card(rules, case.card), parse_dice(case.dice, rules.dice_allowed))
                assert set(case.answers) <= set(said)
        assert _tells(difference)


def _tells(difference: Difference) -> bool:
    """Whether the two answers are not the same."""
    assert difference.example is not None
    first, second = difference.example
    return first is None or second is None or (first.dice, first.answers) != (second.dice, second.answers)


def test_what_one_has_alone_is_named() -> None:
    comparison = compare(RULESETS["casino"], RULESETS["wyi"])
    assert (comparison.only_first, comparison.only_second) == (("columns",), ())


@pytest.mark.parametrize(("first", "second"), [("bho", "casino"), ("yams", "triple"), ("wyi", "deluxe")])
def test_the_order_changes_no_difference(first: str, second: str) -> None:
    there, back = (compare(RULESETS[a], RULESETS[b]) for a, b in permutations((first, second)))
    assert found(there) == found(back)
    assert {(x.name, x.first, x.second) for x in there.differences} == {
        (x.name, x.second, x.first) for x in back.differences
    }


@given(presets)
def test_an_example_roll_scores_in_its_box(rules: Ruleset) -> None:
    for box in rules.boxes:
        assert box.natural(example_roll(rules, box)) > 0
