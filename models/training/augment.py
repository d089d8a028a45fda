"""Makes a batch of crops harder than any camera would: turned, resized, in any mix of channels, blurred and noisy."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from models.training.drawn import CROP_FACES, CROP_PX
from models.training.networks import normalise_crops
from models.training.scene import UNREADABLE
from vision.look import HUES, LUMA
from vision.network import CROP_FACES as READER_FACES
from vision.network import CROP_PX as READER_PX
from vision.network import PIP_CELLS

_PIP_SIGMA = 0.057 * PIP_CELLS / READER_FACES  # of the bump that marks a pip's centre, in cells of the pip map
_SHIFT = 0.16  # faces that the locator's middle may be off the top face's: it also sees the sides
_ASTRAY = 0.12  # share of crops cut so badly that most must not be read
_STRETCHED = 0.15  # share of crops from pictures that somebody gave another shape
_FARTHEST, _TIGHTEST = 0.38, 0.95  # faces off the middle, and faces spanned, beyond which a crop must not be read
_IN_COLOUR = 0.5
_REPAINTED = 0.3  # share of coloured crops whose hues are turned into any others
_SMOOTH_REACH = 3  # px
_COLOURED = 0.06  # spread of a hue over the middle of a crop from which pips may show in it


@dataclass(frozen=True)
class Geometry:
    """How crops were cut out of the stored ones: `warp` (n, 2, 3) from normalised output to input places, mirrored?

    `lost` (n,) marks crops too tight or too far off the middle to tell what die they show.
    """

    warp: Tensor
    mirrored: bool
    lost: Tensor


def mix_channels(rng: np.random.Generator, pictures: Tensor) -> Tensor:
    """Return pictures uint8 (n, h, w, 3) as crops (n, 3, h, w): grey, 0..1, and two differences of hue.

    The product reads crops in colour, and in luma, the darkest or the lightest channel alone. So half show their hues
    beside luma or another mix, and half a channel or a hue alone: the pip map learns from the latter, too. A clear red
    die's far pips vanish in one of the channels, and red pips on a black or blue die are seen in hue alone.
    """
    flat = pictures.permute(0, 3, 1, 2).float() / 255
    count = len(flat)
    weights = np.where(rng.random((count, 1)) < 0.6, LUMA, rng.dirichlet([1, 1, 1], count))
    grey = _mixed(flat, weights)
    kind, in_colour = rng.random(count), rng.random(count) < _IN_COLOUR
    dark, light, hued = (
        _indices(chosen & ~in_colour, flat) for chosen in (kind < 0.17, kind > 0.9, (kind > 0.75) & (kind < 0.9))
    )
    grey[dark] = flat[dark].amin(1)
    grey[light] = flat[light].amax(1)
    hue = 0.5 + _mixed(flat[hued], _hues(rng, len(hued)))
    middle = hue[:, CROP_PX // 3 : -CROP_PX // 3, CROP_PX // 3 : -CROP_PX // 3]
    coloured = (middle.flatten(1).std(1) > _COLOURED).view(-1, 1, 1)
    grey[hued] = torch.where(coloured, hue, grey[hued])
    shown = _indices(in_colour, flat)
    hues = torch.zeros(count, 2, *flat.shape[2:], device=flat.device)
    hues[shown] = _two_hues(rng, flat[shown])
    return torch.cat([grey[:, None], hues], 1)


def _indices(chosen: NDArray[np.bool_], like: Tensor) -> Tensor:
    return torch.from_numpy(np.flatnonzero(chosen)).to(like.device)


def _hues(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Return weights (n, 3) of BGR that add up to nought: half of them redness, the others any difference of hue."""
    angle = rng.uniform(0, 2 * np.pi, (count, 1))
    any_hue = np.cos(angle) * (0.41, 0.41, -0.82) + np.sin(angle) * (0.71, -0.71, 0.0)
    return np.where(rng.random((count, 1)) < 0.5, (0.0, -1.0, 1.0), any_hue) * rng.uniform(0.7, 1.3, (count, 1))


def _two_hues(rng: np.random.Generator, flat: Tensor) -> Tensor:
    """Return the two hues (n, 2, h, w) of pictures (n, 3, h, w), under another lamp and at times for other paints.

    A film keeps hues at half the resolution or less, so most are coarser than the grey.
    """
    count = len(flat)
    lamp = np.exp(rng.normal(0, 0.12, (count, 3)))
    red, blue = (_mixed(flat, np.array(weights) * lamp) for weights in HUES)
    turn = np.where(rng.random(count) < _REPAINTED, rng.uniform(0, 2 * np.pi, count), rng.normal(0, 0.2, count))
    strength = np.exp(rng.uniform(-1.0, 0.4, count))
    cos, sin = (_column(part, flat) for part in (np.cos(turn) * strength, np.sin(turn) * strength))
    hues = torch.stack([cos * red - sin * blue, sin * red + cos * blue], 1)
    if count and rng.random() < 0.7:
        size = int(CROP_PX / rng.uniform(1.2, 3.5))
        small = F.interpolate(hues, size=(size, size), mode="area")
        hues = F.interpolate(small, size=(CROP_PX, CROP_PX), mode="bilinear", align_corners=False)
    return hues


