"""Where a roll may go: worked examples, other programs' cases, and what holds for every ruleset, roll and card."""

import csv
import random
import re
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.boxes import YAHTZEE
from scorer.card import Card, check_card, enter, parse_card, totals
from scorer.dice import parse_dice
from scorer.errors import DiceError
from scorer.events import LegalBox
from scorer.legal import REASONS, best_first, earned, is_plain, placements
from scorer.presets import BHO, RULESETS, ruleset
from scorer.rules import Ruleset
from tests.scorer.strategies import cards_of, rolls_of, rulesets

DATA = Path(__file__).parents[1] / "data"


def worked_examples() -> list[dict[str, str]]:
    with (DATA / "worked_examples.tsv").open(encoding="utf-8") as lines:
        return list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))


def peer_cases() -> list[dict[str, str]]:
    with (DATA / "peer_cases.csv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def rules_of(example: dict[str, str]) -> Ruleset:
    return ruleset(example["rules"], {"rigole_points": 1} if example["rules"] == "yams" else {})


def expected_placements(example: dict[str, str]) -> dict[str, LegalBox]:
    """The legal boxes that a worked example states, with what they earn."""
    rules = rules_of(example)
    card = parse_card(rules, example["card"])
    points = {name: 0 for name in rules.by_name if name not in card} if example["legal"].startswith("*") else {}
    for name, worth in re.findall(rf"({'|'.join(rules.box)})(\d+)", example["legal"]):
        points[name] = int(worth)
    bonuses: dict[str, dict[str, int]] = {"100": {}, "35": {}, "50": {}}
    for part in example["bonus"].split("; "):
        if part != "-":
            amount, names = part.removeprefix("+").split()
            for name in points if names == "all" else names.split(","):
                bonuses[amount][name] = int(amount)
    upper = {**bonuses["35"], **bonuses["50"]} if example["id"] != "Y13" else {"6s": 39}
    return {
        name: LegalBox(name, worth, bonuses["100"].get(name, 0), upper.get(name, 0)) for name, worth in points.items()
    }


@pytest.mark.parametrize("example", worked_examples(), ids=lambda example: example["id"])
def test_worked_example(example: dict[str, str]) -> None:
    rules = rules_of(example)
    legal, _ = placements(rules, parse_card(rules, example["card"]), parse_dice(example["dice"], rules.dice_allowed))
    assert {placement.box: placement for placement in legal} == expected_placements(example)


@pytest.mark.parametrize("case", peer_cases(), ids=lambda case: case["case_id"])
def test_other_programs_case_has_its_verdict(case: dict[str, str]) -> None:
    """Each ruleset agrees with exactly those cases that rest on its own reading."""
    mega = {"mega": ruleset("bho", {"mega_yahtzee": "yes"})}
    asked = {name: rules for name, rules in {**RULESETS, **mega}.items() if case.get(f"vs_{name}")}
    verdicts = {name: agrees(rules, case) for name, rules in asked.items()}
    assert verdicts == {name: case[f"vs_{name}"] == "agree" for name in asked}
    assert verdicts


def agrees(rules: Ruleset, case: dict[str, str]) -> bool:
    """Whether the rules give what another program's case states."""
    legal, _ = placements(rules, parse_card(rules, case["card"]), parse_dice(case["dice"], rules.dice_allowed))
    found = next((placement for placement in legal if placement.box == case["box"]), None)
    if found is None or case["legal"] != "1":
        return (found is not None) == (case["legal"] == "1")
    given_by_rules = {
        "box_score": found.points,
        "yahtzee_bonus": found.yahtzee_bonus,
        "upper_bonus": found.upper_bonus,
    }
    return all(int(case[field]) == number for field, number in given_by_rules.items() if case[field])


@pytest.mark.parametrize(
    ("settings", "card", "dice", "legal", "reason"),
    [
        # Triple Yahtzee: free columns; a further Yahtzee once all three Yahtzee boxes are filled
        ({}, "1:Y=50", "44444", "1:4s20 2:4s20 3:4s20 2:Y50 3:Y50", None),
        ({}, "1:Y=50 2:Y=50 3:Y=0 1:4s=8", "44444", "2:4s20+100 3:4s20+100", "joker_upper_forced"),
        ({}, "1:Y=50 2:Y=50 3:Y=0 1:4s=8 2:4s=8 3:4s=8", "44444", "3:3K20+100 1:FH25+100", "joker_lower_first"),
        ({"bonus_needs": "every"}, "1:Y=50 2:Y=50 3:Y=0", "44444", "1:4s20 3:C20 2:FH0", None),
        ({}, "3:1s=3 3:2s=6 3:3s=9 3:4s=12 3:5s=15", "66612", "1:6s18 3:6s18+35", None),
    ],
)
def test_triple_yahtzee(settings: dict[str, str], card: str, dice: str, legal: str, reason: str | None) -> None:
    _holds(ruleset("triple", settings), card, dice, legal, reason)


@pytest.mark.parametrize(
    ("name", "settings", "card", "dice", "legal", "reason"),
    [
        # rounds: only the first column that is not full is open, and its own Yahtzee box decides
        ("casino", {"columns": 3}, "1:Y=50 1:4s=8", "44444", "1:FH25+100 1:C20+100 1:1s0", "round_not_open"),
        (
            "casino",
            {"columns": 2},
            "1s=3 2s=6 3s=9 4s=12 5s=15 6s=18 3K=20 4K=20 FH=25 SS=30 LS=40 Y=50 C=20 2:4s=8",
            "44444",
            "2:Y50 2:C20 2:FH0",
            "filled",
        ),
        # a first five of a kind that went in another box
        ("bho", {"first_yahtzee_in_box": "yes"}, "6s=30 Y=50 PY=1", "44444", "4s20 FH0 C20", "filled"),
        ("bho", {"first_yahtzee_in_box": "yes"}, "6s=30 Y=50", "44444", "4s20+100", "joker_upper_forced"),
        ("bho", {"five_equal_full_house": "yes"}, "", "44444", "FH25 Y50 SS0", None),
        ("bho", {"forced_upper": "no"}, "Y=50", "44444", "4s20+100 FH0+100 C20+100", "filled"),
        ("wyi", {"active_when": "box_filled"}, "Y=0 5s=15", "55555", "FH25 SS30 LS40 3K25", "joker_lower_first"),
        # Yams
        ("yams", {"rigole_points": "20"}, "", "44443", "R20 4K59", None),
        ("yams", {}, "1s=5 2s=10 3s=15 4s=16 5s=20", "66651", "6s18+18 P24", None),
        # house rules: Fool House, and six dice count as the best five of them
        ("wyi", {"fool_house": "yes"}, "", "22333", "FH25", "house_rule"),
        ("wyi", {"fool_house": "yes"}, "FH=0", "22333", "3s9 C13 Y0", "filled"),
        ("wyi", {"fool_house": "yes"}, "Y=50 4s=12", "44444", "FH25+100 C20+100 LS40+100", "joker_lower_first"),
        ("bho", {"mega_yahtzee": "yes"}, "", "666661", "Y50 6s30 C30 1s1 SS0", None),
        ("bho", {"mega_yahtzee": "yes"}, "", "123455", "LS40 SS30 C19 5s10", None),
        ("bho", {"mega_yahtzee": "yes"}, "", "222333", "FH25 C13 3s9 3K13", None),
        ("bho", {"mega_yahtzee": "yes", "mega_bonus": "500"}, "", "666666", "Y50+500 6s30 C30", None),
        ("bho", {"mega_yahtzee": "yes", "mega_bonus": "500"}, "Y=50 6s=18", "666666", "C30+600 1s0+600", "filled"),
        ("bho", {"mega_yahtzee": "yes", "mega_bonus": "500"}, "Y=0", "666666", "C30 6s30", "filled"),
    ],
)
def test_settings_and_house_rules(
    name: str, settings: dict[str, str | int], card: str, dice: str, legal: str, reason: str | None
) -> None:
    _holds(ruleset(name, settings), card, dice, legal, reason)


def _holds(rules: Ruleset, card: str, dice: str, legal: str, reason: str | None) -> None:
    """These boxes are legal with these points and bonuses, and some box is refused for this reason."""
    found, refused = placements(rules, parse_card(rules, card), parse_dice(dice, rules.dice_allowed))
    earns = {p.box: (p.points, p.yahtzee_bonus + p.upper_bonus + p.house_bonus) for p in found}
    for box, points, bonus in re.findall(rf"((?:\d:)?(?:{'|'.join(rules.box)}))(\d+)(?:\+(\d+))?", legal):
        assert earns[box] == (int(points), int(bonus or 0)), box
    assert reason is None or reason in {refusal.reason for refusal in refused}
    if reason == "joker_upper_forced" or (reason == "house_rule" and rules.columns == 1):
        assert len(found) == len(legal.split())


def test_chance_chance_goes_in_chance_alone_and_a_yahtzee_earns_its_bonus() -> None:
    rules = ruleset("wyi", {"chance_chance": "yes"})
    legal, refused = placements(rules, parse_card(rules, "Y=50"), (5, 5, 5, 5, 5), chance_only=True)
    assert legal == (LegalBox("C", 25, 100, 0),)
    assert {refusal.reason for refusal in refused} == {"filled", "house_rule"}
    without = ruleset("wyi", {"chance_chance": "yes", "chance_chance_bonus": "no"})
    assert placements(without, parse_card(without, "Y=50"), (5,) * 5, chance_only=True)[0] == (LegalBox("C", 25, 0, 0),)
    assert placements(rules, Card(), (5,) * 5, chance_only=True)[0] == (LegalBox("C", 25, 0, 0),)


@given(st.data())
def test_every_box_is_either_legal_or_refused_for_a_named_reason(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    card, dice = data.draw(cards_of(rules)), data.draw(rolls_of(rules))
    legal, refused = placements(rules, card, dice)
    names = [slot.name for slot in rules.slots]
    assert sorted([p.box for p in legal] + [r.box for r in refused], key=names.index) == names
    assert {r.box for r in refused if r.reason == "filled"} == set(card.points)
    assert {r.reason for r in refused} <= REASONS.keys()
    assert all(r.reason in rules.texts for r in refused)
    assert card.complete(rules) or legal, "some open box is always legal"


@given(st.data())
def test_a_placement_adds_to_the_total_what_it_says(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    card, dice = data.draw(cards_of(rules)), sorted(data.draw(rolls_of(rules)))
    before = totals(rules, card).total
    for placement in placements(rules, card, dice)[0]:
        after = enter(rules, card, tuple(dice), placement)
        assert totals(rules, after).total - before == earned(rules, card, placement)
        assert earned(rules, card, placement) >= 0 or rules.middle != "none"


@given(st.data())
def test_the_order_of_the_dice_never_matters(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    card, dice = data.draw(cards_of(rules)), data.draw(rolls_of(rules))
    assert placements(rules, card, dice) == placements(rules, card, data.draw(st.permutations(dice)))


@given(st.data())
def test_a_plain_roll_earns_the_same_on_any_card(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    card, dice = data.draw(cards_of(rules)), tuple(sorted(data.draw(rolls_of(rules))))
    if is_plain(rules, dice):
        empty = {p.box: p.points for p in placements(rules, Card(), dice)[0]}
        legal, refused = placements(rules, card, dice)
        assert all(p.yahtzee_bonus == 0 and empty.get(p.box, p.points) == p.points for p in legal)
        assert {r.reason for r in refused} <= {"filled", "round_not_open"}


@given(st.data())
def test_the_best_box_comes_first_and_ties_keep_the_order_of_the_card(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    card, dice = data.draw(cards_of(rules)), data.draw(rolls_of(rules))
    names = [slot.name for slot in rules.slots]
    ranked = best_first(rules, card, placements(rules, card, dice)[0])
    keys = [(-earned(rules, card, placement), names.index(placement.box)) for placement in ranked]
    assert keys == sorted(keys)


EXTREMES = {"bho": (5, 1575), "wyi": (5, 1575), "official": (5, 1575), "verhoeff": (5, 1575), "bga": (5, 1575),
            "casino": (5, 1575), "triple": (30, 2250), "deluxe": (0, 474)}  # fmt: skip
"""Least and most that a game can bring, of Triple Yahtzee without bonus chips: the World Yahtzee Institute's FAQ
(lines 334 and 336), Wikipedia's Triple Yahtzee, and arithmetic for Yahtzee Deluxe."""


@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.parametrize("play", ["random", "greedy", "worst", "yahtzees"])
def test_no_game_leaves_its_bounds_and_every_card_in_it_can_exist(name: str, play: str) -> None:
    rules, chance = ruleset(name), random.Random(f"{name} {play}")
    least, most = EXTREMES[name]
    for _ in range(8):
        card = Card()
        while not card.complete(rules):
            dice = _some_dice(rules, play, chance)
            legal = best_first(rules, card, placements(rules, card, dice)[0])
            placement = {"worst": legal[-1], "greedy": legal[0]}.get(play) or chance.choice(legal)
            if rules.voluntary_zero and play == "worst":
                placement = LegalBox(placement.box, 0, 0, 0)
            card = enter(rules, card, tuple(sorted(dice)), placement)
            check_card(rules, card)
            assert parse_card(rules, str(card)) == card
        sums = totals(rules, card)
        assert least <= sums.total - (sums.yahtzee_bonus if name == "triple" else 0) <= most


def _some_dice(rules: Ruleset, play: str, chance: random.Random) -> list[int]:
    if play == "yahtzees":
        return [chance.randint(1, 6)] * rules.dice
    return [1] * rules.dice if play == "worst" else [chance.randint(1, 6) for _ in range(rules.dice)]


@pytest.mark.parametrize("values", [(1, 2, 3, 4), (1, 2, 3, 4, 7), (0, 1, 2, 3, 4), (), (1,) * 6])
def test_what_is_no_roll_is_no_dice(values: tuple[int, ...]) -> None:
    with pytest.raises(DiceError):
        placements(BHO, Card(), values)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_every_roll_has_somewhere_to_go_on_every_last_box(rules: Ruleset) -> None:
    for last in rules.slots[-len(rules.boxes) :]:
        filled = {s.name: rules.possible_points(s.box)[-1] for s in rules.slots if s is not last}
        for face in range(1, 7):
            assert placements(rules, Card(filled), (face,) * rules.dice)[0][0].box == last.name


def test_deluxe_counts_six_alike_as_every_combination_of_equal_numbers() -> None:
    rules = ruleset("deluxe")
    for dice in combinations_with_replacement(range(1, 7), 6):
        legal = {p.box: p.points for p in placements(rules, Card(), dice)[0]}
        if legal[YAHTZEE]:
            assert (legal["3P"], legal["2T"], legal["FH"], legal["SY"]) == (20, 30, 40, sum(dice))
        if legal["ST"]:
            assert legal["SS"] == sum(dice)
