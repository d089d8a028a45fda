"""Faults injected into the whole appliance one by one: `python -m tests.firmware.play.faults [NAME ...]`.

The sample match is played as if a camera took it. Each fault begins after the first roll was counted and lasts three
seconds; what the display showed meanwhile, what was lost of what had been ruled, and how long after its end play went
on is printed as a table, which docs/faults.md keeps.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import Any

from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from rich.console import Console

import firmware.record
from firmware.config import PanelOptions
from firmware.entries import read, verify
from firmware.ledger import Ledger
from firmware.play import appliance, table
from firmware.play.table import WatchOptions
from firmware.play.vitals import Vitals
from firmware.record import rebuilt
from firmware.sample import SAMPLE
from firmware.stopping import Stopping
from hardware.closing import Closing
from hardware.display import Display, Wiring
from hardware.screens import Notice, Screen
from tests.firmware.play.stand_ins import put
from tests.firmware.play.test_health import free_port
from vision.errors import SourceError
from vision.source import Frame, open_source
from vision.watcher import Watcher

LASTS_S = 3.0
PATIENCE_S = 30.0
"""A display's bus fails until something is to be shown."""
FRAMES = 265
"""Of the sample: its first throw is counted, and the second."""
SLOWER = 4.0
"""The film is played so many times slower, so that a busy machine sees every frame of it."""
PINS = (5, 6, 13, 19, 26)


@dataclass
class Table:
    """What is at the table, and what is wrong with it: each fault sets one of these."""

    camera: str = ""
    display: bool = False
    disk: bool = False
    slow_disk: bool = False
    year: int = 0
    crash: bool = False


AT = Table()
SHOWN: list[tuple[float, Screen]] = []
BEGUN = time.monotonic()


class Film(Closing):
    """The sample's beginning as a camera that goes on whether anybody looks or not."""

    fps, size, frame_count = 30.0, (640, 480), None
    first = 0.0
    frames: list[Frame]

    def __init__(self) -> None:
        if AT.camera in ("unplugged", "stolen"):
            raise SourceError("usb:0: no camera there gives pictures; is it plugged in? does another program use it?")

    def __iter__(self) -> Iterator[Frame]:
        Film.first = Film.first or time.monotonic()
        while AT.camera not in ("unplugged", "stolen"):
            now = time.monotonic() - Film.first
            if AT.camera == "stalled":
                time.sleep(0.01)
                continue
            t = now / SLOWER
            yield replace(Film.frames[min(int(t * 30), FRAMES - 1)], t=t)
            time.sleep(max(0.0, SLOWER / 30 - (time.monotonic() - Film.first - now)))

    def close(self) -> None:
        """Nothing is held."""


def main(names: list[str]) -> None:
    """Inject them, each in a process of its own, and print what came of it."""
    print("| fault of 3 s | shown meanwhile | lost of what was ruled | ready again after |")
    print("| --- | --- | --- | --- |")
    for name in names or FAULTS:
        done = subprocess.run(
            [sys.executable, "-m", "tests.firmware.play.faults", "--one", name], capture_output=True, text=True
        )
        rows = [line for line in done.stdout.splitlines() if line.startswith("| ")]
        print(
            rows[-1] if rows else f"| {name} | it ended with status {done.returncode}: {done.stderr[-300:]} | | |",
            flush=True,
        )


def inject(name: str) -> str:
    """Play with this fault; its row of the table."""
    with open_source(str(SAMPLE / "video.mp4")) as film:
        Film.frames = list(islice(film, FRAMES))
    Device.pin_factory = MockFactory()
    _prepare()
    with tempfile.TemporaryDirectory() as folder:
        match, port = Path(folder) / "match", free_port()
        watched = WatchOptions("usb:0", SAMPLE / "calibration.toml", "bho", ("Ann", "Ben"), chosen_by_hand=True)
        options = appliance.Appliance(watched, match, "picture", Wiring(), PanelOptions(kind="buttons"), port, True)
        facts: dict[str, Any] = {}
        Thread(target=_happening, args=(name, match, facts), daemon=True).start()
        with open(os.devnull, "w", encoding="utf-8") as nowhere, Stopping() as stopping:
            appliance.play_at_table(options, Console(file=nowhere), stopping)
        verdict = verify(match)
        bodies = read(match)
        kept = [body for body in bodies if body["kind"] == "ruling"][: facts["ruled"]] == facts["before"]
        rebuilt(bodies)
    lost = "nothing" if kept and verdict.ok else f"LOST ({verdict.fault})"
    shown = "; ".join(text.replace(folder, "") for text in dict.fromkeys(facts["shown"])) or "the match, as ever"
    on = f"{facts['on']:.1f} s" if facts["on"] is not None else "NOT"
    return f"| {name} | {shown} | {lost} | {on} |"


