"""Whether a calibration still holds, where the floor's own edge is not the plainest near by."""

import cv2
import numpy as np
import pytest

from calibration.check import Checked, check, lies_still
from calibration.facts import Calibration, Picture
from tests.calibration.drawn import SIZE, empty, outline

FLOOR = tuple((float(x), float(y)) for x, y in outline())
FAINT_WALL = (55, 110, 46)
"""Some levels off the floor's colour: the rim above it is plainer by far."""


@pytest.fixture(scope="module")
def faint() -> np.ndarray:
    return empty(wall=FAINT_WALL)


def checked(picture: np.ndarray, floor: np.ndarray | None = None) -> Checked:
    level = float(np.median(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[200:280, 280:360]))
    seen = FLOOR if floor is None else tuple((float(x), float(y)) for x, y in floor)
    known = Calibration(*SIZE, seen, 30.0, picture=Picture(30.0, 0.3, level, (60.0, 120.0, 50.0), 1.5, 0.8))
    return check(known, [np.asarray(picture, np.uint8)] * 3)


def test_a_floor_that_is_where_it_was_holds_though_its_rim_is_plainer(faint: np.ndarray) -> None:
    found = checked(faint)
    assert found.ok
    assert found.held > 0.9
    assert found.moved_px < 0.7


@pytest.mark.parametrize("px", [3, 5, 8, 12, 20])
@pytest.mark.parametrize("slope", [0.0, 0.6])
def test_a_move_is_told_though_two_sides_may_lie_along_it(px: int, slope: float, faint: np.ndarray) -> None:
    ways = np.array([[1.0, 0, px], [0, 1, slope * px]])
    for picture in (faint, empty()):
        moved = cv2.warpAffine(picture, ways, SIZE, borderMode=cv2.BORDER_REPLICATE)
        assert checked(np.asarray(moved, np.uint8)).reasons == ("camera_moved",)


@pytest.mark.parametrize(("degrees", "zoom"), [(2.0, 1.0), (-3.0, 1.0), (0.0, 1.02), (0.0, 0.98)])
def test_a_turn_and_a_camera_that_came_nearer_are_told(degrees: float, zoom: float, faint: np.ndarray) -> None:
    ways = cv2.getRotationMatrix2D((325.0, 236.0), degrees, zoom)
    moved = cv2.warpAffine(faint, ways, SIZE, borderMode=cv2.BORDER_REPLICATE)
    assert checked(np.asarray(moved, np.uint8)).reasons == ("camera_moved",)


def test_where_no_edge_was_seen_when_it_was_calibrated_none_tells_a_move(faint: np.ndarray) -> None:
    blank = np.full_like(faint, 90)
    known = Calibration(*SIZE, FLOOR, 30.0, picture=Picture(30.0, 0.3, 90.0, (90.0, 90.0, 90.0), 1.5, 0.8, edge=0.1))
    found = check(known, [blank] * 3)
    assert found.ok
    assert not found.tells_moves
    assert check(known, [np.asarray(blank // 4, np.uint8)] * 3).reasons == ("light_changed",)


def shadowed(picture: np.ndarray, floor: np.ndarray, px: float = 5.0, light: float = 0.9) -> np.ndarray:
    """The picture with a narrow shadow below two walls, or half of a round one, on the floor that its outline (n, 2)
    bounds."""
    on = np.zeros(SIZE[::-1], np.uint8)
    cv2.fillPoly(on, [np.round(floor).astype(np.int32)], 1)
    lit = cv2.warpAffine(on, np.array([[1.0, 0, px], [0, 1, px]]), SIZE)
    shade = np.where((on > lit)[..., None], light, 1.0)
    return np.asarray(picture * cv2.GaussianBlur(shade, (0, 0), 0.7)[..., None], np.uint8)


def test_a_floor_whose_faint_edge_a_shadow_hides_lies_still_in_its_rim(faint: np.ndarray) -> None:
    known, later = Calibration(*SIZE, FLOOR, 30.0), shadowed(faint, outline())
    assert "camera_moved" in check(known, [later]).reasons
    assert lies_still(known, [faint], [later])


@pytest.mark.parametrize("px", [2, 3, 5, 8, 12, 20])
@pytest.mark.parametrize("slope", [0.0, 0.6])
def test_a_tray_that_was_pushed_does_not_lie_still(px: int, slope: float, faint: np.ndarray) -> None:
    ways = np.array([[1.0, 0, px], [0, 1, slope * px]])
    pushed = cv2.warpAffine(shadowed(faint, outline()), ways, SIZE, borderMode=cv2.BORDER_REPLICATE)
    assert not lies_still(Calibration(*SIZE, FLOOR, 30.0), [faint], [np.asarray(pushed, np.uint8)])


@pytest.mark.parametrize("wall", [None, FAINT_WALL], ids=["plain", "faint"])
@pytest.mark.parametrize("px", [3, 4, 5])
def test_an_edge_that_is_not_where_it_was_may_be_a_mats_in_a_tray_that_lies_still(
    px: int, wall: tuple[int, int, int] | None
) -> None:
    seen = empty() if wall is None else empty(wall=wall)
    inside = np.zeros(SIZE[::-1], np.uint8)
    cv2.fillPoly(inside, [np.round(outline(out=0.05, height=0.2)).astype(np.int32)], 1)
    pushed = np.where(inside[..., None] > 0, np.roll(seen, px, axis=1), seen)
    assert not lies_still(Calibration(*SIZE, FLOOR, 30.0), [seen], [np.asarray(pushed, np.uint8)])
