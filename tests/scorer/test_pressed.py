"""Presses while dice are in the air change nothing about them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scorer.events import (
    BoxAgreed,
    HouseRuleCalled,
    PauseCalled,
    RefereeCalled,
    ResumeCalled,
    ViewLost,
    ViewRestored,
)
from scorer.presets import BHO, WYI
from scorer.rules import Ruleset
from scorer.state import Options
from tests.scorer.tray import FIRST, SECOND, THIRD, Fact, at, choose, dice, lift, match, shorts, throw

AIR, REST = throw(7, dice("66666", first=11))
"""Thrown at 5.7 s, at rest at 7 s."""
TAKEN = lift(5, 1, 2, 3, 4, 5)
OTHER, OTHER_REST = throw(20, dice("11236", first=21))
"""Thrown at 18.7 s, at rest at 20 s."""
FOURTH = throw(15, dice("6", first=31), kept=THIRD[-1].dice[1:])  # type: ignore[union-attr]
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
        ([TAKEN, AIR, PauseCalled(t=6.5), REST], None, ["MatchPaused", COUNTED]),
        ([TAKEN, AIR, RefereeCalled(t=6.5, player="Ben"), REST], None, ["DisputeOpened by=Ben", COUNTED]),
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


def test_the_next_players_own_throw_counts() -> None:
    umpire, rulings = match(FIRST, TAKEN, AIR, choose(6.5, "C"), REST, OTHER, OTHER_REST)
    assert shorts(rulings)[-1] == "RollCounted roll=1 values=11236"
    assert (umpire.state.player, umpire.state.turn.roll) == ("Ben", 1)
    incident = rulings[-2]
    assert (incident.reason, incident.player) == ("before_turn", "Ann")


def test_a_throw_whose_beginning_nobody_saw_is_not_of_a_turn_before() -> None:
    lost = [ViewLost(**at(5.8), cause="blocked"), ViewRestored(**at(6.9), cause="blocked")]  # type: ignore[arg-type]
    _, rulings = match(FIRST, choose(5.75, "C"), lost, AIR, REST)
    assert shorts(rulings)[-1] == "RollUnseen roll=1"


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