def _column(numbers: NDArray[np.float64], like: Tensor) -> Tensor:
    """Return numbers (n,) as (n, 1, 1) beside a tensor."""
    return torch.from_numpy(numbers.astype(np.float32)).to(like.device).view(-1, 1, 1)


def _mixed(flat: Tensor, weights: NDArray[np.float64]) -> Tensor:
    """Return the weighted sums (n, h, w) of the channels of pictures (n, 3, h, w), each with its own weights (n, 3)."""
    return torch.einsum("nchw,nc->nhw", flat, torch.from_numpy(weights.astype(np.float32)).to(flat.device))


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
    shape = [count, crops.shape[1], READER_PX, READER_PX]
    grid = F.affine_grid(warp.to(crops.device), shape, align_corners=False)
    cut = F.grid_sample(crops, grid, mode="bilinear", padding_mode="reflection", align_corners=False)
    mirrored = bool(rng.random() < 0.5)
    lost = (torch.hypot(shift_x, shift_y) > _FARTHEST) | (CROP_FACES * span < _TIGHTEST)
    return (cut.flip(3) if mirrored else cut), Geometry(warp, mirrored, lost)


def pip_maps(pips: NDArray[np.float32], geometry: Geometry, device: torch.device) -> tuple[Tensor, Tensor]:
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
    outside = ((output.abs() > 0.97).any(2) & (there > 0)).any(1)
    cells, there = cells.to(device), there.to(device)
    axis = torch.arange(PIP_CELLS, device=device).float()
    bump_x = torch.exp(-((axis - cells[..., 0:1]) ** 2) / (2 * _PIP_SIGMA**2))
    bump_y = torch.exp(-((axis - cells[..., 1:2]) ** 2) / (2 * _PIP_SIGMA**2))
    bumps = bump_y[..., :, None] * bump_x[..., None, :] * there[..., None, None]
    return bumps.amax(1, keepdim=True), outside


def _smooth(crops: Tensor, sigma: float) -> Tensor:
    """Return crops after a Gaussian blur of `sigma` px: by matrices, which take less time than convolving."""
    place = torch.arange(float(READER_PX), device=crops.device)
    apart = place[:, None] - place
    weight = torch.exp(-(apart**2) / (2 * sigma**2)) * (apart.abs() <= _SMOOTH_REACH)
    band = weight / weight[READER_PX // 2].sum()
    return band @ crops @ band


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
    """Return crops with another tone curve, now and then as negatives, under a slope of light, with noise.

    Hues that are none stay none: there is no noise in what no camera gave.
    """
    count, device = len(crops), crops.device

    def each(low: float, high: float) -> Tensor:
        return _uniform(rng, low, high, count).to(device).view(-1, 1, 1, 1)

    grey, hues = crops[:, :1].clamp(0, 1) ** torch.exp(each(-0.4, 0.4)), crops[:, 1:]
    in_colour = (hues != 0).flatten(1).any(1).view(-1, 1, 1, 1)
    grey = torch.where(torch.from_numpy(rng.random(count) < 0.3).to(device).view(-1, 1, 1, 1), 1 - grey, grey)
    crops = torch.cat([grey, hues], 1)
    if rng.random() < 0.6:
        slope = torch.linspace(-1, 1, READER_PX, device=device)
        crops = crops * (1 + each(-0.4, 0.4) * slope.view(1, 1, 1, -1))
        crops[:, :1] += each(-0.2, 0.2) * slope.view(1, 1, -1, 1)
    if rng.random() < 0.6:
        crops = crops + torch.randn_like(crops) * each(0, 0.05)
    if rng.random() < 0.08:  # rare: a patch looks like a pip
        top, left = rng.integers(0, READER_PX - 6, 2)
        crops[:, :1, top : top + rng.integers(2, 5), left : left + rng.integers(2, 5)] = float(rng.random())
    return torch.cat([crops[:, :1], crops[:, 1:] * in_colour], 1)


def augment(
    rng: np.random.Generator, pictures: Tensor, values: NDArray[np.int64], pips: NDArray[np.float32]
) -> tuple[Tensor, Tensor, Tensor]:
    """Return what the reader is to see (n, 3, 56, 56), and the values (n,) and pip maps (n, 1, 28, 28) it is to answer.

    `pictures` are stored crops uint8 (n, 72, 72, 3) BGR, `values` what they show, `pips` their pip places (n, 6, 2), -1
    for none. What is returned lies on the device of the pictures.
    Noise comes from torch's own generator: seed it for a repeatable run.
    """
    crops, geometry = cut_again(rng, mix_channels(rng, pictures))
    maps, outside = pip_maps(pips, geometry, pictures.device)
    wanted = torch.from_numpy(values).masked_fill(geometry.lost | outside, UNREADABLE).to(pictures.device)
    return normalise_crops(_relight(rng, _resolve_less(rng, crops))), wanted, maps
