"""The tray protocol: kept dice that are turned, knocked, lost, or lifted and put back."""

from collections.abc import Sequence

import pytest

from scorer.events import (
    DieAnswered,
    Fact,
    HoldAnswered,
    KeptDieChanged,
    KeptDieMoved,
    PauseCalled,
    ReadingAnswered,
    ResumeCalled,
    ViewLost,
    ViewRestored,
)
from tests.scorer.tray import (
    FIRST,
    KEPT_33,
    at,
    dice,
    die,
    lift,
    match,
    rest,
    short,
    throw,
    unseen,
)

LOST_AND_ONE_OUT = [
    *FIRST,
    lift(4, 1, 4, 5),
    KeptDieMoved(**at(6.5), id=2, identity="lost"),
    rest(7, [*dice("35", first=11), die(13, None, "off_tray")], kept=KEPT_33),
]
"""A throw that drove a kept 3 among the thrown dice, one of which lies outside: that may be the kept one."""

LOST_AND_ASKED = [*FIRST, lift(4, 1, 4, 5), KeptDieMoved(**at(6.5), id=2, identity="lost")]
"""A throw that drove a kept 3 among the thrown dice."""

LOST_AMONG_3356 = [*LOST_AND_ASKED, rest(7, dice("3356", first=11), kept=[die(3, 3)])]
"""Those show 3 3 5 6: which is the kept one is asked."""

LOST_AMONG_66621 = [
    *FIRST,
    lift(4, 1, 3, 4, 5),
    KeptDieMoved(**at(6.5), id=2, identity="lost"),
    rest(7, dice("66621", first=11)),
]
"""All but one 3 are thrown, which they drive among them: those show 6 6 6 2 1."""

LOST_BESIDE_A_6 = [*FIRST, lift(4, 1, 3, 4), KeptDieMoved(**at(6.5), id=2, identity="lost")]
"""A throw that drove a kept 3 among the thrown dice, but no kept 6."""

SAID_6 = [*throw(3, dice("1334?")), ReadingAnswered(t=4, id=5, value=6)]
RULED_6 = ["ReadingAsked id=5", "RollCounted roll=1 values=13346"]
"""People said what a die shows that could not be read."""

SET_BACK = KeptDieChanged(**at(8), id=14, before=6, after=3, cause="hand")
"""Somebody turns one that showed 6 to what the kept one showed."""

HELD_13346: list[Fact] = [*throw(3, dice("13346"), lasting=1.3)]
ASKED_1334: list[Fact] = [*throw(3, dice("1334?"))]
ONE_OUT: list[Fact] = [*throw(3, [*dice("1334"), die(5, None, "off_tray")])]
CHANGED = "RestoreOrdered put_back_changed id=1 value=1"

UNREAD_AFTER_KNOCK: list[Fact] = [
    *(*FIRST, lift(4, 1, 4, 5), KeptDieMoved(**at(6.5), id=2, identity="sure")),
    rest(7, dice("335", first=11), kept=[die(2, None), die(3, 3)]),
]
"""A throw knocked a kept 3, which cannot be read now."""

UNREAD_AFTER_REROLL: list[Fact] = [
    *(*throw(3, [*dice("1334"), die(5, None, "off_tray")]), throw(7, dice("5", first=11))[0]),
    KeptDieMoved(**at(6.8), id=1, identity="sure"),
    rest(7, dice("5", first=11), kept=[die(1, None), *dice("334", first=2)]),
]
"""A die that is thrown again knocks one of the others, which cannot be read now."""
RULED_REROLL = ["RerollOrdered off_tray ids=5 count=1 roll=1", "ReadingAsked id=1"]

UNREAD_WHILE_HELD = [*throw(3, [*dice("1334"), die(5, None, "off_tray")], lasting=1.3), *UNREAD_AFTER_REROLL[2:]]
"""So it does in a roll whose dice came one after the other at first."""
RULED_WHILE_HELD = ["RerollOrdered off_tray ids=5 count=1 roll=1", "RollHeld staggered roll=1"]
RULED_COUNTED = ["RestoreOrdered knocked id=1 value=1", "RollCounted roll=1 values=13345"]
TURNED_TO_6 = rest(8, kept=[die(1, 6), *dice("334", first=2), die(11, 5)])

KEPT_OF_REFUSED: list[Fact] = [
    *(*FIRST, lift(4, 1, 4, 5), *throw(7, dice("335", first=11), kept=KEPT_33, lasting=1.3)),
    *(HoldAnswered(t=8, counts=False), lift(8.5, 13)),
]
"""A throw that people refused, of which two dice that show 3 are kept."""
RULED_REFUSED = [
    "RollCounted roll=1 values=13346",
    "RollHeld staggered roll=2 values=33335",
    "RollRefused staggered",
]
KEPT_3333 = [*KEPT_33, *dice("33", first=11)]

KNOCKED_OUT: list[Fact] = [
    *FIRST,
    lift(4, 1, 4),
    throw(7, dice("35", first=11))[0],
    unseen(6.9, ids=(2,)),
    rest(7, dice("35", first=11), kept=[die(3, 3), die(5, 6)], missing=1),
]
"""A throw that drove a kept 3 over the wall: 3 3 3 5 6."""
RULED_OUT = [
    "RollCounted roll=1 values=13346",
    "RestoreOrdered knocked_out id=2 value=3",
    "RollCounted roll=2 values=33356",
]

HELD_OUT: list[Fact] = [
    *(*FIRST, lift(4, 1, 4), throw(7, dice("35", first=11), lasting=1.3)[0], unseen(6.9, ids=(2,))),
    rest(7, dice("35", first=11), kept=[die(3, 3), die(5, 6)], missing=1),
    HoldAnswered(t=8, counts=False),
]
"""A throw that drove a kept 3 over the wall, and that people refused."""
RULED_HELD_OUT = [
    *("RollCounted roll=1 values=13346", "RestoreOrdered knocked_out id=2 value=3"),
    *("RollHeld staggered roll=2 values=33356", "RollRefused staggered"),
]

OUT_AND_ASKED: list[Fact] = [
    *(*FIRST, lift(4, 1, 4), throw(7, dice("3?", first=11))[0], unseen(6.9, count=2, ids=(2, 3))),
    rest(7, dice("3?", first=11), kept=[die(5, 6)], missing=2),
    *(rest(8, kept=[*dice("3?", first=11), die(5, 6), die(31, 3)]), ReadingAnswered(t=9, id=12, value=5)),
]
"""A throw drove both kept 3s over the wall, and one of them is put back while it is asked what a thrown die shows."""
RULED_OUT_AND_ASKED = [
    *("RollCounted roll=1 values=13346", "RestoreOrdered knocked_out id=2 value=3"),
    *("RestoreOrdered knocked_out id=3 value=3", "ReadingAsked id=12", "RollCounted roll=2 values=33356"),
]

