"""Rolls on cards, with what the rules answer: the plain examples by which rules are explained and told apart."""

from dataclasses import dataclass
from typing import Literal

from scorer.boxes import YAHTZEE, Box
from scorer.card import Card, check_card
from scorer.dice import FACES, Dice
from scorer.errors import CardError
from scorer.events import LegalBox
from scorer.legal import earned, placements
from scorer.rules import Ruleset, Slot


@dataclass(frozen=True, slots=True)
class Answer:
    """What a roll may do in one box: `legal` there, with `in_all` it adds to the total, or refused for a `reason`.

    `box` is its name on the card. `or_zero`: a 0 may be written there instead.
    """

    box: str
    legal: LegalBox | None
    in_all: int = 0
    reason: str | None = None
    or_zero: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """A roll on a card, as `fairtray score` takes them, and what the rules answer for some boxes of the card."""

    rules: str
    dice: str
    card: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """A card in words, for a roll of mostly one face, so that it can be drawn up by any rules.

    In every column the Yahtzee box is open, full, holds a 0, or is full in the first column alone (`mixed`), the upper
    box of that face is filled (`own_upper`), and all lower boxes are (`lower`). In the first column besides, every
    upper box but that of the face holds `uppers` dice, and one other `box` holds `points`. A first Yahtzee was `passed`
    by.
    """

    yahtzee: Literal["open", "full", "zero", "mixed"] = "open"
    own_upper: bool = False
    lower: bool = False
    uppers: int = 0
    box: str = ""
    points: int = 0
    passed: bool = False

    def card(self, rules: Ruleset, face: int) -> Card | None:
        """The card by these rules, or None where there is none such."""
        last = 1 if rules.rounds else rules.columns
        points = {slot.name: self._points(rules, slot, face) for slot in rules.slots if slot.column <= last}
        filled = {name: worth for name, worth in points.items() if worth is not None}
        card = Card(filled, passed=self.passed and rules.first_yahtzee_in_box)
        try:
            check_card(rules, card)
        except CardError:
            return None
        return card

    def _points(self, rules: Ruleset, slot: Slot, face: int) -> int | None:
        """What the box holds, None = it is open."""
        box = slot.box
        if box.name == YAHTZEE:
            full = box.natural((face,) * rules.dice)
            mixed = full if slot.column == 1 else 0
            return {"open": None, "full": full, "zero": 0, "mixed": mixed}[self.yahtzee]
        if box.name == self.box:
            return self.points if slot.column == 1 else None
        if box.face is not None:
            if box.face == face:
                return 2 * face if self.own_upper else None
            return self.uppers * box.face if self.uppers and slot.column == 1 else None
        return rules.possible_points(box)[0] if self.lower else None


def answers(rules: Ruleset, card: Card, dice: Dice) -> tuple[Answer, ...]:
    """What the rules say of every box of the card."""
    legal, refused = placements(rules, card, dice)
    allowed = [Answer(x.box, x, earned(rules, card, x), None, rules.voluntary_zero and x.points > 0) for x in legal]
    closed = [Answer(refusal.box, None, 0, refusal.reason) for refusal in refused]
    order = {slot.name: place for place, slot in enumerate(rules.slots)}
    return tuple(sorted(allowed + closed, key=lambda answer: order[answer.box]))


def main_face(dice: Dice) -> int:
    """The face that shows most often, of several the lowest."""
    return max(FACES, key=lambda face: (dice.count(face), -face))


def example_roll(rules: Ruleset, box: Box) -> Dice:
    """A roll that scores in the box and says what it is for: it fits few other boxes.

    Upper boxes get three dice of their face; the others a roll that is not the dullest one of its kind.
    """
    place = rules.boxes.index(box)
    if box.face is not None:
        fitting = [dice for dice in rules.worth if dice.count(box.face) == 3 and len(set(dice)) == rules.dice - 2]
    else:
        fitting = [dice for dice, worth in rules.worth.items() if worth[place]]
    lower = [i for i, other in enumerate(rules.boxes) if other.face is None]
    fewest = min(_fits(rules, dice, lower) for dice in fitting)
    plain = [dice for dice in fitting if _fits(rules, dice, lower) == fewest]
    return plain[len(plain) // 2]


FURTHER = (
    Outline(),
    Outline(yahtzee="full"),
    Outline(yahtzee="full", own_upper=True),
    Outline(yahtzee="full", own_upper=True, lower=True),
    Outline(yahtzee="zero"),
    Outline(yahtzee="zero", own_upper=True),
    Outline(yahtzee="zero", own_upper=True, lower=True),
)
"""The cards on which all dice alike may be treated differently, plainest first."""


def _fits(rules: Ruleset, dice: Dice, places: list[int]) -> int:
    """In how many of these boxes the roll scores."""
    return sum(rules.worth[dice][place] > 0 for place in places)
