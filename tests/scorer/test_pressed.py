"""Presses while dice are in the air change nothing about them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scorer.events import (
    BoxAgreed,
    DiceAtRest,
    Fact,
    HoldAnswered,
    HouseRuleCalled,
    KeptDieMoved,
    PauseCalled,
    ReadingAnswered,
    RefereeCalled,
    RefereeDecided,
    ResumeCalled,
    RollCounted,
    Undo,
    ViewLost,
    ViewRestored,
)
from scorer.presets import BHO, WYI
from scorer.rules import Ruleset
from scorer.state import Options
from tests.scorer.tray import (
    FIRST,
    KEPT_33,
    SECOND,
    THIRD,
    at,
    choose,
    dice,
    die,
    feed,
    lift,
    match,
    rest,
    shorts,
    throw,
)

AIR, REST = throw(7, dice("66666", first=11))
"""Thrown at 5.7 s, at rest at 7 s."""
TAKEN = lift(5, 1, 2, 3, 4, 5)
OTHER, OTHER_REST = throw(20, dice("11236", first=21))
"""Thrown at 18.7 s, at rest at 20 s."""
THIRD_REST = THIRD[-1]
assert isinstance(THIRD_REST, DiceAtRest)
FOURTH = throw(15, dice("6", first=31), kept=THIRD_REST.dice[1:])
"""One die thrown at 13.7 s, at rest at 15 s."""
MARKER = Options(marker=True)
PROPOSED, COUNTED = "BoxProposed box=C points=17", "RollCounted roll=2 values=66666"


@pytest.mark.parametrize(
    ("facts", "options", "expected"),
    [
        (
            [TAKEN, AIR, choose(6.5, "C"), REST],
            None,
            [PROPOSED, "BoxEntered box=C points=17", "TurnEnded", "TurnStarted", "RollRefused before_turn",
             "IncidentRecorded before_turn"],
        ),
        (
            [TAKEN, AIR, choose(6.5, "C"), BoxAgreed(t=6.6, player="Ben"), REST],
            MARKER,
            [PROPOSED, "BoxEntered box=C points=17", "TurnEnded", "TurnStarted", "RollRefused before_turn",
             "IncidentRecorded before_turn"],
        ),
        ([TAKEN, AIR, choose(6.5, "C"), REST], MARKER, [PROPOSED, "Noticed withdrawn replaces=4", COUNTED]),
        (
            [TAKEN, choose(5.5, "C"), AIR, BoxAgreed(t=6.6, player="Ben"), REST],
            MARKER,
            [PROPOSED, "BoxEntered box=C points=17", "TurnEnded", "TurnStarted", "RollRefused box_proposed"],
        ),
        ([TAKEN, AIR, PauseCalled(t=6.5), REST], None, ["MatchPaused", "RollHeld paused roll=2 values=66666"]),
        (
            [TAKEN, AIR, RefereeCalled(t=6.5, player="Ben"), REST],
            None,
            ["DisputeOpened by=Ben", "RollHeld dispute roll=2 values=66666"],
        ),
        ([TAKEN, PauseCalled(t=5.5), AIR, REST], None, ["MatchPaused", "RollRefused paused"]),
        (
            [TAKEN, PauseCalled(t=5.5), AIR, ResumeCalled(t=6.5), PauseCalled(t=6.6), ResumeCalled(t=6.7), REST],
            None,
            ["MatchPaused", "MatchResumed", "MatchPaused", "MatchResumed", "RollRefused paused"],
        ),
        ([TAKEN, PauseCalled(t=5.5), ResumeCalled(t=5.6), AIR, REST], None, ["MatchPaused", "MatchResumed", COUNTED]),
    ],
    ids=["a box", "a box agreed to", "a box proposed", "a box proposed before", "a pause", "the referee",
         "a pause before", "a pause over", "a pause over before"],
)  # fmt: skip
def test_a_throw_is_judged_by_what_held_when_it_began(
    facts: Sequence[Fact | Sequence[Fact]], options: Options | None, expected: list[str]
) -> None:
    _, rulings = match(FIRST, *facts, options=options)
    assert shorts(rulings)[1:] == expected


def test_dice_that_were_in_the_air_as_play_was_put_back_are_no_roll_of_what_goes_on_then() -> None:
    umpire, _ = match(FIRST, choose(5, "C"))
    undo = Undo(t=6.5, entry=umpire.state.history[-1].entry, by=("Ann", "Ben"))
    assert shorts(feed(umpire, TAKEN, undo, AIR, REST, OTHER, OTHER_REST)) == [
        "Undone replaces=5 by=AnnBen",
        "RollRefused before_undo",
        "RollCounted roll=2 values=11236",
    ]
    assert umpire.state.player == "Ann"


@pytest.mark.parametrize(
    ("decided", "after", "then"),
    [
        (
            RefereeDecided(t=11.6, action="throw_again", reason="a hand", replaces=3),
            "RollRefused before_undo",
            "RollCounted roll=1",
        ),
        (
            RefereeDecided(t=11.6, action="correct_reading", reason="misread", before=1, after=2, replaces=3),
            "RollRefused before_undo",
            "RollCounted roll=2",
        ),
        (
            RefereeDecided(t=11.6, action="correct_reading", reason="misread", before=5, after=2),
            "RollCounted roll=3 values=66666",
            "RollRefused three_rolls",
        ),
    ],
    ids=["thrown again", "corrected", "the last roll corrected"],
)
def test_dice_in_the_air_as_the_referee_puts_play_back_are_no_roll_of_what_goes_on_then(
    decided: RefereeDecided, after: str, then: str
) -> None:
    called = RefereeCalled(t=11.5, player="Ben")
    air, rest = throw(12, dice("66666", first=11))
    _, rulings = match(FIRST, SECOND, lift(10, 3, 4, 5, 6, 7), air, called, decided, rest, OTHER, OTHER_REST)
    assert shorts(rulings)[-2] == after
    assert shorts(rulings)[-1].startswith(then)


UNSURE = throw(3, dice("?2346"))
TURNED = [die(1, 6), *dice("2346", first=2)]


@pytest.mark.parametrize(
    "meanwhile",
    [
        [PauseCalled(t=4), lift(5, 1), rest(6, kept=TURNED), ResumeCalled(t=7)],
        [lift(3.5, 1), PauseCalled(t=4), rest(6, kept=TURNED), ResumeCalled(t=7)],
        [RefereeCalled(t=4, player="Ben"), KeptDieMoved(**at(5), id=1, identity="sure"), rest(6, kept=TURNED),
         RefereeDecided(t=7, action="withdraw", reason="a mistake")],
    ],
    ids=["in a pause", "before a pause", "in a dispute"],
)  # fmt: skip
def test_an_unsure_die_that_was_turned_while_play_waits_is_not_read_afterwards(meanwhile: Sequence[Fact]) -> None:
    umpire, rulings = match(UNSURE, meanwhile, rest(8, kept=TURNED))
    assert "RollCounted" not in {type(ruling).__name__ for ruling in rulings}
    assert umpire.state.waiting_for == "reading"


def test_an_unsure_die_is_not_read_after_an_undo_of_what_people_said_of_it() -> None:
    umpire, rulings = match(UNSURE, ReadingAnswered(t=4, id=1, value=1), lift(5, 1), rest(6, kept=TURNED))
    counted = next(ruling.entry for ruling in rulings if isinstance(ruling, RollCounted))
    said = feed(umpire, Undo(t=7, entry=counted, by=("Ann", "Ben")), rest(8, kept=TURNED))
    assert [type(ruling).__name__ for ruling in said] == ["Undone"]
    assert umpire.state.waiting_for == "reading"


def test_the_next_players_own_throw_counts() -> None:
    umpire, rulings = match(FIRST, TAKEN, AIR, choose(6.5, "C"), REST, OTHER, OTHER_REST)
    assert shorts(rulings)[-1] == "RollCounted roll=1 values=11236"
    assert (umpire.state.player, umpire.state.turn.roll) == ("Ben", 1)
    incident = rulings[-2]
    assert (incident.reason, incident.player) == ("before_turn", "Ann")


def test_a_throw_whose_beginning_nobody_saw_is_not_of_a_turn_before() -> None:
    lost = [ViewLost(**at(5.8), cause="blocked"), ViewRestored(**at(6.9), cause="blocked")]
    _, rulings = match(FIRST, choose(5.75, "C"), lost, AIR, REST)
    assert shorts(rulings)[-1] == "RollUnseen roll=1"


GONE, BACK = ViewLost(**at(5), cause="blocked"), ViewRestored(**at(6.9), cause="blocked")
"""Nobody sees the dice thrown at 5.7 s."""


@pytest.mark.parametrize(
    ("facts", "options", "expected"),
    [
        ([GONE, PauseCalled(t=6.5), BACK, AIR, REST], None, ["MatchPaused", "RollUnseen roll=2"]),
        ([GONE, PauseCalled(t=6.5), BACK, REST], None, ["MatchPaused", "RollUnseen roll=2"]),
        ([PauseCalled(t=4.5), GONE, BACK, AIR, REST], None, ["MatchPaused", "RollRefused paused"]),
        (
            [PauseCalled(t=4.5), GONE, ResumeCalled(t=5.2), PauseCalled(t=6.5), BACK, AIR, REST],
            None,
            ["MatchPaused", "MatchResumed", "MatchPaused", "RollUnseen roll=2"],
        ),
        (
            [GONE, RefereeCalled(t=6.5, player="Ben"), BACK, AIR, REST],
            None,
            ["DisputeOpened by=Ben", "RollUnseen roll=2"],
        ),
        (
            [GONE, choose(6.5, "C"), BACK, AIR, REST],
            MARKER,
            ["BoxProposed box=C points=17", "Noticed withdrawn replaces=4", "RollUnseen roll=2"],
        ),
        (
            [choose(4.5, "C"), GONE, BACK, AIR, REST],
            MARKER,
            ["BoxProposed box=C points=17", "RollRefused box_proposed"],
        ),
        (
            [GONE, PauseCalled(t=6.5), BACK, rest(7, kept=dice("66666", first=11))],
            None,
            ["MatchPaused", "RollUnseen roll=2"],
        ),
    ],
    ids=["a pause", "a pause, and it is not known when they were thrown", "a pause before", "another pause before",
         "the referee", "a box", "a box before", "a pause, and watching begins anew"],
)  # fmt: skip
def test_a_throw_that_nobody_saw_may_have_begun_before_what_was_pressed_in_the_dark(
    facts: Sequence[Fact], options: Options | None, expected: list[str]
) -> None:
    _, rulings = match(FIRST, *facts, options=options)
    assert shorts(rulings)[1:] == expected


@pytest.mark.parametrize(
    ("called", "expected"),
    [
        (13.0, ["HouseRuleApplied house_rule=mulligan", "RollCounted roll=4 values=33336"]),
        (14.5, ["HouseRuleApplied house_rule=mulligan", "Undone called_late replaces=6",
                "RollRefused three_rolls"]),
    ],
    ids=["before", "in the air"],
)  # fmt: skip
def test_a_mulligan_is_called_before_the_dice_are_thrown(called: float, expected: list[str]) -> None:
    rules: Ruleset = replace(WYI, mulligan=True)
    call = HouseRuleCalled(t=called, player="Ann", rule="mulligan")
    umpire, rulings = match(FIRST, SECOND, THIRD, call, FOURTH, rules=rules)
    assert shorts(rulings)[3:] == expected
    assert (("Ann", "mulligan") in umpire.state.used) is (called < 13.7)


def test_a_mega_yahtzee_is_called_before_the_dice_are_thrown() -> None:
    rules = replace(WYI, mega_yahtzee=True)
    air, rest = FIRST
    _, rulings = match(air, HouseRuleCalled(t=2.5, player="Ann", rule="mega_yahtzee"), rest, rules=rules)
    late, _ = match(HouseRuleCalled(t=2.5, player="Ann", rule="mega_yahtzee"), air, rest, rules=rules)
    assert "RollCounted roll=1 values=13346" in shorts(rulings)
    assert late.state.turn.roll == 1


def test_what_was_pressed_long_ago_is_forgotten() -> None:
    umpire, _ = match(PauseCalled(t=0.5), ResumeCalled(t=0.6), FIRST, rules=BHO)
    assert umpire.state.bars == ()


def test_a_roll_held_for_a_pause_is_decided_once_it_is_over() -> None:
    yes = HoldAnswered(t=9, counts=True)
    umpire, _ = match(FIRST, TAKEN, AIR, PauseCalled(t=6.5), REST)
    assert shorts(feed(umpire, yes, ResumeCalled(t=8), yes)) == [
        "CallRefused paused call=answer",
        "MatchResumed",
        COUNTED,
    ]


def test_no_box_is_entered_while_play_waits() -> None:
    options = Options(automatic_boxes=True)
    last = throw(11, dice("3", first=21), kept=[*KEPT_33, *dice("33", first=11)])
    umpire, rulings = match(FIRST, SECOND, lift(8, 13), last[0], PauseCalled(t=10.5), last[1], options=options)
    assert shorts(rulings)[-2:] == ["MatchPaused", "RollHeld paused roll=3 values=33333"]
    more = shorts(feed(umpire, ResumeCalled(t=12), HoldAnswered(t=13, counts=True)))
    assert more[:3] == ["MatchResumed", "RollCounted roll=3 values=33333", "BoxEntered box=Y points=50 automatic=True"]


def test_a_box_stays_proposed_beside_a_throw_that_is_no_roll() -> None:
    air, rest = throw(15, dice("5", first=31), kept=[*KEPT_33, *dice("33", first=11)])
    umpire, rulings = match(FIRST, SECOND, THIRD, lift(12, 21), air, choose(14.5, "C"), rest, options=MARKER)
    assert shorts(rulings)[-2:] == ["BoxProposed box=C points=15", "RollRefused three_rolls"]
    assert shorts(feed(umpire, BoxAgreed(t=16, player="Ben")))[0] == "BoxEntered box=C points=15"


def test_a_throw_out_of_sight_is_decided_by_people_though_play_waits_too() -> None:
    lost = [ViewLost(**at(6.6), cause="blocked"), ViewRestored(**at(6.8), cause="blocked")]
    umpire, rulings = match(FIRST, TAKEN, AIR, PauseCalled(t=6.5), lost, REST, ResumeCalled(t=8))
    assert shorts(rulings)[1:] == ["MatchPaused", "RollUnseen roll=2", "MatchResumed"]
    assert shorts(feed(umpire, HoldAnswered(t=9, counts=True))) == [COUNTED]
