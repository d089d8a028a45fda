"""Dice as values: reading them from text."""

from collections.abc import Sequence

from scorer.errors import DiceError

FACES = range(1, 7)

Dice = tuple[int, ...]
"""The values of some dice, sorted: the order in which dice lie never matters."""


def parse_dice(text: str, counts: Sequence[int] = (5,)) -> Dice:
    """The dice of a text such as `44444`, sorted.

    Raises `DiceError` when a character is no face of a die, or when they are not as many as one of `counts`.
    """
    number = _either(counts)
    for character in text:
        if character not in "123456":
            raise DiceError(f"dice {text!r}: {character!r} is no face of a die; write {number} digits from 1 to 6")
    if len(text) not in counts:
        raise DiceError(f"dice {text!r}: {len(text)} dice instead of {number}; write {number} digits from 1 to 6")
    return tuple(sorted(int(character) for character in text))


def as_roll(dice: Sequence[int], counts: Sequence[int]) -> Dice:
    """The values of one roll, sorted. Raises `DiceError` when they are no faces, or not as many as one of `counts`."""
    if len(dice) not in counts or not all(value in FACES for value in dice):
        raise DiceError(f"dice {list(dice)}: a roll is {_either(counts)} values from 1 to 6")
    return tuple(sorted(dice))


def _either(counts: Sequence[int]) -> str:
    return " or ".join(str(count) for count in counts)
