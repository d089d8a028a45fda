"""A floor a few levels from its wall is seen in the mean along its sides, and its rim's edge is not taken for it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.faint import faint_floor, other_floor
from calibration.floor import colours_of
from calibration.outline import find_outline
from calibration.shape import View, border
from calibration.solid import Solid, floor_below, rim_of
from tests.calibration.drawn import PLACES, SIZE, VIEW, empty, farthest, outline
from tests.calibration.test_check import shadowed
from tests.calibration.test_rim import RIM, TRAYS, drawn

TRAY = Solid("square", VIEW, 0.09, 0.17, 0.2)
FLOOR = (60, 120, 50)
"""The colour of its floor, BGR."""
SHADOWS = [(0.0, 1.0), (5.0, 0.9), (8.0, 0.7)]
"""How wide a shadow below two walls is, px, and the light it leaves."""


def by_light(picture: np.ndarray) -> np.ndarray:
    return colours_of(np.asarray(picture, np.uint8), 0.7, False)


def off(found: View) -> float:
    """How far the outline of a square lies off the drawn floor, px."""
    return farthest(found.lens(SIZE).project(border("square", 1.0, 64)), outline())


def test_a_floor_below_a_rim_and_the_rim_above_it_are_each_others() -> None:
    rim, half = rim_of(TRAY, SIZE)
    edge = rim.lens(SIZE).project(border("square", 1.0, 64))
    assert farthest(edge, outline(out=TRAY.inner, height=TRAY.height)) < 0.5
    assert off(floor_below("square", rim, TRAY.inner / half, TRAY.height / half, SIZE)) < 0.5


@pytest.mark.parametrize("wall", [(55, 110, 46), (57, 114, 48), (50, 112, 40)])
@pytest.mark.parametrize(("px", "light"), SHADOWS)
def test_a_wall_a_few_levels_from_its_floor_is_asked_about(px: float, light: float, wall: tuple[int, int, int]) -> None:
    found = find_outline(shadowed(empty(wall=wall), outline(), px, light), PLACES, 28.0)
    assert found is not None and (found.sure, found.doubted, found.likely) == (False, True, True)
    assert off(found.view) < 8.0  # the rim's inner edge is 18 px away and more, a shadow's 5 or 8


def test_a_tray_whose_floor_was_taken_for_a_shadow_is_asked_about() -> None:
    found = find_outline(shadowed(empty(wall=(45, 89, 48)), outline(), 8.0, 0.7), PLACES, 28.0)
    assert found is not None and (found.sure, found.doubted) == (False, True)
    assert off(found.view) < 3.0


@pytest.mark.parametrize(
    ("wall", "px", "light"), [((45, 90, 48), 5.0, 0.6), ((46, 92, 46), 8.0, 0.72), ((48, 96, 40), 5.0, 0.7)]
)
def test_shadows_along_two_walls_that_look_as_shaded_as_they_do_not_pass_for_the_floors_edge(
    wall: tuple[int, int, int], px: float, light: float
) -> None:
    found = find_outline(shadowed(empty(wall=wall), outline(), px, light), PLACES, 28.0)
    assert found is not None and found.whole and not found.sure


@pytest.mark.parametrize(("px", "light"), SHADOWS)
def test_no_floor_is_seen_below_a_floor_or_a_mat_with_an_edge_sewn_on(px: float, light: float) -> None:
    assert faint_floor("square", VIEW, by_light(shadowed(empty(), outline(), px, light)), SIZE) is None
    mat = replace(TRAYS[0], inner=0.0, outer=0.06, height=0.0)
    assert faint_floor("square", mat.view, by_light(drawn(mat, RIM, shadow=False)), SIZE) is None


def test_light_that_only_fades_towards_the_sides_is_no_edge() -> None:
    bare = empty()
    within = np.zeros(SIZE[::-1], np.float32)
    cv2.fillPoly(within, [np.round(outline()).astype(np.int32)], 1.0)
    fades = 0.2 + 0.8 * cv2.GaussianBlur(within, (0, 0), 8.0)
    shaded = np.asarray(np.where(within[..., None] > 0, bare * fades[..., None], bare), np.uint8)
    assert faint_floor("square", VIEW, by_light(shaded), SIZE) is None


def test_another_floor_is_told_where_a_trays_own_is_not_seen() -> None:
    picture = shadowed(empty(wall=(45, 90, 48)), outline(), 8.0, 0.7)
    colours, hues = by_light(picture), colours_of(np.asarray(picture, np.uint8), 0.7, True)
    assert other_floor(TRAY, colours, hues, SIZE) is None
    rim, _ = rim_of(TRAY, SIZE)
    wrong = floor_below("square", rim, 0.0, 0.5, SIZE)
    other = other_floor(Solid("square", wrong, 0.0, 0.08, 0.5 * rim.scale / wrong.scale), colours, hues, SIZE)
    assert other is not None and off(other) < 12.0  # 8 px inside is the shadow's edge, 18 outside the rim's


def walled(walls: tuple[tuple[int, int, int], ...]) -> np.ndarray:
    """The empty tray of `empty`, each of its four walls of a colour, BGR."""
    large = np.asarray(cv2.resize(empty(), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    floor, inner = outline(), outline(out=TRAY.inner, height=TRAY.height)
    each = len(floor) // 4
    for number, colour in enumerate(walls):
        side = [(number * each + k) % len(floor) for k in range(each + 1)]
        wall = np.concatenate([inner[side], floor[side[::-1]]])
        cv2.fillPoly(large, [np.round((wall * 2 + 0.5) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    cv2.fillPoly(large, [np.round((floor * 2 + 0.5) * 16).astype(np.int32)], FLOOR, cv2.LINE_AA, 4)
    picture = cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA)
    grain = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 6, (*SIZE[::-1], 1)), (0, 0), 1.5).reshape(*SIZE[::-1])
    return np.asarray(np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7) + grain[..., None], 0, 255), np.uint8)


def test_an_outline_along_the_floor_and_along_the_rim_is_asked_about() -> None:
    plain = (80, 130, 80)
    found = find_outline(walled((plain, FLOOR, FLOOR, plain)), PLACES, 30.0)
    assert found is not None and (found.sure, found.doubted) == (False, True)


def test_a_floor_that_is_told_by_its_rims_edge_alone_is_asked_about() -> None:
    found = find_outline(shadowed(empty(wall=(52, 104, 47)), outline(), 5.0, 0.9), PLACES, 32.8)
    assert found is not None and (found.sure, found.doubted) == (False, True)


@pytest.mark.parametrize("scale", [90.0, 165.0, 230.0])
def test_a_plain_floor_below_an_upright_wall_is_its_trays_own_though_a_frame_is_printed_on_it(scale: float) -> None:
    tray = Solid("square", View(scale, 5.5, -0.03, 0.0, (0.05, -0.04), 0.1, (323.0, 238.0)), 0.0, 0.1, 0.25)
    picture = drawn(tray, (55, 80, 120), shadow=False)
    frame = outline(view=tray.view, out=-0.1), outline(view=tray.view, out=-0.13)
    on = np.zeros(SIZE[::-1], np.uint8)
    for edge, value in zip(frame, (1, 0), strict=True):
        cv2.fillPoly(on, [np.round(edge * 16).astype(np.int32)], value, cv2.LINE_8, 4)
    picture = np.asarray(np.where(on[..., None] > 0, picture * 0.8, picture), np.uint8)
    colours, hues = by_light(picture), colours_of(picture, 0.7, True)
    assert faint_floor("square", rim_of(tray, SIZE)[0], colours, SIZE) is not None
    assert other_floor(tray, colours, hues, SIZE) is None
