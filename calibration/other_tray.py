"""Another tray in the picture beside the one that is calibrated: a floor like its own, or any with a rim around it."""

import math
from collections.abc import Iterator

import cv2
import numpy as np

from calibration.floor import FARTHEST, LEAST_SPREAD, FloatArray, Image, Mask, colours_of, disc
from calibration.shape import Points, evenly

WIDTH_PX = 320
"""Of the shrunk picture in which it is looked for."""
AREAS, SOLID, ASIDE = (0.4, 2.0), 0.85, 0.02
"""Areas of another floor beside this one's, the share of its hull that it fills, and of it that may lie on this one."""
GRID_PX, SMOOTH_PX, STEP_LEVELS = 12, 1.5, 3
"""A floor of any colour is grown from places so far apart, as long as the smoothed picture changes from pixel to pixel
by no more than so many levels."""
SAMPLES, INSIDE_PX, OUTSIDE = 96, 2.0, 0.14
"""Places along its edge, and how far inside and outside, roots of its area, its rim's two edges are looked for."""
EDGE_LEVELS, RIMMED = 7.0, 0.6
"""Levels a pixel of an edge, and the share of the places at which there are two: paper has but one."""


def other_tray(empty: Image, floor: Mask) -> Points | None:
    """Outline (n, 2), px, of another floor of about the same size as `floor` (h, w), whole and apart from it; None
    where there is none. `empty` is the picture without dice, BGR."""
    scale = WIDTH_PX / max(empty.shape[:2])
    small = np.asarray(cv2.resize(empty, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    size = (small.shape[1], small.shape[0])
    here = np.asarray(cv2.resize(floor.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST), np.uint8)
    if not cv2.erode(here, disc(9)).any():
        return None
    alike = (found for found in _floors(_like(small, here), here))
    slope = _slope(small)
    rimmed = (found for region in _plain(small, here) for found in _floors(region, here) if _has_rim(found, slope))
    outline = next(alike, None)
    outline = next(rimmed, None) if outline is None else outline
    return None if outline is None else np.asarray(outline / scale, np.float64)


def _like(small: Image, here: Image) -> Mask:
    """Where it looks like this floor, beside it."""
    inside = cv2.erode(here, disc(9)) > 0
    colours = colours_of(small, 1.0, False)
    usual = np.median(colours[inside], axis=0)
    spread = np.maximum(1.48 * np.median(np.abs(colours[inside] - usual), axis=0), LEAST_SPREAD)
    near = np.sqrt((((colours - usual) / spread) ** 2).sum(2)) < FARTHEST
    return np.asarray(near & (cv2.dilate(here, disc(9)) == 0))


def _plain(small: Image, here: Image) -> Iterator[Mask]:
    """Regions beside this floor within which nothing changes quickly."""
    smooth = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), SMOOTH_PX), cv2.COLOR_BGR2LAB)
    height, width = here.shape
    done = cv2.dilate(here, disc(9)) > 0
    steps = (STEP_LEVELS,) * 3
    for y in range(GRID_PX // 2, height, GRID_PX):
        for x in range(GRID_PX // 2, width, GRID_PX):
            if done[y, x]:
                continue
            grown = np.zeros((height + 2, width + 2), np.uint8)
            cv2.floodFill(smooth, grown, (x, y), 0, steps, steps, 4 | cv2.FLOODFILL_MASK_ONLY | (1 << 8))
            region = grown[1:-1, 1:-1] > 0
            done |= region
            yield np.asarray(cv2.morphologyEx(region.astype(np.uint8), cv2.MORPH_CLOSE, disc(7)) > 0)


def _floors(region: Mask, here: Image) -> Iterator[Points]:
    """Outlines (n, 2) of what of a region may be another floor."""
    opened = cv2.morphologyEx(region.astype(np.uint8), cv2.MORPH_OPEN, disc(7))
    contours, nested = cv2.findContours(opened, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    pieces = zip(contours, nested[0], strict=True) if len(contours) else ()
    for contour in (contour for contour, (*_, within) in pieces if within < 0):  # a floor may lie in a table's hole
        area, hull = cv2.contourArea(contour), cv2.contourArea(cv2.convexHull(contour))
        x, y, width, height = cv2.boundingRect(contour)
        whole = x > 0 and y > 0 and x + width < here.shape[1] and y + height < here.shape[0]
        if not (whole and AREAS[0] * here.sum() < area < AREAS[1] * here.sum() and area > SOLID * hull):
            continue
        filled = np.asarray(cv2.fillPoly(np.zeros_like(here), [contour], 1), np.uint8)
        if (filled & here).sum() <= ASIDE * area:
            yield np.asarray(contour.reshape(-1, 2), np.float64)


def _has_rim(outline: Points, slope: FloatArray) -> bool:
    """Whether two edges run nearly all around an outline: of the floor, and of the rim; `slope` is the picture's."""
    hull = cv2.convexHull(outline.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    border = evenly(hull, SAMPLES)
    along = np.roll(border, -1, axis=0) - np.roll(border, 1, axis=0)
    out = np.column_stack([along[:, 1], -along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
    out *= np.sign(((border - hull.mean(0)) * out).sum())
    steps = np.arange(-INSIDE_PX, OUTSIDE * math.sqrt(cv2.contourArea(outline.astype(np.float32))), 0.5)
    at = (border[:, None] + out[:, None] * steps[:, None]).astype(np.float32)
    across = cv2.remap(slope, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    before, middle, after = across[:, :-2], across[:, 1:-1], across[:, 2:]
    edges = ((middle >= before) & (middle > after) & (middle > EDGE_LEVELS)).sum(1)
    return float((edges >= 2).mean()) > RIMMED


def _slope(small: Image) -> FloatArray:
    """(h, w) levels a pixel by which the colour changes."""
    colours = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 0.8), cv2.COLOR_BGR2LAB).astype(np.float32)
    ways = [cv2.Sobel(colours, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1))]
    return np.asarray(np.sqrt(np.square(ways).sum(axis=(0, 3))), np.float32)
