"""Rulings in a few words, for a small display."""

from collections.abc import Sequence

from scorer.events import (
    BoxEntered,
    BoxRefused,
    DieAsked,
    MatchEnded,
    ReadingAsked,
    RerollOrdered,
    RestoreOrdered,
    RollCounted,
    RollHeld,
    RollRefused,
    RollUnseen,
    Ruling,
    ScoreCorrected,
    TurnStarted,
)

_PRESSING = (
    MatchEnded,
    RestoreOrdered,
    RerollOrdered,
    RollHeld,
    RollUnseen,
    DieAsked,
    ReadingAsked,
    RollRefused,
    BoxRefused,
    ScoreCorrected,
    BoxEntered,
    RollCounted,
    TurnStarted,
)
"""Rulings that a display shows: of several made at once, the earliest in this row."""


def message(rulings: Sequence[Ruling]) -> str:
    """The most pressing of these rulings in a few words; empty when there is nothing to say."""
    for kind in _PRESSING:
        for ruling in rulings:
            if isinstance(ruling, kind):
                return say(ruling)
    return ""


def say(ruling: Ruling) -> str:
    """One ruling in a few words."""
    why = (ruling.reason or "").replace("_", " ")
    match ruling:
        case RollCounted():
            return f"Roll {ruling.roll} counts"
        case RollRefused():
            return f"No roll: {why}"
        case RollHeld():
            return f"Does roll {ruling.roll} count? {why}"
        case RollUnseen():
            return f"Roll {ruling.roll} was not seen"
        case RerollOrdered():
            return f"Roll {ruling.count} again: {why}"
        case RestoreOrdered():
            return f"Set die back to {ruling.value}: {why}"
        case ReadingAsked():
            return "Which value?" if ruling.likely is None else f"Is it a {ruling.likely}?"
        case DieAsked():
            return "Where is the die?" if ruling.count == 1 else f"Where are {ruling.count} dice?"
        case BoxEntered():
            return f"{ruling.box}: {ruling.points + ruling.yahtzee_bonus + ruling.upper_bonus}"
        case BoxRefused():
            return f"Not in {ruling.box}: {why}"
        case ScoreCorrected():
            return f"{ruling.box} is {ruling.right}, not {ruling.announced}"
        case TurnStarted():
            return f"{ruling.player} to throw"
        case MatchEnded():
            return "The match is over" if ruling.complete else "The recording is over"
        case _:
            return why.capitalize()
