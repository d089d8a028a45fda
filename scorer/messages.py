"""Rulings in a few words, for a small display."""

from collections.abc import Sequence

from scorer.events import (
    BoxEntered,
    BoxProposed,
    BoxRefused,
    CallRefused,
    CryAsked,
    DieAsked,
    DisputeOpened,
    HouseRuleApplied,
    MatchEnded,
    MatchPaused,
    MatchResumed,
    Noticed,
    ReadingAsked,
    RefereeRuled,
    RerollOrdered,
    RestoreOrdered,
    RollCounted,
    RollHeld,
    RollRefused,
    RollUnseen,
    Ruling,
    ScoreCorrected,
    ThrowOff,
    ThrowOffEnded,
    TieFound,
    TurnStarted,
    Undone,
)

_PRESSING = (
    MatchEnded,
    DisputeOpened,
    MatchPaused,
    RestoreOrdered,
    RerollOrdered,
    RollHeld,
    RollUnseen,
    DieAsked,
    ReadingAsked,
    RefereeRuled,
    RollRefused,
    BoxRefused,
    CallRefused,
    CryAsked,
    Undone,
    ScoreCorrected,
    TieFound,
    ThrowOffEnded,
    ThrowOff,
    BoxEntered,
    BoxProposed,
    HouseRuleApplied,
    RollCounted,
    TurnStarted,
    MatchResumed,
    Noticed,
)
"""Rulings that a display shows: of several made at once, the earliest in this row."""

_WHY = {
    "after_last_roll": "after the last roll",
    "bad_reading": "which die, which value?",
    "before_first_throw": "before the first throw",
    "before_turn": "thrown before the turn",
    "before_undo": "thrown before play was put back",
    "box_proposed": "the box is not agreed yet",
    "called_late": "called with dice in the air",
    "cry_asked": "was it cried out?",
    "house_rule_used": "used already",
    "house_rules_locked": "the match has begun",
    "no_reason": "say why",
    "not_announced": "say the points",
    "nothing_asked": "nothing was asked",
    "nothing_to_confirm": "no such throw in view",
    "nothing_proposed": "no box is chosen",
    "many_house_rules": "more than two house rules",
    "one_fourth_roll": "one 4th roll a turn",
    "slow_play": "the time agreed is over",
    "start_open": "they are being thrown",
    "unanswered": "the question was left open",
    "undo_needs_two": "two must agree",
    "unknown_entry": "no such entry",
    "withdrawn": "the box was not agreed",
}
"""Reasons whose names say too little by themselves."""

_HOUSE = {
    "mulligan": "Mulligan: a 4th roll",
    "chance_chance": "All dice again, for Chance",
    "mega_yahtzee": "Mega: one die more",
}


def message(rulings: Sequence[Ruling]) -> str:
    """The most pressing of these rulings in a few words; empty when there is nothing to say."""
    ruling = pressing(rulings)
    return say(ruling) if ruling else ""


def pressing(rulings: Sequence[Ruling]) -> Ruling | None:
    """The most pressing of these rulings, None when there is nothing to say."""
    return next((ruling for kind in _PRESSING for ruling in rulings if isinstance(ruling, kind)), None)


def words_for(reason: str | None) -> str:
    """A reason in a few words."""
    return _WHY.get(reason or "", (reason or "").replace("_", " "))


def say(ruling: Ruling) -> str:
    """One ruling in a few words."""
    match ruling:
        case BoxEntered() | BoxProposed() | BoxRefused() | ScoreCorrected() | CryAsked():
            return _say_box(ruling)
        case RollCounted() | RollRefused() | RollHeld() | RollUnseen() | RerollOrdered() | TurnStarted():
            return _say_roll(ruling)
        case RestoreOrdered():
            return f"Set die back to {ruling.value}: {words_for(ruling.reason)}"
        case ReadingAsked(reason="kept", likely=int(value)):
            return f"Was the kept die the {value}?"
        case ReadingAsked():
            return "Which value?" if ruling.likely is None else f"Is it a {ruling.likely}?"
        case DieAsked():
            return "Where is the die?" if ruling.count == 1 else f"Where are {ruling.count} dice?"
        case ThrowOff() | ThrowOffEnded() | TieFound() | MatchEnded():
            return _say_end(ruling)
        case _:
            return _say_people(ruling)


