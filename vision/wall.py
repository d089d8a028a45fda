"""The walls about a die: the room that it would leave to each if it lay flat, and how far it seems to lean to each."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import TrayGeometry
from vision.outline import camera, top_face
from vision.read import Reading

Array = npt.NDArray[np.float64]

AT_WALL = 1.05
"""Faces from the floor's edge within which the top of a die is seen that leans on the wall, up to 45 degrees."""
REACH = 1.25
"""Faces from the middle of a die's top within which a wall is about it: a little farther than one that leans on it."""


@dataclass(frozen=True, slots=True)
class Wall:
    """A straight piece of wall: the `room` that a flat die would leave to it and the `shift` of the outline seen to it
    from a flat one's, in faces; and a place `there`, px, that lies from the die the way to it."""

    room: float
    shift: float
    there: tuple[float, float]


def walls_about(
    geometry: TrayGeometry, reading: Reading, angle: float, shift: tuple[float, float] = (0.0, 0.0)
) -> list[Wall]:
    """The pieces of wall near a die whose top face was read, by the outline of the floor; `angle`: degrees by which it
    is turned, `shift`: faces (x, y) by which its outline is shifted from a flat one's.

    What leans on a wall by t degrees keeps the middle of its top about sin t faces farther from it than a flat die.
    """
    lens, face = camera(geometry, reading.centre), geometry.face_px(*reading.centre)
    top, axes = top_face(geometry, lens, reading, angle)
    shifted = lens.to_floor([np.asarray(reading.centre) + face * np.asarray(shift)], geometry.die_mm)[0]
    walls = []
    for start, out in _pieces(lens.to_floor(geometry.outline), top, REACH * geometry.die_mm):
        half = float(np.abs(axes @ out).sum()) / 2
        x, y = lens.project([top + geometry.die_mm * out], geometry.die_mm)[0].tolist()
        room, towards = (float(out @ way) / geometry.die_mm for way in (start - top, shifted - top))
        walls.append(Wall(room - half, towards, (x, y)))
    return walls


def _pieces(outline: Array, place: Array, reach: float) -> list[tuple[Array, Array]]:
    """Of an outline (n, 2) the pieces that come so near to a place: where each starts, and its direction outward."""
    outward = 1 if cv2.contourArea(outline.astype(np.float32), oriented=True) > 0 else -1
    pieces = []
    for start, side in zip(outline, np.roll(outline, -1, axis=0) - outline, strict=True):
        long = float(np.linalg.norm(side))
        if long == 0:
            continue
        along = side / long
        nearest = start + along * float(np.clip((place - start) @ along, 0, long))
        if float(np.linalg.norm(nearest - place)) < reach:
            pieces.append((start, outward * np.array([along[1], -along[0]])))
    return pieces
