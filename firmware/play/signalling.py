"""The part that lights the lamp and lets the buzzer sound: what the game waits for, and that something was ruled.

The lamp also tells by how it blinks, and everything that it tells the display says in words.
"""

import time
from collections.abc import Iterable
from threading import Event

from firmware.play.parts import BEAT_S, Part
from firmware.play.vitals import Vitals
from hardware.signals import Colour, Signals
from scorer.events import (
    BoxEntered,
    BoxProposed,
    BoxRefused,
    CallRefused,
    CryAsked,
    DieAsked,
    DisputeOpened,
    ReadingAsked,
    RerollOrdered,
    RestoreOrdered,
    RollCounted,
    RollHeld,
    RollRefused,
    RollUnseen,
    Ruling,
    ScoreCorrected,
)
from scorer.state import State, Waiting

STEADY, SLOW, QUICK = 0.0, 1.0, 4.0
"""How often a second the lamp blinks."""
TROUBLE: tuple[Colour, float] = ("red", QUICK)
_WAITING: dict[Waiting, tuple[Colour, float]] = {
    "throw": ("green", STEADY),
    "box": ("yellow", STEADY),
    "reroll": ("yellow", SLOW),
    "agreement": ("blue", SLOW),
    "cry": ("blue", SLOW),
    "hold": ("blue", SLOW),
    "reading": ("blue", SLOW),
    "die": ("blue", SLOW),
    "dispute": ("magenta", SLOW),
    "resume": ("magenta", STEADY),
    "nothing": ("white", STEADY),
}
_BEEPS: dict[int, tuple[type[Ruling], ...]] = {
    3: (RollRefused, BoxRefused, CallRefused, RerollOrdered, RestoreOrdered, ScoreCorrected, DisputeOpened),
    2: (RollHeld, RollUnseen, DieAsked, ReadingAsked, CryAsked, BoxProposed),
    1: (RollCounted, BoxEntered),
}
"""How often the buzzer sounds for the gravest of the rulings made at once."""


class OnSignals:
    """Lights the lamp and sounds the buzzer."""

    def __init__(self, signals: Signals, vitals: Vitals, stop: Event) -> None:
        self._signals, self._vitals, self._stop = signals, vitals, stop
        self._entries = 0
        self._beeps = 0

    def __call__(self, part: Part) -> None:
        """Work until all is stopped."""
        while not self._stop.is_set():
            self.step(time.monotonic())
            part.beat()
            self._stop.wait(BEAT_S)
        self._signals.light("off")
        self._signals.sound(False)

    def step(self, now: float) -> None:
        """What is to be lit and heard at second `now`; called every `BEAT_S`."""
        state = self._vitals.state
        if state is None:
            return
        colour, often = TROUBLE if self._vitals.worst else meaning(state)
        self._signals.light("off" if now * often % 1 >= 0.5 else colour)
        if state.entries != self._entries:
            self._entries = state.entries
            self._beeps = max(self._beeps, 4 * beeps(state.last))
        self._signals.sound(self._beeps % 4 > 1)
        self._beeps = max(0, self._beeps - 1)


def meaning(state: State) -> tuple[Colour, float]:
    """The lamp's colour, and how often a second it blinks; it is off while dice are on their way."""
    return ("off", STEADY) if state.flight.count and not state.over else _WAITING[state.waiting_for]


def beeps(rulings: Iterable[Ruling]) -> int:
    """How often the buzzer sounds for these rulings."""
    rulings = tuple(rulings)
    return next((count for count, kinds in _BEEPS.items() if any(isinstance(r, kinds) for r in rulings)), 0)
