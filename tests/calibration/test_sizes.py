"""Sizes by what is known: dice tell them truly where the camera's height is known, or is told to have been left out."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import calibration.sizes
from calibration.dice import Measured
from calibration.facts import Wish
from calibration.fit import fit
from calibration.gauge import TAPED
from calibration.shape import Points, border
from calibration.sizes import WHITE_DOUBT, Sizes, gauged, overexposed, size_up
from calibration.trace import Outline, at_height
from tests.calibration.once import once
from tests.calibration.test_dice import BARE, EDGE, LENS, POSES, SIZE, VIEW, lying

UNIT = 16.0 / EDGE
AWAY = float(np.linalg.norm(LENS.translation))


@pytest.fixture(scope="module", autouse=True)
def asked_once() -> Iterator[None]:
    """The same dice under the same camera are measured once, whatever is wished and shown beside them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("measure_dice", "gauged"):
            patch.setattr(f"calibration.sizes.{name}", once(getattr(calibration.sizes, name)))
        yield


def believed(height: float) -> Outline:
    """The floor of the drawn dice, as seen by a camera that is taken to be so high, half widths."""
    points = LENS.project(border("square", 1.0, 64))
    view, offsets = fit("square", points, SIZE, replace(VIEW, height=height), free_height=False)
    return Outline("square", view, points, offsets, 1.0, 50.0, whole=True)


def sized(wish: Wish, height: float = 0.75 * VIEW.height) -> Sizes:
    return size_up(lying(), BARE, believed(height), wish, None, 24.0, 24.0)


def in_row(share: float, count: int = 5) -> list[Points]:
    """The pips of fours in a row, so many edges from each middle to the next."""
    pips = EDGE / 4 * np.array([(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)])
    middles = [(share * EDGE * (k - (count - 1) / 2), 0.3) for k in range(count)]
    return [LENS.project(pips + np.array(middle), EDGE) for middle in middles]


def test_a_camera_known_to_be_higher_is_found_to_lean_as_it_does() -> None:
    held = at_height(believed(0.75 * VIEW.height), AWAY, SIZE)
    assert held is not None
    assert held.view.height == pytest.approx(VIEW.height, rel=0.01)
    assert held.view.tilt == pytest.approx(VIEW.tilt, abs=0.01)


@pytest.mark.parametrize("share", [0.2, 5.0])
def test_a_height_that_the_picture_contradicts_is_left_out_and_said(share: float) -> None:
    assert at_height(believed(VIEW.height), share * AWAY, SIZE) is None
    found = sized(Wish(die_mm=16.0, height_mm=share * AWAY * UNIT))
    without = sized(Wish(die_mm=16.0))
    assert found.height_odd and not without.height_odd
    assert (found.unit, found.outline.view) == (without.unit, without.outline.view)


def test_the_scale_by_dice_is_truer_and_surer_where_the_height_is_known() -> None:
    rough, sure = sized(Wish(die_mm=16.0)), sized(Wish(die_mm=16.0, height_mm=AWAY * UNIT))
    assert rough.measured is not None and sure.measured is not None
    assert sure.outline.view.height == pytest.approx(VIEW.height, rel=2 * TAPED)
    assert sure.measured.doubt < rough.measured.doubt
    true = sized(Wish(die_mm=16.0), VIEW.height).unit
    assert abs(sure.unit / true - 1) < abs(rough.unit / true - 1)


def test_with_the_trays_width_the_height_tells_the_dice() -> None:
    tray = Wish(tray_mm=2 * UNIT)
    rough, sure = sized(tray), sized(replace(tray, height_mm=AWAY * UNIT))
    assert rough.unit == sure.unit == UNIT
    assert sure.outline.view.height == pytest.approx(VIEW.height, rel=0.01)


def test_a_height_alone_tells_no_scale() -> None:
    assert sized(Wish(height_mm=600.0)).outline.view == sized(Wish()).outline.view


def test_dice_that_are_full_white_are_in_more_doubt() -> None:
    poses = np.array(POSES)
    plain = lying()
    white = [replace(die, picture=np.clip(die.picture * 1.3, 0, 255).astype(np.uint8)) for die in plain]
    assert (overexposed(plain), overexposed(white), overexposed([])) == (False, True, False)
    sure, unsure = (gauged(Measured(EDGE, VIEW, poses, 0.0), dice, BARE) for dice in (plain, white))
    assert unsure.doubt > max(sure.doubt, WHITE_DOUBT)


@pytest.mark.parametrize("share", [0.75, 1.35])
def test_dice_that_are_read_at_quite_another_size_are_measured_where_the_gauge_sees_them_so(share: float) -> None:
    found = size_up(lying(), BARE, believed(VIEW.height), Wish(die_mm=16.0), None, share * 24.0, share * 24.0)
    assert found.unit == sized(Wish(die_mm=16.0), VIEW.height).unit
    assert found.scale_doubt == pytest.approx(0.02, abs=0.01)


def test_a_size_that_neither_readings_nor_the_gauge_bear_out_is_in_as_much_doubt_as_they_differ() -> None:
    unseen = [replace(die, picture=BARE) for die in lying()]
    found = size_up(unseen, BARE, believed(VIEW.height), Wish(die_mm=16.0), None, 32.0, 32.0)
    assert found.measured is None
    assert found.scale_doubt == found.dice_doubt == pytest.approx(math.log(32 / 24), abs=0.1)


def test_a_row_of_dice_makes_their_size_truer_and_in_doubt_by_how_much_larger_it_is_than_they_look() -> None:
    wish, height = Wish(die_mm=16.0, height_mm=AWAY * UNIT), VIEW.height
    looks = sized(wish, height)
    rowed = size_up(lying(), BARE, believed(height), wish, None, 24.0, 24.0, together=[in_row(1.0), in_row(1.0)[:2]])
    assert looks.row is None and rowed.row is not None and not rowed.row_odd
    assert rowed.row.count == 5 and looks.measured is not None and rowed.measured is not None
    assert rowed.unit == pytest.approx(UNIT, rel=0.006)
    assert abs(rowed.measured.edge / EDGE - 1) < abs(looks.measured.edge / EDGE - 1)
    assert rowed.scale_doubt == pytest.approx(math.log(rowed.row.edge / looks.measured.edge), rel=0.05)
    alike = [in_row(looks.measured.edge / EDGE)]
    borne_out = size_up(lying(), BARE, believed(height), wish, None, 24.0, 24.0, together=alike)
    assert borne_out.scale_doubt < 0.7 * looks.scale_doubt and borne_out.dice_doubt < 0.7 * looks.dice_doubt


def test_a_row_that_is_not_pushed_together_is_left_out_and_its_difference_is_the_doubt() -> None:
    wish, height = Wish(die_mm=16.0, height_mm=AWAY * UNIT), VIEW.height
    looks = sized(wish, height)
    apart = size_up(lying(), BARE, believed(height), wish, None, 24.0, 24.0, together=[in_row(1.06)])
    assert apart.row is not None and apart.row_odd and apart.unit == looks.unit
    assert looks.measured is not None
    assert apart.scale_doubt == pytest.approx(math.log(apart.row.edge / looks.measured.edge), rel=0.01)
    few = size_up(lying(), BARE, believed(height), wish, None, 24.0, 24.0, together=[in_row(1.0, 3)])
    assert (few.row, few.row_odd, few.unit) == (None, False, looks.unit)
