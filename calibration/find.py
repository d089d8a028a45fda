"""Finding a tray that nobody has calibrated: the dice's size and the floor's outline, from the first seconds of play.

The size is the one at which dice can be read. The floor is what looks as the surroundings of the dice do; where its
edges lie on a tray's shape it is that shape under a camera, as `calibrate` finds it, else as much as its colour tells.
"""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.errors import CalibrationError
from calibration.facts import Calibration
from calibration.floor import Mask, Place, grown_floor
from calibration.outline import find_outline
from calibration.recording import dice_seen, empty_tray, face_size, record
from calibration.run import POINTS
from calibration.shape import border
from calibration.sizes import edge_at
from vision.geometry import DIE_MM, Outline
from vision.network import Networks
from vision.source import Frame

Image = npt.NDArray[np.uint8]

LEAST_FLOOR = 12.0
"""Die areas of the smallest floor to believe in."""
BOX_SHARE = 0.85
"""A floor that fills its box to this share is a rectangle with corners hidden by a hand, and is given whole."""
COARSE_FACES = 0.2
MARGIN_FACES = 0.3
INSIDE = 0.8
"""Share of the dice that lie on the floor."""


def find_tray(networks: Networks, frames: Iterable[Frame]) -> Calibration:
    """The calibration of the tray that `frames` show, in original px; its `note` says how the floor was found.

    Raises:
        CalibrationError: there is no frame, or no die was read in any of them.
    """
    recording = record(frames)
    if recording is None:
        raise CalibrationError("no frame to find the tray in")
    die_px = face_size(recording, networks)
    if die_px is None:
        raise CalibrationError(
            f"no dice seen in the first {recording.seconds:.1f} s: "
            "throw the dice in view of the camera, or give --calibration"
        )
    width, height = recording.size
    empty = empty_tray(recording, networks, die_px)
    places = dice_seen(recording, networks, die_px)
    calibration = _by_shape(empty, places, die_px)
    if calibration is None:
        floor, note = _by_colour(empty, places, die_px), "floor found by its colour"
        if floor is None:
            floor = _whole_picture(width, height, die_px)
            note = "floor not told from the rest: the whole picture is taken"
        calibration = Calibration(width, height, floor, round(die_px, 1), scale="assumed", note=note)
    _ = calibration.geometry  # the dice must fit on the floor
    return calibration


def _by_shape(empty: Image, places: Sequence[Place], die_px: float) -> Calibration | None:
    """The tray as a shape under a camera, whole in the picture, with dice of the usual size; None if it is not sure."""
    outline = find_outline(empty, places, die_px, bare=False)
    if outline is None or not outline.sure:
        return None
    height, width = empty.shape[:2]
    unit = DIE_MM / edge_at(outline.view.scale, outline.view.height, die_px)
    lens = outline.view.lens((width, height), unit)
    points = lens.project(border(outline.kind, outline.view.ratio, POINTS) * unit)
    if ((points < 0) | (points > (width, height))).any() or not _holds(points.astype(np.float32), places, die_px):
        return None
    floor = tuple((round(x, 1), round(y, 1)) for x, y in points.tolist())
    note = f"{outline.kind} floor found by its edges"
    told = None if outline.kind == "round" else lens  # a circle looks alike from two sides: its camera is not known
    return Calibration(
        width, height, floor, round(die_px, 1), lens=told, scale="assumed", shape=outline.kind, note=note
    )


def _by_colour(empty: Image, places: Sequence[Place], die_px: float) -> Outline | None:
    """Outline of what looks like the floor; None where the picture does not tell it from what is around it."""
    region = grown_floor(empty, places, die_px, bare=False)
    corners = None if region is None else _corners(region, die_px)
    if corners is None or not _holds(corners, places, die_px):
        return None
    limits = (empty.shape[1] - 1, empty.shape[0] - 1)
    clipped = [[min(max(0.0, float(v)), limit) for v, limit in zip(c, limits, strict=True)] for c in corners]
    return tuple((round(x, 1), round(y, 1)) for x, y in clipped)


def _corners(region: Mask, die_px: float) -> npt.NDArray[np.float32]:
    """(n, 2) corners of the region's hull, or of its box where it fills that."""
    contours, _ = cv2.findContours(region.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    box = cv2.minAreaRect(hull)
    if cv2.contourArea(hull) >= BOX_SHARE * box[1][0] * box[1][1]:
        return np.asarray(cv2.boxPoints(box), np.float32)
    return cv2.approxPolyDP(hull, COARSE_FACES * die_px, True).reshape(-1, 2).astype(np.float32)


def _holds(corners: npt.NDArray[np.float32], places: Sequence[Place], die_px: float) -> bool:
    """Whether the outline is large enough for a floor, with nearly all dice on it."""
    inside = [cv2.pointPolygonTest(corners, place, False) >= 0 for place in places]
    large = len(corners) >= 3 and cv2.contourArea(corners) >= LEAST_FLOOR * die_px**2
    return large and float(np.mean(inside)) >= INSIDE


def _whole_picture(width: int, height: int, die_px: float) -> Outline:
    margin = round(min(MARGIN_FACES * die_px, 0.1 * min(width, height)), 1)
    right, bottom = width - margin, height - margin
    return (margin, margin), (right, margin), (right, bottom), (margin, bottom)
