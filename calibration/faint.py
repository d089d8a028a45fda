"""A floor below a tray's rim whose edge is too faint to be seen in single places: in the mean along its sides it is.

A wall a few levels from its floor is outlined with it, by the rim's inner edge. A mat with an edge sewn on looks alike,
but no other edge runs inside it on all sides.
"""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.shape import Kind, Points, View, along, distance
from calibration.solid import Solid, floor_below, rim_of, wider

FloatArray = npt.NDArray[np.float32]

PARTS, PLACES = 8, 30
"""Parts of a border, and places of each, over which colours are averaged: halves of a square's sides."""
HEIGHTS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.36, 0.42, 0.5)
"""Half widths of the rim by which the floor may lie below it: those of usual trays, and some more."""
LEANS, ONLY_FLOOR, TO = 0.15, 0.2, 0.4
"""Half widths of the rim by which floors are smaller at most, as walls lean; from which on what shows is texture; and
up to which they are looked at."""
CLEAR_PX, OWN_PX, LEAST_PARTS, HALF = 4.5, 3.0, 6, 4
"""Px inside the rim from which on an edge is not the rim's own, and where a tray's own floor is told already; parts of
a border that must lie so, as one wall may be hidden from a camera that stands aside; and that lie elsewhere."""
STEP_PX, ASIDE_PX, PEAK_PX, NEAR_PX = 1, 3, 2, 1
"""Px to both sides over which an edge steps; off it, where what only fades steps as much; within which nothing steps
more; and within which an edge is a floor's: chosen, by what a focused lens leaves of an edge."""
BEFORE_PX = 2 * ASIDE_PX + NEAR_PX
"""Px by which floors are larger than the rim from which on they are looked at: below an upright wall the floor is as
large, and what lies beside its edge must be seen as well."""
USUAL, LEAST_TEXTURE = 0.9, 0.3
"""Share of places on the floor that step less than is usual there, and the least that is, levels: where light fades,
colours that are rounded step by one level all round."""
TOLD = 3.0
"""Times what is usual on the floor that its edge steps in every part: 1.0 at most inside simulated floors that were
outlined rightly, 2.5 inside drawn ones on which light fades towards all sides; 4.4 at least where a drawn wall is three
to six levels from its floor, with shadows and without, but 2.8 where the shadow is as light as the wall; in trials that
no command repeats. A wall one or two levels from its floor, 2.0 to 2.7, is not told."""
ELSEWHERE = 0.012
"""Half widths by which another floor lies off a tray's."""


def faint_floor(kind: Kind, rim: View, colours: FloatArray, size: tuple[int, int]) -> View | None:
    """The view of the floor below a rim whose edge is seen plainest, in every part of it; None where none is.

    `rim` is the rim's inner edge as a shape of its own. `colours` (h, w, 3) are levels, as `colours_of` gives them by
    light: by hue alone the rim's edge is smeared over what is near. `size` is the picture's.
    """
    best: View | None = None
    plainest = TOLD
    for height in HEIGHTS:
        insets, told = _told(kind, rim, height, colours, size, CLEAR_PX)
        told[(insets < 0) | (insets > LEANS)] = 0.0
        if told.max() >= plainest:
            plainest = float(told.max())
            best = floor_below(kind, rim, float(insets[told.argmax()]), height, size)
    return best


def other_floor(solid: Solid, colours: FloatArray, hues: FloatArray, size: tuple[int, int]) -> View | None:
    """The view of another floor below a tray's rim whose edge is seen so, where that of its own is not, by hue neither.

    Another lies off it along half of its border: a shadow's edge may do along one side.
    """
    rim, half = rim_of(solid, size)
    height, inset = solid.height / half, solid.inner / half
    for each in (colours, hues):
        insets, told = _told(solid.kind, rim, height, each, size, OWN_PX)
        if told[np.abs(insets - inset) <= ELSEWHERE].max(initial=0.0) >= TOLD:
            return None
    below = faint_floor(solid.kind, rim, colours, size)
    if below is None:
        return None
    seen = below.lens(size).project(along(solid.kind, below.ratio, PARTS * PLACES))
    off = np.abs(_means(distance(solid.kind, solid.view.ratio, solid.view.lens(size).to_floor(seen))))
    elsewhere = (off > ELSEWHERE) & (_inside(solid.kind, rim, seen, size) >= CLEAR_PX)
    return below if elsewhere.sum() >= HALF else None


def _told(
    kind: Kind, rim: View, height: float, colours: FloatArray, size: tuple[int, int], clear_px: float
) -> tuple[Points, Points]:
    """By how much floors so far below the rim are smaller (n,), half widths, and how many times what is usual on the
    floor their edges step (n,), in the part in which they do so least; 0 where fewer parts are clear of the rim's."""
    insets, lens = np.arange(-BEFORE_PX, min(TO, rim.ratio) * rim.scale) / rim.scale, rim.lens(size)
    floors = (wider(kind, rim.ratio, -inset) for inset in insets.tolist())
    border = np.array([half * along(kind, ratio, PARTS * PLACES) for half, ratio in floors])
    seen = lens.project(border.reshape(-1, 2), -height)
    at = seen.reshape(len(insets), -1, 2).astype(np.float32)
    shown = cv2.remap(colours, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    steps = _steps(np.stack([_means(shown[..., k]) for k in range(3)], axis=-1))
    usual = np.quantile(steps[insets > ONLY_FLOOR], USUAL, axis=0)
    times = _highest(steps, NEAR_PX) / np.maximum(usual, LEAST_TEXTURE)
    clear = _inside(kind, rim, seen, size).reshape(len(insets), PARTS) >= clear_px
    told = np.where(clear, times, np.inf).min(1)
    return insets, np.where(clear.sum(1) >= LEAST_PARTS, told, 0.0)


def _inside(kind: Kind, rim: View, seen: Points, size: tuple[int, int]) -> Points:
    """How many px inside the rim's edge places (n, 2), px, lie, in the mean of every PLACES of them."""
    out = rim.scale * distance(kind, rim.ratio, rim.lens(size).to_floor(seen))
    return np.asarray(-out.reshape(-1, PLACES).mean(1), np.float64)


def _means(values: npt.NDArray[np.generic]) -> Points:
    """The means (..., PARTS) of what is told of every place round a border (..., PARTS * PLACES)."""
    return np.asarray(values.reshape(*values.shape[:-1], PARTS, PLACES).mean(-1), np.float64)


def _steps(means: Points) -> Points:
    """How much colours (n, PARTS, 3) step, levels, from one floor's border to the next, more than beside it in the same
    way: beside a plain edge they step less, but no edge is there."""
    step, beside = np.zeros_like(means), np.zeros_like(means)
    step[STEP_PX:-STEP_PX] = means[2 * STEP_PX :] - means[: -2 * STEP_PX]
    beside[ASIDE_PX:-ASIDE_PX] = (step[2 * ASIDE_PX :] + step[: -2 * ASIDE_PX]) / 2
    amount = np.linalg.norm(step, axis=2)
    more = amount - (beside * step).sum(2) / np.maximum(amount, 1e-6)
    more[: 2 * ASIDE_PX] = more[-2 * ASIDE_PX :] = 0.0
    return np.asarray(np.where(amount >= _highest(amount, PEAK_PX), np.maximum(more, 0.0), 0.0), np.float64)


def _highest(steps: Points, reach: int) -> Points:
    """The highest step (n, PARTS) within so many of each; the first and the last, which are none, are each other's."""
    shifted = [np.roll(steps, shift, axis=0) for shift in range(-reach, reach + 1)]
    return np.asarray(np.max(shifted, axis=0), np.float64)
