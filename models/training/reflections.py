"""Lays reflections of lamps and windows over a drawn top face: spots, haze and streaks."""

import cv2
import numpy as np

from models.training.view import SUBPIXEL_BITS, Picture, Points


def add_glare(rng: np.random.Generator, pixels: Picture, centre: Points, face_px: float) -> None:
    """Lay a blurred reflection of the lamp over the top face, in place."""
    spot = np.zeros(pixels.shape[:2], np.float32)
    x, y = (centre + rng.normal(0, 0.3, 2) * face_px).astype(int).tolist()
    axes = (max(1, int(face_px * rng.uniform(0.06, 0.3))), max(1, int(face_px * rng.uniform(0.04, 0.2))))
    cv2.ellipse(spot, (x, y), axes, rng.uniform(0, 180), 0, 360, (1.0,), -1)
    spot = cv2.GaussianBlur(spot, (0, 0), max(0.7, face_px * rng.uniform(0.02, 0.1))) * np.float32(rng.uniform(0.3, 1))
    pixels[:] = (pixels * (1 - spot[..., None]) + spot[..., None] * 250).astype(np.uint8)


def add_veil(rng: np.random.Generator, pixels: Picture, centre: Points, face_px: float) -> None:
    """Lay the haze of a wide lamp's reflection over the face or a part of it, in place."""
    height, width = pixels.shape[:2]
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    angle, edge = rng.uniform(0, 2 * np.pi), rng.uniform(-0.9, 0.3)
    along = ((columns - centre[0]) * np.cos(angle) + (rows - centre[1]) * np.sin(angle)) / face_px
    share = np.clip((along - edge) * rng.uniform(3, 30), 0, 1)[..., None] * np.float32(rng.uniform(0.2, 0.7))
    pixels[:] = (pixels * (1 - share) + share * rng.uniform(190, 255)).astype(np.uint8)


def add_streaks(rng: np.random.Generator, pixels: Picture, centre: Points, face_px: float) -> None:
    """Lay thin bright arcs over a glossy face, in place: windows and ring lamps that run from pip to pip."""
    lines = np.zeros(pixels.shape[:2], np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        x, y = ((centre + rng.normal(0, 0.25, 2) * face_px) * 2**SUBPIXEL_BITS).astype(int).tolist()
        axes = (np.exp(rng.uniform(np.log(0.05), np.log(0.6), 2)) * face_px * 2**SUBPIXEL_BITS).astype(int).tolist()
        start, width = rng.uniform(0, 360), max(1, round(face_px * rng.uniform(0.015, 0.06)))
        end = start + rng.uniform(60, 360)
        cv2.ellipse(lines, (x, y), axes, rng.uniform(0, 180), start, end, (255,), width, cv2.LINE_AA, SUBPIXEL_BITS)
    soft = cv2.GaussianBlur(lines, (0, 0), max(0.4, face_px * rng.uniform(0.01, 0.03))).astype(np.float32)
    share = soft[..., None] * np.float32(rng.uniform(0.3, 1) / 255)
    pixels[:] = (pixels * (1 - share) + share * rng.uniform(200, 255)).astype(np.uint8)
