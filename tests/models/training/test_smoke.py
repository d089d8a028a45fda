"""The whole of `make model` in miniature: every step runs, and the networks it ends with have learnt."""

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is needed for training alone")

from models.training.__main__ import main
from models.training.smoke import Learnt
from vision.network import CARD, load_networks


def test_the_miniature_learns_and_can_be_loaded(tmp_path: Path) -> None:
    assert main(["smoke", "--work", str(tmp_path)]) == 0
    assert load_networks(tmp_path / "models").calibration
    assert (tmp_path / "models" / "CARD.md").exists()
    figures = json.loads((tmp_path / "models" / CARD).read_text())["figures"]
    assert figures["left_out_given"]["fudw"]["dice"] > 12


@pytest.mark.parametrize(
    ("learnt", "failure"),
    [
        (Learnt(2.9, 2.8, 60, 40, 50), "loss did not fall"),
        (Learnt(2.9, 1.2, 60, 12, 50), "not far better than chance"),
        (Learnt(2.9, 1.2, 60, 40, 30), "misses more dice than it finds"),
    ],
)
def test_a_miniature_that_did_not_learn_is_found_out(learnt: Learnt, failure: str) -> None:
    assert [failure in line for line in learnt.failures()] == [True]
    assert not Learnt(2.9, 1.2, 60, 40, 50).failures()
