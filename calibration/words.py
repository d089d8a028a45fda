"""What a calibration says to people: every reason and advice in plain words, and what to do."""

import math

import numpy as np

from calibration.pointed import strays
from calibration.recording import Recording
from calibration.run import Result, floor_mm
from calibration.shape import corners

REASONS = {
    "too_short": "the recording is too short: film the empty tray for two seconds, then dice shown and thrown twice",
    "low_frame_rate": "too few frames a second: choose a faster camera mode or more light, 25 frames a second or more",
    "too_dark": "it is too dark to see pips: switch on a lamp above the tray, or open the exposure",
    "camera_moving": "the camera or the tray moves: fix the camera to a stand, leave tray and table alone meanwhile",
    "out_of_focus": "the picture is out of focus: set the focus on the tray's floor and lock it",
    "flicker": "the lamp flickers: use another lamp, daylight, or an exposure of a whole mains period",
    "no_dice": "no dice were seen at rest: lay them on the tray's floor, hands away, for a second, then throw them",
    "no_tray": "no tray with a plain edge is seen: use one whose floor differs from its wall, or give --corners",
    "two_trays": "there is another tray in the picture: take it away",
    "tray_cut_off": "the tray's floor reaches out of the picture: raise the camera or aim it at the tray's middle",
    "glare": "a lamp is mirrored in the tray: move or tilt it, or lay a matt cloth",
}
ADVICE = {
    "cut_short": "only the first {} s of the recording were looked at: show and throw the dice within them",
    "scale_unknown": "nothing told how long a millimetre is: give --die-mm, --tray-mm or --board; no length is claimed",
    "scale_rough": "the scale by the dice is good to {} %: {}larger pictures, --tray-mm or --board help",
    "lens_unknown": "a round floor hides how the lens bends, the scale is good to {} %: throw more dice, all over it",
    "height_odd": "the height given was left out, as the picture contradicts it: measure from lens to floor again",
    "row_not_seen": "no row of dice that touch was seen: push four or more together from both ends, then hands away",
    "row_odd": "the row was left out, as it makes its dice {} % {} than they look: push them together from both ends",
    "board_not_found": "the printed board was not seen in the empty tray: lay it flat there at the start",
    "expected_contradicted": "the dice that lay first surely show {}, not --expect: correct it, or take other dice",
    "expected_not_read": "the values expected were not read at any rest: show these dice again, or leave --expect out",
    "corners_taken": "no edge lies along the corners given, which were taken as they are: lengths are good to {} %",
    "corners_odd": "an edge is plain all round, {} px from the corners given: if it is the floor's, omit --corners",
    "moves_untold": "no plain edge lies along the floor: whether camera or tray were moved cannot be told by it later",
    "length_odd": "by the length given the dice are {} mm and the tray {} mm wide: measure again if they are not",
    "uneven_light": "the {} is only {} % as bright as the brightest part: put the lamp above the tray's middle",
    "overexposed": "the tray's floor is full white in part: dim the lamp, or lower the exposure",
    "dice_overexposed": "the dice are full white, which makes them look larger: dim the lamp, or lower the exposure",
    "light_drifts": "the brightness changed by {} % while you filmed: leave lamps as they are, lock the exposure",
    "colours_drift": "the colours changed while you filmed: lock the camera's white balance",
    "frames_uneven": "frames come unevenly: close what else the computer does, or choose a smaller picture",
    "few_throws": "the dice were seen at rest only once: throw them a few times to prove the readings",
    "frame_rate_low": "25 frames a second or more tell throws more surely",
    "dim": "more light would make the readings surer",
    "noisy": "the picture is noisy: more light helps",
    "readings_unsure": "many readings were not sure: better light, or dice with plainer pips",
}
CHECKED = {
    "camera_moved": "the camera or the tray was moved: put it back, or calibrate again",
    "light_changed": "the light is brighter, darker or of another colour than it was: put it back, or calibrate again",
    "out_of_focus": "the picture is less sharp than it was: wipe the lens and set its focus, or calibrate again",
}
ADDED = {
    "no_dice": "too few dice were seen at rest under this calibration: show them, then throw them twice",
    "readings_unsure": "more than half of the readings were not sure: better light, or other dice",
    "expected_not_read": "no rest surely showed {} of --expect with the others: show these dice again, or correct it",
    "read_wrong": "values beyond --expect were read, however strict the reader: correct it, or play with other dice",
}
ROWS, COLUMNS = ("upper", "", "lower"), ("left", "", "right")


def sentences(result: Result) -> list[str]:
    """What is wrong and what could be better, one sentence each."""
    told = [_reason(name, result) for name in result.reasons]
    return told + [_advice(name, result) for name in result.advice]


