"""Crops for training: shapes, labels, and each scene by itself."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from models.sim.__main__ import app
from models.sim.crops import CROP_PX, MOST_PIPS, NO_PIP, make_crops, scene_crops

pytestmark = pytest.mark.usefixtures("compiler")


def test_crops_are_labelled() -> None:
    for crop in islice(make_crops(5), 20):
        assert crop.picture.shape == (CROP_PX, CROP_PX, 3)
        assert crop.picture.dtype == np.uint8
        assert (crop.pips[:, 0] != NO_PIP).sum() == crop.value
        if crop.value:
            pips = crop.pips[: crop.value]
            assert np.abs(pips.mean(axis=0) - (CROP_PX - 1) / 2).max() < 12
            assert crop.tilt_deg <= 8
            assert crop.visible >= 0.7


def test_a_scene_can_be_drawn_by_itself() -> None:
    several = [crop for crop in islice(make_crops(6), 20) if crop.scene == 1]
    alone = list(scene_crops(6, 1))
    assert len(several) == len(alone) > 0
    for a, b in zip(several, alone, strict=True):
        np.testing.assert_array_equal(a.picture, b.picture)


def test_command_writes_arrays(tmp_path: Path) -> None:
    out = tmp_path / "crops.npz"
    result = CliRunner().invoke(app, ["crops", "7", "1", str(out)])
    assert result.exit_code == 0, result.output
    with np.load(out) as crops:
        assert crops["pictures"].shape == (7, CROP_PX, CROP_PX, 3)
        assert crops["pips"].shape == (7, MOST_PIPS, 2)
        assert crops["values"].shape == crops["known_pips"].shape == (7,)
    assert list(tmp_path.iterdir()) == [out]


def test_command_says_in_one_line_what_is_wrong(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["crops", "7", "1", str(tmp_path / "nowhere" / "crops.npz")])
    assert result.exit_code == 2
    assert result.stderr.startswith("fairtray: there is no folder")
    assert result.stderr.count("\n") == 1
