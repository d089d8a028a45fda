"""What befalls the view: drawn while it lasts and gone afterwards."""

import math
from dataclasses import replace

import numpy as np
import pytest

from models.sim.conditions import Conditions, Cover, Defocus, Drift, Flicker, Glare, Push, Spoiled, Surroundings
from models.sim.view import project
from tests.models.sim.acted import acted

EVEN = np.full((60, 80, 3), 0.2, np.float32)


def surroundings() -> Surroundings:
    setting = acted("throw").setting
    return Surroundings(setting.lens, setting.table, setting.lamps, setting.sky)


def test_a_pushed_tray_is_seen_elsewhere_and_so_is_the_table_from_it() -> None:
    usual = surroundings()
    push = Push(1.0, 2.0, "tray", 20.0, 0.0, 0.0)
    after = Conditions(pushes=(push,)).around(usual, 3.0)
    shift = project(after.lens, (0, 0, 0)) - project(usual.lens, (0, 0, 0))
    assert shift[0, 0] == pytest.approx(-20 * usual.lens.focal_px / usual.lens.position[2], rel=0.1)
    lamp, before = after.lamps[0].position, usual.lamps[0].position
    assert lamp[0] - before[0] == pytest.approx(20)
    assert Conditions(pushes=(push,)).around(usual, 0.5) == usual


def test_a_push_back_restores_everything() -> None:
    push = Push(1.0, 1.5, "camera", 12.0, -9.0, math.radians(2), swings=2)
    back = replace(push, start=1.5, end=2.0, x=-12.0, y=9.0, turn=-push.turn)
    lens = Conditions(pushes=(push, back)).around(surroundings(), 2.5).lens
    pixels = [project(one, [(0, 0, 0), (60, 40, 0)]) for one in (lens, surroundings().lens)]
    np.testing.assert_allclose(pixels[0], pixels[1], atol=1.5)


def test_light_is_changed_only_while_it_lasts() -> None:
    conditions = Conditions(
        glares=(Glare(1, 2, (40, 30), (10, 10), 2.0),), covers=(Cover(3, 4, 0.5),), defocus=(Defocus(5, 6, 4.0),)
    )
    assert [conditions.changes_light(t) for t in (0.5, 1.5, 2.5, 3.5, 4.5)] == [False, True, False, True, False]
    glare, covered = conditions.on_light(EVEN, 1.5, 1.0), conditions.on_light(EVEN, 3.5, 1.0)
    assert glare[30, 40].min() > 1.5
    assert covered.max() < 0.02
    assert [conditions.blur_px(t) > 1 for t in (4.9, 5.5, 6.1)] == [False, True, False]


def test_spoiled_frames_are_grey_or_torn() -> None:
    picture = np.random.default_rng(1).integers(0, 255, (64, 80, 3)).astype(np.uint8)
    conditions = Conditions(spoiled=(Spoiled(1, 2, "grey"), Spoiled(3, 4, "torn")))
    rng = np.random.default_rng(2)
    assert conditions.spoil(picture, picture, 0.5, rng) is picture
    assert np.ptp(conditions.spoil(picture, picture, 1.5, rng)) == 0
    torn = conditions.spoil(picture, picture, 3.5, rng)
    assert (torn[:8] == picture[:8]).all()
    assert (torn[-8:] != picture[-8:]).mean() > 0.5


def test_exposure_wanders_slowly_and_within_its_bounds() -> None:
    conditions = Conditions(drift=Drift(0.18, 0.01, 1.0))
    gains = np.array([conditions.exposure(t) for t in np.arange(0, 60, 0.1)])
    assert 0.78 < gains.min() < 0.9
    assert 1.1 < gains.max() < 1.3
    assert np.abs(np.diff(gains, axis=0)).max() < 0.02


def test_a_flickering_lamp_throws_bands_that_run() -> None:
    conditions = Conditions(flicker=Flicker(100.0, 0.4, 0.02))
    assert conditions.changes_light(0.0)
    first, next_one = (conditions.on_light(EVEN, t, 1.0)[:, 0, 0] / EVEN[0, 0, 0] for t in (0.0, 1 / 30))
    assert (first.max(), first.min()) == pytest.approx((1.4, 0.6), abs=0.01)
    assert (np.diff(np.sign(first - 1)) != 0).sum() == 4  # two bands in 20 ms
    assert np.abs(first - next_one).max() > 0.3
