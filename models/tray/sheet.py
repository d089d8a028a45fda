"""A contact sheet for a film that was not ruled right: frames about the first difference, what is true and was said."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from firmware.drawn.canvas import BOLD, INK, write
from firmware.drawn.commentary import PHASES
from firmware.drawn.overlay import Overlay
from firmware.drawn.told import clock
from firmware.match import Moment, play
from firmware.play.table import WatchOptions, open_table
from models.tray.events import pair
from models.tray.films import CALIBRATION, CHOICES, VIDEO, Film
from models.tray.lines import Line, in_short
from models.tray.rulings import Difference

Image = npt.NDArray[np.uint8]

FRAMES, COLUMNS = 12, 4
BEFORE_S, AFTER_S = 1.6, 0.6
TOLD_BEFORE_S, TOLD_AFTER_S = 4.0, 2.0
TILE_PX = 480
LINE_PX, LETTER, LETTER_PX = 20, 0.45, 8
_INK, _RED, _BLUE = (0, 0, 0), (30, 30, 200), (160, 60, 0)


def write_sheet(path: Path, film: Film, difference: Difference, true: Sequence[Line], said: Sequence[Line]) -> None:
    """Write the sheet as .jpg: twelve frames with what was seen drawn in, and beneath them both accounts in words.

    Events that only one of the accounts has are red; rulings are blue.
    """
    pictures = list(_frames(film, difference))
    if not pictures:
        return
    rows = [pictures[n : n + COLUMNS] for n in range(0, len(pictures), COLUMNS)]
    rows[-1] += [np.full_like(pictures[0], 255)] * (COLUMNS - len(rows[-1]))
    grid = np.vstack([np.hstack(row) for row in rows])
    words = _words(difference, true, said, grid.shape[1])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(cv2.imencode(".jpg", np.vstack([grid, words]), [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes())


def _frames(film: Film, difference: Difference) -> Iterator[Image]:
    """The frames, evenly from a little before the difference to a little after it was said, as they were seen."""
    later = [line["t_said"] for line in (difference.true, difference.said) if line is not None]
    start, end = max(0.0, difference.t - BEFORE_S), min(min(later), difference.t + 1.0) + AFTER_S
    moments = list(np.linspace(start, end, FRAMES))
    options = WatchOptions(str(film.folder / VIDEO), film.folder / CALIBRATION, choices=film.folder / CHOICES)
    with open_table(options) as table:
        overlay = Overlay(table.watcher)
        for moment in play(table.source, table.watcher, table.umpire, table.choices):
            if not moments:
                return
            picture = overlay.picture(moment)
            if moment.last or moment.frame.t < moments[0]:
                continue
            moments = [t for t in moments[1:] if t > moment.frame.t]
            height = round(picture.shape[0] * TILE_PX / picture.shape[1])
            tile = np.asarray(cv2.resize(picture, (TILE_PX, height), interpolation=cv2.INTER_AREA), np.uint8)
            yield _headed(tile, moment)


def _headed(tile: Image, moment: Moment) -> Image:
    """The tile with its time, its frame and what went on in it."""
    name, colour = PHASES[moment.view.phase]
    cv2.rectangle(tile, (0, 0), (tile.shape[1], LINE_PX), colour, cv2.FILLED)
    write(tile, f"{clock(moment.frame.t)}  frame {moment.frame.index}  {name}", 6, LINE_PX - 5, 16, INK, BOLD)
    return tile


def _words(difference: Difference, true: Sequence[Line], said: Sequence[Line], width: int) -> Image:
    """Both accounts of the seconds about the difference, the true one at the left."""
    alone = {id(line) for p in pair(true, said) if p.off is None for line in (p.true, p.said) if line is not None}
    near = (difference.t - TOLD_BEFORE_S, difference.t + TOLD_AFTER_S)
    accounts = [[line for line in lines if near[0] <= line["t"] <= near[1]] for lines in (true, said)]
    height = LINE_PX * (max(map(len, accounts)) + 3)
    canvas = np.full((height, width, 3), 255, np.uint8)
    _write(canvas, difference.words, 0, 0, _RED)
    for column, (title, lines) in enumerate(zip(("true", "said"), accounts, strict=True)):
        _write(canvas, title, column, 1, _INK)
        for row, line in enumerate(sorted(lines, key=lambda line: line["t"]), 2):
            colour = _RED if id(line) in alone else _BLUE if line["kind"] == "ruling" else _INK
            _write(
                canvas, f"{line['t']:7.3f} ({line.get('t_said', line['t']):.3f})  {in_short(line)}", column, row, colour
            )
    return canvas


def _write(canvas: Image, text: str, column: int, row: int, colour: tuple[int, int, int]) -> None:
    room = canvas.shape[1] // 2 if row else canvas.shape[1]
    place = (column * canvas.shape[1] // 2 + 8, LINE_PX * (row + 1) - 5)
    fits = text[: room // LETTER_PX - 2]
    cv2.putText(canvas, fits, place, cv2.FONT_HERSHEY_SIMPLEX, LETTER, colour, 1, cv2.LINE_AA)
