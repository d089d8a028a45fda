"""The floor in a picture of the empty tray: what looks as the places look on which dice came to rest."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float32]
Place = tuple[float, float]

FACE_PX = 14.0
"""Faces in the shrunk picture in which the floor is searched."""
LIGHTNESS = 0.45
"""Weight of lightness beside colour: light falls off over a floor and shadows lie on it, its colour stays."""
ROUNDS = 4
LEAST_SPREAD = 2.2
"""Levels: codec and noise; a floor without any texture has it all the same."""
HUE_SCALE = 330.0
HUE_FLOOR = 24.0
"""Shares of red and green in a colour, times this, beside levels; in the dark a share is noise."""
SHADED_LIGHTNESS = 0.12
FARTHEST = 4.5
"""Spreads from the floor's usual look that are still the floor."""
SEED_FACES = 0.8
RING_FACES = (0.9, 1.7)
"""Around each die's place what is seen in the empty picture is the floor; where the die lies in it still, beyond it."""


def colours_of(picture: Image, blur_px: float, shaded: bool) -> FloatArray:
    """(h, w, 3) colours whose distances tell the floor from what is not, of a picture BGR.

    In `shaded` ones light counts for little: a shadow on the floor is the floor, but so is a wall of the same hue.
    """
    smooth = cv2.GaussianBlur(picture, (0, 0), blur_px)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB).astype(np.float32)
    if not shaded:
        return np.asarray(lab * np.array([LIGHTNESS, 1, 1], np.float32), np.float32)
    light = smooth.astype(np.float32)
    total = light.sum(2) + HUE_FLOOR
    shares = (HUE_SCALE * light[..., k] / total for k in (2, 1))
    return np.asarray(np.stack([SHADED_LIGHTNESS * lab[..., 0], *shares], axis=-1), np.float32)


def grown_floor(
    empty: Image, places: Sequence[Place], die_px: float, shaded: bool = False, bare: bool = True
) -> Mask | None:
    """(h, w) where the empty tray's picture, BGR, shows the floor on which dice lay at `places`; None if nowhere.

    The floor's colour is a smooth surface over the picture (light falls off towards the corners), fitted again to all
    that is near it and hangs together with the dice's places; or, where dice may lie in the picture still (not `bare`),
    with the rings around them.
    """
    scale = min(1.0, FACE_PX / die_px)
    size = (max(8, round(empty.shape[1] * scale)), max(8, round(empty.shape[0] * scale)))
    small = cv2.resize(empty, size, interpolation=cv2.INTER_AREA)
    colours = colours_of(np.asarray(small, np.uint8), 1.0, shaded)
    discs = [(round(x * scale), round(y * scale)) for x, y in places]
    seeds = np.zeros(size[::-1], np.uint8)
    for place in discs:
        cv2.circle(seeds, place, max(1, round((SEED_FACES if bare else RING_FACES[1]) * die_px * scale)), 1, -1)
    for place in () if bare else discs:
        cv2.circle(seeds, place, round(RING_FACES[0] * die_px * scale), 0, -1)
    region = seeds.astype(bool)
    if not region.any():
        return None
    for order in (1, *(2,) * (ROUNDS - 1)):
        usual, spread = _surface(colours, region, order)
        far = np.sqrt((((colours - usual) / spread) ** 2).sum(2))
        near = cv2.morphologyEx((far < FARTHEST).astype(np.uint8), cv2.MORPH_CLOSE, disc(5))
        region = _hanging_together(cv2.morphologyEx(near, cv2.MORPH_OPEN, disc(5)), seeds)
        if not region.any():
            return None
    whole = cv2.resize(region.astype(np.uint8), (empty.shape[1], empty.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(whole > 0, np.bool_)


def _surface(colours: FloatArray, region: Mask, order: int) -> tuple[FloatArray, FloatArray]:
    """The smooth colour (h, w, 3) that fits the region best, and how far the region's pixels spread about it (3,)."""
    height, width = region.shape
    y, x = (np.mgrid[:height, :width] / max(height, width) - 0.5).astype(np.float32)
    terms = [np.ones_like(x), x, y] + ([x * x, x * y, y * y] if order > 1 else [])
    basis = np.stack(terms, axis=-1)
    inside, wanted = basis[region], colours[region]
    picked = slice(None, None, max(1, len(inside) // 4000))
    inside, wanted = inside[picked], wanted[picked]
    weights = np.ones(len(inside), np.float32)
    for _ in range(4):
        scaled = inside * weights[:, None]
        found = np.linalg.lstsq(
            scaled.T @ inside + 1e-3 * np.eye(len(terms), dtype=np.float32), scaled.T @ wanted, rcond=None
        )[0]
        off = np.abs(wanted - inside @ found)
        spread = np.maximum(1.48 * np.median(off, axis=0), LEAST_SPREAD * np.array([LIGHTNESS, 1, 1], np.float32))
        weights = 1 / (1 + ((off / spread) ** 2).sum(1) / 4)
    usual = (basis.reshape(-1, len(terms)) @ found).reshape(*region.shape, 3)
    return np.asarray(usual, np.float32), np.asarray(spread, np.float32)


def _hanging_together(near: npt.NDArray[np.generic], seeds: Image) -> Mask:
    """The pieces of `near` that dice lay on, their holes filled."""
    count, labels = cv2.connectedComponents(near.astype(np.uint8), connectivity=4)
    on = np.bincount(labels[(seeds > 0) & (labels > 0)], minlength=count)
    kept = np.isin(labels, np.nonzero(on > 0.25 * max(1, on.max()))[0]) & (labels > 0)
    contours, _ = cv2.findContours(kept.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.drawContours(np.zeros_like(seeds), contours, -1, 1, -1) > 0, np.bool_)


def disc(width: int) -> Image:
    """A disc that many px wide, as OpenCV's morphology takes it."""
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)), np.uint8)


def rough_floor(empty: Image, places: Sequence[Place], die_px: float) -> Mask:
    """(h, w) the hull of what looks like the floor."""
    region = grown_floor(empty, places, die_px)
    hull = np.zeros(empty.shape[:2], np.uint8)
    if region is not None:
        points = np.column_stack(np.nonzero(region)[::-1]).astype(np.int32)
        cv2.fillPoly(hull, [cv2.convexHull(points)], 1)
    return np.asarray(hull > 0, np.bool_)
