"""The calibration file: picture size, floor outline, die size and homography of one tray, as checked TOML.

version = 1
[image]
width = 1280
height = 720
[floor]
outline = [[102.0, 80.0], [1170.0, 84.0], [1166.0, 660.0], [98.0, 655.0]]   # px, in order round the floor
[die]
px = 31.2   # edge of a face
mm = 16.0
[camera]    # may be left out
homography = [[...], [...], [...]]   # image px -> mm on the floor, origin at its centre, x right, y down
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from calibration.errors import CalibrationError
from vision.errors import GeometryError
from vision.geometry import DIE_MM, Matrix, Outline, TrayGeometry

VERSION = 1
SIDE_PX = (32, 16384)
DIE_PX = (4.0, 2000.0)
DIE_MM_RANGE = (5.0, 60.0)
CORNERS = (3, 64)
KEYS = {
    "": ("version", "image", "floor", "die", "camera"),
    "image": ("width", "height"),
    "floor": ("outline",),
    "die": ("px", "mm"),
    "camera": ("homography",),
}


@dataclass(frozen=True, slots=True)
class Calibration:
    """One tray under one camera; units as in the file (px of the original picture, mm).

    `note` says how the outline was found where that matters to people; it is not written to the file.
    """

    width: int
    height: int
    floor: Outline
    die_px: float
    die_mm: float = DIE_MM
    homography: Matrix | None = None
    note: str = ""

    @property
    def geometry(self) -> TrayGeometry:
        """What vision needs of it.

        Raises:
            CalibrationError: the numbers fit no tray.
        """
        try:
            return TrayGeometry(self.floor, self.die_px, (self.width, self.height), self.die_mm, self.homography)
        except GeometryError as error:
            raise CalibrationError(str(error)) from error


def load(path: Path) -> Calibration:
    """The calibration in a TOML file.

    Raises:
        CalibrationError: the file is missing, no TOML, or a key is unknown, missing or out of its range.
    """
    try:
        return parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CalibrationError(f"{path}: cannot read the calibration ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise CalibrationError(f"{path}: the calibration is no text") from error
    except CalibrationError as error:
        raise CalibrationError(f"{path}: {error}") from error


def parse(text: str) -> Calibration:
    """The calibration in TOML text; raises CalibrationError as `load` does."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CalibrationError(f"no TOML ({error})") from error
    sections = {name: _section(table, name) for name in ("image", "floor", "die", "camera")}
    _check_keys(table, "")
    if table.get("version") != VERSION:
        raise CalibrationError(f"version must be {VERSION}, not {table.get('version')!r}")
    width, height = (_whole(sections["image"], "image", key, SIDE_PX) for key in ("width", "height"))
    calibration = Calibration(
        width=width,
        height=height,
        floor=_outline(sections["floor"], width, height),
        die_px=_number(sections["die"], "die", "px", DIE_PX),
        die_mm=_number(sections["die"], "die", "mm", DIE_MM_RANGE, default=DIE_MM),
        homography=_homography(sections["camera"]),
    )
    _ = calibration.geometry  # the numbers must also fit together
    return calibration


def dump(calibration: Calibration) -> str:
    """The calibration as TOML text that `parse` reads back unchanged."""
    corners = ", ".join(f"[{x!r}, {y!r}]" for x, y in calibration.floor)
    lines = [
        f"version = {VERSION}",
        "",
        "[image]",
        f"width = {calibration.width}",
        f"height = {calibration.height}",
        "",
        "[floor]  # px, in order round the floor",
        f"outline = [{corners}]",
        "",
        "[die]  # edge of a face",
        f"px = {calibration.die_px!r}",
        f"mm = {calibration.die_mm!r}",
    ]
    if calibration.homography is not None:
        rows = ", ".join("[" + ", ".join(repr(v) for v in row) + "]" for row in calibration.homography)
        lines += ["", "[camera]  # image px -> mm on the floor, origin at its centre", f"homography = [{rows}]"]
    return "\n".join(lines) + "\n"


def _section(table: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = table.get(name, {} if name == "camera" else None)
    if not isinstance(section, dict):
        raise CalibrationError(f"[{name}] is missing or no table")
    _check_keys(section, name)
    return section


def _check_keys(table: Mapping[str, Any], section: str) -> None:
    """A misspelt key must not silently mean nothing."""
    for key in table:
        if key not in KEYS[section]:
            name = f"{section}.{key}" if section else key
            raise CalibrationError(f"unknown key {name}; known here: {', '.join(KEYS[section])}")


def _number(
    table: Mapping[str, Any], section: str, key: str, allowed: tuple[float, float], default: float | None = None
) -> float:
    value = table.get(key, default)
    low, high = allowed
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise CalibrationError(f"{section}.{key} must be a number from {low:g} to {high:g}, not {value!r}")
    return float(value)


def _whole(table: Mapping[str, Any], section: str, key: str, allowed: tuple[int, int]) -> int:
    number = _number(table, section, key, allowed)
    if number != int(number):
        raise CalibrationError(f"{section}.{key} must be a whole number, not {number!r}")
    return int(number)


def _outline(table: Mapping[str, Any], width: int, height: int) -> Outline:
    fewest, most = CORNERS
    rows = _rows(table.get("outline"), columns=2)
    if rows is None or not fewest <= len(rows) <= most:
        raise CalibrationError(f"floor.outline must be {fewest} to {most} pairs of px as [[x, y], ...]")
    for x, y in rows:
        if not (-width <= x <= 2 * width and -height <= y <= 2 * height):
            raise CalibrationError(f"floor.outline: [{x:g}, {y:g}] is far outside the picture of {width}x{height} px")
    return tuple((x, y) for x, y in rows)


def _homography(table: Mapping[str, Any]) -> Matrix | None:
    if "homography" not in table:
        return None
    rows = _rows(table["homography"], columns=3)
    if rows is None or len(rows) != 3:
        raise CalibrationError("camera.homography must be three rows of three numbers")
    return tuple((a, b, c) for a, b, c in rows)


def _rows(value: object, columns: int) -> list[list[float]] | None:
    """`value` as rows of finite numbers, or None where it is anything else."""
    if not isinstance(value, list) or not all(isinstance(row, list) and len(row) == columns for row in value):
        return None
    rows = cast(list[list[Any]], value)
    flat = [v for row in rows for v in row]
    if not all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in flat):
        return None
    return [[float(v) for v in row] for row in rows]
