"""The leaner: its network in torch, what it is trained on, and how it is written with its card.

Views are mirrored, and the picture in them shifted, turned, enlarged, sharpened and lit a little otherwise than what a
flat die would show: so the network does not learn how well drawn pictures are measured.
"""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime as ort
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.lean.examples import BESIDE, ON, Examples
from models.training.export import shorten
from models.training.optimise import Plan, train
from models.tray.errors import TrayError
from vision.leaner import SHOWN
from vision.network import CARD_FORMAT, LEANER, LEANER_CARD, VIEW_MAPS, VIEW_PX, Limits, interface

Array = npt.NDArray[np.float64]

PLAN = Plan(steps=12000, rate=4e-3, weight_decay=1e-3, warmup=0.1, averaging=0.998, clip=5.0)
BATCH = 64
WIDTHS = (12, 16, 24)
LEFT_OUT = 0.2
"""Of its answers' parts while it is trained."""
SURE = 0.01
"""What it should tell at most is so near to nought or one."""
PICTURE = 3
"""Maps that come from the picture; the others come from the calibration."""
SHIFTED, TURNED, ENLARGED = 0.015, 0.025, 0.02
"""Spreads by which the picture lies aside, in halves of a view, is turned, in radians, and larger or smaller."""
CONTRAST, LIGHTER, NOISE, SHARPER = 0.12, 0.05, 0.05, (-0.5, 0.8)
MAY_BE_DOUBTED, MAY_BE_PLAIN = 1 / 200, 1 / 4000
"""Shares of the views of flat dice that may be doubted, and called leaning: chosen."""
LEAST_PLAIN = 0.9
TILTS = ((8.0, 12.0), (12.0, 20.0), (20.0, 45.0))
"""Degrees by which dice lean of which the card tells apart how many it misses."""
FEWEST = 100
"""Views of a kind that tell anything."""


