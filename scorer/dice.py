"""Dice as values: reading them from text."""

from scorer.errors import DiceError

FACES = range(1, 7)

Dice = tuple[int, ...]
"""The values of some dice, sorted: the order in which dice lie never matters."""


def parse_dice(text: str, count: int = 5) -> Dice:
    """The dice of a text such as `44444`, sorted.

    Raises `DiceError` when a character is no face of a die, or when there are not `count` of them.
    """
    for character in text:
        if character not in "123456":
            raise DiceError(f"dice {text!r}: {character!r} is no face of a die; write {count} digits from 1 to 6")
    if len(text) != count:
        raise DiceError(f"dice {text!r}: {len(text)} dice instead of {count}; write {count} digits from 1 to 6")
    return tuple(sorted(int(character) for character in text))
