"""The thirteen boxes of a Yahtzee card as data, and what dice are worth in each.

Points: the upper boxes are face times count; 3K, 4K and C the sum of all dice; FH 25, SS 30, LS 40, Y 50
(BHO competition rules, Upper Section Scoring to Chance).
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

from scorer.dice import FACES, Dice

Pattern = Callable[[Dice], bool]


def _equal(least: int) -> Pattern:
    """At least `least` dice show the same face."""
    return lambda dice: max(Counter(dice).values()) >= least


def _run(length: int) -> Pattern:
    """`length` different consecutive faces are present; a longer run holds a shorter one."""
    runs = [set(range(first, first + length)) for first in FACES if first + length - 1 in FACES]
    return lambda dice: any(run <= set(dice) for run in runs)


def _full_house(dice: Dice) -> bool:
    """Three of one face and two of another: five of a kind is none."""
    return sorted(Counter(dice).values()) == [2, 3]


def _anything(dice: Dice) -> bool:
    """Any dice will do."""
    return True


@dataclass(frozen=True)
class Box:
    """One line of the card.

    `face` is the face an upper box collects, None below. A lower box pays `fixed` points, or the sum of all
    dice where that is None, to dice that show its `pattern`.
    """

    name: str
    title: str
    face: int | None = None
    pattern: Pattern = _anything
    fixed: int | None = None

    def natural(self, dice: Dice) -> int:
        """The points of these dice by the box's own pattern."""
        return self.joker(dice) if self.pattern(dice) else 0

    def joker(self, dice: Dice) -> int:
        """The points of these dice as a joker, which stands for the pattern of any lower box."""
        if self.face is not None:
            return self.face * dice.count(self.face)
        return sum(dice) if self.fixed is None else self.fixed


UPPER = tuple(
    Box(f"{face}s", title, face=face)
    for face, title in zip(FACES, ("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes"), strict=True)
)
YAHTZEE = Box("Y", "Yahtzee", pattern=_equal(5), fixed=50)
LOWER = (
    Box("3K", "Three of a Kind", pattern=_equal(3)),
    Box("4K", "Four of a Kind", pattern=_equal(4)),
    Box("FH", "Full House", pattern=_full_house, fixed=25),
    Box("SS", "Small Straight", pattern=_run(4), fixed=30),
    Box("LS", "Large Straight", pattern=_run(5), fixed=40),
    YAHTZEE,
    Box("C", "Chance"),
)
BOXES = UPPER + LOWER
"""All boxes in the order of the card, which also settles ties between equally good ones."""

BY_NAME = {box.name: box for box in BOXES}


@cache
def possible_points(box: Box) -> tuple[int, ...]:
    """Every number of points that five dice can give in the box, ascending."""
    return tuple(sorted({box.natural(dice) for dice in combinations_with_replacement(FACES, 5)}))
