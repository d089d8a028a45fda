"""What the buttons mean: presses become what people say, by what the game waits for.

The roller turns to a box with `previous` and `next` and takes it with `choose`; where points are announced they are
turned to next, and taken the same way. The marker agrees with `confirm` and disagrees with `referee`. Wherever the game
asks whether something is so, `confirm` says yes and `previous` no. A value that is asked for is turned to by anybody,
and the marker confirms it; so is how a dispute was settled at the table.

A press is about what was shown when it was pressed, or it says nothing: nobody answers a question that they have not
seen. Where something that was said hides the question, a press puts that away. The referee and a pause are called at
any time.

Held for long, `choose` shows the score cards, `confirm` the address for phones, and `referee` stops the play for a
while; another press puts what is shown away.
"""

import math
from collections.abc import Callable, Sequence
from typing import Literal

from firmware.show import TURNED, bonus, hidden_question, sheets
from hardware.panel import PanelPress, PressKind
from hardware.screens import Address, Box, Choosing, Notice, Screen
from scorer.dice import FACES
from scorer.events import (
    BoxAgreed,
    BoxChosen,
    BoxDisputed,
    CryAnswered,
    DieAnswered,
    HoldAnswered,
    LegalBox,
    PauseCalled,
    PlayerInput,
    ReadingAnswered,
    RefereeCalled,
    RefereeDecided,
    ResumeCalled,
)
from scorer.referee import settlements
from scorer.said import LEANS, RefereeAction
from scorer.state import State
from scorer.turn import OpenRoll

SETTLED = "settled at the table"
"""The reason that a referee's ruling from the panel has."""

SEEN_S = 0.2
"""Nobody answers what they have seen for less than so long: the press was about what was shown before."""


def _question(state: State) -> object:
    """What the game waits for: another question, or other dice, compare as different."""
    open_ = (state.turn.question, state.proposal, state.dispute)
    entries = tuple(one.entry for one in open_ if one is not None)
    return state.current, state.waiting_for, entries, state.asked, state.roll, state.dice


class Shown:
    """The question that people were last shown, and since when: told by the display, on whatever thread."""

    def __init__(self) -> None:
        self._last: tuple[object, float] = None, math.inf

    def note(self, state: State, t: float) -> None:
        """At `t` of the panel's clock people see what the game waits for."""
        asked = _question(state)
        if asked != self._last[0]:
            self._last = asked, t

    def was_seen(self, state: State, t: float) -> bool:
        """Whether people who press at `t` have seen what the game waits for now."""
        asked, since = self._last
        return asked == _question(state) and since <= t - SEEN_S


