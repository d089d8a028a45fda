"""The calibration file: everything measured of one tray under one camera, as checked TOML. README describes it."""

import json
import math
import tomllib
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np

from calibration.errors import CalibrationError
from calibration.facts import SCALES, Calibration, Colour, DiceSet, Locked, LockedUsb, Picture, Scale
from calibration.table import Section, check_keys, moment, short, shown, unlike
from vision.errors import GeometryError
from vision.geometry import DIE_MM, Matrix, Outline, Points
from vision.lens import FOCAL, Lens

VERSION = 2
SIDE_PX = (32, 16384)
DIE_PX = (4.0, 2000.0)
DIE_MM_RANGE = (5.0, 60.0)
CORNERS = (3, 256)
IN_PICTURE = 0.5
"""Share of the floor that the picture must show: a calibration that passes shows all of it."""
IN_ORDER = 0.01
"""Radians by which the outline's points may turn back, or the whole of it miss one turn; rounding does less."""
HEIGHT_MM = (20.0, 20_000.0)
DISTORTION = 5.0
BACK_PX = 2.0
"""Px by which the outline may lie elsewhere once taken to the floor and back; distortion that folds does more."""
OFF_CENTRE = 0.25
"""Share of the floor's extent by which its middle may lie off the camera's origin on it."""
SAME_DIE = 1.4
"""Factor by which a die's px and mm may tell another scale than the camera: a top face is nearer than the floor."""
LENS = ("matrix", "distortion", "rotation", "translation")
LOCKED = ("exposure_us", "gain", "white_balance", "focus")
LOCKED_USB = ("usb_exposure", "usb_gain", "usb_white_balance", "usb_focus")
KEYS = {
    "": ("version", "made", "image", "floor", "die", "camera", "picture", "dice", "reader"),
    "image": ("width", "height"),
    "floor": ("outline", "shape"),
    "die": ("px", "mm", "scale"),
    "camera": ("name", *LENS, "homography", *LOCKED, *LOCKED_USB),
    "picture": ("fps", "jitter_ms", "level", "colour", "noise", "blur_px", "edge"),
    "dice": ("count", "colours", "unsure", "readings", "pip_colours", "pips"),
    "reader": ("sure", "clear", "dissent", "blank"),
}
EXPOSURE_US, GAIN, COLOUR_GAIN, FOCUS = (1, 1_000_000), (1.0, 64.0), (0.1, 32.0), (0.0, 50.0)
DRIVER, LEVELS, PIPS = (0.0, 1e6), (0.0, 255.0), (-1.0, 6.0)
SINCE_PIPS = ("readings", "pip_colours", "pips")
"""Left out where there are none: older files have none."""


