"""A player's score card: what is in each box, and what it adds up to."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from scorer.boxes import YAHTZEE, Section
from scorer.dice import Dice
from scorer.errors import CardError
from scorer.events import LegalBox
from scorer.rules import Ruleset, Slot

YAHTZEE_BONUSES, MEGA_BONUSES, PASSED = "YB", "MB", "PY"
"""The names under which a written card counts its Yahtzee bonuses (`YB=2`), its Mega-Yahtzee bonus (`MB=1`), and says
that a five of a kind was passed by before the Yahtzee box was filled (`PY=1`)."""


@dataclass(frozen=True)
class Card:
    """The filled boxes with their points, in the order they were filled, and what was won besides.

    `passed`: a five of a kind went in another box while the Yahtzee box was open (kept where the rules ask for it).
    A plain value: `parse_card` and `check_card` refuse what no match leads to, and `enter` writes what is legal.
    """

    points: Mapping[str, int] = field(default_factory=dict)
    yahtzee_bonuses: int = 0
    mega_bonuses: int = 0
    passed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", MappingProxyType(dict(self.points)))

    def __contains__(self, box: object) -> bool:
        """Whether the box is filled."""
        return box in self.points

    def __str__(self) -> str:
        """The card as `parse_card` reads it."""
        marks = {YAHTZEE_BONUSES: self.yahtzee_bonuses, MEGA_BONUSES: self.mega_bonuses, PASSED: int(self.passed)}
        entries = [*self.points.items(), *((name, number) for name, number in marks.items() if number)]
        return " ".join(f"{name}={points}" for name, points in entries)

    def complete(self, rules: Ruleset) -> bool:
        """Whether every box is filled."""
        return len(self.points) == len(rules.slots)

    def upper_subtotal(self, rules: Ruleset, column: int = 1) -> int:
        """The points of a column's upper boxes. Bonuses are no part of it."""
        return _sum(rules, self.points, column, "upper")


@dataclass(frozen=True, slots=True)
class ColumnTotals:
    """What one column adds up to; it counts `weight` times. `middle` is what Plus and Minus count together."""

    upper: int
    upper_bonus: int
    middle: int
    lower: int
    weight: int = 1

    @property
    def total(self) -> int:
        """The column's points, multiplied."""
        return self.weight * (self.upper + self.upper_bonus + self.middle + self.lower)


@dataclass(frozen=True, slots=True)
class Totals:
    """What a card adds up to: bonuses for further Yahtzees and Mega-Yahtzees are not multiplied."""

    columns: tuple[ColumnTotals, ...]
    yahtzee_bonus: int = 0
    house_bonus: int = 0

    @property
    def total(self) -> int:
        """The player's score."""
        return sum(column.total for column in self.columns) + self.yahtzee_bonus + self.house_bonus


def totals(rules: Ruleset, card: Card) -> Totals:
    """What the card adds up to by these rules."""
    columns = range(1, rules.columns + 1)
    return Totals(
        columns=tuple(_column_totals(rules, card, column) for column in columns),
        yahtzee_bonus=card.yahtzee_bonuses * rules.bonus_points,
        house_bonus=card.mega_bonuses * rules.mega_bonus,
    )


def middle_points(rules: Ruleset, points: Mapping[str, int], column: int) -> int:
    """What Plus and Minus of a column count together: their difference (Delta) comes once both are filled."""
    if rules.middle == "none":
        return 0
    plus, minus = (points.get(name) for name in rules.sections[column, "middle"])
    both = (plus or 0) + (minus or 0) if rules.middle == "sum" else 0
    if plus is None or minus is None:
        return both
    return 0 if rules.plus_over_minus and plus <= minus else both + plus - minus


def enter(rules: Ruleset, card: Card, dice: Dice, placement: LegalBox) -> Card:
    """The card with a roll written as a legal placement says. Raises `CardError` when the box is filled already."""
    if placement.box in card:
        raise CardError(f"box {placement.box} is filled already with {card.points[placement.box]}")
    box = rules.by_name[placement.box].box
    passes = rules.first_yahtzee_in_box and box.name != YAHTZEE and dice[0] == dice[-1]
    return replace(
        card,
        points={**card.points, placement.box: placement.points},
        yahtzee_bonuses=card.yahtzee_bonuses + (placement.yahtzee_bonus > 0),
        mega_bonuses=card.mega_bonuses + (placement.house_bonus > 0),
        passed=card.passed or (passes and not _yahtzees(rules, card)),
    )


def parse_card(rules: Ruleset, text: str) -> Card:
    """The card of a text such as `Y=50 4s=8 YB=1`; an empty text is an empty card.

    A box of a further column is written `2:4K=20`; without a number it is the first column's.
    Raises `CardError` for what cannot be read, or for a card that no match leads to.
    """
    entries: dict[str, int] = {}
    for word in text.split():
        name, points = _parse_entry(rules, word)
        if name in entries:
            raise CardError(f"card {word!r}: {name} is there twice")
        entries[name] = points
    marks = {mark: entries.pop(mark, 0) for mark in (YAHTZEE_BONUSES, MEGA_BONUSES, PASSED)}
    in_order = {slot.name: entries[slot.name] for slot in rules.slots if slot.name in entries}
    card = Card(in_order, marks[YAHTZEE_BONUSES], marks[MEGA_BONUSES], bool(marks[PASSED]))
    check_card(rules, card)
    return card


