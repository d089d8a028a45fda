"""What a picture shows across the sides of dice: their tops, their sides and the floor, as light and blur make them.

Shadows, dark sides and rounded edges leave no edge of which one could say that there the die ends; but what is seen
from its top out to the floor is known but for a few brightnesses, and these are fitted for every place of the die.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.cube import Points, Seen

Image = npt.NDArray[np.uint8]

SHARES = np.linspace(0.2, 0.8, 9)
"""Where along a side of the top rays go out; a third of them is seen together."""
PARTS = 3
INNER_PX, OUTER_PX, STEP_PX = 2.5, 4.0, 0.5
"""From so far inside the top's edge to so far outside the die."""
NOISE, UNLIKE = 3.0, 0.08
"""Levels by which a true profile is off, and the share of the contrast between die and floor."""
STRAY = 1.5
"""Beyond so many times that a value is more likely something else's: a pip, another die."""
USUAL = np.array([1, 0.65, 0.85, 0, 0, 0, 0, 0, 0, 0], np.float64)
SPREAD = np.array([0.08, 0.35, 0.15, 0.06, 16, 16, 16, 4, 4, 4], np.float64)
"""Brightness of the top beside the die's colour, of the side, of the floor beside the empty tray, its rise per px
outward in a shadow, and the levels by which side and floor have another colour in it: what is usual and its spread."""
PATCH = 0.36
"""Faces from a die's middle in which its colour is seen."""
SHADE_PX = 4.0


@dataclass(frozen=True, slots=True)
class Lying:
    """A die seen at rest: picture, BGR, its top face's centre there and its face, px, and its angle, degrees."""

    picture: Image
    x: float
    y: float
    face_px: float
    angle: float


@dataclass(frozen=True, slots=True)
class Strips:
    """Strips of pictures across the four sides of n dice, three a side.

    steps: (t,) px outward from the starts. starts: (n, 4, k, 2) px, ways: (n, 4, 2) outward. shown, floor: (n, 4, 3, 3,
    t) blue, green and red as they are seen with the dice and without. bodies: (n, 3) colours of the dice. weights: (n,
    4, 3, t) of the values, 0 for those too far out.
    """

    steps: Points
    starts: Points
    ways: Points
    shown: Points
    floor: Points
    bodies: Points
    weights: Points


def strips(dice: Sequence[Lying], empty: Image, seen: Seen) -> Strips:
    """The strips across the sides of dice where they are expected; `empty` is the tray without them, BGR."""
    starts, ways = seen.rays(SHARES)
    ends = _parts(seen.crossed(starts, ways)[1])
    steps = np.arange(-INNER_PX, float(ends.max()) + OUTER_PX + STEP_PX, STEP_PX)
    where = (starts[:, :, :, None] + ways[:, :, None, None] * steps[:, None]).astype(np.float32)
    shown = np.median(np.array([_profiles(die.picture, at) for die, at in zip(dice, where, strict=True)]), axis=3)
    floor = np.array([_profiles(empty, at) for at in where]).mean(3)
    bodies = np.array([_colour(die) for die in dice])
    contrast = np.linalg.norm(bodies[:, None, None] - floor[..., -3:].mean(-1), axis=-1) / math.sqrt(3)
    near = steps <= ends[..., None] + OUTER_PX
    weights = near / (NOISE + UNLIKE * contrast)[..., None]
    return Strips(steps, starts, ways, shown, floor, bodies, weights)


def unlike(found: Strips, seen: Seen, blur_px: float) -> Points:
    """(n, m) residuals of strips against dice seen so: what even the best brightnesses leave, and how odd these are."""
    top, side, outside = _shares(found, seen, blur_px)
    ends = _parts(seen.crossed(found.starts, found.ways)[1])[..., None]
    shade = np.clip(found.steps - ends, 0, SHADE_PX)
    bodies = found.bodies[:, None, None, :, None]
    floor = outside[..., None, :] * found.floor
    terms = [top[..., None, :] * bodies, side[..., None, :] * bodies, floor, floor * shade[..., None, :]]
    basis = np.stack(np.broadcast_arrays(*terms), axis=-1)
    tints = [share[..., None, :, None] * np.eye(3)[:, None] for share in (side, outside)]
    weights = found.weights[..., None, :]
    basis = np.concatenate([basis, *tints], axis=-1) * weights[..., None]
    basis = basis.reshape(*basis.shape[:3], -1, len(USUAL))
    shown = (found.shown * weights).reshape(*basis.shape[:4])
    turned = basis.swapaxes(-1, -2)
    normal = turned @ basis + np.diag(SPREAD**-2)
    pull = (turned @ shown[..., None])[..., 0] + USUAL / SPREAD**2
    best = np.linalg.solve(normal, pull[..., None])
    off = ((basis @ best)[..., 0] - shown) / STRAY
    robust = STRAY * np.sqrt(np.log1p(off**2)) * np.sign(off)
    residuals = np.concatenate([robust, (best[..., 0] - USUAL) / SPREAD], axis=-1)
    return np.asarray(residuals.reshape(len(residuals), -1), np.float64)


def _shares(found: Strips, seen: Seen, blur_px: float) -> tuple[Points, Points, Points]:
    """(n, 4, 3, t) shares of top, side and floor in what is seen.

    Over a rounded edge of radius r the surface turns from top to side: seen from a camera that leans by b to the side
    its part that faces so far from the top as a lies r sin(a - b) outside the edge's axis. Its light is taken to go
    from the top's to the side's by the cosine of a.
    """
    top, ends = (_parts(px)[..., None] for px in seen.crossed(found.starts, found.ways))
    lean = seen.leans[:, :, None, None]
    fine = np.arange(found.steps[0] - 3, found.steps[-1] + 3, STEP_PX / 2)
    radius = np.maximum(seen.margins, 1e-3)[:, None, None, None]
    turned = np.cos(np.clip(lean + np.arcsin(np.clip((fine - top) / radius, -1, 1)), 0, math.pi / 2))
    body = np.clip((ends - fine) / (STEP_PX / 2) + 0.5, 0, 1)
    spread = np.exp(-0.5 * ((found.steps - fine[:, None]) / blur_px) ** 2)
    spread /= spread.sum(0)
    return (body * turned) @ spread, (body * (1 - turned)) @ spread, 1 - body @ spread


def _parts(values: Points) -> Points:
    """(n, 4, 3) means of values (n, 4, k) along the sides."""
    return np.asarray(values.reshape(*values.shape[:2], PARTS, -1).mean(3), np.float64)


def _profiles(image: Image, where: npt.NDArray[np.float32]) -> Points:
    """(4, 3, k / 3, 3, t) colours at places (4, k, t, 2)."""
    flat = where.reshape(-1, where.shape[2], 2)
    found = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    parts = found.astype(np.float64).reshape(4, PARTS, -1, where.shape[2], 3)
    return np.asarray(parts.swapaxes(-1, -2), np.float64)


def _colour(die: Lying) -> Points:
    """The commonest colour of a die's top: its body's, for the pips are less of it."""
    reach, x, y = max(2, int(PATCH * die.face_px)), round(die.x), round(die.y)
    patch = die.picture[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    colours = patch.reshape(-1, 3).astype(np.float64)
    off = np.linalg.norm(colours - np.median(colours, axis=0), axis=1)
    return np.asarray(np.median(colours[off <= np.median(off)], axis=0), np.float64)