ONE_OF_REFUSED: list[Fact] = [*KEPT_OF_REFUSED, lift(8.7, 12), throw(12, dice("66", first=21))[0]]
"""One of them is kept, and the next throw is in the air."""

SCENARIOS: dict[str, tuple[Sequence[Fact], list[str]]] = {
    "a kept die that a throw knocked out which was refused is left outside": (
        [*HELD_OUT, lift(9, 11, 12), *throw(12, dice("66", first=21), kept=[die(3, 3), die(5, 6)])],
        [*RULED_HELD_OUT, "RollCounted roll=2 values=33666"],
    ),
    "and it is set down otherwise": (
        [
            *(*HELD_OUT, rest(9, kept=[*dice("35", first=11), die(2, 6), die(3, 3), die(5, 6)]), lift(10, 11, 12)),
            *throw(13, dice("66", first=21), kept=[die(2, 6), die(3, 3), die(5, 6)]),
        ],
        [*RULED_HELD_OUT, "RollCounted roll=2 values=33666"],
    ),
    "and one of the throw that was refused is kept beside": (
        [*HELD_OUT, lift(9, 12), *throw(12, [die(21, 6)], kept=[die(3, 3), die(5, 6), die(11, 3)])],
        [*RULED_HELD_OUT, "ReadingAsked id=11 likely=3"],
    ),
    "one of a throw that was refused is kept beside one that shows the same and is knocked out": (
        [*ONE_OF_REFUSED, unseen(11.9, ids=(2,)), rest(12, dice("66", first=21), [die(3, 3), die(11, 3)])],
        [*RULED_REFUSED, "RestoreOrdered knocked_out id=2 value=3", "ReadingAsked id=11 likely=3"],
    ),
    "and is driven among the thrown dice": (
        [
            *(*ONE_OF_REFUSED, KeptDieMoved(**at(12), id=2, identity="lost")),
            rest(12, dice("356", first=21), [die(3, 3), die(11, 3)]),
        ],
        [*RULED_REFUSED, "ReadingAsked id=11 likely=3", "ReadingAsked kept id=2 likely=3"],
    ),
    "and is gone": (
        [*ONE_OF_REFUSED, rest(12, dice("66", first=21), [die(3, 3), die(11, 3)]), DieAnswered(t=13, thrown=False)],
        [*RULED_REFUSED, "DieAsked thrown_or_kept_back count=1", "RollRefused thrown_or_kept_back"],
    ),
    "a die is put back changed beside one that the camera cannot read": (
        [*SAID_6, lift(5, 1), rest(6, kept=[die(1, 6), *dice("334?", first=2)])],
        [*RULED_6, CHANGED],
    ),
    "a kept die that was knocked out is set down while another is in the hand, and taken for that": (
        [
            *(*KNOCKED_OUT, lift(8, 5), rest(9, kept=[*dice("35", first=11), die(3, 3), die(5, 3)])),
            *throw(12, dice("2", first=21), kept=[*dice("35", first=11), die(3, 3), die(5, 3)]),
        ],
        [*RULED_OUT, "RollCounted roll=3 values=23335"],
    ),
    "a throw is refused as play waits while a kept die is outside": (
        [
            *(*KNOCKED_OUT, PauseCalled(t=8), lift(8.5, 11)),
            *throw(11, [die(21, 1)], kept=[die(12, 5), die(3, 3), die(5, 6)]),
            *(ResumeCalled(t=12), lift(12.5, 21)),
            *throw(15, [die(31, 2)], kept=[die(12, 5), die(3, 3), die(5, 6)]),
        ],
        [*RULED_OUT, "MatchPaused", "RollRefused paused", "MatchResumed", "RollCounted roll=3 values=23356"],
    ),
    "two kept dice were knocked out, and nobody sees which is fetched and thrown": (
        [
            *(*FIRST, lift(4, 1, 4), throw(7, dice("35", first=11))[0], unseen(6.9, count=2, ids=(2, 5))),
            *(rest(7, dice("35", first=11), kept=[die(3, 3)], missing=2), lift(8, 12)),
            *throw(12, dice("12", first=21), kept=[die(11, 3), die(3, 3)]),
        ],
        [
            *("RollCounted roll=1 values=13346", "RestoreOrdered knocked_out id=2 value=3"),
            *("RestoreOrdered knocked_out id=5 value=6", "RollCounted roll=2 values=33356"),
            "DieAsked thrown_or_kept_back count=1",
        ],
    ),
    "dice of a throw that was refused are kept, and seen once more": (
        [*KEPT_OF_REFUSED, *throw(11, [die(21, 6)], KEPT_3333), rest(12, kept=[die(21, 6), *KEPT_3333])],
        [*RULED_REFUSED, "ReadingAsked id=11 likely=3", "ReadingAsked id=12 likely=3"],
    ),
    "and another is to be thrown again": (
        [
            *(*KEPT_OF_REFUSED, *throw(11, [die(21, 6, "cocked")], KEPT_3333), lift(12, 21)),
            *throw(14, [die(22, 5)], KEPT_3333),
        ],
        [
            *(*RULED_REFUSED, "RerollOrdered cocked ids=21 count=1 roll=2"),
            *("ReadingAsked id=11 likely=3", "ReadingAsked id=12 likely=3"),
        ],
    ),
    "and people say what they show": (
        [
            *(*KEPT_OF_REFUSED, *throw(11, [die(21, 6)], KEPT_3333)),
            *(ReadingAnswered(t=12, id=id_, value=3) for id_ in (11, 12)),
            *(lift(13, 21), *throw(15, [die(31, 5)], KEPT_3333)),
        ],
        [
            *(*RULED_REFUSED, "ReadingAsked id=11 likely=3", "ReadingAsked id=12 likely=3"),
            *("RollCounted roll=2 values=33336", "RollCounted roll=3 values=33335"),
        ],
    ),
    "a kept die is put back as another shows where watching began anew with other numbers": (
        [
            *(*FIRST, lift(4, 1, 2, 4)),
            *(ViewLost(**at(4.5), cause="frames_stopped"), ViewRestored(**at(5), cause="frames_stopped")),
            *(rest(6, kept=dice("36", first=11)), lift(7, 11), rest(8, kept=dice("66", first=11))),
            *throw(11, dice("112", first=21), kept=dice("66", first=11)),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RestoreOrdered knocked id=11 value=3",
            "RollCounted roll=2 values=11236",
        ],
    ),
    "and one of the others is to be thrown again": (
        [
            *throw(3, [*dice("3641"), die(5, None, "off_tray")]),
            *(ViewLost(**at(4.5), cause="frames_stopped"), ViewRestored(**at(5), cause="frames_stopped")),
            *(rest(6, kept=dice("3641", first=11)), lift(7, 11), rest(8, kept=dice("6641", first=11))),
            *throw(11, [die(21, 2)], kept=dice("6641", first=11)),
        ],
        [
            "RerollOrdered off_tray ids=5 count=1 roll=1",
            "RestoreOrdered knocked id=11 value=3",
            "RollCounted roll=1 values=12346",
        ],
    ),
    "a kept die is turned to what another shows where watching began anew with other numbers": (
        [
            *throw(3, [*dice("552"), die(4, 6, "cocked"), die(5, None, "off_tray")]),
            *(ViewLost(**at(4), cause="frames_stopped"), ViewRestored(**at(5), cause="frames_stopped")),
            *(rest(6, kept=[*dice("552", first=11), die(14, 6, "cocked")]), lift(7, 14)),
            throw(10, dice("52", first=21))[0],
            KeptDieChanged(**at(9.5), id=12, before=5, after=2, cause="hit"),
            rest(10, dice("52", first=21), kept=dice("522", first=11)),
        ],
        [
            *("RerollOrdered off_tray ids=5 count=1 roll=1", "RerollOrdered cocked ids=4 count=1 roll=1"),
            *("RestoreOrdered knocked id=12 value=5", "RollCounted roll=1 values=22555"),
        ],
    ),
    "a kept die that was knocked out is fetched and thrown with another, and one of them leaves the tray": (
        [
            *(*KNOCKED_OUT, lift(8, 5)),
            *throw(12, [die(21, 2), die(22, None, "off_tray")], kept=[*dice("35", first=11), die(3, 3)]),
        ],
        [*RULED_OUT, "RerollOrdered off_tray ids=22 count=1 roll=3"],
    ),
    "and one of them is not seen again": (
        [
            *(*KNOCKED_OUT, lift(8, 5), throw(12, dice("21", first=21))[0], unseen(11.8)),
            rest(12, [die(21, 2)], kept=[*dice("35", first=11), die(3, 3)], missing=1),
        ],
        [*RULED_OUT, "RerollOrdered off_tray count=1 roll=3"],
    ),
    "and that one is put back changed": (
        [*KNOCKED_OUT, lift(8, 5), rest(9, kept=[*dice("35", first=11), die(3, 3), die(5, 3), die(21, 2)])],
        [*RULED_OUT, "RestoreOrdered put_back_changed id=21 value=6"],
    ),
    "and that one is put back as it was": (
        [*KNOCKED_OUT, lift(8, 5), rest(9, kept=[*dice("35", first=11), die(3, 3), die(5, 3), die(21, 6)])],
        RULED_OUT,
    ),
    "what is put back shows otherwise than the one that was knocked out, too": (
        [*KNOCKED_OUT, lift(8, 5), rest(9, kept=[*dice("35", first=11), die(3, 3), die(5, 2)])],
        [*RULED_OUT, "RestoreOrdered put_back_changed id=5 value=6"],
    ),
    "a die is put back as the one that was knocked out, which stays outside": (
        [
            *(*KNOCKED_OUT, lift(8, 5), rest(9, kept=[*dice("35", first=11), die(3, 3), die(5, 3)]), lift(10, 12)),
            *(
                *throw(12, dice("2", first=21), kept=[die(11, 3), die(3, 3), die(5, 3)]),
                DieAnswered(t=14, thrown=False),
            ),
        ],
        [
            *(*RULED_OUT, "DieAsked thrown_or_kept_back ids=2 count=1"),
            *("RestoreOrdered kept_back id=2 value=6", "RollCounted roll=3 values=23336"),
        ],
    ),
    "people and camera disagree about a kept die while another is to be thrown again": (
        [
            *(*SAID_6, lift(5, 1, 4), *throw(7, [die(11, 6), die(12, None, "cocked")], [*KEPT_33, die(5, 5)])),
            *throw(10, [die(13, 2)], [die(11, 6), *KEPT_33, die(5, 5)]),
        ],
        [*RULED_6, "RerollOrdered cocked ids=12 count=1 roll=2", "ReadingAsked id=5 likely=5"],
    ),
    "a die that stays while another is thrown again, which knocks it, is read only later": (
        [*UNREAD_AFTER_REROLL, rest(8, kept=[die(1, 6), *dice("334", first=2), die(11, 5)])],
        [*RULED_REROLL, "RestoreOrdered knocked id=1 value=1", "RollCounted roll=1 values=13345"],
    ),
    "and people say what it shows": (
        [*UNREAD_AFTER_REROLL, ReadingAnswered(t=8, id=1, value=6)],
        [*RULED_REROLL, "RestoreOrdered knocked id=1 value=1", "RollCounted roll=1 values=13345"],
    ),
    "and that one leaves the tray once more": (
        [
            *(*UNREAD_AFTER_REROLL[:-1], rest(7, [die(11, None, "off_tray")], [die(1, None), *dice("334", first=2)])),
            *throw(10, [die(21, 5)], kept=dice("6334")),
        ],
        [
            *("RerollOrdered off_tray ids=5 count=1 roll=1", "RerollOrdered off_tray ids=11 count=1 roll=1"),
            *("RestoreOrdered knocked id=1 value=1", "RollCounted roll=1 values=13345"),
        ],
    ),
    "so it is in a roll that is held, which people let count before it is read": (
        [*UNREAD_WHILE_HELD, HoldAnswered(t=7.5, counts=True), TURNED_TO_6],
        [*RULED_WHILE_HELD, "ReadingAsked id=1", *RULED_COUNTED],
    ),
    "or after it is read": (
        [*UNREAD_WHILE_HELD, TURNED_TO_6, HoldAnswered(t=9, counts=True)],
        [*RULED_WHILE_HELD, *RULED_COUNTED],
    ),
    "or people say what it shows": (
        [*UNREAD_WHILE_HELD, HoldAnswered(t=7.5, counts=True), ReadingAnswered(t=8, id=1, value=6)],
        [*RULED_WHILE_HELD, "ReadingAsked id=1", *RULED_COUNTED],
    ),
    "or that it leans": (
        [*UNREAD_WHILE_HELD, HoldAnswered(t=7.5, counts=True), ReadingAnswered(t=8, id=1, value=0)],
        [*RULED_WHILE_HELD, "ReadingAsked id=1", *RULED_COUNTED],
    ),
    "or that the one thrown leans, which is thrown once more": (
        [
            *(*UNREAD_WHILE_HELD[:-1], rest(7, dice("?", first=11), kept=[die(1, None), *dice("334", first=2)])),
            *(HoldAnswered(t=7.5, counts=True), ReadingAnswered(t=8, id=11, value=0)),
            *throw(10, [die(21, 5)], kept=dice("6334")),
        ],
        [
            *(*RULED_WHILE_HELD, "ReadingAsked id=11", "ReadingAsked id=1"),
            *("RerollOrdered cocked ids=11 count=1 roll=1", *RULED_COUNTED),
        ],
    ),
    "and the next throw is made over that question": (
        [*UNREAD_WHILE_HELD, lift(8, 11), *throw(10, dice("2", first=21), kept=dice("6334"))],
        [
            *(*RULED_WHILE_HELD, "RollRefused staggered replaces=4 roll=1"),
            *("RestoreOrdered knocked id=1 value=1", "RollHeld unanswered roll=2 values=12334"),
        ],
    ),
    "people say what a kept die shows that a throw turned": (
        [*UNREAD_AFTER_KNOCK, ReadingAnswered(t=8, id=2, value=6)],
        [
            *("RollCounted roll=1 values=13346", "ReadingAsked id=2"),
            *("RestoreOrdered knocked id=2 value=3", "RollCounted roll=2 values=33335"),
        ],
    ),
    "a kept die that a throw turned is read only after another was thrown again": (
        [
            *(*UNREAD_AFTER_KNOCK[:-1], rest(7, [*dice("33", 11), die(13, 5, "cocked")], [die(2, None), die(3, 3)])),
            *(lift(8, 13), *throw(10, [die(21, 5)], [*dice("33", 11), die(2, 6), die(3, 3)])),
        ],
        [
            *("RollCounted roll=1 values=13346", "RerollOrdered cocked ids=13 count=1 roll=2"),
            *("RestoreOrdered knocked id=2 value=3", "RollCounted roll=2 values=33335"),
        ],
    ),
    "and later still": (
        [
            *(*UNREAD_AFTER_KNOCK[:-1], rest(7, [*dice("33", 11), die(13, 5, "cocked")], [die(2, None), die(3, 3)])),
            *(lift(8, 13), *throw(10, [die(21, 5)], [*dice("33", 11), die(2, None), die(3, 3)])),
            rest(12, kept=[*dice("33", first=11), die(2, 6), die(3, 3), die(21, 5)]),
        ],
        [
            *("RollCounted roll=1 values=13346", "RerollOrdered cocked ids=13 count=1 roll=2", "ReadingAsked id=2"),
            *("RestoreOrdered knocked id=2 value=3", "RollCounted roll=2 values=33335"),
        ],
    ),
    "a kept die that a throw turned is read only later": (
        [*UNREAD_AFTER_KNOCK, rest(8, kept=[*dice("335", first=11), die(2, 6), die(3, 3)])],
        [
            *("RollCounted roll=1 values=13346", "ReadingAsked id=2"),
            *("RestoreOrdered knocked id=2 value=3", "RollCounted roll=2 values=33335"),
        ],
    ),
    "a kept die that could not be read shows what it was kept with": (
        [*UNREAD_AFTER_KNOCK, rest(8, kept=[*dice("335", first=11), *KEPT_33])],
        ["RollCounted roll=1 values=13346", "ReadingAsked id=2", "RollCounted roll=2 values=33335"],
    ),
    "a kept die that people said the value of is read otherwise later": (
        [
            *(*SAID_6, lift(5, 1, 4), *throw(7, dice("66", first=11), [*KEPT_33, die(5, 5)])),
            rest(8, kept=[*dice("66", first=11), *KEPT_33, die(5, 5)]),
        ],
        [*RULED_6, "ReadingAsked id=5 likely=5"],
    ),
    "a kept die that a throw turned is read only after the next throw": (
        [
            *(*UNREAD_AFTER_KNOCK, lift(8, 13)),
            *throw(10, [die(21, 1)], [*dice("33", first=11), die(2, 6), die(3, 3)]),
        ],
        [
            *("RollCounted roll=1 values=13346", "ReadingAsked id=2", "Noticed unanswered"),
            *("RestoreOrdered knocked id=2 value=3", "RollCounted roll=3 values=13333"),
        ],
    ),
    "and set back": (
        [
            *SAID_6,
            lift(5, 1),
            rest(6, kept=[die(1, 6), *dice("334?", first=2)]),
            lift(7, 1),
            rest(8, kept=dice("1334?")),
            lift(9, 1),
            rest(10, kept=[die(1, 2), *dice("334?", first=2)]),
        ],
        [*RULED_6, CHANGED, CHANGED],
    ),
    "a die is put back changed while the roll is held, which counts": (
        [
            *HELD_13346,
            lift(5, 1),
            rest(6, kept=[die(1, 6), *dice("3346", first=2)]),
            rest(7, kept=[die(1, 6), *dice("3346", first=2)]),
            HoldAnswered(t=8, counts=True),
        ],
        ["RollHeld staggered roll=1 values=13346", CHANGED, "RollCounted roll=1 values=13346"],
    ),
    "a die is put back changed while another is asked about": (
        [
            *ASKED_1334,
            lift(5, 1),
            rest(6, kept=[die(1, 6), *dice("334?", first=2)]),
            ReadingAnswered(t=7, id=5, value=6),
        ],
        ["ReadingAsked id=5", CHANGED, "RollCounted roll=1 values=13346"],
    ),
    "and that one is read by now": (
        [*ASKED_1334, lift(5, 1), rest(6, kept=[die(1, 6), *dice("3346", first=2)])],
        ["ReadingAsked id=5", CHANGED, "RollCounted roll=1 values=13346"],
    ),
    "a die is put back changed while another is to be thrown again": (
        [
            *ONE_OUT,
            lift(5, 1),
            rest(6, kept=[die(1, 6), *dice("334", first=2)]),
            *throw(9, [die(11, 2)], kept=[die(1, 6), *dice("334", first=2)]),
        ],
        ["RerollOrdered off_tray ids=5 count=1 roll=1", CHANGED, "RollCounted roll=1 values=12334"],
    ),
    "a die is put back changed while play waits": (
        [*ASKED_1334, PauseCalled(t=4), lift(5, 1), rest(6, kept=[die(1, 6), *dice("334?", first=2)])],
        ["ReadingAsked id=5", "MatchPaused", CHANGED],
    ),
    "dice are put back in each other's places while another is asked about": (
        [*ASKED_1334, lift(5, 1, 4), rest(6, kept=[die(1, 4), *dice("33", first=2), die(4, 1), die(5, None)])],
        ["ReadingAsked id=5"],
    ),
    "one of two dice is put back while another is asked about, and may be either": (
        [*ASKED_1334, lift(5, 1, 4), rest(6, kept=[die(1, 4), *dice("33", first=2), die(5, None)])],
        ["ReadingAsked id=5"],
    ),
    "and one that may be neither": (
        [*ASKED_1334, lift(5, 1, 4), rest(6, kept=[die(1, 6), *dice("33", first=2), die(5, None)])],
        ["ReadingAsked id=5", CHANGED],
    ),
    "a die is put back so that it cannot be read": (
        [*ASKED_1334, lift(5, 1), rest(6, kept=dice("?334?"))],
        ["ReadingAsked id=5"],
    ),
    "a die that people said the value of is put back otherwise": (
        [*SAID_6, lift(5, 5), rest(6, kept=dice("13345"))],
        RULED_6,
    ),
    "the camera reads another value than people said, and nobody had the die": (
        [*SAID_6, rest(6, kept=dice("13345"))],
        RULED_6,
    ),
    "a die is put back otherwise that may be the lost one": (
        [*LOST_AMONG_3356, lift(8, 14), rest(9, kept=[*dice("3353", first=11), die(3, 3)])],
        ["RollCounted roll=1 values=13346", "ReadingAsked kept id=2 likely=3", "ReadingAsked kept id=2 likely=6"],
    ),
    "a die is lifted out of sight and lies otherwise": (
        [
            *ASKED_1334,
            lift(5, 1),
            ViewLost(**at(5.2), cause="blocked"),
            ViewRestored(**at(5.8), cause="blocked"),
            rest(6, kept=[die(1, 6), *dice("334?", first=2)]),
        ],
        ["ReadingAsked id=5"],
    ),
    "an order stands though the roll that was held then is refused": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            *throw(7, dice("335", first=11), kept=KEPT_33, lasting=1.3),
            lift(8, 2),
            rest(9, kept=[*dice("335", first=11), die(2, 6), die(3, 3)]),
            HoldAnswered(t=10, counts=False),
            lift(11, 11, 12, 13),
            *throw(14, dice("112", first=21), kept=[die(2, 6), die(3, 3)]),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RollHeld staggered roll=2 values=33335",
            "RestoreOrdered put_back_changed id=2 value=3",
            "RollRefused staggered",
            "RollCounted roll=2 values=11233",
        ],
    ),
    "a die that nobody was sure of is set down by hand and kept for the next throw": (
        [
            *throw(3, dice("6612?")),
            lift(4, 5),
            rest(5.5, kept=dice("66126")),
            lift(6, 3, 4),
            *throw(9, dice("66", first=11), kept=[die(1, 6), die(2, 6), die(5, 6)]),
        ],
        ["ReadingAsked id=5", "Noticed unanswered", "ReadingAsked id=5 likely=6"],
    ),
    "a die that nobody was sure of is set down by hand while another is to be thrown again": (
        [
            *throw(3, [*dice("661?"), die(5, None, "off_tray")]),
            lift(4, 4),
            rest(5, kept=dice("6616")),
            *throw(9, [die(11, 2)], kept=dice("6616")),
        ],
        ["RerollOrdered off_tray ids=5 count=1 roll=1", "ReadingAsked id=4 likely=6"],
    ),
    "a die that nobody was sure of is set down by hand just before the next throw": (
        [
            *throw(3, dice("6612?")),
            lift(6, 3, 4, 5),
            *throw(9, dice("66", first=11), kept=[die(1, 6), die(2, 6), die(5, 6)]),
        ],
        ["ReadingAsked id=5", "Noticed unanswered", "ReadingAsked id=5 likely=6"],
    ),
    "a kept die turned by hand, and set back": (
        [
            *FIRST,
            KeptDieChanged(**at(4), id=2, before=3, after=6, cause="hand"),
            rest(4.2, kept=dice("16346")),
            KeptDieChanged(**at(6), id=2, before=6, after=3, cause="hand"),
            rest(6.2, kept=dice("13346")),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RestoreOrdered turned_by_hand id=2 value=3",
            "IncidentRecorded kept_die_turned",
        ],
    ),
    "a turned die that is not set back counts as it was kept": (
        [
            *FIRST,
            KeptDieChanged(**at(4), id=2, before=3, after=6, cause="hand"),
            *throw(7, dice("335", first=11), kept=[die(2, 6), die(3, 3)]),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RestoreOrdered turned_by_hand id=2 value=3",
            "IncidentRecorded kept_die_turned",
            "RollCounted roll=2 values=33335",
        ],
    ),
    "a turned die that only the rest shows": (
        [*FIRST, rest(4, kept=dice("16346")), KeptDieChanged(**at(4.2), id=2, before=3, after=6, cause="hand")],
        [
            "RollCounted roll=1 values=13346",
            "RestoreOrdered turned_by_hand id=2 value=3",
            "IncidentRecorded kept_die_turned",
        ],
    ),
    "a kept die knocked by the throw, face changed": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            throw(7, dice("335", first=11))[0],
            KeptDieChanged(**at(6.9), id=2, before=3, after=6, cause="hit"),
            rest(7, dice("335", first=11), kept=[die(2, 6), die(3, 3)]),
            KeptDieChanged(**at(9), id=2, before=6, after=3, cause="hand"),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RestoreOrdered knocked id=2 value=3",
            "RollCounted roll=2 values=33335",
        ],
    ),
    "a kept die knocked, said after the rest": (
        [
            *FIRST,
            *throw(7, dice("335", first=11), kept=[die(2, 6), die(3, 3)]),
            KeptDieChanged(**at(7.1), id=2, before=3, after=6, cause="hit"),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RestoreOrdered knocked id=2 value=3",
            "RollCounted roll=2 values=33335",
        ],
    ),
    "a kept die knocked against the wall": (
        [*FIRST, *throw(7, dice("335", first=11), kept=[die(2, None, "cocked"), die(3, 3)])],
        [
            "RollCounted roll=1 values=13346",
            "RestoreOrdered knocked id=2 value=3",
            "RollCounted roll=2 values=33335",
        ],
    ),
    "a kept die knocked over the wall": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            throw(7, dice("335", first=11))[0],
            unseen(6.9, ids=(2,)),
            rest(7, dice("335", first=11), kept=[die(3, 3)], missing=1),
            rest(9, kept=[*dice("335", first=11), die(3, 3), die(31, 3)]),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RestoreOrdered knocked_out id=2 value=3",
            "RollCounted roll=2 values=33335",
        ],
    ),
    "a kept die knocked out is not put back before the next throw": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            throw(7, dice("335", first=11))[0],
            unseen(6.9, ids=(2,)),
            rest(7, dice("335", first=11), kept=[die(3, 3)], missing=1),
            lift(8, 13),
            *throw(10, [die(21, 1)], kept=[*dice("33", first=11), die(3, 3)]),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RestoreOrdered knocked_out id=2 value=3",
            "RollCounted roll=2 values=33335",
            "RollCounted roll=3 values=13333",
        ],
    ),
    "a kept die whose identity is lost, and it matters": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            throw(7, dice("3356", first=11))[0],
            KeptDieMoved(**at(6.5), id=2, identity="lost"),
            rest(7, dice("3356", first=11), kept=[die(3, 3)]),
            ReadingAnswered(t=9, id=2, value=3),
        ],
        ["RollCounted roll=1 values=13346", "ReadingAsked kept id=2 likely=3", "RollCounted roll=2 values=33356"],
    ),
    "a die set back while it is asked which the kept one is": (
        [*LOST_AMONG_3356, SET_BACK, ReadingAnswered(t=9, id=2, value=6)],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "ReadingAsked kept id=2 likely=6",
            "RollCounted roll=2 values=33335",
        ],
    ),
    "a die turned to what the kept one showed, and that was another": (
        [
            *LOST_AMONG_3356,
            SET_BACK,
            ReadingAnswered(t=9, id=2, value=3),
            KeptDieChanged(**at(10), id=14, before=3, after=6, cause="hand"),
        ],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "ReadingAsked kept id=2 likely=6",
            "RestoreOrdered turned_by_hand id=14 value=6",
            "IncidentRecorded kept_die_turned",
            "RollCounted roll=2 values=33356",
        ],
    ),
    "a die turned to what the kept one showed, and turned back before anybody answers": (
        [
            *LOST_AMONG_3356,
            SET_BACK,
            KeptDieChanged(**at(8.5), id=14, before=3, after=6, cause="hand"),
            ReadingAnswered(t=9, id=2, value=3),
        ],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "ReadingAsked kept id=2 likely=6",
            "RollCounted roll=2 values=33356",
        ],
    ),
    "of two dice that showed the same the kept one was set back": (
        [
            *LOST_AND_ASKED,
            rest(7, dice("3566", first=11), kept=[die(3, 3)]),
            SET_BACK,
            ReadingAnswered(t=9, id=2, value=6),
            KeptDieChanged(**at(10), id=13, before=6, after=3, cause="hand"),
        ],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "ReadingAsked kept id=2 likely=6",
            "RollCounted roll=2 values=33356",
            "RestoreOrdered turned_by_hand id=13 value=6",
            "IncidentRecorded kept_die_turned",
        ],
    ),
    "a die turned to another value while it is asked which the kept one is": (
        [*LOST_AMONG_3356, KeptDieChanged(**at(8), id=14, before=6, after=5, cause="hand")],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "RestoreOrdered turned_by_hand id=14 value=6",
            "IncidentRecorded kept_die_turned",
        ],
    ),
    "a die that surely is no lost one is turned while it is asked which the kept one is": (
        [
            *FIRST,
            lift(4, 1, 3, 4),
            KeptDieMoved(**at(6.5), id=2, identity="lost"),
            rest(7, dice("3356", first=11), kept=[die(5, 6)]),
            KeptDieChanged(**at(8), id=5, before=6, after=3, cause="hand"),
        ],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "RestoreOrdered turned_by_hand id=5 value=6",
            "IncidentRecorded kept_die_turned",
        ],
    ),
    "play goes on over the question, and the die turned meanwhile stays": (
        [
            *LOST_AMONG_3356,
            SET_BACK,
            lift(9, 3, 11, 12, 13),
            *throw(11, dice("1122", first=21), kept=[die(14, 3)]),
        ],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "ReadingAsked kept id=2 likely=6",
            "Noticed unanswered",
            "RestoreOrdered turned_by_hand id=14 value=6",
            "ReadingAsked kept id=2 likely=3",
        ],
    ),
    "which the lost one is stays open though others are thrown over the question": (
        [*LOST_AMONG_66621, lift(8, 14, 15), *throw(11, dice("66", first=21), kept=dice("666", first=11))],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "Noticed unanswered",
            "ReadingAsked kept id=2 likely=3",
        ],
    ),
    "all that may be the lost one are thrown over the question": (
        [*LOST_AMONG_66621, lift(8, 11, 12, 13, 14, 15), *throw(11, dice("66666", first=21))],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "Noticed unanswered",
            "RollCounted roll=3 values=66666",
        ],
    ),
    "a lost kept die among dice of which none can be read": (
        [
            *FIRST,
            lift(4, 5),
            KeptDieMoved(**at(6.5), id=2, identity="lost"),
            rest(7, dice("??", first=11), kept=[die(1, 1), die(3, 3), die(4, 4)]),
            ReadingAnswered(t=8, id=11, value=6),
            ReadingAnswered(t=8, id=12, value=6),
        ],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked id=11",
            "ReadingAsked id=12",
            "ReadingAsked kept id=2 likely=3",
        ],
    ),
    "a die of which people said what it shows is knocked": (
        [
            *SAID_6,
            lift(5, 1, 4),
            KeptDieMoved(**at(6.5), id=5, identity="sure"),
            *throw(7, dice("66", first=11), kept=[*dice("33", first=2), die(5, None)]),
        ],
        [*RULED_6, "ReadingAsked id=5"],
    ),
    "a die of which people said what it shows is lifted": (
        [
            *SAID_6,
            lift(5, 1, 4, 5),
            *throw(7, dice("66", first=11), kept=[*dice("33", first=2), die(5, None)]),
        ],
        [*RULED_6, "ReadingAsked id=5"],
    ),
    "a die of which people said what it shows is lifted, and put back before the others are": (
        [
            *SAID_6,
            lift(5, 5),
            rest(5.5, kept=dice("1334?")),
            lift(6, 1, 4),
            *throw(8, dice("66", first=11), kept=[*dice("33", first=2), die(5, None)]),
        ],
        [*RULED_6, "ReadingAsked id=5"],
    ),
    "a die is lifted before people say what it shows, and then stays": (
        [
            *throw(3, dice("1334?")),
            lift(3.5, 5),
            rest(3.8, kept=dice("1334?")),
            ReadingAnswered(t=4, id=5, value=6),
            lift(5, 1, 4),
            *throw(7, dice("66", first=11), kept=[*dice("33", first=2), die(5, None)]),
        ],
        [*RULED_6, "RollCounted roll=2 values=33666"],
    ),
    "a die of which people said what it shows stays": (
        [*SAID_6, lift(5, 1, 4), *throw(7, dice("66", first=11), kept=[*dice("33", first=2), die(5, None)])],
        [*RULED_6, "RollCounted roll=2 values=33666"],
    ),
    "a lost kept die turns out to have turned": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            KeptDieMoved(**at(6.5), id=2, identity="lost"),
            rest(7, dice("3356", first=11), kept=[die(3, 3)]),
            ReadingAnswered(t=9, id=2, value=6),
        ],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "RestoreOrdered knocked id=14 value=3",
            "RollCounted roll=2 values=33335",
        ],
    ),
    "a lost kept die is said to show what only one shows that surely was kept": (
        [*LOST_BESIDE_A_6, rest(7, dice("3551", first=11), kept=[die(5, 6)]), ReadingAnswered(t=8, id=2, value=6)],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "CallRefused bad_reading call=answer",
        ],
    ),
    "a lost kept die is said to show what one shows that surely was kept, too": (
        [
            *LOST_BESIDE_A_6,
            rest(7, dice("3561", first=11), kept=[die(5, 6)]),
            ReadingAnswered(t=8, id=2, value=6),
            KeptDieChanged(**at(9), id=5, before=6, after=3, cause="hand"),
        ],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "RestoreOrdered knocked id=13 value=3",
            "RollCounted roll=2 values=13356",
            "RestoreOrdered turned_by_hand id=5 value=6",
            "IncidentRecorded kept_die_turned",
        ],
    ),
    "a lost kept die is found in a throw after the question, among the dice that stayed": (
        [
            *LOST_AMONG_66621,
            lift(8, 14, 15),
            *throw(11, dice("55", first=21), kept=dice("666", first=11)),
            ReadingAnswered(t=12, id=2, value=6),
        ],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "Noticed unanswered",
            "ReadingAsked kept id=2 likely=3",
            "RestoreOrdered knocked id=11 value=3",
            "RollCounted roll=3 values=35566",
        ],
    ),
    "a lost kept die, and one thrown that leant, beside one that surely was kept": (
        [
            *LOST_BESIDE_A_6,
            rest(7, [*dice("355", first=11), die(14, None, "cocked")], kept=[die(5, 6)]),
            *throw(10, [die(21, 1)], kept=[*dice("355", first=11), die(5, 6)]),
            ReadingAnswered(t=12, id=2, value=6),
            ReadingAnswered(t=13, id=2, value=5),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RerollOrdered cocked ids=14 count=1 roll=2",
            "ReadingAsked kept id=2 likely=3",
            "CallRefused bad_reading call=answer",
            "RestoreOrdered knocked id=12 value=3",
            "RollCounted roll=2 values=13356",
        ],
    ),
    "a lost kept die among dice that all show the same": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            KeptDieMoved(**at(6.5), id=2, identity="lost"),
            rest(7, dice("3333", first=11), kept=[die(3, 3)]),
        ],
        ["RollCounted roll=1 values=13346", "RollCounted roll=2 values=33333"],
    ),
    "a lost kept die among dice that all show another value": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            KeptDieMoved(**at(6.5), id=2, identity="lost"),
            rest(7, dice("6666", first=11), kept=[die(3, 3)]),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RestoreOrdered knocked id=11 value=3",
            "RollCounted roll=2 values=33666",
        ],
    ),
    "of dice that all show another value any is set back as the lost one": (
        [
            *LOST_AND_ASKED,
            rest(7, dice("6666", first=11), kept=[die(3, 3)]),
            KeptDieChanged(**at(8), id=13, before=6, after=3, cause="hand"),
            rest(8.2, kept=[die(3, 3), *dice("6636", first=11)]),
            KeptDieChanged(**at(9), id=11, before=6, after=2, cause="hand"),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RestoreOrdered knocked id=11 value=3",
            "RollCounted roll=2 values=33666",
            "RestoreOrdered turned_by_hand id=11 value=6",
            "IncidentRecorded kept_die_turned",
        ],
    ),
    "of dice that all show another value one is turned to a third": (
        [
            *LOST_AND_ASKED,
            rest(7, dice("6666", first=11), kept=[die(3, 3)]),
            KeptDieChanged(**at(8), id=13, before=6, after=2, cause="hand"),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RestoreOrdered knocked id=11 value=3",
            "RollCounted roll=2 values=33666",
            "RestoreOrdered turned_by_hand id=13 value=6",
            "IncidentRecorded kept_die_turned",
        ],
    ),
    "said to show what two dice show, either is set back as the lost one": (
        [
            *LOST_AND_ASKED,
            rest(7, dice("3566", first=11), kept=[die(3, 3)]),
            ReadingAnswered(t=8, id=2, value=6),
            KeptDieChanged(**at(9), id=14, before=6, after=3, cause="hand"),
        ],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "RestoreOrdered knocked id=13 value=3",
            "RollCounted roll=2 values=33356",
        ],
    ),
    "a kept die that is only taken for the one it was": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            KeptDieMoved(**at(6.5), id=2, identity="lost"),
            rest(7, dice("356", first=11), kept=KEPT_33),
        ],
        ["RollCounted roll=1 values=13346", "ReadingAsked kept id=2 likely=3"],
    ),
    "and shows another value, and is another": (
        [*LOST_AND_ASKED, rest(7, dice("356", first=11), [die(2, 4), die(3, 3)]), ReadingAnswered(t=8, id=2, value=3)],
        ["RollCounted roll=1 values=13346", "ReadingAsked kept id=2 likely=3", "RollCounted roll=2 values=33456"],
    ),
    "or is the one it was, and turned": (
        [*LOST_AND_ASKED, rest(7, dice("356", first=11), [die(2, 4), die(3, 3)]), ReadingAnswered(t=8, id=2, value=4)],
        [
            *("RollCounted roll=1 values=13346", "ReadingAsked kept id=2 likely=3"),
            *("RestoreOrdered knocked id=2 value=3", "RollCounted roll=2 values=33356"),
        ],
    ),
    "a kept die lies among the thrown ones, of which one was kept back in the hand": (
        [
            *(*FIRST, lift(4, 1, 4, 5), throw(7, dice("35", first=11))[0]),
            KeptDieMoved(**at(6.5), id=2, identity="lost"),
            *(rest(7, dice("356", first=11), kept=[die(3, 3)], missing=1), DieAnswered(t=8, thrown=False)),
        ],
        [
            *("RollCounted roll=1 values=13346", "DieAsked thrown_or_kept_back count=1"),
            "RollRefused thrown_or_kept_back",
        ],
    ),
    "a kept die may be gone or lie among the thrown ones, of which one is gone": (
        [
            *(*FIRST, lift(4, 1, 4, 5), throw(7, dice("356", first=11))[0]),
            KeptDieMoved(**at(6.5), id=2, identity="lost"),
            *(rest(7, dice("356", first=11), kept=[die(3, 3)], missing=1), DieAnswered(t=8, thrown=True)),
            *throw(10, [die(14, 2)], kept=[*dice("356", first=11), die(3, 3)]),
        ],
        [
            *("RollCounted roll=1 values=13346", "DieAsked thrown_or_kept_back ids=2 count=1"),
            *("RerollOrdered off_tray count=1 roll=2", "ReadingAsked kept id=2 likely=3"),
        ],
    ),
    "a kept die that was knocked out is put back while a question is open": (
        [*OUT_AND_ASKED, lift(10, 12), *throw(12, dice("1", first=21), [die(11, 3), die(31, 3), die(5, 6)])],
        [*RULED_OUT_AND_ASKED, "RollCounted roll=3 values=13336"],
    ),
    "and one of the others is kept back in the hand": (
        [*OUT_AND_ASKED, lift(10, 11, 12), *throw(12, dice("1", first=21), kept=[die(31, 3), die(5, 6)])],
        [*RULED_OUT_AND_ASKED, "DieAsked thrown_or_kept_back count=1"],
    ),
    "a kept die lost by a throw that is not complete": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            KeptDieMoved(**at(6.5), id=2, identity="lost"),
            rest(7, [*dice("35", first=11), die(13, None, "off_tray")], kept=KEPT_33),
            *throw(10, [die(14, 6)], kept=[*dice("35", first=11), *KEPT_33]),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back ids=13 count=1",
            "ReadingAsked kept id=2 likely=3",
        ],
    ),
    "a kept die lost by a throw of which one die lies outside, and that one was thrown": (
        [
            *LOST_AND_ONE_OUT,
            DieAnswered(t=8, thrown=True),
            rest(9, kept=[*dice("35", first=11), *KEPT_33, die(14, 3)]),
            *throw(10, [die(14, 6)], kept=[*dice("35", first=11), *KEPT_33]),
            ReadingAnswered(t=12, id=2, value=3),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back ids=13 count=1",
            "RerollOrdered off_tray ids=13 count=1 roll=2",
            "ReadingAsked kept id=2 likely=3",
            "RollCounted roll=2 values=33356",
        ],
    ),
    "a kept die lost by a throw of which one die lies outside, and that one was kept": (
        [
            *LOST_AND_ONE_OUT,
            DieAnswered(t=8, thrown=False),
            rest(9, kept=[*dice("35", first=11), *KEPT_33, die(14, 3)]),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back ids=13 count=1",
            "RestoreOrdered knocked_out id=13 value=3",
            "RollCounted roll=2 values=33335",
        ],
    ),
    "the die outside is put down with the lost one's value before anybody answers": (
        [*LOST_AND_ONE_OUT, rest(9, kept=[*dice("35", first=11), *KEPT_33, die(14, 3)])],
        ["RollCounted roll=1 values=13346", "DieAsked thrown_or_kept_back ids=13 count=1"],
    ),
    "a lost die and one outside that only its value takes for it": (
        [*LOST_AND_ASKED, rest(7, dice("356", first=11), kept=[die(3, 3), die(2, 3, "off_tray")])],
        ["RollCounted roll=1 values=13346", "DieAsked thrown_or_kept_back ids=2 count=1"],
    ),
    "a die outside that only its value takes for the lost one was kept": (
        [
            *LOST_AND_ASKED,
            rest(7, dice("356", first=11), kept=[die(3, 3), die(2, 3, "off_tray")]),
            DieAnswered(t=8, thrown=False),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back ids=2 count=1",
            "RestoreOrdered knocked_out id=2 value=3",
            "RollCounted roll=2 values=33356",
        ],
    ),
    "a die outside that only its value takes for the lost one was thrown": (
        [
            *LOST_AND_ASKED,
            rest(7, dice("356", first=11), kept=[die(3, 3), die(2, 3, "off_tray")]),
            DieAnswered(t=8, thrown=True),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back ids=2 count=1",
            "RerollOrdered off_tray ids=2 count=1 roll=2",
        ],
    ),
    "a lost die and one outside, and nobody sees which was followed over the wall": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            KeptDieMoved(**at(6.5), id=2, identity="lost"),
            unseen(6.9),
            rest(7, dice("356", first=11), kept=[die(3, 3)]),
            DieAnswered(t=8, thrown=False),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back count=1",
            "RestoreOrdered knocked_out id=2 value=3",
            "RollCounted roll=2 values=33356",
        ],
    ),
    "a kept die pushed and followed all the way": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            KeptDieMoved(**at(6.5), id=2, identity="sure"),
            rest(7, dice("356", first=11), kept=KEPT_33),
        ],
        ["RollCounted roll=1 values=13346", "RollCounted roll=2 values=33356"],
    ),
    "dice lifted and put back in other places": (
        [*FIRST, lift(4, 1, 2), rest(5, kept=[die(3, 3), die(4, 4), die(5, 6), die(8, 3), die(9, 1)])],
        ["RollCounted roll=1 values=13346"],
    ),
    "dice lifted and put back changed": (
        [*FIRST, lift(4, 1), rest(5, kept=[*dice("3346", first=2), die(9, 6)])],
        ["RollCounted roll=1 values=13346", "RestoreOrdered put_back_changed id=9 value=1"],
    ),
    "another die in the place of one that nobody lifted": (
        [*FIRST, rest(5, kept=[*dice("3346", first=2), die(9, 6)])],
        [
            "RollCounted roll=1 values=13346",
            "RestoreOrdered turned_by_hand id=9 value=1",
            "IncidentRecorded kept_die_turned",
        ],
    ),
    "a die held up for a moment": (
        [*FIRST, lift(4, 1), rest(5, kept=dice("3346", first=2))],
        ["RollCounted roll=1 values=13346"],
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str) -> None:
    facts, expected = SCENARIOS[name]
    _, rulings = match(*facts)
    assert [short(ruling) for ruling in rulings] == expected
