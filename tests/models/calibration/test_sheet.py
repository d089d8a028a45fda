"""The contact picture of a failure shows both outlines."""

import json
from pathlib import Path

import cv2
import numpy as np

from models.calibration.films import TRUTH, VIDEO, Film
from models.calibration.judge import Verdict
from models.calibration.sheet import TILE_PX, WORDS_PX, write_sheet
from models.sim.video import write_video


def test_both_outlines_are_drawn(tmp_path: Path) -> None:
    floor = [[40, 40], [280, 40], [280, 200], [40, 200]]
    truth = {"family": "square_tray", "seed": 1, "given": ["--die-mm", "16"], "floor": floor}
    (tmp_path / TRUTH).write_text(json.dumps(truth))
    grey = np.full((240, 320, 3), 90, np.uint8)
    write_video(tmp_path / VIDEO, [grey] * 8, [k / 30 for k in range(8)], 30.0, lambda: None)
    said = {"floor": [[x + 30, y] for x, y in floor]}
    write_sheet(tmp_path / "s" / "x.jpg", Film(tmp_path), Verdict("off", "outline off by 9.00 mm"), said)
    sheet = cv2.imread(str(tmp_path / "s" / "x.jpg"))
    assert sheet is not None
    assert sheet.shape == (2 * TILE_PX * 240 // 320 + WORDS_PX, 2 * TILE_PX, 3)
    blue, green, red = (sheet[..., k].astype(int) for k in range(3))
    middle = slice(TILE_PX * 100 // 320, TILE_PX * 150 // 320)
    for at, high, low in ((40, green, red), (70, red, green)):
        column = round(at * TILE_PX / 320)
        assert (high - np.maximum(low, blue))[middle, column - 1 : column + 3].max() > 60
