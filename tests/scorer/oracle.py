"""A second, plain reading of the rules of scoring, written from their text alone, to hold the product against.

It shares neither code nor design with the product: each rule system is one small function that says what the text says.
Boxes are `4K`, or `2:4K` where the card has several columns. A card maps the filled boxes to the points written, and
`YB` to the number of Yahtzee bonuses.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Dice = Sequence[int]
Card = Mapping[str, int]
Settings = Mapping[str, Any]
Place = tuple[int, int] | str  # the points and the Yahtzee bonus of a box, or why it is refused
Choice = dict[str, Place]

UPPER = ["1s", "2s", "3s", "4s", "5s", "6s"]
YAHTZEE = [*UPPER, "3K", "4K", "FH", "SS", "LS", "Y", "C"]
YAMS = [*UPPER, "P", "M", "4K", "FH", "SS", "LS", "Y", "R"]
DELUXE = [*UPPER, "3P", "2T", "FH", "ST", "Y", "SS", "SY", "C"]
JOKER = {"FH": 25, "SS": 30, "LS": 40}


def answer(rules: str, dice: str, card: Card, settings: Settings) -> dict[str, dict[str, Any]]:
    """The legal boxes with (points, Yahtzee bonus, upper bonus), and the refused ones with the reason."""
    faces = [int(face) for face in dice]
    slots = boxes(rules, settings)
    refused = {slot: "filled" for slot in slots if slot in card}
    opened = [slot for slot in slots if slot not in card]
    if rules == "casino":
        # "Round two cannot begin until all of these boxes have a score in them!" (Casino Yahtzee Rules, line 25)
        later = [slot for slot in opened if column(slot) != column(opened[0])]
        refused |= dict.fromkeys(later, "round_not_open")
        opened = [slot for slot in opened if slot not in later]
    choice = yams(faces, opened, settings) if rules == "yams" else SYSTEMS[rules](faces, opened, card)
    if settings.get("fool_house") and full_house(faces):
        choice = fool_house(choice)
    legal = {}
    for slot, place in choice.items():
        if isinstance(place, str):
            refused[slot] = place
        else:
            legal[slot] = (*place, growth(rules, card, slot, place[0]))
    return {"legal": legal, "refused": refused}


def total(rules: str, card: Card, settings: Settings) -> int:
    """The player's total with every bonus earned so far."""
    result = 100 * card.get("YB", 0)
    for number, name in enumerate(columns(rules, settings), 1):
        written = {kind(slot): points for slot, points in card.items() if slot != "YB" and column(slot) == name}
        points = sum(written.values()) + upper_bonus(rules, sum(written.get(box, 0) for box in UPPER))
        if {"P", "M"} <= written.keys():
            points += written["P"] - written["M"]
        if settings.get("yams_middle") == "delta":
            points -= written.get("P", 0) + written.get("M", 0)
        # "Double the COMBINED TOTAL of Column 2, triple ... Column 3" (WYI rules, line 91)
        result += points * number if rules == "triple" else points
    return result


def columns(rules: str, settings: Settings) -> list[str]:
    """What stands before the colon in the names of the boxes, for each column."""
    count = 3 if rules == "triple" else settings.get("columns", 1)
    return [str(number) for number in range(1, count + 1)] if count > 1 else [""]


def boxes(rules: str, settings: Settings) -> list[str]:
    """Every box of the card."""
    kinds = {"yams": YAMS, "deluxe": DELUXE}.get(rules, YAHTZEE)
    return [f"{name}:{box}".lstrip(":") for name in columns(rules, settings) for box in kinds]


def column(slot: str) -> str:
    return slot.rpartition(":")[0]


def kind(slot: str) -> str:
    return slot.rpartition(":")[2]


def beside(slot: str, box: str) -> str:
    """The box of that kind in the slot's own column."""
    return f"{column(slot)}:{box}".lstrip(":")


def growth(rules: str, card: Card, slot: str, points: int) -> int:
    """What the upper bonus of the slot's column grows by when the points are written there."""
    if kind(slot) not in UPPER:
        return 0
    before = sum(card.get(beside(slot, box), 0) for box in UPPER)
    return upper_bonus(rules, before + points) - upper_bonus(rules, before)


