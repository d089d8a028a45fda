"""Finding a tray that nobody has calibrated: the dice's size and the floor's outline, from the first seconds of play.

The size is the one at which dice can be read. The floor is what has the colour of the surroundings of the dice and
reaches from them to an edge: the colours of the picture's median over time, in which hands and rolling dice vanish.
"""

import math
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.errors import CalibrationError
from calibration.facts import Calibration
from vision.locate import Located, locate
from vision.look import Spot, look
from vision.network import Networks
from vision.scale import find_die_px
from vision.source import Frame

Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Place = tuple[float, float]

SAMPLE_S = 0.2
"""Time between the pictures looked at: dice lie in view for half a second at least."""
MOST_PICTURES = 60
SIZED_IN = 14
"""Pictures in which the size is searched for; each costs about 0.1 s."""
FACE_PX = 18.0
"""Faces in the shrunk picture in which the floor is found."""
RING_FACES = (1.0, 2.2)
"""Around each die the floor's colour is taken from here."""
COLOUR_SPREAD = 4.0
LEAST_SPREAD = (45.0, 12.0, 12.0)
"""L, a, b (8 bit): the light falls off over a floor, its colour stays."""
STEP = (3, 2, 2)
"""L, a, b from one pixel to the next: more than this is an edge."""
LEAST_FLOOR = 12.0
"""Die areas of the smallest floor to believe in."""
BOX_SHARE = 0.85
"""A floor that fills its box to this share is a rectangle with corners hidden by a hand, and is given whole."""
MARGIN_FACES = 0.3


