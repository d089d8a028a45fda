"""The size of dice that lie flat on the floor: how far their upright sides lie from the middle of their top faces.

Of a die's sides those that face away from the camera are hidden: there the die ends at the floor, without a side or its
shadow to be mistaken for the edge. The pips tell the middle.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.shape import Points, View
from vision.lens import Lens

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]

ROUNDED = 0.1
"""Radius of a die's edges, in edges of it."""
AWAY = 0.25
"""Least cosine between a side's normal and the way from the camera's foot to the die for it to be well hidden."""
SAMPLES = 21
MIDDLE = 0.56
"""Share of an edge in its middle that is measured: corners are rounded."""
REACH = 0.11
"""Faces from where an edge is expected in which it is looked for."""
NEAR = 0.5
"""An edge at the end of that reach counts less by this share than one where it is expected."""
STEP_PX = 0.5
EDGE_PX = 1.0
ROUNDS = 3
LEAST_STEP = 5.0
"""Levels of the weakest edge to believe in."""
LEAST_SIDES = 4
DOUBT = 0.025
"""Share of the dice's edge that its rounding, the light on it and the camera's height leave in doubt."""


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
    """An edge of the dice and how much it is in doubt, in half widths of the tray, and how many sides tell it."""

    edge: float
    doubt: float
    count: int


def measure_dice(dice: Sequence[Lying], view: View) -> Measured | None:
    """The dice's edge; None where too few of their edges are seen well."""
    if not dice:
        return None
    lens = view.lens((dice[0].picture.shape[1], dice[0].picture.shape[0]))
    edge = float(np.median([die.face_px for die in dice])) / view.scale
    edge *= 1 - edge / view.height
    edges: list[float] = []
    for _ in range(ROUNDS):
        edges = [2 * reach for die in dice for reach in _reaches(die, lens, edge)]
        if len(edges) < LEAST_SIDES:
            return None
        edge = float(np.median(edges))
    off = 1.48 * float(np.median(np.abs(np.array(edges) - edge)))
    near = [each for each in edges if abs(each - edge) <= 2 * off]
    return Measured(float(np.mean(near)), math.hypot(off / math.sqrt(len(edges)), DOUBT * edge), len(edges))


def _reaches(die: Lying, lens: Lens, edge: float) -> list[float]:
    """How far each hidden side lies from the die's middle, half widths of the tray."""
    middle = lens.to_floor([(die.x, die.y)], edge)[0]
    turned = math.radians(die.angle)
    ahead = lens.to_floor([(die.x + 5 * math.cos(turned), die.y + 5 * math.sin(turned))], edge)[0] - middle
    along = ahead / np.linalg.norm(ahead)
    across = np.array([-along[1], along[0]])
    outward = middle - lens.place[:2]
    outward /= max(float(np.linalg.norm(outward)), 1e-9)
    colours = np.asarray(cv2.cvtColor(die.picture, cv2.COLOR_BGR2LAB), np.uint8)
    sides = ((along, across), (-along, across), (across, along), (-across, along))
    hidden = [(normal, side) for normal, side in sides if float(normal @ outward) > AWAY]
    found = (_reach(colours, lens, middle, normal, side, edge) for normal, side in hidden)
    return [reach for reach in found if reach is not None]


def _reach(colours: Image, lens: Lens, middle: Points, normal: Points, side: Points, edge: float) -> float | None:
    """How far a hidden side lies from the die's middle by the edge seen there; None where none is seen well."""
    height = edge * (1 - ROUNDED)
    shares = np.linspace(-MIDDLE / 2, MIDDLE / 2, SAMPLES)[:, None] * edge
    expected = middle + normal * edge / 2 + side * shares
    at = lens.project(expected, height)
    away = lens.project(expected + normal * 0.05 * edge, height) - at
    px = np.linalg.norm(away, axis=1).mean() / (0.05 * edge)
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    reach = max(2.0, REACH * edge * px)
    steps = np.arange(-reach - EDGE_PX, reach + EDGE_PX + STEP_PX / 2, STEP_PX)
    where = (at[:, None] + away[:, None] * steps[None, :, None]).astype(np.float32)
    profiles = cv2.remap(colours, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mean = profiles.astype(np.float32).mean(0)
    half = round(EDGE_PX / STEP_PX)
    step = np.linalg.norm(mean[2 * half :] - mean[: -2 * half], axis=1)
    inner = steps[half:-half]
    liked = step * (1 - NEAR * np.abs(inner) / reach)
    peak = int(np.clip(liked.argmax(), 1, len(step) - 2))
    if step[peak] < LEAST_STEP or abs(inner[peak]) > 0.9 * reach:
        return None
    before, here, after = step[peak - 1 : peak + 2]
    bow = before - 2 * here + after
    shift = float(np.clip(0.5 * (before - after) / bow, -1, 1)) if bow < -1e-6 else 0.0
    return edge / 2 + (float(inner[peak]) + shift * STEP_PX) / float(px)
