"""The sensor that takes a film: develops as `camera.develop` does, but only what has changed since the last frame."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sim.camera import Camera, Light, Picture, toned, vignette

LEVELS = 4096
"""Steps of the square root of light, from dark to white, for which tone and noise are worked out."""
ROOM = 128
"""Px by which the field of noise is larger than a picture: each frame gets another part of it."""
NEIGHBOURS = 5
"""Px around a place that sharpening carries into it."""
GRAIN_PX = 0.45
"""Blur (sigma) of the noise, whose neighbouring pixels share colours before they are told apart."""

Box = tuple[int, int, int, int]
"""x, y, width, height in px."""
Place = tuple[int, int]
Developed = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Tones 0..255 and the noise's spread in them, BGR (h, w, 3)."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """What R, G and B are multiplied by, and the blur (sigma) that comes on top of the lens' own."""

    gains: tuple[float, float, float]
    blur_px: float = 0.0


class Sensor:
    """Develops one film's frames. `saturation` and `jpeg_quality` of the camera have no effect."""

    def __init__(self, camera: Camera, size: tuple[int, int], seed: int) -> None:
        """`size`: width and height in px."""
        self._camera = camera
        width, height = size
        balance = np.asarray(camera.white_balance, np.float32)
        self._fall = np.asarray(vignette((height, width), camera.vignette) * balance, np.float32)
        self._tone, self._grain = _curves(camera)
        self._noise = _noise(np.random.default_rng([seed, 0]), (height + ROOM, width + ROOM))
        self._last: tuple[Light, Exposure, Developed] | None = None
        self._resting: dict[Place, Picture] = {}

    def picture(self, still: Light, exposure: Exposure, place: Place, now: Light, changed: Iterable[Box]) -> Picture:
        """The picture, uint8 BGR (h, w, 3), of light float32 RGB (h, w, 3).

        `now` is the light, `still` that of the frames before and after it, from which it differs in the boxes
        `changed`. `place`: two numbers from 0 to ROOM that say which part of the noise is used.
        """
        height, width = still.shape[:2]
        if self._last is None or self._last[0] is not still or self._last[1] != exposure:
            self._last = (still, exposure, self._developed(still, exposure, (0, 0, width, height)))
            self._resting.clear()
        top, left = place
        noise = self._noise[top : top + height, left : left + width]
        if place not in self._resting:
            self._resting[place] = _added(self._last[2], noise)
        picture = self._resting[place].copy()
        for box in changed:
            x, y, w, h = box
            part = (slice(y, y + h), slice(x, x + w))
            picture[part] = _added(self._developed(now, exposure, box), noise[part])
        return picture

    def _developed(self, light: Light, exposure: Exposure, box: Box) -> Developed:
        x, y, width, height = box
        blur = math.hypot(self._camera.blur_px, exposure.blur_px)
        reach = math.ceil(3 * blur) + NEIGHBOURS
        left, top = max(0, x - reach), max(0, y - reach)
        around = (slice(top, y + height + reach), slice(left, x + width + reach))
        part = np.asarray(light[around] * (self._fall[around] * np.asarray(exposure.gains, np.float32)), np.float32)
        if blur:
            part = np.asarray(cv2.GaussianBlur(part, (0, 0), blur), np.float32)
        steps = (np.sqrt(np.clip(part[..., ::-1], 0, 1)) * np.float32(LEVELS - 1)).astype(np.uint16)
        tones, grain = self._tone[steps], self._grain[steps]
        if self._camera.sharpening:
            soft = cv2.GaussianBlur(tones, (0, 0), 1.2)
            tones = tones + np.float32(self._camera.sharpening) * (tones - soft)
        inside = (slice(y - top, y - top + height), slice(x - left, x - left + width))
        return np.asarray(tones[inside], np.float32), np.asarray(grain[inside], np.float32)


def _curves(camera: Camera) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Tone 0..255 of each level of light, and the spread that the sensor's noise has there."""
    light = np.linspace(0, 1, LEVELS, dtype=np.float32) ** 2
    spread = np.sqrt(camera.shot_noise * light + camera.read_noise**2)
    low, middle, high = (
        toned(np.repeat(np.clip(v, 0, None)[:, None], 3, axis=1), camera)[:, 0] * 255
        for v in (light - spread, light, light + spread)
    )
    return np.asarray(middle, np.float32), np.asarray((high - low) / 2, np.float32)


def _noise(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float32]:
    """(h, w, 3) noise of mean 0 and spread 1 whose neighbours are a little alike."""
    noise = cv2.GaussianBlur(rng.standard_normal((*shape, 3), np.float32), (0, 0), GRAIN_PX)
    return np.asarray(noise / noise.std(), np.float32)


def _added(developed: Developed, noise: NDArray[np.float32]) -> Picture:
    tones, grain = developed
    return np.asarray(cv2.add(tones, grain * noise, dtype=cv2.CV_8U), np.uint8)
