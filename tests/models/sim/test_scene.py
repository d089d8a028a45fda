"""The floor's edge, and how a die lies."""

import math
from dataclasses import replace

import numpy as np
import pytest

from models.sim.die import face_up
from models.sim.looks import NAMED_DICE
from models.sim.pose import Pose, about
from models.sim.rooms import NAMED_TRAYS
from models.sim.scene import die_state, floor_edge, polygon_sides, room_inside

FELT = NAMED_TRAYS["felt"]
IVORY = NAMED_DICE["ivory"]


def test_room_inside_counts_from_the_nearest_side() -> None:
    assert room_inside(FELT, 100, 0) == pytest.approx(15)
    assert room_inside(FELT, 0, -120) == pytest.approx(-5)


def test_room_grows_up_a_leaning_wall() -> None:
    leather = NAMED_TRAYS["leather"]
    assert room_inside(leather, 115, 0, 20) == pytest.approx(20 * leather.wall_slope)


def test_edge_of_a_square_cut_by_a_circle() -> None:
    tray = replace(FELT, circle_mm=130.0)
    edge = floor_edge(tray, 64)
    assert np.abs(edge).max() == pytest.approx(115)
    assert np.hypot(*edge.T).max() == pytest.approx(130, abs=0.5)


def test_edge_of_an_octagon_holds_its_corners() -> None:
    tray = replace(FELT, sides=polygon_sides(8, 100))
    radii = np.hypot(*floor_edge(tray, 8).T)
    corner = 100 / math.cos(math.pi / 8)
    assert sum(radii > corner - 1e-6) == 8
    assert sum(radii < 100 + 1e-6) == 8


@pytest.mark.parametrize(
    ("position", "tilt_deg", "state"),
    [
        ((0, 0, 8), 0, "flat"),
        ((0, 0, 8.5), 7.9, "flat"),
        ((0, 0, 9), 8.1, "cocked"),
        ((0, 0, 24), 0, "stacked"),
        ((0, 0, 24), 30, "cocked"),
        ((120, 0, 30), 0, "off_tray"),
        ((300, 0, 4), 0, "off_tray"),
        ((20, 0, -1), 0, "off_tray"),
    ],
)
def test_die_state(position: tuple[float, float, float], tilt_deg: float, state: str) -> None:
    assert die_state(FELT, IVORY, Pose(position, about((1, 0, 0), math.radians(tilt_deg)))) == state


def test_state_does_not_depend_on_the_value_up() -> None:
    turns = [face_up(IVORY, value, 0.3) for value in range(1, 7)]
    assert {die_state(FELT, IVORY, Pose((10, 10, 8), turn)) for turn in turns} == {"flat"}
