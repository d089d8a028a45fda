"""The sweep through its command: the shortest recordings filmed, calibrated, kept and reported."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from models.calibration.sweep import load


def measure(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "models.calibration", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.skipif(shutil.which("g++") is None, reason="drawing needs g++")
def test_recordings_are_filmed_calibrated_and_kept(tmp_path: Path) -> None:
    asked = ("--families", "too_short", "--seeds", "1", "--out", tmp_path / "out")
    ran = measure("sweep", *asked, "--films", tmp_path / "films")
    assert ran.returncode == 0, ran.stderr
    assert "recordings: 1 of 1: too_short-1" in ran.stderr
    result = load(tmp_path / "out", "too_short", 1)
    assert result is not None
    assert result.true["reason"] == "too_short"
    assert result.cpu_simulate_s > 0
    assert "1 of 1 bad set-ups refused for the true reason" in ran.stdout
    assert "0 of 1 bad set-ups that passed" in ran.stdout
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["families"]["too_short"]["recordings"] == 1
    again = measure("sweep", *asked, "--films", tmp_path / "films")
    assert "1 of 1 recordings were measured before with this code" in again.stderr
    assert measure("report", *asked).stdout == again.stdout


def test_bad_input_gets_one_line() -> None:
    for wrong, words in ((("--families", "snap"), "no family 'snap'"), (("--seeds", "x"), "names no seeds")):
        ran = measure("sweep", *wrong)
        assert (ran.returncode, len(ran.stderr.splitlines())) == (2, 1)
        assert words in ran.stderr
