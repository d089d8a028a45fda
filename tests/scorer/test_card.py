"""Score cards: reading, writing, adding up, and refusing what no match leads to."""

import pytest
from hypothesis import given

from scorer.card import Card, parse_card, totals
from scorer.errors import CardError
from scorer.rules import BHO
from tests.scorer.strategies import cards


def test_an_empty_text_is_an_empty_card() -> None:
    assert parse_card("") == Card()
    assert not parse_card("  ").complete


def test_boxes_and_bonuses_are_read_in_any_order() -> None:
    card = parse_card("YB=1 Y=50 4s=8")
    assert dict(card.points) == {"4s": 8, "Y": 50}
    assert card.yahtzee_bonuses == 1
    assert str(card) == "4s=8 Y=50 YB=1"


@given(cards())
def test_a_card_is_read_back_as_it_was_written(card: Card) -> None:
    assert parse_card(str(card)) == card


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Y=51", "Y=51 is not possible; Yahtzee gives 0 or 50"),
        ("4s=9", "Fours gives 0, 4, 8, 12, 16 or 20"),
        ("3K=4", "Three of a Kind gives 0 or 5 to 30"),
        ("C=0", "Chance gives 5 to 30"),
        ("FH=24", "Full House gives 0 or 25"),
        ("7s=7", "no box '7s'; the boxes are 1s 2s 3s 4s 5s 6s 3K 4K FH SS LS Y C"),
        ("y=50", "no box 'y'"),
        ("Y=50 Y=50", "Y is there twice"),
        ("YB=1 YB=1", "YB is there twice"),
        ("Y", "write BOX=POINTS"),
        ("=5", "write BOX=POINTS"),
        ("Y=", "write BOX=POINTS"),
        ("Y=-1", "write BOX=POINTS"),
        ("Y=5e1", "write BOX=POINTS"),
        ("C=²", "write BOX=POINTS"),
        ("C=" + "1" * 5000, "write BOX=POINTS"),
        ("YB=1", "needs Y=50"),
        ("Y=0 C=9 YB=1", "needs Y=50"),
        ("Y=50 C=9 YB=2", "as many boxes filled beside Y; there are 1"),
    ],
)
def test_a_card_that_cannot_be_is_refused_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(CardError) as refusal:
        parse_card(text)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_bonuses_are_counted_from_zero() -> None:
    with pytest.raises(CardError, match="from 0"):
        Card({"Y": 50}, -1)


def test_a_filled_box_is_not_entered_again() -> None:
    with pytest.raises(CardError, match="filled already with 8"):
        parse_card("4s=8").enter("4s", 12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1s=3 2s=6 3s=9 4s=12 5s=15 6s=12", (57, 0, 0, 0, 57)),
        ("1s=3 2s=6 3s=9 4s=12 5s=15 6s=18", (63, 35, 0, 0, 98)),
        ("4s=20 3K=20 Y=50 YB=2", (20, 0, 70, 200, 290)),
        (
            "1s=5 2s=10 3s=15 4s=20 5s=25 6s=30 3K=30 4K=30 FH=25 SS=30 LS=40 Y=50 C=30 YB=12",
            (105, 35, 235, 1200, 1575),  # the published maximum: World Yahtzee Institute, FAQ
        ),
    ],
)
def test_totals(text: str, expected: tuple[int, ...]) -> None:
    sums = totals(BHO, parse_card(text))
    assert (sums.upper, sums.upper_bonus, sums.lower, sums.yahtzee_bonus, sums.total) == expected


def test_a_card_cannot_be_changed_behind_its_back() -> None:
    points = {"Y": 50}
    card = Card(points)
    points["Y"] = 51
    assert card.points["Y"] == 50
