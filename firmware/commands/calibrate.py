"""`fairtray calibrate`: from a recorded video to a tray that can be trusted."""

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from calibration.adapt import add_dice
from calibration.board import board_pdf
from calibration.facts import Calibration, Locked, LockedUsb, Wish
from calibration.file import dump, load, parse
from calibration.lock import lock
from calibration.recording import Recording, record
from calibration.run import Result, calibrate, doubts
from calibration.shape import mm_per_px
from calibration.words import ADDED, CHECKED, cut_words, likely_share, sentences, unsure_words
from firmware.commands.calibrate_report import report
from firmware.errors import FirmwareError
from firmware.play.sources import camera_name, check_belongs, chosen_by, is_live, open_frames, until_interrupted
from firmware.play.table import checked_at
from firmware.writable import check_ending, check_file
from vision.network import load_networks
from vision.source import is_picture

LONGEST_S = 60.0
"""So much of a recording is looked at; a live camera is watched for so long or until Ctrl-C."""
DIE_MM, TRAY_MM, HEIGHT_MM = (5.0, 60.0), (60.0, 2000.0), (100.0, 5000.0)


@dataclass(frozen=True, slots=True)
class CalibrateOptions:
    """What `fairtray calibrate run` was asked to do."""

    source: str
    out: Path
    die_mm: float | None = None
    tray_mm: float | None = None
    board: bool = False
    corners: str | None = None
    expect: str | None = None
    report: Path | None = None
    models: Path | None = None
    height_mm: float | None = None
    row: bool = False

    @property
    def page(self) -> Path:
        """Where the report goes: beside the calibration where no other place is named."""
        return self.report or self.out.with_suffix(".html")

    @property
    def page_of_failure(self) -> Path:
        """Where the report of a recording that fails goes: that of a calibration which stays is kept, too."""
        return self.page if self.report or not self.out.exists() else self.out.with_name(f"{self.out.stem}-failed.html")


def calibrate_command(options: CalibrateOptions, as_json: bool) -> int:
    """Calibrate, say what was found, write a report, and the file if it can be trusted; 0 passed, 1 failed.

    Raises one of our errors for bad input, and then nothing is written; a file that is there stays as it is unless the
    calibration passes.
    """
    wish = wish_of(options)
    _check_files(options)
    recording, chosen = recorded(options.source, LONGEST_S)
    networks = load_networks(options.models)
    made = datetime.now(UTC).replace(microsecond=0)
    result = calibrate(recording, networks, wish, camera_name(options.source), made)
    page = options.page if result.ok else options.page_of_failure
    files = {page: report(result, options.source).encode()}
    if result.ok and result.calibration is not None:
        locked = lock(chosen, result.quality.mains, recording.fps) if isinstance(chosen, Locked) else chosen
        files[options.out] = _written(replace(result.calibration, locked=locked))
    write_whole(files)
    if as_json:
        print(json.dumps(as_dict(result)))
    else:
        _tell(result, options, page)
    return 0 if result.ok else 1


def _check_files(options: CalibrateOptions) -> None:
    """Raise FirmwareError where a file cannot be written, or would be written over the recording, among its pictures
    or over the other file: it must be known before somebody films for a minute."""
    recording = Path(os.path.realpath(options.source))
    taken = {recording: "the recording"}
    check_file(options.out)  # before anything is derived from its name: `.` has none
    check_ending(options.page, ".html", ".htm")
    for name, path in (("-o", options.out), ("--report", options.page)):
        place = check_file(path)
        if place in taken:
            raise FirmwareError(f"{name} {path} is {taken[place]}: name another file")
        if any(each.parent.resolve() == recording and is_picture(each) for each in (path, place)):
            raise FirmwareError(f"{name} {path} would be one of the recording's pictures: name another file")
        taken[place] = f"{name} too"


