"""The size of dice by the rounded cubes that are seen as they are."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.cube import see
from calibration.dice import Lying, measure_dice
from calibration.shape import View

SIZE = (640, 480)
LENS = View(200.0, 5.0, -0.05, 0.011, (0.15, -0.1), 0.1, (325.0, 236.0)).lens(SIZE)
EDGE, ROUNDING, FINE = 0.13, 0.05, 8
FLOOR, TOP, SIDE = (60, 120, 50), (200, 210, 215), (120, 125, 130)


def drawn(pose: tuple[float, float, float], shadow: bool) -> npt.NDArray[np.uint8]:
    """A die on the floor, BGR, with its sides darker than its top, and a shadow to one side of it."""
    large = np.full((SIZE[1] * FINE, SIZE[0] * FINE, 3), FLOOR, np.uint8)
    poses = np.array([pose])
    if shadow:
        dark = see(LENS, poses + np.array([0.03, 0.02, 0.0]), EDGE, ROUNDING)
        _fill(large, dark.hulls[0], 0.0, tuple(round(0.7 * tone) for tone in FLOOR))
    body = see(LENS, poses, EDGE, ROUNDING)
    _fill(large, body.hulls[0], float(body.margins[0]), SIDE)
    flat = (EDGE / 2) * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    turn = np.array([(np.cos(pose[2]), np.sin(pose[2])), (-np.sin(pose[2]), np.cos(pose[2]))])
    _fill(large, LENS.project(flat * 0.97 @ turn + pose[:2], EDGE), 0.0, TOP)
    small = cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.6), np.uint8)


def _fill(large: npt.NDArray[np.uint8], outline: npt.NDArray[np.float64], margin: float, colour: object) -> None:
    points = np.round((outline * FINE + FINE / 2) * 16).astype(np.int32)
    cv2.fillPoly(large, [points], colour, cv2.LINE_8, 4)  # type: ignore[call-overload]
    if margin:
        cv2.polylines(large, [points], True, colour, round(2 * margin * FINE), cv2.LINE_8, 4)  # type: ignore[call-overload]


@pytest.mark.parametrize("shadow", [False, True])
def test_the_edge_of_dice_is_measured_within_a_percent(shadow: bool) -> None:
    poses = [(-0.5, -0.3, 0.2), (0.4, 0.5, 1.0), (0.6, -0.4, 0.7), (-0.2, 0.6, 2.1), (0.1, 0.0, 0.4)]
    dice = []
    for x, y, turn in poses:
        at, ahead = LENS.project([(x, y), (x + 0.05 * np.cos(turn), y + 0.05 * np.sin(turn))], EDGE)
        angle = float(np.degrees(np.arctan2(*(ahead - at)[::-1])))
        dice.append(Lying(drawn((x, y, turn), shadow), float(at[0]) + 1.0, float(at[1]) - 1.0, 24.0, angle))
    measured = measure_dice(dice, np.full((*SIZE[::-1], 3), FLOOR, np.uint8), LENS)
    assert measured is not None and measured.count > 100
    assert measured.edge == pytest.approx(EDGE, rel=0.01)


def test_without_dice_nothing_is_measured() -> None:
    empty = np.full((*SIZE[::-1], 3), FLOOR, np.uint8)
    assert measure_dice([], empty, LENS) is None
    assert measure_dice([Lying(empty, 300.0, 200.0, 24.0, 10.0)], empty, LENS) is None
