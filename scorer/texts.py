"""The rules that rulings cite, in our own words, each with its document and line.

Keys are the reasons and subjects of rulings. `COMMON` holds what the tray needs in any game: where the rules of a game
say nothing about a throw, the etiquette of the BHO competition rules or the tray's own rule applies, and says so.
The other tables are what each document says of its own game; a ruleset's texts are `COMMON` and its document's.
"""

from collections.abc import Mapping
from types import MappingProxyType

BHO = "BHO competition rules, rev. B"
CASINO = "Casino Yahtzee Rules page"
WYI = "World Yahtzee Institute"
BGA = "BoardGameArena, Yahtzee and Yams"
DELUXE = "Yahtzee Deluxe rules"
_TRAY = "Fairtray tray rules"


def _texts(*tables: Mapping[str, str]) -> Mapping[str, str]:
    merged: dict[str, str] = {}
    for table in tables:
        merged.update(table)
    return MappingProxyType(merged)


_THROWS = {
    "all_dice_together": f"All dice are rolled at the same time ({BHO}, line 119).",
    "staggered": f"The dice of a throw are rolled at the same time ({BHO}, line 119).",
    "weak_throw": f"Dice are rolled adequately, not dropped or slid ({BHO}, line 120).",
    "off_tray": f"A die that leaves the playing surface is rolled again, alone ({BHO}, line 122).",
    "cocked": f"A die that leans shows no value: it alone is rolled again ({_TRAY}, The throw).",
    "stacked": f"A die lying on another shows no value: it alone is rolled again ({_TRAY}, The throw).",
    "more_than_ordered": f"When a die is to be rolled again the others stay where they lie ({_TRAY}, The throw).",
    "foreign_die": f"The game is played with the dice agreed before the match ({BHO}, lines 23 and 26).",
    "interference": f"Nobody but the player with the dice touches them while they are in play ({BHO}, line 123), and "
    f"he throws them together ({_TRAY}, The throw).",
    "view_lost": f"A throw that could not be seen counts only if people decide so ({_TRAY}, The view).",
    "thrown_or_kept_back": f"A die that was not seen to leave is accounted for before the roll counts ({_TRAY}, "
    "Kept dice).",
    "before_undo": f"A throw that began before play was put back is none of what goes on then ({_TRAY}, The throw).",
    "before_turn": f"A throw that began before a turn did is none of that turn ({_TRAY}, The throw).",
    "unanswered": f"Play went on over an open question: an unread throw has used its number, after a held one people "
    f"decide ({_TRAY}, Questions).",
}

_KEPT = {
    "turned_by_hand": f"A kept die keeps its face until it is thrown ({_TRAY}, Kept dice).",
    "kept_die_turned": f"A kept die that was turned is recorded for people to judge ({_TRAY}, Incidents).",
    "knocked": f"A kept die that a throw turned is set back to the value it had ({_TRAY}, Kept dice).",
    "knocked_out": f"A kept die that a throw knocked out is put back with the value it had ({_TRAY}, Kept dice).",
    "put_back_changed": f"Dice lifted and not thrown are put back with the values they had ({_TRAY}, Kept dice).",
    "kept_back": f"A die that was kept back in the hand returns with the value it had ({_TRAY}, Kept dice).",
    "reading": f"A value that is not sure is decided by both players ({_TRAY}, Questions).",
    "kept": f"A kept die that was lost from sight has the value both players agree on ({_TRAY}, Kept dice).",
}

_CHOICES = {
    "proposed": f"The roller names the box and the player to the left checks it ({BHO}, line 141).",
    "corrected": f"The score entered is what the dice are worth, agreed by both players ({BHO}, line 142).",
    "nothing_asked": f"An answer is to a question that is open ({_TRAY}, Questions).",
    "no_roll": f"A box is chosen after a roll of this turn has counted ({_TRAY}, The turn).",
    "roll_open": f"A box is chosen once the roll on the table has been decided ({_TRAY}, Questions).",
    "not_your_turn": f"Only the player whose turn it is may choose a box ({_TRAY}, The turn).",
    "unknown_box": f"A roll goes in one of the boxes of the card ({_TRAY}, The turn).",
    "house_rule": f"A Full House that is rolled must be scored, and a Chance-Chance scores as Chance ({WYI}, lines 277 "
    "and 265).",
}