def wish_of(options: CalibrateOptions) -> Wish:
    """What is known beforehand; raises FirmwareError for options that contradict each other or can mean no tray."""
    known = [name for name, given in (
        ("--die-mm", options.die_mm is not None), ("--tray-mm", options.tray_mm is not None), ("--board", options.board)
    ) if given]  # fmt: skip
    if len(known) > 1:
        raise FirmwareError(f"{' and '.join(known)} contradict each other: one length is enough")
    for name, asked in (("--height-mm", options.height_mm is not None), ("--row", options.row)):
        if asked and not known:
            raise FirmwareError(f"{name} alone tells no scale: give --die-mm, --tray-mm or --board with it")
    for name, given, (low, high) in (
        ("--die-mm", options.die_mm, DIE_MM),
        ("--tray-mm", options.tray_mm, TRAY_MM),
        ("--height-mm", options.height_mm, HEIGHT_MM),
    ):
        if given is not None and not low <= given <= high:
            raise FirmwareError(f"{name} {given:g}: give {low:g} to {high:g} mm")
    corners = _corners(options.corners) if options.corners is not None else ()
    expect = _values(options.expect) if options.expect is not None else ()
    return Wish(options.die_mm, options.tray_mm, options.board, corners, expect, options.height_mm, options.row)


def recorded(
    source: str, longest_s: float, locked: Locked | LockedUsb | None = None
) -> tuple[Recording, Locked | LockedUsb | None]:
    """The first seconds of a source, of a camera until Ctrl-C; and what its camera, held at `locked` where that is
    given, chose for itself in them. Raises FirmwareError where nothing comes."""
    with ExitStack() as stack:
        frames = stack.enter_context(open_frames(source, locked=locked))
        running = stack.enter_context(until_interrupted(frames)) if is_live(source) else iter(frames)
        recording = record(running, longest_s)
        chosen = chosen_by(frames)
    if recording is None:
        raise FirmwareError(f"{source}: no frame of it can be seen")
    return replace(recording, cut=recording.cut and not is_live(source)), chosen


def as_dict(result: Result) -> dict[str, Any]:
    """The JSON object: what was measured, null where it was not, and why it fails."""
    found, quality = result.calibration, result.quality
    known, light = found is not None and found.scale != "assumed", result.light
    camera: dict[str, Any] = {"width": result.recording.size[0], "height": result.recording.size[1]}
    camera |= {"fps": round(result.recording.fps, 3), "jitter_ms": round(result.recording.jitter_ms, 2)}
    camera |= {name: round(getattr(quality, name), 3) for name in ("level", "noise", "blur_px", "flicker", "shift_px")}
    if light is not None:
        drifts = {"brightness_drift": light.brightness_drift, "colour_drift": light.colour_drift}
        camera |= {
            name: round(value, 3) for name, value in ({"even": light.even, "clipped": light.clipped} | drifts).items()
        }
        camera["colour"] = [round(value, 1) for value in light.colour]
    told: dict[str, Any] = {"ok": result.ok, "mm_per_px": None, "die_mm": None, "die_px": None, "floor": None}
    told |= {"mm_per_px_doubt": None, "die_mm_doubt": None, "wall": None, "rim": None}
    if found is not None and found.lens is not None:
        lens = found.lens
        camera |= {"name": found.camera, "focal_px": round(lens.focal[0], 2), "distortion": list(lens.distortion)}
        camera |= {"tilt_deg": round(57.29578 * lens.tilt, 2)}
        told |= {"die_px": found.die_px, "floor": [list(point) for point in found.floor], "shape": found.shape}
        if result.outline is not None and result.outline.rim is not None:
            told["wall"], told["rim"] = (edge.round(2).tolist() for edge in result.outline.rim)
        if known:
            camera["height_mm"] = round(lens.place[2], 1)
            scale = mm_per_px(lens)
            mm_doubt, die_doubt = doubts(result, scale)
            told |= {"mm_per_px": round(scale, 6), "die_mm": found.die_mm}
            told |= {
                "mm_per_px_doubt": mm_doubt and round(mm_doubt, 6),
                "die_mm_doubt": die_doubt and round(die_doubt, 2),
            }
    told |= {"camera": camera, "scale": found.scale if found else None}
    low, high = likely_share(sum(die.value is None for die in result.dice), len(result.dice))
    read = {
        "values": [list(values) for values in result.found],
        "readings": len(result.dice),
        "unsure": found.dice.unsure if found and found.dice else None,
        "unsure_from": round(low, 4),
        "unsure_to": round(high, 4),
    }
    return told | {
        "dice": read,
        "reasons": list(result.reasons),
        "advice": list(result.advice),
        "messages": sentences(result),
    }


