"""A tray found as a whole where its floor's edge alone does not tell it: a wall's shadow, a wall as the floor."""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.floor import colours_of
from calibration.outline import _borne_out, find_outline
from calibration.rim import SIMPLER, _best
from calibration.shape import Kind, View, border
from calibration.solid import NARROW, Solid, edges_around, floor_support, other_ring, own_support, wider
from calibration.trace import Outline
from calibration.whole import Pictured, contradicts, is_told_by_hue
from tests.calibration.drawn import SIZE, farthest

FLOOR, WALL, RIM, TABLE = (60, 130, 70), (55, 80, 120), (90, 150, 190), (120, 90, 80)
SHADE, STRIP = 0.35, 0.16
"""Light that a shadow leaves, and half widths of the floor that that of a straight wall covers."""
ASIDE = (0.05, 0.06)
"""Half widths by which the shadow of a round wall is cast."""
PLACES = [(250.0, 200.0), (330.0, 180.0), (400.0, 260.0), (300.0, 320.0), (420.0, 300.0)]
TRAYS = [
    Solid("square", View(150.0, 5.5, -0.05, 0.011, (0.12, -0.08), 0.1, (325.0, 236.0)), 0.01, 0.12, 0.25),
    Solid("rectangle", View(170.0, 4.5, -0.03, 0.0, (0.1, 0.15), -0.12, (322.0, 240.0), 0.75), 0.0, 0.08, 0.2),
    Solid("round", View(160.0, 5.5, -0.03, 0.0, (0.08, 0.1), 0.0, (322.0, 238.0)), 0.01, 0.12, 0.25),
]


def contour(tray: Solid, out: float, height: float) -> npt.NDArray[np.float64]:
    """A contour of the tray in the picture, px."""
    half, ratio = wider(tray.kind, tray.view.ratio, out)
    return tray.view.lens(SIZE).project(half * border(tray.kind, ratio, 64), height)


def drawn(
    tray: Solid,
    wall: tuple[int, int, int],
    shadow: bool,
    rim: tuple[int, int, int] = RIM,
    shade: float = SHADE,
    strip: float = STRIP,
) -> npt.NDArray[np.uint8]:
    """The empty tray, BGR, with the shadow of one wall on a strip of the floor."""
    large = np.full((2 * SIZE[1], 2 * SIZE[0], 3), TABLE, np.uint8)
    (floor, inner, outer) = (contour(tray, *each) for each in tray.contours())
    for points, colour in ((outer, rim), (inner, wall), (floor, FLOOR)):
        _fill(large, points, colour)
    if shadow:
        dark = (round(shade * FLOOR[0]), round(shade * FLOOR[1]), round(shade * FLOOR[2]))
        _fill(large, floor, dark)
        _fill(large, tray.view.lens(SIZE).project(_lit(tray, strip)), FLOOR)
    return _photographed(large)


def _lit(tray: Solid, strip: float) -> npt.NDArray[np.float64]:
    """The part of the floor on which no wall's shadow lies, half widths."""
    if tray.kind == "round":
        away = border("round", 1.0, 64) + np.array(ASIDE)
        return np.asarray(away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1.0))
    ratio = tray.view.ratio if tray.kind == "rectangle" else 1.0
    return np.array([(-1.0, strip - ratio), (1.0, strip - ratio), (1.0, ratio), (-1.0, ratio)])


def softly_shaded(
    tray: Solid,
    floor: tuple[int, int, int],
    wall: tuple[int, int, int],
    rim: tuple[int, int, int],
    aside: tuple[float, float],
    soft_px: float,
    light: float,
    table: npt.NDArray[np.uint8],
    lit_as: Kind = "round",
) -> npt.NDArray[np.uint8]:
    """A tray on a table (h, w, 3), BGR, but for a disc or square of its floor, half widths aside, in a soft shadow."""
    large = np.asarray(cv2.resize(table, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST), np.uint8)
    edges = [contour(tray, *each) for each in tray.contours()]
    for points, colour in ((edges[2], rim), (edges[1], wall)):
        _fill(large, points, colour)
    on, lit = np.zeros(large.shape, np.uint8), np.zeros(large.shape, np.uint8)
    _fill(on, edges[0], (255, 255, 255))
    _fill(lit, tray.view.lens(SIZE).project(border(lit_as, 1.0, 64) + np.array(aside)), (255, 255, 255))
    shaded = np.array(floor) * (light + (1 - light) * cv2.GaussianBlur(lit / 255, (0, 0), 2 * soft_px))
    large = np.asarray(large + on / 255 * (shaded - large), np.uint8)
    return _photographed(large)