def load(path: Path) -> Calibration:
    """The calibration in a TOML file.

    Raises:
        CalibrationError: the file is missing, no TOML, of a newer version, or a key is unknown, missing or out of its
            range.
    """
    try:
        return parse(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise CalibrationError(
            f"{path}: there is no such calibration: `fairtray calibrate run` makes one, --calibration names it"
        ) from error
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
    except RecursionError as error:
        raise CalibrationError("no TOML (brackets within brackets, hundreds deep)") from error
    except tomllib.TOMLDecodeError as error:
        raise CalibrationError(f"no TOML ({short(str(error))})") from error
    except ValueError as error:  # Python reads no whole number of more than 4300 digits
        raise CalibrationError("no TOML of ours (a number of thousands of digits)") from error
    _check_version(table.get("version"))
    check_keys(table, KEYS[""])
    image, floor, die, camera, picture, dice, reader = (Section(table, name, KEYS[name]) for name in KEYS if name)
    width, height = (image.whole(key, SIDE_PX) for key in ("width", "height"))
    calibration = Calibration(
        width=width,
        height=height,
        floor=_outline(floor, width, height),
        die_px=die.number("px", DIE_PX),
        die_mm=die.number("mm", DIE_MM_RANGE, default=DIE_MM),
        homography=_homography(camera),
        lens=_lens(camera, width),
        scale=cast(Scale, die.text("scale", SCALES, default="die" if "mm" in die else "assumed")),
        shape=floor.text("shape"),
        camera=camera.text("name"),
        locked=_locked(camera),
        made=moment(table, "made"),
        picture=_picture(picture) if "picture" in table else None,
        dice=_dice(dice) if "dice" in table else None,
        thresholds={key: reader.number(key, (0.0, 1.0)) for key in KEYS["reader"] if key in reader},
    )
    _check_together(calibration)
    return calibration


def dump(calibration: Calibration) -> str:
    """The calibration as TOML text that `parse` reads back unchanged."""
    facts: dict[str, dict[str, Any]] = {
        "image": {"width": calibration.width, "height": calibration.height},
        "floor": {"outline": calibration.floor} | ({"shape": calibration.shape} if calibration.shape else {}),
        "die": {"px": calibration.die_px, "mm": calibration.die_mm, "scale": calibration.scale},
        "camera": _camera(calibration),
        "reader": dict(calibration.thresholds),
    }
    if (picture := calibration.picture) is not None:
        facts["picture"] = {key: getattr(picture, key) for key in KEYS["picture"]}
    if (dice := calibration.dice) is not None:
        facts["dice"] = {key: value for key in KEYS["dice"] if (value := getattr(dice, key)) or key not in SINCE_PIPS}
    lines = [f"version = {VERSION}"] + ([f"made = {calibration.made.isoformat()}"] if calibration.made else [])
    for name, table in facts.items():
        if table:
            lines += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _check_together(calibration: Calibration) -> None:
    """Raise CalibrationError where the numbers do not fit together: each may be changed by hand, and the others not."""
    geometry, lens = calibration.geometry, calibration.lens
    if lens is not None:
        floor = geometry.floor_mm
        again = lens.project(floor)
        if not np.isfinite(again).all() or np.abs(again - geometry.outline).max() > BACK_PX:
            raise CalibrationError("[camera]: this lens cannot see the floor's outline: make the calibration anew")
        middle, wide = np.mean(floor, axis=0), np.ptp(floor, axis=0)
        if (np.abs(middle) > OFF_CENTRE * wide).any():
            raise CalibrationError("[camera]: it does not look at the floor's outline: make the calibration anew")
    (ax, ay), (bx, by) = geometry.to_mm([geometry.centre, (geometry.centre[0] + 1, geometry.centre[1])], 0.0)
    told = calibration.die_px * math.hypot(bx - ax, by - ay)
    if not 1 / SAME_DIE < told / calibration.die_mm < SAME_DIE:
        raise CalibrationError(
            f"die.px and die.mm contradict [camera], by which such dice are {told:.1f} mm: make the calibration anew"
        )


def _camera(calibration: Calibration) -> dict[str, Any]:
    told: dict[str, Any] = {"name": calibration.camera} if calibration.camera else {}
    if (lens := calibration.lens) is not None:
        told |= {
            "matrix": lens.matrix.tolist(),
            "distortion": lens.distortion,
            "rotation": lens.rotation,
            "translation": lens.translation,
        }
    if (locked := calibration.locked) is not None:
        keys = LOCKED_USB if isinstance(locked, LockedUsb) else LOCKED
        told |= {key: value for key in keys if (value := getattr(locked, key.removeprefix("usb_"))) is not None}
    return told | ({"homography": calibration.homography} if calibration.homography is not None else {})


def _toml(value: object) -> str:
    """Text, numbers and lists of them as TOML, which writes them as JSON does."""
    return json.dumps(value, ensure_ascii=False)


def _check_version(version: object) -> None:
    if isinstance(version, int) and not isinstance(version, bool) and version > VERSION:
        raise CalibrationError(
            f"version {shown(version)} is newer than this Fairtray knows ({VERSION}): update Fairtray"
        )
    if version not in (1, VERSION) or isinstance(version, bool):
        raise CalibrationError(f"version must be 1 or {VERSION}, {unlike(version)}")


def _outline(floor: Section, width: int, height: int) -> Outline:
    outline = floor.rows("outline", 2, CORNERS, "{} to {} pairs of px as [[x, y], ...]".format(*CORNERS))
    for x, y in outline:
        if not (-width <= x <= 2 * width and -height <= y <= 2 * height):
            raise CalibrationError(f"floor.outline: [{x:g}, {y:g}] is far outside the picture of {width}x{height} px")
    _check_floor(np.array(outline), width, height)
    return tuple((x, y) for x, y in outline)


def _check_floor(outline: Points, width: int, height: int) -> None:
    """Raise CalibrationError for an outline mostly outside the picture, or one that does not go round once, in order,
    as those of all floors do about their middle: one that crosses itself."""
    hull = cv2.convexHull(outline.astype(np.float32))
    shown, _ = cv2.intersectConvexConvex(hull, np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32))
    if shown < IN_PICTURE * cv2.contourArea(hull):
        raise CalibrationError(
            f"floor.outline: most of it lies outside the picture of {width}x{height} px: make the calibration anew"
        )
    around = (outline - outline.mean(axis=0)) @ np.array([1, 1j])
    turns = np.angle(np.roll(around, -1) * around.conj())
    if max(abs(np.abs(turns).sum() - math.tau), abs(abs(turns.sum()) - math.tau)) > IN_ORDER:
        raise CalibrationError("floor.outline: its points do not go round it in order: make the calibration anew")


