"""Every ruling has a few words for a small display."""

import pytest

from scorer import events
from scorer.events import Ruling
from scorer.messages import message, say
from tests.scorer.tray import FIRST, SECOND, choose, match

HEAD = {"t": 0.0, "frame": 0, "t_said": 0.0, "player": "Ann", "rule": ""}


@pytest.mark.parametrize(
    ("ruling", "words"),
    [
        (events.RollCounted(**HEAD, roll=2, values=(1,), legal=()), "Roll 2 counts"),
        (events.RollRefused(**HEAD, reason="all_dice_together"), "No roll: all dice together"),
        (events.RollHeld(**HEAD, reason="weak_throw", roll=1), "Does roll 1 count? weak throw"),
        (events.RollUnseen(**HEAD, roll=1), "Roll 1 was not seen"),
        (events.RerollOrdered(**HEAD, reason="off_tray", ids=(1,), count=1, roll=1), "Roll 1 again: off tray"),
        (events.RestoreOrdered(**HEAD, reason="knocked", id=1, value=4), "Set die back to 4: knocked"),
        (events.ReadingAsked(**HEAD, id=1), "Which value?"),
        (events.ReadingAsked(**HEAD, id=1, likely=5), "Is it a 5?"),
        (events.DieAsked(**HEAD, ids=(), count=1), "Where is the die?"),
        (events.DieAsked(**HEAD, ids=(), count=2), "Where are 2 dice?"),
        (events.BoxEntered(**HEAD, box="Y", points=50, yahtzee_bonus=0, upper_bonus=0, automatic=False), "Y: 50"),
        (events.BoxRefused(**HEAD, reason="filled", box="Y"), "Not in Y: filled"),
        (events.ScoreCorrected(**HEAD, box="C", announced=12, right=13), "C is 13, not 12"),
        (events.TurnStarted(**HEAD), "Ann to throw"),
        (events.MatchEnded(**HEAD, totals={}, complete=True), "The match is over"),
        (events.MatchEnded(**HEAD, totals={}, complete=False), "The recording is over"),
        (events.Noticed(**HEAD, reason="weak_throw"), "Weak throw"),
    ],
)
def test_words(ruling: Ruling, words: str) -> None:
    assert say(ruling) == words


def test_of_several_rulings_the_most_pressing_is_shown() -> None:
    _, rulings = match(FIRST, SECOND, choose(9, "C"))
    assert message(rulings) == "C: 17"
    assert message(()) == ""
