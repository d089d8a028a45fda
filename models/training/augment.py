"""Makes a batch of crops harder than any camera would: turned, resized, in any mix of channels, blurred and noisy."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from models.training.drawn import CROP_FACES, CROP_PX
from models.training.networks import normalise
from models.training.scene import UNREADABLE
from vision.network import CROP_FACES as READER_FACES
from vision.network import CROP_PX as READER_PX
from vision.network import PIP_CELLS

_PIP_SIGMA = 0.057 * PIP_CELLS / READER_FACES  # of the bump that marks a pip's centre, in cells of the pip map
_SHIFT = 0.16  # faces that the locator's middle may be off the top face's: it also sees the sides
_ASTRAY = 0.12  # share of crops cut so badly that most must not be read
_STRETCHED = 0.15  # share of crops from pictures that somebody gave another shape
_FARTHEST, _TIGHTEST = 0.38, 0.95  # faces off the middle, and faces spanned, beyond which a crop must not be read
_LUMA = (0.114, 0.587, 0.299)
_COLOURED = 0.06  # spread of a hue over the middle of a crop from which pips may show in it


@dataclass(frozen=True)
class Geometry:
    """How crops were cut out of the stored ones: `warp` (n, 2, 3) from normalised output to input places, mirrored?

    `lost` (n,) marks crops too tight or too far off the middle to tell what die they show.
    """

    warp: Tensor
    mirrored: bool
    lost: Tensor


def mix_channels(rng: np.random.Generator, pictures: NDArray[np.uint8]) -> Tensor:
    """Return pictures (n, h, w, 3) as grey crops (n, 1, h, w), 0..1.

    They show the eye's luma, any other mix, the darkest or brightest channel, or a hue: the product reads the darkest
    and brightest channel and redness too. A clear red die's far pips vanish in one of them, and red pips on a black or
    blue die are seen in redness alone.
    """
    count = len(pictures)
    weights = np.where(rng.random((count, 1)) < 0.6, _LUMA, rng.dirichlet([1, 1, 1], count))
    grey = _mixed(pictures, weights)
    kind = rng.random(count)
    dark, light, hued = kind < 0.17, kind > 0.9, np.flatnonzero((kind > 0.75) & (kind < 0.9))
    grey[dark] = pictures[dark].min(3) / np.float32(255)
    grey[light] = pictures[light].max(3) / np.float32(255)
    hue = np.float32(0.5) + _mixed(pictures[hued], _hues(rng, len(hued)))
    middle = hue[:, CROP_PX // 3 : -CROP_PX // 3, CROP_PX // 3 : -CROP_PX // 3]
    coloured = middle.std((1, 2)) > _COLOURED
    grey[hued[coloured]] = hue[coloured]
    return torch.from_numpy(grey)[:, None]


def _hues(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Return weights (n, 3) of BGR that add up to nought: half of them redness, the others any difference of hue."""
    angle = rng.uniform(0, 2 * np.pi, (count, 1))
    any_hue = np.cos(angle) * (0.41, 0.41, -0.82) + np.sin(angle) * (0.71, -0.71, 0.0)
    return np.where(rng.random((count, 1)) < 0.5, (0.0, -1.0, 1.0), any_hue) * rng.uniform(0.7, 1.3, (count, 1))


