"""Falling dice: they come to rest flat where there is floor, leave lying dice alone, and fall the same every time."""

import math
import sys
from dataclasses import replace

import numpy as np
import pytest

from models.sim.die import lowest_point, upmost_face
from models.sim.errors import SimulatorError
from models.sim.looks import NAMED_DICE
from models.sim.physics import RATE_HZ, Lying, Released, Surface, fall, wall_polygon
from models.sim.pose import UPRIGHT, Pose, random_rotation
from models.sim.rooms import NAMED_TRAYS
from models.sim.scene import Tray, die_state, polygon_sides, room_inside

DIE, TRAY = NAMED_DICE["ivory"], NAMED_TRAYS["felt"]
FELT = Surface()


def dropped(x: float, y: float, seed: int, speed: float = 0.0) -> Released:
    """A die let go 50 mm above the floor with some spin."""
    rng = np.random.default_rng(seed)
    spin = rng.normal(size=3) * 10
    pose = Pose((x, y, 50.0), random_rotation(rng))
    return Released(DIE, pose, (speed, 0.0, 0.0), (float(spin[0]), float(spin[1]), float(spin[2])))


@pytest.mark.parametrize("seed", range(4))
def test_a_die_comes_to_rest_flat_on_the_floor(seed: int) -> None:
    ways = fall(TRAY, [dropped(0, 0, seed)], [], FELT)
    assert ways is not None
    last = ways.thrown[0].last
    assert die_state(TRAY, DIE, last) == "flat"
    assert upmost_face(last)[1] < 2
    assert last.position[2] == pytest.approx(lowest_point(DIE, last.rotation), abs=0.3)
    assert 0.2 < ways.thrown[0].seconds < 2.6


@pytest.mark.parametrize(("side_mm", "clip"), [(12.0, 0.0), (12.0, 1.3), (19.0, 1.3)])
def test_small_dice_and_dice_cut_round_lie_level(side_mm: float, clip: float) -> None:
    look = replace(DIE, side_mm=side_mm, edge_radius_mm=0.6, clip_radius_mm=clip * side_mm / 2)
    ways = fall(TRAY, [replace(dropped(0, 0, 1), look=look)], [], FELT)
    assert ways is not None
    assert upmost_face(ways.thrown[0].last)[1] < 2


@pytest.mark.parametrize("seed", [1, 4, 7])
def test_a_die_that_hardly_moves_any_more_does_not_creep_on(seed: int) -> None:
    ways = fall(TRAY, [dropped(0, 40 * k - 80, 5 * seed + k, 600) for k in range(5)], [], Surface(friction=0.35))
    assert ways is not None
    window, tenth = round(0.15 * RATE_HZ), round(0.1 * RATE_HZ)
    for way in ways.thrown:
        moved = np.linalg.norm(way.positions[window:] - way.positions[:-window], axis=1)
        cosines = np.abs((way.rotations[window:] * way.rotations[:-window]).sum(axis=1))
        still = 1 + int(np.flatnonzero((moved >= 0.5) | (cosines <= math.cos(math.radians(1)))).max())
        left = np.linalg.norm(way.positions - way.positions[-1], axis=1)
        assert left[still + tenth :].max(initial=0.0) < 0.05


def test_the_same_throw_falls_the_same() -> None:
    first, second = (fall(TRAY, [dropped(0, 0, 1, 500), dropped(0, 40, 2, 500)], [], FELT) for _ in range(2))
    assert first is not None and second is not None
    assert all(a.positions.tobytes() == b.positions.tobytes() for a, b in zip(first.thrown, second.thrown, strict=True))


def test_walls_hold_a_sliding_die_and_a_mat_does_not() -> None:
    thrown = replace(dropped(0, 0, 3), pose=Pose((0.0, 0.0, 12.0)), velocity=(1500.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0))
    slippery = Surface(friction=0.15, deadness=0.8)
    held, free = fall(TRAY, [thrown], [], slippery), fall(replace(TRAY, wall_height_mm=0.0), [thrown], [], slippery)
    assert held is not None and free is not None
    assert room_inside(TRAY, *held.thrown[0].last.position) > 0
    assert room_inside(TRAY, *free.thrown[0].last.position) < 0
    assert free.thrown[0].last.position[2] == pytest.approx(8 - TRAY.base_mm, abs=0.3)


def test_a_throw_that_knocks_a_lying_die_is_none() -> None:
    lying = Lying(DIE, Pose((0.0, 0.0, lowest_point(DIE, UPRIGHT))))
    assert fall(TRAY, [dropped(0, 0, 1)], [lying], FELT) is None
    aside = Lying(DIE, Pose((-60.0, -60.0, lowest_point(DIE, UPRIGHT))))
    assert fall(TRAY, [dropped(40, 40, 1)], [aside], FELT) is not None


def test_poses_between_are_even() -> None:
    ways = fall(TRAY, [dropped(0, 0, 5)], [], FELT)
    assert ways is not None
    heights = [ways.thrown[0].at(t).position[2] for t in (-1.0, 0.0, 0.02, 0.04, 99.0)]
    assert heights[0] == heights[1] == pytest.approx(50.0)
    assert heights[1] > heights[2] > heights[3]
    assert heights[4] == ways.thrown[0].last.position[2]


def test_a_polygon_keeps_its_corners_and_a_circle_gets_many() -> None:
    octagon = replace(TRAY, sides=polygon_sides(8, 100.0))
    assert len(wall_polygon(octagon)) == 8
    corners = wall_polygon(Tray(polygon_sides(4, 130.0), TRAY.floor, TRAY.wall, TRAY.rim, circle_mm=100.0))
    assert len(corners) >= 30
    assert [math.hypot(x, y) for x, y in corners] == pytest.approx([100.0] * len(corners))


def test_without_mujoco_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(SimulatorError, match="make install-dev"):
        fall(TRAY, [dropped(0, 0, 1)], [], FELT)
