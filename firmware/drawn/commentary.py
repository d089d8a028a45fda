"""The side of the annotated video: what goes on, how the match stands, and what was seen and ruled, newest first."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import cv2

from firmware.drawn.canvas import (
    BLUE,
    BOLD,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PAPER,
    PURPLE,
    RED,
    WHITE,
    YELLOW,
    Colour,
    Image,
    draw_die,
    faded,
    fill,
    fitted,
    width_of,
    wrapped,
    write,
)
from firmware.drawn.terminal import EXPLAINED, GOOD, STOP, worth_saying
from firmware.drawn.told import clock, say_event
from firmware.match import Moment
from firmware.show import dice_meant
from scorer.events import DiceAtRest, Fact, Ruling, TrayEvent, TurnStarted, ViewLost
from scorer.messages import pressing, say
from scorer.state import State
from vision.view import Phase, TrayView

SIDE = 290
"""Its width in units: 480ths of the shorter side of the picture."""
ROWS = 40
"""Entries remembered; so many fit on no picture."""
RULE_ROWS = 4
"""Rows for the rule that a question rests on; all of them have room in so many."""
FRESH_S, FADED_S = 0.6, 8.0
"""An entry stands out at first, and is dim after this time."""
DIM = 0.5

PHASES: dict[Phase, tuple[str, Colour]] = {
    "waiting": ("WAITING", GREY),
    "hand": ("HAND IN", BLUE),
    "rolling": ("ROLLING", YELLOW),
    "moving": ("MOTION", YELLOW),
    "reading": ("READING", PURPLE),
    "settled": ("AT REST", GREEN),
    "lost": ("VIEW LOST", RED),
}
"""What each phase is called and its colour, on the timeline too."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list: when it happened and was said (s), its text, its colour, and whether it is a ruling."""

    t: float
    t_said: float
    text: str
    colour: Colour
    ruled: bool


def entries(facts: Iterable[Fact | Ruling]) -> list[Entry]:
    """The lines for what was seen and ruled at one moment."""
    facts = list(facts)
    worth = worth_saying([fact for fact in facts if isinstance(fact, Ruling)])
    lines = []
    for fact in facts:
        if isinstance(fact, TrayEvent):
            colour = RED if isinstance(fact, ViewLost) else GREY
            lines.append(Entry(fact.t, fact.t_said, say_event(fact), colour, ruled=False))
        elif isinstance(fact, Ruling) and any(fact is ruling for ruling in worth):
            lines.append(Entry(fact.t, fact.t_said, _with_dice(fact), _colour(fact), ruled=True))
    return lines


def headline(state: State) -> str:
    """What the display says, with the dice and the player it is about where that is not the one whose turn it is."""
    ruling = pressing(state.last)
    if ruling is None:
        return ""
    other = ruling.player not in (None, state.player) and not isinstance(ruling, TurnStarted)
    return f"{ruling.player}: {_with_dice(ruling)}" if other else _with_dice(ruling)


def _with_dice(ruling: Ruling) -> str:
    """A ruling in a few words, after the numbers of the dice that it is about."""
    dice = " ".join(f"#{number}" for number in sorted(dice_meant(ruling)))
    return f"{dice}: {say(ruling)}" if dice else say(ruling)


def _colour(ruling: Ruling) -> Colour:
    if isinstance(ruling, GOOD):
        return GREEN
    return RED if isinstance(ruling, STOP) else ORANGE if isinstance(ruling, EXPLAINED) else WHITE


