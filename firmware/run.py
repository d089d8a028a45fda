"""`fairtray run`: the main job. The camera if there is one, else the sample match."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from rich.console import Console

from firmware.config import AUTO, Config
from firmware.errors import FirmwareError
from firmware.film import Film
from firmware.sinks import displayed, filmed, json_lines
from firmware.sources import CAMERA
from firmware.watch import WatchOptions, on_terminal, open_table
from hardware.camera import camera_present
from hardware.display import DEFAULT_WIRING, Wiring, open_display

SAMPLE = Path(__file__).parent / "sample"
VIDEO, EVENTS = "annotated.mp4", "events.jsonl"


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
        )


def run_command(options: RunOptions) -> int:
    """Play the match to its end, or until Ctrl-C; the exit status.

    Raises one of our errors for bad input, or hardware that is not there.
    """
    console = Console()
    source = options.source if options.source != AUTO else CAMERA if camera_present() else None
    watched = at_source(options, source) if source else sample(options)
    with ExitStack() as stack:
        display = stack.enter_context(open_display(options.display, options.wiring))
        table = stack.enter_context(open_table(watched))
        _make(options.out)
        playing = f"Playing {source}: Ctrl-C ends the match." if source else "No camera: playing the sample match."
        console.print(playing, soft_wrap=True)
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