class Pressing:
    """What people have turned to; it is forgotten when the game waits for something else."""

    def __init__(self, shown: Shown, address: Callable[[], Address] | None = None) -> None:
        """`shown`: what people see; `address`: where phones find the match, if they can."""
        self._shown, self._address = shown, address
        self._about: object = None
        self._place: int | None = None
        self._box: LegalBox | None = None
        self._looking: Literal["cards", "address"] | None = None
        self._uncovered: tuple[int, Screen] | None = None
        self._page = 0

    def press(self, press: PanelPress, state: State, t: float) -> PlayerInput | None:
        """What somebody says with this press at second `t`; None where it only turns to something, or says nothing."""
        kind, seen = press.kind, self._shown.was_seen(state, press.t)
        self._attend(state)
        if self._look(kind):
            return None
        if kind == "pause":
            return None if state.over or state.paused else PauseCalled(t=t)
        if kind == "referee":
            return _to_referee(state, t, seen)
        if not seen:
            hidden = hidden_question(state, t, SEEN_S)
            self._uncovered = (state.entries, hidden) if hidden else None
            return None
        return self._answer(kind, state, t)

    def _answer(self, kind: PressKind, state: State, t: float) -> PlayerInput | None:
        match state.waiting_for:
            case "agreement" if kind == "confirm" and state.marker:
                return BoxAgreed(t=t, player=state.marker)
            case "cry" if kind in ("confirm", "previous"):
                return CryAnswered(t=t, cried=kind == "confirm")
            case "hold" if kind in ("confirm", "previous"):
                return HoldAnswered(t=t, counts=kind == "confirm")
            case "die" if kind in ("confirm", "previous"):
                return DieAnswered(t=t, thrown=kind == "confirm")
            case "resume" if kind in ("confirm", "choose"):
                return ResumeCalled(t=t)
            case "reading":
                return self._read(kind, state, t)
            case "dispute":
                return self._settle(kind, state, t)
            case "box" | "throw":
                return self._announce(kind, state, t) if self._box else self._choose(kind, state, t)
        return None

    def screen(self, state: State) -> Screen | None:
        """What people have turned to, None where it is nothing."""
        self._attend(state)
        if self._looking == "address":
            return self._address() if self._address else None
        if self._looking == "cards":
            pages = sheets(state)
            return pages[self._page % len(pages)]
        if self._place is None:
            entries, asked = self._uncovered or (0, None)
            return asked if entries == state.entries else None  # what is said next is to be seen too
        if self._box is not None:
            return _choosing(state, state.legal.index(self._box), announced=self._place)
        if state.waiting_for == "reading":
            return _notice(state, "WHICH VALUE?", "it leans" if self._place == LEANS else str(self._place))
        if state.waiting_for == "dispute":
            return _notice(state, "REFEREE", _settled(state, settlements(state)[self._place]))
        return _choosing(state, self._place)

    def _look(self, kind: PressKind) -> bool:
        """Whether the press is about looking at something: it begins, turns a page or ends it."""
        before = self._looking
        if kind == "cards" or (kind == "address" and self._address):
            self._looking, self._page = (None if before == kind else kind), 0
            return True
        if before == "cards" and kind in ("previous", "next"):
            self._page += 1 if kind == "next" else -1
            return True
        self._looking = None
        return before is not None or kind == "address"

    def _attend(self, state: State) -> None:
        """Forget what was turned to where it is not about this any more."""
        about = (state.current, state.turn, state.waiting_for)
        if about != self._about:
            self._about, self._place, self._box, self._looking = about, None, None, None

    def _choose(self, kind: PressKind, state: State, t: float) -> PlayerInput | None:
        boxes = state.legal
        if not boxes or kind == "confirm":
            return None
        if kind != "choose" or self._place is None:
            self._place = _turned(self._place, kind, range(len(boxes)))
            return None
        if state.options.announce:
            self._box, self._place = boxes[self._place], 0
            return None
        return BoxChosen(t=t, player=state.player, box=boxes[self._place].box)

    def _announce(self, kind: PressKind, state: State, t: float) -> PlayerInput | None:
        assert self._box is not None and self._place is not None
        if kind in ("previous", "next"):
            possible = state.rules.possible_points(state.rules.by_name[self._box.box].box)
            self._place = _turned(self._place, kind, sorted({0, *possible}))
            return None
        box, announced = self._box.box, self._place
        self._box, self._place = None, None
        return BoxChosen(t=t, player=state.player, box=box, announced=announced) if kind == "choose" else None

    def _read(self, kind: PressKind, state: State, t: float) -> PlayerInput | None:
        """The value of the first die that is asked about, or that it leans."""
        if kind in ("previous", "next"):
            self._place = _turned(self._place, kind, (*FACES, LEANS) if state.may_lean else FACES)
        if kind != "confirm" or self._place is None or not state.asked:
            return None
        return ReadingAnswered(t=t, id=state.asked[0].id, value=self._place)

    def _settle(self, kind: PressKind, state: State, t: float) -> PlayerInput | None:
        """How the dispute was settled, once it was turned to."""
        ways = settlements(state)
        if kind in ("previous", "next"):
            self._place = _turned(self._place, kind, range(len(ways)))
        if kind != "confirm" or self._place is None:
            return None
        return RefereeDecided(t=t, action=ways[self._place], reason=SETTLED)


def _to_referee(state: State, t: float, seen: bool) -> PlayerInput | None:
    """Calling the referee, over a box that the marker has `seen`; while a dispute is open the button says nothing."""
    match state.waiting_for:
        case "nothing" | "dispute":
            return None
        case "agreement" if state.marker and seen:
            return BoxDisputed(t=t, player=state.marker)
    return RefereeCalled(t=t)


def _settled(state: State, way: RefereeAction) -> str:
    """What a way to settle a dispute means now."""
    match way:
        case "confirm" if state.proposal:
            return f"{state.proposal.placement.box} {state.proposal.placement.points} stands"
        case "confirm":
            return "it counts" if isinstance(state.turn.question, OpenRoll) else "it stands"
        case "throw_again":
            return "throw again"
    return "call withdrawn"


def _turned(place: int | None, kind: PressKind, places: Sequence[int]) -> int:
    """The next or previous of the places, round about; the first where there was none."""
    if place is None:
        return places[-1] if kind == "previous" else places[0]
    step = 1 if kind == "next" else -1
    return places[(places.index(place) + step) % len(places)]


def _choosing(state: State, place: int, announced: int | None = None) -> Choosing:
    boxes: tuple[Box, ...] = tuple((box.box, box.points, bonus(box)) for box in state.legal)
    title = state.rules.by_name[boxes[place][0]].box.title
    return Choosing(state.player, state.roll, state.rolls_allowed, boxes, place, title, announced)


def _notice(state: State, title: str, text: str) -> Notice:
    """A question whether what was turned to is so."""
    return Notice(state.player, state.roll, state.rolls_allowed, title, f"{text}?", state.dice, "asked", keys=TURNED)