def upper_bonus(rules: str, upper: int) -> int:
    if rules == "yams":  # BoardGameArena, line 30
        return 30 + upper - 60 if upper >= 60 else 0
    if rules == "deluxe":  # Yahtzee Deluxe, line 56
        return 50 if upper >= 84 else 0
    return 35 if upper >= 63 else 0


# The points of the boxes.


def counts(dice: Dice) -> list[int]:
    """How often each face shows, most frequent first: [3, 2] is a full house."""
    return sorted(Counter(dice).values(), reverse=True)


def full_house(dice: Dice) -> bool:
    """Three and two, or four and two of six dice: two different faces."""
    return counts(dice) in ([3, 2], [4, 2])


def in_a_row(dice: Dice, length: int) -> bool:
    return any(set(range(low, low + length)) <= set(dice) for low in range(1, 8 - length))


def upper_points(box: str, dice: Dice) -> int:
    return sum(face for face in dice if face == int(box[0]))


def yahtzee_points(slot: str, dice: Dice) -> int:
    """Points without a joker (BHO rules, lines 37-55; WYI rules, lines 170-194)."""
    match kind(slot):
        case "3K":
            return sum(dice) if counts(dice)[0] >= 3 else 0
        case "4K":
            return sum(dice) if counts(dice)[0] >= 4 else 0
        case "FH":
            return 25 if full_house(dice) else 0
        case "SS":
            return 30 if in_a_row(dice, 4) else 0
        case "LS":
            return 40 if in_a_row(dice, 5) else 0
        case "Y":
            return 50 if five_equal(dice) else 0
        case "C":
            return sum(dice)
        case box:
            return upper_points(box, dice)


def yams_points(box: str, dice: Dice, rigole: int) -> int:
    """BoardGameArena, lines 28-51."""
    match box:
        case "P" | "M":
            return sum(dice)
        case "4K":
            return 40 + sum(dice) if counts(dice)[0] >= 4 else 0
        case "FH":
            return 30 + sum(dice) if full_house(dice) else 0
        case "SS":
            return 45 if in_a_row(dice, 4) else 0
        case "LS":
            return 50 if in_a_row(dice, 5) else 0
        case "Y":
            return 50 + sum(dice) if five_equal(dice) else 0
        case "R":
            return rigole if counts(dice) == [4, 1] and sum(set(dice)) == 7 else 0
        case _:
            return upper_points(box, dice)


def deluxe_points(box: str, dice: Dice) -> int:
    """Yahtzee Deluxe, lines 11-49: six equal also count as three pairs, two triplets and a full house (line 37)."""
    six_equal = counts(dice) == [6]
    match box:
        case "3P":
            return 20 if counts(dice) in ([2, 2, 2], [4, 2], [6]) else 0
        case "2T":
            return 30 if counts(dice) == [3, 3] or six_equal else 0
        case "FH":
            return 40 if full_house(dice) or six_equal else 0
        case "ST":
            return 50 if in_a_row(dice, 6) else 0
        case "Y":
            return 60 if six_equal else 0
        case "SS":
            return sum(dice) if in_a_row(dice, 5) else 0
        case "SY":
            return sum(dice) if counts(dice)[0] >= 5 else 0
        case "C":
            return sum(dice)
        case _:
            return upper_points(box, dice)


# What five equal dice may do once the Yahtzee box is filled, system by system.


def five_equal(dice: Dice) -> bool:
    return counts(dice) == [5]


def own_upper(dice: Dice) -> str:
    """The upper box of five equal dice."""
    return f"{dice[0]}s"


def free(dice: Dice, opened: Sequence[str], bonus: int = 0) -> Choice:
    """Any open box, for what the dice are worth there."""
    return {slot: (yahtzee_points(slot, dice), bonus) for slot in opened}


def joker(dice: Dice, opened: Sequence[str], bonus: int) -> Choice:
    """Any open box, where Full House and the straights give their points."""
    return {slot: (JOKER.get(kind(slot), yahtzee_points(slot, dice)), bonus) for slot in opened}


def only(slots: Sequence[str], choice: Choice, reason: str) -> Choice:
    """The choice with every other box refused."""
    return {slot: place if slot in slots else reason for slot, place in choice.items()}


def fool_house(choice: Choice) -> Choice:
    """WYI rules, line 277: a full house that is rolled must be scored as one, while such a box is open."""
    must = [slot for slot in choice if kind(slot) == "FH"]
    return only(must, choice, "house_rule") if must else choice


