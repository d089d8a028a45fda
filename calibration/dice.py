"""The size of dice that lie flat on the floor: the rounded cube that is seen as they are, all of them together.

The picture of the empty tray tells what is no die: the floor, lit or in shadow. Where a die shows a
side, that ends at the floor; where not, its top does: a cube has both at once, seen by a camera that is known.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.cube import Seen, see
from calibration.shape import Points
from vision.lens import Lens

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]

ROUNDED, ROUNDED_SPREAD = 0.06, 0.06
"""Radius of dice's edges, in edges, mean and spread, and the most there is."""
SHARES = np.linspace(0.22, 0.78, 7)
"""Where along a side of a die's outline its edge is looked for: corners are rounded."""
LEAST_SIDE = 0.45
"""Edges of the shortest side that is measured."""
REACHES = (0.28, 0.14, 0.09, 0.06)
"""Faces from where the edge is expected in which it is looked for, round by round."""
LEAST_REACH = 2.0
STEP_PX = 0.25
SHADOW = (0.45, 1.12)
"""The floor in shadow is so many times as light as where it is lit, tone by tone."""
UNLIKE, LEAST_UNLIKE = 0.25, 12.0
"""What is no floor differs from it by this share of what the die's top does, and by so many levels."""
INNER_PX, OUTER_PX = 1.75, (1.5, 2.5)
"""From there inward the die's own colour is found, outward the floor's beside it."""
FAR_PX = 0.15
"""An edge farther off than this is more likely something else's (Cauchy's loss)."""
FIRST_FAR_PX = 1.0
LEAST_EDGES = 28
DOUBT = 0.015
"""Share of the dice's edge that shadows and the light on its rounding leave in doubt."""
FIT_STEPS = 6
NUDGE = 2e-4
"""Of poses, half widths and radians, to see what changes."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A die seen at rest: picture, BGR, its top face's centre there and its face, px, and its angle, degrees."""

    picture: Image
    x: float
    y: float
    face_px: float
    angle: float


@dataclass(frozen=True, slots=True)
class Measured:
    """An edge of the dice and how much it is in doubt, in half widths of the tray, and how many places tell it."""

    edge: float
    doubt: float
    count: int


def measure_dice(dice: Sequence[Lying], empty: Image, lens: Lens) -> Measured | None:
    """The dice's edge by a lens whose unit is half a width, and the picture `empty` of the tray without them, BGR.

    None where too few of their edges are seen well.
    """
    if not dice:
        return None
    scale = float(lens.px_per_mm(lens.project([(0.0, 0.0)]))[0])
    edge = float(np.median([die.face_px for die in dice])) / scale
    edge *= 1 - edge / lens.place[2]
    poses = np.array([_lies(die, lens, edge) for die in dice])
    limits = [max(LEAST_UNLIKE, UNLIKE * _unlike_top(die, empty)) for die in dice]
    rounding, found, seen = ROUNDED, np.zeros((0, 0, 2)), np.zeros((0, 0))
    for number, reach in enumerate(REACHES):
        found, seen = _edges(dice, empty, see(lens, poses, edge, rounding), limits, reach)
        if seen.sum() < LEAST_EDGES:
            return None
        far = FAR_PX if number else FIRST_FAR_PX
        edge, rounding, poses = _fitted(lens, poses, edge, rounding, found, seen > 0, far)
    off = see(lens, poses, edge, rounding).beyond(found)[seen > 0]
    spread = 1.48 * float(np.median(np.abs(off))) / scale
    return Measured(edge, math.hypot(2 * spread / math.sqrt(len(dice)), DOUBT * edge), int(seen.sum()))


def _lies(die: Lying, lens: Lens, edge: float) -> tuple[float, float, float]:
    """The die's place on the floor and its turn there, as the reader saw them."""
    turned = math.radians(die.angle)
    middle, ahead = lens.to_floor(
        [(die.x, die.y), (die.x + 5 * math.cos(turned), die.y + 5 * math.sin(turned))], edge
    ).tolist()
    return middle[0], middle[1], math.atan2(ahead[1] - middle[1], ahead[0] - middle[0])


def _unlike(colours: FloatArray, floor: FloatArray) -> FloatArray:
    """Levels by which colours (..., 3) differ from the floor's there, lit or in shadow."""
    light = (colours * floor).sum(-1) / np.maximum((floor * floor).sum(-1), 1.0)
    return np.asarray(np.linalg.norm(colours - np.clip(light, *SHADOW)[..., None] * floor, axis=-1), np.float32)


def _unlike_top(die: Lying, empty: Image) -> float:
    """Levels by which the die's top differs from the floor below it."""
    half, x, y = max(2, int(0.35 * die.face_px)), round(die.x), round(die.y)
    patch = np.s_[max(0, y - half) : y + half, max(0, x - half) : x + half]
    return float(np.median(_unlike(die.picture[patch].astype(np.float32), empty[patch].astype(np.float32))))


