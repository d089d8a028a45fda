"""What the display shows of a match: the umpire's state as one of the display's screens."""

from hardware.screens import Card, Counted, Notice, Screen, Waiting
from scorer.events import (
    BoxRefused,
    DieAsked,
    ReadingAsked,
    RerollOrdered,
    RestoreOrdered,
    RollHeld,
    RollRefused,
    RollUnseen,
    Ruling,
    ScoreCorrected,
)
from scorer.messages import say
from scorer.state import State

NOTICE_SECONDS = 4.0
"""How long a refusal hides the legal scores that still stand."""

_TITLES: dict[type[Ruling], str] = {
    RestoreOrdered: "TURN BACK",
    RerollOrdered: "THROW AGAIN",
    RollHeld: "DOES IT COUNT?",
    RollUnseen: "NOT SEEN",
    DieAsked: "WHERE IS IT?",
    ReadingAsked: "WHICH VALUE?",
    RollRefused: "REFUSED",
    BoxRefused: "REFUSED",
    ScoreCorrected: "CORRECTED",
}


def screen_of(state: State, t: float) -> Screen:
    """What to show at second `t`: what must be done or answered first, else the legal boxes, else who throws."""
    if state.over:
        return Card(tuple((name, total.total) for name, total in state.totals.items()))
    notice = _pressing(state.last)
    if notice and (not state.legal or t - notice.t_said < NOTICE_SECONDS):
        return Notice(state.player, state.roll, state.rolls_allowed, _TITLES[type(notice)], say(notice), state.dice)
    if state.legal:
        boxes = tuple((box.box, box.points, box.yahtzee_bonus + box.upper_bonus) for box in state.legal)
        return Counted(state.player, state.roll, state.rolls_allowed, state.dice, boxes)
    return Waiting(state.player, state.roll + 1, state.rolls_allowed)


def _pressing(rulings: tuple[Ruling, ...]) -> Ruling | None:
    """The first of the rulings that people must see before the scores, if any."""
    return next((ruling for kind in _TITLES for ruling in rulings if isinstance(ruling, kind)), None)
