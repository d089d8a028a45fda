"""One look at a die: a crop put before the reader in several turns, and the evidence for every value in it."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import CROP_FACES, CROP_PX, FloatArray, Networks

Image = npt.NDArray[np.uint8]

TURNS = 4
"""Quarter turns that a crop is read in: the worst of them counts."""
VALUES = 6
SHRINK_BLUR = 0.42
"""Blur before sampling, in crop pixels: enough that pips do not alias."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where to look: one channel (h, w) of a picture, the face's centre there and the face's edge, px."""

    channel: Image
    x: float
    y: float
    face_px: float


@dataclass(frozen=True, slots=True)
class Look:
    """What the reader made of a spot.

    scores: of the values 1 to 6, shape (6,): the worst probability over the turns times the mean margin by which the
    pip map shows that many pips and no more. blank: mean probability of "no readable flat face". pips: upright map of
    pip-centre probabilities (28, 28). crop: what was looked at (56, 56), 0 to 1.
    """

    scores: FloatArray
    blank: float
    pips: FloatArray
    crop: FloatArray


def look(networks: Networks, spots: Sequence[Spot], turns: int = TURNS) -> list[Look]:
    """The reader's evidence at every spot, in one run of the network; fewer turns cost less and prove less."""
    if not spots:
        return []
    crops = [cut_crop(spot) for spot in spots]
    turned = np.stack([np.rot90(crop, turn) for crop in crops for turn in range(turns)])
    logits, pip_logits = networks.run_reader(_normalised(turned))
    chances = _softmax(logits).reshape(-1, turns, VALUES + 1)
    pip_maps = _sigmoid(pip_logits).reshape(-1, turns, *pip_logits.shape[1:])
    return [_weigh(crop, chance, maps) for crop, chance, maps in zip(crops, chances, pip_maps, strict=True)]


def cut_crop(spot: Spot) -> FloatArray:
    """56x56 crop, 0 to 1, that spans 1.4 faces around the spot, unturned."""
    source, x, y = spot.channel, spot.x, spot.y
    scale = CROP_PX / (CROP_FACES * spot.face_px)
    while scale < 0.5 and min(source.shape) >= 2:  # halving by area first: a wide blur of a large patch is slow
        source = _halved(source)
        x, y, scale = (x + 0.5) / 2 - 0.5, (y + 0.5) / 2 - 0.5, 2 * scale
    if scale < 0.9:
        source = np.asarray(cv2.GaussianBlur(source, (0, 0), SHRINK_BLUR / scale), np.uint8)
    middle = (CROP_PX - 1) / 2
    warp = np.array([[scale, 0, middle - scale * x], [0, scale, middle - scale * y]], np.float64)
    crop = cv2.warpAffine(source, warp, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return _float32(crop) / np.float32(255)


def _halved(image: Image) -> Image:
    size = (image.shape[1] // 2, image.shape[0] // 2)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _weigh(crop: FloatArray, chances: FloatArray, pip_maps: FloatArray) -> Look:
    margin = np.mean([_pip_margins(pip_map) for pip_map in pip_maps], axis=0)
    upright = np.mean([np.rot90(pip_map, -turn) for turn, pip_map in enumerate(pip_maps)], axis=0)
    scores = chances[:, 1:].min(0) * np.maximum(margin, 0)
    return Look(_float32(scores), float(chances[:, 0].mean()), _float32(upright), crop)


def _pip_margins(pip_map: FloatArray) -> FloatArray:
    """For each value v, by how much the v-th strongest peak of a pip map stands above the next one."""
    peaks = np.where(pip_map >= cv2.dilate(pip_map, np.ones((3, 3), np.uint8)), pip_map, 0).ravel()
    strongest = -np.sort(-peaks)[: VALUES + 1]
    return _float32(strongest[:-1] - strongest[1:])


def _normalised(crops: FloatArray) -> FloatArray:
    """Mean 0, contrast 1 (with a floor, or plain cloth would become noise) for each crop."""
    mean, deviation = crops.mean((1, 2), keepdims=True), crops.std((1, 2), keepdims=True)
    return _float32((crops - mean) / (deviation + np.float32(0.05)))


def _softmax(logits: FloatArray) -> FloatArray:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return _float32(powers / powers.sum(1, keepdims=True))


def _sigmoid(logits: FloatArray) -> FloatArray:
    return _float32(1 / (1 + np.exp(-logits)))


def _float32(array: object) -> FloatArray:
    return np.asarray(array, np.float32)
