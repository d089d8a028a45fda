"""Other readers beside ours: the same counting, and the left-out figures their maker states."""

import json
from pathlib import Path

import pytest

from models.training.__main__ import main
from models.training.collection import draw_photos
from models.training.prototype import PROTOTYPE, left_out_table, share, verdict
from tests.shared_data import SHARED, needs_shared
from vision.network import CARD, MODELS


def test_a_share_is_given_with_its_bounds() -> None:
    assert share(5, 10) == "50.0 [18.7, 81.3]"
    assert share(0, 0) == "-"


@pytest.mark.parametrize(
    ("ours", "fewer", "said"),
    [
        ((90, 100), False, "better, beyond the bounds"),
        ((72, 100), False, "better"),
        ((70, 100), False, "equal"),
        ((40, 100), False, "worse, beyond the bounds"),
        ((40, 100), True, "better, beyond the bounds"),
        (None, False, "not measured"),
    ],
)
def test_ours_is_better_beyond_the_bounds_only_where_they_are_apart(
    ours: tuple[int, int] | None, fewer: bool, said: str
) -> None:
    assert verdict(ours, (70, 100), fewer) == said


def test_every_figure_the_prototype_states_has_a_row() -> None:
    table = left_out_table(json.loads((MODELS / CARD).read_text())["figures"])
    assert len(table.splitlines()) == len(PROTOTYPE) + 3
    assert "68.0 [65.8, 70.2]" in table
    assert table.splitlines()[-1].startswith("better in ")


def test_a_folder_without_readers_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["peers", "--peers", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said == f"fairtray: {tmp_path}: no lab_reader.py there; give the folder of the other readers with --peers\n"


@needs_shared
def test_readers_are_counted_alike_on_a_drawn_photograph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draw_photos(tmp_path, {"nellbyler": 1, "fudw": 1})
    assert main(["peers", "--peers", str(SHARED / "peers"), "--photos", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert said.count("ours") >= 2
    assert "prototype" in said
