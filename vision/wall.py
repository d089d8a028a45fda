"""The walls about a die: the room that it would leave to each if it lay flat, and its outline's shift to each."""

import math
from typing import NamedTuple

import numpy as np

from vision.geometry import TrayGeometry
from vision.outline import breadth, camera
from vision.read import Reading

REACH = 1.25
"""Faces from the middle of a die's top within which a wall is about it: a little farther than one that leans on it."""


class Wall(NamedTuple):
    """A straight piece of wall: the `room` that a flat die would leave to it and the `shift` of the outline seen to it
    from a flat one's, in faces; and the `breadth` of the top towards it, as a share of a flat one's."""

    room: float
    shift: float
    breadth: float


def walls_about(
    geometry: TrayGeometry, reading: Reading, angle: float, shift: tuple[float, float] = (0.0, 0.0)
) -> list[Wall]:
    """The pieces of wall near a die whose top face was read, by the outline of the floor; `angle`: degrees by which it
    is turned, `shift`: faces (x, y) by which its outline is shifted from a flat one's.

    What leans on a wall by t degrees keeps the middle of its top about sin t faces farther from it than a flat die.
    """
    lens, face = camera(geometry, reading.centre), geometry.face_px(*reading.centre)
    turn, middle = math.radians(angle), np.asarray(reading.centre)
    aside = middle + face / 2 * np.array([math.cos(turn), math.sin(turn)])
    top, edge, shifted = lens.to_floor([middle, aside, middle + face * np.asarray(shift)], geometry.die_mm)
    starts = lens.to_floor(geometry.outline)
    sides = np.roll(starts, -1, axis=0) - starts
    long = np.linalg.norm(sides, axis=1)
    starts, sides, long = starts[long > 0], sides[long > 0], long[long > 0]
    along = sides / long[:, None]
    off = ((top - starts) * along).sum(axis=1).clip(0, long)
    nearest = starts + along * off[:, None]
    away = np.linalg.norm(nearest - top, axis=1) / geometry.die_mm
    near = away < REACH
    if not near.any():
        return []
    out = np.column_stack([along[:, 1], -along[:, 0]])[near]
    out *= np.sign(((nearest[near] - top) * out).sum(axis=1))[:, None]
    edge = (edge - top) / float(np.linalg.norm(edge - top))
    half = (np.abs(out @ edge) + np.abs(out @ np.array([-edge[1], edge[0]]))) / 2
    rooms, shifts = away[near] - half, out @ (shifted - top) / geometry.die_mm
    there = lens.project(nearest[near], geometry.die_mm)
    return [
        Wall(float(room), float(shift), breadth(geometry, reading, (x, y)))
        for room, shift, (x, y) in zip(rooms, shifts, there.tolist(), strict=True)
    ]