class Commentary:
    """Draws the side of one frame after the other."""

    def __init__(self) -> None:
        """Nothing has been said yet."""
        self._told: deque[Entry] = deque(maxlen=ROWS)
        self._values: tuple[int | None, ...] = ()

    def draw(self, canvas: Image, moment: Moment, told: Iterable[Entry], unit: float) -> None:
        """Fill the side, uint8 BGR (h, SIDE units, 3), as it is at this moment; `told` is new now."""
        self._told.extendleft(told)
        for fact in moment.facts:
            if isinstance(fact, DiceAtRest):
                self._values = tuple(sorted((die.value for die in fact.dice), key=lambda value: value or 7))
        fill(canvas, PAPER)
        below = _draw_phase(canvas, moment.view, moment.frame.index, unit)
        below = self._draw_match(canvas, moment, below, unit)
        self._draw_told(canvas, moment.frame.t, below, unit)

    def _draw_match(self, canvas: Image, moment: Moment, top: float, unit: float) -> float:
        """Whose turn it is, the dice, and what the display says; the row below it."""
        state = moment.state
        left, edge = 12 * unit, 30 * unit
        if state:
            top += 24 * unit
            roll = f"roll {state.roll} of {state.rolls_allowed}"
            right = canvas.shape[1] - width_of(roll, 15 * unit) - left
            write(canvas, roll, right, top, 15 * unit, GREY)
            name = fitted(state.player, right - 2 * left, 19 * unit, BOLD)
            write(canvas, name, left, top, 19 * unit, WHITE, BOLD)
        top += 12 * unit
        for index, value in enumerate((state.dice if state else self._values)[:7]):
            draw_die(canvas, value, left + index * (edge + 6 * unit), top, edge)
        top += edge
        if state:
            top = _draw_message(canvas, state, top + 24 * unit, unit)
        return top + 14 * unit

    def _draw_told(self, canvas: Image, t: float, top: float, unit: float) -> None:
        """The newest entries, as many as there is room for."""
        row, size, left = 22 * unit, 14.5 * unit, 12 * unit
        cv2.line(canvas, (0, round(top)), (canvas.shape[1], round(top)), faded(GREY, 0.4), max(1, round(unit)))
        top += 6 * unit
        for entry in self._told:
            if top + row > canvas.shape[0]:
                return
            age = t - entry.t_said
            share = max(DIM, 1 - (1 - DIM) * max(0.0, age - FRESH_S) / FADED_S)
            ground = faded(entry.colour, 0.3 * max(0.0, 1 - age / (2 * FRESH_S)))
            cv2.rectangle(canvas, (0, round(top)), (canvas.shape[1], round(top + row) - 1), ground, cv2.FILLED)
            bar = (round(4 * unit), round(top + row) - 1)
            cv2.rectangle(canvas, (0, round(top)), bar, faded(entry.colour, share), cv2.FILLED)
            baseline = top + 16 * unit
            write(canvas, clock(entry.t), left, baseline, 0.85 * size, faded(GREY, share, ground))
            column, weight = left + 42 * unit, BOLD if entry.ruled else 400
            text = fitted(entry.text, canvas.shape[1] - column - 4 * unit, size, weight)
            shade = WHITE if entry.colour == GREY else entry.colour
            write(canvas, text, column, baseline, size, faded(shade, share, ground), weight)
            top += row


def _draw_message(canvas: Image, state: State, top: float, unit: float) -> float:
    """What the display says, and the rule that a question, an order or a refusal rests on; the last row's baseline."""
    ruling, left = pressing(state.last), 12 * unit
    room = canvas.shape[1] - 2 * left
    for row, line in enumerate(wrapped(headline(state), room, 16 * unit, BOLD)[:2]):
        top += 20 * unit if row else 0
        write(canvas, line, left, top, 16 * unit, YELLOW, BOLD)
    for line in wrapped(ruling.rule, room, 13 * unit)[:RULE_ROWS] if isinstance(ruling, EXPLAINED) else ():
        top += 17 * unit
        write(canvas, line, left, top, 13 * unit, faded(WHITE, 0.75))
    return top


def _draw_phase(canvas: Image, view: TrayView, frame: int, unit: float) -> float:
    """What goes on, on its colour, with the clock; the row below it."""
    name, colour = PHASES[view.phase]
    height = 56 * unit
    cv2.rectangle(canvas, (0, 0), (canvas.shape[1], round(height)), colour, cv2.FILLED)
    write(canvas, name, 12 * unit, 29 * unit, 26 * unit, INK, 800)
    for text, row, size in ((clock(view.t), 25, 19), (f"frame {frame}", 45, 14)):
        left = canvas.shape[1] - width_of(text, size * unit) - 12 * unit
        write(canvas, text, left, row * unit, size * unit, INK)
    room = canvas.shape[1] - width_of(f"frame {frame}", 14 * unit) - 32 * unit
    write(canvas, fitted(_detail(view), room, 15 * unit), 12 * unit, 47 * unit, 15 * unit, INK)
    return height


def _detail(view: TrayView) -> str:
    if not view.trusted:
        return view.fault.replace("_", " ") if view.fault else "is it sound?"
    moving, here = sum(not die.still for die in view.dice), len(view.dice)
    things = f"{here} {'thing' if here == 1 else 'things'}"
    return f"{things}, {moving} moving" if moving else f"{things} in view"
