"""The floor's outline where people point at its corners: moved onto the edges near them, or taken as it is."""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from calibration.errors import CalibrationError
from calibration.fit import fit
from calibration.floor import Place, colours_of
from calibration.floor_edge import SAMPLES
from calibration.outline import SURE_HUE, find_outline
from calibration.shape import Kind, Points, distance, evenly
from calibration.trace import LEAST_REACH, REACHES, SOME_CONTRAST, SQUARE, Image, Outline, outlined, rough_fit

AT_HAND = (0.0, 0.0, 0.0)
"""Where people point, edges within LEAST_REACH come first: plainer ones farther off, as a wall's upper edge, are not
what they meant."""
POINTED = 0.03
"""Half widths by which corners that somebody pointed at lie off their shape in the middle at most."""
LEAST_AREA, ON_FLOOR = 12.0, 0.8
"""Faces of dice of the smallest floor to believe in, and the share of the dice that lie on it."""


def outline_pointed_at(
    empty: Image, places: Sequence[Place], die_px: float, given: Sequence[Place]
) -> tuple[Outline, Outline | None]:
    """The outline that somebody means who points at these corners, px, and the one that is plain elsewhere, if any.

    Where the plain one is what they mean, it is the outline, as it is found with more care. Where it is not, people may
    know better, as of a box whose wall looks just like its floor: theirs is taken, and they are asked. Raises
    CalibrationError as `outline_of_corners` does.
    """
    pointed, plain = outline_of_corners(empty, given), find_outline(empty, places, die_px)
    if plain is None or not plain.sure:
        return pointed, None
    size = (empty.shape[1], empty.shape[0])
    off = min(strays(plain, ends, size) for ends in (np.array(given, np.float64), pointed.ends(size)))
    return (plain, None) if off <= max(LEAST_REACH, POINTED * plain.view.scale) else (pointed, plain)


def strays(outline: Outline, pointed: Points, size: tuple[int, int]) -> float:
    """How far from places that were pointed at (n, 2) an outline's corners are at most, or a circle is, px."""
    if outline.kind == "round":
        on_floor = outline.view.lens(size).to_floor(pointed)
        return float(np.abs(distance("round", 1.0, on_floor)).max() * outline.view.scale)
    return float(np.linalg.norm(pointed[:, None] - outline.ends(size), axis=2).min(1).max())


def outline_of_corners(empty: Image, given: Sequence[Place]) -> Outline:
    """The shape through corners that somebody pointed at, px, moved onto the edges near them where there are any: not
    farther in all rounds together than an edge is looked for in the first.

    Four corners are those of a square or a rectangle, six of a hexagon, eight of an octagon; any other number of points
    lies round a circle. Their order does not matter. Raises CalibrationError where no camera sees a floor so.
    """
    size = (empty.shape[1], empty.shape[0])
    if any(not (-1 <= x <= size[0] and -1 <= y <= size[1]) for x, y in given):
        raise CalibrationError(f"--corners: they must lie in the picture of {size[0]}x{size[1]} px")
    kinds: dict[int, tuple[Kind, ...]] = {4: ("square", "rectangle"), 6: ("hexagon",), 8: ("octagon",)}
    hull = cv2.convexHull(np.array(given, np.float32)).reshape(-1, 2).astype(np.float64)
    if len(hull) < (len(given) if len(given) in kinds else 4):
        raise CalibrationError("--corners: one of them lies between or within the others: give each corner once")
    rough = [(kind, *rough_fit(kind, hull, size)) for kind in kinds.get(len(given), ("round",))]
    kind, view, off = min(rough, key=lambda found: found[2])
    if off > POINTED * view.scale:
        raise CalibrationError(f"--corners: no camera sees a {kind} floor so: point at its corners again")
    colours = colours_of(empty, 0.7, False)
    for reaches in (AT_HAND, REACHES):
        refined = outlined(rough, colours, reaches)
        if refined is None or refined.support <= SURE_HUE or refined.contrast < SOME_CONTRAST:
            continue
        if strays(refined, hull, size) <= math.sqrt(2) * max(LEAST_REACH, reaches[0] * view.scale):  # both its sides
            return refined
    if kind == "rectangle" and view.ratio > 1 - SQUARE:
        kind, view, _ = rough[0]
    points = evenly(hull, SAMPLES)
    _, offsets = fit(kind, points, size, view, free_lens=False)
    return Outline(kind, view, points, offsets, 1.0, 0.0)


def check_held(corners: Sequence[Place], places: Sequence[Place], die_px: float) -> None:
    """Raise CalibrationError where a floor with these corners, px, cannot be the one on which dice lay at `places`."""
    flat = cv2.convexHull(np.array(corners, np.float32))
    if cv2.contourArea(flat) < LEAST_AREA * die_px**2:
        raise CalibrationError(f"--corners: a floor so small holds no dice of {die_px:.0f} px")
    if np.mean([cv2.pointPolygonTest(flat, place, False) >= 0 for place in places]) < ON_FLOOR:
        raise CalibrationError("--corners: the dice came to rest outside of them: point at the floor's own corners")
