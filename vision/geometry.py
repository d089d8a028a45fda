"""Where the tray lies in the picture: its floor's outline, a die's size, and how pixels become millimetres."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import GeometryError

Points = npt.NDArray[np.float64]
Outline = tuple[tuple[float, float], ...]
Matrix = tuple[tuple[float, float, float], ...]

DIE_MM = 16.0
"""Edge of the usual die, taken where nobody has measured it."""
SMALLEST_FLOOR_DICE = 4.0
"""A floor of fewer die faces than this holds no throw: the outline or the die size is wrong."""


@dataclass(frozen=True)
class TrayGeometry:
    """The tray in the picture of a fixed camera.

    floor: outline of the floor, px, in order (either way round). die_px, die_mm: edge of a die's face. homography: maps
    px to mm on the floor (origin at its centre, x right, y down in the picture); None scales by the die instead. size:
    width and height of the picture, px.
    """

    floor: Outline
    die_px: float
    size: tuple[int, int]
    die_mm: float = DIE_MM
    homography: Matrix | None = None

    def __post_init__(self) -> None:
        """Raises GeometryError where the numbers fit no tray."""
        if len(self.floor) < 3:
            raise GeometryError("the floor's outline needs at least three corners")
        if not (self.die_px > 0 and self.die_mm > 0 and min(self.size) > 0):
            raise GeometryError("die size and picture size must be positive")
        if self.area_px < SMALLEST_FLOOR_DICE * self.die_px**2:
            raise GeometryError(f"the floor's outline is smaller than {SMALLEST_FLOOR_DICE:g} dice of {self.die_px} px")
        if self.homography is not None and abs(np.linalg.det(np.array(self.homography))) < 1e-12:
            raise GeometryError("the homography maps the floor onto a line")

    @cached_property
    def outline(self) -> npt.NDArray[np.float32]:
        """The floor's corners as an array (n, 2), px."""
        return np.array(self.floor, np.float32)

    @property
    def area_px(self) -> float:
        """Area inside the outline, px^2."""
        return float(cv2.contourArea(self.outline))

    @cached_property
    def centre(self) -> tuple[float, float]:
        """The floor's centroid, px."""
        moments = cv2.moments(self.outline)
        return moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]

    def to_mm(self, points: npt.ArrayLike) -> Points:
        """Places (n, 2) in px as mm on the floor: origin at its centre, x right, y down."""
        given = np.asarray(points, np.float64).reshape(-1, 2)
        if self.homography is None:
            return (given - self.centre) * (self.die_mm / self.die_px)
        mapped = np.column_stack([given, np.ones(len(given))]) @ np.array(self.homography).T
        return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)

    def inside(self, x: float, y: float) -> float:
        """Distance from the outline in die faces: positive inside the floor, negative outside."""
        return float(cv2.pointPolygonTest(self.outline, (float(x), float(y)), True)) / self.die_px

    def face_px(self, x: float, y: float) -> float:
        """Edge of a die's face at a place: `die_px`, larger or smaller where a tilted camera is nearer or farther.

        A homography H, of which w is the denominator, scales areas by det H / w^3, and so lengths by its root.
        """
        if self.homography is None:
            return self.die_px
        w_x, w_y, w = self.homography[2]
        here, middle = (w_x * x + w_y * y + w for x, y in ((x, y), self.centre))
        return self.die_px * float(abs(here / middle) ** 1.5)
