"""Where what happens goes: JSON lines, the terminal, a film, the display and pictures of it."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import Progress, TaskID

from firmware.drawn.film import Film
from firmware.drawn.overlay import Overlay
from firmware.drawn.terminal import opening, say_events, score_card, show
from firmware.errors import FirmwareError
from firmware.evidence.choosing import Chooser
from firmware.evidence.ring import Recorder
from firmware.evidence.store import Store
from firmware.match import Moment
from hardware.display import Display, draw, enlarged
from hardware.screens import Screen
from scorer.events import MatchStarted, to_json
from vision.watcher import Watcher

Sink = Callable[[Moment], None]

ENLARGED = 4
"""How many times larger than the display the pictures of it are."""


def json_lines(stream: TextIO) -> Sink:
    """One line for each fact, at once."""

    def sink(moment: Moment) -> None:
        for fact in moment.facts:
            print(json.dumps(to_json(fact), ensure_ascii=False), file=stream, flush=True)

    return sink


def terminal(console: Console, progress: Progress, task: TaskID) -> Sink:
    """Each moment's rulings with the display's picture beside them, a bar of the frames played, the card at the end."""

    def sink(moment: Moment) -> None:
        progress.update(task, completed=moment.frame.index + 1)
        if moment.state is None:
            say_events(console, moment.facts)
            return
        if any(isinstance(fact, MatchStarted) for fact in moment.facts):
            console.print(opening(moment.state.rules))
        if moment.facts:
            show(console, moment.facts, draw(moment.screen) if moment.screen else None)
        if moment.last:
            cards = dict(zip(moment.state.players, moment.state.cards, strict=True))
            console.print(score_card(moment.state.rules, cards, moment.state.totals))

    return sink


def pictures(folder: Path) -> Sink:
    """A picture of the display, named by the frame, each time it changes.

    Raises:
        FirmwareError: the folder cannot be made, or, later on, a picture cannot be written there.
    """

    def save(screen: Screen, frame: int) -> None:
        with _said(folder):
            enlarged(draw(screen), ENLARGED).save(folder / f"display-{frame:06d}.png")

    with _said(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return _when_it_changes(save)


@contextmanager
def _said(folder: Path) -> Iterator[None]:
    """Say which folder takes no pictures."""
    try:
        yield
    except OSError as error:
        raise FirmwareError(f"cannot write pictures of the display to {folder}: {error.strerror}") from error


def displayed(display: Display) -> Sink:
    """The display itself, drawn anew each time it changes."""
    return _when_it_changes(lambda screen, _: display.show(screen))


def filmed(film: Film, watcher: Watcher) -> Sink:
    """Every frame with what the watcher saw, and what was ruled on it, drawn in."""
    overlay = Overlay(watcher)

    def sink(moment: Moment) -> None:
        if not moment.last:
            film.add(overlay.draw(moment))

    return sink


def proved(watcher: Watcher, store: Store, seconds: float, memory_mb: float) -> Sink:
    """What proves the rulings, kept in the folder of the match, which is closed at the end."""
    recorder = Recorder(seconds, memory_mb)
    chooser = Chooser(recorder)

    def sink(moment: Moment) -> None:
        if not moment.last:
            recorder.see(moment.frame, watcher.geometry, moment.view)
        for due in chooser.choose(moment.facts):
            store.store(due)
        if moment.last and moment.state is not None and moment.state.over:
            store.close()

    return sink


def _when_it_changes(act: Callable[[Screen, int], object]) -> Sink:
    shown: Screen | None = None

    def sink(moment: Moment) -> None:
        nonlocal shown
        if moment.screen is not None and moment.screen != shown:
            act(moment.screen, moment.frame.index)
            shown = moment.screen

    return sink
