"""Drawing what was read onto a picture: a square and a plate per die, sure and unsure apart in colour and in line."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.read import Reading

Image = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

SURE: Colour = (80, 200, 40)
UNSURE: Colour = (0, 140, 255)
INK: Colour = (0, 0, 0)
HALO: Colour = (255, 255, 255)
FONT = cv2.FONT_HERSHEY_SIMPLEX
FONT_PX = 22
"""Height of a capital of this font at scale 1, px."""
SMALLEST_TEXT_PX = 13
DASHES = 4
"""Dashes along one edge of a die that is not sure."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What to draw for one die: centre and edge of its face, px; angle of its edges, degrees; text; sure or not."""

    x: float
    y: float
    face_px: float
    angle: float
    text: str
    sure: bool


def mark_of(reading: Reading) -> Mark:
    """The mark of a die read in a picture: its value, or a question mark."""
    x, y = reading.centre
    sure = reading.value is not None
    return Mark(x, y, reading.face_px, reading.angle, str(reading.value) if sure else "?", sure)


def draw_marks(image: Image, marks: Sequence[Mark]) -> Image:
    """A BGR copy of a BGR or grey picture with every mark drawn: solid green where sure, dashed orange where not.

    The plates stand beside the faces, so that the pips stay in view.
    """
    canvas = np.array(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR) if image.ndim == 2 else image, np.uint8)
    for mark in marks:
        _draw_square(canvas, mark)
    for mark in marks:
        _draw_plate(canvas, mark)
    return canvas


def _draw_square(canvas: Image, mark: Mark) -> None:
    thickness = max(2, round(mark.face_px / 24))
    corners = cv2.boxPoints(((mark.x, mark.y), (mark.face_px, mark.face_px), mark.angle))
    for colour, width in ((HALO, thickness + 2), (SURE if mark.sure else UNSURE, thickness)):
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            for a, b in [(0.0, 1.0)] if mark.sure else _dashes():
                _line(canvas, start + (end - start) * a, start + (end - start) * b, colour, width)


def _dashes() -> list[tuple[float, float]]:
    """Start and end of every dash, as shares of an edge."""
    step = 1 / (2 * DASHES - 1)
    return [(2 * i * step, (2 * i + 1) * step) for i in range(DASHES)]


def _line(canvas: Image, start: npt.NDArray[Any], end: npt.NDArray[Any], colour: Colour, width: int) -> None:
    ends = [(round(float(p[0])), round(float(p[1]))) for p in (start, end)]
    cv2.line(canvas, ends[0], ends[1], colour, width, cv2.LINE_AA)


def _draw_plate(canvas: Image, mark: Mark) -> None:
    """The text on a filled plate at the upper right of the die, moved inward where the picture ends."""
    scale = max(SMALLEST_TEXT_PX, 0.5 * mark.face_px) / FONT_PX
    stroke = max(1, round(1.8 * scale))
    (width, height), _ = cv2.getTextSize(mark.text, FONT, scale, stroke)
    pad = max(2, stroke)
    reach = 0.6 * mark.face_px
    left = round(min(mark.x + reach, canvas.shape[1] - width - 2 * pad))
    top = round(max(mark.y - reach - height - 2 * pad, 0))
    left, top = max(0, left), min(top, max(0, canvas.shape[0] - height - 2 * pad))
    corner = (left + width + 2 * pad, top + height + 2 * pad)
    cv2.rectangle(canvas, (left, top), corner, SURE if mark.sure else UNSURE, cv2.FILLED)
    cv2.rectangle(canvas, (left, top), corner, INK, 1)
    cv2.putText(canvas, mark.text, (left + pad, top + pad + height), FONT, scale, INK, stroke, cv2.LINE_AA)
