"""The floor's outline where people point at its corners."""

from collections.abc import Iterator

import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.outline import find_outline
from calibration.pointed import check_held, outline_of_corners, outline_pointed_at
from calibration.shape import Kind, border, corners
from calibration.trace import Outline
from tests.calibration.drawn import PLACES, SIZE, VIEW, VIEWS, empty, farthest, outline
from tests.calibration.once import once


@pytest.fixture(scope="module", autouse=True)
def found_once() -> Iterator[None]:
    """Beside the corners a picture's outline is found once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calibration.pointed.find_outline", once(find_outline))
        yield


def test_corners_given_by_hand_are_moved_onto_the_edges() -> None:
    true = VIEW.lens(SIZE).project(corners("square"))
    rough = true + np.array([(2, -1), (-2, 2), (1, 2), (-1, -2)])
    found = outline_of_corners(empty(), [(float(x), float(y)) for x, y in rough])
    seen = found.view.lens(SIZE).project(border(found.kind, found.view.ratio, 64))
    assert farthest(seen, outline()) < 1.0


def inside(px: float) -> list[tuple[float, float]]:
    """The floor's corners, each of its sides so far inside, px."""
    return [(float(x), float(y)) for x, y in VIEW.lens(SIZE).project(corners("square") * (1 - px / VIEW.scale))]


@pytest.mark.parametrize("px", [13, 17, 25, 40])
def test_corners_beside_every_edge_are_taken_as_they_are(px: float) -> None:
    found = outline_of_corners(empty(), inside(px))
    assert found.taken
    assert not found.sure
    assert found.view.scale == pytest.approx(VIEW.scale - px, abs=2.0)


def pointed(given: list[tuple[float, float]], kind: Kind = "square") -> tuple[Outline, Outline | None]:
    return outline_pointed_at(empty(kind, VIEWS[kind]), PLACES, 30.0, given)


def test_corners_on_an_outline_that_is_plain_mean_that_outline() -> None:
    found, elsewhere = pointed([(round(x), round(y)) for x, y in inside(0)])
    assert (found.sure, found.taken, elsewhere) == (True, False, None)
    seen = found.view.lens(SIZE).project(border(found.kind, found.view.ratio, 64))
    assert farthest(seen, outline()) < 1.5
    around = [(float(x), float(y)) for x, y in outline("round", VIEWS["round"])[::16]]
    found, elsewhere = pointed(around, "round")
    assert (len(around), found.kind, found.sure, elsewhere) == (4, "round", True, None)


@pytest.mark.parametrize("given", [inside(25), [(float(x), float(y)) for x, y in outline(out=0.09, height=0.2)[::16]]])
def test_corners_beside_an_outline_that_is_plain_are_taken_and_it_is_told(given: list[tuple[float, float]]) -> None:
    found, elsewhere = pointed(given)
    assert elsewhere is not None and elsewhere.sure
    ends = found.view.lens(SIZE).project(corners(found.kind, found.view.ratio))
    assert farthest(ends, np.array(given)) < 6.0
    seen = elsewhere.view.lens(SIZE).project(border(elsewhere.kind, elsewhere.view.ratio, 64))
    assert farthest(seen, outline()) < 1.5


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([(155, 75), (485, 75), (155, 405), (200, 200), (485, 405)], "no camera sees"),
        ([(155, 75), (485, 75), (300, 460), (290, 460)], "no camera sees"),
        ([(155, 75), (485, 75), (485, 405), (155, 485)], "in the picture of 640x480"),
        ([(155, 75), (485, 75), (485, 405), (300, 200)], "between or within"),
        ([(175, 80), (300, 80), (485, 80), (485, 405)], "between or within"),
        ([(100, 100)] * 4, "between or within"),
    ],
)
def test_corners_that_are_no_floors_are_named(given: list[tuple[float, float]], says: str) -> None:
    with pytest.raises(CalibrationError, match=says):
        outline_of_corners(empty(), given)


def test_corners_must_hold_the_dice() -> None:
    check_held([(155, 75), (485, 75), (485, 405), (155, 405)], PLACES, 30.0)
    with pytest.raises(CalibrationError, match="the dice came to rest outside"):
        check_held([(10, 10), (150, 10), (150, 150), (10, 150)], PLACES, 30.0)
    with pytest.raises(CalibrationError, match="so small"):
        check_held([(155, 75), (156, 75), (156, 76), (155, 76)], PLACES, 30.0)


def test_a_square_pointed_at_roughly_is_no_rectangle_and_its_order_does_not_matter() -> None:
    true = VIEW.lens(SIZE).project(corners("square")) + np.array([(6, -4), (-5, 4), (4, 6), (-4, -5)])
    found = outline_of_corners(empty(), [(float(x), float(y)) for x, y in true[[0, 2, 1, 3]]])
    assert found.kind == "square"
    assert found.sure
