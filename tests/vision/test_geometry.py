"""The tray in the picture: inside and outside, and pixels as millimetres."""

from typing import Any

import cv2
import numpy as np
import pytest

from vision.errors import GeometryError
from vision.geometry import Points, TrayGeometry
from vision.lens import Lens

SQUARE = ((100.0, 100.0), (300.0, 100.0), (300.0, 300.0), (100.0, 300.0))


def test_without_homography_the_die_is_the_measure() -> None:
    tray = TrayGeometry(SQUARE, die_px=20.0, size=(400, 400), die_mm=16.0)
    assert tray.to_mm([(200, 200), (220, 190)]).tolist() == [[0, 0], [16, -8]]


def test_homography_maps_places_and_face_sizes() -> None:
    tilted = ((0.8, 0.0, -160.0), (0.0, 0.8, -160.0), (0.0, 0.001, 0.8))
    tray = TrayGeometry(SQUARE, 20.0, (400, 400), homography=tilted)
    assert tray.to_mm([(200, 200)])[0] == pytest.approx([0, 0])
    assert tray.face_px(*tray.centre) == pytest.approx(20.0)
    assert tray.face_px(200, 300) > tray.face_px(200, 200) > tray.face_px(200, 100)


def test_distance_from_the_edge_is_in_faces_either_way_round() -> None:
    for floor in (SQUARE, SQUARE[::-1]):
        tray = TrayGeometry(floor, 20.0, (400, 400))
        assert tray.inside(200, 200) == pytest.approx(5.0)
        assert tray.inside(90, 200) == pytest.approx(-0.5)


@pytest.mark.parametrize(
    "wrong",
    [
        {"floor": SQUARE[:2]},
        {"die_px": 0.0},
        {"die_px": 150.0},
        {"size": (0, 400)},
        {"homography": ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))},
    ],
)
def test_numbers_of_no_tray_are_refused(wrong: dict[str, Any]) -> None:
    given: dict[str, Any] = {"floor": SQUARE, "die_px": 20.0, "size": (400, 400)} | wrong
    with pytest.raises(GeometryError):
        TrayGeometry(**given)


def test_outline_is_an_array_of_corners() -> None:
    assert TrayGeometry(SQUARE, 20.0, (400, 400)).outline.shape == (4, 2)
    assert TrayGeometry(SQUARE, 20.0, (400, 400)).outline.dtype == np.float32


def test_a_lens_is_right_where_it_distorts_and_above_the_floor() -> None:
    lens = Lens((500.0, 500.0), (199.5, 199.5), (0.3, 0.0, 0.0), (0.0, 0.0, 600.0), (-0.2, 0.05, 0.0, 0.0, 0.0))
    tray = TrayGeometry(SQUARE, 13.0, (400, 400), lens=lens)
    places = np.array([(-100.0, 60.0), (0.0, 0.0), (80.0, -40.0)])
    for height in (0.0, 16.0):
        assert np.allclose(tray.to_mm(lens.project(places, height), height), places, atol=1e-4)
    assert tray.foot == pytest.approx(lens.project([lens.place[:2]])[0].tolist())
    assert tray.face_px(*tray.centre) == pytest.approx(13.0, rel=2e-3)
    top = lens.project([(-8, 92), (8, 92), (8, 108), (-8, 108)], 16.0)
    middle = tray.to_mm([tray.centre], 16.0)[0]
    usual = lens.project(middle + np.array([(-8, -8), (8, -8), (8, 8), (-8, 8)]), 16.0)
    wider = np.sqrt(area(top) / area(usual))
    assert tray.face_px(*top.mean(0)) / 13.0 == pytest.approx(wider, rel=5e-3)


def area(corners: Points) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def test_a_camera_that_looks_up_is_none() -> None:
    with pytest.raises(GeometryError, match="look down"):
        Lens((500.0, 500.0), (200.0, 200.0), (3.0, 0.0, 0.0), (0.0, 0.0, 600.0))
    with pytest.raises(GeometryError, match="focal"):
        Lens((0.0, 500.0), (200.0, 200.0), (0.0, 0.0, 0.0), (0.0, 0.0, 600.0))


