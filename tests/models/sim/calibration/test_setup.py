"""Set-ups drawn at random: plainly good, and as their families wish."""

import math
from dataclasses import replace

import numpy as np
import pytest

from models.sim.calibration.families import FAMILIES
from models.sim.calibration.setup import HIDDEN_MM, LEAST_FACE_PX, draw_setup, hidden_mm
from models.sim.calibration.truth import rim
from models.sim.scene import Tray
from models.sim.view import floor_px_per_mm

GOOD = [name for name, family in FAMILIES.items() if family.reason is None]


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_good_set_up_shows_the_whole_tray_and_readable_dice(name: str, seed: int) -> None:
    wish = FAMILIES[name].wish
    setting, shape = draw_setup(np.random.default_rng(seed), wish)
    lens, tray = setting.lens, setting.tray
    far = math.dist(lens.position, (0, 0, 0))
    tilt = math.degrees(math.acos(lens.pose.matrix[2, 2]))
    assert wish.height_mm[0] - 20 < far < wish.height_mm[1] + 20
    assert wish.tilt_deg[0] - 1e-6 <= tilt <= wish.tilt_deg[1] + 1e-6
    assert shape in wish.shapes
    assert hidden_mm(tray, np.asarray(lens.position)) < HIDDEN_MM + 0.1
    outer = rim(tray, lens, tray.wall_width_mm)
    assert (outer > 0).all()
    assert (outer < np.asarray(lens.size) - 1).all()
    assert setting.dice[0].side_mm * floor_px_per_mm(lens) > 0.9 * LEAST_FACE_PX


def test_a_wall_hides_what_lies_behind_it() -> None:
    setting, _ = draw_setup(np.random.default_rng(1), FAMILIES["square_tray"].wish)
    tray: Tray = setting.tray
    upright = [*tray.sides[0][:2], tray.sides[0][2]]
    above = np.array([upright[0] * upright[2], upright[1] * upright[2], 600.0])
    assert hidden_mm(tray, above) <= 0
    beyond = above + np.array([upright[0], upright[1], 0.0]) * (0.5 + tray.wall_slope) * 600
    steep = (0.5 + tray.wall_slope) * 600 / (600 - tray.wall_height_mm) - tray.wall_slope
    assert hidden_mm(tray, beyond) == pytest.approx(steep * tray.wall_height_mm, rel=0.1)


@pytest.mark.parametrize("seed", range(1, 13))
def test_two_trays_are_both_whole_in_the_picture(seed: int) -> None:
    family, rng = FAMILIES["two_trays"], np.random.default_rng(seed)
    setting, _ = draw_setup(rng, family.wish)
    both = family.dress(rng, setting)
    tray = both.tray
    wall, _floor = both.clutter
    beside = replace(both.lens, position=tuple(np.subtract(both.lens.position, (wall.start.position[0], 0, 0))))
    for lens in (both.lens, beside):
        outer = rim(tray, lens, tray.wall_width_mm)
        assert (outer > 0).all()
        assert (outer < np.asarray(lens.size) - 1).all()