def _homography(camera: Section) -> Matrix | None:
    if "homography" not in camera:
        return None
    found = camera.rows("homography", 3, (3, 3), "three rows of three numbers")
    return tuple((a, b, c) for a, b, c in found)


def _lens(camera: Section, width: int) -> Lens | None:
    """The lens and its pose: all keys of it, or none."""
    if not any(key in camera for key in LENS):
        return None
    matrix = np.array(camera.rows("matrix", 3, (3, 3), "three rows of three numbers"))
    x, y, z = camera.row("translation", 3)
    a, b, c = camera.row("rotation", 3)
    k1, k2, p1, p2, k3 = camera.row("distortion", 5)
    focal, centre = (float(matrix[0, 0]), float(matrix[1, 1])), (float(matrix[0, 2]), float(matrix[1, 2]))
    plain = np.array([[focal[0], 0, centre[0]], [0, focal[1], centre[1]], [0, 0, 1]])
    if not np.array_equal(matrix, plain) or not all(FOCAL[0] * width < f < FOCAL[1] * width for f in focal):
        raise CalibrationError("camera.matrix must be [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] of a lens that can be")
    if not HEIGHT_MM[0] <= z <= HEIGHT_MM[1]:
        raise CalibrationError("camera.translation: its third number must be from {:g} to {:g} mm".format(*HEIGHT_MM))
    if max(map(abs, (k1, k2, p1, p2, k3))) > DISTORTION:
        raise CalibrationError(f"camera.distortion: numbers beyond {DISTORTION:g} belong to no lens")
    try:
        return Lens((focal[0], focal[1]), (centre[0], centre[1]), (a, b, c), (x, y, z), (k1, k2, p1, p2, k3))
    except GeometryError as error:
        raise CalibrationError(f"[camera]: {error}") from error


def _locked(camera: Section) -> Locked | LockedUsb | None:
    """What the camera is held at: all keys of the Pi's, or none, focus only where the lens moves; or a USB camera's."""
    if usb := {key.removeprefix("usb_"): camera.number(key, DRIVER) for key in LOCKED_USB if key in camera}:
        if any(key in camera for key in LOCKED):
            raise CalibrationError("[camera]: keys of the Pi's camera and of a USB camera contradict each other")
        return LockedUsb(**usb)
    if not any(key in camera for key in LOCKED):
        return None
    red, blue = camera.row("white_balance", 2)
    if not all(COLOUR_GAIN[0] <= gain <= COLOUR_GAIN[1] for gain in (red, blue)):
        raise CalibrationError("camera.white_balance must be two numbers from {:g} to {:g}".format(*COLOUR_GAIN))
    return Locked(
        exposure_us=camera.whole("exposure_us", EXPOSURE_US),
        gain=camera.number("gain", GAIN),
        white_balance=(red, blue),
        focus=camera.number("focus", FOCUS) if "focus" in camera else None,
    )


def _picture(picture: Section) -> Picture:
    blue, green, red = picture.row("colour", 3, LEVELS)
    return Picture(
        fps=picture.number("fps", (0.5, 1000.0)),
        jitter_ms=picture.number("jitter_ms", (0.0, 10_000.0)),
        level=picture.number("level", LEVELS),
        colour=(blue, green, red),
        noise=picture.number("noise", LEVELS),
        blur_px=picture.number("blur_px", (0.0, 1000.0)),
        edge=picture.number("edge", (0.0, 1.0), default=1.0),
    )


def _dice(dice: Section) -> DiceSet:
    pips = dice.rows("pips", 3, (0, 21), "rows of a value and its pip's x and y", PIPS) if "pips" in dice else ()
    return DiceSet(
        count=dice.whole("count", (0, 32)),
        colours=_colours(dice, "colours"),
        unsure=dice.number("unsure", (0.0, 1.0)),
        readings=dice.whole("readings", (0, 10_000), default=0),
        pip_colours=_colours(dice, "pip_colours") if "pip_colours" in dice else (),
        pips=tuple((value, x, y) for value, x, y in pips),
    )


def _colours(dice: Section, key: str) -> tuple[Colour, ...]:
    return tuple((a, b, c) for a, b, c in dice.rows(key, 3, (0, 32), "rows of three numbers", LEVELS))
