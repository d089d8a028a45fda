"""Every ruling has a few words for a small display."""

from typing import Any

import pytest

from scorer import events
from scorer.events import Ruling
from scorer.messages import message, say
from tests.scorer.tray import FIRST, SECOND, choose, match

HEAD: dict[str, Any] = {"t": 0.0, "frame": 0, "t_said": 0.0, "player": "Ann", "rule": ""}


@pytest.mark.parametrize(
    ("ruling", "words"),
    [
        (events.RollCounted(**HEAD, roll=2, values=(1,), legal=()), "Roll 2 counts"),
        (events.RollRefused(**HEAD, reason="all_dice_together"), "No roll: all dice together"),
        (events.RollHeld(**HEAD, reason="weak_throw", roll=1), "Does roll 1 count? weak throw"),
        (events.RollUnseen(**HEAD, roll=1), "Roll 1 was not seen"),
        (events.RerollOrdered(**HEAD, reason="off_tray", ids=(1,), count=1, roll=1), "Roll 1 die again: off tray"),
        (events.RestoreOrdered(**HEAD, reason="knocked", id=1, value=4), "Set die back to 4: knocked"),
        (events.ReadingAsked(**HEAD, id=1), "Which value?"),
        (events.ReadingAsked(**HEAD, id=1, likely=5), "Is it a 5?"),
        (events.ReadingAsked(**HEAD, reason="kept", id=1, likely=5), "Was the kept die the 5?"),
        (events.DieAsked(**HEAD, ids=(), count=1), "Where is the die?"),
        (events.DieAsked(**HEAD, ids=(), count=2), "Where are 2 dice?"),
        (events.BoxEntered(**HEAD, box="Y", points=50, yahtzee_bonus=0, upper_bonus=0, automatic=False), "Y: 50"),
        (events.BoxRefused(**HEAD, reason="filled", box="Y"), "Not in Y: filled"),
        (events.ScoreCorrected(**HEAD, box="C", announced=12, right=13), "C is 13, not 12"),
        (events.TurnStarted(**HEAD), "Ann to throw"),
        (events.MatchEnded(**HEAD, totals={}, complete=True), "The match is over"),
        (events.MatchEnded(**HEAD, totals={}, complete=False), "The recording is over"),
        (events.Noticed(**HEAD, reason="weak_throw"), "Weak throw"),
        (events.MatchEnded(**HEAD, totals={}, complete=True, winners=("Ann",)), "Ann wins"),
        (events.MatchEnded(**HEAD, totals={}, complete=True, winners=("Ann", "Ben")), "A tie: Ann, Ben"),
        (
            events.BoxEntered(**HEAD, box="C", points=0, yahtzee_bonus=0, upper_bonus=0, automatic=False, crossed=True),
            "C: crossed out",
        ),
        (events.BoxProposed(**HEAD, box="C", points=17), "C 17: agreed?"),
        (events.CryAsked(**HEAD, box="Y"), "Was it cried out?"),
        (events.CallRefused(**HEAD, reason="undo_needs_two", call="undo"), "No undo: two must agree"),
        (events.HouseRuleApplied(**HEAD, house_rule="mulligan"), "Mulligan: a 4th roll"),
        (events.DisputeOpened(**HEAD, by="Ben"), "The referee decides"),
        (events.RefereeRuled(**HEAD, reason="all saw it", action="confirm"), "It stands: all saw it"),
        (events.RefereeRuled(**HEAD, reason="it leaned", action="correct_reading", after=3), "It is a 3: it leaned"),
        (events.RefereeRuled(**HEAD, reason="it fell", action="restore_die"), "Set the die back: it fell"),
        (events.RefereeRuled(**HEAD, reason="it fell", action="throw_again"), "Throw again: it fell"),
        (events.RefereeRuled(**HEAD, reason="late", action="warn", offence=1), "Ann is warned (1): late"),
        (events.RefereeRuled(**HEAD, reason="twice", action="disqualify"), "Ann is out: twice"),
        (events.RefereeRuled(**HEAD, reason="a mistake", action="reinstate"), "Ann is back: a mistake"),
        (events.MatchPaused(**HEAD, by="Ben"), "Waiting for Ben"),
        (events.MatchPaused(**HEAD, by=None), "Waiting for all"),
        (events.MatchResumed(**HEAD, by=None), "Play goes on"),
        (events.Undone(**HEAD, replaces=7, by=("Ann", "Ben")), "Entry 7 counts no more"),
        (events.TieFound(**HEAD, reason="tie_open", players=("Ann", "Ben"), total=200), "A tie: Ann, Ben"),
        (
            events.ThrowOff(**HEAD, purpose="tie", players=("Ann", "Ben"), dice=1, rolls=1),
            "Ann, Ben throw for the tie",
        ),
        (events.ThrowOffEnded(**HEAD, purpose="start", sums={}, highest=("Ann",)), "Ann starts"),
        (events.ThrowOffEnded(**HEAD, purpose="tie", sums={}, highest=("Ann",)), "Ann wins the tie"),
        (events.ThrowOffEnded(**HEAD, purpose="tie", sums={}, highest=("Ann", "Ben")), "Equal: Ann, Ben again"),
        (events.TurnStarted(**HEAD, reason="start"), "Ann to throw for the start"),
    ],
)
def test_words(ruling: Ruling, words: str) -> None:
    assert say(ruling) == words


def test_of_several_rulings_the_most_pressing_is_shown() -> None:
    _, rulings = match(FIRST, SECOND, choose(9, "C"))
    assert message(rulings) == "C: 17"
    assert message(()) == ""
