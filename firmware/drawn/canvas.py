"""What drawing on pictures shares: colours, text, and dice with their pips."""

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from hardware.dot_parts import PIPS

Image = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]
"""Blue, green, red."""

PAPER: Colour = (30, 28, 26)
INK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
GREY: Colour = (150, 146, 142)
GREEN: Colour = (80, 200, 40)
ORANGE: Colour = (0, 140, 255)
YELLOW: Colour = (50, 215, 255)
RED: Colour = (70, 70, 240)
BLUE: Colour = (255, 170, 70)
PURPLE: Colour = (230, 110, 190)
REGULAR, BOLD = 400, 700


def write(
    canvas: Image, text: str, left: float, baseline: float, size: float, colour: Colour, weight: int = REGULAR
) -> None:
    """Write a line, `size` px from one line to the next; what has no room is cut off."""
    cv2.putText(canvas, text, (round(left), round(baseline)), colour, _font(), round(size), weight)


def width_of(text: str, size: float, weight: int = REGULAR) -> int:
    """Width of a line in px."""
    return int(cv2.getTextSize((0, 0), text, (0, 0), _font(), round(size), weight)[2])


def fitted(text: str, width: float, size: float, weight: int = REGULAR) -> str:
    """The text, shortened to `width` px where it is longer."""
    if width_of(text, size, weight) <= width:
        return text
    while text and width_of(f"{text}…", size, weight) > width:
        text = text[:-1].rstrip()
    return f"{text}…"


def wrapped(text: str, width: float, size: float, weight: int = REGULAR) -> list[str]:
    """The text as lines of at most `width` px, broken between words."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, size, weight) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def faded(colour: Colour, share: float, ground: Colour = PAPER) -> Colour:
    """`share` of a colour over the ground."""
    b, g, r = (round(share * c + (1 - share) * p) for c, p in zip(colour, ground, strict=True))
    return b, g, r


def fill(canvas: Image, colour: Colour) -> None:
    """One colour everywhere."""
    cv2.rectangle(canvas, (0, 0), (canvas.shape[1], canvas.shape[0]), colour, cv2.FILLED)


def draw_die(canvas: Image, value: int | None, left: float, top: float, edge: float) -> None:
    """A small die seen from above; a question mark where nobody is sure of its value."""
    corner, far = (round(left), round(top)), (round(left + edge), round(top + edge))
    cv2.rectangle(canvas, corner, far, WHITE if value else ORANGE, cv2.FILLED)
    x, y = left + edge / 2, top + edge / 2
    if value is None:
        write(canvas, "?", x - width_of("?", 0.8 * edge, BOLD) / 2, y + 0.28 * edge, 0.8 * edge, INK, BOLD)
        return
    for row, pips in enumerate(PIPS[value]):
        for column, pip in enumerate(pips):
            if pip == "o":
                place = (round(x + 0.27 * edge * (column - 1)), round(y + 0.27 * edge * (row - 1)))
                cv2.circle(canvas, place, max(1, round(0.1 * edge)), INK, cv2.FILLED, cv2.LINE_AA)


@cache
def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")
