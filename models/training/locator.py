"""Trains the locator on drawn scenes and on whole photographs, each shrunk until a die is about 18 px wide."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.training.drawn import Scenes
from models.training.networks import LOCATOR_FACE_PX, LOCATOR_STRIDE, Locator, normalise
from models.training.noise import grain
from models.training.optimise import Plan, load_weights, train
from models.training.real import SOURCES, Photo, read_picture

WIDTH, HEIGHT = 320, 184
_COLUMNS, _ROWS = WIDTH // LOCATOR_STRIDE, HEIGHT // LOCATOR_STRIDE
BATCH = 16
"""Pictures that a step of training looks at."""
_DICE_PX = (9.0, 34.0)  # wider than at work (14 to 22 px), for dice are not all of one size
_BUMP = 0.17  # standard deviation of a die's bump of heat, in faces
_SIZE_WEIGHT = 0.5


@dataclass(frozen=True)
class Example:
    """A picture uint8 (h, w, 3) BGR and its dice (n, 3) as x, y, face in px; `complete`: the rest is background."""

    picture: NDArray[np.uint8]
    dice: NDArray[np.float32]
    complete: bool


@dataclass(frozen=True)
class Targets:
    """What the locator is to answer: maps (n, 4, 46, 80), where its sizes count and where its heat counts."""

    maps: Tensor
    sized: Tensor
    heated: Tensor


def locator_plan(steps: int, rate: float = 4e-3, seed: int = 0) -> Plan:
    """Return how to train a locator."""
    return Plan(steps, rate=rate, weight_decay=0.01, warmup=0.12, averaging=0.997, clip=5.0, seed=seed)


def photo_examples(photos: Sequence[Photo]) -> list[Example]:
    """Return the photographs that show whole tables and whose licence allows to learn from them."""
    examples = []
    for photo in photos:
        if photo.source == "chasecrops" or SOURCES[photo.source].licence is None or not photo.dice:
            continue
        dice = np.array([(d.x, d.y, d.face_px) for d in photo.dice], np.float32)
        examples.append(Example(read_picture(photo.path), dice, photo.complete))
    return examples


def scene_examples(scenes: Scenes) -> list[Example]:
    """Return drawn scenes as examples."""
    return [
        Example(picture, dice[dice[:, 2] > 0], True) for picture, dice in zip(scenes.pictures, scenes.dice, strict=True)
    ]


def zoom(rng: np.random.Generator, example: Example) -> Example:
    """Return an example at the locator's size, its dice 9 to 34 px wide, turned, mirrored and moved about."""
    height, width = example.picture.shape[:2]
    dice = example.dice
    usual = float(np.median(dice[:, 2])) if len(dice) else 0.0
    wanted = float(np.exp(rng.uniform(*np.log(_DICE_PX))))
    scale = float(np.clip(wanted / usual, 0.1, 1.7)) if usual else float(rng.uniform(0.7, 1.3))
    angle = rng.normal(0, 0.15) if rng.random() < 0.6 else rng.uniform(0, 2 * np.pi)
    mirror = rng.choice([-1, 1])
    stretch = np.exp(rng.normal(0, 0.05) if rng.random() < 0.85 else rng.uniform(-0.35, 0.35))
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    turn = np.array([[cos * mirror, -sin], [sin * mirror, cos]]) * ((stretch**0.5,), (stretch**-0.5,))
    if len(dice) and rng.random() < 0.7:
        anchor = dice[rng.integers(len(dice)), :2].astype(float)
    else:
        anchor = rng.uniform(0, 1, 2) * (width, height)
    shift = rng.uniform(0.12, 0.88, 2) * (WIDTH, HEIGHT) - turn @ anchor
    source, warp = example.picture, np.c_[turn, shift]
    shrink = round(1 / scale)
    if shrink >= 2:  # a warp alone would skip pixels
        source = np.asarray(cv2.resize(source, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA))
        ratio = np.array([width / source.shape[1], height / source.shape[0]])
        warp = np.c_[turn * ratio, shift + turn @ ((ratio - 1) / 2)]
    border = cv2.BORDER_CONSTANT if rng.random() < 0.5 else cv2.BORDER_REPLICATE
    colour = rng.uniform(0, 255, 3).tolist()
    picture = cv2.warpAffine(
        source, warp, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR, borderMode=border, borderValue=colour
    )
    moved = dice.copy()
    moved[:, :2] = dice[:, :2] @ turn.T + shift
    moved[:, 2] *= scale
    return Example(np.asarray(picture, np.uint8), moved, example.complete)


