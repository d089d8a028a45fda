"""Where a roll may go: worked examples, other programs' cases, and what holds for every roll and card."""

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given

from scorer.boxes import BOXES, BY_NAME, UPPER
from scorer.card import Card, parse_card, totals
from scorer.dice import parse_dice
from scorer.errors import DiceError, RulesetError
from scorer.events import LegalBox
from scorer.legal import best_first, earned, placements
from scorer.rules import BHO, Ruleset, ruleset
from tests.scorer.strategies import cards, dice

DATA = Path(__file__).parents[1] / "data"

RULESETS = {
    "bho": BHO,
    "casino": Ruleset(
        name="casino", title="", texts={}, active_when="box_filled", forced_upper=False, after_upper="any",
        bonus_when="scored",
    ),
    "wyi": Ruleset(
        name="wyi", title="", texts={}, active_when="box_50", forced_upper=True, after_upper="lower_first",
        bonus_when="always",
    ),
    "bga": Ruleset(
        name="bga", title="", texts={}, active_when="box_50", forced_upper=True, after_upper="any",
        bonus_when="always",
    ),
    "official": Ruleset(
        name="official", title="", texts={}, active_when="box_filled", forced_upper=True, after_upper="lower_first",
        bonus_when="always",
    ),
}  # fmt: skip
"""Five readings of the joker rule: only the first is on offer, the others show that the engine knows no names."""


def worked_examples() -> list[dict[str, str]]:
    with (DATA / "worked_examples.tsv").open(encoding="utf-8") as lines:
        return list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))


def peer_cases() -> list[dict[str, str]]:
    with (DATA / "peer_cases.csv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def expected_placements(example: dict[str, str]) -> dict[str, LegalBox]:
    """The legal boxes that a worked example states, with what they earn."""
    card = parse_card(example["card"])
    points = {box.name: 0 for box in BOXES if box.name not in card} if example["legal"].startswith("*") else {}
    for name, worth in re.findall(r"([1-6]s|[34]K|FH|SS|LS|Y|C)(\d+)", example["legal"]):
        points[name] = int(worth)
    bonuses: dict[str, dict[str, int]] = {"100": {}, "35": {}}
    for part in example["bonus"].split("; "):
        if part != "-":
            amount, names = part.removeprefix("+").split()
            for name in points if names == "all" else names.split(","):
                bonuses[amount][name] = int(amount)
    return {
        name: LegalBox(name, worth, bonuses["100"].get(name, 0), bonuses["35"].get(name, 0))
        for name, worth in points.items()
    }


@pytest.mark.parametrize("example", worked_examples(), ids=lambda example: example["id"])
def test_worked_example(example: dict[str, str]) -> None:
    legal, _ = placements(RULESETS[example["rules"]], parse_card(example["card"]), parse_dice(example["dice"]))
    assert {placement.box: placement for placement in legal} == expected_placements(example)


@pytest.mark.parametrize("case", peer_cases(), ids=lambda case: case["case_id"])
def test_other_programs_case_has_its_verdict(case: dict[str, str]) -> None:
    """Each ruleset agrees with exactly those cases that rest on its own reading."""
    verdicts = {name: agrees(rules, case) for name, rules in RULESETS.items()}
    assert verdicts == {name: case[f"vs_{name}"] == "agree" for name in RULESETS}


def agrees(rules: Ruleset, case: dict[str, str]) -> bool:
    """Whether the rules give what another program's case states."""
    legal, _ = placements(rules, parse_card(case["card"]), parse_dice(case["dice"]))
    found = next((placement for placement in legal if placement.box == case["box"]), None)
    if found is None or case["legal"] != "1":
        return (found is not None) == (case["legal"] == "1")
    given_by_rules = {
        "box_score": found.points,
        "yahtzee_bonus": found.yahtzee_bonus,
        "upper_bonus": found.upper_bonus,
    }
    return all(int(case[field]) == number for field, number in given_by_rules.items() if case[field])


def test_the_data_covers_every_box_with_a_zero_and_with_points() -> None:
    earning = {
        (name, placement.points > 0) for e in worked_examples() for name, placement in expected_placements(e).items()
    }
    missing = {(box.name, scores) for box in BOXES for scores in (False, True)} - earning - {("C", False)}
    assert not missing


@given(cards(), dice)
@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_every_box_is_either_legal_or_refused(rules: Ruleset, card: Card, dice: list[int]) -> None:
    legal, refused = placements(rules, card, dice)
    order = [box.name for box in BOXES]
    assert sorted([p.box for p in legal] + [r.box for r in refused], key=order.index) == order
    assert [p.box for p in legal] == sorted((p.box for p in legal), key=order.index)
    assert {r.box for r in refused if r.reason == "filled"} == set(card.points)
    assert card.complete or legal, "some open box is always legal"


@given(cards(), dice)
@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_a_placement_adds_to_the_total_what_it_says(rules: Ruleset, card: Card, dice: list[int]) -> None:
    before = totals(rules, card).total
    for placement in placements(rules, card, dice)[0]:
        after = card.enter(placement.box, placement.points, placement.yahtzee_bonus > 0)
        assert totals(rules, after).total - before == earned(placement) >= 0


@given(cards(), dice)
def test_the_order_of_the_dice_never_matters(card: Card, dice: list[int]) -> None:
    assert placements(BHO, card, dice) == placements(BHO, card, dice[::-1])


@given(cards(), dice)
def test_the_best_box_comes_first_and_ties_keep_the_order_of_the_card(card: Card, dice: list[int]) -> None:
    legal, _ = placements(BHO, card, dice)
    order = [box.name for box in BOXES]
    keys = [(-earned(placement), order.index(placement.box)) for placement in best_first(legal)]
    assert keys == sorted(keys)


@pytest.mark.parametrize("values", [(1, 2, 3, 4), (1, 2, 3, 4, 7), (0, 1, 2, 3, 4), ()])
def test_what_is_no_roll_is_no_dice(values: tuple[int, ...]) -> None:
    with pytest.raises(DiceError):
        placements(BHO, Card(), values)


def test_upper_boxes_collect_their_own_face() -> None:
    assert [box.natural((1, 2, 2, 5, 6)) for box in UPPER] == [1, 4, 0, 0, 5, 6]


def test_five_of_a_kind_is_no_full_house() -> None:
    assert BY_NAME["FH"].natural((4, 4, 4, 4, 4)) == 0
    assert BY_NAME["FH"].joker((4, 4, 4, 4, 4)) == 25


def test_unknown_rules_are_refused_with_the_known_ones() -> None:
    with pytest.raises(RulesetError, match="unknown rules 'poker'; known: bho"):
        ruleset("poker")
