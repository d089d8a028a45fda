"""The gauge: what it learns from, and that it can be written and used; skipped where torch is not installed."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is needed for training alone")

from calibration.flat import SIDE, lay_flat, layers  # noqa: E402
from calibration.gauge import load_gauge  # noqa: E402
from calibration.sides import Lying  # noqa: E402
from models.calibration import gauge  # noqa: E402
from models.calibration.examples import Laid, lay  # noqa: E402
from models.calibration.gauge import DICE, GaugeNetwork, batch, errors, export  # noqa: E402


@pytest.fixture(scope="module")
def laid() -> Laid:
    found = lay(1)
    assert found is not None
    return found


def test_drawn_dice_lie_where_they_are_said_to(laid: Laid) -> None:
    again = lay(1)
    assert again is not None and (again.dice[0].picture == laid.dice[0].picture).all()
    for die in laid.dice:
        body = layers(lay_flat(die.picture, die.empty, die.lens(laid.lens), die.pose, laid.edge))[0] + 0.5
        assert np.median(body[SIDE // 4 : SIDE // 2, SIDE // 4 : SIDE // 2]) > 0.8


def test_mistakes_are_small_and_told(laid: Laid) -> None:
    seen, known, larger, aside = batch([laid] * 40, np.random.default_rng(1), DICE)
    assert seen.shape[:2] == known.shape[:2] == (40, DICE)
    assert np.abs(larger).max() < 0.2 and np.abs(aside).max() < 0.3
    body = seen[:, :, 0].mean(axis=(1, 2, 3))
    assert np.corrcoef(body, larger)[0, 1] > 0.5  # a die taken for smaller than it is fills more of its picture


def test_a_network_is_written_with_its_card_and_answers_as_torch_does(laid: Laid, tmp_path: Path) -> None:
    torch.manual_seed(1)
    network = GaugeNetwork().eval()
    export(network, 0, [laid] * 4, tmp_path)
    read = load_gauge(tmp_path)
    off, spread = errors(network, [laid] * 4)
    assert read.doubted > 0 and len(off) == len(spread) == 4
    assert json.loads((tmp_path / "gauge.json").read_text())["off"]["within_50"] > 0
    seen, known, *_ = batch([laid], np.random.default_rng(2), DICE)
    ours = network(torch.from_numpy(seen), torch.from_numpy(known))[0].detach().numpy()
    theirs = read.session.run(None, {"seen": seen, "known": known})[0]
    assert ours == pytest.approx(theirs, abs=2e-4)
    die = laid.dice[0]
    lying = [Lying(die.picture, 48.0, 48.0, 24.0, 0.0)] * 3
    assert read.measure(lying, die.empty, laid.lens, np.zeros((3, 3)), laid.edge) is not None


def test_what_was_learnt_first_is_not_learnt_again(
    laid: Laid, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gauge, "PLAN", replace(gauge.PLAN, steps=100))
    monkeypatch.setattr(gauge, "AGAIN", replace(gauge.AGAIN, steps=2))
    monkeypatch.setattr(gauge, "DICE", 1)
    network = gauge.learn([laid], tmp_path / "gauge.pt")
    assert "100 of 100" in capsys.readouterr().out
    first = torch.load(tmp_path / "gauge-first.pt", weights_only=True)
    assert any((value != first[name]).any() for name, value in network.state_dict().items())
    gauge.learn([laid], tmp_path / "gauge.pt")
    assert "of 100" not in capsys.readouterr().out
