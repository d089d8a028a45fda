"""A die that lies flat as a rounded cube before the camera: the outline in which it is seen.

From a camera above it a rounded cube is seen as the cube inside it, that its rounded edges go round, with a margin of
the rounding's radius. Lengths are in half widths of the tray.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.lens import Lens

Points = npt.NDArray[np.float64]

SIGNS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
CORNERS = 8


@dataclass(frozen=True, slots=True)
class Seen:
    """Outlines of n dice in the picture.

    hulls: (n, 8, 2) px of the cubes inside, clockwise, the last corner repeated; margins: (n,) px round them. faces:
    (n,) px of an edge half way up.
    """

    hulls: Points
    margins: Points
    faces: Points

    def beyond(self, points: Points) -> Points:
        """(n, k) px by which points (n, k, 2) lie outside their die's outline; negative inside."""
        ends, sides, lengths = self._sides()
        off = points[:, :, None] - ends[:, None]
        along = np.clip((off * sides[:, None]).sum(3) / np.maximum(lengths, 1e-12)[:, None] ** 2, 0, 1)
        far = np.linalg.norm(off - along[..., None] * sides[:, None], axis=3).min(2)
        turned = sides[:, None, :, 0] * off[..., 1] - sides[:, None, :, 1] * off[..., 0]
        return np.asarray(np.where((turned >= 0).all(2), -far, far) - self.margins[:, None], np.float64)

    def around(self, shares: Points, least: float) -> tuple[Points, Points, npt.NDArray[np.bool_]]:
        """Places (n, 8, k, 2) at `shares` (k,) of the outline's sides, the normals (n, 8, 2) out of them, and which
        sides (n, 8) are at least so long, in edges."""
        ends, sides, lengths = self._sides()
        normals = np.stack([sides[..., 1], -sides[..., 0]], axis=2) / np.maximum(lengths, 1e-12)[..., None]
        at = (
            ends[:, :, None] + sides[:, :, None] * shares[:, None] + (normals * self.margins[:, None, None])[:, :, None]
        )
        return at, normals, lengths >= least * self.faces[:, None]

    def _sides(self) -> tuple[Points, Points, Points]:
        ends = self.hulls
        sides = np.roll(ends, -1, axis=1) - ends
        return ends, sides, np.linalg.norm(sides, axis=2)


def see(lens: Lens, poses: Points, edge: float, rounding: float) -> Seen:
    """How dice are seen that lie at `poses` (n, 3): place and turn, radians; `rounding` is a share of the edge."""
    count = len(poses)
    half = edge * (0.5 - rounding)
    cos, sin = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
    x = poses[:, :1] + half * (SIGNS[:, 0] * cos - SIGNS[:, 1] * sin)
    y = poses[:, 1:2] + half * (SIGNS[:, 0] * sin + SIGNS[:, 1] * cos)
    z = np.broadcast_to(edge / 2 + half * SIGNS[:, 2], x.shape)
    seen = lens.project(np.column_stack([x.ravel(), y.ravel()]), z.ravel()).reshape(count, CORNERS, 2)
    middle = lens.project(poses[:, :2], edge / 2)
    faces = edge * lens.px_per_mm(middle, edge / 2)
    return Seen(np.stack([_hull(corners) for corners in seen]), rounding * faces, faces)


def _hull(corners: Points) -> Points:
    """The convex hull (8, 2), clockwise in the picture, its last corner repeated."""
    order = cv2.convexHull(corners.astype(np.float32), clockwise=True, returnPoints=False).ravel()
    hull = corners[order]
    doubled = float((hull[:, 0] * np.roll(hull[:, 1], -1) - np.roll(hull[:, 0], -1) * hull[:, 1]).sum())
    hull = hull if doubled > 0 else hull[::-1]
    return np.concatenate([hull, np.repeat(hull[-1:], CORNERS - len(hull), axis=0)])
