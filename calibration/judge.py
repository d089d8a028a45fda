"""Why a recording is refused: what is wrong with its pictures, and with what the dice lay on."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.floor import grown_floor
from calibration.quality import Quality
from calibration.recording import Recording

Image = npt.NDArray[np.uint8]

REASONS = (
    "too_short", "low_frame_rate", "too_dark", "camera_moving", "out_of_focus", "flicker", "no_dice", "no_tray",
    "two_trays", "tray_cut_off", "glare",
)  # fmt: skip
MOVING_PX, MOVING = 1.2, 0.0018
"""Px, or share of the picture's longer side, by which a camera that stands still never moves."""
BLURRED = 0.1
"""Faces of blur (sigma) at which pips run together."""
BLURRED_PX, BLURRED_SHARE = 2.2, 0.0033
"""And never more than so many px, or this share of the picture: dice may be misread where all is soft."""
FLICKER = 0.02
TOUCHES = 0.03
"""Share of the floor's border that lies on the picture's border when it is cut off."""
LEAST_FPS, GOOD_FPS = 12.0, 24.0
TOO_DARK = 48.0
"""Grey level below which the brightest twentieth of the picture is too dark."""


def of_pictures(recording: Recording, quality: Quality, die_px: float | None, short: bool) -> list[str]:
    """What is wrong with the pictures whatever they show."""
    if short:
        return ["too_short"]
    reasons = []
    if recording.fps < LEAST_FPS:
        reasons.append("low_frame_rate")
    if quality.brightest < TOO_DARK:
        reasons.append("too_dark")
    if quality.shift_px > max(MOVING_PX, MOVING * max(recording.size)):
        reasons.append("camera_moving")
    if quality.blur_px > blur_limit(die_px or 0.0, recording.size):
        reasons.append("out_of_focus")
    if quality.flicker > FLICKER:
        reasons.append("flicker")
    return reasons


def blur_limit(die_px: float, size: tuple[int, int]) -> float:
    """Sigma, px, of the blur from which pictures of this size, with faces of `die_px`, are out of focus."""
    return max(BLURRED_PX, min(BLURRED * die_px, BLURRED_SHARE * max(size)))


def spoilt(reasons: Sequence[str]) -> bool:
    """Whether the pictures are so bad that what is not seen in them may be there all the same."""
    return bool({"too_dark", "out_of_focus", "camera_moving", "flicker", "low_frame_rate"} & set(reasons))


def of_floor(empty: Image, places: Sequence[tuple[float, float]], die_px: float) -> list[str]:
    """Whether what the dice lay on is a floor that the picture shows whole."""
    region = grown_floor(empty, places, die_px)
    if region is None:
        return ["no_tray"]
    sides = (region[0], region[-1], region[:, 0], region[:, -1])
    contours, _ = cv2.findContours(region.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    around = max(cv2.arcLength(contour, True) for contour in contours)
    touching = [float(side.sum()) / around > TOUCHES for side in sides]
    if sum(touching) >= 3:
        return ["no_tray"]
    return ["tray_cut_off"] if any(touching) else []


def ordered(reasons: Sequence[str]) -> tuple[str, ...]:
    return tuple(reason for reason in REASONS if reason in reasons)
