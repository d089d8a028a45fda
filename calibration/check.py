"""Whether a calibration still holds: the floor's edge where it was, and the light as it was."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.facts import Calibration
from calibration.floor import colours_of
from calibration.outline import edge_offsets
from calibration.shape import Points, evenly

Image = npt.NDArray[np.uint8]

SAMPLES = 160
REACH_FACES = 1.6
"""Faces around the outline in which the floor's edge is looked for."""
MOVED_FACES, MOVED_PX = 0.12, 1.5
"""Faces, and px, by which an outline that still holds may lie off: codec, a die at the wall."""
HELD = 0.6
"""Least share of the outline along which its edge is still there; hands and dice hide some."""
GAIN = (0.55, 1.8)
"""Factors of brightness within which the light is the same; the watcher's are alike."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What of a calibration does not hold any more.

    moved_px: by how much the floor's edge lies elsewhere in the middle. held: share of it that is where it was. gain:
    brightness of the floor beside the calibration's, 1 = alike, None where it was not written down.
    """

    moved_px: float
    held: float
    gain: float | None
    reasons: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether it holds."""
        return not self.reasons


def check(calibration: Calibration, pictures: Sequence[Image]) -> Checked:
    """Compare some seconds of pictures, BGR, with the calibration."""
    usual = np.asarray(np.median(np.stack(pictures), axis=0), np.uint8)
    outline = _clockwise(np.array(calibration.floor, np.float64))
    at, away = _around(outline)
    reach = max(4.0, REACH_FACES * calibration.die_px)
    offsets, contrast = edge_offsets(colours_of(usual, 0.7, False), at, away, reach)
    seen = contrast > 0.25 * float(np.median(contrast))
    limit = max(MOVED_PX, MOVED_FACES * calibration.die_px)
    held = float((np.abs(offsets[seen]) <= limit).mean()) if seen.any() else 0.0
    moved = float(np.median(np.abs(offsets)))
    gain = _gain(calibration, usual)
    reasons = ["camera_moved"] if held < HELD else []
    if gain is not None and not GAIN[0] <= gain <= GAIN[1]:
        reasons.append("light_changed")
    return Checked(moved, held, gain, tuple(reasons))


def _gain(calibration: Calibration, picture: Image) -> float | None:
    if calibration.picture is None:
        return None
    floor = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(floor, [np.round(np.array(calibration.floor)).astype(np.int32)], 1)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return (float(np.median(grey[floor > 0])) + 4) / (calibration.picture.level + 4)


def _around(outline: Points) -> tuple[Points, Points]:
    """Places evenly round an outline, clockwise in the picture, and the outward unit normals there."""
    at = evenly(outline, SAMPLES)
    along = np.roll(at, -1, axis=0) - np.roll(at, 1, axis=0)
    normals = np.column_stack([along[:, 1], -along[:, 0]])
    return at, normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)


def _clockwise(outline: Points) -> Points:
    """The outline clockwise in the picture, in which y points down."""
    ahead = np.roll(outline, -1, axis=0)
    doubled = float((outline[:, 0] * ahead[:, 1] - ahead[:, 0] * outline[:, 1]).sum())
    return outline if doubled > 0 else outline[::-1]
