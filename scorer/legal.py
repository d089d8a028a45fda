"""Which boxes a roll may go in, what it earns there, and why it may not go in the others."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.boxes import BOXES, BY_NAME, LOWER, UPPER, YAHTZEE, Box
from scorer.card import Card
from scorer.dice import Dice
from scorer.errors import DiceError
from scorer.events import LegalBox
from scorer.rules import Ruleset


@dataclass(frozen=True, slots=True)
class Refused:
    """A box that the roll may not go in: `filled`, `joker_upper_forced` or `joker_lower_first`."""

    box: str
    reason: str


Placements = tuple[tuple[LegalBox, ...], tuple[Refused, ...]]


def placements(rules: Ruleset, card: Card, dice: Sequence[int]) -> Placements:
    """Every box of the card, in its order: legal with what it earns, or refused with the reason.

    Any roll may go in any open box, for a zero where it has nothing to give (BHO competition rules, Scratch or Dump
    Scores); a further Yahtzee follows the five parameters of the ruleset.
    Raises `DiceError` when these are not the dice of one roll.
    """
    roll = _checked(rules, dice)
    joker = _is_joker(rules, card, roll)
    legal: list[LegalBox] = []
    refused: list[Refused] = []
    for box in BOXES:
        reason = _objection(rules, card, roll, box)
        if reason is not None:
            refused.append(Refused(box.name, reason))
            continue
        points = box.joker(roll) if joker else box.natural(roll)
        bonus = _yahtzee_bonus(rules, card, roll, points)
        legal.append(LegalBox(box.name, points, bonus, _upper_bonus(rules, card, box, points)))
    return tuple(legal), tuple(refused)


def best_first(legal: Sequence[LegalBox]) -> tuple[LegalBox, ...]:
    """The legal boxes by what they earn in all, most first; equal ones keep the order of the card."""
    return tuple(sorted(legal, key=lambda placement: -earned(placement)))


def earned(placement: LegalBox) -> int:
    """All that a placement adds to the player's total."""
    return placement.points + placement.yahtzee_bonus + placement.upper_bonus


def _checked(rules: Ruleset, dice: Sequence[int]) -> Dice:
    if len(dice) != rules.dice or not all(1 <= value <= 6 for value in dice):
        raise DiceError(f"dice {list(dice)}: a roll is {rules.dice} values from 1 to 6")
    return tuple(sorted(dice))


def _is_further_yahtzee(rules: Ruleset, card: Card, roll: Dice) -> bool:
    """Five of a kind that the ruleset treats specially, because of what the Yahtzee box holds."""
    if roll[0] != roll[-1] or YAHTZEE.name not in card:
        return False
    return rules.active_when == "box_filled" or card.points[YAHTZEE.name] == YAHTZEE.fixed


def _is_joker(rules: Ruleset, card: Card, roll: Dice) -> bool:
    """A further Yahtzee whose upper box is filled."""
    return _is_further_yahtzee(rules, card, roll) and _upper_box(roll).name in card


def _upper_box(roll: Dice) -> Box:
    """The upper box of five of a kind."""
    return BY_NAME[f"{roll[0]}s"]


def _objection(rules: Ruleset, card: Card, roll: Dice, box: Box) -> str | None:
    """Why the roll may not go in the box, or None where it may."""
    if box.name in card:
        return "filled"
    if not _is_further_yahtzee(rules, card, roll):
        return None
    if not _is_joker(rules, card, roll):
        return "joker_upper_forced" if rules.forced_upper and box is not _upper_box(roll) else None
    lower_open = any(lower.name not in card for lower in LOWER)
    if rules.after_upper == "lower_first" and box in UPPER and lower_open:
        return "joker_lower_first"
    return None


def _yahtzee_bonus(rules: Ruleset, card: Card, roll: Dice, points: int) -> int:
    """The bonus for five of a kind beside a Yahtzee box that holds 50."""
    if roll[0] != roll[-1] or card.points.get(YAHTZEE.name) != YAHTZEE.fixed:
        return 0
    return rules.bonus_points if rules.bonus_when == "always" or points > 0 else 0


def _upper_bonus(rules: Ruleset, card: Card, box: Box, points: int) -> int:
    """The upper bonus, with the placement that first brings the upper boxes to 63."""
    before = card.upper_subtotal
    after = before + (points if box in UPPER else 0)
    return rules.upper_bonus if before < rules.upper_bonus_from <= after else 0
