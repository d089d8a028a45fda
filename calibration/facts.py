"""What a calibration knows of one tray under one camera."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from calibration.errors import CalibrationError
from vision.errors import GeometryError
from vision.geometry import DIE_MM, Matrix, Outline, TrayGeometry
from vision.lens import Lens

Scale = Literal["assumed", "die", "tray", "board"]
"""What gave the millimetres: nothing (a die of the usual size is assumed), a known die or tray, or a printed board."""
Colour = tuple[float, float, float]
PipPlace = tuple[float, float, float]
SCALES: tuple[Scale, ...] = get_args(Scale)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is known beforehand: a die's edge or the floor's inside width between two opposite sides (the longer of a
    rectangle), mm, a printed board lying there, the floor's corners in the picture, px, the values that are shown,
    how far the lens is from the floor's middle, mm, and that the dice are shown pushed together in a row."""

    die_mm: float | None = None
    tray_mm: float | None = None
    board: bool = False
    corners: tuple[tuple[float, float], ...] = ()
    expect: tuple[int, ...] = ()
    height_mm: float | None = None
    row: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """What the camera's picture was like.

    fps: frames a second. jitter_ms: spread of the time between two. level: median grey level of the empty floor, 0 to
    255. colour: its median blue, green and red. noise: spread of a pixel over time, levels. blur_px: sigma of the blur
    of an edge. edge: share of the floor's outline along which its edge was seen in the empty tray, 0 to 1; or at
    the recording's end, where a faint one was lost by then though nothing had moved.
    """

    fps: float
    jitter_ms: float
    level: float
    colour: tuple[float, float, float]
    noise: float
    blur_px: float
    edge: float = 1.0


@dataclass(frozen=True, slots=True)
class Locked:
    """What the camera is held at: exposure, microseconds; analogue gain; gains of red and blue over green; focus,
    dioptres, None for a lens that does not move."""

    exposure_us: int
    gain: float
    white_balance: tuple[float, float]
    focus: float | None = None


@dataclass(frozen=True, slots=True)
class LockedUsb:
    """What a USB camera is held at, in the units of its driver; None of each where it cannot be held."""

    exposure: float | None = None
    gain: float | None = None
    white_balance: float | None = None
    focus: float | None = None


@dataclass(frozen=True, slots=True)
class DiceSet:
    """The dice played with.

    count: how many. colours, pip_colours: their bodies' and their pips' (Lab, 8 bit), one for each that differs. pips:
    value, x and y of every pip of the values seen, in faces from the face's middle as it stands upright. unsure: share
    of the readings that were not sure here, of so many `readings`, 0 where nobody counted them.
    """

    count: int
    colours: tuple[Colour, ...]
    unsure: float
    readings: int = 0
    pip_colours: tuple[Colour, ...] = ()
    pips: tuple[PipPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class Calibration:
    """One tray under one camera; units as in the file (px of the original picture, mm).

    camera: which one, as its driver names it, "" where nobody knows. locked: what it is held at, None where nothing
    could be chosen. thresholds: stricter limits for the reader by
    their names. `note` says how the outline was found where that matters to people; it is not written to the file.
    """

    width: int
    height: int
    floor: Outline
    die_px: float
    die_mm: float = DIE_MM
    homography: Matrix | None = None
    lens: Lens | None = None
    scale: Scale = "die"
    shape: str = ""
    camera: str = ""
    locked: Locked | LockedUsb | None = None
    made: datetime | None = None
    picture: Picture | None = None
    dice: DiceSet | None = None
    thresholds: Mapping[str, float] = field(default_factory=dict)
    note: str = ""

    @property
    def geometry(self) -> TrayGeometry:
        """What vision needs of it.

        Raises:
            CalibrationError: the numbers fit no tray.
        """
        size = (self.width, self.height)
        try:
            return TrayGeometry(self.floor, self.die_px, size, self.die_mm, self.homography, self.lens)
        except GeometryError as error:
            raise CalibrationError(str(error)) from error
