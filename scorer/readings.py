"""How each text of the rules was read: why every setting has the value it has, and where the text leaves it open.

Keys are names of settings. What a text settles, what follows from it, what can be read in two ways and what it passes
over in silence are kept apart, because only the first is the document's word; the rest is ours, and may be changed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from scorer.texts import BGA, BHO, CASINO, DELUXE, WYI

Says = Literal["text", "follows", "unclear", "silent"]

SAYS_OPEN: tuple[Says, ...] = ("unclear", "silent")
"""Where a document leaves a point open, so that the value is a choice."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One point of a text as it was read: whether it `says` so, the reason, and the document with its lines.

    `text`: it says so; `follows`: plain reading gives it; `unclear`: it can be read in another way too; `silent`: it
    says nothing, so the value is our choice.
    """

    says: Says
    because: str
    source: str


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A house rule: its name at the table, its exact effect, and what holds where the text is silent."""

    title: str
    effect: str
    silent: tuple[str, ...]
    source: str


Readings = Mapping[str, Reading]


def _readings(*tables: Readings) -> Readings:
    merged: dict[str, Reading] = {}
    for table in tables:
        merged.update(table)
    return MappingProxyType(merged)


def _text(because: str, source: str) -> Reading:
    return Reading("text", because, source)


def _follows(because: str, source: str) -> Reading:
    return Reading("follows", because, source)


def _unclear(because: str, source: str) -> Reading:
    return Reading("unclear", because, source)


def _silent(because: str, source: str) -> Reading:
    return Reading("silent", because, source)


HOUSE_RULES: Mapping[str, HouseRule] = MappingProxyType(
    {
        "mulligan": HouseRule(
            "Mulligan",
            "Once a game, in a turn of the player's choice, one or more dice are rolled a fourth time.",
            (
                "A roll of no dice is no roll.",
                "Not in a turn with a Chance-Chance.",
            ),
            f"{WYI}, line 261",
        ),
        "chance_chance": HouseRule(
            "Chance-Chance",
            "Whoever is about to score Chance after the third roll may roll all dice once more; that roll goes in "
            "Chance, whatever it is.",
            (
                "Chance must be open, and the third roll must be allowed there: a joker that is forced elsewhere rules "
                "it out.",
                "Five alike count as their sum in Chance, and earn a Yahtzee bonus that is due "
                "(chance_chance_bonus=no: they do not).",
            ),
            f"{WYI}, line 265",
        ),
        "mega_yahtzee": HouseRule(
            "Mega-Yahtzee",
            "Once a game, in a turn of the player's choice, a sixth die is thrown too; six alike are a Yahtzee with a "
            "bonus of mega_bonus points besides.",
            (
                "In every box the best five of the six dice count.",
                "The bonus is 1000, the most that the text allows (mega_bonus: 0 to 1000).",
            ),
            f"{WYI}, line 275",
        ),
        "fool_house": HouseRule(
            "Fool House",
            "A Full House must be scored when it is rolled, even with the first roll.",
            (
                "Only while the Full House box is open; afterwards it is a roll like any other.",
                "It ends the turn after whichever of the rolls it came with.",
                "All dice alike are no Full House here.",
            ),
            f"{WYI}, line 277",
        ),
        "battle_cry": HouseRule(
            "Battle Cry",
            "A Yahtzee that is not cried out is scored as 0.",
            (
                "People say whether it was cried out; the tray hears nothing.",
                "Only for the Yahtzee box.",
            ),
            f"{WYI}, line 281",
        ),
        "bottoms_up": HouseRule(
            "Bottom's Up",
            "A drink on an event that was declared before the game.",
            ("It changes no score, and the tray never reminds anybody of it.",),
            f"{WYI}, line 273",
        ),
    }
)
"""What each house rule does exactly."""

_DECLARED = _text("House rules are in force only where they were declared before the first roll.", f"{WYI}, line 253")

