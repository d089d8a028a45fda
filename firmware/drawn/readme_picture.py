"""`python -m firmware.drawn.readme_picture`: draws docs/match.png, a frame of the sample match and the display."""

from pathlib import Path

import cv2
import numpy as np

from firmware.drawn.canvas import GREY, PAPER, Image
from firmware.drawn.overlay import Overlay
from firmware.match import Moment, play
from firmware.play.table import WatchOptions, open_table
from firmware.sample import SAMPLE
from hardware.display import draw, enlarged
from scorer.events import RollCounted

PICTURE = Path(__file__).parents[2] / "docs" / "match.png"
ROLL, AFTER_FRAMES = 4, 4
"""Which roll of the match that counts is shown, and how many frames after it was counted."""
EDGE = 12


def main() -> None:
    """Watch the sample match up to the roll and write the picture."""
    options = WatchOptions(str(SAMPLE / "video.mp4"), SAMPLE / "calibration.toml", choices=SAMPLE / "choices.jsonl")
    with open_table(options) as table:
        overlay, counted, since = Overlay(table.watcher), 0, 0
        for moment in play(table.source, table.watcher, table.umpire, table.choices):
            picture = overlay.draw(moment)
            counted += sum(isinstance(fact, RollCounted) for fact in moment.facts)
            since += counted >= ROLL
            if since > AFTER_FRAMES:
                break
    cv2.imwrite(str(PICTURE), _with_display(picture, moment))


def _with_display(picture: Image, moment: Moment) -> Image:
    """The picture with the display in the lower right corner of its side."""
    assert moment.screen is not None
    lit = np.asarray(enlarged(draw(moment.screen), 2).convert("RGB"), np.uint8)
    shown = cv2.copyMakeBorder(lit, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=GREY)
    bottom, right = moment.frame.image.shape[0] - EDGE, picture.shape[1] - EDGE
    picture[bottom - shown.shape[0] - EDGE : bottom + EDGE, moment.frame.image.shape[1] :] = PAPER
    picture[bottom - shown.shape[0] : bottom, right - shown.shape[1] : right] = shown
    return picture


if __name__ == "__main__":
    main()
