"""The part of the picture that is watched, the tray and a margin around it, and its working picture."""

from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.corrupt import BLOCK
from vision.geometry import Points, TrayGeometry
from vision.hand import Disc
from vision.hue import hues
from vision.locate import working_picture
from vision.network import LOCATOR_FACE_PX
from vision.rest import Past, past
from vision.track import DIE_HEAT, Sighting

Image = npt.NDArray[np.uint8]
Pixel = TypeVar("Pixel", bound=np.generic)
Matrix = npt.NDArray[np.float64]

MARGIN_FACES = 8.0
"""Seen around the floor: dice on the rim or well beside the tray, and hands on their way in."""


class Window:
    """Where the working picture, with a die's face of 18 px, lies in the whole one."""

    def __init__(self, geometry: TrayGeometry) -> None:
        """The window around this tray."""
        self._die_px = geometry.die_px
        margin = MARGIN_FACES * geometry.die_px
        width, height = geometry.size
        left, top = np.floor(geometry.outline.min(0) - margin).astype(int).tolist()
        right, bottom = np.ceil(geometry.outline.max(0) + margin).astype(int).tolist()
        self._left, self._top = max(0, left), max(0, top)
        self._rows, self._columns = slice(self._top, min(height, bottom)), slice(self._left, min(width, right))
        blank = self.shrink(past(0.0, np.zeros(geometry.size[::-1], np.uint8), geometry.die_px))
        self.scale = blank.shape[1] / (self._columns.stop - self._columns.start)
        corners = np.round((geometry.outline - (self._left, self._top)) * self.scale).astype(np.int32)
        self.floor: Image = np.asarray(cv2.fillPoly(blank, [corners], 1), np.uint8)
        """1 on the tray's floor, 0 elsewhere, (h, w) of the working picture."""

    def blocks(self, grey: Image) -> Image:
        """The window of a whole picture (h, w), in its own px, with what it needs more to begin with a whole block of
        the picture's coding."""
        top, left = (side.start // BLOCK * BLOCK for side in (self._rows, self._columns))
        return grey[top : self._rows.stop, left : self._columns.stop]

    def shrink(self, picture: Past) -> Image:
        """The working picture (h, w)."""
        rows, columns = (
            slice(round(s.start * picture.scale), round(s.stop * picture.scale)) for s in (self._rows, self._columns)
        )
        return working_picture(picture.grey[rows, columns], self._die_px * picture.scale)

    def hues(self, image: Image) -> npt.NDArray[np.float32]:
        """The hues (h, w, 2) of the working picture, from the whole one in colour, BGR."""
        part = image[self._rows, self._columns]
        return hues(np.asarray(cv2.resize(part, self.floor.shape[::-1]), np.uint8))

    def to_working(self, x: float, y: float) -> tuple[float, float]:
        """A place in px of the whole picture as px of the working one."""
        return (x - self._left) * self.scale, (y - self._top) * self.scale

    def to_picture(self, x: float, y: float) -> tuple[float, float]:
        """A place in px of the working picture as px of the whole one."""
        return x / self.scale + self._left, y / self.scale + self._top

    def disc(self, thing: Sighting) -> Disc:
        """A thing in the working picture, never smaller than a die."""
        x, y = self.to_working(thing.x, thing.y)
        return Disc(x, y, max(LOCATOR_FACE_PX, thing.size * self.scale), plain=thing.heat >= DIE_HEAT)

    def share(self, mask: npt.NDArray[np.generic], x: float, y: float, faces: float) -> float:
        """Share of a square of half edge `faces` around a place, px of the whole picture, that the mask (h, w) of
        working px covers."""
        part = self.part(mask, x, y, faces)
        return float(np.count_nonzero(part)) / part.size if part.size else 0.0

    def part(self, picture: npt.NDArray[Pixel], x: float, y: float, faces: float) -> npt.NDArray[Pixel]:
        """What of a working picture (h, w) is in a square of half edge `faces` around a place, px of the whole one."""
        cx, cy = self.to_working(x, y)
        reach = faces * LOCATOR_FACE_PX
        rows, columns = (slice(max(0, int(v - reach)), max(0, int(v + reach))) for v in (cy, cx))
        return picture[rows, columns]

    def outlines(self, mask: npt.NDArray[np.bool_]) -> list[Points]:
        """Outlines (n, 2), px of the whole picture, of what is in a mask (h, w) of working px."""
        contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        return [(c.reshape(-1, 2) + 0.5) / self.scale + (self._left, self._top) for c in contours]

    def in_picture(self, shift: Matrix) -> Matrix:
        """A map (2, 3) of working px to working px as one of px of the whole picture."""
        return np.asarray((np.linalg.inv(self._matrix) @ _whole(shift) @ self._matrix)[:2], np.float64)

    def way_to(self, other: "Window", shift: Matrix) -> Matrix:
        """The map (3, 3) of working px to those of another window, by the map (2, 3) of places in the whole picture."""
        return np.asarray(other._matrix @ _whole(shift) @ np.linalg.inv(self._matrix), np.float64)

    @property
    def _matrix(self) -> Matrix:
        """The map (3, 3) from whole to working px."""
        return np.array(
            [[self.scale, 0, -self._left * self.scale], [0, self.scale, -self._top * self.scale], [0, 0, 1]], np.float64
        )


def _whole(shift: Matrix) -> Matrix:
    """A map (2, 3) as a matrix (3, 3)."""
    return np.vstack([shift, [0, 0, 1]])
