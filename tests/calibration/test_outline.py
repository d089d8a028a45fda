"""The floor's outline: every shape of tray under a tilted, bent view."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.fit import fit
from calibration.outline import find_outline
from calibration.shape import KINDS, Kind, View, along, border, distance, outward
from calibration.trace import Outline
from tests.calibration.drawn import PLACES, SIZE, VIEW, VIEWS, empty, farthest, outline

ASLANT = View(165.0, 4.1, -0.03, 0.005, (-0.02, 0.35), 0.4, (320.0, 240.0))
"""A fit to a floor whose corners are rounded off, as large dice do, is led to the other side of the tray from here."""

FLOOR_MM, WITHIN_MM = 240.0, 0.8
"""Of the 1.5 mm that are promised for films, about half for a tray that is drawn plainly."""


@pytest.mark.parametrize(
    ("kind", "view", "die_px"), [*((*each, 30.0) for each in VIEWS.items()), ("octagon", ASLANT, 44.0)]
)
def test_every_shape_is_found_within_a_millimetre(kind: Kind, view: View, die_px: float) -> None:
    found = find_outline(empty(kind, view), PLACES, die_px)
    assert found is not None
    assert found.sure
    assert found.kind == kind
    seen = found.view.lens(SIZE).project(border(found.kind, found.view.ratio, 64))
    assert farthest(seen, outline(kind, view)) * FLOOR_MM / (2 * view.scale) < WITHIN_MM


def test_a_plain_table_has_no_outline_to_believe_in() -> None:
    plain = np.full((480, 640, 3), (80, 110, 140), np.uint8)
    found = find_outline(plain, PLACES, 30.0)
    assert found is None or not found.sure


def test_an_outline_with_a_side_on_which_no_edge_lies_is_not_sure() -> None:
    picture = empty()
    whole = find_outline(picture, PLACES, 30.0)
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