def find_tray(networks: Networks, frames: Iterable[Frame]) -> Calibration:
    """The calibration of the tray that `frames` show, in original px; its `note` says how the floor was found.

    Raises:
        CalibrationError: there is no frame, or no die was read in any of them.
    """
    pictures, seconds = _sampled(frames)
    if not pictures:
        raise CalibrationError("no frame to find the tray in")
    greys = [np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8) for picture in pictures]
    die_px = find_die_px(networks, greys[:: -(-len(greys) // SIZED_IN)])
    if die_px is None:
        raise CalibrationError(
            f"no dice seen in the first {seconds:.1f} s: throw the dice in view of the camera, or give --calibration"
        )
    height, width = greys[0].shape
    dice = [die for grey in greys for die in _dice(networks, grey, die_px)]
    if dice:  # two estimates that err differently: what reads best, and what the locator measures
        die_px = math.sqrt(die_px * float(np.median([die.size for die in dice])))
    places = [(die.x, die.y) for die in dice]
    floor = _floor(pictures, places, die_px)
    note = "floor found by its colour"
    if floor is None:
        floor, note = _whole_picture(width, height, die_px), "floor not told from the rest: the whole picture is taken"
    calibration = Calibration(width, height, floor, round(die_px, 1), note=note)
    _ = calibration.geometry  # the dice must fit on the floor
    return calibration


def _sampled(frames: Iterable[Frame]) -> tuple[list[Image], float]:
    """Pictures spread evenly over the frames, and the time up to the last frame, s."""
    pictures: list[Image] = []
    step, due, last = SAMPLE_S, 0.0, 0.0
    for frame in frames:
        last = frame.t
        if frame.t >= due:
            pictures.append(frame.image)
            due += step
        if len(pictures) > MOST_PICTURES:  # every other one will do, here and from here on
            pictures, step = pictures[::2], 2 * step
    return pictures, last


def _dice(networks: Networks, grey: Image, die_px: float) -> list[Located]:
    """The things that can be read as dice in one picture."""
    things = locate(networks, grey, die_px)
    limits = networks.thresholds
    looks = look(networks, [Spot(grey, t.x, t.y, die_px) for t in things], turns=2)
    sure = (seen.scores.max() >= limits.sure and seen.blank < limits.blank for seen in looks)
    return [thing for thing, is_sure in zip(things, sure, strict=True) if is_sure]


def _whole_picture(width: int, height: int, die_px: float) -> tuple[Place, ...]:
    margin = round(min(MARGIN_FACES * die_px, 0.1 * min(width, height)), 1)
    right, bottom = width - margin, height - margin
    return (margin, margin), (right, margin), (right, bottom), (margin, bottom)


def _floor(pictures: Sequence[Image], places: Sequence[Place], die_px: float) -> tuple[Place, ...] | None:
    """Outline of the floor in original px, or None where the picture does not tell it from what is around it."""
    scale = FACE_PX / die_px
    height, width = pictures[0].shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    usual = np.median([cv2.resize(p, size, interpolation=cv2.INTER_AREA) for p in pictures], axis=0).astype(np.uint8)
    lab = cv2.bilateralFilter(cv2.medianBlur(cv2.cvtColor(usual, cv2.COLOR_BGR2LAB), 5), 7, 20, 5)
    shrunk = [(x * scale, y * scale) for x, y in places]
    region = _grown(np.asarray(lab, np.uint8), shrunk)
    contours, _ = cv2.findContours(region, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    corners = cv2.approxPolyDP(hull, 0.2 * FACE_PX, True).reshape(-1, 2).astype(np.float32)
    box = cv2.minAreaRect(hull)
    if cv2.contourArea(hull) >= BOX_SHARE * box[1][0] * box[1][1]:
        corners = np.asarray(cv2.boxPoints(box), np.float32)
    inside = [cv2.pointPolygonTest(corners, place, False) >= 0 for place in shrunk]
    if len(corners) < 3 or cv2.contourArea(corners) < LEAST_FLOOR * FACE_PX**2 or np.mean(inside) < 0.8:
        return None
    limits = (width - 1, height - 1)
    clipped = [[min(max(0.0, float(v) / scale), limit) for v, limit in zip(c, limits, strict=True)] for c in corners]
    return tuple((round(x, 1), round(y, 1)) for x, y in clipped)


def _grown(lab: Image, places: Sequence[Place]) -> Image:
    """1 where the floor's colour reaches from beside the dice without crossing an edge, smoothed, else 0."""
    foreign = _foreign(lab, places)
    reached = np.zeros(lab.shape[:2], bool)
    radius = sum(RING_FACES) / 2 * FACE_PX
    for x, y in places:
        for angle in np.arange(0, 2 * np.pi, np.pi / 4):
            seed = (int(x + radius * np.cos(angle)), int(y + radius * np.sin(angle)))
            inside = 0 <= seed[0] < lab.shape[1] and 0 <= seed[1] < lab.shape[0]
            if inside and not reached[seed[1], seed[0]] and not foreign[seed[1], seed[0]]:
                reached |= _flood(lab, foreign, seed)
    closing, opening = (cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (edge, edge)) for edge in (9, 15))
    smooth = cv2.morphologyEx(reached.astype(np.uint8), cv2.MORPH_CLOSE, closing)
    return np.asarray(cv2.morphologyEx(smooth, cv2.MORPH_OPEN, opening), np.uint8)


def _foreign(lab: Image, places: Sequence[Place]) -> Mask:
    """Where the colour is not that of the rings around the dice."""
    rows, columns = np.mgrid[: lab.shape[0], : lab.shape[1]]
    nearest = np.full(lab.shape[:2], np.inf)
    for x, y in places:
        nearest = np.minimum(nearest, np.hypot(columns - x, rows - y) / FACE_PX)
    ring = lab[(nearest > RING_FACES[0]) & (nearest < RING_FACES[1])].astype(np.float64)
    if len(ring) == 0:
        return np.ones(lab.shape[:2], bool)
    colour = np.median(ring, axis=0)
    spread = 1.48 * np.median(np.abs(ring - colour), axis=0)
    return np.asarray((np.abs(lab - colour) > np.maximum(LEAST_SPREAD, COLOUR_SPREAD * spread)).any(2), np.bool_)


def _flood(lab: Image, foreign: Mask, seed: tuple[int, int]) -> Mask:
    """The pixels that small steps of colour reach from `seed` outside what is foreign."""
    mask = np.zeros((lab.shape[0] + 2, lab.shape[1] + 2), np.uint8)
    mask[1:-1, 1:-1][foreign] = 2
    cv2.floodFill(lab, mask, seed, (0, 0, 0), STEP, STEP, flags=4 | (1 << 8) | cv2.FLOODFILL_MASK_ONLY)
    return np.asarray(mask[1:-1, 1:-1] == 1, np.bool_)