def bho(dice: Dice, opened: Sequence[str], card: Card) -> Choice:
    """BHO rules, lines 51-53: only with the first in the Yahtzee box; the upper box first, then anywhere."""
    if not five_equal(dice) or card.get("Y") != 50:
        return free(dice, opened)
    if own_upper(dice) in opened:
        return only([own_upper(dice)], free(dice, opened, 100), "joker_upper_forced")
    return joker(dice, opened, 100)


def bga(dice: Dice, opened: Sequence[str], card: Card) -> Choice:
    """BoardGameArena, line 22: the upper box "if it is available. Otherwise" a joker; the rest is silent, as BHO."""
    return bho(dice, opened, card)


def casino(dice: Dice, opened: Sequence[str], card: Card) -> Choice:
    """Casino Yahtzee Rules, lines 143-147: nothing is forced; 100 where more than 0 is scored; a joker after a 0 too.

    The boxes of other rounds are not available (line 25), so the Yahtzee box is that of the column being played.
    """
    choice: Choice = {}
    for slot in opened:
        points, bonus = yahtzee_points(slot, dice), 0
        yahtzee = card.get(beside(slot, "Y"))
        if five_equal(dice) and yahtzee is not None:
            if beside(slot, own_upper(dice)) in card:
                points = JOKER.get(kind(slot), points)
            if yahtzee == 50 and points > 0:
                bonus = 100
        choice[slot] = (points, bonus)
    return choice


def upper_then_lower(dice: Dice, opened: Sequence[str], bonus: int) -> Choice:
    """WYI rules, lines 204-213: the upper box, else any lower box as a joker, else a zero in any upper box."""
    own = [slot for slot in opened if kind(slot) == own_upper(dice)]
    if own:
        return only(own, free(dice, opened, bonus), "joker_upper_forced")
    lower = [slot for slot in opened if kind(slot) not in UPPER]
    return only(lower or opened, joker(dice, opened, bonus), "joker_lower_first")


def wyi(dice: Dice, opened: Sequence[str], card: Card) -> Choice:
    """WYI rules, line 200: the bonus and what follows it need a 50 in the Yahtzee box."""
    if five_equal(dice) and card.get("Y") == 50:
        return upper_then_lower(dice, opened, 100)
    return free(dice, opened)


def official(dice: Dice, opened: Sequence[str], card: Card) -> Choice:
    """The official booklets: as WYI, and the same without the bonus when the Yahtzee box holds a 0."""
    if five_equal(dice) and "Y" in card:
        return upper_then_lower(dice, opened, 100 if card["Y"] == 50 else 0)
    return free(dice, opened)


def verhoeff(dice: Dice, opened: Sequence[str], card: Card) -> Choice:
    """Verhoeff's solitaire: nothing forced, a joker once both boxes are filled, 100 if the Yahtzee box holds 50."""
    if not five_equal(dice) or "Y" not in card:
        return free(dice, opened)
    bonus = 100 if card["Y"] == 50 else 0
    return joker(dice, opened, bonus) if own_upper(dice) in card else free(dice, opened, bonus)


def triple(dice: Dice, opened: Sequence[str], card: Card) -> Choice:
    """As WYI over all three columns at once (WYI rules, line 86), once no Yahtzee box is open and one holds 50."""
    yahtzees = [card.get(f"{number}:Y") for number in (1, 2, 3)]
    if five_equal(dice) and None not in yahtzees and 50 in yahtzees:
        return upper_then_lower(dice, opened, 100)
    return free(dice, opened)


def yams(dice: Dice, opened: Sequence[str], settings: Settings) -> Choice:
    """BoardGameArena, lines 26-51: no joker and no 100; the points of a rigole are the house's choice."""
    return {box: (yams_points(box, dice, settings.get("rigole_points", 50)), 0) for box in opened}


def deluxe(dice: Dice, opened: Sequence[str], card: Card) -> Choice:
    """Yahtzee Deluxe, line 51: no combination twice, nothing forced."""
    return {box: (deluxe_points(box, dice), 0) for box in opened}


SYSTEMS: Mapping[str, Callable[[Dice, Sequence[str], Card], Choice]] = {
    "bho": bho,
    "casino": casino,
    "wyi": wyi,
    "official": official,
    "verhoeff": verhoeff,
    "bga": bga,
    "triple": triple,
    "deluxe": deluxe,
}
