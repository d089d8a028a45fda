"""Drawn marks: sure and unsure differ in colour and in line, and plates stay in the picture."""

import numpy as np
import pytest

from firmware.drawn.annotate import MEANT, SURE, UNSURE, Mark, draw_marks, mark_of, put_marks
from firmware.drawn.canvas import Image
from vision.read import Reading


def count(image: Image, colour: tuple[int, int, int]) -> int:
    return int((image == np.array(colour, np.uint8)).all(axis=2).sum())


def test_sure_is_solid_and_unsure_is_dashed() -> None:
    empty = np.zeros((200, 200, 3), np.uint8)
    sure = draw_marks(empty, [Mark(100, 120, 60, 0, "5", True)])
    unsure = draw_marks(empty, [Mark(100, 120, 60, 0, "?", False)])
    assert count(sure, UNSURE) == count(unsure, SURE) == 0
    edge = slice(72, 128)
    assert (sure[150, edge] == SURE).all()
    solid = (unsure[150, edge] == UNSURE).all(axis=1)
    assert 10 < solid.sum() < 50
    assert not empty.any()


@pytest.mark.parametrize(("x", "y"), [(0, 0), (199, 0), (0, 149), (199, 149)])
def test_plates_stay_in_the_picture(x: float, y: float) -> None:
    drawn = draw_marks(np.zeros((150, 200), np.uint8), [Mark(x, y, 30, 10, "6", True)])
    assert drawn.shape == (150, 200, 3)
    assert count(drawn, SURE) > 100


@pytest.mark.parametrize("angle", [0, 20, 45])
def test_plates_hide_no_face_and_no_other_plate(angle: float) -> None:
    places = [(150, 150), (186, 114), (114, 114), (190, 160)]
    marks = [Mark(x, y, 30, angle, str(n + 1), True, (90, 90, 90 + n), f"#{n}") for n, (x, y) in enumerate(places)]
    together = draw_marks(np.zeros((300, 300, 3), np.uint8), marks)
    alone = [draw_marks(np.zeros((300, 300, 3), np.uint8), [mark]) for mark in marks]
    for mark, own in zip(marks, alone, strict=True):
        assert mark.colour is not None
        assert count(together, mark.colour) > 0.97 * count(own, mark.colour)
        inside = slice(round(mark.y) - 6, round(mark.y) + 7), slice(round(mark.x) - 6, round(mark.x) + 7)
        assert not together[inside].any()


def test_a_plate_is_nearest_to_its_own_die() -> None:
    places = [(150, 150, "#13"), (109, 170, "#17"), (179, 117, "#16")]
    marks = [Mark(x, y, 30, 0, "1", True, (9, 9, 90 + n), tag) for n, (x, y, tag) in enumerate(places)]
    drawn = draw_marks(np.zeros((300, 300, 3), np.uint8), marks)
    plate = marks[0].colour
    assert plate is not None
    rows, columns = np.nonzero((drawn == np.array(plate, np.uint8)).all(axis=2))
    beside = np.hypot(columns - 150, rows - 150) > 25
    assert (columns[beside].mean(), rows[beside].mean()) == pytest.approx((192, 177), abs=12)


def test_a_die_that_is_meant_has_corners_around_it() -> None:
    empty = np.zeros((200, 200, 3), np.uint8)
    meant, other = (draw_marks(empty, [Mark(100, 100, 40, 20, "?", False, meant=meant)]) for meant in (True, False))
    assert count(meant, MEANT) > 100
    assert count(other, MEANT) == 0
    assert not meant[90:110, 90:110].any()


def test_a_plate_hides_nothing_that_is_no_die_yet() -> None:
    mark = Mark(100, 100, 30, 0, "5", True, (9, 9, 90))
    free, spared = np.zeros((200, 200, 3), np.uint8), np.zeros((200, 200, 3), np.uint8)
    put_marks(free, [mark])
    put_marks(spared, [mark], [(120, 50, 170, 80)])
    assert (free[50:80, 120:170] == mark.ink).all(axis=2).sum() > 200
    assert not (spared[50:80, 120:170] == mark.ink).all(axis=2).any()
    assert count(spared, mark.ink) == count(free, mark.ink)


def test_a_mark_is_as_large_as_the_face() -> None:
    reading = Reading(None, 0.2, 4, "unknown", 45.0, (10.0, 10.0, 42.426, 42.426), 0.1, 0.3)
    mark = mark_of(reading)
    assert (mark.text, mark.sure) == ("?", False)
    assert mark.face_px == pytest.approx(30, abs=0.01)
    assert (mark.x, mark.y) == pytest.approx((31.213, 31.213))
