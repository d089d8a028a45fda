"""Marks the pips of photographed dice, of which only the values are labelled, with a reader that never saw them.

A crop is marked where the reader sees exactly as many pips as the label says and no doubtful one besides; elsewhere the
pips stay unknown and the crop teaches its value alone.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from models.training.drawn import CROP_FACES, CROP_PX, MOST_PIPS, NO_PIP, Crops
from models.training.networks import normalise_crops
from vision.look import HUES, LUMA
from vision.network import CROP_FACES as READER_FACES
from vision.network import CROP_PX as READER_PX
from vision.network import PIP_CELLS

_CLEAR, _FAINT = 0.4, 0.2
_BATCH = 256


def _to_tensor(pictures: NDArray[np.uint8]) -> Tensor:
    """Return pictures (n, h, w, 3) as float (n, 3, h, w), 0..1."""
    return torch.from_numpy(np.ascontiguousarray(pictures)).permute(0, 3, 1, 2).float() / 255


def _pip_chances(network: nn.Module, crops: Tensor) -> Tensor:
    """Return maps (n, 28, 28) of pip chances, the mean over four turns."""
    total = torch.zeros(len(crops), PIP_CELLS, PIP_CELLS)
    for turn in range(4):
        pips = torch.sigmoid(network(torch.rot90(crops, turn, (2, 3)))[1])
        total += torch.rot90(pips, -turn, (2, 3))[:, 0]
    return total / 4


def _as_read(crops: Crops, begin: int) -> Tensor:
    """Return stored crops as the product would show them to the reader: in colour, 56 px over 1.4 faces."""
    colours = _to_tensor(crops.pictures[begin : begin + _BATCH])
    shown = torch.einsum("nchw,kc->nkhw", colours, torch.tensor([LUMA, *HUES]))
    span = READER_FACES / CROP_FACES
    warp = torch.tensor([[span, 0, 0], [0, span, 0]]).expand(len(shown), 2, 3)
    grid = F.affine_grid(warp, [len(shown), 3, READER_PX, READER_PX], align_corners=False)
    return normalise_crops(F.grid_sample(shown, grid, mode="bilinear", align_corners=False))


@torch.no_grad()  # type: ignore[untyped-decorator]
def mark_pips(network: nn.Module, crops: Crops) -> Crops:
    """Return the crops with the pips of all that the reader is clear about."""
    pips = np.full((len(crops.values), MOST_PIPS, 2), NO_PIP, np.float32)
    known = np.zeros(len(crops.values), np.float32)
    for begin in range(0, len(crops.values), _BATCH):
        chances = _pip_chances(network, _as_read(crops, begin))
        peaks = torch.where(chances == F.max_pool2d(chances[:, None], 3, 1, 1)[:, 0], chances, torch.tensor(0.0))
        heights, places = peaks.flatten(1).topk(MOST_PIPS + 1)
        for i in range(len(chances)):
            value = int(crops.values[begin + i])
            if value and heights[i, value - 1] > _CLEAR and heights[i, value] < _FAINT:
                pips[begin + i, :value] = _in_crop(places[i, :value])
                known[begin + i] = 1
    return Crops(crops.pictures, crops.values, pips, known)


def _in_crop(places: Tensor) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return flat indices of the pip map (n,) as places (n, 2) in px of a stored crop."""
    cells = np.stack([places.numpy() % PIP_CELLS, places.numpy() // PIP_CELLS], 1)
    span = CROP_PX * READER_FACES / CROP_FACES
    return np.asarray((cells + 0.5) / PIP_CELLS * span + (CROP_PX - span) / 2 - 0.5, np.float32)
