"""The pips of dice that lie close together: of those that were seen, and of those beside them that were missed."""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.pips import Points, diagonals_of, middles, turn
from calibration.recording import Place
from calibration.sides import Image, Lying
from vision.look import Spot, look
from vision.network import Networks
from vision.read import read_die

APART, STRAYS = 0.6, 0.2
"""Faces from a place within which a die was seen already, and from which one that is seen belongs elsewhere."""
FLOOR = 0.9
"""Chance that no face is seen at a glance from which nobody needs to look closer: .97 and more on a bare floor in a
trial that no command repeats."""
MARGIN = 1.0
"""Faces from the picture's border from which a die beside another is looked for."""


@dataclass(frozen=True, slots=True)
class _Die:
    """at: where it is, turned as its pips tell, or as it was read. pips: their middles (n, 2), px."""

    at: Lying
    pips: Points


def close_together(networks: Networks, picture: Image, places: Sequence[Place], die_px: float) -> list[Points]:
    """The pips' middles (n, 2), px, of each die that lies at one of the places, px, or beside such a one: where dice
    touch, they are not always seen, or read surely. Dice whose pips are not plain are left out."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    found: list[_Die] = []
    waiting = deque(places)
    while waiting:
        place = waiting.popleft()
        taken = any(_apart(die.at, place) < APART for die in found)
        if not taken and (die := _seen(networks, picture, grey, place, die_px)) is not None:
            found.append(die)
            waiting.extend(_beside(die.at))
    return [die.pips for die in found]


def _beside(die: Lying) -> list[Place]:
    """The middles, px, of the dice that would touch each side of this one, well within the picture."""
    ways = (math.radians(die.angle + 90 * quarter) for quarter in range(4))
    places = [(die.x + die.face_px * math.cos(way), die.y + die.face_px * math.sin(way)) for way in ways]
    (height, width), margin = die.picture.shape[:2], MARGIN * die.face_px
    return [(x, y) for x, y in places if margin < x < width - margin and margin < y < height - margin]


def _seen(networks: Networks, picture: Image, grey: Image, place: Place, die_px: float) -> _Die | None:
    """The die of which a face and plain pips are seen at a place, sure or not."""
    (glance,) = look(networks, [Spot(grey, *place, die_px)], turns=1)
    if glance.blank > FLOOR:
        return None
    reading = read_die(networks, [picture], *place, die_px)
    at = Lying(picture, *reading.centre, die_px, reading.angle)
    pips = middles(networks, at, reading.likely)
    if pips is None:
        return None
    x, y = pips.mean(0).tolist()
    angle = reading.angle if len(pips) < 2 else math.degrees(turn(diagonals_of(pips)))
    found = _Die(Lying(picture, x, y, die_px, angle), pips)
    return found if _apart(found.at, place) < STRAYS else None


def _apart(die: Lying, place: Place) -> float:
    """Faces from a die to a place."""
    return math.dist((die.x, die.y), place) / die.face_px
