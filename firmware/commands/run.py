"""`fairtray run`: the main job. A camera or a recording at the table; where there is none, the sample match."""

import logging
import re
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Self

from rich.console import Console

from firmware.commands.watch import on_terminal
from firmware.config import (
    AUTO,
    LOG,
    NO_CONSOLE,
    NO_PANEL,
    USUAL_EVIDENCE,
    Config,
    ConsoleOptions,
    EvidenceOptions,
    PanelOptions,
)
from firmware.drawn.film import Film
from firmware.entries import read, verify
from firmware.errors import FirmwareError
from firmware.evidence.key import device_key
from firmware.evidence.store import close_left
from firmware.ledger import LEDGER
from firmware.play.appliance import Appliance, play_at_table
from firmware.play.health import PORT
from firmware.play.logs import log_as
from firmware.play.sinks import displayed, filmed, json_lines
from firmware.play.sources import CAMERA, is_live
from firmware.play.table import WatchOptions, open_table
from firmware.record import is_begun, rebuilt
from firmware.sample import SAMPLE
from firmware.stopping import Stopping, end
from hardware.camera import why_no_camera
from hardware.display import DEFAULT_WIRING, Wiring, open_display
from scorer.errors import ScorerError

VIDEO, EVENTS = "annotated.mp4", "events.jsonl"
log = logging.getLogger("fairtray")


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What `fairtray run` was asked to do; `players` None = the sample's, or one player at a camera."""

    out: Path
    source: str = AUTO
    players: tuple[str, ...] | None = None
    rules: str = "bho"
    calibration: Path | None = None
    display: str = "picture"
    wiring: Wiring = DEFAULT_WIRING
    settings: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    models: Path | None = None
    match: Path | None = None
    matches: Path = Path("matches")
    panel: PanelOptions = NO_PANEL
    port: int = PORT
    log: str = LOG
    own_pace: bool = True
    console: ConsoleOptions = NO_CONSOLE
    evidence: EvidenceOptions = USUAL_EVIDENCE

    @classmethod
    def of(cls, out: Path, config: Config) -> Self:
        """What the configuration asks for."""
        camera, match, display = config.camera, config.match, config.display
        return cls(
            out,
            camera.source,
            match.players or None,
            match.rules,
            Path(camera.calibration) if camera.calibration else None,
            display.kind,
            display.wiring,
            match.set,
            match.agree,
            Path(camera.models) if camera.models else None,
            None,
            Path(match.folder),
            config.panel,
            config.status.port,
            config.status.log,
            camera.own_pace,
            config.console,
            config.evidence,
        )


def run_command(options: RunOptions, stopping: Stopping) -> int:
    """Play at the table until it is stopped, or the sample match to its end; the exit status.

    Raises one of our errors for bad input, or hardware that is not there.
    """
    log_as(options.log)
    console = Console()
    why = why_no_camera() if options.source == AUTO else ""
    source = options.source if options.source != AUTO else None if why else CAMERA
    if source is None and options.match is None:
        return _show_sample(options, console, why)
    watched = at_source(options, source) if source else sample(options)
    match = options.match or folder_for(options.matches, live=is_live(watched.source), now=datetime.now())
    _tell(console, why)
    console.print(f"Playing {source or 'the sample match'} into {match}: Ctrl-C stops.", soft_wrap=True)
    close_before(options, match)
    display, wiring, panel = options.display, options.wiring, options.panel
    status = play_at_table(
        Appliance(
            watched, match, display, wiring, panel, options.port, options.own_pace, options.console, options.evidence
        ),
        console,
        stopping,
    )
    end(status)


def folder_for(matches: Path, live: bool, now: datetime) -> Path:
    """The folder of the newest match where it still goes on at a camera, else one for a new match.

    Folders are named by the clock and numbered, so that a new one comes after all others whatever the clock says: one
    that was a year ahead for a while neither hides the match that broke off nor takes up another.

    Raises `LedgerError` where that match was altered.
    """
    newest = _newest(matches)
    if live and newest is not None and _goes_on(newest):
        return newest
    name = max(now.strftime("%Y-%m-%d-%H%M"), _order(newest)[0] if newest else "")
    numbered = (matches / f"{name}{f'-{number}' if number > 1 else ''}" for number in count(1))
    return next(folder for folder in numbered if not folder.exists())


def _newest(matches: Path) -> Path | None:
    """The newest match of those that were named here."""
    played = (path.parent for path in matches.glob(f"*/{LEDGER}"))
    return max((folder for folder in played if _NAMED.fullmatch(folder.name)), key=_order, default=None)


_NAMED = re.compile(r"(\d{4}-\d\d-\d\d-\d{4})(?:-(\d+))?")


def _order(match: Path) -> tuple[str, int]:
    """The minute and the number in a folder's name."""
    named = _NAMED.fullmatch(match.name)
    assert named is not None
    return named[1], int(named[2] or 1)


def _goes_on(match: Path) -> bool:
    """Whether the match is not over; it may have been broken off before it had begun."""
    bodies = read(match) if (match / LEDGER).stat().st_size else []
    return not is_begun(bodies) or not rebuilt(bodies)[0].over


def close_before(options: RunOptions, match: Path) -> None:
    """Close the newest match where it is over and was killed before it was closed; one that cannot be is left."""
    newest = _newest(options.matches)
    if newest is None or newest == match:
        return
    try:
        if not verify(newest).closed and rebuilt(read(newest))[0].over:
            close_left(newest, device_key(options.evidence.key), options.evidence.budget_mb)
    except (FirmwareError, ScorerError) as error:
        log.warning("not closed", extra={"told": {"match": str(newest), "error": str(error)}})


def _tell(console: Console, why: str) -> None:
    """Why there is no camera, where there is none."""
    if why:
        console.print(f"{why[0].upper()}{why[1:]}", soft_wrap=True, markup=False, highlight=False)


def _show_sample(options: RunOptions, console: Console, why: str) -> int:
    """Play the sample match and write it down, with a film of what was believed."""
    with ExitStack() as stack:
        display = stack.enter_context(open_display(options.display, options.wiring))
        table = stack.enter_context(open_table(sample(options)))
        _make(options.out)
        _tell(console, why)
        console.print("Playing the sample match.")
        film = stack.enter_context(Film(options.out / VIDEO, table.source.fps))
        events = stack.enter_context((options.out / EVENTS).open("w", encoding="utf-8"))
        on_screen = stack.enter_context(on_terminal(console, table.source))
        table.play([on_screen, json_lines(events), filmed(film, table.watcher), displayed(display)])
    for what, name in (("annotated video", VIDEO), ("events and rulings", EVENTS)):
        console.print(f"The {what}: {options.out / name}", soft_wrap=True)
    return 0


def at_source(options: RunOptions, source: str) -> WatchOptions:
    """Watching a camera or a recording."""
    return WatchOptions(
        source,
        options.calibration,
        options.rules,
        options.players,
        settings=options.settings,
        agreed=options.agreed,
        models=options.models,
        chosen_by_hand=options.panel.kind != "none" or options.console.enabled,
        two_hands=options.panel.kind != "none",
    )


def sample(options: RunOptions) -> WatchOptions:
    """Watching the match that ships with Fairtray, with the boxes that its players picked."""
    return WatchOptions(
        str(SAMPLE / "video.mp4"),
        options.calibration or SAMPLE / "calibration.toml",
        options.rules,
        options.players,
        choices=SAMPLE / "choices.jsonl",
        settings=options.settings,
        agreed=options.agreed,
        models=options.models,
    )


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FirmwareError(f"cannot write the match to {folder}: {error.strerror}") from error
