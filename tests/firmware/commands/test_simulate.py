"""`fairtray simulate`: the list, one whole film, and what it does not do."""

import json
import os
import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from calibration.file import load
from firmware.choices import load_choices
from firmware.commands.simulate import picture_size, simulate_command
from firmware.errors import FirmwareError
from models.sim.errors import SimulatorError
from models.sim.scenarios import SCENARIOS
from vision.source import open_source

SMALL = (160, 120)


def test_the_list_names_every_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate_command(None, 1, None, True, True) == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [scenario["name"] for scenario in listed] == list(SCENARIOS)
    assert simulate_command(None, 1, None, True, False) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("throw")


@pytest.mark.skipif(shutil.which("g++") is None and "CI" not in os.environ, reason="drawing needs g++")
def test_a_film_comes_with_truth_choices_and_calibration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "deep" / "film"
    assert simulate_command("throw", 1, out, False, True, SMALL) == 0
    printed, said = capsys.readouterr()
    assert said == ""
    summary = json.loads(printed)
    assert sorted(path.name for path in out.iterdir()) == [
        "calibration.toml",
        "choices.jsonl",
        "truth.jsonl",
        "video.mp4",
    ]
    lines = [json.loads(line) for line in (out / "truth.jsonl").read_text().splitlines()]
    assert {line["kind"] for line in lines} == {"event", "ruling", "die"}
    choices = load_choices(out / "choices.jsonl").inputs
    assert [getattr(choice, "box", None) for choice in choices] == [
        line["box"] for line in lines if line.get("name") == "BoxEntered"
    ]
    assert (load(out / "calibration.toml").width, load(out / "calibration.toml").height) == SMALL
    source = open_source(str(out / "video.mp4"))
    assert source.size == SMALL
    assert source.fps == pytest.approx(30)
    frames = [frame.image for frame in source]
    source.close()
    assert len(frames) - 1 == pytest.approx(summary["seconds"] * 30, abs=1)
    assert max(line["frame"] for line in lines) < len(frames)
    # Nothing moves yet: what differs is the camera's noise, which no coding has taken.
    assert all(np.mean(now != then) > 0.25 for now, then in pairwise(frames[:8]))


def test_set_ups_are_listed_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate_command(None, 1, None, True, True, kind="calibration") == 0
    listed = {one["name"]: one["reason"] for one in map(json.loads, capsys.readouterr().out.splitlines())}
    assert listed["round_tray"] is None
    assert listed["glare"] == "glare"
    assert not set(listed) & set(SCENARIOS)


@pytest.mark.skipif(shutil.which("g++") is None and "CI" not in os.environ, reason="drawing needs g++")
def test_a_set_up_comes_with_its_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate_command("too_short", 1, tmp_path / "film", False, True, SMALL, "calibration") == 0
    summary = json.loads(capsys.readouterr().out)
    assert sorted(path.name for path in (tmp_path / "film").iterdir()) == ["calibration_truth.json", "video.mp4"]
    truth = json.loads((tmp_path / "film" / "calibration_truth.json").read_text())
    assert (truth["reason"], truth["width"], truth["height"]) == ("too_short", *SMALL)
    assert truth["seconds"] == summary["seconds"] < 1.7


def test_a_kind_is_named_and_has_its_own_names(tmp_path: Path) -> None:
    with pytest.raises(FirmwareError, match="--kind match: give one of play, calibration"):
        simulate_command(None, 1, None, True, False, kind="match")
    with pytest.raises(FirmwareError, match="leave out --kind"):
        simulate_command("throw", 1, tmp_path / "film", False, False, kind="calibration")
    with pytest.raises(FirmwareError, match="give --kind calibration"):
        simulate_command("round_tray", 1, tmp_path / "film", False, False)


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(FirmwareError, match="not empty"):
        simulate_command("throw", 1, tmp_path, False, False)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_nothing_is_left_of_a_film_that_failed(tmp_path: Path) -> None:
    with pytest.raises(SimulatorError, match="no scenario 'snap'"):
        simulate_command("snap", 1, tmp_path / "film", False, False)
    assert list(tmp_path.iterdir()) == []


def test_scenario_folder_and_seed_are_needed(tmp_path: Path) -> None:
    with pytest.raises(FirmwareError, match="--list"):
        simulate_command("throw", 1, None, False, False)
    with pytest.raises(FirmwareError, match="--seed"):
        simulate_command("throw", -1, tmp_path / "film", False, False)


def test_a_size_is_two_even_numbers_of_pixels() -> None:
    assert picture_size("320x240") == (320, 240)
    for bad in ("320", "320x", "axb", "321x240", "32x24", "320x240x3", "-320x240", "10000x10000", "4098x480"):
        with pytest.raises(FirmwareError, match="--size"):
            picture_size(bad)
