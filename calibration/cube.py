"""A die that lies flat as a rounded cube before the camera: where its top and bottom are seen, and its sides.

A rounded cube is a smaller cube inside it, that its rounded edges go round. Lengths are in half widths of the tray.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.lens import Lens

Points = npt.NDArray[np.float64]

AROUND = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
"""Corners of a face, in order round it."""
OUTWARD = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)], np.float64)
"""The way out over the side from each corner to the next."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How n dice are seen.

    tops, bottoms: (n, 4, 2) px of the corners of the cube inside, in order round it. margins: (n,) px of the rounding
    round them. leans: (n, 4) radians by which the camera looks at each side rather than along it; negative where the
    side is hidden.
    """

    tops: Points
    bottoms: Points
    margins: Points
    leans: Points

    def rays(self, shares: Points) -> tuple[Points, Points]:
        """Starts (n, 4, k, 2) px of rays out over the sides of the top, at `shares` (k,) of each, and their ways (n, 4,
        2)."""
        along = np.roll(self.tops, -1, axis=1) - self.tops
        over = np.stack([along[..., 1], -along[..., 0]], axis=-1)
        over /= np.maximum(np.linalg.norm(over, axis=2, keepdims=True), 1e-12)
        inward = (over * (self.tops.mean(1, keepdims=True) - self.tops)).sum(2, keepdims=True) > 0
        return self.tops[:, :, None] + along[:, :, None] * shares[:, None], np.where(inward, -over, over)

    def crossed(self, starts: Points, ways: Points) -> tuple[Points, Points]:
        """(n, 4, k) px along rays at which they cross the edges of the top, and at which the die ends."""
        top, bottom = (_crossed(corners, starts, ways) for corners in (self.tops, self.bottoms))
        return top, np.maximum(top, bottom) + self.margins[:, None, None]


def see(lens: Lens, poses: Points, edge: float, rounding: float) -> Seen:
    """How dice are seen that lie at `poses` (n, 3): place and turn, radians; `rounding` is a share of the edge."""
    count, inside = len(poses), edge * (0.5 - rounding)
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    turns = np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], 1)
    flat = (poses[:, None, :2] + inside * AROUND @ turns).reshape(-1, 2)
    heights = edge * (1 - rounding), edge * rounding
    tops, bottoms = (lens.project(flat, height).reshape(count, 4, 2) for height in heights)
    middles = lens.project(poses[:, :2], heights[0])
    x, y, above = lens.place
    beyond = ((np.array([x, y]) - poses[:, None, :2]) * (OUTWARD @ turns)).sum(2) - edge / 2
    margins = rounding * edge * lens.px_per_mm(middles, heights[0])
    return Seen(tops, bottoms, margins, np.arctan2(beyond, above - edge))


def _crossed(corners: Points, starts: Points, ways: Points) -> Points:
    """(n, 4, k) px along rays to the lines through the corners (n, 4, 2)."""
    along = np.roll(corners, -1, axis=1) - corners
    normals = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    away = ((corners[:, :, None] - starts) * normals[:, :, None]).sum(3)
    return np.asarray(away / (ways * normals).sum(2)[..., None], np.float64)
