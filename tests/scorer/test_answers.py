"""The tray protocol: what is held or asked, how people answer, and what happens if they do not."""

from collections.abc import Sequence

import pytest

from scorer.events import (
    BodyInterfered,
    DieAnswered,
    Fact,
    HoldAnswered,
    HouseRulesDeclared,
    KeptDieChanged,
    KeptDieMoved,
    PauseCalled,
    ReadingAnswered,
    ResumeCalled,
    RollUnseen,
    ViewLost,
    ViewRestored,
)
from scorer.state import Options
from tests.scorer.tray import (
    FIRST,
    KEPT_33,
    at,
    choose,
    dice,
    die,
    lift,
    match,
    rest,
    short,
    throw,
    unseen,
)

AWAY: list[Fact] = [ViewLost(**at(4.5), cause="frames_stopped"), ViewRestored(**at(12), cause="frames_stopped")]
"""Nothing is seen until watching begins anew, with other numbers for all dice."""
OFF: list[Fact] = [ViewLost(**at(4.5), cause="not_watched"), ViewRestored(**at(4.6), cause="not_watched")]
"""The appliance is off for a while, and begins to watch anew."""

OFF_AGAIN: list[Fact] = [ViewLost(**at(7), cause="not_watched"), ViewRestored(**at(7.1), cause="not_watched")]

SWEPT: list[Fact] = FIRST[:1]
"""Dice are thrown that nobody sees at rest."""

LATER: list[Fact] = [
    *throw(7, [die(11, 3)], kept=dice("3346", first=2)),
    *throw(10, [die(12, 3)], kept=[die(11, 3), *dice("334", first=2)]),
]
AWAY_LATER: list[Fact] = [
    *(ViewLost(**at(12), cause="frames_stopped"), ViewRestored(**at(19), cause="frames_stopped")),
    rest(19.4, kept=dice("33335", first=31)),
]
"""Two more rolls of one die each, 3 3 3 3 4 in the end, and later they lie otherwise where watching begins anew."""

SIXES = dice("6666", first=2)
LEFT = [die(11, 3), die(12, 4), die(14, 1), die(15, 3)]

