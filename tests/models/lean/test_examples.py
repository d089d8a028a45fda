"""What the leaner learns from: views of drawn dice, and of each by how much it leans on what is there."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from models.lean.examples import MOSTLY_AT_WALL, as_bytes, draw_examples, examples_of, mismeasured
from models.lean.scenes import lay
from tests.vision.drawn_dice import GEOMETRY
from vision.leaner import SHOWN
from vision.network import VIEW_MAPS, VIEW_PX, Networks

drawing = pytest.mark.skipif(shutil.which("g++") is None, reason="drawing needs g++")


@drawing
@pytest.mark.parametrize(("kind", "on_die"), [("on_wall", False), ("on_die", True)])
def test_the_dice_of_a_picture_lean_on_what_they_were_laid_on(networks: Networks, kind: str, on_die: bool) -> None:
    told = [(one.view, one.tilt) for seed in (1, 2) for one in examples_of(networks, kind, seed, 0)]
    laid = [die for seed in (1, 2) for die in lay(kind, seed, 0, MOSTLY_AT_WALL).dice]
    leaning = {round(tilt, 3) for view, tilt in told if tilt}
    assert leaning
    assert leaning <= {round(die.tilt, 3) for die in laid if die.kind == kind}
    assert all((view.on != "wall") == on_die for view, tilt in told if tilt)
    assert sum(tilt == 0 for _, tilt in told) >= 4


@drawing
def test_of_stacked_dice_it_is_asked_what_is_below(networks: Networks) -> None:
    told = [one for seed in (1, 2, 3) for one in examples_of(networks, "stacked", seed, 0)]
    assert {one.view.on for one in told} == {"below"}
    assert any(one.stacked for one in told)
    assert all(np.isnan(one.tilt) if one.stacked else one.tilt == 0 for one in told)


@drawing
def test_what_was_drawn_is_not_drawn_again(tmp_path: Path) -> None:
    drawn = draw_examples([3], tmp_path)
    assert drawn.views.shape[1:] == (VIEW_MAPS, VIEW_PX, VIEW_PX)
    assert len(drawn.views) == len(drawn.tilts) == len(drawn.on) == len(drawn.stacked) > 10
    (kept,) = tmp_path.iterdir()
    written = kept.stat().st_mtime_ns
    again = draw_examples([3], tmp_path)
    assert kept.stat().st_mtime_ns == written
    assert (again.views == drawn.views).all()
    assert {*drawn.on.tolist()} == {0, 1, 2}


def test_a_calibration_is_off_by_a_little_only() -> None:
    rng = np.random.default_rng(1)
    off = [mismeasured(GEOMETRY, rng) for _ in range(200)]
    heights = np.array([geometry.lens.place[2] for geometry in off if geometry.lens is not None])
    assert heights.mean() == pytest.approx(640, rel=0.01)
    assert 5 < heights.std() < 20
    assert 0.005 < np.std([geometry.die_px for geometry in off]) / GEOMETRY.die_px < 0.03


def test_maps_are_kept_in_bytes() -> None:
    assert as_bytes(np.array(SHOWN, np.float32)).tolist() == [0, 255]