_AGREEMENT = {
    "not_announced": f"The player with the dice announces the score that the other marks (agreed; {BHO}, line 141).",
    "no_voluntary_zero": f"A zero is written only where the roll scores nothing ({BHO}, line 57; only {DELUXE}, "
    "line 51, allow it elsewhere).",
    "nothing_proposed": f"The marker checks a box that the roller has named ({BHO}, line 141).",
    "box_proposed": f"The dice stay until the player to the left has checked the box ({BHO}, line 141).",
    "not_the_marker": f"The player to the left of the roller checks the score ({BHO}, line 141).",
    "withdrawn": f"A score counts once both players agreed on it; play went on before that ({BHO}, line 142).",
    "undone": f"Two people may take an entry back; it stays in the record, and the new one names it ({_TRAY}, Undo).",
    "called_late": f"What is called while dice are in the air is no call for them ({_TRAY}, The throw).",
    "undo_needs_two": f"A score that was confirmed is changed only by two people together ({BHO}, line 142).",
    "unknown_entry": f"Only a roll, a box or a called house rule that still stands is taken back ({_TRAY}, Undo).",
}

_PEOPLE = {
    "dispute": f"Play waits until people have decided what is in dispute ({BHO}, lines 132 and 142).",
    "referee": f"The referee decides, says why, and may take back what was ruled ({BHO}, line 140; {_TRAY}, Disputes).",
    "no_reason": f"A decision of the referee has a reason that all can read ({_TRAY}, Disputes).",
    "no_such_entry": f"A decision names an entry of the record that it is about ({_TRAY}, Disputes).",
    "nothing_to_confirm": f"Only a throw whose dice all lie in view is let count; of any other the value is said, or "
    f"it is thrown again ({_TRAY}, Disputes).",
    "no_dispute": f"The referee decides on a dispute or on an open question; call the referee first ({_TRAY}, "
    "Disputes).",
    "unknown_player": f"A warning or a disqualification is about a player of this match ({BHO}, line 131).",
    "bad_reading": f"A reading names a die that lies there, and a value from 1 to 6 ({_TRAY}, Disputes).",
    "paused": f"While a player is away from the table the others wait ({BHO}, line 127).",
    "slow_play": f"Players have adequate time for a turn and do not draw it out; a limit was agreed ({BHO}, line 125).",
    "not_paused": f"Nobody is away: play goes on ({BHO}, line 127).",
}

_THROW_OFFS = {
    "throw_off": f"In a throw-off each throws the dice that were agreed on, and the highest sum decides ({_TRAY}, "
    "Throw-offs).",
    "start_open": f"The dice for who starts are agreed on before they are thrown ({_TRAY}, Throw-offs).",
    "tie": f"Equal totals are decided by a throw-off, as was agreed before the match ({WYI}, lines 330 to 332).",
    "tie_open": f"No rule breaks this tie: people decide, or it stands (as {WYI}, line 330, says of official rules).",
}

