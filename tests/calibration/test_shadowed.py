"""A floor that goes on in its wall's shadow is asked about; the line behind the shadow is the guess."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.floor import colours_of
from calibration.outline import find_outline
from calibration.shadowed import goes_on, hides_a_side
from calibration.shape import along, border
from calibration.solid import Solid, edges_around
from tests.calibration.drawn import SIZE, farthest
from tests.calibration.test_rim import FLOOR, PLACES, RIM, TABLE, TRAYS, contour, drawn

DEEP = replace(TRAYS[1], inner=0.02, outer=0.12, height=0.3)


def on_lit_part(tray: Solid, strip: float) -> Solid:
    """The tray whose floor is what a shadow on a strip of this one's leaves of it."""
    view = tray.view
    (x, y), ratio = view.lens(SIZE).project([(0.0, strip / 2)])[0].tolist(), view.ratio - strip / 2
    return replace(tray, view=replace(view, centre=(x, y), ratio=ratio))


@pytest.mark.parametrize(
    ("shade", "strip", "dim"),
    [(0.15, 0.08, 1.0), (0.3, 0.08, 1.0), (0.3, 0.08, 0.5), (0.45, 0.06, 0.5), (0.7, 0.1, 1.0)],
)
@pytest.mark.parametrize("wall", [(30, 34, 32), (50, 52, 50)])
def test_the_floor_goes_on_in_a_shadow(wall: tuple[int, int, int], shade: float, strip: float, dim: float) -> None:
    picture = (dim * drawn(DEEP, wall, True, TABLE, shade, strip)).astype(np.uint8)
    colours = colours_of(picture, 0.7, False)
    assert goes_on("rectangle", on_lit_part(DEEP, strip).view, colours, SIZE)
    assert not goes_on("rectangle", DEEP.view, colours, SIZE)


@pytest.mark.parametrize(("strip", "hidden"), [(0.08, True), (0.18, True), (0.3, False)])
def test_an_outline_that_ends_with_a_walls_shadow_hides_a_side(strip: float, hidden: bool) -> None:
    colours = colours_of(drawn(DEEP, (30, 34, 32), True, RIM, 0.3, strip), 0.7, False)
    edges = edges_around("rectangle", DEEP.view, colours, SIZE)
    view = on_lit_part(DEEP, strip).view
    assert edges is not None
    assert hides_a_side(DEEP, view.lens(SIZE).project(along("rectangle", view.ratio, 180)), edges, SIZE) == hidden


@pytest.mark.parametrize("share", [0.4, 0.7])
def test_a_wall_of_the_floors_hue_is_no_shadow(share: float) -> None:
    wall = (round(share * FLOOR[0]), round(share * FLOOR[1]), round(share * FLOOR[2]))
    assert not goes_on("rectangle", DEEP.view, colours_of(drawn(DEEP, wall, False), 0.7, False), SIZE)


@pytest.mark.parametrize("tilt", [(0.1, 0.15), (0.2, 0.2)])
@pytest.mark.parametrize("height", [0.12, 0.3])
def test_upright_walls_of_the_floors_hue_that_are_seen_on_two_sides_are_no_shadow(
    tilt: tuple[float, float], height: float
) -> None:
    aslant = replace(TRAYS[1], inner=0.0, outer=0.1, height=height, view=replace(TRAYS[1].view, tilt=tilt))
    wall = (round(0.5 * FLOOR[0]), round(0.5 * FLOOR[1]), round(0.5 * FLOOR[2]))
    assert not goes_on("rectangle", aslant.view, colours_of(drawn(aslant, wall, False), 0.7, False), SIZE)


@pytest.mark.parametrize(("wall", "shade", "strip"), [((30, 34, 32), 0.45, 0.06), ((30, 34, 32), 0.3, 0.08)])
def test_an_outline_that_ends_with_a_shadow_is_asked_about(
    wall: tuple[int, int, int], shade: float, strip: float
) -> None:
    found = find_outline(drawn(DEEP, wall, True, TABLE, shade, strip), PLACES, 26.0)
    assert found is not None and (found.sure, found.doubted, found.likely) == (False, True, True)
    seen = found.view.lens(SIZE).project(border(found.kind, found.view.ratio, 64))
    assert farthest(seen, contour(DEEP, 0.0, 0.0)) < 1.5
