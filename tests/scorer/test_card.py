"""Score cards: reading, writing, adding up, and refusing what no match leads to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.card import Card, enter, parse_card, totals
from scorer.errors import CardError
from scorer.events import LegalBox
from scorer.presets import BHO, ruleset
from tests.scorer.strategies import cards_of, rulesets

TRIPLE_200_230_260 = (
    "1:1s=3 1:2s=6 1:3s=9 1:4s=12 1:5s=15 1:6s=18 1:3K=30 1:4K=30 1:FH=25 1:SS=0 1:LS=0 1:Y=0 1:C=17 "
    "2:1s=3 2:2s=6 2:3s=9 2:4s=12 2:5s=15 2:6s=18 2:3K=30 2:4K=30 2:FH=25 2:SS=30 2:LS=0 2:Y=0 2:C=17 "
    "3:1s=3 3:2s=6 3:3s=9 3:4s=12 3:5s=15 3:6s=18 3:3K=30 3:4K=27 3:FH=25 3:SS=0 3:LS=0 3:Y=50 3:C=30 YB=2"
)
ALL_AT_MOST = "1s=5 2s=10 3s=15 4s=20 5s=25 6s=30 3K=30 4K=30 FH=25 SS=30 LS=40 Y=50 C=30"
TRIPLE_FULL = " ".join(f"{column}:{entry}" for column in (1, 2, 3) for entry in ALL_AT_MOST.split())
DELUXE_FULL = "1s=6 2s=12 3s=18 4s=24 5s=30 6s=36 3P=20 2T=30 FH=40 ST=50 Y=60 SS=26 SY=36 C=36"


def test_an_empty_text_is_an_empty_card() -> None:
    assert parse_card(BHO, "") == Card()
    assert not parse_card(BHO, "  ").complete(BHO)


def test_boxes_and_bonuses_are_read_in_any_order() -> None:
    card = parse_card(BHO, "YB=1 Y=50 4s=8")
    assert dict(card.points) == {"4s": 8, "Y": 50}
    assert card.yahtzee_bonuses == 1
    assert str(card) == "4s=8 Y=50 YB=1"


def test_a_box_without_a_column_is_in_the_first_one() -> None:
    triple = ruleset("triple")
    assert parse_card(triple, "4K=20 2:4K=22") == parse_card(triple, "2:4K=22 1:4K=20")
    assert parse_card(BHO, "1:4K=20") == parse_card(BHO, "4K=20")


@given(st.data())
def test_a_card_is_read_back_as_it_was_written(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    card = data.draw(cards_of(rules))
    assert parse_card(rules, str(card)) == card


@given(st.data())
def test_a_total_is_the_sum_of_its_parts(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    card = data.draw(cards_of(rules))
    sums = totals(rules, card)
    parts = sum(column.weight * (column.upper + column.upper_bonus + column.middle + column.lower)
                for column in sums.columns)  # fmt: skip
    assert sums.total == parts + sums.yahtzee_bonus + sums.house_bonus
    boxes = {slot.name: slot.box.section for slot in rules.slots}
    for section in ("upper", "lower"):
        written = sum(points for name, points in card.points.items() if boxes[name] == section)
        assert written == sum(getattr(column, section) for column in sums.columns)


@pytest.mark.parametrize(
    ("rules", "text", "complaint"),
    [
        ("bho", "Y=51", "Y=51 is not possible; Yahtzee gives 0 or 50"),
        ("bho", "1s=7", "1s=7 is not possible; Ones gives 0, 1, 2, 3, 4 or 5"),
        ("bho", "4s=3", "Fours gives 0, 4, 8, 12, 16 or 20"),
        ("bho", "3K=4", "Three of a Kind gives 0 or 5 to 30"),
        ("bho", "C=0", "Chance gives 5 to 30"),
        ("bho", "FH=24", "Full House gives 0 or 25"),
        ("bho", "7s=7", "no box '7s'; the boxes are 1s 2s 3s 4s 5s 6s 3K 4K FH SS LS Y C"),
        ("bho", "y=50", "no box 'y'"),
        ("bho", "2:4K=20", "no box '2:4K'"),
        ("bho", "Y=50 Y=50", "Y is there twice"),
        ("bho", "YB=1 YB=1", "YB is there twice"),
        ("bho", "Y", "write BOX=POINTS"),
        ("bho", "=5", "write BOX=POINTS"),
        ("bho", "Y=", "write BOX=POINTS"),
        ("bho", "Y=-1", "write BOX=POINTS"),
        ("bho", "Y=5e1", "write BOX=POINTS"),
        ("bho", "C=²", "write BOX=POINTS"),
        ("bho", "C=" + "1" * 5000, "write BOX=POINTS"),
        ("bho", "YB=1", "needs Y=50"),
        ("bho", "Y=0 C=9 YB=1", "needs Y=50"),
        ("bho", "Y=50 C=9 YB=2", "as many boxes filled beside Y; there are 1"),
        ("bho", "Y=50 C=9 PY=1", "needs the setting first_yahtzee_in_box"),
        ("bho", "Y=50 C=9 MB=1", "needs the house rule mega_yahtzee"),
        ("casino", "Y=50 C=9 1s=0 YB=2", "as many boxes that scored beside Y; there are 1"),
        ("yams", "Y=50", "Yams gives 0, 55, 60, 65, 70, 75 or 80"),
        ("yams", "Y=55 P=20 YB=1", "yams has no Yahtzee bonus"),
        ("yams", "C=20", "no box 'C'"),
        ("deluxe", "SS=27", "Small Straight gives 0 or 16 to 26"),
        ("triple", "4:Y=50", "each with its column before it, as 1:1s"),
        ("triple", "1:Y=50 1:C=20 YB=1", "there are 0"),
        ("triple", "Y=50 1:Y=50", "1:Y is there twice"),
    ],
)
def test_a_card_that_cannot_be_is_refused_in_one_line(rules: str, text: str, complaint: str) -> None:
    with pytest.raises(CardError) as refusal:
        parse_card(ruleset(rules), text)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_round_begins_when_the_one_before_is_full() -> None:
    with pytest.raises(CardError, match="round 2 cannot have begun while 1:2s is open"):
        parse_card(ruleset("casino", {"columns": 2}), "1:1s=3 2:1s=3")


def test_a_mega_bonus_is_won_once_and_as_a_yahtzee() -> None:
    rules = ruleset("bho", {"mega_yahtzee": "yes", "mega_bonus": 400})
    assert totals(rules, parse_card(rules, "Y=50 MB=1")).total == 450
    for text in ("Y=50 MB=2", "Y=0 MB=1"):
        with pytest.raises(CardError, match="MB"):
            parse_card(rules, text)


def test_bonuses_are_counted_from_zero() -> None:
    from scorer.card import check_card

    with pytest.raises(CardError, match="from 0"):
        check_card(BHO, Card({"Y": 50}, -1))


def test_a_filled_box_is_not_entered_again() -> None:
    with pytest.raises(CardError, match="filled already with 8"):
        enter(BHO, parse_card(BHO, "4s=8"), (1, 1, 4, 4, 4), LegalBox("4s", 12, 0, 0))


def test_a_yahtzee_passed_by_is_kept_where_the_rules_ask_for_it() -> None:
    strict = ruleset("bho", {"first_yahtzee_in_box": "yes"})
    passed = enter(strict, Card(), (6,) * 5, LegalBox("6s", 30, 0, 0))
    assert passed.passed
    assert str(passed) == "6s=30 PY=1"
    assert not enter(BHO, Card(), (6,) * 5, LegalBox("6s", 30, 0, 0)).passed
    assert not enter(strict, parse_card(strict, "Y=50"), (6,) * 5, LegalBox("6s", 30, 100, 0)).passed


@pytest.mark.parametrize(
    ("rules", "text", "expected"),
    [
        ("bho", "1s=3 2s=6 3s=9 4s=12 5s=15 6s=12", 57),
        ("bho", "1s=3 2s=6 3s=9 4s=12 5s=15 6s=18", 98),
        ("bho", "4s=20 3K=20 Y=50 YB=2", 290),
        # the published maximum: World Yahtzee Institute, line 334
        ("bho", f"{ALL_AT_MOST} YB=12", 1575),
        # Triple Yahtzee: columns count once, twice, three times; chips are added afterwards (lines 88 to 93)
        ("triple", TRIPLE_200_230_260, 200 + 2 * 230 + 3 * 260 + 200),
        ("triple", TRIPLE_FULL, 2250),
        ("triple", "3:1s=2 3:2s=6 3:3s=9 3:4s=12 3:5s=15 3:6s=18", 3 * 62),
        ("triple", "3:1s=3 3:2s=6 3:3s=9 3:4s=12 3:5s=15 3:6s=18", 3 * 62 + 3 + 105),
        ("triple", "1:C=5 2:C=5 3:C=5", 30),
        ("triple", "1:4K=30", 30),
        ("triple", "3:4K=30", 90),
        # Yams: T >= 60 adds 30 + (T - 60) (BoardGameArena, line 30); Plus, Minus and their difference all count
        ("yams", "1s=2 2s=6 3s=9 4s=12 5s=15 6s=12 4K=0", 56),
        ("yams", "1s=3 2s=6 3s=9 4s=12 5s=15 6s=12 FH=0", 57),
        ("yams", "1s=3 2s=4 3s=9 4s=16 5s=15 6s=12", 59),
        ("yams", "1s=4 2s=4 3s=9 4s=16 5s=15 6s=12", 60 + 30),
        ("yams", "1s=3 2s=6 3s=9 4s=12 5s=15 6s=18", 96),
        ("yams", "1s=5 2s=10 3s=15 4s=20 5s=25 6s=30", 105 + 75),
        ("yams", "P=22 M=13", 22 + 13 + 9),
        ("yams", "P=22", 22),
        ("deluxe", DELUXE_FULL, 474),
        ("deluxe", "1s=4 2s=8 3s=12 4s=16 5s=20 6s=24", 84 + 50),
        ("deluxe", "1s=3 2s=8 3s=12 4s=16 5s=20 6s=24", 83),
        ("deluxe", "C=0", 0),
        ("casino", "1s=3 2s=6 3s=9 4s=12 5s=15 6s=18", 98),
    ],
)
def test_totals(rules: str, text: str, expected: int) -> None:
    chosen = ruleset(rules)
    assert totals(chosen, parse_card(chosen, text)).total == expected


@pytest.mark.parametrize(
    ("settings", "text", "expected"),
    [
        ({"yams_middle": "delta"}, "P=22 M=13", 9),
        ({"yams_middle": "delta"}, "P=22", 0),
        ({"yams_middle": "delta"}, "P=13 M=22", -9),
        ({"plus_over_minus": "yes"}, "P=13 M=22", 0),
        ({"plus_over_minus": "yes"}, "P=22 M=13", 44),
    ],
)
def test_the_middle_of_a_yams_card_as_agreed(settings: dict[str, str], text: str, expected: int) -> None:
    rules = ruleset("yams", settings)
    assert totals(rules, parse_card(rules, text)).total == expected


def test_a_card_cannot_be_changed_behind_its_back() -> None:
    points = {"Y": 50}
    card = Card(points)
    points["Y"] = 51
    assert card.points["Y"] == 50
