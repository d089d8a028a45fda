"""The tray protocol: throws that count, that are not complete yet, and that are no roll."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scorer.events import (
    BodyInterfered,
    DieAnswered,
    Fact,
    HandEntered,
    HandLeft,
    HoldAnswered,
    KeptDieChanged,
    KeptDieMoved,
    ReadingAnswered,
    RecordingEnded,
    RollCounted,
    ViewLost,
    ViewRestored,
)
from scorer.state import Options
from tests.scorer.tray import (
    FIRST,
    KEPT_33,
    SECOND,
    THIRD,
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

KEPT_3_LOST: list[Fact] = [*FIRST, lift(4, 1, 3, 4, 5), KeptDieMoved(**at(6.5), id=2, identity="lost")]
"""A throw that drove a kept 3 among the thrown dice."""

SCENARIOS: dict[str, tuple[Sequence[Fact], list[str]]] = {
    "another die is thrown in place of the one that was ordered": (
        [
            *throw(3, [*dice("6661"), die(5, None, "off_tray")]),
            lift(6, 4),
            *throw(9, [die(11, 2)], kept=dice("666")),
            *throw(15, [die(12, 6)], kept=[*dice("666"), die(11, 2)]),
        ],
        ["RerollOrdered off_tray ids=5 count=1 roll=1", "RollHeld more_than_ordered roll=1 values=26666"],
    ),
    "a die that stood beside the one that was ordered is lifted and put back": (
        [
            *throw(3, [*dice("6661"), die(5, None, "off_tray")]),
            lift(6, 4),
            rest(7, kept=dice("6661")),
            *throw(9, [die(11, 2)], kept=dice("6661")),
        ],
        ["RerollOrdered off_tray ids=5 count=1 roll=1", "RollCounted roll=1 values=12666"],
    ),
    "all dice thrown, flat and sure": (FIRST, ["RollCounted roll=1 values=13346"]),
    "some kept, the others thrown": (
        [*FIRST, *SECOND, *THIRD],
        [
            "RollCounted roll=1 values=13346",
            "RollCounted roll=2 values=33335",
            "RollCounted roll=3 values=33333",
        ],
    ),
    "hands that change nothing": (
        [*FIRST, HandEntered(**at(4)), HandLeft(**at(5)), rest(5, kept=dice("13346"))],
        ["RollCounted roll=1 values=13346"],
    ),
    "a thrown die off the tray, seen lying there": (
        [*throw(3, [*dice("1334"), die(5, None, "off_tray")]), *throw(7, [die(6, 6)], kept=dice("1334"))],
        ["RerollOrdered off_tray ids=5 count=1 roll=1", "RollCounted roll=1 values=13346"],
    ),
    "a thrown die over the rim, not seen again": (
        [throw(3, dice("1334"))[0], unseen(2.9), rest(3, dice("1334"), missing=1)],
        ["RerollOrdered off_tray count=1 roll=1"],
    ),
    "a die thrown again leaves the tray again": (
        [
            *throw(3, [*dice("1334"), die(5, None, "off_tray")]),
            *throw(7, [die(6, None, "off_tray")], kept=dice("1334")),
            *throw(9, [die(7, 2)], kept=dice("1334")),
        ],
        [
            "RerollOrdered off_tray ids=5 count=1 roll=1",
            "RerollOrdered off_tray ids=6 count=1 roll=1",
            "RollCounted roll=1 values=12334",
        ],
    ),
    "two dice off the tray are thrown again one by one": (
        [
            *throw(3, [*dice("133"), die(4, None, "off_tray"), die(5, None, "off_tray")]),
            *throw(7, [die(6, 6)], kept=dice("133")),
            *throw(10, [die(7, 2)], kept=[*dice("133"), die(6, 6)]),
        ],
        ["RerollOrdered off_tray ids=45 count=2 roll=1", "RollCounted roll=1 values=12336"],
    ),
    "of two dice to be thrown again one still leans as the other is thrown": (
        [
            *throw(3, [*dice("133"), die(4, 4, "cocked"), die(5, None, "off_tray")]),
            *throw(7, [die(6, 6)], kept=[*dice("133"), die(4, 4, "cocked")]),
            *(lift(8, 4), *throw(10, [die(7, 2)], kept=[*dice("133"), die(6, 6)])),
        ],
        [
            *("RerollOrdered off_tray ids=5 count=1 roll=1", "RerollOrdered cocked ids=4 count=1 roll=1"),
            "RollCounted roll=1 values=12336",
        ],
    ),
    "and a hand sets it down flat": (
        [
            *throw(3, [*dice("133"), die(4, 4, "cocked"), die(5, None, "off_tray")]),
            *(lift(4, 4), rest(5, kept=[*dice("133"), die(4, 6)])),
            *throw(7, [die(6, 6)], kept=[*dice("133"), die(4, 6)]),
            *(lift(8, 4), *throw(10, [die(7, 2)], kept=[*dice("133"), die(6, 6)])),
        ],
        [
            *("RerollOrdered off_tray ids=5 count=1 roll=1", "RerollOrdered cocked ids=4 count=1 roll=1"),
            "RollCounted roll=1 values=12336",
        ],
    ),
    "a die put back by hand instead of thrown again": (
        [*throw(3, [*dice("1334"), die(5, None, "off_tray")]), rest(7, kept=[*dice("1334"), die(6, 6)])],
        ["RerollOrdered off_tray ids=5 count=1 roll=1"],
    ),
    "more dice thrown again than ordered": (
        [*throw(3, [*dice("1334"), die(5, None, "off_tray")]), *throw(7, dice("66666", first=11))],
        [
            "RerollOrdered off_tray ids=5 count=1 roll=1",
            "RollHeld more_than_ordered roll=1 values=66666",
        ],
    ),
    "a standing die pushed by the die thrown again": (
        [
            *throw(3, [*dice("1334"), die(5, None, "off_tray")]),
            *throw(7, [die(6, 6), die(4, 4)], kept=dice("133")),
        ],
        ["RerollOrdered off_tray ids=5 count=1 roll=1", "RollCounted roll=1 values=13346"],
    ),
    "a cocked die and a stacked one": (
        [
            *throw(3, [*dice("133"), die(4, 4, "cocked"), die(5, 5, "stacked")]),
            *throw(7, dice("66", first=6), kept=dice("133")),
        ],
        [
            "RerollOrdered cocked ids=4 count=1 roll=1",
            "RerollOrdered stacked ids=5 count=1 roll=1",
            "RollCounted roll=1 values=13366",
        ],
    ),
    "first throw with fewer than all": (
        [*throw(3, dice("1334")), *throw(7, dice("55555", first=11))],
        ["RollRefused all_dice_together", "RollCounted roll=1 values=55555"],
    ),
    "first throw that nobody saw with fewer than all": (
        [ViewLost(**at(1.5), cause="blocked"), ViewRestored(**at(2.9), cause="blocked"), *throw(3, dice("1334"))],
        ["RollUnseen roll=1"],
    ),
    "first throw beside dice that lie there": (
        throw(3, dice("133"), kept=dice("46", first=8)),
        ["RollRefused all_dice_together"],
    ),
    "a fourth throw": (
        [*FIRST, *SECOND, *THIRD, *throw(15, dice("11111", first=41)), rest(16, kept=dice("11111", first=41))],
        [
            "RollCounted roll=1 values=13346",
            "RollCounted roll=2 values=33335",
            "RollCounted roll=3 values=33333",
            "RollRefused three_rolls",
        ],
    ),
    "a die thrown again after the third throw is no fourth": (
        [
            *FIRST,
            *SECOND,
            *throw(11, [die(21, None, "off_tray")], kept=[*KEPT_33, *dice("33", first=11)]),
            *throw(14, [die(22, 1)], kept=[*KEPT_33, *dice("33", first=11)]),
            *throw(17, [die(23, 3)], kept=[*KEPT_33, *dice("33", first=11)]),
        ],
        [
            "RollCounted roll=1 values=13346",
            "RollCounted roll=2 values=33335",
            "RerollOrdered off_tray ids=21 count=1 roll=3",
            "RollCounted roll=3 values=13333",
            "RollRefused three_rolls",
        ],
    ),
    "a die never seen in this match": (
        [*throw(3, [*dice("1334"), replace(die(5, 6), foreign=True)]), *throw(9, dice("55555", first=11))],
        [
            "RollRefused foreign_die",
            "IncidentRecorded foreign_die",
            "RollCounted roll=1 values=55555",
        ],
    ),
    "a strange die lies there after hands were at the dice": (
        [
            *FIRST,
            rest(5, kept=[*dice("1334"), replace(die(9, 6), foreign=True)]),
            rest(6, kept=[*dice("1334"), replace(die(9, 6), foreign=True)]),
        ],
        ["RollCounted roll=1 values=13346", "IncidentRecorded foreign_die"],
    ),
    "a sixth die lies there after hands were at the dice": (
        [*FIRST, rest(5, kept=dice("133466")), rest(6, kept=dice("133466"))],
        ["RollCounted roll=1 values=13346", "IncidentRecorded foreign_die"],
    ),
    "a throw that is told twice": (
        [*FIRST, FIRST[-1], *SECOND, SECOND[-1]],
        ["RollCounted roll=1 values=13346", "RollCounted roll=2 values=33335"],
    ),
    "and once more after an answer to it": (
        [*throw(3, dice("13346"), lasting=1.3), HoldAnswered(t=5, counts=True), rest(3, dice("13346"))],
        ["RollHeld staggered roll=1 values=13346", "RollCounted roll=1 values=13346"],
    ),
    "a throw told twice of which one die is to be thrown again": (
        [*throw(3, [*dice("1334"), die(5, None, "off_tray")]), rest(3, [*dice("1334"), die(5, None, "off_tray")])],
        ["RerollOrdered off_tray ids=5 count=1 roll=1"],
    ),
    "one told twice that is no roll": (
        [*throw(3, dice("1334")), rest(3, dice("1334"))],
        ["RollRefused all_dice_together"],
    ),
    "a look that is told twice": (
        [*FIRST, rest(5, kept=dice("16346")), rest(5, kept=dice("16346"))],
        [
            *("RollCounted roll=1 values=13346", "RestoreOrdered turned_by_hand id=2 value=3"),
            "IncidentRecorded kept_die_turned",
        ],
    ),
    "a sixth die": (
        [*throw(3, dice("133466")), *throw(9, dice("55555", first=11))],
        [
            "RollRefused foreign_die",
            "IncidentRecorded foreign_die",
            "RollCounted roll=1 values=55555",
        ],
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str) -> None:
    facts, expected = SCENARIOS[name]
    _, rulings = match(*facts)
    assert [short(ruling) for ruling in rulings] == expected


@pytest.mark.parametrize(
    ("options", "facts", "expected"),
    [
        (
            Options(strict=frozenset({"staggered"})),
            [*throw(3, dice("13346"), lasting=1.5), *throw(7, dice("55555", first=11))],
            ["RollRefused staggered", "RollCounted roll=1 values=55555"],
        ),
        (
            Options(strict=frozenset({"weak_throw"})),
            throw(3, dice("13346"), tumble=0.0),
            ["RollRefused weak_throw"],
        ),
        (
            Options(strict=frozenset({"weak_throw"})),
            throw(3, dice("13346"), tumble=(0.3, 0.1, 0.0, 0.0, 0.0)),
            ["RollRefused weak_throw"],
        ),
        (
            Options(strict=frozenset({"interference"})),
            [FIRST[0], BodyInterfered(**at(2.5)), FIRST[1]],
            ["IncidentRecorded interference", "RollRefused interference"],
        ),
        (
            Options(strict=frozenset({"more_than_ordered"})),
            [*throw(3, [*dice("1334"), die(5, None, "off_tray")]), *throw(7, dice("66666", first=11))],
            ["RerollOrdered off_tray ids=5 count=1 roll=1", "RollRefused more_than_ordered"],
        ),
        (
            Options(strict=frozenset({"view_lost"})),
            [
                FIRST[0],
                ViewLost(**at(2.5), cause="blocked"),
                ViewRestored(**at(2.9), cause="blocked"),
                *FIRST[1:],
                *throw(9, dice("55555", first=11)),
            ],
            ["RollUnseen roll=1", "RollRefused view_lost", "RollCounted roll=1 values=55555"],
        ),
        (
            Options(cocked_stands=True),
            throw(3, [*dice("1334"), die(5, 6, "cocked")]),
            ["RollCounted roll=1 values=13346"],
        ),
        (
            Options(cocked_stands=True),
            throw(3, [*dice("1334"), die(5, None, "cocked")]),
            ["ReadingAsked id=5"],
        ),
        (
            Options(as_it_lies=True),
            [
                *FIRST,
                KeptDieChanged(**at(6.9), id=2, before=3, after=6, cause="hit"),
                *throw(7, dice("335", first=11), kept=[die(2, 6), die(3, 3)]),
            ],
            ["RollCounted roll=1 values=13346", "RollCounted roll=2 values=33356"],
        ),
        (
            Options(as_it_lies=True),
            [*FIRST, lift(4, 1, 2, 4, 5), *throw(7, dice("612", first=11), kept=[die(2, 6), die(3, 3)])],
            [
                "RollCounted roll=1 values=13346",
                "RestoreOrdered put_back_changed id=2 value=3",
                "RollCounted roll=2 values=12336",
            ],
        ),
        (
            Options(as_it_lies=True),
            [*KEPT_3_LOST, rest(7, dice("66666", first=11))],
            ["RollCounted roll=1 values=13346", "RollCounted roll=2 values=66666"],
        ),
        (
            Options(as_it_lies=True),
            [
                *KEPT_3_LOST,
                rest(7, dice("6662?", first=11)),
                ReadingAnswered(t=8, id=15, value=1),
                KeptDieChanged(**at(9), id=11, before=6, after=3, cause="hand"),
            ],
            [
                "RollCounted roll=1 values=13346",
                "ReadingAsked id=15",
                "RollCounted roll=2 values=12666",
                "RestoreOrdered turned_by_hand id=11 value=6",
                "IncidentRecorded kept_die_turned",
            ],
        ),
        (
            Options(automatic_boxes=True),
            [*FIRST, *SECOND, *THIRD, *throw(20, dice("12346", first=31)), RecordingEnded(t=30, frame=900)],
            [
                "RollCounted roll=1 values=13346",
                "RollCounted roll=2 values=33335",
                "RollCounted roll=3 values=33333",
                "BoxEntered box=Y points=50 automatic=True",
                "TurnEnded",
                "TurnStarted",
                "RollCounted roll=1 values=12346",
                "BoxEntered box=SS points=30 automatic=True",
                "TurnEnded",
                "TurnStarted",
                "MatchEnded",
            ],
        ),
        (
            Options(automatic_boxes=True),
            [*FIRST, *throw(7, dice("?35", first=11), kept=KEPT_33), RecordingEnded(t=30)],
            ["RollCounted roll=1 values=13346", "ReadingAsked id=11", "MatchEnded"],
        ),
    ],
)
def test_what_the_players_agreed_beforehand(options: Options, facts: Sequence[Fact], expected: list[str]) -> None:
    _, rulings = match(*facts, options=options)
    assert [short(ruling) for ruling in rulings] == expected


def kept_of(*facts: Fact | Sequence[Fact]) -> list[str]:
    """The values kept for each roll that counted."""
    _, rulings = match(*facts)
    return ["".join(map(str, ruling.kept)) for ruling in rulings if isinstance(ruling, RollCounted)]


def test_a_roll_says_what_was_kept_for_it() -> None:
    assert kept_of(FIRST, SECOND, THIRD) == ["", "33", "3333"]


def test_what_was_knocked_over_or_out_was_kept_all_the_same() -> None:
    turned = throw(7, dice("335", first=11), kept=[die(2, 6), die(3, 3)])
    assert kept_of(FIRST, turned) == ["", "33"]
    in_the_air = throw(7, dice("335", first=11))[0]
    out = [in_the_air, unseen(6.9, ids=(2,)), rest(7, dice("335", first=11), kept=[die(3, 3)], missing=1)]
    assert kept_of(FIRST, lift(4, 1, 4, 5), out) == ["", "33"]


def test_dice_of_a_roll_that_are_thrown_again_were_not_kept_for_it() -> None:
    again = [
        *throw(7, [*dice("33", first=11), die(13, None, "off_tray")], kept=KEPT_33),
        *throw(9, [die(14, 5)], kept=[*dice("33", first=11), *KEPT_33]),
    ]
    assert kept_of(FIRST, again) == ["", "33"]


def test_a_die_kept_back_in_the_hand_was_kept() -> None:
    gone = throw(7, [die(4, 2)], kept=dice("133"))
    assert kept_of(FIRST, gone, DieAnswered(t=9, thrown=False)) == ["", "1336"]
