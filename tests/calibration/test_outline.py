"""The floor's outline: every shape of tray under a tilted, bent view, and pointed at by hand."""

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.fit import fit
from calibration.outline import Outline, check_held, find_outline, outline_of_corners, outline_pointed_at
from calibration.shape import KINDS, Kind, View, along, border, corners, distance, outward
from tests.calibration.drawn import SHOWN, SIZE, THROWN, VIEW, empty, outline
from tests.calibration.once import once

PLACES = [(x, y) for x, y, _ in (*SHOWN, *THROWN)]
VIEWS: dict[Kind, View] = {
    "square": VIEW,
    "rectangle": View(190.0, 4.5, -0.03, 0.0, (0.1, 0.15), -0.12, (322.0, 240.0), 0.78),
    "octagon": View(170.0, 6.0, -0.05, 0.01, (-0.15, 0.05), 0.2, (318.0, 244.0)),
    "round": View(175.0, 5.0, -0.02, 0.0, (0.12, 0.1), 0.0, (320.0, 238.0)),
}
ASLANT = View(165.0, 4.1, -0.03, 0.005, (-0.02, 0.35), 0.4, (320.0, 240.0))
"""A fit to a floor whose corners are rounded off, as large dice do, is led to the other side of the tray from here."""

FLOOR_MM, WITHIN_MM = 240.0, 0.8
"""Of the 1.5 mm that are promised for films, about half for a tray that is drawn plainly."""


find_once = once(find_outline)


@pytest.fixture(scope="module", autouse=True)
def found_once() -> Iterator[None]:
    """Beside corners that people point at, too, a picture's outline is found once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calibration.outline.find_outline", find_once)
        yield


def farthest(found: np.ndarray, true: np.ndarray) -> float:
    """Largest distance between two outlines, px."""
    pairs = ((found, true), (true, found))
    return max(
        abs(cv2.pointPolygonTest(a.astype(np.float32), (float(x), float(y)), True)) for a, b in pairs for x, y in b
    )


@pytest.mark.parametrize(
    ("kind", "view", "die_px"), [*((*each, 30.0) for each in VIEWS.items()), ("octagon", ASLANT, 44.0)]
)
def test_every_shape_is_found_within_a_millimetre(kind: Kind, view: View, die_px: float) -> None:
    found = find_once(empty(kind, view), PLACES, die_px)
    assert found is not None
    assert found.sure
    assert found.kind == kind
    seen = found.view.lens(SIZE).project(border(found.kind, found.view.ratio, 64))
    assert farthest(seen, outline(kind, view)) * FLOOR_MM / (2 * view.scale) < WITHIN_MM


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


def test_a_plain_table_has_no_outline_to_believe_in() -> None:
    plain = np.full((480, 640, 3), (80, 110, 140), np.uint8)
    found = find_outline(plain, PLACES, 30.0)
    assert found is None or not found.sure


def test_an_outline_with_a_side_on_which_no_edge_lies_is_not_sure() -> None:
    picture = empty()
    whole = find_once(picture, PLACES, 30.0)
    floor = outline()
    floor[floor[:, 1] > np.median(floor[:, 1]) + 60] += (0.0, 300.0)  # it runs on to the picture's border, and beyond
    cv2.fillPoly(picture, [np.round(floor).astype(np.int32)], (60, 120, 50))
    open_ended = find_outline(picture, PLACES, 30.0)
    assert whole is not None and open_ended is not None
    assert whole.weakest > 10 and open_ended.weakest < 1 and open_ended.contrast > 10
    precise = Outline("square", VIEW, whole.points, np.zeros(len(whole.points)), 1.0, whole.contrast)
    assert replace(precise, weakest=whole.weakest).sure and not replace(precise, weakest=open_ended.weakest).sure


def test_a_fit_undoes_its_view() -> None:
    points = VIEW.lens(SIZE).project(along("square", 1.0, 80))
    start = View(150.0, 5.5, 0.0, 0.0, (0.0, 0.0), 0.0, (320.0, 240.0))
    rough, _ = fit("square", points, SIZE, start, free_lens=False)
    view, offsets = fit("square", points, SIZE, rough)
    assert np.abs(offsets).max() < 0.2
    assert view.centre == pytest.approx(VIEW.centre, abs=0.5)
    assert distance("square", 1.0, np.array([(1.5, 0.0), (0.0, 0.0)])).tolist() == pytest.approx([0.5, -1.0])


@pytest.mark.parametrize("kind", KINDS)
def test_a_place_moved_outward_from_a_border_is_so_far_from_it(kind: Kind) -> None:
    ratio = 0.7 if kind == "rectangle" else 1.0
    places = along(kind, ratio, 60)
    normals = outward(kind, ratio, places)
    for out in (0.0, 0.2):
        assert distance(kind, ratio, places + normals * out) == pytest.approx(out, abs=1e-9)
    inside = distance(kind, ratio, places - normals * 0.1)
    assert np.median(inside) == pytest.approx(-0.1) and (inside >= -0.1 - 1e-9).all()  # another side may be nearer