def board_command(out: Path) -> int:
    """Write the board's sheet; raises FirmwareError where that cannot be, or its name is not that of a PDF."""
    check_ending(out, ".pdf")
    write_whole({out: board_pdf()})
    print(f"{out}: print it at 100 %, check the line of 100 mm, and lay it flat on the tray's floor")
    return 0


def write_whole(files: Mapping[Path, bytes]) -> None:
    """Write files so that each is whole or as it was: none is put in its place before all are on the disk. A link stays
    one: the file that it leads to is written.

    Raises FirmwareError where that cannot be.
    """
    with ExitStack() as parts:
        ready = [(path, *parts.enter_context(_beside(path, content))) for path, content in files.items()]
        for path, part, place in ready:
            with _said(path):
                os.replace(part, place)


@contextmanager
def _beside(path: Path, content: bytes) -> Iterator[tuple[Path, Path]]:
    """A file with what is to be that one's content, which vanishes unless it takes its place, and that place."""
    place = check_file(path)
    with _said(path):
        descriptor, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}-")
    try:
        with _said(path), os.fdopen(descriptor, "wb") as part:
            part.write(content)
            part.flush()
            os.fsync(part.fileno())
            os.chmod(name, 0o644)
        yield Path(name), place
    finally:
        Path(name).unlink(missing_ok=True)


@contextmanager
def _said(path: Path) -> Iterator[None]:
    """Say which file cannot be written."""
    try:
        yield
    except OSError as error:
        raise FirmwareError(f"cannot write {path}: {error.strerror or error}") from error


def _written(calibration: Calibration) -> bytes:
    """The content of a calibration's file, which can be read again; raises CalibrationError for numbers that fit no
    tray."""
    text = dump(calibration)
    parse(text)
    return text.encode()


def _corners(given: str) -> tuple[tuple[float, float], ...]:
    """Corners given as `x,y x,y x,y x,y`, px."""
    try:
        pairs = [tuple(float(v) for v in pair.split(",")) for pair in given.split()]
        corners = tuple((x, y) for x, y in pairs)
    except ValueError as error:
        raise FirmwareError(f"--corners {given!r}: give px as 'x,y x,y x,y x,y'") from error
    if len(corners) < 4 or not all(abs(v) < 1e5 for corner in corners for v in corner):
        raise FirmwareError(f"--corners {given!r}: give at least four corners, px, as 'x,y x,y x,y x,y'")
    return corners


def _values(given: str) -> tuple[int, ...]:
    values = given.replace(",", " ").split()
    if not values or not all(value in "123456" and len(value) == 1 for value in values):
        raise FirmwareError(f"--expect {given!r}: give the values shown, as 1,2,3,4,5")
    return tuple(sorted(int(value) for value in values))


