"""The measuring through its command: a seed drawn, judged, kept and reported."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def measure(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "models.lean", "measure", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.skipif(shutil.which("g++") is None, reason="drawing needs g++")
def test_a_seed_is_drawn_judged_kept_and_reported(tmp_path: Path) -> None:
    asked = ("--seeds", "1", "--pictures", "1", "--out", tmp_path)
    ran = measure(*asked)
    assert ran.returncode == 0, ran.stderr
    assert "seeds: 1 of 1" in ran.stderr
    assert "1 seeds, " in ran.stdout
    dice = json.loads((tmp_path / "report.json").read_text())
    assert {"flat", "on_wall", "on_die", "stacked"} <= {die["kind"] for die in dice}
    flat = [die["outcome"] for die in dice if die["kind"] == "flat"]
    assert flat.count("right") > 0.7 * len(flat)
    assert "wrong" not in flat
    again = measure(*asked)
    assert again.stdout == ran.stdout
    assert "seeds:" not in again.stderr


def test_bad_input_gets_one_line(tmp_path: Path) -> None:
    ran = measure("--seeds", "x", "--out", tmp_path)
    assert (ran.returncode, len(ran.stderr.splitlines())) == (2, 1)
    assert "names no seeds" in ran.stderr