def test_pushed_camera_with_a_lens_sees_the_same_places() -> None:
    lens = Lens((600.0, 600.0), (320.0, 240.0), (0.12, -0.08, 0.03), (0.0, 0.0, 500.0), (-0.2, 0.05, 0.0, 0.0, 0.0))
    corners = lens.project([(-120, -90), (120, -90), (120, 90), (-120, 90)])
    floor = tuple((float(x), float(y)) for x, y in corners)
    shift = np.array([[0.999, -0.02, 14.0], [0.02, 0.999, -9.0]])
    before = TrayGeometry(floor, 20.0, (640, 480), lens=lens)
    after = before.moved(shift)
    places = np.array([(300.0, 200.0), (360.0, 260.0), (280.0, 290.0)])
    moved = places @ shift[:, :2].T + shift[:, 2]
    assert np.abs(after.to_mm(moved) - before.to_mm(places)).max() < 1.0
    assert after.face_px(*moved[0]) == pytest.approx(before.face_px(*places[0]), rel=0.02)


@pytest.mark.parametrize("tilt", [-0.8, 0.8])
def test_sides_are_seen_towards_the_camera_where_it_looks_in_aslant(tilt: float) -> None:
    aslant = Lens((500.0, 500.0), (200.0, 200.0), (tilt, 0.0, 0.0), (0.0, 0.0, 600.0))
    sides = TrayGeometry(SQUARE, 20.0, (400, 400), lens=aslant).sides(210, 200)
    assert sides is not None
    assert sides[1] * tilt < 0
    assert abs(sides[0]) < abs(sides[1])


def test_from_above_no_side_can_be_taken_for_a_top() -> None:
    level = Lens((500.0, 500.0), (200.0, 200.0), (0.0, 0.0, 0.0), (0.0, 0.0, 600.0))
    assert TrayGeometry(SQUARE, 20.0, (400, 400), lens=level).sides(390, 200) is None
    assert TrayGeometry(SQUARE, 20.0, (400, 400)).sides(390, 200) is None


def test_the_top_lies_farther_from_the_cameras_foot_than_the_middle_of_what_is_seen_of_a_die() -> None:
    level = Lens((500.0, 500.0), (200.0, 200.0), (0.0, 0.0, 0.0), (0.0, 0.0, 600.0))
    seen = TrayGeometry(SQUARE, 20.0, (400, 400), die_mm=24.0, lens=level)
    foot, top = 150.0, 150.0 * 600 / (600 - 24)
    x, y = seen.top_of(200 + (foot + top) / 2, 200)
    assert x == pytest.approx(200 + top, abs=0.1)
    assert y == pytest.approx(200)
    assert seen.top_of(200, 200) == pytest.approx((200, 200))


def test_a_top_outside_the_picture_is_looked_for_where_the_die_was_located() -> None:
    level = Lens((500.0, 500.0), (200.0, 200.0), (0.0, 0.0, 0.0), (0.0, 0.0, 600.0))
    seen = TrayGeometry(SQUARE, 20.0, (400, 400), die_mm=24.0, lens=level)
    assert seen.top_of(399, 200) == (399, 200)
    assert seen.top_of(1, 200) == (1, 200)


def test_where_the_camera_is_unknown_or_a_side_may_be_seen_the_top_lies_where_the_die_was_located() -> None:
    aslant = Lens((500.0, 500.0), (200.0, 200.0), (0.8, 0.0, 0.0), (0.0, 0.0, 600.0))
    assert TrayGeometry(SQUARE, 20.0, (400, 400)).top_of(390, 200) == (390, 200)
    assert TrayGeometry(SQUARE, 20.0, (400, 400), lens=aslant).top_of(210, 200) == (210, 200)