def check_card(rules: Ruleset, card: Card) -> None:
    """Refuse a card that no match leads to.

    Raises `CardError` for a box that is not on it, points that no dice give in their box, a round begun before the one
    before is full, or bonuses that cannot have been won: each comes with a box filled beside a full Yahtzee box.
    """
    for name, points in card.points.items():
        _check_points(rules, _known(rules, name), points)
    if rules.rounds:
        _check_rounds(rules, card)
    _check_bonuses(rules, card)
    _check_mega(rules, card)
    if card.passed and not rules.first_yahtzee_in_box:
        raise CardError(f"card: {PASSED}=1 needs the setting first_yahtzee_in_box=yes; leave it out")


def _column_totals(rules: Ruleset, card: Card, column: int) -> ColumnTotals:
    upper = card.upper_subtotal(rules, column)
    return ColumnTotals(
        upper=upper,
        upper_bonus=rules.upper_bonus_for(upper),
        middle=middle_points(rules, card.points, column),
        lower=_sum(rules, card.points, column, "lower"),
        weight=rules.weight(column),
    )


def _sum(rules: Ruleset, points: Mapping[str, int], column: int, section: Section) -> int:
    return sum([points.get(name, 0) for name in rules.sections[column, section]])


def _yahtzees(rules: Ruleset, card: Card) -> list[int]:
    """What the filled Yahtzee boxes hold."""
    return [card.points[slot.name] for slot in rules.slots if slot.box.name == YAHTZEE and slot.name in card]


def _parse_entry(rules: Ruleset, word: str) -> tuple[str, int]:
    name, equals, number = word.partition("=")
    if not (name and equals and number.isascii() and number.isdigit() and len(number) < 10):
        raise CardError(f"card {word!r}: write BOX=POINTS, such as 4s=8")
    if name in (YAHTZEE_BONUSES, MEGA_BONUSES, PASSED):
        return name, int(number)
    if rules.columns == 1:
        name = name.removeprefix("1:")
    elif ":" not in name:
        name = f"1:{name}"
    return _known(rules, name).name, int(number)


def _known(rules: Ruleset, name: str) -> Slot:
    if name not in rules.by_name:
        columns = f", each with its column before it, as 1:{rules.boxes[0].name}" if rules.columns > 1 else ""
        raise CardError(f"card: no box {name!r}; the boxes are {' '.join(rules.box)}{columns}")
    return rules.by_name[name]


def _check_points(rules: Ruleset, slot: Slot, points: int) -> None:
    possible = rules.possible_points(slot.box)
    if points not in possible:
        raise CardError(f"card: {slot.name}={points} is not possible; {slot.box.title} gives {_spell(possible)}")


def _check_rounds(rules: Ruleset, card: Card) -> None:
    """Round two cannot begin until all boxes of round one have a score (Casino Yahtzee Rules page, line 25)."""
    begun = max((rules.by_name[name].column for name in card.points), default=1)
    for slot in rules.slots:
        if slot.column < begun and slot.name not in card:
            raise CardError(f"card: round {begun} cannot have begun while {slot.name} is open; fill it first")


def _check_bonuses(rules: Ruleset, card: Card) -> None:
    bonuses = card.yahtzee_bonuses
    if bonuses < 0:
        raise CardError(f"card: {YAHTZEE_BONUSES}={bonuses} is not possible; count the Yahtzee bonuses from 0")
    if bonuses and not rules.bonus_points:
        raise CardError(f"card: {YAHTZEE_BONUSES}={bonuses} is not possible; {rules.name} has no Yahtzee bonus")
    if bonuses and not any(points in rules.full_yahtzee for points in _yahtzees(rules, card)):
        raise CardError(f"card: {YAHTZEE_BONUSES}={bonuses} needs Y=50; a Yahtzee bonus comes after the first Yahtzee")
    others = _boxes_for_bonuses(rules, card)
    if bonuses > others:
        filled = "filled" if rules.bonus_when == "always" else "that scored"
        raise CardError(f"card: {YAHTZEE_BONUSES}={bonuses} needs as many boxes {filled} beside Y; there are {others}")


def _boxes_for_bonuses(rules: Ruleset, card: Card) -> int:
    """In how many filled boxes a further Yahtzee may be: of rounds, only in those with a full Yahtzee box."""
    full = {s.column for s in rules.slots if s.box.name == YAHTZEE and card.points.get(s.name) in rules.full_yahtzee}
    if not rules.rounds and rules.columns > 1 and len(_yahtzees(rules, card)) < rules.columns:
        return 0
    return sum(
        rules.by_name[name].box.name != YAHTZEE
        and (not rules.rounds or rules.by_name[name].column in full)
        and (rules.bonus_when == "always" or points > 0)
        for name, points in card.points.items()
    )


def _check_mega(rules: Ruleset, card: Card) -> None:
    if not card.mega_bonuses:
        return
    if not rules.mega_yahtzee:
        raise CardError(f"card: {MEGA_BONUSES}={card.mega_bonuses} needs the house rule mega_yahtzee")
    if card.mega_bonuses != 1 or not any(points in rules.full_yahtzee for points in _yahtzees(rules, card)):
        raise CardError(
            f"card: {MEGA_BONUSES}={card.mega_bonuses} is not possible; one turn a player may win it, as a Yahtzee"
        )


def _spell(possible: tuple[int, ...]) -> str:
    """`0, 25`: `0 or 25`; long rows without gaps as `5 to 30`."""
    zero = ["0"] if possible[0] == 0 else []
    rest = possible[len(zero) :]
    if len(rest) > 6 and rest == tuple(range(rest[0], rest[-1] + 1)):
        words = [*zero, f"{rest[0]} to {rest[-1]}"]
    else:
        words = zero + [str(points) for points in rest]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
