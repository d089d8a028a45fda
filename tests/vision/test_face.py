"""Angle, centre and box of a face from its pips."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.drawn_tray import PIPS
from vision.face import (
    Pip,
    blemish,
    corner_spread,
    edge_angle,
    face_box,
    find_pips,
    foreshortening,
    pip_angle,
    pip_centre,
)
from vision.network import CROP_FACES, CROP_PX, PIP_CELLS, FloatArray

SPACING = 0.26


def pips_of(value: int, angle: float, x: float = 0.0, y: float = 0.0) -> tuple[Pip, ...]:
    c, s = math.cos(math.radians(angle)) * SPACING, math.sin(math.radians(angle)) * SPACING
    return tuple(Pip(x + u * c - v * s, y + u * s + v * c, 1.0) for u, v in PIPS[value])


def apart(a: float, b: float) -> float:
    """Difference of two directions that repeat every 90 degrees."""
    return abs((a - b + 45) % 90 - 45)


@given(st.sampled_from([2, 3, 4, 5, 6]), st.floats(0, 360), st.floats(-0.2, 0.2), st.floats(-0.2, 0.2))
def test_pips_tell_the_angle_and_the_centre(value: int, angle: float, x: float, y: float) -> None:
    pips = pips_of(value, angle, x, y)
    measured = pip_angle(pips)
    assert measured is not None
    assert 0 <= measured < 90
    assert apart(measured, angle) < 1e-6
    assert pip_centre(pips) == pytest.approx((x, y))


def test_a_single_pip_tells_no_angle() -> None:
    assert pip_angle(pips_of(1, 30)) is None


@given(st.sampled_from([4, 5]), st.floats(0, 360), st.floats(0, 80), st.floats(0, 360))
def test_a_face_is_as_foreshortened_as_it_is_aslant(value: int, turned: float, aslant: float, towards: float) -> None:
    c, s = math.cos(math.radians(towards)), math.sin(math.radians(towards))
    squeeze = np.eye(2) + (math.cos(math.radians(aslant)) - 1) * np.array([[c * c, c * s], [c * s, s * s]])
    squeezed = ((p, squeeze @ (p.x, p.y)) for p in pips_of(value, turned))
    pips = tuple(Pip(x, y, p.height) for p, (x, y) in squeezed)
    assert foreshortening(pips) == pytest.approx(math.cos(math.radians(aslant)), abs=1e-6)


@pytest.mark.parametrize("value", [1, 2, 3, 6])
def test_pips_that_span_no_square_tell_no_foreshortening(value: int) -> None:
    assert foreshortening(pips_of(value, 20)) == 1


@pytest.mark.parametrize("value", [4, 5, 6])
@pytest.mark.parametrize("angle", [0, 20, 45, 70])
def test_corner_pips_spread_alike_in_all_directions_but_where_a_face_is_foreshortened(value: int, angle: float) -> None:
    pips = pips_of(value, angle, 0.1, -0.05)
    xx, xy, yy = corner_spread(pips) or (0.0, 0.0, 0.0)
    assert xx == pytest.approx(yy) == pytest.approx(4 * SPACING**2)
    assert xy == pytest.approx(0, abs=1e-9)
    narrow = corner_spread(tuple(Pip(0.8 * pip.x, pip.y, pip.height) for pip in pips)) or (0.0, 0.0, 0.0)
    assert narrow == pytest.approx((0.64 * xx, 0.0, yy), abs=1e-9)


def test_three_pips_tell_no_spread() -> None:
    assert corner_spread(pips_of(3, 20)) is None


@pytest.mark.parametrize("angle", [0, 20, 45, 70])
def test_edges_tell_the_angle_of_a_blank_square(angle: float) -> None:
    axis = (np.arange(CROP_PX) - (CROP_PX - 1) / 2) * CROP_FACES / CROP_PX
    x, y = np.meshgrid(axis, axis)
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    inside = np.maximum(abs(x * c + y * s), abs(y * c - x * s))
    square = np.clip((0.5 - inside) * 20 + 0.5, 0, 1).astype(np.float32)
    assert apart(edge_angle(square), angle) < 2


def test_peaks_are_found_in_order_of_height_and_between_cells() -> None:
    pip_map = np.zeros((PIP_CELLS, PIP_CELLS), np.float32)
    pip_map[5, 7], pip_map[5, 8] = 0.8, 0.4
    pip_map[18, 12] = 0.9
    first, second = find_pips(pip_map, 2)
    assert (first.height, second.height) == pytest.approx((0.9, 0.8))
    assert second.x == pytest.approx((7 + 1 / 3 - (PIP_CELLS - 1) / 2) * CROP_FACES / PIP_CELLS)


@pytest.mark.parametrize(("angle", "side"), [(0, 20), (45, 20 * math.sqrt(2)), (90, 20)])
def test_the_box_bounds_the_turned_face(angle: float, side: float) -> None:
    left, top, width, height = face_box(100, 50, 20, angle)
    assert (width, height) == pytest.approx((side, side))
    assert (left + width / 2, top + height / 2) == pytest.approx((100, 50))


def painted(pips: tuple[Pip, ...], body: float, paint: float) -> FloatArray:
    """A crop (56, 56) of a plain face with pips of one size."""
    axis = (np.arange(CROP_PX) - (CROP_PX - 1) / 2) * CROP_FACES / CROP_PX
    x, y = np.meshgrid(axis, axis)
    crop = np.full((CROP_PX, CROP_PX), body, np.float32)
    for pip in pips:
        crop[(x - pip.x) ** 2 + (y - pip.y) ** 2 < 0.09**2] = paint
    return crop


@given(
    st.sampled_from([(2, 3), (2, 4), (3, 5), (4, 5)]),
    st.floats(0, 360),
    st.floats(-0.1, 0.1),
    st.sampled_from([(0.2, 0.9), (0.8, 0.1)]),
)
def test_a_pip_that_the_pip_map_overlooked_is_a_blemish(
    values: tuple[int, int], angle: float, x: float, colours: tuple[float, float]
) -> None:
    seen, there = (pips_of(value, angle, x) for value in values)
    assert blemish(painted(there, *colours), seen) > 0.8
    assert abs(blemish(painted(seen, *colours), seen)) < 0.1


@pytest.mark.parametrize("value", [1, 5, 6])
def test_values_that_lack_no_pip_have_no_blemish(value: int) -> None:
    assert blemish(painted(pips_of(6, 0), 0.2, 0.9), pips_of(value, 0)) == 0
