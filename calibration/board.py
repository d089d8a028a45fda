"""The printed board: OpenCV's ChArUco on a sheet of A4, and what it tells of the scale when it lies on the floor."""

from dataclasses import dataclass
from io import BytesIO

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as Picture
from PIL import ImageDraw

from vision.lens import Lens

Image = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float64]

COLUMNS, ROWS = 7, 5
SQUARE_MM, MARKER_MM = 30.0, 22.0
DPI = 300
SHEET_MM = (297.0, 210.0)
LEAST_CORNERS = 8
"""Of the board's 24 inner corners; fewer tell no scale."""
MARGIN = 0.3
"""Share of a marker's cell at each side that is not looked at: overexposed white runs over the dark beside it."""
UNEVEN = 0.0025
"""Spread of distances between corners, as a share, seen through the right lens: paper does not lie quite flat."""
MM_PER_INCH = 25.4


@dataclass(frozen=True, slots=True)
class Board:
    """Inner corners of the board: where they are seen, px (n, 2), and where on the board, mm (n, 2)."""

    seen: Points
    on_board: Points

    def unit_mm(self, lens: Lens) -> float:
        """Mm to a unit of the lens' floor: by the distances of all pairs of corners."""
        return float(np.median(self._units(lens)))

    def unlike(self, lens: Lens) -> float:
        """How ill the board is seen through a lens: a sum of squared spreads over its corners."""
        units = self._units(lens)
        return len(self.seen) * float(np.mean((np.log(units / np.median(units)) / UNEVEN) ** 2))

    def _units(self, lens: Lens) -> Points:
        """(n,) mm to a unit by each pair of corners that are not next to each other."""
        there = lens.to_floor(self.seen)
        near, far = (np.linalg.norm(p[:, None] - p[None], axis=2) for p in (there, self.on_board))
        pairs = far > 2 * SQUARE_MM
        return np.asarray(far[pairs] / near[pairs], np.float64)


def find_board(picture: Image) -> Board | None:
    """The board in a picture, BGR; None where too little of it is seen."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    how = cv2.aruco.DetectorParameters()
    how.perspectiveRemoveIgnoredMarginPerCell = MARGIN
    seeker = cv2.aruco.CharucoDetector(charuco_board(), cv2.aruco.CharucoParameters(), how)
    corners, ids, _, _ = seeker.detectBoard(grey)
    if ids is None or len(ids) < LEAST_CORNERS:
        return None
    known = np.asarray(charuco_board().getChessboardCorners(), np.float64)[np.asarray(ids).ravel(), :2]
    return Board(np.asarray(corners, np.float64).reshape(-1, 2), known)


def board_pdf() -> bytes:
    """The sheet as a PDF of A4 across, to scale, with a line of 100 mm to check the printer by."""
    width, height = (round(side / MM_PER_INCH * DPI) for side in SHEET_MM)
    sheet = Picture.new("L", (width, height), 255)
    size = (round(COLUMNS * SQUARE_MM / MM_PER_INCH * DPI), round(ROWS * SQUARE_MM / MM_PER_INCH * DPI))
    drawn = Picture.fromarray(np.asarray(charuco_board().generateImage(size, marginSize=0), np.uint8))
    left, top = (width - size[0]) // 2, round(18 / MM_PER_INCH * DPI)
    sheet.paste(drawn, (left, top))
    pen = ImageDraw.Draw(sheet)
    ruler = round(100 / MM_PER_INCH * DPI)
    below = top + size[1] + round(12 / MM_PER_INCH * DPI)
    pen.line([(left, below), (left + ruler, below)], fill=0, width=3)
    for x in (left, left + ruler):
        pen.line([(x, below - 24), (x, below + 24)], fill=0, width=3)
    text = (
        "This line is 100 mm long. Print at 100 %, without fitting to the page; lay the sheet flat on the tray's floor."
    )
    pen.text((left, below + 36), text, fill=0, font_size=44)
    out = BytesIO()
    sheet.save(out, "PDF", resolution=float(DPI), title="Fairtray board")
    return out.getvalue()


def charuco_board() -> cv2.aruco.CharucoBoard:
    """The board itself, in mm."""
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, words)
