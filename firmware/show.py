"""What the display shows of a match: the umpire's state as one of the display's screens."""

from hardware import screens
from hardware.screens import Card, Counted, Notice, Screen
from scorer.events import (
    BoxRefused,
    CallRefused,
    DieAsked,
    HouseRuleApplied,
    LegalBox,
    Noticed,
    ReadingAsked,
    RefereeRuled,
    RerollOrdered,
    RestoreOrdered,
    RollHeld,
    RollRefused,
    RollUnseen,
    Ruling,
    ScoreCorrected,
    ThrowOffEnded,
    Undone,
)
from scorer.messages import say
from scorer.state import State, Waiting

NOTICE_SECONDS = 4.0
"""How long a refusal hides the legal scores that still stand, and how long something said once is shown."""

_ASKED: dict[type[Ruling], str] = {
    RestoreOrdered: "TURN BACK",
    RerollOrdered: "THROW AGAIN",
    RollHeld: "DOES IT COUNT?",
    RollUnseen: "NOT SEEN",
    DieAsked: "WHERE IS IT?",
    ReadingAsked: "WHICH VALUE?",
    RollRefused: "REFUSED",
}
"""What stays to be seen until something is done about it."""

_TOLD: dict[type[Ruling], str] = {
    BoxRefused: "REFUSED",
    CallRefused: "NOT NOW",
    Undone: "TAKEN BACK",
    ScoreCorrected: "CORRECTED",
    ThrowOffEnded: "THROW-OFF",
    HouseRuleApplied: "HOUSE RULE",
    Noticed: "NOTE",
}
"""What is shown for a moment."""

_TITLES = {RefereeRuled: "REFEREE"} | _ASKED | _TOLD

_OPEN: dict[Waiting, tuple[str, str]] = {
    "dispute": ("REFEREE", "Play waits for the referee"),
    "resume": ("PAUSED", "Somebody is away"),
    "cry": ("YAHTZEE!", "Was it cried out?"),
    "reroll": ("THROW AGAIN", "The others stay"),
    "hold": ("DOES IT COUNT?", "Yes or no?"),
    "reading": ("WHICH VALUE?", "What does it show?"),
    "die": ("WHERE IS IT?", "Thrown, or kept back?"),
}
"""What the game waits for, where the ruling that said so has been followed by another."""


class Showing:
    """The screen of a match frame after frame, worked out only where what it shows has changed."""

    def __init__(self) -> None:
        """Nothing has been shown yet."""
        self._shown: tuple[State, Ruling | None, Screen] | None = None

    def at(self, state: State, t: float) -> Screen:
        """What to show at second `t`."""
        told = _told(state, t)
        if self._shown is None or self._shown[0] is not state or self._shown[1] is not told:
            self._shown = state, told, screen_of(state, t)
        return self._shown[2]


def screen_of(state: State, t: float) -> Screen:
    """What to show at second `t`: what must be done or answered first, else the legal boxes, else who throws."""
    if state.over:
        return Card(tuple((name, total.total) for name, total in state.totals.items()))
    if told := _told(state, t):
        return _notice(state, _TITLES[type(told)], say(told))
    if state.waiting_for in ("dispute", "resume", "cry"):
        return _notice(state, *_OPEN[state.waiting_for])
    if state.proposal:
        box = state.proposal.placement
        return _notice(state, "AGREED?", f"{box.box} {box.points}: {state.marker}?")
    if legal := state.legal:
        boxes = tuple((box.box, box.points, _bonus(box)) for box in legal)
        return Counted(state.player, state.roll, state.rolls_allowed, state.dice, boxes)
    if asked := _first(state.last, _ASKED):
        return _notice(state, _ASKED[type(asked)], say(asked))
    if state.waiting_for in _OPEN:
        return _notice(state, *_OPEN[state.waiting_for])
    return screens.Waiting(state.player, state.roll + 1, state.rolls_allowed, _for_what(state))


def _told(state: State, t: float) -> Ruling | None:
    """What was said so lately that it is shown before all else, if anything."""
    told = _first(state.last, _TITLES)
    return told if told and t - told.t_said < NOTICE_SECONDS else None


def _first(rulings: tuple[Ruling, ...], kinds: dict[type[Ruling], str]) -> Ruling | None:
    """The first of the rulings that people must see before the scores, if any."""
    return next((ruling for kind in kinds for ruling in rulings if isinstance(ruling, kind)), None)


def _notice(state: State, title: str, text: str) -> Notice:
    return Notice(state.player, state.roll, state.rolls_allowed, title, text, state.dice)


def _bonus(box: LegalBox) -> int:
    return box.yahtzee_bonus + box.upper_bonus + box.house_bonus


def _for_what(state: State) -> str:
    """What a throw is for that is no ordinary one."""
    if not state.contest:
        return ""
    return "throw for the start" if state.contest.purpose == "start" else "throw for the tie"
