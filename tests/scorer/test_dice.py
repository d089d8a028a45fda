"""Reading dice from text."""

import pytest

from scorer.dice import parse_dice
from scorer.errors import DiceError


def test_dice_come_sorted() -> None:
    assert parse_dice("52565") == (2, 5, 5, 5, 6)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("44479", "'7' is no face of a die; write 5 digits from 1 to 6"),
        ("0444", "'0' is no face"),
        ("4 4 4", "' ' is no face"),
        ("٣4444", "'٣' is no face"),
        ("444", "3 dice instead of 5"),
        ("444444", "6 dice instead of 5"),
        ("", "0 dice instead of 5"),
    ],
)
def test_what_is_no_five_dice_is_refused_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(DiceError) as refusal:
        parse_dice(text)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_the_count_may_differ() -> None:
    assert parse_dice("6", (1,)) == (6,)