SCENARIOS: dict[str, tuple[Sequence[Fact], list[str]]] = {
    "a die that came back is turned by hand before people say that it was thrown": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            *throw(7, dice("66", first=11), kept=KEPT_33),
            rest(9, kept=[*dice("66", first=11), *KEPT_33, die(13, 2)]),
            KeptDieChanged(**at(10), id=13, before=2, after=6, cause="hand"),
            rest(10, kept=[*dice("66", first=11), *KEPT_33, die(13, 6)]),
            DieAnswered(t=11, thrown=True),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back count=1",
            "RestoreOrdered turned_by_hand id=13 value=2",
            "IncidentRecorded kept_die_turned",
            "RollCounted roll=2 values=23366",
        ],
    ),
    "a die that could not be read leans": (
        [
            *throw(3, dice("1334?")),
            ReadingAnswered(t=4, id=5, value=0),
            lift(5, 5),
            *throw(7, [die(11, 2)], kept=dice("1334")),
        ],
        ["ReadingAsked id=5", "RerollOrdered cocked ids=5 count=1 roll=1", "RollCounted roll=1 values=12334"],
    ),
    "one of two dice that could not be read leans on the other, which is read without it": (
        [
            *throw(3, dice("133??")),
            ReadingAnswered(t=4, id=5, value=0),
            lift(5, 5),
            rest(6, kept=dice("1336")),
            *throw(7, [die(11, 2)], kept=dice("1336")),
        ],
        [
            "ReadingAsked id=4",
            "ReadingAsked id=5",
            "RerollOrdered cocked ids=5 count=1 roll=1",
            "RollCounted roll=1 values=12336",
        ],
    ),
    "a kept die that could not be read leans": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            *throw(7, dice("335", first=11), kept=[die(2, None), die(3, 3)]),
            ReadingAnswered(t=9, id=2, value=0),
        ],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked id=2",
            "RestoreOrdered knocked id=2 value=3",
            "RollCounted roll=2 values=33335",
        ],
    ),
    "no die but one that was asked about can lean": (
        [*throw(3, dice("1334?")), ReadingAnswered(t=4, id=4, value=0)],
        ["ReadingAsked id=5", "CallRefused nothing_asked call=answer"],
    ),
    "of two dice with one number only one is read later": (
        [
            *throw(3, [*dice("133"), die(4, None), die(4, None)]),
            rest(6, kept=[*dice("133"), die(4, 2), die(5, 1)]),
        ],
        ["ReadingAsked id=4", "ReadingAsked id=4"],
    ),
    "a die that was not seen to leave was thrown": (
        [
            *FIRST,
            lift(4, 1, 4),
            *throw(7, [die(11, 2)], kept=[*dice("33", first=2), die(5, 6)]),
            DieAnswered(t=9, thrown=True),
            *throw(12, [die(12, 2)], kept=[die(11, 2), *dice("33", first=2), die(5, 6)]),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back count=1",
            "RerollOrdered off_tray count=1 roll=2",
            "RollCounted roll=2 values=22336",
        ],
    ),
    "a die that was neither lifted nor seen to leave": (
        [
            *FIRST,
            lift(4, 5),
            *throw(7, [die(11, 2)], kept=dice("334", first=2)),
        ],
        ["RollCounted roll=1 values=13346", "DieAsked thrown_or_kept_back ids=1 count=1"],
    ),
    "a die that was kept back, and nobody knows which": (
        [
            *FIRST,
            lift(4, 1, 4),
            *throw(7, [die(11, 2)], kept=[*dice("33", first=2), die(5, 6)]),
            DieAnswered(t=9, thrown=False),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back count=1",
            "RollRefused thrown_or_kept_back",
        ],
    ),
    "a kept die vanished in a throw, and lies under the tray": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            throw(7, dice("335", first=11))[0],
            KeptDieMoved(**at(7), id=2, identity="lost"),
            rest(7, dice("335", first=11), kept=[die(3, 3)], missing=1),
            DieAnswered(t=9, thrown=False),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back ids=2 count=1",
            "RestoreOrdered kept_back id=2 value=3",
            "RollCounted roll=2 values=33335",
        ],
    ),
    "a missing die is thrown late": (
        [
            *FIRST,
            lift(4, 1, 4),
            *throw(7, [die(11, 2)], kept=[*dice("33", first=2), die(5, 6)]),
            *throw(9, [die(12, 2)], kept=[die(11, 2), *dice("33", first=2), die(5, 6)]),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back count=1",
            "RollHeld staggered roll=2 values=22336",
        ],
    ),
    "a missing die turns up as it was": (
        [
            *FIRST,
            *throw(7, [die(4, 2)], kept=dice("133")),
            rest(8, kept=[*dice("1332"), die(15, 6)]),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back ids=5 count=1",
            "RollCounted roll=2 values=12336",
        ],
    ),
    "a missing die turns up changed, and people say that it was thrown": (
        [
            *FIRST,
            *throw(7, [die(4, 2)], kept=dice("133")),
            rest(8, kept=[*dice("1332"), die(15, 5)]),
            DieAnswered(t=9, thrown=True),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back ids=5 count=1",
            "RollCounted roll=2 values=12335",
        ],
    ),
    "a missing die turns up changed, and people say that it was kept back": (
        [
            *FIRST,
            *throw(7, [die(4, 2)], kept=dice("133")),
            rest(8, kept=[*dice("1332"), die(15, 5)]),
            DieAnswered(t=9, thrown=False),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back ids=5 count=1",
            "RestoreOrdered kept_back id=5 value=6",
            "RollCounted roll=2 values=12336",
        ],
    ),
    "somebody reaches in while dice move": (
        [FIRST[0], BodyInterfered(**at(2.5)), FIRST[1], HoldAnswered(t=6, counts=True)],
        [
            "IncidentRecorded interference",
            "RollHeld interference roll=1 values=13346",
            "RollCounted roll=1 values=13346",
        ],
    ),
    "the view is lost during a throw and people let it count": (
        [
            FIRST[0],
            ViewLost(**at(2.5), cause="blocked"),
            ViewRestored(**at(2.9), cause="blocked"),
            FIRST[1],
            HoldAnswered(t=6, counts=True),
        ],
        ["RollUnseen roll=1", "RollCounted roll=1 values=13346"],
    ),
    "the view is lost and the dice appear without a throw": (
        [
            FIRST[0],
            ViewLost(**at(2.5), cause="glare"),
            ViewRestored(**at(2.9), cause="glare"),
            rest(3, kept=dice("13346")),
            HoldAnswered(t=6, counts=True),
        ],
        ["RollUnseen roll=1", "RollCounted roll=1 values=13346"],
    ),
    "the view is lost and too few dice appear": (
        [
            FIRST[0],
            ViewLost(**at(2.5), cause="glare"),
            ViewRestored(**at(2.9), cause="glare"),
            rest(3, kept=dice("1334")),
            HoldAnswered(t=6, counts=True),
        ],
        ["RollUnseen roll=1", "RollRefused view_lost"],
    ),
    "the view is lost and all agree to throw again": (
        [
            FIRST[0],
            ViewLost(**at(2.5), cause="blocked"),
            ViewRestored(**at(2.9), cause="blocked"),
            *throw(9, dice("55555", first=11)),
            HoldAnswered(t=10, counts=True),
        ],
        [
            "RollUnseen roll=1",
            "RollRefused view_lost replaces=3 roll=1",
            "RollHeld unanswered roll=1 values=55555",
            "RollCounted roll=1 values=55555",
        ],
    ),
    "and they do so before any dice are seen": (
        [
            *(*FIRST, lift(4, 1, 4, 5), throw(7, dice("335", first=11))[0], ViewLost(**at(6.5), cause="blocked")),
            *(HoldAnswered(t=6.8, counts=False), ViewRestored(**at(7), cause="blocked"), lift(8, 11, 12, 13)),
            *throw(11, dice("666", first=21), kept=KEPT_33),
        ],
        [
            *("RollCounted roll=1 values=13346", "RollUnseen roll=2", "RollRefused view_lost"),
            "RollCounted roll=2 values=33666",
        ],
    ),
    "watching begins anew after the first roll, and the dice lie otherwise": (
        [*FIRST, *AWAY, rest(12.4, kept=dice("11235", first=11)), HoldAnswered(t=14, counts=False)],
        ["RollCounted roll=1 values=13346", "RollUnseen roll=2", "RollRefused view_lost"],
    ),
    "and one of them cannot be read": (
        [*FIRST, *AWAY, rest(12.4, kept=dice("1123?", first=11)), HoldAnswered(t=14, counts=True)],
        ["RollCounted roll=1 values=13346", "RollUnseen roll=2", "ReadingAsked id=15"],
    ),
    "and they lie as before": (
        [*FIRST, *AWAY, rest(12.4, kept=dice("3143?", first=11))],
        ["RollCounted roll=1 values=13346"],
    ),
    "and it is the next player's turn": (
        [*FIRST, choose(4, "C"), *AWAY, rest(12.4, kept=dice("11235", first=11))],
        [
            "RollCounted roll=1 values=13346",
            "BoxProposed box=C points=17",
            "BoxEntered box=C points=17",
            "TurnEnded",
            "TurnStarted",
            "RollUnseen roll=1",
        ],
    ),
    "and one was to be thrown again": (
        [
            *throw(3, [*dice("1334"), die(5, None, "off_tray")]),
            *AWAY,
            rest(12.4, kept=dice("13341", first=11)),
            HoldAnswered(t=14, counts=True),
        ],
        ["RerollOrdered off_tray ids=5 count=1 roll=1", "RollUnseen roll=1", "RollCounted roll=1 values=11334"],
    ),
    "and one that could not be read before shows what it was said to show": (
        [
            *throw(3, dice("1334?")),
            ReadingAnswered(t=4, id=5, value=6),
            *AWAY,
            rest(12.4, kept=dice("13346", first=11)),
        ],
        ["ReadingAsked id=5", "RollCounted roll=1 values=13346"],
    ),
    "and not all are seen at once": (
        [*FIRST, *AWAY, rest(12.4, kept=dice("1123", first=11)), rest(12.8, kept=dice("11235", first=11))],
        ["RollCounted roll=1 values=13346", "RollUnseen roll=2"],
    ),
    "the appliance was off, and dice lie in a tray that was empty": (
        [*OFF, rest(6, kept=dice("11235", first=11)), HoldAnswered(t=8, counts=False), *throw(11, dice("66666", 21))],
        ["RollUnseen roll=1", "RollRefused view_lost", "RollCounted roll=1 values=66666"],
    ),
    "the appliance was off before the first throw, and the tray is empty": (
        [*OFF, *throw(9, dice("66666")), HoldAnswered(t=10, counts=True), lift(11, 1), *throw(14, dice("5", 6), SIXES)],
        ["RollUnseen roll=1", "RollCounted roll=1 values=66666", "RollCounted roll=2 values=56666"],
    ),
    "the appliance was off with dice in the hand, and they are thrown after it": (
        [*FIRST, lift(4, 1, 4, 5), *OFF, rest(6, kept=dice("33", 11)), *throw(9, dice("335", 21), dice("33", 11))],
        ["RollCounted roll=1 values=13346", "RollUnseen roll=2"],
    ),
    "the appliance was off, and then one die lies outside": (
        [*FIRST, *OFF, rest(6, kept=dice("1235", first=11)), *throw(9, dice("66666", 21))],
        ["RollCounted roll=1 values=13346", "RollUnseen roll=2"],
    ),
    "the appliance was off, and the dice lie as before": (
        [*FIRST, *OFF, rest(6, kept=dice("34613", first=11)), lift(7, 13), *throw(9, dice("2", 21), LEFT)],
        ["RollCounted roll=1 values=13346", "RollCounted roll=2 values=12334"],
    ),
    "the appliance was off, and the dice in the hand are laid back as they were": (
        [
            *(*FIRST, lift(4, 1, 4, 5), *OFF, rest(6, kept=dice("33", first=11))),
            *(rest(8, kept=dice("33146", first=11)), lift(9, 15), *throw(12, dice("2", 21), dice("3314", 11))),
        ],
        ["RollCounted roll=1 values=13346", "RollCounted roll=2 values=12334"],
    ),
    "the appliance was off twice, and some dice lie in a tray that was empty": (
        [
            *OFF,
            rest(6, kept=dice("151")),
            *OFF_AGAIN,
            rest(8, kept=dice("151", first=4)),
            *throw(11, dice("66666", 11)),
        ],
        ["RollUnseen roll=1"],
    ),
    "the appliance was off twice, and some dice were seen before": (
        [
            *(*FIRST, lift(4, 1, 4, 5), rest(4.2, kept=KEPT_33), *OFF, rest(6, kept=dice("33", first=11))),
            *(*OFF_AGAIN, rest(8, kept=dice("33", first=21)), *throw(11, dice("666", 31), dice("33", 21))),
        ],
        ["RollCounted roll=1 values=13346", "RollUnseen roll=2"],
    ),
    "the appliance was off, and one of the dice cannot be read now": (
        [*FIRST, *OFF, rest(6, kept=dice("3461?", first=11)), lift(7, 13), *throw(9, dice("2", 21), LEFT)],
        ["RollCounted roll=1 values=13346", "RollUnseen roll=2"],
    ),
    "the appliance was off in the turn before": (
        [*FIRST, *OFF, choose(7, "C"), *throw(11, dice("11235", first=11))],
        [
            *("RollCounted roll=1 values=13346", "BoxProposed box=C points=17", "BoxEntered box=C points=17"),
            *("TurnEnded", "TurnStarted", "RollCounted roll=1 values=11235"),
        ],
    ),
    "the appliance was off while play waited": (
        [PauseCalled(t=4), *OFF, ResumeCalled(t=6), *throw(9, dice("66666"))],
        ["MatchPaused", "MatchResumed", "RollCounted roll=1 values=66666"],
    ),
    "the appliance was off, and a throw that is none comes first": (
        [*OFF, PauseCalled(t=5), *throw(9, dice("66666")), ResumeCalled(t=10), *throw(14, dice("55555", first=11))],
        ["MatchPaused", "RollRefused paused", "MatchResumed", "RollUnseen roll=1"],
    ),
    "the appliance was off while dice were in the air": (
        [
            *(FIRST[0], *OFF, rest(6, kept=dice("13346", first=11)), HoldAnswered(t=8, counts=False)),
            *throw(12, dice("66666", first=21)),
        ],
        ["RollUnseen roll=1", "RollRefused view_lost", "RollCounted roll=1 values=66666"],
    ),
    "a throw never comes to rest, and is thrown again": (
        [*SWEPT, *throw(9, dice("66666", first=11)), HoldAnswered(t=10, counts=False), *throw(14, dice("55555", 21))],
        ["RollHeld interference roll=1 values=66666", "RollRefused interference", "RollCounted roll=1 values=55555"],
    ),
    "a throw never comes to rest, and one that is none comes next": (
        [*SWEPT, *throw(9, dice("6666", first=11)), *throw(14, dice("55555", first=21))],
        ["RollRefused all_dice_together", "RollHeld interference roll=1 values=55555"],
    ),
    "a throw is taken back, and one that is none comes next": (
        [*SWEPT, BodyInterfered(**at(2.5)), rest(4), *throw(9, dice("666666", 11)), *throw(14, dice("55555", 21))],
        [
            *("IncidentRecorded interference", "RollRefused foreign_die", "IncidentRecorded foreign_die"),
            "RollHeld interference roll=1 values=55555",
        ],
    ),
    "a throw is taken back, and another is thrown while play waits": (
        [
            *(*SWEPT, BodyInterfered(**at(2.5)), PauseCalled(t=4), *throw(9, dice("66666", first=11))),
            *(ResumeCalled(t=10), *throw(14, dice("55555", first=21))),
        ],
        [
            *("IncidentRecorded interference", "MatchPaused", "RollRefused paused", "MatchResumed"),
            "RollHeld interference roll=1 values=55555",
        ],
    ),
    "a throw was taken back in the turn before": (
        [
            *(*FIRST, throw(7, dice("66666", 11))[0], BodyInterfered(**at(6.5)), choose(8, "C")),
            *throw(12, dice("66666", 21)),
        ],
        [
            *("RollCounted roll=1 values=13346", "IncidentRecorded interference", "BoxProposed box=C points=17"),
            *("BoxEntered box=C points=17", "TurnEnded", "TurnStarted", "RollCounted roll=1 values=66666"),
        ],
    ),
    "a throw of which all dice left the tray is simply thrown again": (
        [*SWEPT, unseen(2.9, count=5), *throw(9, dice("66666", first=11))],
        ["RollCounted roll=1 values=66666"],
    ),
    "dice vanish that nobody was seen to take, and a throw that is none comes next": (
        [
            *(rest(1, kept=dice("13346")), unseen(2, count=5, last_seen="unknown", ids=(1, 2, 3, 4, 5))),
            *(*throw(9, dice("666666", first=11)), *throw(14, dice("55555", first=21))),
        ],
        ["RollRefused foreign_die", "IncidentRecorded foreign_die", "RollUnseen roll=1"],
    ),
    "watching begins anew after the last roll, and the dice lie otherwise": (
        [*FIRST, *LATER, *AWAY_LATER],
        [
            *("RollCounted roll=1 values=13346", "RollCounted roll=2 values=33346", "RollCounted roll=3 values=33334"),
            "RestoreOrdered put_back_changed id=35 value=4",
        ],
    ),
    "a throw that nobody saw at all is not let count": (
        [FIRST[0], ViewLost(**at(2.5), cause="blocked"), HoldAnswered(t=6, counts=True)],
        ["RollUnseen roll=1", "RollRefused view_lost"],
    ),
    "the view was lost before the throw": (
        [
            ViewLost(**at(1), cause="light_changed"),
            ViewRestored(**at(2), cause="light_changed"),
            *throw(9, dice("12345")),
        ],
        ["RollCounted roll=1 values=12345"],
    ),
    "the view was lost just before the first die was seen": (
        [
            ViewLost(**at(7), cause="blocked"),
            ViewRestored(**at(7.9), cause="blocked"),
            *throw(9, dice("12345"), lasting=0.0),
        ],
        ["RollUnseen roll=1"],
    ),
    "dice vanish that nobody was seen to take, and are seen again as a throw": (
        [
            *throw(3, dice("13346")),
            unseen(6, count=2, last_seen="unknown", ids=(1, 5)),
            rest(6, kept=dice("334", first=2)),
            *throw(9, dice("15", first=6), kept=dice("334", first=2)),
            HoldAnswered(t=10, counts=False),
            *throw(13, dice("26", first=8), kept=dice("334", first=2)),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RollUnseen roll=2",
            "RollRefused view_lost",
            "RollCounted roll=2 values=23346",
        ],
    ),
    "the view is not back yet when dice are thrown": (
        [ViewLost(**at(1), cause="blocked"), *throw(9, dice("12345"))],
        ["RollUnseen roll=1"],
    ),
    "an unsure reading is answered": (
        [*throw(3, [*dice("133?"), die(5, None, likely=6)]), *(ReadingAnswered(t=9, id=i, value=4) for i in (5, 4))],
        ["ReadingAsked id=4", "ReadingAsked id=5 likely=6", "RollCounted roll=1 values=13344"],
    ),
    "an unsure reading becomes sure": (
        [*throw(3, dice("1334?")), rest(4, kept=dice("1334?")), rest(5, kept=dice("13346"))],
        ["ReadingAsked id=5", "RollCounted roll=1 values=13346"],
    ),
    "an unsure die that did not stay is not taken at its word": (
        [*throw(3, dice("1334?")), rest(5, kept=[*dice("1334"), die(9, 6)])],
        ["ReadingAsked id=5"],
    ),
    "an unsure die that was turned is not taken at its word": (
        [
            *throw(3, dice("1334?")),
            KeptDieChanged(**at(4), id=5, before=6, after=2, cause="hand"),
            rest(4.2, kept=dice("13342")),
            ReadingAnswered(t=6, id=5, value=6),
        ],
        [
            "ReadingAsked id=5",
            "RestoreOrdered turned_by_hand id=5 value=6",
            "IncidentRecorded kept_die_turned",
            "RollCounted roll=1 values=13346",
        ],
    ),
    "an unsure die that was put back is not ordered back to what it was put back as": (
        [
            *throw(3, dice("1334?")),
            lift(4, 5),
            rest(5, kept=dice("13345")),
            KeptDieChanged(**at(6), id=5, before=5, after=6, cause="hand"),
            rest(6.2, kept=dice("13346")),
        ],
        ["ReadingAsked id=5"],
    ),
    "an unsure die that was lifted is not taken at its word": (
        [*throw(3, dice("1334?")), lift(4, 5), rest(5, kept=dice("13346"))],
        ["ReadingAsked id=5"],
    ),
    "an unsure die that was lifted is not taken at its word later either, but people are": (
        [
            *throw(3, dice("1334?")),
            lift(4, 5),
            rest(5, kept=dice("13346")),
            lift(6, 1),
            rest(7, kept=dice("13346")),
            ReadingAnswered(t=8, id=5, value=2),
        ],
        ["ReadingAsked id=5", "RollCounted roll=1 values=12334"],
    ),
    "an unsure die that was knocked aside is not taken at its word either": (
        [*throw(3, dice("1334?")), KeptDieMoved(**at(4), id=5, identity="sure"), rest(5, kept=dice("13346"))],
        ["ReadingAsked id=5"],
    ),
    "an unsure die that a throw knocks is asked about again": (
        [
            *throw(3, dice("1334?")),
            *throw(7, dice("66", first=11), kept=[*dice("33", first=2), die(5, 5)])[:-1],
            KeptDieMoved(**at(7), id=5, identity="sure"),
            *throw(7, dice("66", first=11), kept=[*dice("33", first=2), die(5, 5)])[-1:],
        ],
        ["ReadingAsked id=5", "Noticed unanswered", "ReadingAsked id=5 likely=5"],
    ),
    "an unsure die that a throw knocked is not taken at its word at the next look": (
        [
            *throw(3, dice("1334?")),
            KeptDieMoved(**at(6), id=5, identity="sure"),
            *throw(7, dice("66", first=11), kept=[*dice("33", first=2), die(5, None)]),
            rest(9, kept=[*dice("66", first=11), *dice("33", first=2), die(5, 6)]),
        ],
        ["ReadingAsked id=5", "Noticed unanswered", "ReadingAsked id=5"],
    ),
    "an unsure die that a hand had in a roll that is refused is not read after it": (
        [
            *throw(3, dice("?2346")),
            lift(4, 2, 3, 4, 5),
            *throw(7, dice("2345", first=11), kept=[die(1, None)]),
            lift(8, 11, 12, 13, 14),
            BodyInterfered(**at(9.5)),
            *throw(11, dice("5566", first=21), kept=[die(1, None)]),
            lift(12, 1),
            rest(13, kept=[die(1, 3), *dice("5566", first=21)]),
            lift(14, 21, 22, 23, 24),
            *throw(17, dice("1122", first=31), kept=[die(1, 3)]),
        ],
        [
            "ReadingAsked id=1",
            "Noticed unanswered",
            "ReadingAsked id=1",
            "IncidentRecorded interference",
            "Noticed unanswered",
            "RollHeld interference roll=3",
            "RollRefused interference replaces=8 roll=3",
            "RollHeld unanswered roll=3",
        ],
    ),
    "answers that nobody asked for": (
        [
            ReadingAnswered(t=1, id=1, value=6),
            HoldAnswered(t=1, counts=True),
            DieAnswered(t=1, thrown=True),
            *throw(3, dice("1334?")),
            ReadingAnswered(t=4, id=1, value=6),
            ReadingAnswered(t=4, id=5, value=7),
            HoldAnswered(t=4, counts=False),
            DieAnswered(t=4, thrown=True),
        ],
        [
            *["CallRefused nothing_asked call=answer"] * 3,
            "ReadingAsked id=5",
            "CallRefused nothing_asked call=answer",
            "CallRefused bad_reading call=answer",
            *["CallRefused nothing_asked call=answer"] * 2,
        ],
    ),
    "a lost die is said to show what no die shows": (
        [
            *FIRST,
            lift(4, 1, 4, 5),
            KeptDieMoved(**at(6.5), id=2, identity="lost"),
            rest(7, dice("3356", first=11), kept=[die(3, 3)]),
            ReadingAnswered(t=9, id=2, value=1),
        ],
        [
            "RollCounted roll=1 values=13346",
            "ReadingAsked kept id=2 likely=3",
            "CallRefused bad_reading call=answer",
        ],
    ),
    "a value that people decided holds while the die is kept": (
        [
            *throw(3, dice("1334?")),
            ReadingAnswered(t=4, id=5, value=6),
            *throw(7, dice("66", first=11), kept=[*dice("33", first=2), die(5, None)]),
        ],
        ["ReadingAsked id=5", "RollCounted roll=1 values=13346", "RollCounted roll=2 values=33666"],
    ),
    "a kept die that cannot be read any more is asked about": (
        [*FIRST, *throw(7, dice("335", first=11), kept=[die(2, None, likely=3), die(3, 3)])],
        ["RollCounted roll=1 values=13346", "ReadingAsked id=2 likely=3"],
    ),
    "people and camera disagree about a kept die": (
        [
            *throw(3, dice("1334?")),
            ReadingAnswered(t=4, id=5, value=6),
            *throw(7, dice("66", first=11), kept=[*dice("33", first=2), die(5, 5)]),
        ],
        ["ReadingAsked id=5", "RollCounted roll=1 values=13346", "ReadingAsked id=5 likely=5"],
    ),
    "play goes on although a value was asked": (
        [*throw(3, dice("1334?")), *throw(7, dice("66", first=11), kept=dice("334", first=2))],
        ["ReadingAsked id=5", "Noticed unanswered", "RollCounted roll=2 values=33466"],
    ),
    "play goes on although a throw was held": (
        [*throw(3, dice("13346"), tumble=0), *throw(7, dice("66", first=11), kept=dice("334", first=2))],
        [
            "Noticed weak_throw",
            "RollHeld weak_throw roll=1 values=13346",
            "RollRefused weak_throw replaces=4 roll=1",
            "RollHeld unanswered roll=2 values=33466",
        ],
    ),
    "a held throw is simply thrown again": (
        [
            *throw(3, dice("13346"), tumble=0),
            *throw(7, dice("55555", first=11)),
            *throw(11, dice("66666", first=21)),
            HoldAnswered(t=12, counts=True),
        ],
        [
            "Noticed weak_throw",
            "RollHeld weak_throw roll=1 values=13346",
            "RollRefused weak_throw replaces=4 roll=1",
            "RollHeld unanswered roll=1 values=55555",
            "RollRefused unanswered replaces=6 roll=1",
            "RollHeld unanswered roll=1 values=66666",
            "RollCounted roll=1 values=66666",
        ],
    ),
    "all is thrown again although a die was not accounted for": (
        [
            *FIRST,
            rest(7, dice("33", first=11), kept=[die(2, 3), die(3, 3)]),
            rest(12, dice("66666", first=21)),
            HoldAnswered(t=13, counts=False),
        ],
        [
            "RollCounted roll=1 values=13346",
            "DieAsked thrown_or_kept_back count=1",
            "RollRefused thrown_or_kept_back replaces=4 roll=2",
            "RollHeld unanswered roll=2 values=66666",
            "RollRefused unanswered",
        ],
    ),
    "dice enter more than a second apart": (
        [*throw(3, dice("13346"), lasting=1.2), HoldAnswered(t=5, counts=True)],
        ["RollHeld staggered roll=1 values=13346", "RollCounted roll=1 values=13346"],
    ),
    "a held roll is refused of which a die was thrown again": (
        [
            *throw(3, [*dice("1334"), die(5, None, "off_tray")], lasting=1.3),
            *(*throw(7, [die(6, 6)], kept=dice("1334")), HoldAnswered(t=9, counts=False)),
            *throw(12, dice("55555", first=11)),
        ],
        [
            *("RerollOrdered off_tray ids=5 count=1 roll=1", "RollHeld staggered roll=1 values=13346"),
            *("RollRefused staggered", "RollCounted roll=1 values=55555"),
        ],
    ),
    "more dice than ordered are thrown again, which is refused": (
        [
            *throw(3, [*dice("1334"), die(5, None, "off_tray")]),
            *(lift(4, 4), *throw(7, dice("66", 11), kept=dice("133")), HoldAnswered(t=9, counts=False)),
            *throw(12, dice("2", first=21), kept=[*dice("133"), die(11, 6)]),
        ],
        [
            *("RerollOrdered off_tray ids=5 count=1 roll=1", "RollHeld more_than_ordered roll=1 values=13366"),
            *("RollRefused more_than_ordered", "ReadingAsked id=11 likely=6"),
        ],
    ),
    "a held roll is refused": (
        [*throw(3, dice("13346"), lasting=1.2), HoldAnswered(t=5, counts=False), *throw(9, dice("55555", first=6))],
        [
            "RollHeld staggered roll=1 values=13346",
            "RollRefused staggered",
            "RollCounted roll=1 values=55555",
        ],
    ),
    "dice set down or slid": (
        [*throw(3, dice("66666"), tumble=0.0), HoldAnswered(t=5, counts=True)],
        [
            "Noticed weak_throw",
            "RollHeld weak_throw roll=1 values=66666",
            "RollCounted roll=1 values=66666",
        ],
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str) -> None:
    facts, expected = SCENARIOS[name]
    _, rulings = match(*facts)
    assert [short(ruling) for ruling in rulings] == expected


