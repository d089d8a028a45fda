"""`fairtray doctor`: whether everything that a match needs is there and well, and how to mend what is not."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

from calibration.file import load
from firmware.config import AUTO, Config
from firmware.console.beside import check_installed
from firmware.errors import FirmwareError
from firmware.play.health import STOPPED, answering, ask
from firmware.play.sources import CAMERA, check_belongs, is_live, open_frames
from hardware.camera import why_no_camera
from hardware.display import open_display
from hardware.panel import open_panel
from hardware.signals import open_signals
from vision.network import load_networks

SPOILT = 30
"""So many pictures may a camera begin with that cannot be decoded."""
ROOM_MB = 500
"""Less room on the disk is too little for an evening."""
HOT_C = 75.0
"""From 80 degrees on a Pi makes itself slower."""
OLDEST = 2026
"""A clock that shows an earlier year was never set."""
THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")
THROTTLED = {0: "its supply is too weak", 1: "it is capped", 2: "it is slowed down", 3: "it is too hot"}
"""Bits of `vcgencmd get_throttled` for what is so now; 16 more: what was so since the start."""

MENDS = {
    "camera": "check its cable, and [camera] source",
    "display": "check its wiring, and [display]",
    "panel": "check its wiring, and [panel]",
    "model": 'take the networks that come with Fairtray: [camera] models = ""',
    "calibration": "make it anew with `fairtray calibrate run`, and name it in [camera] calibration",
    "port": "stop the program that has it, or set [status] port",
    "console": "pip install 'fairtray[console]'",
    "disk": "name another folder in [match] folder, or mount the disk for writing",
}
"""What to do where the error itself does not say it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: well or not, None where it is not there to look at; what was found, and how to mend it."""

    name: str
    ok: bool | None
    said: str
    mend: str = ""


def doctor_command(config: Config, as_json: bool) -> int:
    """Look at everything and print it; exit status 0 where all is well, else 1."""
    findings = list(examined(config))
    well = all(finding.ok is not False for finding in findings)
    if as_json:
        print(json.dumps({"ok": well, "checks": [asdict(finding) for finding in findings]}, ensure_ascii=False))
        return 0 if well else 1
    table = Table("", "What", "Found", "How to mend it", box=None)
    for finding in findings:
        mark = {True: "ok", False: "BAD", None: "-"}[finding.ok]
        table.add_row(mark, finding.name, finding.said, finding.mend, style="bold red" if finding.ok is False else "")
    Console(highlight=False, markup=False).print(table)
    return 0 if well else 1


def examined(config: Config) -> Iterator[Finding]:
    """Every finding, in the order in which things are needed. Hardware that plays right now is left alone."""
    try:
        running = ask(config.status.port)
    except FirmwareError:  # another program's port, which is among what is looked at
        running = STOPPED
    if running == STOPPED:
        hardware: Sequence[tuple[str, Callable[[Config], Finding]]] = (
            ("camera", _camera), ("display", _display), ("panel", _panel), ("port", _port)
        )  # fmt: skip
        for name, look in hardware:
            yield _looked(name, look, config)
    else:
        said = f"fairtray runs: {running['trouble'] or running['state']}"
        yield Finding("appliance", bool(running["ready"]), said, "" if running["ready"] else "see `fairtray status`")
    for name, look in (("model", _model), ("calibration", _calibration), ("disk", _disk)):
        yield _looked(name, look, config)
    if config.console.enabled:
        yield _looked("console", _console, config)
    yield clock(datetime.now(UTC))
    yield temperature(THERMAL)
    yield throttling(shutil.which("vcgencmd"))


def _looked(name: str, look: Callable[[Config], Finding], config: Config) -> Finding:
    """What is found; our own errors say what is wrong, and most say after a colon how to mend it."""
    try:
        return look(config)
    except (ValueError, OSError) as error:
        message = " ".join(str(error).split())
        said, _, mend = message.partition(": ")
        is_said = " " in said and mend  # else what is before the colon only names the file or the camera
        return Finding(name, False, said, mend) if is_said else Finding(name, False, message, MENDS[name])


def _camera(config: Config) -> Finding:
    source = config.camera.source
    if source == AUTO:
        if why := why_no_camera():
            return Finding("camera", None, f"{why}; the sample match would be played", "set [camera] source")
        source = CAMERA
    with open_frames(source) as frames:
        sound = next((frame for frame in islice(frames, SPOILT + 1) if frame.sound), None)
    if sound is None:
        raise FirmwareError(f"{source} gives no picture that can be decoded")
    height, width = sound.image.shape[:2]
    kind = "pictures" if is_live(source) else "a recording, pictures"
    return Finding("camera", True, f"{source} gives {kind} of {width}x{height} px")


def _display(config: Config) -> Finding:
    with open_display(config.display.kind, config.display.wiring):
        return Finding("display", True, f"{config.display.kind} answers")


def _panel(config: Config) -> Finding:
    with open_signals(config.panel.signals) as signals:
        signals.light("white")
    if config.panel.kind == "keyboard":
        return Finding("panel", True, "the terminal's keys: arrows, Enter, c, r")
    if config.panel.pins is None:
        return Finding("panel", None, "no buttons: the best box is entered", "set [panel] kind")
    with open_panel(lambda: 0.0, config.panel.pins):
        return Finding("panel", True, f"{config.panel.kind} can be used")


def _port(config: Config) -> Finding:
    with answering(config.status.port, dict):
        return Finding("port", True, f"{config.status.port} is free for `fairtray status`")


def _console(config: Config) -> Finding:
    check_installed()
    return Finding("console", True, f"it can be served on port {config.console.port}")


def _model(config: Config) -> Finding:
    load_networks(Path(config.camera.models) if config.camera.models else None)
    return Finding("model", True, f"the networks fit fairtray {version('fairtray')}")


def _calibration(config: Config) -> Finding:
    if not config.camera.calibration:
        return Finding("calibration", None, "none: found anew at each start", "`fairtray calibrate run`")
    path = Path(config.camera.calibration)
    known = load(path)
    check_belongs(known, path, config.camera.source, (known.width, known.height))
    made = f" of {known.made:%Y-%m-%d}" if known.made else ""
    return Finding("calibration", True, f"{path}{made} for {known.width}x{known.height} px")


def _disk(config: Config) -> Finding:
    folder = Path(config.match.folder).absolute()
    there = next(parent for parent in (folder, *folder.parents) if os.path.lexists(parent))
    try:
        with tempfile.TemporaryFile(dir=there):
            room = shutil.disk_usage(there).free / 1e6
    except OSError as error:
        raise FirmwareError(f"{there} cannot be written to ({error.strerror})") from error
    said = f"{room:.0f} MB free for {folder}"
    return Finding("disk", room >= ROOM_MB, said, "" if room >= ROOM_MB else "make room: old matches can be moved away")


def clock(now: datetime) -> Finding:
    """Whether the clock was set: entries of the ledger say when they were written."""
    well = now.year >= OLDEST
    mend = "" if well else "connect to a network once, or `sudo date -s`; play itself does not need it"
    return Finding("clock", well, f"{now:%Y-%m-%d %H:%M} UTC", mend)


def temperature(sensor: Path) -> Finding:
    """The processor's, from a file of thousandths of a degree."""
    try:
        degrees = int(sensor.read_text(encoding="ascii")) / 1000
    except (OSError, ValueError):
        return Finding("temperature", None, "this machine does not tell it")
    well = degrees < HOT_C
    return Finding("temperature", well, f"{degrees:.0f} °C", "" if well else "give it air, or a heat sink")


def throttling(command: str | None) -> Finding:
    """Whether a Pi slows itself down, by its `vcgencmd`."""
    if command is None:
        return Finding("throttling", None, "no Raspberry Pi, or no vcgencmd")
    try:
        told = subprocess.run([command, "get_throttled"], capture_output=True, text=True, timeout=5, check=True).stdout
        bits = int(told.partition("=")[2], 16)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return Finding("throttling", None, f"vcgencmd does not tell it ({error})")
    now = [said for bit, said in THROTTLED.items() if bits >> bit & 1]
    was = [said for bit, said in THROTTLED.items() if bits >> bit + 16 & 1]
    said = ", ".join(now) or (f"not now; since the start: {', '.join(was)}" if was else "no")
    return Finding("throttling", not now, said, "use the Pi's own power supply, and give it air" if now or was else "")
