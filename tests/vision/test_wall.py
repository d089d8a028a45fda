"""The walls about a die: a flat one's room to them, and the shift of its outline towards them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from calibration.shape import Kind, border
from vision.geometry import TrayGeometry
from vision.lens import Lens
from vision.read import Reading
from vision.wall import REACH, walls_about

SIDE = 16.0
LENS = Lens((1170.0, 1170.0), (320.0, 240.0), (0.0, 0.0, 0.0), (0.0, 0.0, 640.0))
SQUARE = [(-100.0, -100.0), (100.0, -100.0), (100.0, 100.0), (-100.0, 100.0)]


def tray(floor_mm: list[tuple[float, float]]) -> TrayGeometry:
    floor = tuple((float(x), float(y)) for x, y in LENS.project(np.array(floor_mm), 0.0))
    return TrayGeometry(floor, 30.0, (640, 480), die_mm=SIDE, lens=LENS)


def reading_at(x_mm: float, y_mm: float, angle: float = 0.0) -> Reading:
    """A flat die whose top lies there, mm."""
    x, y = LENS.project(np.array([(x_mm, y_mm)]), SIDE)[0].tolist()
    return Reading(2, 0.99, 2, "flat", angle, (x - 15, y - 15, 30.0, 30.0), 0.9, 0.0)


@pytest.mark.parametrize(("angle", "half"), [(0.0, 0.5), (90.0, 0.5), (45.0, math.sqrt(0.5)), (30.0, 0.683)])
@pytest.mark.parametrize("faces", [0.0, 0.3])
def test_room_is_the_distance_of_a_flat_die_from_the_wall_however_it_is_turned(
    angle: float, half: float, faces: float
) -> None:
    reading = reading_at(100 - (half + faces) * SIDE, 20.0, angle)
    assert [wall.room for wall in walls_about(tray(SQUARE), reading, angle)] == pytest.approx([faces], abs=0.01)


def test_in_a_corner_each_wall_has_its_own_room_and_shift() -> None:
    reading = reading_at(100 - 0.5 * SIDE, -100 + 0.8 * SIDE)
    up, right = sorted(walls_about(tray(SQUARE), reading, 0.0, (0.01, -0.1)), key=lambda wall: -wall.room)
    assert (up.room, up.shift) == pytest.approx((0.3, 0.1), abs=0.01)
    assert (right.room, right.shift) == pytest.approx((0.0, 0.01), abs=0.01)
    (x, y), face = reading.centre, 30.0
    assert up.there == pytest.approx((x, y - face), abs=1)
    assert right.there == pytest.approx((x + face, y), abs=1)


@pytest.mark.parametrize("kind", ["square", "octagon"])
@pytest.mark.parametrize("turned", [1, -1])
def test_however_an_outline_is_cut_and_run_through_a_die_along_a_wall_touches_it(kind: Kind, turned: int) -> None:
    cut = tray([(float(x), float(y)) for x, y in (border(kind, 1.0, 64) * 100)[::turned]])
    for along in np.linspace(-15, 15, 6):
        walls = walls_about(cut, reading_at(100 - 0.5 * SIDE, float(along)), 0.0, (0.08, 0.0))
        assert [wall.room for wall in walls] == pytest.approx([0.0] * len(walls), abs=0.01)
        assert {round(wall.shift, 2) for wall in walls} == {0.08}


def test_a_die_whose_top_is_seen_beyond_the_edge_is_shifted_outward_all_the_same() -> None:
    (wall,) = walls_about(tray(SQUARE), reading_at(102.0, 0.0), 0.0, (0.15, 0.0))
    assert wall.room < -0.5
    assert wall.shift == pytest.approx(0.15, abs=0.01)


def test_a_die_in_the_middle_has_no_wall_about_it() -> None:
    assert not walls_about(tray(SQUARE), reading_at(100 - (REACH + 0.1) * SIDE, 0.0), 0.0)


def test_a_round_wall_is_as_far_and_the_shift_to_it_as_large_as_they_are_straight_to_it() -> None:
    around = [(100 * math.cos(a), 100 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 64, endpoint=False)]
    walls = walls_about(tray(around), reading_at(0.0, 100 - 0.7 * SIDE), 0.0, (0.0, 0.08))
    assert min(wall.room for wall in walls) == pytest.approx(0.2, abs=0.03)
    assert max(wall.shift for wall in walls) == pytest.approx(0.08, abs=0.005)


def test_a_corner_of_the_floor_given_twice_is_no_wall() -> None:
    twice, reading = tray([*SQUARE, SQUARE[-1]]), reading_at(-100 + 0.5 * SIDE, 90.0)
    assert walls_about(twice, reading, 0.0) == walls_about(tray(SQUARE), reading, 0.0)


def test_a_camera_that_nobody_has_measured_is_taken_to_look_straight_down() -> None:
    unmeasured = replace(tray(SQUARE), lens=None)
    (wall,) = walls_about(unmeasured, reading_at(100 - 0.8 * SIDE, 0.0), 0.0)
    assert wall.room == pytest.approx(0.3, abs=0.05)
