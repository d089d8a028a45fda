"""The parts that show: the display and the terminal, each as fast as it can, neither holding up the play."""

import time
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event

from rich.console import Console

from firmware.drawn.terminal import framed, opening, score_card, show
from firmware.play.parts import BEAT_S, Mailbox, Part
from firmware.play.pressing import Shown
from firmware.play.umpiring import Ruled
from firmware.play.vitals import Vitals
from firmware.show import Showing, puts_question
from hardware.display import Display, draw
from hardware.screens import Address, Notice, Screen, Waiting
from scorer.events import MatchEnded, MatchStarted


class OnDisplay:
    """Shows how the match stands now, and before all what is wrong; a display that fails is opened again."""

    def __init__(
        self, display: Display, reopen: Callable[[], Display], ruled: Mailbox[Ruled], vitals: Vitals, stop: Event,
        showing: Showing, code: Callable[[], str] = str, address: Callable[[], Address] | None = None,
        seen: Shown | None = None,
    ) -> None:  # fmt: skip
        """`code` gives what players note of a match that is over, `address` what is shown until the first throw;
        `seen` is told what people see."""
        self._display: Display | None = display
        self._reopen, self._ruled, self._vitals, self._stop = reopen, ruled, vitals, stop
        self._showing, self._code = showing, code
        self._now: Ruled | None = None
        self._address, self._seen = address, seen or Shown()
        self._told: tuple[Screen, float, int] | None = None

    def tell(self, screen: Screen, for_s: float) -> None:
        """Show this for a while, from whatever thread; a code that phones ask for, until something is ruled."""
        self._told = screen, time.monotonic() + for_s, self._now.state.entries if self._now else 0

    def __call__(self, part: Part) -> None:
        """Show until all is stopped. Raises `DisplayError` where the display does not answer."""
        display, self._display = self._display or self._reopen(), None
        shown: Screen | None = None
        with display:
            while not self._stop.is_set():
                now = self._now = self._ruled.take(BEAT_S) or self._now
                screen = self._screen(now) if now else None
                if screen is not None and screen != shown:
                    display.show(screen)
                    shown = screen
                if now and screen and puts_question(screen, now.state):
                    self._seen.note(now.state, time.monotonic())
                part.beat()

    def _screen(self, now: Ruled) -> Screen:
        trouble, state = self._vitals.worst, now.state
        if self._told is not None:
            told, until, entries = self._told
            if time.monotonic() < until and not (isinstance(told, Address) and state.entries > entries):
                return told
        if trouble is None or state.over:
            turned = now.turned and self._showing.turned(now.turned, state, now.rest)
            screen = turned or self._showing.at(state, now.t, now.rest, self._code())
            is_early = isinstance(screen, Waiting) and not state.begun
            return self._address() if self._address and is_early else screen
        return Notice(state.player, state.roll, state.rolls_allowed, "WAIT", trouble, tone="wrong")


class OnTerminal:
    """Prints what is ruled, with the display's picture beside it."""

    def __init__(self, console: Console, ruled: Mailbox[Ruled], stop: Event, code: Callable[[], str] = str) -> None:
        self._console, self._ruled, self._stop, self._code = console, ruled, stop, code
        self._showing = Showing()
        self._told: SimpleQueue[Screen] = SimpleQueue()
        self._noted, self._is_over = "", False

    def tell(self, screen: Screen) -> None:
        """Print this too, from whatever thread."""
        self._told.put(screen)

    def __call__(self, part: Part) -> None:
        """Print until all is stopped and everything is printed."""
        while True:
            while not self._told.empty():
                self._print_told(self._told.get())
            ruled = self._ruled.take(BEAT_S)
            part.beat()
            if ruled is not None:
                self._print(ruled)
            elif self._stop.is_set():
                return
            if self._is_over:
                self.note()

    def note(self) -> None:
        """Print the code that the match ends with, once there is one."""
        if (code := self._code()) and code != self._noted:
            self._noted = code
            self._console.print(f"The match ends with {code}: note it.", style="bold")

    def _print_told(self, screen: Screen) -> None:
        self._console.print(framed(draw(screen)))
        if isinstance(screen, Address):
            self._console.print(f"{screen.title}: {screen.url} {screen.code}".rstrip(), style="bold", soft_wrap=True)

    def _print(self, ruled: Ruled) -> None:
        state = ruled.state
        self._is_over = state.over
        if any(isinstance(fact, MatchStarted) for fact in ruled.facts):
            self._console.print(opening(state.rules))
        if ruled.facts:
            show(self._console, ruled.facts, draw(self._showing.at(state, ruled.t, ruled.rest)))
        if ruled.turned is not None:
            self._console.print(framed(draw(ruled.turned)))
        if any(isinstance(fact, MatchEnded) for fact in ruled.facts):
            cards = dict(zip(state.players, state.cards, strict=True))
            self._console.print(score_card(state.rules, cards, state.totals))
