"""The printed board in the picture: exactly where lens and pose put it, lit as the floor is."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from calibration.board import COLUMNS, ROWS, SQUARE_MM, find_board
from models.sim.camera import STILL, develop
from models.sim.rooms import NAMED_LIGHTS, NAMED_TABLES, NAMED_TRAYS
from models.sim.scene import Scene, polygon_sides
from models.sim.sheet import corners, papered
from models.sim.tracer import render
from models.sim.view import overhead, project

PLACE = (6.0, -4.0, 0.3)
TRAY = replace(NAMED_TRAYS["felt"], sides=polygon_sides(4, 140))


@pytest.mark.skipif(shutil.which("g++") is None, reason="drawing needs g++")
def test_a_bent_and_tilted_board_is_found_where_it_lies() -> None:
    lens = overhead(450, 560, (640, 480), tilt=0.2, tilt_towards=1.0, roll=0.1)
    lens = replace(lens, k1=-0.27, k2=0.06)
    light = NAMED_LIGHTS["day"]
    drawn = render(Scene(TRAY, NAMED_TABLES["desk"], light.lamps, light.sky, lens), samples=(4, 4))
    shown = papered(drawn, lens, PLACE, (0, 0), np.ones_like(drawn.ids, bool))
    found = find_board(develop(shown.rgb, STILL, np.random.default_rng(1)))
    assert found is not None
    assert len(found.seen) > 0.8 * (COLUMNS - 1) * (ROWS - 1)
    own = found.on_board - np.array([COLUMNS, ROWS]) * SQUARE_MM / 2
    c, s = np.cos(PLACE[2]), np.sin(PLACE[2])
    at = own @ np.array([[c, s], [-s, c]]) + PLACE[:2]
    true = project(lens, np.column_stack([at, np.zeros(len(at))]))
    assert np.median(np.linalg.norm(found.seen - true, axis=1)) < 0.15


def test_a_turned_sheet_has_its_corners_clockwise() -> None:
    x, y = corners((10.0, 20.0, 0.5)).T
    assert (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0
    assert (x.mean(), y.mean()) == pytest.approx((10, 20))
