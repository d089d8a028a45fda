"""Drawing what was read onto a picture: a square and a plate per die, sure and unsure apart in colour and in line."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from firmware.drawn.canvas import BOLD, GREEN, INK, ORANGE, WHITE, YELLOW, Colour, Image, width_of, write
from vision.read import Reading

FloatArray = npt.NDArray[np.float64]

SURE, UNSURE, HALO, MEANT = GREEN, ORANGE, WHITE, YELLOW
SMALLEST_TEXT_PX = 17
DASHES = 4
"""Dashes along one edge of a die that is not sure."""
TAG = 0.75
"""Size of a tag beside the text."""
CORNER = 0.45
"""Length of each corner drawn around a die that is meant, in faces."""
REACH, MEANT_REACH = 0.6, 1.0
"""From the middle of a face to its plate, and to the corners around a die that is meant, in faces."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, px."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What to draw for one die: centre and edge of its face, px; angle of its edges, degrees; text; sure or not.

    `colour` takes the place of that of sure and unsure; `tag` stands after the text, smaller. A die that is `meant`, as
    by a question, has four corners around it.
    """

    x: float
    y: float
    face_px: float
    angle: float
    text: str
    sure: bool
    colour: Colour | None = None
    tag: str = ""
    meant: bool = False

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


def put_marks(canvas: Image, marks: Sequence[Mark], things: Sequence[Box] = ()) -> None:
    """Draw the marks into a BGR picture; a plate hides as little as can be of other dice, other plates and these
    `things`, and is nearest to its own die if it can."""
    for mark in marks:
        _draw_square(canvas, mark)
        if mark.meant:
            _draw_corners(canvas, mark)
    faces = [(mark, _around(mark)) for mark in marks]
    plates: list[Box] = []
    for mark in marks:
        others = [(other, face) for other, face in faces if other is not mark]
        taken = [*plates, *things, *(face for _, face in others)]
        costs = [
            (sum(_shared(box, other) for other in taken), _is_strange(box, mark, [other for other, _ in others]), box)
            for box in _plates(canvas, mark)
        ]
        plates.append(min(costs, key=lambda cost: cost[:2])[2])
        _draw_plate(canvas, mark, plates[-1])


def _draw_square(canvas: Image, mark: Mark) -> None:
    thickness = max(2, round(mark.face_px / 24))
    corners = _corners(mark)
    strokes = [corners] if mark.sure else _dashes(corners)
    for colour, width in ((HALO, thickness + 2), (mark.ink, thickness)):
        cv2.polylines(canvas, [np.round(s).astype(np.int32) for s in strokes], mark.sure, colour, width, cv2.LINE_AA)


def _draw_corners(canvas: Image, mark: Mark) -> None:
    """Four corners around the die, upright, so that they are taken for no edge of it."""
    thickness, long = max(2, round(mark.face_px / 12)), CORNER * mark.face_px
    for right, below in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        x, y = mark.x + right * MEANT_REACH * mark.face_px, mark.y + below * MEANT_REACH * mark.face_px
        stroke = np.round([(x - right * long, y), (x, y), (x, y - below * long)]).astype(np.int32)
        for colour, width in ((INK, thickness + 2), (MEANT, thickness)):
            cv2.polylines(canvas, [stroke], False, colour, width, cv2.LINE_AA)


def _dashes(corners: FloatArray) -> list[FloatArray]:
    """The dashes of a square as pairs of points."""
    shares = np.arange(2 * DASHES)[:, None] / (2 * DASHES - 1)
    edges = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    points = [start + (end - start) * shares for start, end in edges]
    return [edge[n : n + 2] for edge in points for n in range(0, 2 * DASHES, 2)]


def _corners(mark: Mark) -> FloatArray:
    """The corners (4, 2) of its face, px."""
    return np.asarray(cv2.boxPoints(((mark.x, mark.y), (mark.face_px, mark.face_px), mark.angle)), np.float64)


def _around(mark: Mark) -> Box:
    """The box around its face."""
    (left, top), (right, bottom) = _corners(mark).min(axis=0).tolist(), _corners(mark).max(axis=0).tolist()
    return left, top, right, bottom


def _size(mark: Mark) -> tuple[float, float]:
    """Size of a plate's text, and of the edge around it, px."""
    size = max(SMALLEST_TEXT_PX, 0.65 * mark.face_px)
    return size, max(2, 0.18 * size)


def _plates(canvas: Image, mark: Mark) -> list[Box]:
    """Where its plate may be: beside each corner of the die, upper right first; inward where the picture ends."""
    size, pad = _size(mark)
    tag = width_of(mark.tag, TAG * size) + pad if mark.tag else 0
    width, height = width_of(mark.text, size, BOLD) + tag + 2 * pad, 0.72 * size + 2 * pad
    reach, (below, beyond) = REACH * mark.face_px, canvas.shape[:2]
    plates = []
    for top in (mark.y - reach - height, mark.y + reach):
        for left in (mark.x + reach, mark.x - reach - width):
            x, y = max(0, min(left, beyond - width)), max(0, min(top, below - height))
            plates.append((x, y, x + width, y + height))
    return plates


def _shared(a: Box, b: Box) -> float:
    """The area that two boxes share, px."""
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def _is_strange(box: Box, mark: Mark, others: Sequence[Mark]) -> bool:
    """Whether a plate there seems to belong to another die."""
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    own = math.dist(middle, (mark.x, mark.y))
    return any(math.dist(middle, (other.x, other.y)) < own for other in others)


def _draw_plate(canvas: Image, mark: Mark, plate: Box) -> None:
    """The text on a filled plate."""
    left, top, right, bottom = (round(side) for side in plate)
    cv2.rectangle(canvas, (left, top), (right, bottom), mark.ink, cv2.FILLED)
    cv2.rectangle(canvas, (left, top), (right, bottom), INK, 1)
    size, pad = _size(mark)
    write(canvas, mark.text, plate[0] + pad, plate[3] - pad, size, INK, BOLD)
    if mark.tag:
        write(canvas, mark.tag, plate[2] - pad - width_of(mark.tag, TAG * size), plate[3] - pad, TAG * size, INK)
