"""Trains the reader: first on drawn dice alone, then on drawn dice and the photographs whose licence allows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.training.augment import augment
from models.training.drawn import Crops
from models.training.networks import Reader
from models.training.optimise import Plan, in_bfloat16, load_weights, train

BATCH = 256
"""Crops that a step of training looks at."""

_LABEL_SMOOTHING = 0.02  # a little doubt about every label: some photographs are labelled wrongly
_PIP_WEIGHT = 3.0
_PIP_CELL_WEIGHT = 4.0  # cells of pip are rare among the 576 of a map


@dataclass(frozen=True)
class Share:
    """One set of crops and its weight in a batch."""

    crops: Crops
    weight: float


def drawn_plan(steps: int, seed: int = 0) -> Plan:
    """Return how to train on drawn dice from nothing."""
    return Plan(steps, rate=3e-3, weight_decay=0.02, warmup=0.15, averaging=0.998, clip=2.0, seed=seed)


def mixed_plan(steps: int, seed: int = 1) -> Plan:
    """Return how to go on with photographs."""
    return Plan(steps, rate=2e-3, weight_decay=0.02, warmup=0.15, averaging=0.998, clip=2.0, seed=seed)


def reader_loss(answers: tuple[Tensor, Tensor], values: Tensor, wanted_pips: Tensor, known_pips: Tensor) -> Tensor:
    """Return the loss of answers (logits (n, 7), pip logits (n, 1, 28, 28)).

    `known_pips` (n,) is 1 for crops whose pips are known and 0 for those that teach the value alone.
    """
    logits, pips = answers
    naming = F.cross_entropy(logits, values, label_smoothing=_LABEL_SMOOTHING)
    weight = torch.tensor(_PIP_CELL_WEIGHT, device=pips.device)
    cells = F.binary_cross_entropy_with_logits(pips, wanted_pips, reduction="none", pos_weight=weight)
    per_crop = cells.mean((1, 2, 3))
    return naming + _PIP_WEIGHT * (per_crop * known_pips).sum() / known_pips.sum().clamp(min=1)


class _Batches:
    """Draws batches from several sets of crops by weight."""

    def __init__(self, shares: Sequence[Share], batch: int, device: torch.device):
        self._shares, self._batch, self._device = shares, batch, device
        self._pictures = [torch.from_numpy(share.crops.pictures).to(device) for share in shares]
        weights = np.array([s.weight for s in shares])
        self._odds = weights / weights.sum()
        self._half = device.type != "cpu" or in_bfloat16(torch.cpu.get_capabilities())

    def __call__(self, network: nn.Module, rng: np.random.Generator) -> Tensor:
        pictures, values, pips, known = [], [], [], []
        counts = rng.multinomial(self._batch, self._odds)
        for share, stored, count in zip(self._shares, self._pictures, counts, strict=True):
            if count == 0:
                continue
            crops = share.crops
            chosen = rng.integers(0, len(crops.values), count)
            pictures.append(stored[torch.from_numpy(chosen).to(self._device)])
            values.append(crops.values[chosen])
            pips.append(crops.pips[chosen])
            known.append(crops.known_pips[chosen])
        seen, wanted, maps = augment(rng, torch.cat(pictures), np.concatenate(values), np.concatenate(pips))
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._half):
            logits, pip_logits = network(seen.contiguous(memory_format=torch.channels_last))
        marked = torch.from_numpy(np.concatenate(known)).to(self._device)
        return reader_loss((logits.float(), pip_logits.float()), wanted, maps, marked)


def train_reader(
    shares: Sequence[Share], plan: Plan, checkpoint: Path, start: Path | None = None, batch: int = BATCH
) -> None:
    """Train a reader on shares of crops, from the weights of `start` if given, into `checkpoint`."""
    torch.set_num_threads(1)
    torch.manual_seed(plan.seed)
    network = Reader()
    if start is not None:
        load_weights(network, start)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = network.to(device, memory_format=torch.channels_last)
    train(network, _Batches(shares, batch, device), plan, checkpoint)
