"""A contact picture of a recording that was not calibrated right: frames with both outlines, and what is wrong."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.calibration.films import VIDEO, Film
from models.calibration.judge import Verdict

Image = NDArray[np.uint8]

MOMENTS = (0.05, 0.35, 0.65, 0.95)
"""Shares of the recording at which frames are shown."""
TILE_PX = 640
WORDS_PX = 60
_TRUE, _SAID, _INK = (60, 200, 60), (40, 40, 230), (0, 0, 0)
_EIGHTH = 3
"""Bits of a fraction in the points that are drawn."""


def write_sheet(path: Path, film: Film, verdict: Verdict, told: Mapping[str, Any] | None) -> None:
    """Write it as .jpg; the true outline is green, upon it the one said is red."""
    true = film.truth
    tiles = [_tile(frame, true, told or {}) for frame in _frames(film.folder / VIDEO)]
    if not tiles:
        return
    tiles += [np.full_like(tiles[0], 255)] * (-len(tiles) % 2)
    rows = [np.hstack(tiles[n : n + 2]) for n in range(0, len(tiles), 2)]
    words = np.full((WORDS_PX, rows[0].shape[1], 3), 255, np.uint8)
    about = f"{true['family']} {true['seed']} {' '.join(true['given'])}"
    for line, text in enumerate((f"{about}: {verdict.outcome}", verdict.words)):
        cv2.putText(words, text, (8, 22 + 26 * line), cv2.FONT_HERSHEY_SIMPLEX, 0.55, _INK, 1, cv2.LINE_AA)
    _write(path, np.vstack([*rows, words]))


def write_tile(path: Path, picture: Image, true: Mapping[str, Any], told: Mapping[str, Any]) -> None:
    """Write a single picture so, without words."""
    _write(path, _tile(picture, true, told))


def _write(path: Path, picture: NDArray[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes())


def _frames(video: Path) -> list[Image]:
    capture = cv2.VideoCapture(str(video))
    try:
        count = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
        wanted = sorted({int(share * (count - 1)) for share in MOMENTS}) if count else []
        frames = []
        for number in range(count):
            more = capture.grab()
            if more and number in wanted:
                frames.append(np.asarray(capture.retrieve()[1], np.uint8))
        return frames
    finally:
        capture.release()


def _tile(frame: Image, true: Mapping[str, Any], told: Mapping[str, Any]) -> Image:
    scale = TILE_PX / frame.shape[1]
    tile = np.asarray(cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    for outline, colour, thick in ((true.get("floor"), _TRUE, 3), (told.get("floor"), _SAID, 1)):
        if outline:
            points = np.round(np.asarray(outline, np.float64) * (scale * (1 << _EIGHTH))).astype(np.int32)
            cv2.polylines(tile, [points], True, colour, thick, cv2.LINE_AA, _EIGHTH)
    return tile