def _say_box(ruling: Ruling) -> str:
    match ruling:
        case BoxEntered(crossed=True):
            return f"{ruling.box}: crossed out"
        case BoxEntered():
            earned = ruling.points + ruling.yahtzee_bonus + ruling.upper_bonus + ruling.house_bonus
            return f"{ruling.box}: {earned}{' cc' if ruling.reason == 'chance_chance' else ''}"
        case BoxProposed():
            return f"{ruling.box} {ruling.points}: agreed?"
        case BoxRefused():
            return f"Not in {ruling.box}: {words_for(ruling.reason)}"
        case ScoreCorrected():
            return f"{ruling.box} is {ruling.right}, not {ruling.announced}"
        case _:
            return "Was it cried out?"


def _say_roll(ruling: Ruling) -> str:
    match ruling:
        case RollCounted():
            return f"Roll {ruling.roll} counts"
        case RollRefused():
            return f"No roll: {words_for(ruling.reason)}"
        case RollHeld():
            return f"Does roll {ruling.roll} count? {words_for(ruling.reason)}"
        case RollUnseen():
            return f"Roll {ruling.roll} was not seen"
        case RerollOrdered():
            dice = "1 die" if ruling.count == 1 else f"{ruling.count} dice"
            return f"Roll {dice} again: {words_for(ruling.reason)}"
        case _:
            why = {"start": " for the start", "tie": " for the tie"}
            return f"{ruling.player} to throw{why.get(ruling.reason or '', '')}"


def _say_end(ruling: Ruling) -> str:
    match ruling:
        case ThrowOff(purpose=purpose):
            return f"{', '.join(ruling.players)} throw {'for the start' if purpose == 'start' else 'for the tie'}"
        case ThrowOffEnded(purpose=purpose, highest=(name,)):
            return f"{name} starts" if purpose == "start" else f"{name} wins the tie"
        case ThrowOffEnded():
            return f"Equal: {', '.join(ruling.highest)} again"
        case TieFound():
            return f"A tie: {', '.join(ruling.players)}"
        case MatchEnded(winners=(name,)):
            return f"{name} wins"
        case MatchEnded(winners=(_, *_)):
            return f"A tie: {', '.join(ruling.winners)}"
        case MatchEnded(complete=False):
            return "The recording is over"
        case _:
            return "The match is over"


def _say_people(ruling: Ruling) -> str:
    match ruling:
        case CallRefused():
            return f"No {ruling.call.replace('_', ' ')}: {words_for(ruling.reason)}"
        case HouseRuleApplied():
            return _HOUSE[ruling.house_rule]
        case DisputeOpened():
            return "The referee decides"
        case RefereeRuled():
            return f"{_decision(ruling)}: {ruling.reason}"
        case MatchPaused():
            return f"Waiting for {ruling.by}" if ruling.by else "Waiting for all"
        case MatchResumed():
            return "Play goes on"
        case Undone():
            return f"Entry {ruling.replaces} counts no more"
        case _:
            return words_for(ruling.reason).capitalize()


def _decision(ruling: RefereeRuled) -> str:
    match ruling.action:
        case "confirm":
            return "It stands"
        case "correct_reading":
            return f"It is a {ruling.after}"
        case "restore_die":
            return "Set the die back"
        case "throw_again":
            return "Throw again"
        case "withdraw":
            return "The call is withdrawn"
        case "warn":
            return f"{ruling.player} is warned ({ruling.offence})"
        case "disqualify":
            return f"{ruling.player} is out"
        case "reinstate":
            return f"{ruling.player} is back"