def _photographed(large: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """What a camera makes of a picture drawn twice as large: some blur and grain."""
    picture = cv2.GaussianBlur(cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA), (0, 0), 0.7)
    grain = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 5, (*SIZE[::-1], 1)), (0, 0), 1.2)
    return np.asarray(np.clip(picture + grain.reshape(*SIZE[::-1], 1), 0, 255), np.uint8)


def plain_table(colour: tuple[int, int, int]) -> npt.NDArray[np.uint8]:
    """A table of one colour (h, w, 3), BGR."""
    return np.full((*SIZE[::-1], 3), colour, np.uint8)


def speckled_table(colour: tuple[int, int, int]) -> npt.NDArray[np.uint8]:
    """A table with light specks."""
    noise = cv2.GaussianBlur(np.random.default_rng(3).normal(0, 1, SIZE[::-1]), (0, 0), 1.25)
    return np.where(noise[..., None] > 0.18, np.uint8(182), plain_table(colour))


def _fill(large: npt.NDArray[np.uint8], outline: npt.NDArray[np.float64], colour: tuple[int, int, int]) -> None:
    cv2.fillPoly(large, [np.round((outline * 2 + 0.5) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


@pytest.mark.parametrize("tray", TRAYS, ids=lambda tray: tray.kind)
@pytest.mark.parametrize("shadow", [True, False])
def test_the_rim_tells_the_floor_that_a_shadow_hides(tray: Solid, shadow: bool) -> None:
    found = find_outline(drawn(tray, WALL, shadow), PLACES, 26.0)
    assert found is not None
    assert (found.sure, found.kind, found.whole) == (True, tray.kind, True)
    kind: Kind = found.kind
    seen = found.view.lens(SIZE).project(border(kind, found.view.ratio, 64))
    assert farthest(seen, contour(tray, 0.0, 0.0)) < 1.5
    assert found.rim is not None
    for edge, out in zip(found.rim, (tray.inner, tray.outer), strict=True):
        assert farthest(edge, contour(tray, out, tray.height)) < 2.0


HARD = [
    Solid("rectangle", View(141.1, 5.94, -0.05, 0.011, (0.089, 0.164), -0.035, (319, 240), 0.75), 0.0, 0.121, 0.172),
    Solid("round", View(147.0, 3.1, -0.05, 0.011, (-0.04, -0.07), 0.0, (320.0, 240.0)), 0.0, 0.145, 0.361),
    Solid("round", View(157.0, 7.7, -0.05, 0.011, (-0.05, -0.02), 0.0, (320.0, 240.0)), 0.0, 0.135, 0.209),
]
"""Trays of which a shadow is plainer than the floor's edge."""


def test_a_die_that_stands_at_the_wall_is_on_the_floor_though_a_near_camera_sees_its_top_farther_out() -> None:
    tray = replace(TRAYS[0], view=replace(TRAYS[0].view, height=3.0))
    edge = 26.0 / tray.view.scale
    ((x, y),) = tray.view.lens(SIZE).project(np.array([(0.0, 1 - edge / 2)]), edge)
    found = find_outline(drawn(tray, WALL, True), [*PLACES, (float(x), float(y))], 26.0)
    assert found is not None
    assert found.whole
    assert farthest(found.view.lens(SIZE).project(border(found.kind, found.view.ratio, 64)), contour(tray, 0, 0)) < 1.5


@pytest.mark.parametrize("tray", HARD, ids=lambda tray: f"{tray.kind} {tray.view.height}")
def test_a_shadow_that_is_plainer_than_the_floors_edge_is_not_the_floor(tray: Solid) -> None:
    found = find_outline(drawn(tray, WALL, True), PLACES, 26.0)
    assert found is not None and (found.sure, found.kind) == (True, tray.kind)
    seen = found.view.lens(SIZE).project(border(tray.kind, found.view.ratio, 64))
    assert farthest(seen, contour(tray, 0.0, 0.0)) < 1.5


@pytest.mark.parametrize("tray", TRAYS[:2], ids=lambda tray: tray.kind)
@pytest.mark.parametrize(("shade", "strip"), [(0.25, 0.03), (0.45, 0.07)])
def test_a_narrow_shadow_below_a_dark_wall_is_floor(tray: Solid, shade: float, strip: float) -> None:
    tray = replace(tray, inner=0.0, outer=0.082, height=0.174)
    found = find_outline(drawn(tray, (10, 30, 34), True, (20, 45, 50), shade, strip), PLACES, 26.0)
    assert found is not None and (found.sure, found.kind) == (True, tray.kind)
    seen = found.view.lens(SIZE).project(border(tray.kind, found.view.ratio, 64))
    assert farthest(seen, contour(tray, 0.0, 0.0)) < 1.5


def test_a_floor_that_a_dim_lights_shadow_hides_on_one_side_is_told_by_its_rim() -> None:
    tray = replace(TRAYS[1], inner=0.0, outer=0.13, height=0.25)
    dim = (0.25 * drawn(tray, (4, 8, 5), True, (175, 175, 170), 0.3, 0.08)).astype(np.uint8)
    found = find_outline(dim, PLACES, 26.0)
    assert found is not None and (found.sure, found.kind, found.whole) == (True, "rectangle", True)
    seen = found.view.lens(SIZE).project(border("rectangle", found.view.ratio, 64))
    assert farthest(seen, contour(tray, 0.0, 0.0)) < 1.5


def test_a_floor_that_a_shadow_hides_on_one_side_is_told_by_an_edge_of_a_rim_that_looks_as_the_table_does() -> None:
    tray = replace(TRAYS[1], inner=0.02, outer=0.12, height=0.3)
    found = find_outline(drawn(tray, (30, 34, 32), True, TABLE, 0.6, 0.08), PLACES, 26.0)
    assert found is not None and (found.sure, found.kind, found.whole) == (True, "rectangle", True)
    seen = found.view.lens(SIZE).project(border("rectangle", found.view.ratio, 64))
    assert farthest(seen, contour(tray, 0.0, 0.0)) < 1.5


@pytest.mark.parametrize("wall", [(45, 100, 54), (60, 120, 90)])
def test_the_inner_edge_of_a_round_rim_is_plainer_than_the_floors_and_is_not_the_floor(
    wall: tuple[int, int, int],
) -> None:
    found = find_outline(drawn(TRAYS[2], wall, shadow=False), PLACES, 26.0)
    assert found is not None and (found.sure, found.kind, found.whole) == (True, "round", True)
    seen = found.view.lens(SIZE).project(border("round", 1.0, 64))
    assert farthest(seen, contour(TRAYS[2], 0.0, 0.0)) < 1.0


@pytest.mark.parametrize("kind", ["square", "octagon", "round"])
def test_a_flat_lip_round_the_floor_is_not_the_floor(kind: Kind) -> None:
    tray = replace(TRAYS[0], kind=kind, inner=0.0, outer=0.06, height=0.0)  # a mat with an edge sewn on
    found = find_outline(drawn(tray, RIM, shadow=False), PLACES, 26.0)
    asked = kind == "round"  # a tray whose wall is no darker than its floor looks so, too
    assert found is not None and (found.sure, found.doubted, found.kind) == (not asked, asked, kind)
    seen = found.view.lens(SIZE).project(border(kind, found.view.ratio, 64))
    assert farthest(seen, contour(tray, 0.0, 0.0)) < 1.0


def test_a_round_floor_that_may_be_a_rims_inner_edge_is_asked_about() -> None:
    mat = replace(TRAYS[0], kind="round", inner=0.0, outer=0.12, height=0.0)  # a tray whose wall is no darker looks so
    found = find_outline(drawn(mat, RIM, shadow=False), PLACES, 26.0)
    assert found is not None and (found.doubted, found.sure, found.likely) == (True, False, True)


def test_a_round_tray_is_told_by_its_rims_inner_edge_where_its_floor_and_outer_edge_are_not_plain() -> None:
    found = find_outline(drawn(TRAYS[2], (28, 54, 34), shadow=True, rim=(112, 92, 85)), PLACES, 26.0)
    assert found is not None and (found.sure, found.kind, found.whole) == (True, "round", True)
    seen = found.view.lens(SIZE).project(border("round", 1.0, 64))
    assert farthest(seen, contour(TRAYS[2], 0.0, 0.0)) < 1.5


def test_a_wide_soft_shadow_that_makes_a_round_floor_look_aslant_does_not_hide_the_rims_circles() -> None:
    tray = Solid("round", View(190.0, 8.8, -0.03, 0.0, (0.09, 0.066), 0.0, (318.0, 233.0)), 0.0, 0.076, 0.36)
    table = plain_table((92, 95, 95))
    picture = softly_shaded(tray, (176, 182, 185), (70, 72, 72), (150, 140, 165), (-0.2, 0.0), 4.0, 0.35, table)
    found = find_outline(picture, PLACES, 26.0)
    assert found is not None and (found.sure, found.kind) == (True, "round")
    assert farthest(found.view.lens(SIZE).project(border("round", 1.0, 64)), contour(tray, 0.0, 0.0)) < 1.5


def test_a_floor_that_looks_round_by_light_is_told_by_its_hue_and_its_rim() -> None:
    tray = Solid("octagon", View(190.0, 6.5, -0.03, 0.0, (0.03, 0.05), 0.02, (320.0, 238.0)), 0.0, 0.08, 0.25)
    table = (160, 70, 190)
    picture = softly_shaded(
        tray, (150, 165, 165), (70, 95, 60), (120, 150, 80), (0.0, 0.0), 8.0, 0.5, plain_table(table)
    )
    found = find_outline(picture, PLACES, 26.0)
    assert found is not None and (found.sure, found.kind, found.whole) == (True, "octagon", True)
    assert farthest(found.view.lens(SIZE).project(border("octagon", 1.0, 64)), contour(tray, 0.0, 0.0)) < 1.5
    like_floor = softly_shaded(tray, (150, 165, 165), (90, 99, 99), table, (0.0, 0.0), 8.0, 0.5, plain_table(table))
    rimless = find_outline(like_floor, PLACES, 26.0)
    assert rimless is None or not rimless.sure


def test_a_round_floor_that_is_seen_in_a_rim_needs_no_plain_outer_edge() -> None:
    tray = Solid("round", View(175.0, 6.0, -0.03, 0.0, (0.02, 0.05), 0.0, (320.0, 240.0)), 0.02, 0.09, 0.28)
    table = speckled_table((60, 92, 82))
    picture = softly_shaded(tray, (128, 128, 128), (40, 58, 36), (70, 105, 90), (-0.14, -0.1), 6.0, 0.35, table)
    found = find_outline(picture, PLACES, 26.0)
    assert found is not None and (found.sure, found.kind) == (True, "round")
    assert farthest(found.view.lens(SIZE).project(border("round", 1.0, 64)), contour(tray, 0.0, 0.0)) < 1.5


LIT = Solid("round", View(175.0, 4.9, -0.03, 0.0, (0.015, -0.0135), 0.0, (328.0, 242.0)), 0.0, 0.1, 0.254)


@pytest.mark.parametrize(
    ("aside", "soft_px"), [((-0.016, 0.0), 2.0), ((-0.024, 0.0), 2.0), ((-0.02, 0.012), 3.0), ((-0.05, 0.0), 2.0)]
)
def test_a_narrow_shadow_does_not_draw_a_round_floor_towards_it_where_hue_shows_its_edge(
    aside: tuple[float, float], soft_px: float
) -> None:
    table = plain_table((60, 100, 160))
    picture = softly_shaded(LIT, (150, 140, 215), (95, 95, 105), (185, 190, 190), aside, soft_px, 0.35, table)
    found = find_outline(picture, PLACES, 26.0)
    assert found is not None and (found.sure, found.kind, found.whole) == (True, "round", True)
    assert farthest(found.view.lens(SIZE).project(border("round", 1.0, 64)), contour(LIT, 0.0, 0.0)) < 1.0


def test_a_round_floor_that_hue_tells_to_lie_elsewhere_is_asked_about_where_it_is_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter((True, False))
    monkeypatch.setattr("calibration.whole._is_believed", lambda *_: next(answers))
    table = plain_table((60, 100, 160))
    picture = softly_shaded(LIT, (150, 140, 215), (95, 95, 105), (185, 190, 190), (-0.024, 0.0), 2.0, 0.35, table)
    found = find_outline(picture, PLACES, 26.0)
    assert found is not None and (found.sure, found.doubted, found.likely) == (False, True, True)


DARK = (62, 38, 32)
"""A floor so dark that a wall of another hue, as light as it, hardly differs by light."""
IN_THE_DARK = Solid("round", View(175.0, 4.0, -0.03, 0.0, (-0.05, -0.065), 0.0, (322.0, 237.0)), 0.0, 0.1, 0.25)


@pytest.mark.parametrize(("wall", "told"), [((63, 35, 37), True), ((61, 39, 33), False)])
def test_a_round_floor_whose_wall_is_as_light_is_told_by_its_hue_within_its_rim(
    wall: tuple[int, int, int], told: bool
) -> None:
    table = plain_table((70, 115, 180))
    picture = softly_shaded(IN_THE_DARK, DARK, wall, (140, 190, 160), (-0.06, -0.05), 2.0, 1.0, table)
    found = find_outline(picture, PLACES, 26.0)
    assert found is not None and (found.sure, found.whole) == (told, told)
    beside = farthest(found.view.lens(SIZE).project(border("round", 1.0, 64)), contour(IN_THE_DARK, 0.0, 0.0))
    assert (beside < 1.0) == told  # else the rim's inner edge is asked about


def test_a_rims_inner_edge_that_light_and_hue_agree_on_is_asked_about_where_a_tray_is_seen_around_it() -> None:
    table = plain_table((70, 115, 180))
    picture = softly_shaded(IN_THE_DARK, DARK, (63, 35, 37), (140, 190, 160), (-0.06, -0.05), 2.0, 1.0, table)
    found = find_outline(picture, PLACES, 31.0)  # larger dice, so that the wall is taken for floor by its hue, too
    assert found is not None and (found.whole, found.sure, found.doubted) == (False, False, True)


def test_a_circle_beside_the_floor_is_not_seen_all_round_by_hue() -> None:
    table = plain_table((70, 115, 180))
    picture = softly_shaded(IN_THE_DARK, DARK, (63, 35, 37), (140, 190, 160), (-0.06, -0.05), 2.0, 1.0, table)
    x, y = IN_THE_DARK.view.centre
    aside = replace(IN_THE_DARK, view=replace(IN_THE_DARK.view, centre=(x + 3.0, y)))
    seen = Pictured(colours_of(picture, 0.7, False), colours_of(picture, 0.7, True), None, None, PLACES, 26.0)
    assert is_told_by_hue(IN_THE_DARK, seen) and not is_told_by_hue(aside, seen)


def test_a_floor_that_only_hue_shows_is_guessed_by_it() -> None:
    mat = replace(TRAYS[0], view=replace(TRAYS[0].view, scale=140.0))
    flat = border("square", 1.0, 64)
    within = np.clip(flat, -0.7, 0.7)
    out = np.linalg.norm(flat - within, axis=1, keepdims=True)
    rounded = within + (flat - within) * np.minimum(1.0, 0.3 / np.maximum(out, 0.3))  # no shape that is known
    large = np.full((2 * SIZE[1], 2 * SIZE[0], 3), (63, 35, 37), np.uint8)
    _fill(large, mat.view.lens(SIZE).project(rounded), DARK)
    found = find_outline(_photographed(large), PLACES, 26.0)
    assert found is not None and (found.kind, found.sure, found.likely) == ("square", False, True)


def test_a_floor_that_runs_along_the_rims_edge_has_none_of_its_own() -> None:
    true = TRAYS[2]
    edges = edges_around("round", true.view, colours_of(drawn(true, WALL, shadow=False), 0.7, False), SIZE)
    assert edges is not None
    on_rim = Solid("round", true.view, 0.0, 0.11, 0.0)
    assert floor_support("round", true.view, edges, SIZE) > 0.7
    assert own_support(true, edges, SIZE) > 0.7 and own_support(on_rim, edges, SIZE) < 0.05


@pytest.mark.parametrize("wall", [TABLE, (28, 54, 34)])
def test_circles_of_a_shadow_alone_are_no_tray(wall: tuple[int, int, int]) -> None:
    found = find_outline(drawn(TRAYS[2], wall, shadow=True, rim=TABLE), PLACES, 26.0)
    assert found is None or not found.sure


@pytest.mark.parametrize("tray", TRAYS[:2], ids=lambda tray: tray.kind)
def test_a_floor_is_doubted_where_light_and_hue_tell_two_and_no_rim_tells_which(tray: Solid) -> None:
    found = find_outline(drawn(tray, (39, 86, 46), shadow=False, rim=TABLE), PLACES, 26.0)
    assert found is not None and (found.doubted, found.sure) == (True, False)


SHALLOW = Solid("square", View(175.0, 17.0, -0.04, 0.008, (0.0, 0.0), -0.23, (320.0, 240.0)), 0.0, 0.06, 0.12)


def test_shadows_along_two_walls_that_look_like_the_floors_edges_are_asked_about() -> None:
    colours = (205, 210, 210), (45, 65, 85), (120, 150, 200)
    table = plain_table((50, 65, 85))
    picture = softly_shaded(SHALLOW, *colours, (-0.02, -0.02), 2.0, 0.3, table, "square")
    found = find_outline(picture, PLACES, 24.0)
    assert found is not None and (found.sure, found.doubted, found.likely) == (False, True, True)
    assert farthest(found.view.lens(SIZE).project(border("square", 1.0, 64)), contour(SHALLOW, 0, 0)) < 1.5


@pytest.mark.parametrize(
    ("sides", "out", "told"),
    [(1, -0.02, False), (2, -0.02, True), (1, 0.02, False), (2, 0.02, True), (4, 0.02, False), (4, 0.002, False)],
)
def test_hue_contradicts_a_tray_off_its_floor_along_two_sides(sides: int, out: float, told: bool) -> None:
    flat = border("square", 1.0, 64)
    away = np.zeros_like(flat)
    for axis, way in ((0, 1), (1, 1), (0, -1), (1, -1))[:sides]:
        away[:, axis] += np.where(way * flat[:, axis] > 0.999, way * out, 0.0)
    hue = _sure(SHALLOW.view.lens(SIZE).project(flat + away))
    whole = replace(hue, view=SHALLOW.view, whole=True)
    assert contradicts(hue, whole, SIZE) == told


def test_a_tray_must_be_borne_out_by_an_outline_that_is_sure() -> None:
    tray = TRAYS[0]
    on_floor, on_rim = (_sure(contour(tray, *each)) for each in tray.contours()[:2])
    elsewhere = _sure(contour(tray, -0.1, 0.0))
    assert _borne_out(tray, [], SIZE)
    assert _borne_out(tray, [on_floor], SIZE) and _borne_out(tray, [elsewhere, on_rim], SIZE)
    assert not _borne_out(tray, [elsewhere], SIZE)


def _sure(points: npt.NDArray[np.float64]) -> Outline:
    return Outline("square", TRAYS[0].view, points, np.zeros(len(points)), 1.0, 50.0)


def test_a_ring_that_a_tray_leaves_out_tells_that_its_rim_is_another() -> None:
    true = Solid("round", View(160.0, 5.5, -0.03, 0.0, (0.0, 0.0), 0.0, (320.0, 240.0)), 0.01, 0.12, 0.25)
    inside = replace(true.view, scale=144.0, height=5.5 / 0.9)  # its rim's inner edge is the floor's own
    taken = Solid("round", inside, 0.06, 0.244, 0.25 / 0.9)
    edges = edges_around("round", inside, colours_of(drawn(true, WALL, shadow=False), 0.7, False), SIZE)
    assert edges is not None
    assert other_ring(true, edges, SIZE) < 0.2 and other_ring(taken, edges, SIZE) > 0.5
    assert other_ring(replace(true, outer=true.inner + 0.02), edges, SIZE) == 0.0


def test_a_floor_that_was_found_is_tried_though_a_guess_beside_it_is_told_more() -> None:
    tray = TRAYS[0]
    x, y = tray.view.centre
    aside = replace(tray, view=replace(tray.view, centre=(x + 3.4, y), scale=tray.view.scale + 3.4))
    edges = edges_around(tray.kind, tray.view, colours_of(drawn(tray, WALL, shadow=False), 0.7, False), SIZE)
    assert edges is not None
    guess, likely = (2.0, aside, edges, NARROW), (1.0, tray, edges, NARROW)
    beside, found = _best([guess, likely], SIZE), _best([guess], SIZE, [likely])
    assert beside is not None and found is not None and found[0] > 1.05 * beside[0]
    preferred = _best([guess], SIZE, [likely], preferred=1)
    assert preferred is not None and preferred[0] == pytest.approx(SIMPLER * found[0])
    seen = found[1].view.lens(SIZE).project(border(tray.kind, 1.0, 64))
    assert farthest(seen, contour(tray, 0.0, 0.0)) < 1.0