_HOUSE = dict.fromkeys(("mulligan", "fool_house", "battle_cry", "bottoms_up"), _DECLARED)
_CHANCE = {"chance_chance": _DECLARED}
_SIXTH_DIE = {
    "mega_yahtzee": _DECLARED,
    "mega_bonus": _silent("“Up to 1000”, and the host fixes it: the most it allows.", f"{WYI}, line 275"),
}
_CHANCE_BONUS = {
    "chance_chance_bonus": _silent("Five alike are a further Yahtzee in any box, so also here.", f"{WYI}, line 265")
}
_ALL_HOUSE = _readings(_HOUSE, _CHANCE, _SIXTH_DIE, _CHANCE_BONUS)

_ANY_TIE = "Equal totals are left to people."


def _start_as_bho(document: str) -> Readings:
    """Who starts and which way round, where a document does not say."""
    return {
        "start_dice": _silent(f"One die, as in {BHO}, line 31.", document),
        "clockwise": _silent(f"Clockwise, as in {BHO}, line 31.", document),
    }


BHO_READINGS = _readings(
    {
        "active_when": _follows(
            "The rule begins “if … you scored your first Yahtzee in the Yahtzee box”; after a 0 there nothing is said, "
            "so a Yahtzee scores what it is.",
            f"{BHO}, line 51",
        ),
        "forced_upper": _unclear(
            "“You must score there” stands against “any roll in any category at any time” for a zero: the rule made "
            "for this case wins.",
            f"{BHO}, lines 52 and 57",
        ),
        "after_upper": _text("“Anywhere on the Upper Section (scoring zero)”, or below.", f"{BHO}, line 53"),
        "bonus_when": _text("The 100 comes first, and the roll “must also” go in a box.", f"{BHO}, line 51"),
        "first_yahtzee_in_box": _unclear(
            "Read strictly, a first Yahtzee put in another box would cost every later 100; what the Yahtzee box holds "
            "decides.",
            f"{BHO}, line 51",
        ),
        "five_equal_full_house": _silent(
            "Five alike are not in the list of where a Yahtzee may go, and “3 of a kind and 2 of a kind” leaves it "
            "open.",
            f"{BHO}, lines 47 and 49",
        ),
        "voluntary_zero": _text("A roll is scratched only “if the resulting score is zero”.", f"{BHO}, line 57"),
        "start_dice": _text("Each player rolls one die.", f"{BHO}, line 31"),
        "tie": _silent(_ANY_TIE, BHO),
        "clockwise": _text("Play proceeds clockwise.", f"{BHO}, line 31"),
    },
    _ALL_HOUSE,
)

CASINO_READINGS = _readings(
    {
        "columns": _silent(
            "The players choose 1 to 6 rounds before the game; while they say nothing, one.",
            f"{CASINO}, line 17",
        ),
        "active_when": _text("“Filled (either with a 0 or 50 etc.)”.", f"{CASINO}, line 147"),
        "forced_upper": _text("“You may choose”: nothing is forced.", f"{CASINO}, line 147"),
        "after_upper": _text("“You may choose”: nothing is forced.", f"{CASINO}, line 147"),
        "bonus_when": _text("The roll must “manage to score more than 0”.", f"{CASINO}, line 143"),
        "first_yahtzee_in_box": _text("“Already scored 50 points in your Yahtzee box” decides.", f"{CASINO}, line 143"),
        "five_equal_full_house": _text("“Two of another number”.", f"{CASINO}, line 101"),
        "voluntary_zero": _silent("A zero is written where the roll scores nothing.", f"{CASINO}, line 29"),
        "tie": _silent(_ANY_TIE, CASINO),
        **_start_as_bho(CASINO),
    },
    _ALL_HOUSE,
)

