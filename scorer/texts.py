"""The rules that rulings cite, in our own words, each with its source's title and section.

Keys are the reasons and subjects of rulings. Where the BHO rules are silent the tray's own rule applies, and says so.
"""

from collections.abc import Mapping
from types import MappingProxyType

_TURN = "BHO competition rules, Taking a Turn"
_EXTRA = "BHO competition rules, Additional Yahtzees"
_ETIQUETTE = "BHO competition rules, Etiquette"
_SCORING = "BHO competition rules, Scoring"
_AGREED = "BHO competition rules, Cheat Free Scoring"
_TRAY = "Fairtray tray rules"

_MATCH: Mapping[str, str] = {
    "match": "Every player fills thirteen boxes, one a turn; the highest total wins (BHO competition rules, Object of "
    "the Game).",
    "turn": f"A turn begins with a throw of all dice; then any of them may be thrown again ({_TURN}).",
    "roll": f"All dice at rest, flat and surely read: the roll counts, at most three a turn ({_TURN}).",
    "box": f"A roll goes in one open box, and each box is filled once ({_SCORING}).",
    "proposed": f"The roller names the box and the player to the left checks it ({_AGREED}).",
    "corrected": f"The score entered is what the dice are worth, agreed by both players ({_AGREED}).",
}

_BOXES: Mapping[str, str] = {
    "filled": f"A box that has been scored cannot be scored again ({_SCORING}).",
    "joker_upper_forced": f"A further Yahtzee goes in the upper box of its number while that is open ({_EXTRA}).",
    "no_roll": f"A box is chosen after a roll of this turn has counted ({_TURN}).",
    "roll_open": f"A box is chosen once the roll on the table has been decided ({_TURN}).",
    "not_your_turn": f"Only the player whose turn it is may choose a box ({_TURN}).",
    "unknown_box": f"A roll goes in one of the thirteen boxes of the card ({_SCORING}).",
    "match_over": "The match ends once every box is filled (BHO competition rules, Object of the Game).",
}

_THROWS: Mapping[str, str] = {
    "all_dice_together": f"All five dice are rolled at the same time ({_ETIQUETTE}).",
    "staggered": f"The dice of a throw are rolled at the same time ({_ETIQUETTE}).",
    "weak_throw": f"Dice are rolled adequately, not dropped or slid ({_ETIQUETTE}).",
    "three_rolls": f"The dice are rolled at most three times a turn; the last roll that counted stands ({_TURN}).",
    "off_tray": f"A die that leaves the playing surface is rolled again, alone ({_ETIQUETTE}).",
    "cocked": f"A die that leans shows no value: it alone is rolled again ({_TRAY}, The throw).",
    "stacked": f"A die lying on another shows no value: it alone is rolled again ({_TRAY}, The throw).",
    "more_than_ordered": f"When a die is to be rolled again the others stay where they lie ({_TRAY}, The throw).",
    "foreign_die": "The game is played with five dice agreed before the match (BHO competition rules, Equipment).",
    "interference": f"Nobody but the player with the dice touches them while they are in play ({_ETIQUETTE}).",
    "view_lost": f"A throw that could not be seen counts only if people decide so ({_TRAY}, The view).",
    "thrown_or_kept_back": f"A die that was not seen to leave is accounted for before the roll counts ({_TRAY}, "
    "Kept dice).",
    "unanswered": f"A throw whose question was left open took its number when play went on ({_TRAY}, Questions).",
}

_KEPT: Mapping[str, str] = {
    "turned_by_hand": f"A kept die keeps its face until it is thrown ({_TRAY}, Kept dice).",
    "kept_die_turned": f"A kept die that was turned is recorded for people to judge ({_TRAY}, Incidents).",
    "knocked": f"A kept die that a throw turned is set back to the value it had ({_TRAY}, Kept dice).",
    "knocked_out": f"A kept die that a throw knocked out is put back with the value it had ({_TRAY}, Kept dice).",
    "put_back_changed": f"Dice lifted and not thrown are put back with the values they had ({_TRAY}, Kept dice).",
    "kept_back": f"A die that was kept back in the hand returns with the value it had ({_TRAY}, Kept dice).",
    "reading": f"A value that is not sure is decided by both players ({_TRAY}, Questions).",
    "kept": f"A kept die that was lost from sight has the value both players agree on ({_TRAY}, Kept dice).",
}

BHO_TEXTS: Mapping[str, str] = MappingProxyType({**_MATCH, **_BOXES, **_THROWS, **_KEPT})