def _mixed(pictures: NDArray[np.uint8], weights: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the weighted sums (n, h, w) of the channels of pictures (n, h, w, 3), each with its own weights (n, 3)."""
    count, height, width, _ = pictures.shape  # the count may be nought
    flat = pictures.reshape(count, height * width, 3).astype(np.float32)
    mixed = flat @ (weights / 255).astype(np.float32)[:, :, None]
    return np.asarray(mixed.reshape(count, height, width), np.float32)


def _uniform(rng: np.random.Generator, low: float, high: float, count: int) -> Tensor:
    return torch.from_numpy(rng.uniform(low, high, count).astype(np.float32))


def cut_again(rng: np.random.Generator, crops: Tensor) -> tuple[Tensor, Geometry]:
    """Return crops (n, c, 56, 56) spanning about 1.4 faces, turned, resized, stretched, shifted and maybe mirrored.

    One crop in eight is cut far too tight or far off the middle.
    """
    count = len(crops)
    angle = _uniform(rng, 0, 2 * np.pi, count)
    astray = torch.from_numpy(rng.random(count) < _ASTRAY)
    zoom = torch.where(astray, _uniform(rng, -0.8, 0.3, count), _uniform(rng, -0.26, 0.24, count))
    span = READER_FACES / CROP_FACES * torch.exp(zoom)
    reach = torch.where(astray, 0.45, _SHIFT)
    stretched = torch.from_numpy(rng.random(count) < _STRETCHED)
    stretch = torch.exp(torch.where(stretched, _uniform(rng, -0.4, 0.4, count), _uniform(rng, -0.12, 0.12, count)))
    cos, sin = torch.cos(angle) * span, torch.sin(angle) * span
    shift_x, shift_y = (_uniform(rng, -1, 1, count) * reach for _ in range(2))
    rows = [
        torch.stack([cos * stretch, -sin, shift_x * 2 / CROP_FACES], 1),
        torch.stack([sin * stretch, cos, shift_y * 2 / CROP_FACES], 1),
    ]
    warp = torch.stack(rows, 1)
    grid = F.affine_grid(warp, [count, crops.shape[1], READER_PX, READER_PX], align_corners=False)
    cut = F.grid_sample(crops, grid, mode="bilinear", padding_mode="reflection", align_corners=False)
    mirrored = bool(rng.random() < 0.5)
    lost = (torch.hypot(shift_x, shift_y) > _FARTHEST) | (CROP_FACES * span < _TIGHTEST)
    return (cut.flip(3) if mirrored else cut), Geometry(warp, mirrored, lost)


def pip_maps(pips: NDArray[np.float32], geometry: Geometry) -> tuple[Tensor, Tensor]:
    """Return the wanted pip maps (n, 1, 28, 28), a bump of height 1 at each pip that `cut_again` left in the crop.

    Also returns which crops (n,) have lost a pip over their border.
    """
    places = torch.from_numpy(pips)
    there = (places[..., 0] >= 0).float()
    source = (places + 0.5) / (CROP_PX / 2) - 1
    offset = (source - geometry.warp[:, None, :, 2]).transpose(1, 2)
    output = torch.linalg.solve(geometry.warp[:, :, :2], offset).transpose(1, 2)
    if geometry.mirrored:
        output = torch.stack([-output[..., 0], output[..., 1]], 2)
    cells = (output + 1) / 2 * PIP_CELLS - 0.5
    axis = torch.arange(PIP_CELLS).float()
    bump_x = torch.exp(-((axis - cells[..., 0:1]) ** 2) / (2 * _PIP_SIGMA**2))
    bump_y = torch.exp(-((axis - cells[..., 1:2]) ** 2) / (2 * _PIP_SIGMA**2))
    bumps = bump_y[..., :, None] * bump_x[..., None, :] * there[..., None, None]
    outside = ((output.abs() > 0.97).any(2) & (there > 0)).any(1)
    return bumps.amax(1, keepdim=True), outside


def _smooth(crops: Tensor, sigma: float) -> Tensor:
    """Return grey crops after a Gaussian blur of `sigma` px."""
    kernel = torch.exp(-(torch.arange(-3, 4.0) ** 2) / (2 * sigma**2))
    kernel = kernel / kernel.sum()
    across = F.conv2d(crops, kernel.view(1, 1, 1, 7), padding=(0, 3))
    return F.conv2d(across, kernel.view(1, 1, 7, 1), padding=(3, 0))


def _resolve_less(rng: np.random.Generator, crops: Tensor) -> Tensor:
    """Return crops as a coarser camera, a soft lens or a camera that sharpens would give them."""
    kind = rng.random()
    if kind < 0.35:
        size = int(READER_PX / rng.uniform(1.1, 2.2))
        small = F.interpolate(crops, size=(size, size), mode="area")
        crops = F.interpolate(small, size=(READER_PX, READER_PX), mode="bilinear", align_corners=False)
    elif kind < 0.55:
        crops = _smooth(crops, float(rng.uniform(0.4, 1.3)))
    if rng.random() < 0.35:
        crops = crops + float(rng.uniform(0.3, 1.6)) * (crops - _smooth(crops, float(rng.uniform(0.7, 1.6))))
    return crops


def _relight(rng: np.random.Generator, crops: Tensor) -> Tensor:
    """Return crops with another tone curve, now and then as negatives, under a slope of light, with noise."""
    count = len(crops)
    crops = crops.clamp(0, 1) ** torch.exp(_uniform(rng, -0.4, 0.4, count)).view(-1, 1, 1, 1)
    negative = torch.from_numpy(rng.random(count) < 0.3).view(-1, 1, 1, 1)
    crops = torch.where(negative, 1 - crops, crops)
    if rng.random() < 0.6:
        slope = torch.linspace(-1, 1, READER_PX)
        crops = crops * (1 + _uniform(rng, -0.4, 0.4, count).view(-1, 1, 1, 1) * slope.view(1, 1, 1, -1))
        crops = crops + _uniform(rng, -0.2, 0.2, count).view(-1, 1, 1, 1) * slope.view(1, 1, -1, 1)
    if rng.random() < 0.6:
        crops = crops + torch.randn_like(crops) * _uniform(rng, 0, 0.05, count).view(-1, 1, 1, 1)
    if rng.random() < 0.08:  # rare: a patch looks like a pip
        top, left = rng.integers(0, READER_PX - 6, 2)
        crops[:, :, top : top + rng.integers(2, 5), left : left + rng.integers(2, 5)] = float(rng.random())
    return crops


def augment(
    rng: np.random.Generator, pictures: NDArray[np.uint8], values: NDArray[np.int64], pips: NDArray[np.float32]
) -> tuple[Tensor, Tensor, Tensor]:
    """Return what the reader is to see (n, 1, 56, 56), and the values (n,) and pip maps (n, 1, 28, 28) it is to answer.

    `pictures` are stored crops uint8 (n, 72, 72, 3) BGR, `values` what they show, `pips` their pip places (n, 6, 2), -1
    for none.
    Noise comes from torch's own generator: seed it for a repeatable run.
    """
    crops, geometry = cut_again(rng, mix_channels(rng, pictures))
    maps, outside = pip_maps(pips, geometry)
    wanted = torch.from_numpy(values).masked_fill(geometry.lost | outside, UNREADABLE)
    return normalise(_relight(rng, _resolve_less(rng, crops))), wanted, maps
