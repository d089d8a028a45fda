"""The main loop: frames become views, views events, events and choices rulings."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from firmware.show import Showing
from hardware.screens import Screen
from scorer.events import ClockTicked, Fact, PlayerInput, RecordingEnded, Ruling
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
    waiting = list(choices)
    said: Facts = umpire.start() if umpire else ()
    frame: Frame | None = None
    showing = Showing()
    for frame in frames:
        said += _put(umpire, _due(waiting, frame.t)) + _rule(umpire, watcher.step(frame)) + _tick(umpire, frame.t)
        yield _moment(frame, watcher, umpire, showing, said)
        said = ()
    if frame is None:
        return
    said = _rule(umpire, watcher.finish()) + _put(umpire, waiting)
    if umpire:
        ended = RecordingEnded(t=max(frame.t, *(choice.t for choice in choices), 0.0), frame=frame.index)
        said += _put(umpire, [ended])
    yield replace(_moment(frame, watcher, umpire, showing, said), last=True)


def _moment(frame: Frame, watcher: Watcher, umpire: Umpire | None, showing: Showing, said: Facts) -> Moment:
    state = umpire.state if umpire else None
    return Moment(frame, watcher.view, said, state, showing.at(state, frame.t) if state else None)


def _due(waiting: list[PlayerInput], t: float) -> list[PlayerInput]:
    """Take the choices earlier than `t` off the list, which is in order of time."""
    count = sum(choice.t < t for choice in waiting)
    due, waiting[:] = waiting[:count], waiting[count:]
    return due


def _put(umpire: Umpire | None, choices: Iterable[PlayerInput]) -> Facts:
    return _rule(umpire, choices) if umpire else ()


def _tick(umpire: Umpire | None, t: float) -> Facts:
    """The clock, where a limit of time was agreed: kept in the record where it brought a ruling."""
    if umpire is None or umpire.state.options.seconds_to_play is None:
        return ()
    tick = ClockTicked(t=t)
    rulings = umpire.on(tick)
    return (tick, *rulings) if rulings else ()


def _rule(umpire: Umpire | None, told: Iterable[Fact]) -> Facts:
    """Each thing seen or said followed by the rulings it brought."""
    facts: list[Fact | Ruling] = []
    for fact in told:
        facts.append(fact)
        facts.extend(umpire.on(fact) if umpire else ())
    return tuple(facts)
