"""What is learnt from drawn pairs of dice: weights that tell those that lean, and a bound that few flat ones pass."""

import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

from models.lean.fit import regress


def fit(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "models.lean", "fit", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_weights_tell_what_cues_say() -> None:
    rng = np.random.default_rng(1)
    leans = rng.random(4000) < 0.4
    seen = rng.normal(size=(4000, 3)) * (0.1, 2.0, 1.0) + np.where(leans, 1.0, 0.0)[:, None] * (0.2, -4.0, 0.0)
    *weights, constant = regress(seen, leans)
    likely = seen @ weights + constant > 0
    assert np.mean(likely == leans) > 0.9
    assert weights[0] > 0 > weights[1]
    assert abs(weights[2]) < 0.3
    assert np.mean(likely) == pytest.approx(0.4, abs=0.03)


@pytest.mark.skipif(shutil.which("g++") is None, reason="drawing needs g++")
def test_a_few_seeds_are_drawn_and_learnt_from() -> None:
    ran = fit("--seeds", "1-14")
    assert ran.returncode == 0, ran.stderr
    assert "seeds: 14 of 14" in ran.stderr
    flat, leaning, missed = (int(n) for n in re.findall(r"\d+", ran.stdout.splitlines()[0]))
    assert min(flat, leaning) >= 20
    assert missed < leaning / 2
    assert re.search(r"^WEIGHTS = \((-?\d+\.\d+, ){7}-?\d+\.\d+\)\nMAY_LEAN = -?\d+\.\d+$", ran.stdout, re.MULTILINE)


@pytest.mark.skipif(shutil.which("g++") is None, reason="drawing needs g++")
@pytest.mark.parametrize(("seeds", "said"), [("1", "too few pairs"), ("x", "names no seeds")])
def test_what_tells_nothing_gets_one_line(seeds: str, said: str) -> None:
    ran = fit("--seeds", seeds)
    refused = [line for line in ran.stderr.splitlines() if line.startswith("fairtray: ")]
    assert (ran.returncode, len(refused)) == (2, 1)
    assert said in refused[0]