WYI_READINGS = _readings(
    {
        "active_when": _unclear(
            "The joker rules begin “after recording a Yahtzee Bonus”, which a 0 in the box rules out; other rules give "
            "a joker then (see official).",
            f"{WYI}, lines 200 and 204",
        ),
        "forced_upper": _text("“You must score … in the appropriate Upper Section box”.", f"{WYI}, line 204"),
        "after_upper": _text(
            "An open lower box; a zero above only once the lower ones are filled.", f"{WYI}, lines 204 to 213"
        ),
        "bonus_when": _text("“Collect your bonus, and still have to take a zero”.", f"{WYI}, line 213"),
        "first_yahtzee_in_box": _text("“Already recorded 50 in the Yahtzee box” decides.", f"{WYI}, line 200"),
        "five_equal_full_house": _text("“Five-of-a-Kind is a Yahtzee, not a Full House”.", f"{WYI}, line 338"),
        "voluntary_zero": _silent("A zero is written where the roll suits no empty box.", f"{WYI}, line 162"),
        "start_dice": _text("“Roll a die to see who starts.”", f"{WYI}, line 148"),
        "tie": _text(
            "The rules say nothing of ties; the host decides, and three ways are named.", f"{WYI}, lines 330 to 332"
        ),
        "clockwise": _text("“Play continues clockwise.”", f"{WYI}, line 148"),
    },
    _ALL_HOUSE,
)

_HASBRO = "Hasbro's rules, Joker rules"

OFFICIAL_READINGS = _readings(
    WYI_READINGS,
    {
        "active_when": _text("A joker once the Yahtzee box is filled, a zero there included.", _HASBRO),
        "forced_upper": _text("The upper box of its face first.", _HASBRO),
        "after_upper": _text("Then any open lower box; only then a zero in an upper one.", _HASBRO),
        "bonus_when": _text("The 100 goes with a 50 in the Yahtzee box, whatever the roll scores.", _HASBRO),
    },
)

_VERHOEFF = "T. Verhoeff, Optimal Solitaire Yahtzee Strategies"

VERHOEFF_READINGS = _readings(
    WYI_READINGS,
    {
        "active_when": _text("A joker once the Yahtzee box is filled, a zero there included.", _VERHOEFF),
        "forced_upper": _text("Nothing is forced: the joker is free.", _VERHOEFF),
        "after_upper": _text("Nothing is forced: the joker is free.", _VERHOEFF),
        "bonus_when": _text("The 100 goes with a 50 in the Yahtzee box, whatever the roll scores.", _VERHOEFF),
    },
)

_BGA_OPEN = {
    "five_equal_full_house": _silent(
        "Five alike are not three and a pair, as in the texts that say so.", f"{BGA}, lines 19 and 47"
    ),
    "voluntary_zero": _silent(
        "A zero is spoken of only where a category scores nothing.", f"{BGA}, lines 3 and 11"
    ),
    "tie": _silent(_ANY_TIE, BGA),
    **_start_as_bho(BGA),
}  # fmt: skip

BGA_READINGS = _readings(
    {
        "active_when": _silent(
            "After a 0 in the Yahtzee box a later Yahtzee has no bonus and scores what it is, as in World Yahtzee "
            "Institute.",
            f"{BGA}, line 22",
        ),
        "forced_upper": _text("“You must score it in the appropriate upper section”.", f"{BGA}, line 22"),
        "after_upper": _silent(
            "“You can use it as a joker” below; a zero above is not forbidden, so it is allowed.", f"{BGA}, line 22"
        ),
        "bonus_when": _text("“You automatically get 100 bonus points.”", f"{BGA}, line 22"),
        "first_yahtzee_in_box": _unclear(
            "“A 2nd Yahtzee” could also be one after a first in another box; what the Yahtzee box holds decides.",
            f"{BGA}, line 22",
        ),
    },
    _BGA_OPEN,
    _ALL_HOUSE,
)

YAMS_READINGS = _readings(
    {
        "rigole_points": _silent(
            "Only its pattern is given: 50, as for the Large Straight, the other box with a fixed 50.",
            f"{BGA}, line 51",
        ),
        "yams_middle": _unclear(
            "Plus, Minus and Delta each “score”, so all three count; counted alone, Delta gives Minus its sense.",
            f"{BGA}, lines 34 to 40",
        ),
        "plus_over_minus": _silent(
            "A Minus above Plus makes Delta negative by the subtraction; no line forbids it.", f"{BGA}, lines 38 and 40"
        ),
    },
    _BGA_OPEN,
    _HOUSE,
    _SIXTH_DIE,
)

