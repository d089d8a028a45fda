"""A printed sheet flat on the tray's floor: the board of squares and markers by which a camera is measured."""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import COLUMNS, ROWS, SQUARE_MM, charuco_board
from models.sim.packing import FLOOR
from models.sim.scene import Lens
from models.sim.tracer import Rendered
from models.sim.view import to_floor

Place = tuple[float, float, float]
"""x and y of its middle in mm, and its turn in radians."""
Map = NDArray[np.float32]

MARGIN_MM = 4.0
"""White paper beyond the squares."""
TEXEL_MM = 0.25
INK, PAPER = 0.025, 0.8
"""Shares of light that black and white throw back."""
FINER = 3
"""The sheet is drawn so many times finer, to either side, than the picture."""


@dataclass(frozen=True, slots=True)
class Laid:
    """The sheet lies there from `since` on, or (None) is away."""

    since: float
    place: Place | None


def size_mm() -> tuple[float, float]:
    """Width and height of the paper."""
    width, height = (count * SQUARE_MM + 2 * MARGIN_MM for count in (COLUMNS, ROWS))
    return width, height


def corners(place: Place) -> NDArray[np.float64]:
    """(4, 2) mm: the paper's corners on the floor."""
    x, y, turn = place
    half = np.asarray(size_mm()) / 2
    own = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    c, s = np.cos(turn), np.sin(turn)
    laid: NDArray[np.float64] = own @ np.array([[c, s], [-s, c]]) + (x, y)
    return laid


def papered(drawn: Rendered, lens: Lens, place: Place, corner: tuple[int, int], where: NDArray[np.bool_]) -> Rendered:
    """What was drawn, whose first pixel is `corner` of the picture, with the sheet on its floor in the pixels `where`.

    Light and shadow stay as they fall on the floor.
    """
    x, y = corner
    height, width = drawn.ids.shape
    part = (slice(y, y + height), slice(x, x + width))
    ink, cover = (layer[part][..., None] for layer in _layers(lens, place))
    on_floor = (where & (drawn.ids == FLOOR))[..., None]
    albedo = np.where(on_floor, ink + (1 - cover) * drawn.albedo, drawn.albedo).astype(np.float32)
    light = drawn.rgb / np.maximum(drawn.albedo, 0.01)
    return replace(drawn, rgb=np.where(on_floor, light * albedo, drawn.rgb).astype(np.float32), albedo=albedo)


@lru_cache(maxsize=2)
def _layers(lens: Lens, place: Place) -> tuple[Map, Map]:
    """Of each pixel of the picture what the paper in it throws back, and the share that the paper covers."""
    x, y, turn = place
    c, s = np.cos(turn), np.sin(turn)
    spots = _floor_map(lens) - np.array([x, y], np.float32)
    print_, half = _board(), np.asarray(size_mm()) / 2
    columns = ((spots[..., 0] * c + spots[..., 1] * s + half[0]) / TEXEL_MM - 0.5).astype(np.float32)
    rows = ((spots[..., 1] * c - spots[..., 0] * s + half[1]) / TEXEL_MM - 0.5).astype(np.float32)
    columns, rows = (cv2.resize(m, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_LINEAR) for m in (columns, rows))
    size = lens.size
    ink, cover = (
        cv2.resize(cv2.remap(layer, columns, rows, cv2.INTER_LINEAR), size, interpolation=cv2.INTER_AREA)
        for layer in (print_, np.ones_like(print_))
    )
    return np.asarray(ink, np.float32), np.asarray(cover, np.float32)


@lru_cache(maxsize=2)
def _floor_map(lens: Lens) -> Map:
    """(h, w, 2) mm: the place on the floor that each pixel shows."""
    width, height = lens.size
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    return to_floor(lens, grid).reshape(height, width, 2).astype(np.float32)


@lru_cache(maxsize=1)
def _board() -> Map:
    """The sheet as it is printed, at TEXEL_MM a texel: what it throws back."""
    texels = (round(COLUMNS * SQUARE_MM / TEXEL_MM), round(ROWS * SQUARE_MM / TEXEL_MM))
    drawn = charuco_board().generateImage(texels, marginSize=0)
    framed = np.pad(np.asarray(drawn, np.float32), round(MARGIN_MM / TEXEL_MM), constant_values=255)
    return np.asarray(INK + framed / 255 * (PAPER - INK), np.float32)