_HOUSE = {
    "house_rules_locked": f"House rules are declared to all players before the game's first roll ({WYI}, line 253).",
    "setting_refused": f"These rules have no such setting, or it cannot have that value ({_TRAY}, Settings).",
    "many_house_rules": f"At most two house rules at a time are recommended ({WYI}, line 255).",
    "not_declared": f"A house rule holds where it was declared before the first roll ({WYI}, line 253).",
    "mulligan": f"Once a game, in a turn of the player's choice, one or more dice are rolled a fourth time ({WYI}, "
    "line 261).",
    "chance_chance": f"Instead of scoring Chance all dice are rolled once more, and score as Chance ({WYI}, line 265).",
    "mega_yahtzee": f"For one turn of the player's choice a sixth die is added ({WYI}, line 275).",
    "house_rule_used": f"This house rule is for one turn of a player's game ({WYI}, lines 261 and 275).",
    "before_first_throw": f"A sixth die is added before the turn's first throw ({WYI}, line 275).",
    "after_last_roll": f"A fourth roll is called for after the third ({WYI}, lines 261 and 265).",
    "one_fourth_roll": f"A turn has one fourth roll, by Mulligan or by Chance-Chance ({WYI}, lines 261 and 265).",
    "chance_not_open": f"Chance-Chance is for a roll that may be scored in Chance ({WYI}, line 265).",
    "battle_cry": f"Whoever rolls a Yahtzee shouts it out; people say whether that was so ({WYI}, line 281).",
    "cry_asked": f"Play goes on once people have said whether the Yahtzee was cried out ({WYI}, line 281).",
    "no_cry": f"A Yahtzee that is not cried out is scored as a zero ({WYI}, line 281).",
}

COMMON = _texts(_THROWS, _KEPT, _CHOICES, _AGREEMENT, _PEOPLE, _THROW_OFFS, _HOUSE)

_COUNTS = "All dice at rest, flat and surely read: the roll counts, at most three a turn"

BHO_TEXTS = _texts(
    COMMON,
    {
        "match": f"Every player fills thirteen boxes, one a turn; the highest total wins ({BHO}, line 29).",
        "turn": f"A turn begins with a throw of all dice; then any of them may be thrown again ({BHO}, line 33).",
        "roll": f"{_COUNTS} ({BHO}, line 33).",
        "three_rolls": f"The dice are rolled at most three times a turn; the last roll that counted stands ({BHO}, "
        "line 33).",
        "box": f"A roll goes in one open box, and each box is filled once ({BHO}, line 35).",
        "filled": f"A box that has been scored cannot be scored again ({BHO}, line 35).",
        "joker_upper_forced": f"A further Yahtzee goes in the upper box of its face while that is open ({BHO}, line "
        "52).",
        "joker_lower_first": f"A further Yahtzee goes in a lower box while one is open (agreed; {BHO}, line 53, "
        "allows any).",
        "match_over": f"The match ends once every box is filled ({BHO}, line 29).",
        "start": f"Each throws a die; the highest starts, and the highest throw again while they are equal ({BHO}, "
        "line 31).",
    },
)

CASINO_TEXTS = _texts(
    COMMON,
    {
        "match": f"One to six rounds of thirteen turns; the highest total of all rounds wins ({CASINO}, line 17).",
        "turn": f"A turn begins with a throw of all five dice; then some or all may be thrown again ({CASINO}, line "
        "19).",
        "roll": f"{_COUNTS} ({CASINO}, line 19).",
        "three_rolls": f"A turn is three rolls; the last roll that counted stands ({CASINO}, line 19).",
        "box": f"After the rolls the player chooses where to score ({CASINO}, line 19).",
        "filled": f"Each box holds one score; a round ends when all its boxes have one ({CASINO}, line 25).",
        "round_not_open": f"The next round cannot begin until every box of this one has a score ({CASINO}, line 25).",
        "joker_upper_forced": f"A further Yahtzee goes in the upper box of its face while that is open (agreed; "
        f"{CASINO}, line 147, leaves the choice).",
        "joker_lower_first": f"A further Yahtzee goes in a lower box while one is open (agreed setting; {CASINO}, line "
        "147, leaves the choice).",
        "match_over": f"The game is over once all rounds have been completed ({CASINO}, line 17).",
        "start": f"Who starts is not written; each throws a die and the highest starts (as in {BHO}, line 31).",
    },
)

