"""Dice side by side, of which one may lean on the other."""

import math
from collections.abc import Sequence
from itertools import chain, combinations

from vision.evidence import Evidence
from vision.geometry import TrayGeometry
from vision.read import Reading

BESIDE = 1.7
"""Faces between the centres of dice of which one may lean on the other."""
FILLED = (0.007, 0.04)
"""Area, in faces squared, of die between two dice: from the first one may reach over to the other, whatever else is
seen from the second."""


def side_by_side(geometry: TrayGeometry, readings: Sequence[Reading]) -> list[tuple[int, int]]:
    """Dice that lie so near each other that one may lean on the other."""
    return [
        (one, other)
        for one, other in combinations(range(len(readings)), 2)
        if math.dist(readings[one].centre, readings[other].centre) < BESIDE * geometry.face_px(*readings[one].centre)
    ]


def neighbours(pairs: Sequence[tuple[int, int]], index: int) -> set[int]:
    """The other dice of the pairs that one is in."""
    return {*chain.from_iterable(pair for pair in pairs if index in pair)} - {index}


def reach_over(seen: Evidence) -> set[int]:
    """The dice with which more is seen between them and this one than floor: one that leans reaches farther than flat
    ones do."""
    return {other for other, area in seen.between.items() if area > FILLED[0]}
