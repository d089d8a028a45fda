"""The walls about a die: the room that it would leave to each if it lay flat, and its outline's shift to each."""

import math
from typing import NamedTuple

import numpy as np

from vision.evidence import Evidence
from vision.geometry import TrayGeometry
from vision.outline import camera
from vision.read import Reading

REACH = 1.25
"""Faces from the middle of a die's top within which a wall is about it: a little farther than one that leans on it."""


class Wall(NamedTuple):
    """A straight piece of wall, in faces: the least distance of a flat die's foot from it, and how far the outline that
    is seen is shifted to it from the flat one's."""

    room: float
    shift: float


def walls_about(geometry: TrayGeometry, reading: Reading, seen: Evidence) -> list[Wall]:
    """The pieces of wall near a die whose top face was read, by the outline of the floor.

    What leans on a wall by t degrees keeps the middle of its top about sin t faces farther from it than a flat die.
    """
    lens, face = camera(geometry, reading.centre), geometry.face_px(*reading.centre)
    angle, middle = math.radians(seen.angle), np.asarray(reading.centre)
    aside = middle + face / 2 * np.array([math.cos(angle), math.sin(angle)])
    top, edge, shifted = lens.to_floor([middle, aside, middle + face * np.asarray(seen.shift)], geometry.die_mm)
    starts = lens.to_floor(geometry.outline)
    sides = np.roll(starts, -1, axis=0) - starts
    long = np.linalg.norm(sides, axis=1)
    starts, sides, long = starts[long > 0], sides[long > 0], long[long > 0]
    along = sides / long[:, None]
    off = ((top - starts) * along).sum(axis=1).clip(0, long)
    away = np.linalg.norm(starts + along * off[:, None] - top, axis=1)
    out = np.column_stack([along[:, 1], -along[:, 0]])
    out *= np.sign(((starts - top) * out).sum(axis=1))[:, None]
    edge = (edge - top) / float(np.linalg.norm(edge - top))
    half = (np.abs(out @ edge) + np.abs(out @ np.array([-edge[1], edge[0]]))) / 2
    rooms, shifts = away / geometry.die_mm - half, out @ (shifted - top) / geometry.die_mm
    return [
        Wall(float(room), float(shift))
        for room, shift in zip(
            rooms[away < REACH * geometry.die_mm], shifts[away < REACH * geometry.die_mm], strict=True
        )
    ]
