"""Dice that lie close together, of which some were missed: they are looked for beside those that were seen."""

import math
from collections.abc import Sequence
from dataclasses import replace

from calibration.pips import placed
from calibration.recording import Place, Seen
from calibration.sides import Lying
from vision.network import Networks
from vision.read import read_die

APART, STRAYS = 0.6, 0.2
"""Faces from a place within which a die was seen already, and from which one that is seen belongs elsewhere."""


def with_missed(networks: Networks, lot: Sequence[Seen]) -> list[Lying]:
    """The dice that were read of those that lay together, and those that lie beside any of them, as finely placed as
    their pips tell: where dice touch, they are not always seen, or read surely. The angle is nan where nothing plain
    tells it."""
    read = [die for die in lot if die.value is not None]
    found = [placed(networks, die) or replace(die.lying, angle=math.nan) for die in read]
    angles = [die.angle for die in found]
    for at, angle in zip(found, angles, strict=True):  # which grow on the way
        for place in _beside(at, angle):
            if all(math.dist(place, (die.x, die.y)) > APART * die.face_px for die in found):
                missed = _seen(networks, at, place)
                found += [missed] if missed is not None else []
                angles += [angle] if missed is not None else []
    return found


def _beside(die: Lying, angle: float) -> list[Place]:
    """The middles, px, of the dice that would touch each side of one turned so; none where nobody knows how it is."""
    if math.isnan(angle):
        return []
    ways = (math.radians(angle + 90 * quarter) for quarter in range(4))
    return [(die.x + die.face_px * math.cos(way), die.y + die.face_px * math.sin(way)) for way in ways]


def _seen(networks: Networks, beside: Lying, place: Place) -> Lying | None:
    """The die of which a face and plain pips are seen at a place, sure or not, in the picture that shows the other."""
    reading = read_die(networks, [beside.picture], *place, beside.face_px)
    at = replace(beside, x=place[0], y=place[1])
    if reading.blank >= networks.thresholds.blank:
        return None
    found = placed(networks, Seen(at, 0.0, reading.likely))
    return found if found is not None and math.dist((found.x, found.y), place) < STRAYS * at.face_px else None
