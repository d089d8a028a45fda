"""Where the tray lies in the picture: its floor's outline, a die's size, and how pixels become millimetres."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import GeometryError
from vision.lens import Lens

Points = npt.NDArray[np.float64]
Outline = tuple[tuple[float, float], ...]
Matrix = tuple[tuple[float, float, float], ...]

DIE_MM = 16.0
"""Edge of the usual die, taken where nobody has measured it."""
FACE_GRID = 24
"""Steps of the grid over the picture on which a lens' scale is worked out beforehand."""
SIZE_SPREAD = 1.03
"""A die's face may be larger or smaller than the calibrated one by this factor; the locator's sizes are noisy."""
STEEP = 30.0
"""Degrees off the vertical up to which side faces are seen so much aslant that none is taken for a top."""
SIDES_SEEN = 0.5
"""Share of the way from a die's foot to its top, as the camera sees it, by which the locator finds it nearer to the
camera's foot than the middle of its top: about the middle of all that is seen of it. Of 0, .3, .4 and .5 the last two
had most dice of four films read surely, none with another value, and this the higher scores; in the outer half of
photographs from above tops lay .06 (`fudw`) and .10 faces (`nellbyler`) farther out than they were located: in trials
that no command repeats."""
SMALLEST_FLOOR_DICE = 4.0
"""A floor of fewer die faces than this holds no throw: the outline or the die size is wrong."""


@dataclass(frozen=True)
class TrayGeometry:
    """The tray in the picture of a fixed camera.

    floor: outline of the floor, px, in order (either way round). die_px, die_mm: edge of a die's face. homography: maps
    px to mm on the floor (origin at its centre, x right, y down in the picture). lens: the camera, which is right where
    the lens distorts and above the floor too; it comes before the homography, and with neither the die gives the scale.
    size: width and height of the picture, px.
    """

    floor: Outline
    die_px: float
    size: tuple[int, int]
    die_mm: float = DIE_MM
    homography: Matrix | None = None
    lens: Lens | None = None

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

    @property
    def floor_mm(self) -> Outline:
        """The outline of the floor, mm."""
        return tuple((float(x), float(y)) for x, y in self.to_mm(self.outline))

    def moved(self, shift: npt.NDArray[np.float64]) -> "TrayGeometry":
        """The tray after it, or the camera, was pushed; `shift` (2, 3) maps places, px, before to those after."""
        floor = tuple((float(x), float(y)) for x, y in self.outline @ shift[:, :2].T + shift[:, 2])
        die_px = self.die_px * abs(float(np.linalg.det(shift[:, :2]))) ** 0.5
        if self.lens is not None:
            return replace(self, floor=floor, die_px=die_px, homography=None, lens=self.lens.moved(shift, self.outline))
        if self.homography is None:
            return replace(self, floor=floor, die_px=die_px)
        to_mm = np.array(self.homography) @ np.linalg.inv(np.vstack([shift, [0, 0, 1]]))
        a, b, c = ((float(x), float(y), float(z)) for x, y, z in to_mm / to_mm[2, 2])
        return replace(self, floor=floor, die_px=die_px, homography=(a, b, c))

    @property
    def foot(self) -> tuple[float, float]:
        """The px straight below the camera; the picture's centre where nobody has measured it."""
        return self.lens.foot if self.lens is not None else (self.size[0] / 2, self.size[1] / 2)

    def sides(self, x: float, y: float) -> tuple[float, float] | None:
        """Where, from a die at (x, y) px, its side faces are seen: towards the camera's foot, px.

        None where the camera looks down on it, less than `STEEP` degrees off the vertical, or nobody knows.
        """
        if self.lens is None:
            return None
        place = self.to_mm([(x, y)], self.die_mm)[0]
        off = math.dist(place, self.lens.place[:2]) / (self.lens.place[2] - self.die_mm)
        return (self.foot[0] - x, self.foot[1] - y) if off > math.tan(math.radians(STEEP)) else None

    def top_of(self, x: float, y: float) -> tuple[float, float]:
        """The middle of the top face, px, of a die located at (x, y) px: farther from the camera's foot.

        Where nobody knows the camera, it looks in so much aslant that a side may have been located, or the top lies
        outside the picture, (x, y).
        """
        if self.lens is None or self.sides(x, y) is not None:
            return x, y
        top = self.lens.project(self.to_mm([(x, y)]), self.die_mm)[0]
        top_x, top_y = (np.array([x, y]) + SIDES_SEEN * (top - (x, y))).tolist()
        width, height = self.size
        return (top_x, top_y) if 0 <= top_x < width and 0 <= top_y < height else (x, y)

    def to_mm(self, points: npt.ArrayLike, height_mm: float = 0.0) -> Points:
        """Places (n, 2) in px as mm on the floor: origin at its centre, x right, y down.

        What is seen there lies `height_mm` above the floor; only a lens can tell the difference.
        """
        given = np.asarray(points, np.float64).reshape(-1, 2)
        if self.lens is not None:
            return self.lens.to_floor(given, height_mm)
        if self.homography is None:
            return (given - self.centre) * (self.die_mm / self.die_px)
        mapped = np.column_stack([given, np.ones(len(given))]) @ np.array(self.homography).T
        return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)

    def inside(self, x: float, y: float) -> float:
        """Distance from the outline in die faces: positive inside the floor, negative outside."""
        return float(cv2.pointPolygonTest(self.outline, (float(x), float(y)), True)) / self.die_px

    def face_px(self, x: float, y: float) -> float:
        """Edge of a die's face at a place: `die_px`, larger or smaller where the camera is nearer or farther.

        A homography H, of which w is the denominator, scales areas by det H / w^3, and so lengths by its root.
        """
        if self.lens is not None:
            return self.die_px * self._face_ratio(x, y)
        if self.homography is None:
            return self.die_px
        w_x, w_y, w = self.homography[2]
        here, middle = (w_x * x + w_y * y + w for x, y in ((x, y), self.centre))
        return self.die_px * float(abs(here / middle) ** 1.5)

    def read_at(self, x: float, y: float, size: float) -> float:
        """The face, px, at which a die is read that was located there with that size."""
        face = self.face_px(x, y)
        return min(max(size, face / SIZE_SPREAD), face * SIZE_SPREAD)

    def _face_ratio(self, x: float, y: float) -> float:
        """Scale of the plane of the top faces at a px, beside that at the floor's centre: by the grid, bilinearly."""
        width, height = self.size
        rows, columns = (np.clip(v / side, 0, 1) * FACE_GRID for v, side in ((y, height), (x, width)))
        row, column = (min(int(v), FACE_GRID - 1) for v in (rows, columns))
        down, right = float(rows - row), float(columns - column)
        (a, b), (c, d) = self._faces[row : row + 2, column : column + 2].tolist()
        return float((a * (1 - right) + b * right) * (1 - down) + (c * (1 - right) + d * right) * down)

    @cached_property
    def _faces(self) -> Points:
        """Scale of the plane of the top faces on a grid over the picture, as shares of that at the floor's centre."""
        assert self.lens is not None
        across, down = (np.linspace(0, side, FACE_GRID + 1) for side in self.size)
        grid = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
        scales = self.lens.px_per_mm(np.vstack([[self.centre], grid]), self.die_mm)
        return np.asarray(scales[1:] / scales[0], np.float64).reshape(FACE_GRID + 1, FACE_GRID + 1)