def relight(rng: np.random.Generator, picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return a grey picture (h, w), 0..255, mixed from the channels at random, relit, blurred and noisy."""
    weights = np.array([0.114, 0.587, 0.299]) if rng.random() < 0.6 else rng.dirichlet([1, 1, 1])
    grey = (picture @ weights.astype(np.float32)).astype(np.float32)
    grey = grey * np.float32(rng.uniform(0.5, 1.4)) + np.float32(rng.uniform(-25, 25))
    if rng.random() < 0.2:
        grey = 255 - grey
    if rng.random() < 0.3:
        grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), rng.uniform(0.4, 1.3)), np.float32)
    if rng.random() < 0.4:
        grey = grey + grain(rng, HEIGHT, WIDTH, 1)[..., 0] * np.float32(rng.uniform(1, 10))
    return np.clip(grey, 0, 255)


def targets(examples: Sequence[Example]) -> Targets:
    """Return what the locator is to answer for pictures of 320 x 184.

    Around each die lies a bump of heat; its size and place are asked for at the cells nearest to its middle.
    """
    count = len(examples)
    maps = np.zeros((count, 4, _ROWS, _COLUMNS), np.float32)
    sized = np.zeros((count, 1, _ROWS, _COLUMNS), np.float32)
    heated = np.ones((count, 1, _ROWS, _COLUMNS), np.float32)
    rows, columns = np.mgrid[:_ROWS, :_COLUMNS].astype(np.float32)
    for i, example in enumerate(examples):
        heated[i] = float(example.complete)
        for x, y, face_px in example.dice:
            column, row = (x + 0.5) / LOCATOR_STRIDE - 0.5, (y + 0.5) / LOCATOR_STRIDE - 0.5
            if not (-0.5 <= column < _COLUMNS - 0.5 and -0.5 <= row < _ROWS - 0.5):
                continue
            sigma = max(0.7, face_px / LOCATOR_STRIDE * _BUMP)
            bump = np.exp(-((columns - column) ** 2 + (rows - row) ** 2) / (2 * sigma * sigma))
            nearest = (min(max(round(row), 0), _ROWS - 1), min(max(round(column), 0), _COLUMNS - 1))
            bump[nearest] = 1
            maps[i, 0] = np.maximum(maps[i, 0], bump)
            heated[i, 0][bump > 0.01] = 1
            ring = (np.abs(rows - nearest[0]) <= 1) & (np.abs(columns - nearest[1]) <= 1) & (bump > 0.5)
            sized[i, 0][ring] = 1
            maps[i, 1][ring] = np.log(face_px / LOCATOR_FACE_PX)
            maps[i, 2][ring] = column - columns[ring]
            maps[i, 3][ring] = row - rows[ring]
    return Targets(torch.from_numpy(maps), torch.from_numpy(sized), torch.from_numpy(heated))


def locator_loss(answer: Tensor, wanted: Targets) -> Tensor:
    """Return the penalty-reduced focal loss of the heat (Zhou et al. 2019, "Objects as points") plus L1 of the rest."""
    chance = torch.sigmoid(answer[:, :1]).clamp(1e-4, 1 - 1e-4)
    heat = wanted.maps[:, :1]
    peak = (heat > 0.999).float()
    missed = peak * (1 - chance) ** 2 * chance.log()
    raised = (1 - peak) * (1 - heat) ** 4 * chance**2 * (1 - chance).log()
    focal = -((missed + raised) * wanted.heated).sum() / peak.sum().clamp(min=1)
    off = ((answer[:, 1:] - wanted.maps[:, 1:]).abs() * wanted.sized).sum()
    return focal + _SIZE_WEIGHT * off / wanted.sized.sum().clamp(min=1)


class _Batches:
    """Draws batches from drawn scenes and photographs."""

    def __init__(self, scenes: Sequence[Example], photos: Sequence[Example], photo_share: float, batch: int):
        self._scenes, self._photos, self._batch = scenes, photos, batch
        self._photo_share = photo_share if photos else 0.0

    def __call__(self, network: nn.Module, rng: np.random.Generator) -> Tensor:
        examples = []
        for _ in range(self._batch):
            pool = self._photos if rng.random() < self._photo_share else self._scenes
            examples.append(zoom(rng, pool[int(rng.integers(len(pool)))]))
        pictures = np.stack([relight(rng, e.picture) for e in examples])
        seen = normalise(torch.from_numpy(pictures)[:, None] / 255)
        return locator_loss(network(seen.contiguous(memory_format=torch.channels_last)), targets(examples))


def train_locator(
    scenes: Sequence[Example],
    photos: Sequence[Example],
    plan: Plan,
    checkpoint: Path,
    start: Path | None = None,
    photo_share: float = 0.45,
    batch: int = BATCH,
) -> None:
    """Train a locator on drawn scenes and photographs, from the weights of `start` if given, into `checkpoint`."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(plan.seed)
    network = Locator()
    if start is not None:
        load_weights(network, start)
    network = network.to(memory_format=torch.channels_last)
    train(network, _Batches(scenes, photos, photo_share, batch), plan, checkpoint)