TRIPLE_READINGS = _readings(
    {name: reading for name, reading in WYI_READINGS.items() if name != "first_yahtzee_in_box"},
    {
        "bonus_needs": _silent(
            "“The same as regular Yahtzee”, and three Yahtzee boxes: a 50 in one of them is enough.",
            f"{WYI}, line 86",
        ),
    },
)

DELUXE_READINGS = _readings(
    {
        "voluntary_zero": _text(
            "Who “cannot or does not want to fill” a combination enters an X in any free line.", f"{DELUXE}, line 51"
        ),
        "start_dice": _silent(
            "The highest throw starts, by one die or all six: one, the quickest.", f"{DELUXE}, line 6"
        ),
        "tie": _silent(_ANY_TIE, DELUXE),
        "clockwise": _silent(
            "Either way round is allowed: clockwise, as in the other texts.", f"{DELUXE}, line 6"
        ),
    },
    _HOUSE,
    _CHANCE,
)  # fmt: skip

BHO_REMARKS = (
    _unclear(
        "“A set amount, or zero” for the lower boxes is loose: 3K, 4K and C score the sum of the dice.",
        f"{BHO}, lines 41, 43 and 55",
    ),
    _follows("Of several with the highest throw only they throw again for who starts.", f"{BHO}, line 31"),
)

CASINO_REMARKS = (
    _text(
        "The page opens with Casino Yahtzee, chips on a board, and never says how it goes; what it then explains, and "
        "this is, is the ordinary game.",
        f"{CASINO}, lines 13 and 17",
    ),
    _silent(
        "The Yahtzee box that makes a joker is that of the round being played.",
        f"{CASINO}, line 25",
    ),
    _follows("A turn may end before its third roll.", f"{CASINO}, line 19"),
    _follows("“Total 198” is “Total 1: 98”, and “maximum of 375” leaves out the 100s.", f"{CASINO}, lines 13 and 81"),
)

WYI_REMARKS = (
    _follows(
        "“Always awarded” speaks of players with a 50 in the box: after a 0 there is no bonus.",
        f"{WYI}, lines 200 and 312",
    ),
    _silent("Players who tie for who starts throw again among themselves.", f"{WYI}, line 148"),
    _silent("The best of three rolls that breaks a tie is the highest sum of the dice.", f"{WYI}, line 332"),
)

OFFICIAL_REMARKS = (_text("The joker is that of Hasbro's rules; all else is as in World Yahtzee Institute.", _HASBRO),)

VERHOEFF_REMARKS = (
    _text(
        "The rules by which the best solitaire play is worth 254.5896 points; who plays whom is as in World Yahtzee "
        "Institute.",
        _VERHOEFF,
    ),
)

_FOURTEEN = _follows("“13 categories” and “14 rounds”: 13 boxes in Yahtzee, 14 in Yams.", f"{BGA}, line 3")

BGA_REMARKS = (
    _silent("A third Yahtzee, and any after it, earns 100 as the second does.", f"{BGA}, line 22"),
    _FOURTEEN,
)

YAMS_REMARKS = (_follows("Below 60 there is no upper bonus.", f"{BGA}, line 30"), _FOURTEEN)

TRIPLE_REMARKS = (
    _silent(
        "While any Yahtzee box is open a further Yahtzee is a roll like any other, without a chip.", f"{WYI}, line 86"
    ),
    _text("Chips are worth 100 each, and are added after the columns were multiplied.", f"{WYI}, line 93"),
)

DELUXE_REMARKS = (
    _follows("Every line may be crossed out, so a total of 0 is possible.", f"{DELUXE}, line 51"),
    _text("Six alike are also a Small Yahtzee, a Full House, Two Triplets and Three Pairs.", f"{DELUXE}, line 37"),
)