def test_where_such_throws_are_refused_at_once_the_one_after_is_none() -> None:
    throws = throw(9, dice("66666")), throw(14, dice("55555", first=11))
    _, rulings = match(*OFF, *throws, options=Options(strict=frozenset({"view_lost"})))
    assert [short(ruling) for ruling in rulings] == ["RollRefused view_lost", "RollCounted roll=1 values=55555"]


def test_no_house_rule_is_declared_once_a_throw_may_have_been_missed() -> None:
    unseen_first = rest(1, kept=dice("11111")), *AWAY, rest(12.4, kept=dice("11235", first=11))
    _, rulings = match(*unseen_first, HouseRulesDeclared(t=15, settings={"mulligan": True}))
    assert [short(ruling) for ruling in rulings] == [
        "RollUnseen roll=1",
        "CallRefused house_rules_locked call=house_rules",
    ]


def test_dice_that_lie_otherwise_while_play_waits_are_no_roll() -> None:
    _, rulings = match(*FIRST, PauseCalled(t=4.2, player="Ann"), *AWAY, rest(12.4, kept=dice("11235", first=11)))
    assert not any(isinstance(ruling, RollUnseen) for ruling in rulings)


def test_a_box_proposed_for_the_roll_before_is_not_entered_for_one_that_nobody_saw() -> None:
    lies = rest(12.4, kept=dice("11235", first=11))
    umpire, rulings = match(*FIRST, choose(4, "C"), *AWAY, lies, options=Options(marker=True))
    assert [short(ruling) for ruling in rulings][-2:] == ["Noticed withdrawn replaces=4", "RollUnseen roll=2"]
    assert umpire.state.proposal is None
