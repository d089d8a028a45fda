"""Gives a torch network the weights of its exported form, so that training can go on from what ships.

An exported network has its normalisations folded into its convolutions. They are put back so that they do nothing at
first, with the mean and spread that their inputs really have, for training needs them.
"""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from models.training.errors import TrainingError

_TOLERANCE = 1e-3
_Layer = list[NDArray[np.float32]]


@torch.no_grad()  # type: ignore[untyped-decorator]
def load_exported(network: nn.Module, path: Path, example: Tensor) -> None:
    """Load the weights of an ONNX file into a network; `example` is a batch of what it is given in training.

    Raises TrainingError where the file is another network than this one.
    """
    network.eval()
    layers, modules = _layers(path), _modules(network, example)
    weighted = [m for m in modules if not isinstance(m, nn.BatchNorm2d)]
    if [tuple(m.weight.shape) for m in weighted] != [layer[0].shape for layer in layers]:
        raise TrainingError(f"{path}: not a network of this version, so training cannot go on from it")
    biases = iter(layers)
    for module, following in zip(modules, [*modules[1:], None], strict=True):
        if isinstance(module, nn.BatchNorm2d):
            continue
        weight, bias = next(biases)
        module.weight.copy_(torch.from_numpy(weight))
        if module.bias is not None:
            module.bias.copy_(torch.from_numpy(bias))
        else:
            _settle(following, torch.zeros(len(bias)), torch.ones(len(bias)), torch.from_numpy(bias))
    _measure(network, example)
    _compare(network, path, example)


def _layers(path: Path) -> list[_Layer]:
    """Return weight and bias of every convolution and dense layer, in the order in which they run."""
    graph = onnx.load(str(path)).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:  # weights may be kept short, or once for several layers
        if not all(name in stored for name in node.input):
            continue
        if node.op_type in ("Cast", "Identity"):
            stored[node.output[0]] = stored[node.input[0]]
        elif node.op_type == "Mul":
            stored[node.output[0]] = stored[node.input[0]] * stored[node.input[1]]
    kept = [node for node in graph.node if node.op_type in ("Conv", "Gemm")]
    return [[stored[name].astype(np.float32) for name in node.input[1:]] for node in kept]


def _modules(network: nn.Module, example: Tensor) -> list[nn.Module]:
    """Return the layers that hold weights, in the order in which they run."""
    ran: list[nn.Module] = []
    kinds = (nn.Conv2d, nn.Linear, nn.BatchNorm2d)
    hooks = [
        module.register_forward_hook(lambda module, *_: ran.append(module))
        for module in network.modules()
        if isinstance(module, kinds)
    ]
    network(example[:1])
    for hook in hooks:
        hook.remove()
    return ran


def _settle(norm: nn.BatchNorm2d, mean: Tensor, variance: Tensor, bias: Tensor) -> None:
    """Make a normalisation with this mean and variance add a bias and do nothing else."""
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.copy_((variance + norm.eps).sqrt())
    norm.bias.copy_(bias + mean)


def _measure(network: nn.Module, example: Tensor) -> None:
    """Tell every normalisation the mean and variance of its inputs without changing what the network answers."""

    def tell(norm: nn.BatchNorm2d, given: tuple[Tensor, ...]) -> None:
        (maps,) = given
        _settle(norm, maps.mean((0, 2, 3)), maps.var((0, 2, 3)), norm.bias - norm.running_mean)

    norms = [module for module in network.modules() if isinstance(module, nn.BatchNorm2d)]
    hooks = [norm.register_forward_pre_hook(tell) for norm in norms]
    network(example)
    for hook in hooks:
        hook.remove()


def _compare(network: nn.Module, path: Path, example: Tensor) -> None:
    answers = network(example)
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    theirs = session.run(None, {session.get_inputs()[0].name: example.numpy()})
    for mine, other in zip(answers if isinstance(answers, tuple) else (answers,), theirs, strict=True):
        apart = float(np.abs(mine.numpy() - other).max())
        if not apart < _TOLERANCE:
            raise TrainingError(f"{path}: read back, the network answers otherwise (by {apart:.2g}); do not train on")
