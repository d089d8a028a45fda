"""Writes trained networks as ONNX files of few bytes and makes sure that onnxruntime answers as torch does."""

import math
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.training.errors import TrainingError
from models.training.networks import Locator, Reader
from models.training.optimise import load_weights
from vision.network import CROP_PX, LOCATOR, READER, SHOWN

_TOLERANCE = 1e-4
_HALF_TOLERANCE = 0.05  # of a logit, from keeping the weights to 11 bits
_BYTE_TOLERANCE = 0.15  # of the largest logit, from keeping them to 8
_SMALLEST = 64  # arrays with fewer numbers are not worth a cast
_OPSET = 18


def export(locator: Path, reader: Path, folder: Path) -> None:
    """Write `locator.onnx` and `reader.onnx` into a folder from torch weights.

    The locator takes pictures of any size in multiples of 8 px, the reader any number of crops. The locator's weights
    are stored as float16, half the bytes, the reader's as int8 with a scale for each channel, a quarter. They become
    float32 once, when the file is loaded.
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
        shorten(path, to_bytes=path.name == READER)
        if path.name == READER:
            _compare(network, path, inputs, _BYTE_TOLERANCE, of_largest=True)
        else:
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


def shorten(path: Path, to_bytes: bool) -> None:
    """Store a file's weights in fewer bytes, with what makes float32 of them, which onnxruntime does when it loads it.

    Those of layers may be kept as int8, with a scale for each channel that they give; all else is kept as float16.
    """
    model = onnx.load(str(path))
    graph = model.graph
    for weights in list(graph.initializer):
        if weights.data_type != onnx.TensorProto.FLOAT or math.prod(weights.dims) < _SMALLEST:
            continue
        values = onnx.numpy_helper.to_array(weights)
        graph.initializer.remove(weights)
        kept = _as_bytes(weights.name, values) if to_bytes and values.ndim > 1 else _as_halves(weights.name, values)
        graph.initializer.extend(kept[0])
        for node in reversed(kept[1]):
            graph.node.insert(0, node)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


_Kept = tuple[list[onnx.TensorProto], list[onnx.NodeProto]]


def _as_halves(name: str, values: NDArray[np.float32]) -> _Kept:
    """Return weights as float16, and the node that casts them."""
    half = onnx.numpy_helper.from_array(values.astype(np.float16), f"{name}.h")
    return [half], [onnx.helper.make_node("Cast", [half.name], [name], to=onnx.TensorProto.FLOAT)]


def _as_bytes(name: str, values: NDArray[np.float32]) -> _Kept:
    """Return weights (outputs, ...) as int8 and scales (outputs, 1, ...), and the nodes that multiply them."""
    largest = np.abs(values).max(tuple(range(1, values.ndim)), keepdims=True)
    scale = np.maximum(largest, np.finfo(np.float32).tiny) / 127
    stored = onnx.numpy_helper.from_array(np.round(values / scale).astype(np.int8), f"{name}.b")
    scales = onnx.numpy_helper.from_array(scale.astype(np.float32), f"{name}.s")
    cast = onnx.helper.make_node("Cast", [stored.name], [f"{name}.f"], to=onnx.TensorProto.FLOAT)
    return [stored, scales], [cast, onnx.helper.make_node("Mul", [cast.output[0], scales.name], [name])]


def _compare(network: nn.Module, path: Path, inputs: list[Tensor], tolerance: float, of_largest: bool = False) -> None:
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    for given in inputs:
        with torch.no_grad():
            wanted = network(given)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        for ours, theirs in zip(wanted, session.run(None, {"x": given.numpy()}), strict=True):
            apart = float(np.abs(ours.numpy() - theirs).max()) / (float(ours.abs().max()) if of_largest else 1)
            if not apart < tolerance:
                raise TrainingError(
                    f"{path}: onnxruntime answers otherwise than torch (by {apart:.2g}); do not ship it"
                )
