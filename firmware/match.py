"""The main loop: frames become views, views events, events and choices rulings."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scorer.umpire import Umpire
from vision.source import Frame
from vision.view import TrayView
from vision.watcher import Watcher

from scorer.events import BoxChosen, RecordingEnded, Ruling, TrayEvent


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame, how the tray was seen in it, and what was said at it, in order."""

    frame: Frame
    view: TrayView
    facts: tuple[TrayEvent | Ruling, ...]


def play(
    frames: Iterable[Frame], watcher: Watcher, umpire: Umpire | None, choices: Sequence[BoxChosen]
) -> Iterator[Moment]:
    """Every frame's moment; the last frame is given twice, the second time with what the end of the video brought.

    A choice is put to the umpire before the first frame later than it, so that whatever could be said by then was.
    Without an umpire only events are reported. Choices later than the last frame are put to the umpire at the end.
    """
    waiting = list(choices)
    started: tuple[TrayEvent | Ruling, ...] = umpire.start() if umpire else ()
    last: Frame | None = None
    for frame in frames:
        chosen = _put(umpire, _due(waiting, frame.t))
        seen = _rule(umpire, watcher.step(frame))
        yield Moment(frame, watcher.view, started + chosen + seen)
        started, last = (), frame
    if last is None:
        return
    facts = _rule(umpire, watcher.finish()) + _put(umpire, waiting)
    if umpire:
        facts += umpire.on(RecordingEnded(t=max(last.t, *(c.t for c in choices), 0.0), frame=last.index))
    yield Moment(last, watcher.view, started + facts)


def _due(waiting: list[BoxChosen], t: float) -> list[BoxChosen]:
    """Take the choices earlier than `t` off the list (which is in order of time)."""
    count = sum(choice.t < t for choice in waiting)
    due, waiting[:] = waiting[:count], waiting[count:]
    return due


def _put(umpire: Umpire | None, choices: Iterable[BoxChosen]) -> tuple[TrayEvent | Ruling, ...]:
    if umpire is None:
        return ()
    return tuple(ruling for choice in choices for ruling in umpire.on(choice))


def _rule(umpire: Umpire | None, events: Iterable[TrayEvent]) -> tuple[TrayEvent | Ruling, ...]:
    """Each event followed by the rulings it brought."""
    if umpire is None:
        return tuple(events)
    return tuple(fact for event in events for fact in (event, *umpire.on(event)))