def _edges(
    dice: Sequence[Lying], empty: Image, seen: Seen, limits: Sequence[float], reach: float
) -> tuple[Points, Points]:
    """Places (n, k, 2) px where the dice end, near where they are expected to, and which were found (n, k), 1 or 0."""
    at, normals, long = seen.around(SHARES, LEAST_SIDE)
    offsets = np.full(at.shape[:3], np.nan)
    for k, die in enumerate(dice):
        sides = long[k]
        if sides.any():
            within = max(LEAST_REACH, reach * float(seen.faces[k]))
            offsets[k, sides] = _side_offsets(die.picture, empty, at[k, sides], normals[k, sides], within, limits[k])
    found = at + normals[:, :, None] * np.nan_to_num(offsets)[..., None]
    count = len(dice)
    return found.reshape(count, -1, 2), (~np.isnan(offsets)).astype(np.float64).reshape(count, -1)


def _side_offsets(
    picture: Image, empty: Image, at: Points, normals: Points, reach: float, limit: float
) -> npt.NDArray[np.float64]:
    """How far outward (s, k) of places (s, k, 2) on s sides of a die its edge lies, px; nan where none is seen."""
    steps = np.arange(-reach - 3, reach + 4, STEP_PX)
    where = (at[:, :, None] + normals[:, None, None] * steps[:, None]).astype(np.float32).reshape(-1, len(steps), 2)
    shape = (*at.shape[:2], len(steps), 3)
    seen, floor = (_profiles(image, where).reshape(shape) for image in (picture, empty))
    seen, floor = (_smooth(profiles).reshape(-1, len(steps), 3) for profiles in (seen, floor))
    unlike = _unlike(seen, floor)
    offsets = [_last_edge(steps, colours, off, limit) for colours, off in zip(seen, unlike, strict=True)]
    found = np.array(offsets).reshape(at.shape[:2])
    return np.where(np.abs(found) <= reach, found, np.nan)


def _profiles(image: Image, where: FloatArray) -> FloatArray:
    found = cv2.remap(image, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.float32)


def _smooth(profiles: FloatArray) -> FloatArray:
    """Profiles (s, k, ...) averaged with their neighbours on the same side."""
    before = np.concatenate([profiles[:, :1], profiles[:, :-1]], axis=1)
    after = np.concatenate([profiles[:, 1:], profiles[:, -1:]], axis=1)
    return np.asarray((before + profiles + after) / 3, np.float32)


def _last_edge(steps: Points, colours: FloatArray, unlike: FloatArray, limit: float) -> float:
    """Where along a profile (k, 3) from a die outward it is half die, half floor for the last time; nan if nowhere."""
    inner, (near, far) = round(INNER_PX / STEP_PX), (round(px / STEP_PX) for px in OUTER_PX)
    above = np.nonzero(unlike[: -far - 1] > limit)[0]
    if unlike[-4:].mean() > limit or not len(above) or above[-1] <= inner:
        return math.nan  # something else lies there, or nothing
    last = int(above[-1])
    inside = last - inner + int(unlike[last - inner : last + 1].argmax())
    beside = np.median(colours[last + near : last + far + 1], axis=0)
    step = colours[inside] - beside
    share = (colours - beside) @ step / max(1e-9, float(step @ step))
    die = np.nonzero(share[inside : last + near] > 0.5)[0]
    if not len(die):
        return math.nan
    k = inside + int(die[-1])
    return float(steps[k] + STEP_PX * (share[k] - 0.5) / max(1e-9, float(share[k] - share[k + 1])))


def _fitted(
    lens: Lens, poses: Points, edge: float, rounding: float, found: Points, seen: npt.NDArray[np.bool_], far: float
) -> tuple[float, float, Points]:
    """Edge, rounding and poses with which the dice's outlines pass through the places found best.

    Levenberg and Marquardt's method: a pose moves its own die's places only.
    """

    def residuals(shared: Points, own: Points) -> Points:
        off = see(lens, own, math.exp(shared[0]), float(np.clip(shared[1], 0.0, 0.3))).beyond(found)
        robust = far * np.sqrt(np.log1p((off / far) ** 2)) * np.sign(off)
        return np.append((robust * seen).ravel(), (shared[1] - ROUNDED) / ROUNDED_SPREAD)

    at, damping = np.array([math.log(edge), rounding]), 1e-3
    here = residuals(at, poses)
    count, each = found.shape[:2]
    for _ in range(FIT_STEPS):
        slopes = np.zeros((len(here), 2 + 3 * count))
        for k in range(2):
            slopes[:, k] = (residuals(at + NUDGE * np.eye(2)[k], poses) - here) / NUDGE
        for k in range(3):
            moved = (residuals(at, poses + NUDGE * np.eye(3)[k]) - here)[:-1].reshape(count, each) / NUDGE
            for die in range(count):
                slopes[die * each : (die + 1) * each, 2 + 3 * die + k] = moved[die]
        normal, pull = slopes.T @ slopes, slopes.T @ here
        for _ in range(7):
            change = np.linalg.solve(normal + damping * np.diag(np.diag(normal)) + 1e-4 * np.eye(len(normal)), -pull)
            there = residuals(at + change[:2], poses + change[2:].reshape(-1, 3))
            if there @ there < here @ here:
                break
            damping *= 6
        else:
            break
        gain = 1 - float(there @ there) / max(float(here @ here), 1e-12)
        at, poses, here, damping = at + change[:2], poses + change[2:].reshape(-1, 3), there, max(damping / 8, 1e-9)
        if gain < 1e-4:
            break
    return math.exp(at[0]), float(np.clip(at[1], 0.0, 0.3)), poses
