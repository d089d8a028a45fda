"""What the display shows of a match: the umpire's state as one of the display's screens."""

import math
from collections.abc import Sequence, Set
from dataclasses import replace

from hardware import screens
from hardware.screens import (
    SHEET,
    Address,
    Card,
    Counted,
    Key,
    Lying,
    Notice,
    Place,
    Screen,
    Sheet,
    Throwing,
    Tone,
    Tray,
)
from scorer.card import Card as ScoreCard
from scorer.card import Totals
from scorer.events import (
    BoxRefused,
    CallRefused,
    DiceAtRest,
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

_AWAITED = {kind: title for kind, title in _ASKED.items() if kind is not RestoreOrdered}
"""What stays while a question is open: that is shown again once a die was ordered back."""

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

_TONES: dict[type[Ruling], Tone] = {
    RollRefused: "refused",
    BoxRefused: "refused",
    CallRefused: "refused",
    RestoreOrdered: "order",
    RerollOrdered: "order",
    RollHeld: "asked",
    RollUnseen: "asked",
    DieAsked: "asked",
    ReadingAsked: "asked",
}
"""How they are meant; all others are only told."""

_OPEN: dict[Waiting, tuple[str, str, Tone]] = {
    "dispute": ("REFEREE", "Play waits for the referee", "asked"),
    "resume": ("PAUSED", "Somebody is away", "told"),
    "cry": ("YAHTZEE!", "Was it cried out?", "asked"),
    "reroll": ("THROW AGAIN", "The others stay", "order"),
    "hold": ("DOES IT COUNT?", "Yes or no?", "asked"),
    "reading": ("WHICH VALUE?", "What does it show?", "asked"),
    "die": ("WHERE IS IT?", "Thrown, or kept back?", "asked"),
}
"""What the game waits for, where the ruling that said so has been followed by another."""

_YES_OR_NO = (("confirm", "yes"), ("previous", "no"))
KEYS: dict[Waiting, tuple[Key, ...]] = {
    "agreement": (("confirm", "yes"), ("referee", "no")),
    "cry": _YES_OR_NO,
    "hold": _YES_OR_NO,
    "die": (("confirm", "thrown"), ("previous", "kept")),
    "reading": (("next", "turn to it"),),
    "dispute": (("next", "how it ends"),),
    "resume": (("confirm", "go on"),),
}
"""Which buttons answer what the game waits for."""
TURNED: tuple[Key, ...] = (("confirm", "yes"),)
"""Which button takes what was turned to."""


class Showing:
    """The screen of a match frame after frame, worked out only where what it shows has changed."""

    def __init__(self, outline: Sequence[Place] = (), buttons: bool = False) -> None:
        """`outline` of the tray's floor in mm, as the places of dice; without it dice are not shown where they lie.

        `buttons`: there are some, and questions name those that answer them.
        """
        self._outline = tuple(outline)
        self._buttons = buttons
        self._shown: tuple[State, Ruling | None, str, Screen] | None = None

    def at(self, state: State, t: float, rest: DiceAtRest | None = None, code: str = "") -> Screen:
        """What to show at second `t`; the dice lie as at the last `rest`, and `code` seals the match so far."""
        told = _told(state, t)
        shown = self._shown
        if shown is None or shown[0] is not state or shown[1] is not told or shown[2] != code:
            about = told or _asked(state)
            ids = dice_meant(about) if about else _dice_asked(state)
            screen = self._with_tray(self._with_keys(screen_of(state, t, code), state), ids, rest)
            shown = self._shown = state, told, code, screen
        return shown[3]

    def turned(self, screen: Screen, state: State, rest: DiceAtRest | None) -> Screen:
        """What people have turned to; a value with the die that it is for, where it lies."""
        return self._with_tray(screen, _dice_asked(state), rest)

    def _with_keys(self, screen: Screen, state: State) -> Screen:
        """A question names the buttons that answer it."""
        if not (self._buttons and isinstance(screen, Notice)):
            return screen
        return replace(screen, keys=KEYS.get(state.waiting_for, ())) if _asks(screen, state) else screen

    def _with_tray(self, screen: Screen, ids: Set[int], rest: DiceAtRest | None) -> Screen:
        """A notice about dice that lie there shows where."""
        if not (isinstance(screen, Notice) and rest and self._outline and ids & {die.id for die in rest.dice}):
            return screen
        dice = tuple(Lying(die.place, die.value, die.id in ids) for die in rest.dice)
        return replace(screen, tray=Tray(self._outline, dice))


def puts_question(screen: Screen, state: State) -> bool:
    """Whether whoever sees this screen sees what the game waits for, and not only what was said or is wrong."""
    if state.waiting_for in KEYS:
        return isinstance(screen, Notice) and _asks(screen, state)
    return not (isinstance(screen, Address) or (isinstance(screen, Notice) and screen.tone == "wrong"))


def hidden_question(state: State, t: float, seen_s: float) -> Notice | None:
    """The question, with the buttons that answer it, that is hidden yet at second `t` by something that people have had
    before them for `seen_s`."""
    told = _told(state, t)
    if told is None or t - told.t_said < seen_s or _TONES.get(type(told)) == "asked":
        return None
    screen = screen_of(state, math.inf)
    if not isinstance(screen, Notice) or not puts_question(screen, state):
        return None
    return replace(screen, keys=KEYS.get(state.waiting_for, ()))


def _asks(notice: Notice, state: State) -> bool:
    return notice.tone == "asked" or state.waiting_for == "resume"


def screen_of(state: State, t: float, code: str = "") -> Screen:
    """What to show at second `t`: what must be done or answered first, then dice that roll, then the legal boxes."""
    if state.done:
        return Card(tuple((name, total.total) for name, total in state.totals.items()), code)
    if told := _told(state, t):
        return _notice(state, _TITLES[type(told)], say(told), _TONES.get(type(told), "told"))
    if state.dispute and state.dispute.box and state.proposal:
        disputed = f"{state.proposal.placement.box} {state.proposal.placement.points}"
        return _notice(state, "REFEREE", f"{disputed} is disputed: play waits", "asked")
    if state.waiting_for in ("dispute", "resume", "cry"):
        return _notice(state, *_OPEN[state.waiting_for])
    if state.flight.count:
        roll = min(state.roll + (state.turn.question is None), state.rolls_allowed)
        return Throwing(state.player, roll, state.rolls_allowed, state.flight.count)
    if state.proposal:
        box = state.proposal.placement
        return _notice(state, "AGREED?", f"{box.box} {box.points}: {state.marker}?", "asked")
    if legal := state.legal:
        boxes = tuple((box.box, box.points, bonus(box)) for box in legal)
        return Counted(state.player, state.roll, state.rolls_allowed, state.dice, boxes)
    if asked := _asked(state):
        return _notice(state, _ASKED[type(asked)], say(asked), _TONES[type(asked)])
    if state.waiting_for in _OPEN:
        return _notice(state, *_OPEN[state.waiting_for])
    return screens.Waiting(state.player, state.roll + 1, state.rolls_allowed, _for_what(state))


def sheets(state: State) -> tuple[Sheet, ...]:
    """Every player's card, page by page, the roller's first."""
    order = (*range(state.current, len(state.players)), *range(state.current))
    totals = state.totals
    return tuple(page for player in order for page in _pages(state, player, totals[state.players[player]]))


def _pages(state: State, player: int, total: Totals) -> list[Sheet]:
    card: ScoreCard = state.cards[player]
    rows = [(slot.name, card.points.get(slot.name)) for slot in state.rules.slots]
    rows += [("up", sum(column.upper_bonus for column in total.columns))]
    rows += [("bon", total.yahtzee_bonus + total.house_bonus)]
    parts = [tuple(rows[first : first + SHEET]) for first in range(0, len(rows), SHEET)]
    name = state.players[player]
    return [Sheet(name, total.total, part, number, len(parts)) for number, part in enumerate(parts, 1)]


def _told(state: State, t: float) -> Ruling | None:
    """What was said so lately that it is shown before all else, if anything."""
    told = _first(state.last, _TITLES)
    return told if told and t - told.t_said < NOTICE_SECONDS else None


def _asked(state: State) -> Ruling | None:
    """What was last ruled that stays to be seen, if anything."""
    return _first(state.last, _AWAITED if state.turn.question else _ASKED)


def _dice_asked(state: State) -> frozenset[int]:
    """The number of the die whose value is asked for now."""
    return frozenset(die.id for die in state.asked[:1]) if state.waiting_for == "reading" else frozenset()


def _first(rulings: tuple[Ruling, ...], kinds: dict[type[Ruling], str]) -> Ruling | None:
    """The first of the rulings that people must see before the scores, if any."""
    return next((ruling for kind in kinds for ruling in rulings if isinstance(ruling, kind)), None)


def _notice(state: State, title: str, text: str, tone: Tone) -> Notice:
    return Notice(state.player, state.roll, state.rolls_allowed, title, text, state.dice, tone)


def dice_meant(ruling: Ruling) -> frozenset[int]:
    """The numbers of the dice that a ruling asks or says something about."""
    match ruling:
        case RerollOrdered() | DieAsked():
            return frozenset(ruling.ids)
        case RestoreOrdered() | ReadingAsked():
            return frozenset({ruling.id})
    return frozenset()


def bonus(box: LegalBox) -> int:
    """All that comes with a box besides its points."""
    return box.yahtzee_bonus + box.upper_bonus + box.house_bonus


def _for_what(state: State) -> str:
    """What a throw is for that is no ordinary one."""
    if not state.contest:
        return ""
    return "throw for the start" if state.contest.purpose == "start" else "throw for the tie"
