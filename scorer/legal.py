"""Which boxes a roll may go in, what it earns there, and why it may not go in the others."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.boxes import CHANCE, FULL_HOUSE, YAHTZEE
from scorer.card import Card, middle_points
from scorer.dice import Dice, as_roll
from scorer.events import LegalBox
from scorer.rules import Ruleset, Slot

REASONS = {
    "filled": "the box has been scored already",
    "joker_upper_forced": "this further Yahtzee goes in the upper box of its face",
    "joker_lower_first": "this further Yahtzee goes in a lower box while one is open",
    "round_not_open": "the box belongs to a round that has not begun",
    "house_rule": "a house rule says where this roll goes",
}
"""Every reason why a box may be refused to a roll."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A box that the roll may not go in, with one of `REASONS`."""

    box: str
    reason: str


Placements = tuple[tuple[LegalBox, ...], tuple[Refused, ...]]


def placements(rules: Ruleset, card: Card, dice: Sequence[int], chance_only: bool = False) -> Placements:
    """Every box of the card, in its order: legal with what it earns, or refused with the reason.

    Any roll may go in any open box, for a zero where it has nothing to give; a further Yahtzee follows the parameters
    of the ruleset. In a Mega-Yahtzee turn six dice count in each box as the best five of them. `chance_only`: the
    roll of a Chance-Chance, which goes in Chance.
    Raises `DiceError` when these are not the dice of one roll.
    """
    roll = as_roll(dice, rules.dice_allowed)
    case = _case(rules, card, roll, chance_only)
    legal: list[LegalBox] = []
    refused: list[Refused] = []
    for slot in rules.slots:
        reason = _objection(rules, card, case, slot)
        if reason is None:
            legal.append(_placement(rules, card, case, slot))
        else:
            refused.append(Refused(slot.name, reason))
    return tuple(legal), tuple(refused)


def is_plain(rules: Ruleset, roll: Dice) -> bool:
    """Whether the roll, its values ascending, goes in any open box for its natural points, whatever the card holds."""
    return len(roll) == rules.dice and roll[0] != roll[-1] and not (rules.fool_house and roll in rules.full_houses)


def best_first(rules: Ruleset, card: Card, legal: Sequence[LegalBox]) -> tuple[LegalBox, ...]:
    """The legal boxes by what they earn in all, most first; equal ones keep the order of the card."""
    return tuple(sorted(legal, key=lambda placement: -earned(rules, card, placement)))


def earned(rules: Ruleset, card: Card, placement: LegalBox) -> int:
    """All that a placement adds to the player's total: columns may count several times, Plus and Minus together."""
    slot = rules.by_name[placement.box]
    points = placement.points
    if slot.box.section == "middle":
        after = {**card.points, slot.name: points}
        points = middle_points(rules, after, slot.column) - middle_points(rules, card.points, slot.column)
    in_column = rules.weight(slot.column) * (points + placement.upper_bonus)
    return in_column + placement.yahtzee_bonus + placement.house_bonus


@dataclass(frozen=True, slots=True)
class _Case:
    """What decides about a roll on a card: the rolls it may count as, the column in play (None = all are), the face of
    a further Yahtzee (0 = it is none), whether that is a joker, whether it earns the bonus, the forced box's name, and
    each column's upper total.
    """

    counts_as: tuple[Dice, ...]
    column: int | None
    further: int = 0
    joker: bool = False
    lower_open: bool = False
    bonus: bool = False
    only: str | None = None
    mega: bool = False
    subtotals: tuple[int, ...] = ()


def _case(rules: Ruleset, card: Card, roll: Dice, chance_only: bool) -> _Case:
    counts_as = rules.as_rolled(roll)
    column = _round_in_play(rules, card) if rules.rounds else None
    subtotals = tuple(card.upper_subtotal(rules, number) for number in range(1, rules.columns + 1))
    slots = [slot for slot in rules.slots if column is None or slot.column == column]
    open_slots = [slot for slot in slots if slot.name not in card.points]
    face = next((dice[0] for dice in counts_as if dice[0] == dice[-1]), 0)
    mega = len(roll) > rules.dice and roll[0] == roll[-1]
    if face == 0 and not (rules.fool_house or chance_only):
        return _Case(counts_as, column, subtotals=subtotals)
    only = _only_box(rules, counts_as, open_slots, chance_only)
    held = _bonus_is_due(rules, card, slots) and face > 0
    bonus = held and (rules.chance_chance_bonus or not chance_only)
    if not (face and _is_active(rules, card, slots)) or chance_only:
        return _Case(counts_as, column, bonus=bonus, only=only, mega=mega, subtotals=subtotals)
    upper_open = any(slot.box.face == face for slot in open_slots)
    lower_open = any(slot.box.section == "lower" for slot in open_slots)
    return _Case(counts_as, column, face, not upper_open, lower_open, bonus, only, mega, subtotals)


