"""The leaner's training: it learns, goes on, and is written with a card; skipped where torch is not installed."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is needed for training alone")

from models.lean import leaner  # noqa: E402
from models.lean.examples import Examples  # noqa: E402
from models.lean.leaner import as_maps, chances, export, learn, varied  # noqa: E402
from models.tray.errors import TrayError  # noqa: E402
from vision.leaner import SHOWN  # noqa: E402
from vision.network import LEANER, LEANER_CARD, VIEW_MAPS, VIEW_PX, load_leaner  # noqa: E402


def examples(count: int, seed: int) -> Examples:
    """Dice that show a side above if they lean, below if they lie flat, and all about them if they lie on another."""
    rng = np.random.default_rng(seed)
    views = np.full((count, VIEW_MAPS, VIEW_PX, VIEW_PX), 85, np.uint8)
    views[:, :, 12:36, 12:36] = 170
    on = rng.integers(0, 3, count).astype(np.uint8)
    lies = rng.random(count) < 0.5
    leans, stacked = ~lies & (on < 2), ~lies & (on == 2)
    views[leans | stacked, :3, 6:12, 12:36] = 140
    views[lies | stacked, :3, 36:42, 12:36] = 140
    views[:, :3] += rng.integers(0, 8, (count, 3, VIEW_PX, VIEW_PX), np.uint8)
    tilts = np.where(leans, rng.uniform(9, 40, count), np.where(stacked, np.nan, 0)).astype(np.float32)
    return Examples(views, on, tilts, stacked)


def test_it_learns_and_is_written_with_what_it_was_measured_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(leaner, "PLAN", replace(leaner.PLAN, steps=100))
    network = learn(examples(900, 1), tmp_path / "leaner.pt")
    assert "100 of 100" in capsys.readouterr().out
    others = examples(400, 2)
    export(network, "1-9", "10-12", others, tmp_path)
    card = json.loads((tmp_path / LEANER_CARD).read_text())
    assert (card["learnt_from"], card["kept_back"]) == ("1-9", "10-12")
    _, limits = load_leaner(tmp_path)
    assert all(0 < limit.doubted <= limit.plain < 1 for limit in limits.values())
    told = chances(tmp_path / LEANER, others)
    asked = ~np.isnan(others.tilts)
    assert np.mean((told[asked, 0] > 0.5) == (others.tilts[asked] > 0)) > 0.95
    assert np.mean((told[:, 1] > 0.5) == others.stacked) > 0.95
    figures = card["figures"]
    assert set(figures) == {"at_walls", "beside_dice", "stacked"}
    assert sum(kind["dice"] for where in figures.values() for kind in where.values()) == len(told)
    flat = sum(where["flat"]["dice"] for where in figures.values())
    assert sum(where["flat"]["doubted"] + where["flat"]["told"] for where in figures.values()) <= 0.01 * flat + 2
    with torch.no_grad():
        ours = torch.sigmoid(network(as_maps(others.views))).numpy()
    assert ours == pytest.approx(told, abs=0.05)


def test_views_differ_in_what_the_picture_shows_alone() -> None:
    torch.manual_seed(1)
    given = as_maps(examples(64, 3).views)
    other = varied(given)
    mirrored = [bool((there[3:] == here[3:].flip(2)).all()) for here, there in zip(given, other, strict=True)]
    assert all(
        (there[3:] == (here[3:].flip(2) if flipped else here[3:])).all()
        for here, there, flipped in zip(given, other, mirrored, strict=True)
    )
    assert 0.01 < float((other[:, :3] - given[:, :3]).abs().mean()) < 0.3
    assert float(other.min()) >= SHOWN[0] and float(other.max()) <= SHOWN[1]


def test_too_few_dice_are_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(TrayError, match="fewer than 100"):
        learn(examples(300, 1), tmp_path / "leaner.pt")
    command = [sys.executable, "-m", "models.lean", "train", "--seeds", "x", "--out", str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, len(ran.stderr.splitlines())) == (2, 1)
    assert "names no seeds" in ran.stderr
