"""The gauge: its network in torch, what it is trained on, and how it is written with its card.

Every set of dice is taken to be larger or smaller than it is, each die to lie elsewhere and turned, and the camera to
be higher or lower; the network tells the size from what it sees all the same. Dice are mirrored, their sides and the
picture's colours changed for one another.
"""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from calibration.flat import LAYERS, SIDE, Flat, lay_flat, layers
from calibration.gauge import CARD, HEIGHT_DOUBT, KNOWN, NETWORK, TAPED
from models.calibration.examples import Laid, LaidDie
from models.training.export import shorten
from models.training.optimise import Plan, in_bfloat16, load_weights, train
from vision.network import interface

PLAN = Plan(steps=16000, rate=1.5e-3, weight_decay=1e-2, warmup=0.1, averaging=0.997, clip=20.0)
AGAIN = replace(PLAN, steps=7000, rate=6e-4, averaging=0.999, seed=1)
"""A network that has learnt goes over all of it once more, in smaller steps."""
SETS, DICE = 12, 4
"""Of a batch: sets of dice, and dice of each."""
LARGER, ASIDE, TURNED, HIGHER = 0.045, 0.03, 0.05, 0.09
"""Spreads: logarithm of the edge, place in edges, turn in radians, logarithm of the camera's height (a Student's t)."""
MEASURED, TAPED_HIGHER = 0.5, TAPED / 2
"""This share of the sets is seen from a height that people measured; the spread of its logarithm."""
NEARER, NEAR = 0.25, 0.5
"""Once it has looked, the dice are known so much better: this share of the first three spreads, for every other set."""
BRIGHTER = (0.8, 1.15)
WIDTHS, NARROW, FEATURES = (48, 80, 96), 32, 128
SIZE_UNIT, USUAL_SPREAD = 0.05, -3.9
COVERED = 0.95

FloatArray = NDArray[np.float32]


def _block(inputs: int, outputs: int, kernel: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class _Residual(nn.Module):  # type: ignore[misc]
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _block(width, width, 3, 1)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, maps: Tensor) -> Tensor:
        """The maps with what their neighbourhoods add to them."""
        seen: Tensor = torch.relu(maps + self.second(self.first(maps)))
        return seen


