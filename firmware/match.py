"""The main loop: frames become views, views events, events and choices rulings."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from firmware.show import Showing
from hardware.screens import Screen
from scorer.events import ClockTicked, DiceAtRest, Fact, PlayerInput, RecordingEnded, Ruling
from scorer.state import State
from scorer.umpire import Umpire
from vision.source import Frame
from vision.view import TrayView
from vision.watcher import Watcher

Facts = tuple[Fact | Ruling, ...]
"""What was seen and said, each followed by what was ruled on it: the whole record."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame, how the tray was seen in it, what was said at it, in order, and how the match then stood.

    `state` and `screen`, what a display shows of it, are None where no match is played. `last` marks what the end of
    the recording brought, on its last frame.
    """

    frame: Frame
    view: TrayView
    facts: Facts
    state: State | None
    screen: Screen | None
    last: bool = False


def play(
    frames: Iterable[Frame], watcher: Watcher, umpire: Umpire | None, choices: Sequence[PlayerInput]
) -> Iterator[Moment]:
    """Every frame's moment, then one more on the last frame for what the end of the recording brought.

    A choice is put to the umpire before the first frame later than it, so that whatever could be said by then was.
    Choices later than the last frame are put to the umpire at the end. Without an umpire only events are reported.
    """
    desk = Desk(umpire, choices)
    said = desk.start()
    frame: Frame | None = None
    showing = Showing(watcher.geometry.floor_mm)
    for frame in frames:
        said += desk.at(frame.t, watcher.step(frame))
        yield _moment(frame, watcher, umpire, showing, said, desk.rest)
        said = ()
    if frame is None:
        return
    said = desk.end(frame.t, frame.index)
    yield replace(_moment(frame, watcher, umpire, showing, said, desk.rest), last=True)


class Desk:
    """The umpire's desk: what was seen, what people said and the time come before the umpire, each in its place."""

    def __init__(self, umpire: Umpire | None, choices: Sequence[PlayerInput] = ()) -> None:
        """`choices` are those that are known beforehand."""
        self._umpire = umpire
        self._waiting = sorted(choices, key=lambda choice: choice.t)
        self._last = max((choice.t for choice in choices), default=0.0)
        self.rest: DiceAtRest | None = None
        """How the dice lay when they were last at rest."""

    def start(self) -> Facts:
        """The match is opened."""
        return self._umpire.start() if self._umpire else ()

    def at(self, t: float, seen: Iterable[Fact]) -> Facts:
        """What was seen at second `t`, after the choices that were made earlier."""
        return self._put(self._due(t)) + self._rule(seen) + self._tick(t)

    def say(self, said: PlayerInput) -> Facts:
        """Somebody says something now."""
        return self._put([said])

    def end(self, t: float, frame: int) -> Facts:
        """There is no more to see after this frame."""
        return self._put(self._waiting) + self._put([RecordingEnded(t=max(t, self._last, 0.0), frame=frame)])

    def _due(self, t: float) -> list[PlayerInput]:
        """Take the choices earlier than `t`, as a record writes it, off the list: one that was made at a frame comes
        after what was seen in that, when it is watched again too."""
        count = sum(round(choice.t, 3) < round(t, 3) for choice in self._waiting)
        due, self._waiting = self._waiting[:count], self._waiting[count:]
        return due

    def _put(self, choices: Iterable[PlayerInput]) -> Facts:
        return self._rule(choices) if self._umpire else ()

    def _tick(self, t: float) -> Facts:
        """The clock, where a limit of time was agreed: kept in the record where it brought a ruling."""
        if self._umpire is None or self._umpire.state.options.seconds_to_play is None:
            return ()
        tick = ClockTicked(t=t)
        rulings = self._umpire.on(tick)
        return (tick, *rulings) if rulings else ()

    def _rule(self, told: Iterable[Fact]) -> Facts:
        """Each thing seen or said followed by the rulings it brought."""
        facts: list[Fact | Ruling] = []
        for fact in told:
            facts.append(fact)
            self.rest = fact if isinstance(fact, DiceAtRest) else self.rest
            facts.extend(self._umpire.on(fact) if self._umpire else ())
        return tuple(facts)


def _moment(
    frame: Frame, watcher: Watcher, umpire: Umpire | None, showing: Showing, said: Facts, rest: DiceAtRest | None
) -> Moment:
    state = umpire.state if umpire else None
    return Moment(frame, watcher.view, said, state, showing.at(state, frame.t, rest) if state else None)
