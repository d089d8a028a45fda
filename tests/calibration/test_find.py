"""Finding a tray without a calibration: drawn trays, and why none is found."""

import cv2
import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.find import find_tray
from tests.vision.drawn_tray import DIE_PX, GEOMETRY, film, lying
from vision.network import Networks
from vision.source import Frame

PLACES = [(250.0, 200.0, 4), (330.0, 150.0, 2), (400.0, 260.0, 6), (300.0, 330.0, 1), (470.0, 180.0, 5)]


def test_size_and_floor_of_a_drawn_tray(networks: Networks) -> None:
    dice = [lying(x, y, value, since=0.3) for x, y, value in PLACES]
    found = find_tray(networks, film(dice, seconds=1.5, fps=10))
    assert (found.width, found.height) == (640, 480)
    assert found.die_px == pytest.approx(DIE_PX, rel=0.15)
    assert found.shape == "rectangle" and "edges" in found.note
    drawn, seen = (np.zeros((480, 640), np.uint8) for _ in range(2))
    cv2.fillPoly(drawn, [GEOMETRY.outline.astype(np.int32)], 1)
    cv2.fillPoly(seen, [found.geometry.outline.astype(np.int32)], 1)
    assert (drawn & seen).sum() / (drawn | seen).sum() > 0.97


def test_no_dice_and_no_frames_say_so(networks: Networks) -> None:
    with pytest.raises(CalibrationError, match=r"no dice seen in the first 0\.9 s"):
        find_tray(networks, film([], seconds=1.0, fps=10))
    nothing: list[Frame] = []
    with pytest.raises(CalibrationError, match="no frame"):
        find_tray(networks, nothing)
