"""Exact odds of one turn, worked out through the product's own placements, against published ones.

When one box is open the best play of a turn is a small problem: 252 rolls, and any dice kept from each. A wrong
pattern, joker or bonus anywhere among the 252 rolls would change the result.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

import pytest

from scorer.card import Card
from scorer.dice import FACES, Dice
from scorer.legal import earned, placements
from scorer.presets import BHO, ruleset
from scorer.rules import Ruleset

FREE_JOKER = ruleset("verhoeff")


@cache
def rolls(count: int) -> Mapping[Dice, Fraction]:
    """Every roll of so many dice with its probability."""
    dice = combinations_with_replacement(FACES, count)
    ways = {roll: factorial(count) // prod(map(factorial, Counter(roll).values())) for roll in dice}
    return {roll: Fraction(number, 6**count) for roll, number in ways.items()}


def value_of_a_turn(rules: Ruleset, card: Card) -> Fraction:
    """What three rolls earn on average when the best dice are kept each time."""
    value = {
        dice: Fraction(max(earned(rules, card, placement) for placement in placements(rules, card, dice)[0]))
        for dice in rolls(5)
    }
    for _ in range(rules.rolls - 1):
        expected = expectations(value)
        value = {dice: max(expected[kept] for kept in keeps(dice)) for dice in value}
    return sum((chance * value[dice] for dice, chance in rolls(5).items()), Fraction())


def expectations(value: Mapping[Dice, Fraction]) -> Mapping[Dice, Fraction]:
    """For all dice that may be kept, what throwing the others gives on average: fewer kept dice build on more."""
    expected = dict(value)
    for count in range(4, -1, -1):
        for kept in combinations_with_replacement(FACES, count):
            expected[kept] = sum((expected[tuple(sorted((*kept, face)))] for face in FACES), Fraction()) / 6
    return expected


@cache
def keeps(dice: Dice) -> frozenset[Dice]:
    """All dice that may be kept of a roll, none and all included."""
    return frozenset(kept for count in range(6) for kept in combinations(dice, count))


def card_with_one_box_open(name: str, **points: int) -> Card:
    """A card on which only this box is open; the others hold their least unless `points` says otherwise."""
    return Card({box.name: points.get(box.name, BHO.possible_points(box)[0]) for box in BHO.boxes if box.name != name})


@pytest.mark.parametrize(
    ("rules", "box", "expected"),
    [
        (BHO, "Y", 50 * Fraction(347897, 7558272)),  # OEIS A096256; datagenetics.com, Yahtzee
        (FREE_JOKER, "SS", 30 * Fraction(335238079, 544195584)),  # 18.48: Verhoeff's optimal player
        (BHO, "C", Fraction(70, 3)),  # the textbook value of five dice with two free rerolls
    ],
)
def test_the_published_value_of_a_turn_with_one_box_open(rules: Ruleset, box: str, expected: Fraction) -> None:
    assert value_of_a_turn(rules, card_with_one_box_open(box)) == expected


@pytest.mark.parametrize(
    ("values", "chance"),
    [("3K", Fraction(23, 108)), ("4K", Fraction(13, 648)), ("FH", Fraction(25, 648)), ("SS", Fraction(25, 162)),
     ("LS", Fraction(5, 162)), ("Y", Fraction(1, 1296))],
)  # fmt: skip
def test_the_published_chance_of_a_pattern_in_one_roll(values: str, chance: Fraction) -> None:
    """First rolls: World Yahtzee Institute, odds, and datagenetics.com (better patterns included)."""
    card = card_with_one_box_open(values)
    assert sum(p for dice, p in rolls(5).items() if placements(BHO, card, dice)[0][0].points > 0) == chance
