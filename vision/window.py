"""The part of the picture that is watched, the tray and a margin around it, and its working picture."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.corrupt import BLOCK
from vision.geometry import TrayGeometry
from vision.locate import working_picture
from vision.rest import Past, past

Image = npt.NDArray[np.uint8]
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
        self.left, self.top = max(0, left), max(0, top)
        self._rows, self._columns = slice(self.top, min(height, bottom)), slice(self.left, min(width, right))
        blank = self.shrink(past(0.0, np.zeros(geometry.size[::-1], np.uint8), geometry.die_px))
        self.scale = blank.shape[1] / (self._columns.stop - self._columns.start)
        corners = np.round((geometry.outline - (self.left, self.top)) * self.scale).astype(np.int32)
        self.floor: Image = np.asarray(cv2.fillPoly(blank, [corners], 1), np.uint8)
        """1 on the tray's floor, 0 elsewhere, (h, w) of the working picture."""

    def cut(self, picture: Image) -> Image:
        """The window of a whole picture, in its own px."""
        return picture[self._rows, self._columns]

    def blocks(self, grey: Image) -> Image:
        """The same, with what it needs more to begin with a whole block of the picture's coding."""
        top, left = (side.start // BLOCK * BLOCK for side in (self._rows, self._columns))
        return grey[top : self._rows.stop, left : self._columns.stop]

    def shrink(self, picture: Past) -> Image:
        """The working picture (h, w)."""
        rows, columns = (
            slice(round(s.start * picture.scale), round(s.stop * picture.scale)) for s in (self._rows, self._columns)
        )
        return working_picture(picture.grey[rows, columns], self._die_px * picture.scale)

    def to_working(self, x: float, y: float) -> tuple[float, float]:
        """A place in px of the whole picture as px of the working one."""
        return (x - self.left) * self.scale, (y - self.top) * self.scale

    def to_picture(self, x: float, y: float) -> tuple[float, float]:
        """A place in px of the working picture as px of the whole one."""
        return x / self.scale + self.left, y / self.scale + self.top

    @property
    def matrix(self) -> Matrix:
        """The map (3, 3) from whole to working px."""
        return np.array(
            [[self.scale, 0, -self.left * self.scale], [0, self.scale, -self.top * self.scale], [0, 0, 1]], np.float64
        )
