"""Taking back, by agreement, a roll that counted or a box that was entered."""

import pytest

from scorer.events import BoxEntered, Fact, MatchEnded, RefereeCalled, RefereeDecided, RollCounted, Undo, Undone
from scorer.presets import ruleset
from tests.scorer.test_house import MULLIGAN, call, three_rolls
from tests.scorer.test_kept import KNOCKED_OUT, RULED_OUT
from tests.scorer.tray import FIRST, KEPT_33, SECOND, choose, dice, die, feed, lift, match, rest, shorts, throw

BOTH = ("Ann", "Ben")

UNDONE_OUT = [*KNOCKED_OUT, Undo(t=8, entry=5, by=BOTH)]
"""A throw that drove a kept 3 over the wall beside another and a 6, which is taken back."""


def test_a_box_is_taken_back_and_chosen_anew() -> None:
    umpire, rulings = match(FIRST, choose(5, "C"))
    entered = next(ruling for ruling in rulings if isinstance(ruling, BoxEntered))
    undone = umpire.on(Undo(t=6, entry=entered.entry, by=BOTH))
    assert [type(ruling) for ruling in undone] == [Undone]
    assert (undone[0].replaces, undone[0].player) == (entered.entry, "Ann")
    assert (umpire.state.player, umpire.state.waiting_for) == ("Ann", "throw")
    assert not umpire.state.cards[0].points
    assert "BoxEntered box=4s points=4" in shorts(feed(umpire, choose(8, "4s")))


def test_a_roll_is_taken_back_with_all_that_came_after_it() -> None:
    umpire, rulings = match(FIRST, SECOND, choose(9, "3K"), throw(15, dice("12345", first=31)))
    second = [ruling for ruling in rulings if isinstance(ruling, RollCounted)][1]
    box, third = [ruling.entry for ruling in rulings if isinstance(ruling, RollCounted | BoxEntered)][2:]
    undone = umpire.on(Undo(t=20, entry=second.entry, by=BOTH))
    assert [(type(ruling), ruling.replaces, ruling.player) for ruling in undone] == [
        (Undone, third, "Ben"),
        (Undone, box, "Ann"),
        (Undone, second.entry, "Ann"),
    ]
    assert (umpire.state.player, umpire.state.turn.roll, umpire.state.turn.values) == ("Ann", 1, (1, 3, 3, 4, 6))
    assert shorts(feed(umpire, throw(25, dice("66666", first=41)))) == ["RollCounted roll=2 values=66666"]


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (throw(12, dice("66", first=21), kept=[die(3, 3), die(5, 6)]), "RollCounted roll=2 values=33666"),
        (
            [
                *(rest(9, kept=[die(2, 6), die(3, 3), die(5, 6), *dice("35", first=11)]), lift(10, 11, 12)),
                *throw(12, dice("66", first=21), kept=[die(2, 6), die(3, 3), die(5, 6)]),
            ],
            "RollCounted roll=2 values=33666",
        ),
        (
            [
                *(rest(9, kept=[die(31, 6), die(3, 3), die(5, 6), *dice("35", first=11)]), lift(10, 11, 12)),
                *throw(12, dice("66", first=21), kept=[die(31, 6), die(3, 3), die(5, 6)]),
            ],
            "ReadingAsked id=31 likely=6",
        ),
        (
            [lift(10, 12), *throw(12, dice("6", first=21), kept=[die(3, 3), die(5, 6), die(11, 3)])],
            "ReadingAsked id=11 likely=3",
        ),
    ],
)
def test_a_die_that_the_roll_taken_back_knocked_out_is_to_be_set_back(facts: list[Fact], expected: str) -> None:
    _, rulings = match(*UNDONE_OUT, *facts)
    assert shorts(rulings) == [*RULED_OUT, "Undone replaces=5 by=AnnBen", expected]


def test_a_die_that_the_roll_taken_back_turned_is_to_be_set_back() -> None:
    turned = [die(2, 6), die(3, 3)]
    umpire, rulings = match(FIRST, lift(4, 1, 4, 5), throw(7, dice("335", first=11), kept=turned))
    again = rest(9, kept=[*turned, *dice("335", first=11)]), lift(10, 11, 12, 13), throw(12, dice("666", 21), turned)
    assert shorts(feed(umpire, Undo(t=8, entry=rulings[-1].entry, by=BOTH), *again)) == [
        "Undone replaces=5 by=AnnBen",
        "RollCounted roll=2 values=33666",
    ]


def test_dice_of_a_roll_taken_back_were_not_turned_by_hand() -> None:
    umpire, rulings = match(FIRST, SECOND)
    looked = rest(9, kept=[*KEPT_33, *dice("335", first=11)])
    assert not feed(umpire, Undo(t=8, entry=rulings[-1].entry, by=BOTH), looked)[1:]


