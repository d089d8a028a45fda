"""`fairtray read`: what the dice in photographs show."""

import json
import math
import os
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
from rich.console import Console
from rich.text import Text

from firmware.commands.photos import Image, open_photo
from firmware.drawn.annotate import draw_marks, mark_of
from firmware.errors import EXIT_BAD_INPUT, FirmwareError
from vision.errors import PictureError
from vision.network import Networks, load_networks
from vision.stills import DIE_PX, PhotoReading, read_photo


def read_command(
    images: Sequence[Path], die_px: float | None, as_json: bool, annotate: Path | None, models: Path | None = None
) -> int:
    """Print what every photograph shows, as JSON lines or for people; returns the exit status.

    A file that cannot be read is reported and the others are read all the same; the status is then 2. Raises
    FirmwareError for a die size or a folder that cannot be used and ModelError where the networks are missing.
    """
    if die_px is not None and not (math.isfinite(die_px) and DIE_PX[0] <= die_px <= DIE_PX[1]):
        raise FirmwareError(f"--die-px {die_px:g}: a die's side has {DIE_PX[0]:g} to {DIE_PX[1]:g} pixels")
    drawings = None if annotate is None else _Drawings(annotate, images)
    networks, console, status = load_networks(models), Console(), 0
    for path in images:
        try:
            image = open_photo(path)
            reading, ms = _timed(networks, image, die_px)
            if drawings:
                drawings.write(path, draw_marks(image, [mark_of(die.reading) for die in reading.dice]))
        except (FirmwareError, PictureError) as error:
            status = EXIT_BAD_INPUT
            _complain(path, error, as_json)
            continue
        if as_json:
            print(json.dumps(as_dict(path, image, reading, ms)), flush=True)
        else:
            console.print(_line(path, reading, ms), soft_wrap=True)
    return status


def as_dict(path: Path, image: Image, reading: PhotoReading, ms: float) -> dict[str, Any]:
    """The JSON line of a photograph: its size and boxes in px, each die's value (null where not sure), and the time."""
    dice = [
        {
            "value": die.reading.value,
            "p": round(die.reading.p, 4),
            "state": die.reading.state,
            "box": [round(edge, 1) for edge in die.reading.box],
            "angle": round(die.reading.angle, 1) % 90,
        }
        for die in reading.dice
    ]
    size = {"width": image.shape[1], "height": image.shape[0]}
    answer = {"dice": dice, "values": list(reading.values), "sure": reading.sure, "ms": round(ms, 2)}
    return {"source": str(path), **size, **answer}


def _timed(networks: Networks, image: Image, die_px: float | None) -> tuple[PhotoReading, float]:
    """The reading and the milliseconds it took: all but the decoding of the file."""
    start = time.perf_counter()
    reading = read_photo(networks, image, die_px)
    return reading, 1e3 * (time.perf_counter() - start)


def _complain(path: Path, error: ValueError, as_json: bool) -> None:
    message = " ".join(str(error).split()).removeprefix(f"{path}: ")
    if as_json:
        print(json.dumps({"source": str(path), "error": message}), flush=True)
    print(f"fairtray: {_printable(path)}: {message}", file=sys.stderr)


def _line(path: Path, reading: PhotoReading, ms: float) -> Text:
    """For people: the file, its values with a question mark for every die that is not sure, and the verdict."""
    line = Text(f"{_printable(path)}: ")
    if not reading.dice:
        return line.append("no dice found", "yellow").append(f"  {ms:.0f} ms", "dim")
    unsure = len(reading.dice) - len(reading.values)
    line.append(" ".join(str(value) for value in reading.values), "bold green")
    line.append(" ?" * unsure if reading.values else " ".join("?" * unsure), "bold yellow")
    verdict = "all sure" if reading.sure else f"{unsure} not sure"
    line.append(f"  ({_count(len(reading.dice))}, {verdict})", "green" if reading.sure else "yellow")
    return line.append(f"  {ms:.0f} ms", "dim")


def _count(dice: int) -> str:
    return "1 die" if dice == 1 else f"{dice} dice"


def _printable(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "replace")


class _Drawings:
    """A folder of annotated pictures, one for each photograph: never one over another, nor over a photograph itself."""

    def __init__(self, folder: Path, photographs: Iterable[Path]) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FirmwareError(f"--annotate {folder}: cannot make that folder ({error.strerror})") from error
        self._folder = folder
        self._taken = {path.resolve() for path in photographs}

    def write(self, photograph: Path, drawn: Image) -> None:
        path = self._free_name(photograph)
        ending = path.suffix
        done, content = cv2.imencode(ending, drawn)
        try:
            if not done:
                raise FirmwareError(f"{path}: cannot be encoded as {ending[1:]}")
            path.write_bytes(content.tobytes())
        except OSError as error:
            raise FirmwareError(f"{path}: cannot be written ({error.strerror})") from error

    def _free_name(self, photograph: Path) -> Path:
        ending = ".jpg" if photograph.suffix.lower() in (".jpg", ".jpeg") else ".png"
        name, number = photograph.stem, 2
        while (path := self._folder / f"{name}{ending}").resolve() in self._taken:
            name, number = f"{photograph.stem}-{number}", number + 1
        self._taken.add(path.resolve())
        return path
