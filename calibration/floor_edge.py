"""Where the floor ends near a shape: the plainest edge all round it, found in profiles across it at once.

One place alone may show a shadow, a speck or a seam plainer than the floor's edge; a closed path through all of them
that bends little, with nothing but floor inside it, is the edge.
"""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.shape import Kind, Points, View, along, outward

FloatArray = npt.NDArray[np.float32]

SAMPLES = 180
"""Places along the outline at which the edge is looked for."""
STEP = 0.5
"""Px from one value of a profile to the next."""
EDGE_PX = 1.5
"""Half the distance over which an edge's contrast is taken."""
DEEP_PX = 3.0
"""So far inside an edge the floor must still look like the floor."""
SMOOTH = 7
"""Neighbouring profiles that are averaged against texture."""
BEND = 0.25
"""Cost of the edge moving by a step of the profile from one place to the next, in contrasts."""
STRAY = 0.7
"""Cost of what lies between the floor and an edge looking otherwise, in contrasts."""


def edges_near(
    kind: Kind, view: View, lab: FloatArray, size: tuple[int, int], reach: float
) -> tuple[Points, FloatArray] | None:
    """Where the floor ends near the shape, SAMPLES places (n, 2) in px, and the contrast there in levels."""
    at, away = across(kind, view, size, SAMPLES)
    if not (np.isfinite(at).all() and np.abs(at).max() < 4 * max(size)):
        return None
    offsets, contrast = edge_offsets(lab, at, away, reach)
    return at + away * offsets[:, None], contrast


def across(kind: Kind, view: View, size: tuple[int, int], count: int) -> tuple[Points, Points]:
    """So many places along the shape's border, px, and the outward unit normals there, (n, 2) each."""
    lens = view.lens(size)
    border = along(kind, view.ratio, count)
    at = lens.project(border)
    away = lens.project(border + outward(kind, view.ratio, border) * 0.02) - at
    return at, away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)


def edge_offsets(colours: FloatArray, at: Points, away: Points, reach: float) -> tuple[Points, FloatArray]:
    """How far outward the floor's edge lies from places (n, 2) in order round it, px, and the contrast there in levels.

    `away` are the outward unit normals there, `reach` how far the edge is looked for, px.
    """
    inner = reach + 2 * DEEP_PX
    steps = np.arange(-inner, reach + DEEP_PX + STEP / 2, STEP)
    where = (at[:, None] + away[:, None] * steps[None, :, None]).astype(np.float32)
    profiles = cv2.remap(colours, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = round_average(np.asarray(profiles, np.float32), SMOOTH)
    half = round(EDGE_PX / STEP)
    step = np.zeros(smooth.shape[:2], np.float32)
    step[:, half:-half] = np.linalg.norm(smooth[:, 2 * half :] - smooth[:, : -2 * half], axis=2)
    floor = np.median(smooth[:, steps < -reach], axis=1)
    away_from = np.linalg.norm(smooth - floor[:, None], axis=2)
    deep = round(DEEP_PX / STEP)
    stray = np.zeros_like(step)
    stray[:, deep:] = np.maximum.accumulate(away_from, axis=1)[:, :-deep]
    allowed = np.abs(steps) <= reach
    contrast = np.maximum(step[:, allowed].max(1, keepdims=True), 4.0)
    cost = (-step + STRAY * stray)[:, allowed] / contrast
    path = _closed_path(cost)
    peak = path + np.nonzero(allowed)[0][0]
    rows = np.arange(len(at))
    before, here, after = step[rows, peak - 1], step[rows, peak], step[rows, peak + 1]
    bow = before - 2 * here + after
    shift = np.where(bow < -1e-6, 0.5 * (before - after) / np.minimum(bow, -1e-6), 0)
    return np.asarray(steps[peak] + np.clip(shift, -1, 1) * STEP, np.float64), np.asarray(here, np.float32)


def round_average(profiles: FloatArray, count: int) -> FloatArray:
    """Each profile averaged with its neighbours round the closed outline."""
    half = count // 2
    total = sum(np.roll(profiles, shift, axis=0) for shift in range(-half, half + 1))
    return np.asarray(total / count, np.float32)


def _closed_path(cost: FloatArray) -> npt.NDArray[np.intp]:
    """For every row the column of the cheapest path through all rows that ends about where it began."""
    rows, columns = cost.shape
    apart = np.abs(np.subtract.outer(np.arange(columns), np.arange(columns))) * BEND * STEP
    twice = np.vstack([cost, cost])
    best = twice[0].copy()
    came = np.zeros(twice.shape, np.intp)
    for row in range(1, len(twice)):
        total = best[None, :] + apart
        came[row] = total.argmin(1)
        best = total[np.arange(columns), came[row]] + twice[row]
    path = np.zeros(len(twice), np.intp)
    path[-1] = best.argmin()
    for row in range(len(twice) - 1, 0, -1):
        path[row - 1] = came[row, path[row]]
    middle = rows // 2
    return np.asarray(np.concatenate([path[rows : rows + middle], path[middle:rows]]), np.intp)
