"""What a calibration says to people: every reason and advice in plain words, and what to do."""

from calibration.run import Result

REASONS = {
    "too_short": "the recording is too short: film the empty tray for two seconds, then dice shown and thrown twice",
    "low_frame_rate": "too few frames a second: choose a faster camera mode or more light, 25 frames a second or more",
    "too_dark": "it is too dark to see pips: switch on a lamp above the tray, or open the exposure",
    "camera_moving": "the camera moves: fix it to a stand, and do not touch the table while recording",
    "out_of_focus": "the picture is out of focus: set the focus on the tray's floor and lock it",
    "flicker": "the lamp flickers: use another lamp, daylight, or an exposure of a whole mains period",
    "no_dice": "no dice were seen at rest: lay them on the tray's floor, hands away, for a second, then throw them",
    "no_tray": "the edge of the tray's floor is not plain: use a floor that differs from its wall, or give --corners",
    "two_trays": "there is another tray in the picture: take it away",
    "tray_cut_off": "the tray's floor reaches out of the picture: raise the camera or aim it at the tray's middle",
    "glare": "a lamp is mirrored in the tray: move or tilt it, or lay a matt cloth",
}
ADVICE = {
    "scale_unknown": "nothing told how long a millimetre is: give --die-mm, --tray-mm or --board; no length is claimed",
    "scale_rough": "the scale by the dice is good to {} % only: --tray-mm or --board tells it better",
    "board_not_found": "the printed board was not seen in the empty tray: lay it flat there at the start",
    "expected_not_read": "the values expected were not read at any rest: show these dice again, or leave --expect out",
    "corners_taken": "no edge lies along the corners given, which were taken as they are: see if the outline is right",
    "few_throws": "the dice were seen at rest only once: throw them a few times to prove the readings",
    "frame_rate_low": "25 frames a second or more tell throws more surely",
    "dim": "more light would make the readings surer",
    "noisy": "the picture is noisy: more light helps",
    "readings_unsure": "many readings were not sure: better light, or dice with plainer pips",
}
CHECKED = {
    "camera_moved": "the camera or the tray was moved: put it back, or calibrate again",
    "light_changed": "the light is much brighter or darker than it was: put it back, or calibrate again",
}
ADDED = {
    "no_dice": "too few dice were seen at rest under this calibration: show them, then throw them twice",
    "readings_unsure": "more than half of the readings were not sure: better light, or other dice",
    "read_wrong": "values were read that were not shown, however strict the reader: play with other dice",
}
THIRDS = ("left", "middle", "right")


def sentences(result: Result) -> list[str]:
    """What is wrong and what could be better, one sentence each."""
    told = [_glare(result) if name == "glare" else REASONS[name] for name in result.reasons]
    if "flicker" in result.reasons and result.quality.mains:
        told[result.reasons.index("flicker")] = f"{REASONS['flicker']} (mains of {result.quality.mains} Hz)"
    return told + [ADVICE[name].format(f"{100 * result.doubt:.1f}") for name in result.advice]


def _glare(result: Result) -> str:
    """Where the mirrored lamp is."""
    if not result.spots:
        return REASONS["glare"]
    x, y, _ = max(result.spots, key=lambda spot: spot[2])
    width, height = result.recording.size
    across = THIRDS[min(2, int(3 * x / width))]
    down = ("upper", "", "lower")[min(2, int(3 * y / height))]
    where = f"{down} {across}".strip() if (down, across) != ("", "middle") else "middle"
    return f"a lamp is mirrored in the {where} of the picture: move it or tilt it, or lay a matt cloth"
