"""The tray in the picture: inside and outside, and pixels as millimetres."""

import numpy as np
import pytest

from vision.errors import GeometryError
from vision.geometry import TrayGeometry

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
def test_numbers_of_no_tray_are_refused(wrong: dict[str, object]) -> None:
    given = {"floor": SQUARE, "die_px": 20.0, "size": (400, 400)} | wrong
    with pytest.raises(GeometryError):
        TrayGeometry(**given)  # type: ignore[arg-type]


def test_outline_is_an_array_of_corners() -> None:
    assert TrayGeometry(SQUARE, 20.0, (400, 400)).outline.shape == (4, 2)
    assert TrayGeometry(SQUARE, 20.0, (400, 400)).outline.dtype == np.float32