class LeanerNetwork(nn.Module):  # type: ignore[misc]  # torch is not there when types are checked
    """Views (n, 7, 48, 48) to logits (n, 2) of the chances that a die leans on what is up, and that it lies on one."""

    def __init__(self) -> None:
        super().__init__()
        blocks, inputs = list[nn.Module](), VIEW_MAPS
        for width in WIDTHS:
            blocks += [nn.Conv2d(inputs, width, 3, 2, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
            inputs = width
        self.look = nn.Sequential(*blocks, nn.Flatten(), nn.Dropout(LEFT_OUT))
        self.answer = nn.Linear(inputs * (VIEW_PX // 2 ** len(WIDTHS)) ** 2, 2)

    def forward(self, views: Tensor) -> Tensor:
        """Return the logits."""
        logits: Tensor = self.answer(self.look(views))
        return logits


def learn(examples: Examples, checkpoint: Path) -> LeanerNetwork:
    """Train a network on these; it goes on from its checkpoint. Raises TrayError where they are too few."""
    wanted = np.column_stack([examples.tilts > 0, examples.stacked])
    asked = np.column_stack([~np.isnan(examples.tilts), np.ones(len(wanted), np.bool_)])
    if min(*wanted.sum(axis=0), (~wanted.any(axis=1)).sum()) < FEWEST:
        raise TrayError(f"the seeds show fewer than {FEWEST} flat, leaning or stacked dice: give more of them")
    network = LeanerNetwork()
    network.to(memory_format=torch.channels_last)

    def loss(trained: nn.Module, rng: np.random.Generator) -> Tensor:
        chosen = rng.integers(len(wanted), size=BATCH)
        told = trained(varied(as_maps(examples.views[chosen])))
        right = torch.from_numpy(np.where(wanted[chosen], 1 - SURE, SURE).astype(np.float32))
        counts = torch.from_numpy(asked[chosen].astype(np.float32))
        return F.binary_cross_entropy_with_logits(told, right, counts)

    train(network, loss, PLAN, checkpoint)
    return network


def as_maps(views: npt.NDArray[np.uint8]) -> Tensor:
    """Views kept as bytes as the network takes them."""
    least, most = SHOWN
    return torch.from_numpy(views.astype(np.float32) / 255 * (most - least) + least)


def varied(views: Tensor) -> Tensor:
    """Views (n, 7, 48, 48), each as another table would show it."""
    n = len(views)
    views = torch.where((torch.rand(n) < 0.5)[:, None, None, None], views.flip(3), views)
    turn, grown = torch.randn(n) * TURNED, 1 + torch.randn(n) * ENLARGED
    cos, sin = grown * torch.cos(turn), grown * torch.sin(turn)
    aside = torch.randn(n, 2) * SHIFTED
    warp = torch.stack([torch.stack([cos, -sin, aside[:, 0]], 1), torch.stack([sin, cos, aside[:, 1]], 1)], 1)
    grid = F.affine_grid(warp, [n, PICTURE, VIEW_PX, VIEW_PX], align_corners=False)
    seen = F.grid_sample(views[:, :PICTURE], grid, padding_mode="border", align_corners=False)
    sharper = torch.empty(n, 1, 1, 1).uniform_(*SHARPER)
    seen = seen + sharper * (seen - F.avg_pool2d(seen, 3, 1, 1, count_include_pad=False))
    seen = seen * (1 + torch.randn(n, PICTURE, 1, 1) * CONTRAST) + torch.randn(n, PICTURE, 1, 1) * LIGHTER
    seen = seen + torch.randn_like(seen) * torch.rand(n, 1, 1, 1) * NOISE
    return torch.cat([seen.clamp(*SHOWN), views[:, PICTURE:]], 1)


def export(network: LeanerNetwork, learnt: str, kept_back: str, examples: Examples, folder: Path) -> None:
    """Write the network, which has learnt from some seeds, and its card: with the thresholds that examples of the seeds
    kept back give, and what it tells of those."""
    path = folder / LEANER
    torch.onnx.export(
        network.eval(), (torch.zeros(2, VIEW_MAPS, VIEW_PX, VIEW_PX),), str(path), input_names=["x"],
        output_names=["logits"], dynamic_axes={name: {0: "views"} for name in ("x", "logits")}, opset_version=18,
        dynamo=False,
    )  # fmt: skip
    shorten(path, to_bytes=True)
    told, content = chances(path, examples), path.read_bytes()
    beside, flat = examples.on != ON["below"], examples.tilts == 0
    leaning, stacked = _limits(told[beside & flat, 0]), _limits(told[~beside & flat, 1])
    wheres = {"at_walls": examples.on == ON["wall"], "beside_dice": examples.on == BESIDE}
    card = {
        "format": CARD_FORMAT,
        "files": {LEANER: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), **interface(path)}},
        "thresholds": {
            f"{name}_{limit}": value
            for name, limits in (("leaning", leaning), ("stacked", stacked))
            for limit, value in asdict(limits).items()
        },
        "learnt_from": learnt,
        "kept_back": kept_back,
        "figures": {
            **{name: _leaning(told[where, 0], examples.tilts[where], leaning) for name, where in wheres.items()},
            "stacked": {
                name: _counts(told[~beside & which, 1], stacked)
                for name, which in (("flat", flat), ("stacked", examples.stacked))
            },
        },
    }
    (folder / LEANER_CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


def _limits(flat: Array) -> Limits:
    """The limits that so few of these chances of flat dice pass as may."""
    doubted, plain = (float(np.quantile(flat, 1 - share)) for share in (MAY_BE_DOUBTED, MAY_BE_PLAIN))
    return Limits(round(doubted, 4), round(max(plain, doubted, LEAST_PLAIN), 4))


def chances(path: Path, examples: Examples) -> Array:
    """(n, 2) what a written network tells of these."""
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    heaps = range(0, len(examples.views), 256)
    logits = [session.run(None, {"x": as_maps(examples.views[n : n + 256]).numpy()})[0] for n in heaps]
    return np.asarray(1 / (1 + np.exp(-np.concatenate(logits))), np.float64)


def _leaning(told: Array, tilts: npt.NDArray[np.float32], limits: Limits) -> dict[str, dict[str, int]]:
    """Of flat dice and of those that lean by so many degrees: what is told."""
    leaning = {f"{low:g}-{high:g}": _counts(told[(tilts >= low) & (tilts < high)], limits) for low, high in TILTS}
    return {"flat": _counts(told[tilts == 0], limits)} | leaning


def _counts(told: Array, limits: Limits) -> dict[str, int]:
    """How many dice there are, are doubted, and are told not to lie flat."""
    plain = told > limits.plain
    return {"dice": len(told), "doubted": int(((told > limits.doubted) & ~plain).sum()), "told": int(plain.sum())}
