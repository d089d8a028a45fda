"""What a camera makes of the light of a drawn scene: an 8-bit picture with its exposure, blur and noise."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sim.packing import BODY, DIE
from models.sim.tracer import Rendered

Light = NDArray[np.float32]
Picture = NDArray[np.uint8]

LUMINANCE = np.array([0.3, 0.6, 0.1], np.float32)


@dataclass(frozen=True, slots=True)
class Camera:
    """How a camera develops light.

    `exposure` is the level that the metered light gets, `white_balance` the gains of R, G, B, `vignette` the loss at
    the corners. `blur_px` is the lens' blur (sigma). Noise in linear light has the variance shot_noise * light +
    read_noise^2. `shoulder` bends highlights over, `contrast` adds an S-curve, `saturation` 0 is grey.
    `sharpening` is the strength of an unsharp mask. `jpeg_quality` None = not compressed.
    """

    exposure: float = 0.3
    white_balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    vignette: float = 0.15
    blur_px: float = 0.5
    shot_noise: float = 3e-4
    read_noise: float = 3e-3
    shoulder: float = 0.3
    gamma: float = 2.2
    contrast: float = 0.25
    saturation: float = 1.0
    sharpening: float = 0.3
    jpeg_quality: int | None = None


STILL = Camera()
VIDEO = Camera(shot_noise=2e-5, read_noise=6e-4, sharpening=0.2)
"""Little noise, so that a video compresses well."""


def meter(rgb: Light) -> float:
    """The light that a camera would expose for: the middle of the picture's tones, held down by its brightest."""
    tones = rgb @ LUMINANCE
    return max(float(np.percentile(tones, 60) + 0.3 * np.percentile(tones, 97)), 1e-3)


def develop(rgb: Light, camera: Camera, rng: np.random.Generator, metered: float | None = None) -> Picture:
    """The picture, uint8 BGR (h, w, 3), of linear light float32 RGB (h, w, 3).

    `metered` is the light to expose for, `meter(rgb)` by default; frames of one video and parts of one picture share
    it. `rng` draws the sensor's noise.
    """
    gain = camera.exposure / (meter(rgb) if metered is None else metered)
    light: Light = rgb * np.asarray(camera.white_balance, np.float32) * np.float32(gain)
    if camera.vignette:
        light *= vignette(light.shape[:2], camera.vignette)
    if camera.blur_px:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), camera.blur_px), np.float32)
    spread = np.sqrt(camera.shot_noise * light + camera.read_noise**2)
    light = np.maximum(light + spread * rng.standard_normal(light.shape, np.float32), 0)
    tones = toned(light, camera)
    if camera.sharpening:
        tones += camera.sharpening * (tones - cv2.GaussianBlur(tones, (0, 0), 1.2))
    picture = np.clip(tones[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8)
    return picture if camera.jpeg_quality is None else _compressed(picture, camera.jpeg_quality)


def without_grain(drawn: Rendered, reach_px: int = 7, contrast: float = 0.25) -> Light:
    """The light with the drawing's grain smoothed away off dice; edges of colour are kept.

    Steps of light up to about `contrast` (of full light) are taken for grain.
    """
    albedo = np.maximum(drawn.albedo, 0.02)
    smooth = cv2.bilateralFilter(drawn.rgb / albedo, reach_px, contrast, 3.0) * albedo
    on_dice = (drawn.ids >= DIE) & (drawn.ids < BODY)
    return np.where(on_dice[..., None], drawn.rgb, smooth).astype(np.float32)


def vignette(shape: tuple[int, int], loss: float) -> Light:
    """(h, w, 1) share of the light that reaches each pixel; `loss` is what a corner misses."""
    rows = np.linspace(-1, 1, shape[0], dtype=np.float32)[:, None]
    columns = np.linspace(-1, 1, shape[1], dtype=np.float32)[None, :]
    return np.asarray(1 - loss * (rows**2 + columns**2) / 2, np.float32)[..., None]


def toned(light: Light, camera: Camera) -> Light:
    """Linear light as picture tones 0..1."""
    bent = light * (1 + camera.shoulder) / (1 + camera.shoulder * light)
    tones = np.asarray(np.clip(bent, 0, 1) ** np.float32(1 / camera.gamma), np.float32)
    tones += camera.contrast * (tones * tones * (3 - 2 * tones) - tones)
    if camera.saturation != 1:
        grey = (tones @ LUMINANCE)[..., None]
        tones = np.asarray(grey + (tones - grey) * np.float32(camera.saturation), np.float32)
    return tones


def _compressed(picture: Picture, quality: int) -> Picture:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