def test_dice_of_the_next_player_are_none_of_the_turn_gone_back_to() -> None:
    umpire, rulings = match(FIRST, choose(5, "C"), throw(9, dice("12345", first=11)))
    box = next(ruling for ruling in rulings if isinstance(ruling, BoxEntered))
    umpire.on(Undo(t=10, entry=box.entry, by=BOTH))
    assert not umpire.on(rest(11, kept=dice("12345", first=11)))
    kept = throw(14, dice("6", first=21), kept=dice("1234", first=11))
    assert shorts(feed(umpire, lift(12, 15), kept)) == [f"ReadingAsked id={10 + n} likely={n}" for n in (1, 2, 3, 4)]


def test_the_end_of_the_match_may_be_taken_back_too() -> None:
    full = "1s=3 2s=6 3s=9 4s=12 5s=15 6s=18 3K=20 4K=0 FH=25 SS=30 LS=40 Y=50"
    umpire, rulings = match(throw(3, dice("66666")), choose(5, "C"), players=["Ann"], cards=[full])
    assert isinstance(rulings[-1], MatchEnded)
    umpire.on(Undo(t=9, entry=rulings[-3].entry, by=("Ann",)))
    assert umpire.state.waiting_for == "throw"
    assert umpire.state.legal[0].box == "C"


def test_entries_are_numbered_without_a_gap_and_none_is_lost() -> None:
    umpire, rulings = match(FIRST, choose(5, "C"))
    rulings += umpire.on(Undo(t=6, entry=5, by=BOTH))
    rulings += feed(umpire, choose(8, "4s"))
    assert [ruling.entry for ruling in rulings] == list(range(3, 3 + len(rulings)))
    assert umpire.state.entries == rulings[-1].entry


@pytest.mark.parametrize(
    ("entry", "by", "reason"),
    [
        (5, ("Ann",), "undo_needs_two"),
        (5, ("Ann", "Ann"), "undo_needs_two"),
        (5, ("Ann", "Cy"), "undo_needs_two"),
        (4, BOTH, "unknown_entry"),
        (99, BOTH, "unknown_entry"),
    ],
)
def test_one_alone_takes_nothing_back(entry: int, by: tuple[str, ...], reason: str) -> None:
    umpire, _ = match(FIRST, choose(5, "C"))
    assert shorts(umpire.on(Undo(t=6, entry=entry, by=by))) == [f"CallRefused {reason} call=undo"]
    assert umpire.state.cards[0].points == {"C": 17}


def test_the_disqualified_take_nothing_back() -> None:
    out = RefereeDecided(t=7, action="disqualify", reason="twice", player="Cy")
    umpire, _ = match(FIRST, choose(5, "C"), RefereeCalled(t=6), out, players=["Ann", "Ben", "Cy"])
    one = umpire.on(Undo(t=8, entry=5, by=("Ann", "Cy")))
    assert shorts(one) == ["CallRefused undo_needs_two call=undo"]
    assert isinstance(umpire.on(Undo(t=9, entry=5, by=BOTH))[0], Undone)


def test_nothing_is_taken_back_while_play_waits() -> None:
    umpire, _ = match(FIRST, choose(5, "C"), RefereeCalled(t=6))
    assert shorts(umpire.on(Undo(t=7, entry=5, by=BOTH))) == ["CallRefused dispute call=undo"]


def test_a_house_rule_called_after_the_entry_may_be_called_again() -> None:
    umpire, rulings = match(three_rolls("11223"), call("mulligan"), rules=MULLIGAN)
    third = [ruling for ruling in rulings if isinstance(ruling, RollCounted)][2]
    umpire.on(Undo(t=30, entry=third.entry, by=BOTH))
    assert not umpire.state.used
    assert umpire.state.rolls_allowed == ruleset("wyi").rolls


def test_a_house_rule_called_by_mistake_is_taken_back() -> None:
    umpire, rulings = match(three_rolls("11223"), call("mulligan"), rules=MULLIGAN)
    umpire.on(Undo(t=30, entry=rulings[-1].entry, by=BOTH))
    assert not umpire.state.used
    assert umpire.state.turn.values == (1, 1, 2, 2, 3)
    assert umpire.state.waiting_for == "box"


def test_a_house_rule_stays_used_when_the_roll_it_was_called_for_is_corrected() -> None:
    wrong = RefereeDecided(t=31, action="correct_reading", reason="it leaned", before=3, after=4)
    umpire, _ = match(three_rolls("11223"), call("mulligan"), RefereeCalled(t=30), wrong, rules=MULLIGAN)
    assert umpire.state.turn.values == (1, 1, 2, 2, 4)
    assert umpire.state.used == {("Ann", "mulligan")}
    assert umpire.state.rolls_allowed == 4