def guessed_corners(result: Result) -> str | None:
    """The corners of an outline that is not sure, as --corners takes them; None without one in the picture."""
    if result.outline is None or result.calibration is not None or not result.outline.likely:
        return None
    size, outline = result.recording.size, result.outline
    ends = corners(outline.kind, outline.view.ratio)[:: 4 if outline.kind == "round" else 1]
    px = outline.view.lens(size).project(ends).round()
    inside = bool(((px >= 0) & (px <= size)).all())
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in px) if inside else None


def unsure_words(result: Result) -> str:
    """How many readings were not sure, and how many are to be expected at this table."""
    count, unsure = len(result.dice), sum(die.value is None for die in result.dice)
    low, high = (100 * share for share in likely_share(unsure, count))
    return f"{count} dice read at rest, {unsure} of them unsure: expect {low:.0f} to {high:.0f} in 100 unsure here"


def likely_share(count: int, of: int) -> tuple[float, float]:
    """Between which shares the true one lies in 19 of 20 cases (Wilson, J. Am. Stat. Assoc. 22 (1927), 209)."""
    if of == 0:
        return 0.0, 1.0
    share, z = count / of, 1.96
    middle, half = share + z * z / (2 * of), z * math.sqrt(share * (1 - share) / of + (z / (2 * of)) ** 2)
    low, high = ((middle + side * half) / (1 + z * z / of) for side in (-1, 1))
    return max(0.0, low), min(1.0, high)


def _reason(name: str, result: Result) -> str:
    if name == "glare" and result.spots:
        x, y, _ = max(result.spots, key=lambda spot: spot[2])
        return f"a lamp is mirrored in the {_where(result, x, y)}: move it or tilt it, or lay a matt cloth"
    if name == "flicker" and result.quality.mains:
        return f"{REASONS[name]} (mains of {result.quality.mains} Hz)"
    if name == "no_tray" and (guess := guessed_corners(result)):
        told = "the floor's edge is not plain: use a floor that differs from its wall, and keep shadows off it"
        return f"{told}, or, if --report draws it right, give --corners '{guess}'"
    if name == "no_dice" and result.calibration is not None:
        size = result.calibration.die_mm
        return f"by the length given the dice are {size:.0f} mm long, which none are: measure again, or give --die-mm"
    return REASONS[name]


def cut_words(recording: Recording) -> str:
    """How much of a recording was looked at that goes on."""
    return ADVICE["cut_short"].format(f"{recording.seconds:.0f}")


def _advice(name: str, result: Result) -> str:
    light, told = result.light, ADVICE[name]
    if name == "cut_short":
        return cut_words(result.recording)
    if name == "expected_contradicted":
        return told.format(" ".join(map(str, result.found[0])))
    if name == "scale_rough":
        height, row = "" if result.taped else "--height-mm, ", "" if result.row is not None else "a --row of dice, "
        return told.format(f"{100 * result.scale_doubt:.1f}", height + row)
    if name == "row_odd" and result.row is not None and result.measured is not None:
        share = result.row.edge / result.measured.edge - 1
        return told.format(f"{100 * abs(share):.1f}", "larger" if share > 0 else "smaller")
    if name in ("lens_unknown", "corners_taken"):
        return told.format(f"{100 * result.scale_doubt:.1f}")
    if name == "corners_odd" and result.outline is not None and result.elsewhere is not None:
        size = result.recording.size
        return told.format(f"{strays(result.elsewhere, result.outline.ends(size), size):.0f}")
    if name == "length_odd" and result.calibration is not None:
        return told.format(f"{result.calibration.die_mm:.0f}", f"{floor_mm(result.calibration):.0f}")
    if name == "uneven_light" and light is not None:
        return told.format(_where(result, *light.darkest), f"{100 * light.even:.0f}")
    if name == "light_drifts" and light is not None:
        return told.format(f"{100 * light.brightness_drift:.0f}")
    return told


def _where(result: Result, x: float, y: float) -> str:
    """Which ninth of the tray a place is in, or of the picture where the tray is not known."""
    (left, top), (width, height), whole = (0.0, 0.0), result.recording.size, "picture"
    if result.calibration is not None:
        floor = np.array(result.calibration.floor)
        (left, top), (width, height), whole = floor.min(0), np.ptp(floor, axis=0), "tray"
    across, down = (min(2, max(0, int(3 * share))) for share in ((x - left) / width, (y - top) / height))
    where = " ".join(part for part in (ROWS[down], COLUMNS[across]) if part)
    return f"{where or 'middle'} of the {whole}"
