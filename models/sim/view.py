"""Where things of a scene are in its picture, and back from the picture to the floor."""

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.sim.die import PlacedDie, face_corners, upmost_face
from models.sim.errors import SimulatorError
from models.sim.pose import about, multiply
from models.sim.scene import Lens, Tray, floor_edge
from vision import lens as opencv

UNDISTORT_STEPS = 8
"""Newton's steps that take the distortion back; the tracer uses the same number."""


def project(lens: Lens, points: ArrayLike) -> NDArray[np.float64]:
    """(n, 2) px of world points (n, 3) mm."""
    # a row for each axis: numpy is slow along pairs
    seen = lens.pose.matrix.T @ (np.atleast_2d(np.asarray(points, np.float64)) - np.asarray(lens.position)).T
    flat = seen[:2] / -seen[2]
    r2 = (flat**2).sum(axis=0)
    bent = lens.focal_px * flat * (1 + r2 * (lens.k1 + r2 * lens.k2))
    pixels: NDArray[np.float64] = bent.T + np.asarray(lens.centre_px)
    return pixels


def to_floor(lens: Lens, points_px: ArrayLike, height_mm: float = 0.0) -> NDArray[np.float64]:
    """(n, 2) mm: where the rays of pixels (n, 2) meet the floor, or the plane at `height_mm` above it."""
    bent = (np.atleast_2d(np.asarray(points_px, np.float64)) - np.asarray(lens.centre_px)) / lens.focal_px
    far = np.hypot(bent[:, :1], bent[:, 1:])
    r = far
    for _ in range(UNDISTORT_STEPS):
        r2 = r**2
        off = r * (1 + r2 * (lens.k1 + r2 * lens.k2)) - far
        r = r - off / (1 + r2 * (3 * lens.k1 + r2 * 5 * lens.k2))
    flat = bent * (r / np.maximum(far, 1e-9))
    rays = np.column_stack([flat, -np.ones(len(flat))]) @ lens.pose.matrix.T
    if (rays[:, 2] >= 0).any():
        raise SimulatorError("the camera does not see the floor there: tilt it down")
    origin = np.asarray(lens.position)
    met: NDArray[np.float64] = origin + rays * ((height_mm - origin[2]) / rays[:, 2:])
    return met[:, :2]


def floor_homography(lens: Lens) -> NDArray[np.float64]:
    """(3, 3) homography from px to mm on the floor; with a distorting lens the best fit over the whole picture."""
    width, height = lens.size
    grid = np.stack(np.meshgrid(np.linspace(0, width - 1, 7), np.linspace(0, height - 1, 7)), axis=-1).reshape(-1, 2)
    homography, _ = cv2.findHomography(grid, to_floor(lens, grid))
    return np.asarray(homography, np.float64)


def as_opencv(lens: Lens) -> opencv.Lens:
    """The same lens and pose in the terms of a calibration, whose z points away from the camera."""
    mirrored = np.diag([1.0, 1.0, -1.0])
    turn = mirrored @ lens.pose.matrix.T @ mirrored
    x, y, z = (float(v) for v in -turn @ mirrored @ np.asarray(lens.position))
    a, b, c = (float(v) for v in cv2.Rodrigues(turn)[0].ravel())
    focal = (lens.focal_px, lens.focal_px)
    return opencv.Lens(focal, lens.centre_px, (a, b, c), (x, y, z), (lens.k1, lens.k2, 0.0, 0.0, 0.0))


def floor_outline(tray: Tray, lens: Lens, n: int = 32) -> NDArray[np.float64]:
    """(m, 2) px: the floor's edge, clockwise: `n` points even in angle, and the corners of the sides."""
    edge = floor_edge(tray, n)
    return project(lens, np.column_stack([edge, np.zeros(len(edge))]))


def face_px(lens: Lens, die: PlacedDie) -> float:
    """Mean length in px of the four edges of a die's upmost face, before rounding."""
    pose = die.middle
    corners = project(lens, pose.to_world(face_corners(die.look, upmost_face(pose)[0])))
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())


def overhead(
    height_mm: float,
    focal_px: float,
    size: tuple[int, int],
    tilt: float = 0.0,
    tilt_towards: float = 0.0,
    roll: float = 0.0,
) -> Lens:
    """A lens that looks at the middle of the floor from `height_mm` away, all angles in radians.

    `tilt` moves the camera off the vertical in the world direction `tilt_towards`; `roll` turns the picture.
    """
    axis = (-np.sin(tilt_towards), np.cos(tilt_towards), 0.0)
    turn = multiply(about(axis, tilt), about((0, 0, 1), roll))
    x, y, z = height_mm * np.array(
        [np.sin(tilt) * np.cos(tilt_towards), np.sin(tilt) * np.sin(tilt_towards), np.cos(tilt)]
    )
    centre = ((size[0] - 1) / 2, (size[1] - 1) / 2)
    return Lens((float(x), float(y), float(z)), turn, focal_px, centre, size, focus_mm=height_mm)


def floor_px_per_mm(lens: Lens) -> float:
    """Px per mm at the middle of the floor, all directions taken together: the root of how areas grow."""
    step = 0.5
    a, b, c, d = project(lens, [[step, 0, 0], [-step, 0, 0], [0, step, 0], [0, -step, 0]])
    across, down = a - b, c - d
    return float(np.sqrt(abs(across[0] * down[1] - across[1] * down[0]))) / (2 * step)