def _tell(result: Result, options: CalibrateOptions, page: Path) -> None:
    """For people: what was found, what is wrong, what to do, and the page that shows it."""
    console, found = Console(), result.calibration
    for values in result.found:
        console.print(f"dice at rest: {' '.join(map(str, values)) or 'none sure'}")
    if found is not None and found.lens is not None:
        told = as_dict(result)
        sizes = (_size(told["mm_per_px"], told["mm_per_px_doubt"], 4), _size(found.die_mm, told["die_mm_doubt"], 2))
        size = f"{sizes[0]} mm a px, dice of {sizes[1]} mm" if told["mm_per_px"] else "scale unknown"
        console.print(f"{found.shape} tray, dice of {found.die_px:g} px, {size}", soft_wrap=True)
    if result.dice:
        console.print(unsure_words(result), soft_wrap=True)
    for sentence in sentences(result):
        console.print(f"- {sentence}", soft_wrap=True)
    if result.ok:
        written = f"{options.out}, with pictures {page}"
        console.print(f"pass{' with advice' if result.advice else ''}: {written}", soft_wrap=True, style="green")
    else:
        reasons = ", ".join(result.reasons)
        console.print(f"fail ({reasons}): no calibration; pictures: {page}", soft_wrap=True, style="red")
    sys.stdout.flush()


def _size(value: float | None, doubt: float | None, digits: int) -> str:
    return f"{value:.{digits}f}" + (f" ± {doubt:.{digits}f}" if doubt else "") if value else ""


def check_command(source: str, calibration: Path, as_json: bool) -> int:
    """Say whether the calibration still holds for what the source shows at first; 0 it does, 1 it does not.

    Raises one of our errors where the file or the source is none, or they do not belong together.
    """
    known = load(calibration)
    if known.picture is None:
        raise FirmwareError(
            f"{calibration} was not made by `fairtray calibrate run`: it cannot be checked, make it anew"
        )
    checked = checked_at(known, calibration, source)
    if as_json:
        told = {"ok": checked.ok, "reasons": list(checked.reasons), "held": round(checked.held, 3)}
        gain = None if checked.gain is None else round(checked.gain, 3)
        cast = None if checked.cast is None else [round(each, 3) for each in checked.cast]
        moved = round(checked.moved_px, 2) if checked.tells_moves else None
        measured = {"moved_px": moved, "gain": gain, "cast": cast}
        print(json.dumps(told | measured | {"blur_px": round(checked.blur_px, 2)}))
    else:
        untold = (
            "" if checked.tells_moves else "; whether camera or tray were moved cannot be told: it shows no plain edge"
        )
        print("\n".join(CHECKED[reason] for reason in checked.reasons) or f"{calibration} still holds{untold}")
    return 0 if checked.ok else 1


def add_dice_command(source: str, calibration: Path, expect: str | None, models: Path | None, as_json: bool) -> int:
    """Add a set of dice to a calibration: its colours, how often it is unsure, and stricter limits where it needs them.

    Without `expect` the readings are only counted; values of it that were never read together are named. 0: the file
    was written; 1: the dice cannot be trusted here, or the calibration does not hold, and it was left alone. Raises one
    of our errors for bad input.
    """
    known, values = load(calibration), _values(expect) if expect is not None else ()
    recording, _ = recorded(source, LONGEST_S, known.locked)
    check_belongs(known, calibration, source, recording.size)
    added = add_dice(known, recording, load_networks(models), values)
    if added.calibration is not None:
        write_whole({calibration: _written(added.calibration)})
    advice = {"cut_short": cut_words(recording)} if recording.cut else {}
    if added.missing:
        advice["expected_not_read"] = ADDED["expected_not_read"].format(" ".join(map(str, added.missing)))
    if as_json:
        told = {
            "ok": added.ok,
            "readings": added.readings,
            "unsure": round(added.unsure, 4),
            "reasons": list(added.reasons),
            "advice": list(advice),
            "missing": list(added.missing),
        }
        print(json.dumps(told | {"reader": dict(added.calibration.thresholds) if added.calibration else None}))
    else:
        told_words = "; ".join((ADDED | CHECKED)[reason] for reason in added.reasons)
        print(told_words or f"{calibration}: {added.readings} readings, {100 * added.unsure:.0f} % of them unsure")
        print("".join(f"{line}\n" for line in advice.values()), end="")
    return 0 if added.ok else 1