WYI_TEXTS = _texts(
    COMMON,
    {
        "match": f"The game ends when everybody has filled all boxes; the highest total wins ({WYI}, lines 217 to "
        "225).",
        "turn": f"Up to three rolls a turn; the turn may end after any of them ({WYI}, line 149).",
        "roll": f"{_COUNTS} ({WYI}, line 149).",
        "three_rolls": f"A turn has up to three rolls; after the third a score is entered ({WYI}, line 162).",
        "box": f"One empty box is filled each turn ({WYI}, line 150).",
        "filled": f"One empty box is filled each turn; a filled one stays as it is ({WYI}, line 150).",
        "joker_upper_forced": f"After a Yahtzee bonus the dice score in the upper box of their face ({WYI}, line 204).",
        "joker_lower_first": f"When that box is filled they score in any open lower box; only then a zero in an upper "
        f"one ({WYI}, lines 204 to 213).",
        "match_over": f"The game ends when everybody has filled all boxes ({WYI}, line 217).",
        "start": f"Roll a die to see who starts; in a series the winner of the game before ({WYI}, line 148).",
    },
)

TRIPLE_TEXTS = _texts(
    WYI_TEXTS,
    {
        "match": f"Three columns of thirteen boxes, which count once, twice and three times; bonus chips are added "
        f"afterwards ({WYI}, lines 86 to 93).",
        "box": f"One empty box in any of the three columns is filled each turn ({WYI}, line 86).",
    },
)

HASBRO_TEXTS = _texts(
    WYI_TEXTS,
    {
        "joker_upper_forced": "A Yahtzee beside a filled Yahtzee box goes in the upper box of its face (Hasbro's "
        "rules, Joker rules).",
        "joker_lower_first": "When that box is filled it goes in any open lower box; only then a zero in an upper one "
        "(Hasbro's rules, Joker rules).",
    },
)

VERHOEFF_TEXTS = _texts(
    WYI_TEXTS,
    {
        "joker_upper_forced": "A further Yahtzee goes in the upper box of its face while that is open (agreed setting; "
        "T. Verhoeff, Optimal Solitaire Yahtzee, leaves the choice).",
        "joker_lower_first": "A further Yahtzee goes in a lower box while one is open (agreed setting; T. Verhoeff, "
        "Optimal Solitaire Yahtzee, leaves the choice).",
    },
)

_BGA_TURN = {
    "turn": f"A turn begins with a throw of all five dice, then up to two rerolls of any of them ({BGA}, line 1).",
    "roll": f"{_COUNTS} ({BGA}, line 1).",
    "three_rolls": f"Two rerolls are allowed; then the last result is scored ({BGA}, lines 1 and 3).",
    "box": f"The player chooses which category to score; each is used once ({BGA}, line 3).",
    "filled": f"Each category is used for one round ({BGA}, line 3).",
    "match_over": f"The game ends once every category has been used ({BGA}, line 3).",
    "start": f"Who starts is not written; each throws a die and the highest starts (as in {BHO}, line 31).",
}

BGA_TEXTS = _texts(
    COMMON,
    _BGA_TURN,
    {
        "match": f"Thirteen categories, each used once; the highest total wins ({BGA}, line 3).",
        "joker_upper_forced": f"A second Yahtzee is scored in the upper box of its face if that is available ({BGA}, "
        "line 22).",
        "joker_lower_first": f"A second Yahtzee goes in a lower box while one is open (agreed setting; {BGA}, line 22, "
        "is silent).",
    },
)

YAMS_TEXTS = _texts(
    COMMON, _BGA_TURN, {"match": f"Fourteen boxes, each used once; the highest total wins ({BGA}, lines 26 to 51)."}
)

DELUXE_TEXTS = _texts(
    COMMON,
    {
        "match": f"Each combination is used once; the highest total wins ({DELUXE}, lines 6, 51 and 56).",
        "turn": f"A turn begins with a throw of all six dice, then two more with any of them ({DELUXE}, line 6).",
        "roll": f"{_COUNTS} ({DELUXE}, line 6).",
        "three_rolls": f"Each player may throw the dice three times ({DELUXE}, line 6).",
        "box": f"A combination is entered in its line, or an X in any free line ({DELUXE}, line 51).",
        "filled": f"No combination can be used twice ({DELUXE}, line 51).",
        "match_over": f"If all lines are filled the game is over ({DELUXE}, line 51).",
        "start": f"The highest throw starts; players with the same number throw again ({DELUXE}, line 6).",
    },
)