def _round_in_play(rules: Ruleset, card: Card) -> int:
    """The first column that has an open box, else the last."""
    return next((slot.column for slot in rules.slots if slot.name not in card.points), rules.columns)


def _yahtzees_held(rules: Ruleset, card: Card, slots: Sequence[Slot]) -> list[bool] | None:
    """Whether each Yahtzee box in play holds a Yahtzee's points; None while one is open."""
    held = [card.points.get(slot.name) for slot in slots if slot.box.name == YAHTZEE]
    return None if None in held else [points in rules.full_yahtzee for points in held]


def _is_active(rules: Ruleset, card: Card, slots: Sequence[Slot]) -> bool:
    """Whether five of a kind is now a further Yahtzee."""
    held = _yahtzees_held(rules, card, slots)
    if held is None or rules.active_when == "never" or (rules.first_yahtzee_in_box and card.passed):
        return False
    return rules.active_when == "box_filled" or _enough(rules, held)


def _bonus_is_due(rules: Ruleset, card: Card, slots: Sequence[Slot]) -> bool:
    """Whether the card is one on which five of a kind earns the Yahtzee bonus."""
    held = _yahtzees_held(rules, card, slots)
    passed = rules.first_yahtzee_in_box and card.passed
    return rules.bonus_points > 0 and held is not None and _enough(rules, held) and not passed


def _enough(rules: Ruleset, held: Sequence[bool]) -> bool:
    return all(held) if rules.bonus_needs == "every" else any(held)


def _only_box(rules: Ruleset, counts_as: Sequence[Dice], open_slots: Sequence[Slot], chance_only: bool) -> str | None:
    """The plain name of the one kind of box that a house rule leaves."""
    if chance_only:
        return CHANCE
    a_full_house = rules.fool_house and any(dice in rules.full_houses for dice in counts_as)
    return FULL_HOUSE if a_full_house and any(slot.box.name == FULL_HOUSE for slot in open_slots) else None


def _objection(rules: Ruleset, card: Card, case: _Case, slot: Slot) -> str | None:
    """Why the roll may not go in the box, or None where it may."""
    if slot.name in card.points:
        return "filled"
    if case.column is not None and slot.column != case.column:
        return "round_not_open"
    if case.only is not None:
        return None if slot.box.name == case.only else "house_rule"
    if not case.further:
        return None
    if not case.joker:
        return "joker_upper_forced" if rules.forced_upper and slot.box.face != case.further else None
    if rules.after_upper == "lower_first" and slot.box.section == "upper" and case.lower_open:
        return "joker_lower_first"
    return None


def _placement(rules: Ruleset, card: Card, case: _Case, slot: Slot) -> LegalBox:
    """What the roll earns in a box it may go in."""
    points = _points(rules, case, slot)
    bonus = rules.bonus_points if case.bonus and (rules.bonus_when == "always" or points > 0) else 0
    upper_bonus = 0
    if slot.box.section == "upper":
        before = case.subtotals[slot.column - 1]
        upper_bonus = rules.upper_bonus_for(before + points) - rules.upper_bonus_for(before)
    a_yahtzee = bonus > 0 or (slot.box.name == YAHTZEE and points > 0)
    return LegalBox(slot.name, points, bonus, upper_bonus, rules.mega_bonus if case.mega and a_yahtzee else 0)


def _points(rules: Ruleset, case: _Case, slot: Slot) -> int:
    """The most that the roll gives in the box, of the rolls it may count as."""
    natural = max([rules.worth[dice][slot.place] for dice in case.counts_as])
    if not case.joker:
        return natural
    return max(natural, slot.box.joker((case.further,) * rules.dice))
