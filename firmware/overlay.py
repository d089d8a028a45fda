"""The annotated video: each frame with its dice, whether a hand or motion is seen, and how the match stands."""

import cv2
import numpy as np
import numpy.typing as npt

from firmware.annotate import FONT, FONT_PX, Mark, draw_marks
from firmware.match import Moment
from vision.view import SeenDie

Image = npt.NDArray[np.uint8]

PAPER = (32, 32, 32)
WHITE = (255, 255, 255)
AMBER = (0, 190, 255)
BAND_SHARE = 0.06
"""Height of the caption below the picture, as a share of the picture's width."""


def draw_moment(moment: Moment) -> Image:
    """The frame, uint8 BGR (h + band, w, 3): marks on the dice known from a rest, and a caption below."""
    picture = draw_marks(moment.frame.image, [mark_of_seen(die) for die in moment.view.dice if die.id])
    return np.vstack([picture, _caption(moment, picture.shape[1])])


def mark_of_seen(die: SeenDie) -> Mark:
    """A die that lies still bears its reading, or a question mark where that is not sure."""
    value = die.reading.value if die.reading and die.still else None
    return Mark(die.x, die.y, die.size, die.angle, str(value or "?"), sure=value is not None)


def _caption(moment: Moment, width: int) -> Image:
    band = np.full((max(18, round(BAND_SHARE * width)), width, 3), PAPER, np.uint8)
    scale = 0.45 * band.shape[0] / FONT_PX
    seen = "hand" if moment.view.hand else "still" if moment.view.still else "motion"
    left = f"{moment.frame.t:6.2f} s  {seen}"
    if moment.state:
        left += f"  {moment.state.player}  roll {moment.state.roll}/{moment.state.rolls_allowed}"
    _write(band, left, 8, scale, WHITE)
    if moment.state and moment.state.message:
        (text_width, _), _ = cv2.getTextSize(moment.state.message, FONT, scale, 1)
        _write(band, moment.state.message, max(8, width - text_width - 8), scale, AMBER)
    return band


def _write(band: Image, text: str, left: int, scale: float, colour: tuple[int, int, int]) -> None:
    baseline = round(band.shape[0] / 2 + scale * FONT_PX / 2)
    cv2.putText(band, text, (left, baseline), FONT, scale, colour, 1, cv2.LINE_AA)
