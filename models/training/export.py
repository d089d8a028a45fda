"""Writes trained networks as ONNX files of half precision and makes sure that onnxruntime answers as torch does."""

import math
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import torch
from torch import Tensor, nn

from models.training.errors import TrainingError
from models.training.networks import Locator, Reader
from models.training.optimise import load_weights
from vision.network import CROP_PX, LOCATOR, READER, SHOWN

_TOLERANCE = 1e-4
_HALF_TOLERANCE = 0.05  # of a logit, from keeping the weights to 11 bits
_SMALLEST = 64  # arrays with fewer numbers are not worth a cast
_OPSET = 18


def export(locator: Path, reader: Path, folder: Path) -> None:
    """Write `locator.onnx` and `reader.onnx` into a folder from torch weights.

    The locator takes pictures of any size in multiples of 8 px, the reader any number of crops. Weights are stored as
    float16, half the bytes, and cast to float32 once, when the file is loaded.
    Raises TrainingError if a written file answers otherwise than its network.
    """
    folder.mkdir(parents=True, exist_ok=True)
    finder, namer = Locator(), Reader()
    load_weights(finder, locator)
    load_weights(namer, reader)
    picture = torch.randn(1, 1, 184, 320)
    crops = torch.randn(4, SHOWN, CROP_PX, CROP_PX)
    sides = {"x": {2: "height", 3: "width"}, "y": {2: "rows", 3: "columns"}}
    batch = {"x": {0: "crops"}, "logits": {0: "crops"}, "pips": {0: "crops"}}
    _write(finder, picture, folder / LOCATOR, ["y"], sides)
    _write(namer, crops, folder / READER, ["logits", "pips"], batch)
    pictures = [picture, torch.randn(1, 1, 96, 248)]
    heaps = [crops, torch.randn(1, SHOWN, CROP_PX, CROP_PX), torch.randn(20, SHOWN, CROP_PX, CROP_PX)]
    for network, path, inputs in ((finder, folder / LOCATOR, pictures), (namer, folder / READER, heaps)):
        _compare(network, path, inputs, _TOLERANCE)
        halve(path)
        _compare(network, path, inputs, _HALF_TOLERANCE)


def _write(
    network: nn.Module, example: Tensor, path: Path, outputs: list[str], sizes: dict[str, dict[int, str]]
) -> None:
    torch.onnx.export(
        network,
        (example,),
        str(path),
        input_names=["x"],
        output_names=outputs,
        dynamic_axes=sizes,
        opset_version=_OPSET,
        dynamo=False,  # the older exporter folds the normalisation into the convolutions and leaves no metadata
    )


def halve(path: Path) -> None:
    """Store a file's weights as float16, each with a cast to float32 that onnxruntime folds away when it loads them."""
    model = onnx.load(str(path))
    for weights in list(model.graph.initializer):
        if weights.data_type != onnx.TensorProto.FLOAT or math.prod(weights.dims) < _SMALLEST:
            continue
        half = onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(weights).astype(np.float16), f"{weights.name}.h")
        cast = onnx.helper.make_node("Cast", [half.name], [weights.name], to=onnx.TensorProto.FLOAT)
        model.graph.initializer.remove(weights)
        model.graph.initializer.append(half)
        model.graph.node.insert(0, cast)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def _compare(network: nn.Module, path: Path, inputs: list[Tensor], tolerance: float) -> None:
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    for given in inputs:
        with torch.no_grad():
            wanted = network(given)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        for ours, theirs in zip(wanted, session.run(None, {"x": given.numpy()}), strict=True):
            apart = float(np.abs(ours.numpy() - theirs).max())
            if not apart < tolerance:
                raise TrainingError(f"{path}: onnxruntime's answer is {apart:.2g} away from torch's; do not ship it")
