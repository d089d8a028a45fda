"""Writes trained networks as ONNX files and makes sure that onnxruntime answers as torch does."""

from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch
from torch import Tensor, nn

from models.training.errors import TrainingError
from models.training.networks import Locator, Reader
from models.training.optimise import load_weights
from vision.network import CROP_PX, LOCATOR, READER

_TOLERANCE = 1e-4
_OPSET = 18


def export(locator: Path, reader: Path, folder: Path) -> None:
    """Write `locator.onnx` and `reader.onnx` into a folder from torch weights.

    The locator takes pictures of any size in multiples of 8 px, the reader any number of crops.
    Raises TrainingError if a written file answers otherwise than its network.
    """
    folder.mkdir(parents=True, exist_ok=True)
    finder, namer = Locator(), Reader()
    load_weights(finder, locator)
    load_weights(namer, reader)
    picture = torch.randn(1, 1, 184, 320)
    crops = torch.randn(4, 1, CROP_PX, CROP_PX)
    sides = {"x": {2: "height", 3: "width"}, "y": {2: "rows", 3: "columns"}}
    batch = {"x": {0: "crops"}, "logits": {0: "crops"}, "pips": {0: "crops"}}
    _write(finder, picture, folder / LOCATOR, ["y"], sides)
    _write(namer, crops, folder / READER, ["logits", "pips"], batch)
    _compare(finder, folder / LOCATOR, [picture, torch.randn(1, 1, 96, 248)])
    _compare(namer, folder / READER, [crops, torch.randn(1, 1, CROP_PX, CROP_PX), torch.randn(20, 1, CROP_PX, CROP_PX)])


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


def _compare(network: nn.Module, path: Path, inputs: list[Tensor]) -> None:
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    for given in inputs:
        with torch.no_grad():
            wanted = network(given)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        for ours, theirs in zip(wanted, session.run(None, {"x": given.numpy()}), strict=True):
            apart = float(np.abs(ours.numpy() - theirs).max())
            if not apart < _TOLERANCE:
                raise TrainingError(f"{path}: onnxruntime's answer is {apart:.2g} away from torch's; do not ship it")
