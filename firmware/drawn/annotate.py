"""Drawing what was read onto a picture: a square and a plate per die, sure and unsure apart in colour and in line."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from firmware.drawn.canvas import BOLD, GREEN, INK, ORANGE, WHITE, Colour, Image, width_of, write
from vision.read import Reading

FloatArray = npt.NDArray[np.float64]

SURE, UNSURE, HALO = GREEN, ORANGE, WHITE
SMALLEST_TEXT_PX = 17
DASHES = 4
"""Dashes along one edge of a die that is not sure."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What to draw for one die: centre and edge of its face, px; angle of its edges, degrees; text; sure or not.

    `colour` takes the place of that of sure and unsure.
    """

    x: float
    y: float
    face_px: float
    angle: float
    text: str
    sure: bool
    colour: Colour | None = None

    @property
    def ink(self) -> Colour:
        """What it is drawn in."""
        return self.colour or (SURE if self.sure else UNSURE)


def mark_of(reading: Reading, zoom: float = 1.0) -> Mark:
    """The mark of a die read in a picture that was enlarged by `zoom` since: its value, or a question mark."""
    x, y = reading.centre
    sure = reading.value is not None
    return Mark(x * zoom, y * zoom, reading.face_px * zoom, reading.angle, str(reading.value) if sure else "?", sure)


def draw_marks(image: Image, marks: Sequence[Mark]) -> Image:
    """A BGR copy of a BGR or grey picture with every mark drawn: solid green where sure, dashed orange where not.

    The plates stand beside the faces, so that the pips stay in view.
    """
    canvas = np.array(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR) if image.ndim == 2 else image, np.uint8)
    put_marks(canvas, marks)
    return canvas


def put_marks(canvas: Image, marks: Sequence[Mark]) -> None:
    """Draw the marks into a BGR picture."""
    for mark in marks:
        _draw_square(canvas, mark)
    for mark in marks:
        _draw_plate(canvas, mark)


def _draw_square(canvas: Image, mark: Mark) -> None:
    thickness = max(2, round(mark.face_px / 24))
    box = ((mark.x, mark.y), (mark.face_px, mark.face_px), mark.angle)
    corners = np.asarray(cv2.boxPoints(box), np.float64)
    strokes = [corners] if mark.sure else _dashes(corners)
    for colour, width in ((HALO, thickness + 2), (mark.ink, thickness)):
        cv2.polylines(canvas, [np.round(s).astype(np.int32) for s in strokes], mark.sure, colour, width, cv2.LINE_AA)


def _dashes(corners: FloatArray) -> list[FloatArray]:
    """The dashes of a square as pairs of points."""
    shares = np.arange(2 * DASHES)[:, None] / (2 * DASHES - 1)
    edges = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    points = [start + (end - start) * shares for start, end in edges]
    return [edge[n : n + 2] for edge in points for n in range(0, 2 * DASHES, 2)]


def _draw_plate(canvas: Image, mark: Mark) -> None:
    """The text on a filled plate at the upper right of the die, moved inward where the picture ends."""
    size = max(SMALLEST_TEXT_PX, 0.65 * mark.face_px)
    width, height = width_of(mark.text, size, BOLD), 0.72 * size
    pad = max(2, 0.18 * size)
    reach = 0.6 * mark.face_px
    left = max(0, min(mark.x + reach, canvas.shape[1] - width - 2 * pad))
    top = max(0, min(mark.y - reach - height - 2 * pad, canvas.shape[0] - height - 2 * pad))
    corner, far = (round(left), round(top)), (round(left + width + 2 * pad), round(top + height + 2 * pad))
    cv2.rectangle(canvas, corner, far, mark.ink, cv2.FILLED)
    cv2.rectangle(canvas, corner, far, INK, 1)
    write(canvas, mark.text, left + pad, top + pad + height, size, INK, BOLD)
