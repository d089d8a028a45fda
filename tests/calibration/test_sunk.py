"""A tray whose wall has its floor's colour: the faint line where the floor ends is found, and people are asked."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.outline import find_outline
from calibration.pointed import outline_of_corners
from calibration.shape import View, border, corners
from calibration.solid import Solid
from tests.calibration.drawn import SIZE, farthest
from tests.calibration.test_rim import PLACES, contour

WHITE, LINE, TABLE = (205, 205, 200), (188, 188, 184), (70, 60, 75)
VIEW = View(170.0, 4.6, -0.02, 0.004, (0.03, -0.05), -0.05, (322.0, 240.0), 0.75)
BOX = Solid("rectangle", VIEW, 0.025, 0.1, 0.12)


def drawn(lined: int = 4) -> npt.NDArray[np.uint8]:
    """The empty box, BGR, its rim as dark as the table, with a line along so many sides of its floor."""
    large = np.full((2 * SIZE[1], 2 * SIZE[0], 3), TABLE, np.uint8)
    floor, wall, _ = (np.round((contour(BOX, *each) * 2 + 0.5) * 16).astype(np.int32) for each in BOX.contours())
    cv2.fillPoly(large, [wall], WHITE, cv2.LINE_AA, 4)
    cv2.polylines(large, [floor[: 16 * lined + 1]], lined == 4, LINE, 3, cv2.LINE_AA, 4)
    picture = cv2.GaussianBlur(cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA), (0, 0), 0.7)
    grain = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 3, (*SIZE[::-1], 1)), (0, 0), 1.2)
    return np.asarray(np.clip(picture + grain.reshape(*SIZE[::-1], 1), 0, 255), np.uint8)


def test_an_outline_with_a_floor_all_round_below_it_is_asked_about_and_that_floor_is_the_guess() -> None:
    found = find_outline(drawn(), PLACES, 26.0)
    assert found is not None and (found.kind, found.doubted, found.sure, found.likely) == (BOX.kind, True, False, True)
    seen = found.view.lens(SIZE).project(border(found.kind, found.view.ratio, 64))
    assert farthest(seen, contour(BOX, 0.0, 0.0)) < 3.0


@pytest.mark.parametrize("lined", [0, 2])
def test_lines_along_some_sides_are_seams_and_no_floor(lined: int) -> None:
    found = find_outline(drawn(lined), PLACES, 26.0)
    assert found is not None and (found.doubted, found.sure) == (False, True)


def test_corners_on_a_faint_line_stay_there_though_a_plainer_edge_is_near() -> None:
    true = VIEW.lens(SIZE).project(corners("rectangle", VIEW.ratio)) + np.array([(2, -1), (-2, 1), (1, 2), (-1, -2)])
    found = outline_of_corners(drawn(), [(float(x), float(y)) for x, y in true])
    seen = found.view.lens(SIZE).project(border(found.kind, found.view.ratio, 64))
    assert farthest(seen, contour(BOX, 0.0, 0.0)) < 3.0  # the wall's edge is 9 px away