def _happening(name: str, match: Path, facts: dict[str, Any]) -> None:
    """The fault from its beginning to its end, seen from outside."""
    facts["before"] = []
    while not any(body["name"] == "RollCounted" for body in facts["before"]):
        time.sleep(0.1)
        if Film.first and time.monotonic() - Film.first > SLOWER * FRAMES / 30:
            os.kill(os.getpid(), signal.SIGKILL)  # so busy a machine sees no throw
        with suppress(ValueError):  # there is no ledger yet
            facts["before"] = [body for body in read(match) if body["kind"] == "ruling"]
    facts["ruled"] = len(facts["before"])
    begun = time.monotonic()
    end, troubles = FAULTS[name](), list[str]()
    while time.monotonic() - begun < (PATIENCE_S if AT.display and not troubles else LASTS_S):
        troubles += [VITALS[0].worst] if VITALS[0].worst else []
        time.sleep(0.05)
    end()
    over = time.monotonic()
    facts["on"] = None
    while facts["on"] is None and time.monotonic() - over < 30:
        with suppress(Exception):
            if appliance_ready():
                facts["on"] = time.monotonic() - over
        time.sleep(0.05)
    while time.monotonic() - Film.first < SLOWER * (FRAMES / 30 + 1):
        time.sleep(0.1)
    told = [screen for at, screen in SHOWN if begun <= at <= over + 0.3]
    asked = [f"{screen.title}: {screen.text}" for screen in told if isinstance(screen, Notice)]
    facts["shown"] = asked or [f"in the log: {trouble}" for trouble in troubles]
    os.kill(os.getpid(), signal.SIGTERM)


VITALS: list[Any] = []


def appliance_ready() -> bool:
    """Whether it watches and nothing is wrong."""
    return bool(VITALS[0].told()["ready"])


def _prepare() -> None:
    """Put the table's things in the place of real ones."""
    for module in (appliance, table):
        put(module, open_frames=lambda *_args, **_kept: Film())
    show, append, step = Display.show, Ledger.append, Watcher.step

    def vitals() -> Any:
        VITALS.append(Vitals())
        return VITALS[-1]

    def shown(self: Display, screen: Screen) -> None:
        if AT.display:
            self._device.display = _refuse
        show(self, screen)
        SHOWN.append((time.monotonic(), screen))

    def appended(self: Ledger, bodies: Any, *signed: Any) -> None:
        if AT.slow_disk:
            time.sleep(1.0)
        pages = self._connection.execute("PRAGMA page_count").fetchone()[0] if AT.disk else 1_000_000
        self._connection.execute(f"PRAGMA max_page_count = {pages}")
        # What is too long for the pages that there are SQLite itself refuses, as on a full disk: it is not written.
        append(self, [dict(body, stuffed="x" * 9000) for body in bodies] if AT.disk else bodies, *signed)

    def stepped(self: Watcher, frame: Frame) -> Any:
        if AT.crash:
            AT.crash = False
            raise RuntimeError("a fault of ours")
        return step(self, frame)

    class Moved(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(tz) + timedelta(days=365 * AT.year)

    put(appliance, Vitals=vitals)
    put(Display, show=shown)
    put(Ledger, append=appended)
    put(Watcher, step=stepped)
    put(firmware.record, datetime=Moved)


def _refuse(_picture: object) -> None:
    raise OSError(121, "Remote I/O error")


def _set(name: str, value: Any, after: Any) -> Callable[[], Callable[[], None]]:
    """A fault that is so until it is over."""

    def begin() -> Callable[[], None]:
        setattr(AT, name, value)
        return lambda: setattr(AT, name, after)

    return begin


def _shorted() -> Callable[[], None]:
    for pin in PINS:
        Device.pin_factory.pin(pin).drive_low()

    def end() -> None:
        for pin in PINS:
            Device.pin_factory.pin(pin).drive_high()

    return end


FAULTS: dict[str, Callable[[], Callable[[], None]]] = {
    "the camera stalls": _set("camera", "stalled", ""),
    "the camera is unplugged": _set("camera", "unplugged", ""),
    "another program takes the camera": _set("camera", "stolen", ""),
    "the display's bus fails": _set("display", True, False),
    "all wires of the panel are shorted to ground": _shorted,
    "the disk is full": _set("disk", True, False),
    "the disk takes a second for each write": _set("slow_disk", True, False),
    "the clock jumps a year on": _set("year", 1, 1),
    "the clock jumps a year back": _set("year", -1, -1),
    "the part that watches crashes": _set("crash", True, False),
}
"""Each begins the fault and gives what ends it."""


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        row = inject(sys.argv[2])
        print(row, flush=True)
        os._exit(0)
    main(sys.argv[1:])
