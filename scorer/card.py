"""A player's score card: what is in each box, and what it adds up to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from scorer.boxes import BOXES, BY_NAME, UPPER, YAHTZEE, Box, possible_points
from scorer.errors import CardError
from scorer.rules import Ruleset

YAHTZEE_BONUSES = "YB"
"""The name under which a written card counts its Yahtzee bonuses, as `YB=2`."""


@dataclass(frozen=True)
class Card:
    """The filled boxes with their points, and the number of Yahtzee bonuses won.

    Raises `CardError` for a box that does not exist, points that no dice give in their box, or bonuses that cannot
    have been won: each comes with a box filled beside a Yahtzee box that holds 50.
    """

    points: Mapping[str, int] = field(default_factory=dict)
    yahtzee_bonuses: int = 0

    def __post_init__(self) -> None:
        for name, points in self.points.items():
            _check_points(name, points)
        _check_bonuses(self.points, self.yahtzee_bonuses)
        in_order = {box.name: self.points[box.name] for box in BOXES if box.name in self.points}
        object.__setattr__(self, "points", MappingProxyType(in_order))

    def __contains__(self, box: object) -> bool:
        """Whether the box is filled."""
        return box in self.points

    def __str__(self) -> str:
        """The card as `parse_card` reads it."""
        entries = [f"{name}={points}" for name, points in self.points.items()]
        return " ".join(entries + ([f"{YAHTZEE_BONUSES}={self.yahtzee_bonuses}"] if self.yahtzee_bonuses else []))

    @property
    def complete(self) -> bool:
        """Whether every box is filled."""
        return len(self.points) == len(BOXES)

    @property
    def upper_subtotal(self) -> int:
        """The points of the upper boxes. Yahtzee bonuses are no part of it."""
        return sum(self.points.get(box.name, 0) for box in UPPER)

    def enter(self, box: str, points: int, yahtzee_bonus: bool = False) -> "Card":
        """This card with one more box filled. Raises `CardError` when the box is filled already."""
        if box in self:
            raise CardError(f"box {box} is filled already with {self.points[box]}")
        return Card({**self.points, box: points}, self.yahtzee_bonuses + yahtzee_bonus)


@dataclass(frozen=True)
class Totals:
    """What a card adds up to."""

    upper: int
    upper_bonus: int
    lower: int
    yahtzee_bonus: int

    @property
    def total(self) -> int:
        """The player's score."""
        return self.upper + self.upper_bonus + self.lower + self.yahtzee_bonus


def totals(rules: Ruleset, card: Card) -> Totals:
    """What the card adds up to by these rules: the upper bonus comes with 63 upper points or more."""
    upper = card.upper_subtotal
    return Totals(
        upper=upper,
        upper_bonus=rules.upper_bonus if upper >= rules.upper_bonus_from else 0,
        lower=sum(card.points.values()) - upper,
        yahtzee_bonus=card.yahtzee_bonuses * rules.bonus_points,
    )


def parse_card(text: str) -> Card:
    """The card of a text such as `Y=50 4s=8 YB=1`; an empty text is an empty card. Raises `CardError`."""
    entries: dict[str, int] = {}
    for word in text.split():
        name, equals, number = word.partition("=")
        if not (name and equals and number.isascii() and number.isdigit() and len(number) < 10):
            raise CardError(f"card {word!r}: write BOX=POINTS, such as 4s=8")
        if name in entries:
            raise CardError(f"card {word!r}: {name} is there twice")
        if name != YAHTZEE_BONUSES:
            _known(name)
        entries[name] = int(number)
    bonuses = entries.pop(YAHTZEE_BONUSES, 0)
    return Card(entries, bonuses)


def _known(name: str) -> Box:
    if name not in BY_NAME:
        raise CardError(f"card: no box {name!r}; the boxes are {' '.join(BY_NAME)}")
    return BY_NAME[name]


def _check_points(name: str, points: int) -> None:
    possible = possible_points(_known(name))
    if points not in possible:
        raise CardError(f"card: {name}={points} is not possible; {BY_NAME[name].title} gives {_spell(possible)}")


def _check_bonuses(points: Mapping[str, int], bonuses: int) -> None:
    if bonuses < 0:
        raise CardError(f"card: {YAHTZEE_BONUSES}={bonuses} is not possible; count the Yahtzee bonuses from 0")
    if bonuses and points.get(YAHTZEE.name) != YAHTZEE.fixed:
        raise CardError(f"card: {YAHTZEE_BONUSES}={bonuses} needs Y=50; a Yahtzee bonus comes after the first Yahtzee")
    if bonuses > max(len(points) - 1, 0):
        others = len(points) - 1
        raise CardError(f"card: {YAHTZEE_BONUSES}={bonuses} needs as many boxes filled beside Y; there are {others}")


def _spell(possible: tuple[int, ...]) -> str:
    """`0, 25`: `0 or 25`; long rows without gaps as `5 to 30`."""
    zero = ["0"] if possible[0] == 0 else []
    rest = possible[len(zero) :]
    if len(rest) > 6 and rest == tuple(range(rest[0], rest[-1] + 1)):
        words = [*zero, f"{rest[0]} to {rest[-1]}"]
    else:
        words = zero + [str(points) for points in rest]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