class GaugeNetwork(nn.Module):  # type: ignore[misc]  # torch is not there when types are checked
    """Sees k dice of each of n sets: flat pictures (n, k, LAYERS, SIDE, SIDE), what is known of them (n, k, KNOWN)."""

    def __init__(self) -> None:
        super().__init__()
        first, second, third = WIDTHS
        self.half = in_bfloat16(torch.cpu.get_capabilities())
        self.conv = nn.Sequential(
            _block(LAYERS, first, 5, 2),
            _Residual(first),
            _block(first, second, 3, 2),
            _Residual(second),
            _Residual(second),
            _block(second, third, 3, 2),
            _Residual(third),
            _block(third, NARROW, 1, 1),
        )
        self.own = nn.Sequential(nn.Linear((SIDE // 8) ** 2 * NARROW + KNOWN, FEATURES), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(2 * FEATURES, 64), nn.ReLU(), nn.Linear(64, 2))
        self.solo = nn.Linear(FEATURES, 4)
        self.all = nn.Sequential(nn.Linear(FEATURES, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, seen: Tensor, known: Tensor) -> tuple[Tensor, ...]:
        """Of each set (n,) the logarithm by which its edge is larger, and that of its spread; of each die (n, k) the
        first by itself, and (n, k, 3) how it lies aside and is turned."""
        sets, dice = seen.shape[:2]
        with torch.autocast("cpu", torch.bfloat16, enabled=self.training and self.half):
            maps = self.conv(seen.reshape(sets * dice, LAYERS, SIDE, SIDE)).flatten(1)
        along, across, face, above, doubt = known.reshape(sets * dice, KNOWN).unbind(1)
        told = torch.stack([along, across, (face - 32) / 12, 20 * above - 0.5, 5 * doubt - 1], 1)
        own = self.own(torch.cat([maps.float(), told], 1)).reshape(sets, dice, -1)
        common = own.mean(1, keepdim=True)
        each = self.head(torch.cat([own, common.expand_as(own)], 2))
        larger = (each[..., 0] * torch.softmax(each[..., 1], 1)).sum(1) * SIZE_UNIT
        solo = self.solo(own)
        spread = self.all(common[:, 0])[:, 0] + USUAL_SPREAD
        return larger, spread, solo[..., 0] * SIZE_UNIT, solo[..., 1:] * SIZE_UNIT


class Served(nn.Module):  # type: ignore[misc]
    """What of its answers is used: edge, spread, place and turn."""

    def __init__(self, network: GaugeNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, seen: Tensor, known: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """As the network's."""
        larger, spread, _, aside = self.network(seen, known)
        return larger, spread, aside


def batch(
    laid: Sequence[Laid], rng: np.random.Generator, dice: int, spreads: float = 1.0, known_well: float = NEAR
) -> tuple[FloatArray, ...]:
    """So many dice of each set, as the network takes them, and the truth: larger (n,), aside (n, dice, 3).

    `spreads`: share of the usual ones by which edge and height are off. `known_well`: share of the sets that are known
    as dice are that were looked at before.
    """
    seen, known = np.zeros((len(laid), dice, LAYERS, SIDE, SIDE)), np.zeros((len(laid), dice, KNOWN))
    aside, larger = np.zeros((len(laid), dice, 3)), np.zeros(len(laid))
    for k, one in enumerate(laid):
        near = NEARER if rng.random() < known_well else 1.0
        larger[k] = near * spreads * rng.normal() * LARGER
        taped = rng.random() < MEASURED
        off = rng.normal() * TAPED_HIGHER if taped else rng.standard_t(3) * HIGHER
        higher = float(np.clip(spreads * off, -0.9, 0.6))
        chosen = rng.choice(len(one.dice), dice, replace=len(one.dice) < dice)
        look = rng.permutation(3), float(rng.uniform(*BRIGHTER))
        for j, die in enumerate(one.dice[i] for i in chosen):
            flat, aside[k, j] = _mistaken(one, die, float(larger[k]), near, higher, rng)
            flat = _recoloured(flat, *look)
            if rng.random() < 0.5:
                flat = Flat(flat.picture[:, ::-1], flat.empty[:, ::-1], flat.known * (-1, 1, 1, 1))
                aside[k, j] *= (-1, 1, -1)
            seen[k, j], known[k, j] = layers(flat), [*flat.known, TAPED if taped else HEIGHT_DOUBT]
    return tuple(np.asarray(array, np.float32) for array in (seen, known, larger, aside))


def _mistaken(
    one: Laid, die: LaidDie, larger: float, near: float, higher: float, rng: np.random.Generator
) -> tuple[Flat, NDArray[np.float64]]:
    """The die laid flat by wrong beliefs, `near` the share by which it is aside, and how it then lies aside."""
    edge = one.edge * math.exp(-larger)
    off = near * np.array([*rng.normal(size=2) * ASIDE * one.edge, rng.normal() * TURNED])
    pose = die.pose + off + (0, 0, int(rng.integers(4)) * math.pi / 2)
    height = one.lens.place[2]
    above = (height - edge) * math.exp(-higher)
    grown = (1 + edge / above) / (1 + edge / (height - edge))  # a nearer top is seen larger beside the floor
    flat = lay_flat(die.picture, die.empty, die.lens(one.lens), pose, edge, grown)
    known = flat.known.copy()
    known[:2] *= math.exp(higher)
    known[3] = edge / above
    cos, sin = math.cos(pose[2]), math.sin(pose[2])
    back = np.array([[cos, sin], [-sin, cos]]) @ -off[:2] / edge
    return Flat(flat.picture, flat.empty, known), np.array([*back, -off[2]])


def _recoloured(flat: Flat, order: NDArray[np.intp], brighter: float) -> Flat:
    seen, empty = (
        np.clip(image[..., order] * brighter, 0, 255).astype(np.uint8) for image in (flat.picture, flat.empty)
    )
    return Flat(seen, empty, flat.known)


def learn(laid: Sequence[Laid], checkpoint: Path) -> GaugeNetwork:
    """Train a network on these sets in two rounds; it goes on from the checkpoint of either."""
    network = GaugeNetwork()
    network.to(memory_format=torch.channels_last)  # a quarter faster on a processor

    def loss(trained: nn.Module, rng: np.random.Generator) -> Tensor:
        sets = [laid[k] for k in rng.choice(len(laid), min(SETS, len(laid)), replace=False)]
        seen, known, larger, aside = map(torch.from_numpy, batch(sets, rng, DICE))
        told, spread, solo, lies = trained(seen, known)
        off = (told - larger).abs()
        sizes = 40 * (off.mean() + (solo - larger[:, None]).abs().mean())
        return sizes + 10 * (lies - aside).abs().mean() + 0.3 * (off * torch.exp(-spread) + spread).mean()

    first = checkpoint.with_stem(f"{checkpoint.stem}-first")
    if first.exists():
        load_weights(network, first)
    else:
        train(network, loss, PLAN, first)
    train(network, loss, AGAIN, checkpoint)
    return network


def errors(network: GaugeNetwork, laid: Sequence[Laid]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far off it is on sets that it has not learnt, as logarithms (n,), and the spreads (n,) that it tells."""
    rng = np.random.default_rng(5)
    seen, known, larger, _ = map(torch.from_numpy, batch(laid, rng, DICE + 3, 0.7, 0.0))
    with torch.no_grad():
        told, spread, *_ = network.eval()(seen, known)
    return (told - larger).numpy().astype(np.float64), spread.exp().numpy().astype(np.float64)


def export(network: GaugeNetwork, learnt: int, laid: Sequence[Laid], folder: Path) -> None:
    """Write the network, which has learnt so many sets, and its card with how far off it is on `laid`, other ones."""
    path, seen, known = folder / NETWORK, torch.zeros(4, 5, LAYERS, SIDE, SIDE), torch.zeros(4, 5, KNOWN)
    sides = {0: "sets", 1: "dice"}
    axes = dict.fromkeys(("seen", "known", "aside"), sides) | {name: {0: "sets"} for name in ("larger", "spread")}
    torch.onnx.export(
        Served(network).eval(), (seen, known), str(path), input_names=["seen", "known"],
        output_names=["larger", "spread", "aside"], dynamic_axes=axes, opset_version=18, dynamo=False,
    )  # fmt: skip
    shorten(path, to_bytes=False)
    off, spread = errors(network, laid)
    factor = float(np.quantile(np.abs(off) / spread, COVERED))
    said = {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), **interface(path)}
    figures = {f"within_{share}": round(float(np.quantile(np.abs(off), share / 100)), 4) for share in (50, 90, 95, 99)}
    card = {"files": {NETWORK: said}, "doubted": round(factor, 3), "learnt_sets": learnt}
    card |= {"measured_sets": len(laid), "off": figures}
    (folder / CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
