"""The floor's edge found all round a shape: to a part of a pixel, past specks, and no farther than it is looked for."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.floor import colours_of
from calibration.floor_edge import SAMPLES, edge_offsets, edges_near
from calibration.shape import View

FLOOR, TABLE = (60, 130, 70), (120, 90, 80)
SIZE, RADIUS = (320, 240), 90.0
TURNS = np.arange(SAMPLES) * (2 * np.pi / SAMPLES)
AWAY = np.column_stack([np.cos(TURNS), np.sin(TURNS)])
MIDDLE = np.array([160.0, 120.0])


def drawn(specks: bool) -> npt.NDArray[np.float32]:
    """A round floor on a table, as colours whose distances tell them apart."""
    large = np.full((4 * SIZE[1], 4 * SIZE[0], 3), TABLE, np.uint8)
    cv2.circle(large, (4 * 160 + 2, 4 * 120 + 2), round(4 * RADIUS), FLOOR, -1)
    for turn in (0.3, 2.0, 4.5) if specks else ():
        x, y = MIDDLE + (RADIUS - 8) * np.array([np.cos(turn), np.sin(turn)])
        cv2.circle(large, (round(4 * x), round(4 * y)), 6, (0, 0, 0), -1)
    return colours_of(np.asarray(cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA), np.uint8), 0.7, False)


@pytest.mark.parametrize("specks", [False, True])
@pytest.mark.parametrize("inside", [0.0, 3.3])
def test_the_edge_is_found_to_a_part_of_a_pixel_whatever_lies_before_it(specks: bool, inside: float) -> None:
    offsets, contrast = edge_offsets(drawn(specks), MIDDLE + (RADIUS - inside) * AWAY, AWAY, 10.0)
    assert np.abs(offsets - inside).max() < 0.4
    assert contrast.min() > 10


def test_a_shape_finds_its_own_edge() -> None:
    view = View(RADIUS - 2, 5.5, 0.0, 0.0, (0.0, 0.0), 0.0, (160.0, 120.0))
    found = edges_near("round", view, drawn(False), SIZE, 8.0)
    assert found is not None
    assert np.abs(np.linalg.norm(found[0] - MIDDLE, axis=1) - RADIUS).max() < 0.6


def test_a_shape_far_beyond_the_picture_has_none() -> None:
    view = View(RADIUS, 5.5, 0.0, 0.0, (0.0, 0.0), 0.0, (5000.0, 120.0))
    assert edges_near("round", view, drawn(False), SIZE, 8.0) is None
