"""Outlines judged on empty trays: drawn, kept and reported."""

import shutil
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from calibration.outline import find_outline
from models.calibration.judge import lens_of
from models.calibration.outlines import Judged, draw_empty, in_words, run
from models.sim.view import to_floor
from models.tray.results import keep, kept
from tests.models.calibration.test_sweep import measure

NUMBER = 8
"""A set-up whose outline is found quickly."""
EDGE_ON = 8069
"""One of which two walls are seen edge-on, and the floor's edge was told 2.5 mm off."""


@pytest.mark.skipif(shutil.which("g++") is None, reason="drawing needs g++")
def test_an_empty_tray_is_the_same_each_time_and_dice_lay_on_its_floor() -> None:
    (family, empty), (_, again) = draw_empty(NUMBER), draw_empty(NUMBER)
    assert empty is not None and again is not None
    assert np.array_equal(empty.picture, again.picture) and empty.places == again.places
    assert (family, empty.true["shape"]) == ("octagon_tray", "octagon")
    lens = lens_of(empty.true)
    floor, lay = (to_floor(lens, np.array(points)) for points in (empty.true["floor"], empty.places))
    assert np.linalg.norm(lay, axis=1).max() < np.linalg.norm(floor, axis=1).max()


@pytest.mark.skipif(shutil.which("g++") is None, reason="drawing needs g++")
def test_a_tray_is_judged_kept_and_reported(tmp_path: Path) -> None:
    ran = measure("outlines", "--numbers", f"{NUMBER}", "--out", tmp_path)
    assert ran.returncode == 0, ran.stderr
    (judged,) = run([NUMBER], tmp_path)
    assert (judged.outcome, judged.shape) == ("right", "octagon")
    assert judged.off_mm is not None and judged.off_mm < 1
    assert ran.stdout == in_words([judged]) + "\n"
    keep(tmp_path / "results", f"{NUMBER:06}", asdict(judged) | {"family": "as kept"})
    assert run([NUMBER], tmp_path)[0].family == "as kept"
    assert kept(tmp_path / "results", f"{NUMBER:06}")["by"] == judged.by


@pytest.mark.skipif(shutil.which("g++") is None, reason="drawing needs g++")
def test_a_tray_that_leans_so_that_its_rims_edge_is_its_floors_is_asked_about() -> None:
    _, empty = draw_empty(EDGE_ON)
    assert empty is not None
    found = find_outline(empty.picture, empty.places, empty.die_px)
    assert found is not None and (found.whole, found.doubted, found.likely) == (True, True, True)


def test_every_tray_that_is_not_right_is_named() -> None:
    right = Judged(1, "board", "right", "square", 0.2, 3.0, 9.0, "")
    off = replace(right, number=2, outcome="off", off_mm=2.5)
    asked = replace(right, number=3, outcome="asked", off_mm=None)
    words = in_words([right, off, asked, replace(right, number=4, outcome="not drawn")])
    assert "off: 2, board, square, 2.50 mm off" in words and "asked: 3, board, square" in words
    row = next(line for line in words.splitlines() if line.startswith("all"))
    assert row.split()[:5] == ["all", "3", "1", "1", "1"]


def test_bad_numbers_get_one_line() -> None:
    ran = measure("outlines", "--numbers", "x")
    assert (ran.returncode, len(ran.stderr.splitlines())) == (2, 1)
