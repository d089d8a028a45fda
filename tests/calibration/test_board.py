"""The printed board in a picture."""

import cv2
import numpy as np
import pytest

from calibration.board import COLUMNS, ROWS, SQUARE_MM, charuco_board, find_board

PX_PER_MM = 1.8


@pytest.mark.parametrize("grown", [0, 4, 6])
def test_all_corners_are_seen_though_overexposed_white_runs_over_the_dark(grown: int) -> None:
    size = tuple(round(4 * PX_PER_MM * SQUARE_MM * count) for count in (COLUMNS, ROWS))
    drawn = np.asarray(charuco_board().generateImage(size, marginSize=0), np.uint8)
    sheet = cv2.copyMakeBorder(drawn, 200, 200, 200, 200, cv2.BORDER_CONSTANT, value=255)
    bloomed = cv2.dilate(sheet, np.ones((2 * grown + 1, 2 * grown + 1), np.uint8))
    turned = cv2.warpAffine(
        bloomed, cv2.getRotationMatrix2D((sheet.shape[1] / 2, sheet.shape[0] / 2), 12, 1), sheet.shape[::-1], None,
        cv2.INTER_LINEAR, cv2.BORDER_CONSTANT, 90,
    )  # fmt: skip
    seen = cv2.GaussianBlur(cv2.resize(turned, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), (0, 0), 0.7)
    board = find_board(np.asarray(cv2.cvtColor(np.maximum(seen, 90), cv2.COLOR_GRAY2BGR), np.uint8))
    assert board is not None
    assert len(board.seen) == (COLUMNS - 1) * (ROWS - 1)
