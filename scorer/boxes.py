"""Every box that some Yahtzee card has, as data: the dice it asks for, and what it pays.

The patterns are those of the BHO competition rules (lines 36-55), of
Yams (BoardGameArena, lines 26-51) and of Yahtzee Deluxe (lines 11-49).
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from scorer.dice import FACES, Dice

Pattern = Callable[[Dice], bool]
Section = Literal["upper", "middle", "lower"]


def equal(least: int) -> Pattern:
    """At least `least` dice show the same face."""
    return lambda dice: max(Counter(dice).values()) >= least


def run(length: int) -> Pattern:
    """`length` different consecutive faces are present; a longer run holds a shorter one."""
    runs = [set(range(first, first + length)) for first in FACES if first + length - 1 in FACES]
    return lambda dice: any(found <= set(dice) for found in runs)


def counts(*shapes: tuple[int, ...]) -> Pattern:
    """The numbers of dice of each face, ascending, are one of these."""
    return lambda dice: tuple(sorted(Counter(dice).values())) in shapes


def all_even(dice: Dice) -> bool:
    """Every face shows on an even number of dice."""
    return all(count % 2 == 0 for count in Counter(dice).values())


def rigole(dice: Dice) -> bool:
    """All dice but one show the same face, and that one the opposite face of a die (together seven)."""
    common = Counter(dice).most_common()
    return len(common) == 2 and common[1][1] == 1 and common[0][0] + common[1][0] == 7


def anything(dice: Dice) -> bool:
    """Any dice will do."""
    return True


@dataclass(frozen=True)
class Box:
    """One line of a card.

    An upper box pays the sum of the dice that show its `face`. Any other pays, to dice that show its `pattern`,
    `base` points and, where it `adds_sum`, the sum of all dice. `needs` says the pattern in words.
    """

    name: str
    title: str
    needs: str
    section: Section = "lower"
    face: int | None = None
    pattern: Pattern = anything
    base: int = 0
    adds_sum: bool = False

    def natural(self, dice: Dice) -> int:
        """The points of these dice by the box's own pattern."""
        return self.joker(dice) if self.pattern(dice) else 0

    def joker(self, dice: Dice) -> int:
        """The points of these dice as a joker, which stands for the pattern of any lower box."""
        if self.face is not None:
            return self.face * dice.count(self.face)
        return self.base + (sum(dice) if self.adds_sum else 0)

    @property
    def pays(self) -> str:
        """What it pays, in words."""
        if self.face is not None:
            return f"sum of the {self.title.lower()}"
        if not self.adds_sum:
            return str(self.base)
        return f"{self.base} + sum of all dice" if self.base else "sum of all dice"


UPPER = tuple(
    Box(f"{face}s", title, f"dice that show {face}", "upper", face=face)
    for face, title in zip(FACES, ("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes"), strict=True)
)

YAHTZEE = "Y"
"""The name that every card gives to the box for all dice alike."""

CHANCE, FULL_HOUSE, PLUS, MINUS, RIGOLE = "C", "FH", "P", "M", "R"

_THREE_AND_TWO = counts((2, 3))

YAHTZEE_BOXES = (
    *UPPER,
    Box("3K", "Three of a Kind", "three dice alike", pattern=equal(3), adds_sum=True),
    Box("4K", "Four of a Kind", "four dice alike", pattern=equal(4), adds_sum=True),
    Box(FULL_HOUSE, "Full House", "three of one face and two of another", pattern=_THREE_AND_TWO, base=25),
    Box("SS", "Small Straight", "four consecutive faces", pattern=run(4), base=30),
    Box("LS", "Large Straight", "five consecutive faces", pattern=run(5), base=40),
    Box(YAHTZEE, "Yahtzee", "five dice alike", pattern=equal(5), base=50),
    Box(CHANCE, "Chance", "any dice", adds_sum=True),
)
"""The thirteen boxes of Yahtzee in the order of the card, which also settles ties between equally good ones."""

YAMS_BOXES = (
    *UPPER,
    Box(PLUS, "Plus", "any dice", "middle", adds_sum=True),
    Box(MINUS, "Minus", "any dice", "middle", adds_sum=True),
    Box("4K", "Four of a Kind", "four dice alike", pattern=equal(4), base=40, adds_sum=True),
    Box(
        FULL_HOUSE, "Full House", "three of one face and two of another", pattern=_THREE_AND_TWO, base=30, adds_sum=True
    ),
    Box("SS", "Small Straight", "four consecutive faces", pattern=run(4), base=45),
    Box("LS", "Large Straight", "five consecutive faces", pattern=run(5), base=50),
    Box(YAHTZEE, "Yams", "five dice alike", pattern=equal(5), base=50, adds_sum=True),
    Box(RIGOLE, "Rigole", "four dice alike and the opposite face (together seven)", pattern=rigole, base=50),
)
"""The fourteen boxes of Yams."""

DELUXE_BOXES = (
    *UPPER,
    Box("3P", "Three Pairs", "every face on an even number of dice", pattern=all_even, base=20),
    Box("2T", "Two Triplets", "three dice alike, twice", pattern=counts((3, 3), (6,)), base=30),
    Box(FULL_HOUSE, "Full House", "four dice alike and two alike", pattern=counts((2, 4), (6,)), base=40),
    Box("ST", "Straight", "all six faces", pattern=run(6), base=50),
    Box(YAHTZEE, "Yahtzee", "six dice alike", pattern=equal(6), base=60),
    Box("SS", "Small Straight", "five consecutive faces", pattern=run(5), adds_sum=True),
    Box("SY", "Small Yahtzee", "five dice alike", pattern=equal(5), adds_sum=True),
    Box(CHANCE, "Chance", "any dice", adds_sum=True),
)
"""The fourteen lines of Yahtzee Deluxe, for six dice."""
