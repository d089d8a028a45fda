"""`fairtray watch`: a video or a camera in, events and rulings out."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from calibration.drift import Drift
from calibration.words import CHECKED
from firmware.drawn.film import Film, check_video
from firmware.entries import verify
from firmware.errors import FirmwareError
from firmware.match import Facts, Moment
from firmware.play.sinks import Sink, filmed, json_lines, pictures, terminal
from firmware.play.table import Table, WatchOptions, open_table
from firmware.writable import check_folder
from scorer.events import CallRefused, ViewLost
from vision.source import FrameSource
from vision.view import CALM

SPOILS = {"camera_moved": "camera_moved", "tray_moved": "camera_moved", "light_changed": "light_changed"}
"""What a calibration does not hold any more after these faults of the view."""


def watch_command(options: WatchOptions, as_json: bool) -> int:
    """Watch the source to its end and say what happens; the exit status.

    Raises one of our errors for bad input, before anything is written; for house rules declared too late, at the end.
    """
    if options.match and options.events_only:
        raise FirmwareError("--events-only plays no match: leave --match out")
    _spare_recording(options)
    if options.annotate:
        check_video(options.annotate)
    if options.display:
        check_folder(options.display)
    with ExitStack() as stack:
        table = stack.enter_context(open_table(options))
        sinks = [json_lines(sys.stdout) if as_json else stack.enter_context(on_terminal(Console(), table.source))]
        if options.annotate:
            film = stack.enter_context(Film(options.annotate, table.source.fps))
            sinks.append(filmed(film, table.watcher))
        if options.display:
            sinks.append(pictures(options.display))
        late: list[str] = []
        sinks.append(lambda moment: late.extend(_declared_late(moment.facts)))
        if options.calibration:
            sinks.append(_no_longer_held(options.calibration, table))
        table.play(sinks)
    if options.match and not as_json:
        print(f"The match ends with {verify(options.match).code}: note it.")
    if late:
        raise FirmwareError(late[0])
    return 0


def _spare_recording(options: WatchOptions) -> None:
    """Refuse to write over the recording that is watched, or among the pictures of one that is a folder."""
    recording = Path(options.source).resolve()
    if options.annotate and recording in (video := options.annotate.resolve(), video.parent):
        raise FirmwareError(f"--annotate {options.annotate}: the recording itself is there: write the video elsewhere")
    if options.display and recording == options.display.resolve():
        raise FirmwareError(f"--display {options.display}: the recording itself is there: write the pictures elsewhere")


def _no_longer_held(path: Path, table: Table) -> Sink:
    """Says on stderr, once for each reason, that play has left what the calibration was made for: at once where the
    view is lost for it, else when it has come slowly and is seen in calm moments."""
    said: set[str] = set()
    drift = Drift(table.calibration) if table.calibration.picture is not None else None

    def say(reason: str, t: float) -> None:
        if reason not in said:
            said.add(reason)
            print(f"fairtray: {path}: at {t:.1f} s {CHECKED[reason]}", file=sys.stderr)

    def told(moment: Moment) -> None:
        for fact in moment.facts:
            reason = SPOILS.get(fact.cause) if isinstance(fact, ViewLost) else None
            if reason is not None:
                say(reason, fact.t)
        if drift is not None and moment.view.phase in CALM and not moment.last:
            frame = moment.frame
            for reason in drift.step(frame.t, frame.image, table.watcher.geometry.floor):
                say(reason, frame.t)

    return told


def _declared_late(facts: Facts) -> Iterator[str]:
    """House rules that were declared after the first throw, and so refused."""
    for fact in facts:
        if isinstance(fact, CallRefused) and fact.reason == "house_rules_locked":
            yield f"house rules declared at {fact.t:g} s, after the first throw: {fact.rule}"


@contextmanager
def on_terminal(console: Console, source: FrameSource) -> Iterator[Sink]:
    """The terminal as a sink, with a bar for as long as a source with an end is played."""
    share = TextColumn("{task.percentage:>3.0f}%")
    columns = (TextColumn("{task.description}"), BarColumn(), share, TimeRemainingColumn())
    hidden = source.frame_count is None or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        yield terminal(console, progress, progress.add_task("watching", total=source.frame_count))
