"""A floor a part of which lies in its wall's shadow, where it seems to end: its rim or its hue tell otherwise."""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.floor import LIGHTNESS
from calibration.floor_edge import across, round_average
from calibration.shape import Kind, Points, View
from calibration.solid import ON_PX, SAMPLES, Edges, Solid, outside

FloatArray = npt.NDArray[np.float32]

FOUR_SIDED: tuple[Kind, ...] = ("square", "rectangle")
ON = 0.012
"""Half widths of the floor within which a place lies on its border."""
WIDEST = 0.2
"""Half widths of the floor that a wall's shadow covers at most: chosen."""
SIDES = 0.68
"""Share of an outline that lies on the floor where all of it does but a side: three quarters of a square, and 17 of 25
of a rectangle whose longer sides are half as long again."""
RIM = 0.5
"""Share of every quarter of an edge of the rim that is seen, weak edges less; round a smaller floor it is not so. The
table or the wall may look like the rim, so one of its edges is enough."""
QUARTERS = 4
BESIDE_PX = (3.0, 4.0, 5.0)
"""So far inside and outside an outline colours are compared, px: chosen, beyond the blur of an edge."""
PLACES = 5
"""Neighbouring places over which they are averaged, against texture."""
LEAST_CHROMA = 5.0
"""Levels of colour that the floor would have in that light, from which its hue tells anything (chosen)."""
FLOORS_HUE, OTHER_HUE = 0.25, 0.5
"""Share of that colour by which what lies beyond may differ to be floor in less light, and from which it is another
(chosen between what drawn shadows and drawn walls show)."""
DARKER = 0.85
"""Share of the floor's light from which on less of it is a shadow (chosen)."""
SOMEWHERE, A_SIDE, ELSEWHERE = 0.1, 0.34, 0.4
"""Shares of an outline: the floor goes on beyond at least the first and at most the second, and does not beyond the
third. Where it seems to beyond two sides that meet, it may be walls of its hue, seen aslant; such a wall that is seen
on one side alone is asked about."""
ROOT_FROM = 6 / 29
"""CIELAB is a cube root of the light above this, and a line below."""


def hides_a_side(solid: Solid, outline: Points, edges: Edges, size: tuple[int, int]) -> bool:
    """Whether an outline (n, 2), px, that edges tell all along is this tray's floor but for one side, before which a
    shadow ends, as an edge of the rim is seen all round. `edges` are those around the tray, `size` the picture's."""
    if solid.kind not in FOUR_SIDED:
        return False
    lens = solid.view.lens(size)
    off = outside(solid, lens, outline)[0] / solid.view.scale
    on = np.abs(off) < ON
    before = (off < ON) & (off > -WIDEST)
    if not (SIDES <= on.mean() < 1 and before.all()):
        return False
    return any(_is_all_round(away, edges) for away in outside(solid, lens, edges.places)[1:])


def is_rim_seen(solid: Solid, edges: Edges, size: tuple[int, int]) -> bool:
    """Whether the inner edge of the tray's rim is seen all round."""
    return _is_all_round(outside(solid, solid.view.lens(size), edges.places)[1], edges)


def is_floor_seen(solid: Solid, edges: Edges, size: tuple[int, int], least: float) -> bool:
    """Whether of every quarter of the floor's edge at least this share is seen, weak edges less and the rim's not."""
    floor, inner, _ = outside(solid, solid.view.lens(size), edges.places)
    return _is_all_round(np.where(np.abs(inner) < ON_PX, np.inf, floor), edges, least)


def _is_all_round(away: Points, edges: Edges, least: float = RIM) -> bool:
    """Whether edges that lie so far away (n,), px, from an edge of the tray are seen in every quarter of it."""
    seen = np.zeros(SAMPLES)
    np.maximum.at(seen, edges.samples, edges.strengths * (np.abs(away) < ON_PX))
    return bool((seen.reshape(QUARTERS, -1).mean(1) >= least).all())


def goes_on(kind: Kind, view: View, colours: FloatArray, size: tuple[int, int]) -> bool:
    """Whether the floor goes on, in less light, beyond about a side of an outline at most, but not beyond most of it.

    Where it seems to all round, its wall has its hue. `colours` (h, w, 3) are levels, as `colours_of` gives them by
    light, `size` the picture's.
    """
    at, away = across(kind, view, size, SAMPLES)
    floor, beyond = (_mean_lab(colours, at, side * away) for side in (-1, 1))
    light = _light(beyond)[:, 1] / np.maximum(_light(floor)[:, 1], 1e-6)
    expected = _chroma(np.asarray(_light(floor) * light[:, None], np.float32))
    amount, off = np.linalg.norm(expected, axis=1), np.linalg.norm(beyond[:, 1:] - expected, axis=1)
    told = amount > LEAST_CHROMA
    same = told & (off < FLOORS_HUE * amount) & (light < DARKER)
    other = off > OTHER_HUE * np.maximum(amount, LEAST_CHROMA)
    return bool(SOMEWHERE <= same.mean() <= A_SIDE and other.mean() >= ELSEWHERE)


def _light(lab: FloatArray) -> FloatArray:
    """X, Y and Z (n, 3) beside white's of colours L, a, b (n, 3), by CIE 15."""
    y = (lab[:, 0] + 16) / 116
    f = np.column_stack([y + lab[:, 1] / 500, y, y - lab[:, 2] / 200])
    return np.asarray(np.where(f > ROOT_FROM, f**3, 3 * ROOT_FROM**2 * (f - 4 / 29)), np.float32)


def _chroma(light: FloatArray) -> FloatArray:
    """a and b (n, 2) of X, Y and Z (n, 3) beside white's."""
    f = np.where(light > ROOT_FROM**3, np.cbrt(light), light / (3 * ROOT_FROM**2) + 4 / 29)
    return np.asarray(np.column_stack([500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])]), np.float32)


def _mean_lab(colours: FloatArray, at: Points, away: Points) -> FloatArray:
    """L, a and b (n, 3) beside places (n, 2) px in order round an outline, in the directions `away` from them."""
    where = (at[:, None] + away[:, None] * np.array(BESIDE_PX)[None, :, None]).astype(np.float32)
    seen = cv2.remap(colours, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mean = round_average(np.asarray(np.median(seen, axis=1), np.float32), PLACES)
    return np.asarray(np.column_stack([mean[:, 0] / LIGHTNESS * (100 / 255), mean[:, 1:] - 128]), np.float32)
