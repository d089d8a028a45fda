"""Contact sheets: what went wrong, as pictures to be looked at. They show photographs by others: never commit them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from models.training.evaluate import FAILURES, Case, Outcome
from models.training.view import Picture

Tile = tuple[Picture, tuple[str, ...]]
"""A picture and the lines below it, at most three."""

_EDGE = 112
_LINE = 13
_WIDTH = 132
_COLUMNS = 12
_HEIGHT = _EDGE + 3 * _LINE + 8
_LETTER = 0.36  # of OpenCV's plain font
_FRAMES: dict[Outcome, tuple[int, int, int]] = {
    "wrong": (40, 40, 220),
    "extra": (40, 120, 230),
    "guessed": (40, 120, 230),
    "missed": (200, 120, 40),
    "unsure": (120, 120, 120),
}


def sheet(tiles: Sequence[Tile]) -> Picture:
    """Return the tiles side by side, twelve in a row, on white."""
    columns = min(_COLUMNS, max(1, len(tiles)))
    rows = max(1, -(-len(tiles) // columns))
    canvas = np.full((rows * _HEIGHT, columns * _WIDTH, 3), 255, np.uint8)
    for index, (picture, lines) in enumerate(tiles):
        top, left = index // columns * _HEIGHT + 4, index % columns * _WIDTH + (_WIDTH - _EDGE) // 2
        canvas[top : top + _EDGE, left : left + _EDGE] = cv2.resize(
            picture, (_EDGE, _EDGE), interpolation=cv2.INTER_LINEAR
        )
        for number, line in enumerate(lines[:3]):
            at = (index % columns * _WIDTH + 4, top + _EDGE + _LINE * (number + 1) - 2)
            cv2.putText(canvas, line, at, cv2.FONT_HERSHEY_SIMPLEX, _LETTER, (0, 0, 0), 1, cv2.LINE_AA)
    return canvas


def write_sheet(path: Path, tiles: Sequence[Tile]) -> None:
    """Write a contact sheet as PNG, or remove an older one where there is nothing to show."""
    path.unlink(missing_ok=True)
    if tiles:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(cv2.imencode(".png", sheet(tiles))[1].tobytes())


def write_failures(folder: Path, name: str, cases: Mapping[str, Sequence[Case]]) -> list[Path]:
    """Write a contact sheet of every failure for each source, the worst first; return the sheets' paths."""
    written = []
    for source, judged in sorted(cases.items()):
        failed: dict[Outcome, list[Case]] = defaultdict(list)
        for case in judged:
            failed[case.outcome].append(case)
        tiles = [_tile(c) for o in FAILURES for c in sorted(failed[o], key=lambda c: -(c.score or 0.0))]
        path = folder / f"{name}-{source}.png"
        write_sheet(path, tiles)
        written += [path] if tiles else []
    return written


def _tile(case: Case) -> Tile:
    assert case.tile is not None
    picture = cv2.copyMakeBorder(case.tile, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=_FRAMES[case.outcome])
    label = (
        "no die" if case.labelled is None else case.kind or "unreadable" if not case.labelled else str(case.labelled)
    )
    answer = "missed" if case.likely is None else f"{case.likely}{'?' if case.outcome == 'unsure' else ''}"
    score = "" if case.score is None else f" at {case.score:.2f}"
    return np.asarray(picture, np.uint8), (
        Path(case.picture).stem[:20],
        f"{case.outcome}:",
        f"{label} -> {answer}{score}",
    )
