"""What differs from table to table: drawn from chances of its own, and still seen well."""

import math

import numpy as np
import pytest

from models.sim.conditions import Conditions, Sway
from models.sim.dice_foreign import TELLING
from models.sim.scenarios import SCENARIOS
from models.sim.scene import room_inside
from models.sim.setting import draw_setting
from models.sim.variety import (
    BODY_APART,
    PIPS_APART,
    apart,
    as_pictured,
    body_as_pictured,
    floor_as_pictured,
    other_looks,
    other_views,
)

SEATS = {"Ann": math.pi / 2}


def test_many_tables_differ_in_dice_floors_and_papers_and_some_in_nothing() -> None:
    usual = draw_setting(np.random.default_rng(1), SEATS)
    seen = [other_looks(usual, np.random.default_rng(seed)) for seed in range(60)]
    assert usual in seen
    assert {one.tray.floor.texture for one in seen} > {"felt", "wood", "leather", "plain"}
    assert any(len(set(one.dice)) == 5 for one in seen)
    assert any(one.dice[0].translucency > 0 for one in seen)
    assert any(one.dice[0].marbling > 0 for one in seen)
    assert any(one.clutter for one in seen)
    assert all(not one.idle_dice and len(one.dice) == 5 for one in seen)
    hard = [one for one in seen if one.tray.floor.texture not in ("felt", "cloth")]
    assert all(one.surface.rolling < usual.surface.rolling for one in hard)
    assert all(len({die.side_mm for die in one.dice}) == 1 for one in seen)


def test_dice_stand_out_from_all_colours_of_the_floor_and_pips_from_all_of_their_dice() -> None:
    usual = draw_setting(np.random.default_rng(1), SEATS)
    seen = [other_looks(usual, np.random.default_rng(seed)) for seed in range(200)]
    assert {"print", "speckle"} < {one.tray.floor.texture for one in seen}
    for one in (one for one in seen if one.dice != usual.dice):
        for die in one.dice:
            body = body_as_pictured(die)
            assert apart(body, floor_as_pictured(one.tray.floor)) >= BODY_APART
            assert apart(body, [as_pictured(face.colour) for face in die.faces]) >= PIPS_APART


def test_a_swapped_die_differs_from_the_five_however_they_look() -> None:
    for seed in range(100):
        usual = draw_setting(np.random.default_rng(seed), SEATS)
        one = SCENARIOS["swapped_die"].dress(other_looks(usual, np.random.default_rng(seed)))
        own, stranger = body_as_pictured(one.dice[0]), body_as_pictured(one.dice[5])
        assert apart(stranger, [*own, *floor_as_pictured(one.tray.floor)]) > TELLING


def test_papers_lie_beside_the_tray() -> None:
    usual = draw_setting(np.random.default_rng(1), SEATS)
    strewn = [one for seed in range(60) if (one := other_looks(usual, np.random.default_rng(seed))).clutter]
    places = [body.start.position for one in strewn for body in one.clutter]
    assert all(room_inside(usual.tray, x, y) < 0 for x, y, _ in places)


def test_some_cameras_sway_and_some_adapt_to_hands() -> None:
    views = [other_views(np.random.default_rng(seed)) for seed in range(60)]
    assert {frozenset(view) for view in views} == {
        frozenset(),
        frozenset({"sway"}),
        frozenset({"sees_hands", "drift"}),
        frozenset({"sway", "sees_hands", "drift"}),
    }


def test_a_swaying_picture_moves_no_farther_than_it_may() -> None:
    light = np.zeros((40, 60, 3), np.float32)
    light[20, 30] = 1.0
    conditions = Conditions(sway=Sway(0.5, 2.0, 0.3))
    for t in np.arange(0, 2, 0.07):
        moved = conditions.on_light(light, float(t), 1.0)[..., 0]
        rows, columns = np.mgrid[:40, :60]
        off = ((moved * columns).sum() / moved.sum() - 30, (moved * rows).sum() / moved.sum() - 20)
        assert off == pytest.approx(conditions.sway.shift(float(t)) if conditions.sway else (0, 0), abs=0.15)
        assert max(map(abs, off)) < 0.65


def test_only_plain_scenarios_look_the_same_with_every_seed() -> None:
    assert [name for name, scenario in SCENARIOS.items() if scenario.plain] == ["sample"]
