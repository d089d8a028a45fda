"""The loop both networks are trained by: one-cycle AdamW, an averaged copy that is kept, and resumption."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from models.training.errors import TrainingError
from models.training.progress import Progress

Loss = Callable[[nn.Module, np.random.Generator], Tensor]

_PIECE = 100  # steps after which the state is kept and the progress said


@dataclass(frozen=True)
class Plan:
    """How long and how hard to train. `warmup` is the share of steps with a rising rate."""

    steps: int
    rate: float
    weight_decay: float
    warmup: float
    averaging: float
    clip: float
    seed: int = 0


def _averaged(kept: dict[str, Tensor], current: dict[str, Tensor], share: float) -> None:
    """Move the kept weights towards the current ones, in place."""
    with torch.no_grad():
        for name, value in current.items():
            if value.dtype.is_floating_point:
                kept[name].lerp_(value, 1 - share)
            else:
                kept[name].copy_(value)


def train(
    network: nn.Module,
    loss: Loss,
    plan: Plan,
    checkpoint: Path,
    report: Callable[[str], None] = print,
) -> None:
    """Train a network in place; it ends with the averaged weights and in evaluation mode.

    `loss` draws its own batch from the generator it is given. The state is kept beside `checkpoint` every 100 steps,
    and a run that finds one with the same plan goes on from there, and says so.
    """
    torch.manual_seed(plan.seed)
    rng = np.random.default_rng(plan.seed)
    optimiser = torch.optim.AdamW(network.parameters(), lr=plan.rate, weight_decay=plan.weight_decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.rate, total_steps=plan.steps, pct_start=plan.warmup)
    kept = {name: value.clone() for name, value in network.state_dict().items()}
    first = 0
    partial = checkpoint.with_suffix(".partial.pt")
    if partial.exists():
        state = torch.load(partial, weights_only=False)
        if state["plan"] == plan:
            network.load_state_dict(state["network"])
            optimiser.load_state_dict(state["optimiser"])
            schedule.load_state_dict(state["schedule"])
            kept, first, rng = state["kept"], state["step"], state["rng"]
            torch.set_rng_state(state["torch_rng"])
            report(f"going on after step {first} of {plan.steps}")
    network.train()
    progress, recent = Progress("step", plan.steps, first, report), torch.tensor(0.0)
    for step in range(first, plan.steps):
        value = loss(network, rng)
        optimiser.zero_grad(set_to_none=True)
        value.backward()
        nn.utils.clip_grad_norm_(network.parameters(), plan.clip)
        optimiser.step()
        schedule.step()
        _averaged(kept, network.state_dict(), min(plan.averaging, (step + 1) / (step + 10)))
        recent = recent + value.detach()  # not a number yet: that would wait for the device
        if (step + 1) % _PIECE == 0:
            state = {
                "plan": plan, "step": step + 1, "network": network.state_dict(), "kept": kept, "rng": rng,
                "optimiser": optimiser.state_dict(), "schedule": schedule.state_dict(),
                "torch_rng": torch.get_rng_state(),
            }  # fmt: skip
            _save(state, partial)
            progress.at(step + 1, f", loss {float(recent) / _PIECE:.3f}")
            recent = torch.tensor(0.0)
    network.load_state_dict(kept)
    network.eval()
    _save(kept, checkpoint)
    partial.unlink(missing_ok=True)


def _save(state: dict[str, Any], path: Path) -> None:
    """Write a file that is there whole or not at all, whenever the run is broken off."""
    unfinished = path.with_suffix(".unfinished")
    torch.save(state, unfinished)
    unfinished.replace(path)


def in_bfloat16(processor: Mapping[str, object]) -> bool:
    """Whether this processor multiplies such numbers: half the time and no worse, else seven times as long."""
    return any(bool(processor.get(name)) for name in ("avx512_bf16", "amx_bf16"))


def load_weights(network: nn.Module, checkpoint: Path) -> None:
    """Load trained weights into a network and put it into evaluation mode; raises TrainingError if there are none."""
    if not checkpoint.exists():
        raise TrainingError(f"{checkpoint}: no trained weights there; run the training step that makes them first")
    network.load_state_dict(torch.load(checkpoint, weights_only=True, map_location="cpu"))
    network.eval()
