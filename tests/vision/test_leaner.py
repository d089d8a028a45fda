"""What the leaner is given of a die, and how dice lie by the chances that it tells."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.drawn_dice import AT_WALL, FREE, GEOMETRY, UNMEASURED, draw, felt, reading_at
from vision.leaner import Chances, Upon, View, see_leaning, views
from vision.network import VIEW_MAPS, VIEW_PX, Limits, Networks
from vision.read import Reading

LIMITS, STACKED = Limits(0.2, 0.9), Limits(0.4, 0.95)
BESIDE = (FREE[0] + 38, FREE[1])
MIDDLE = VIEW_PX // 2


def beside(picture: np.ndarray, readings: list[Reading], pairs: list[tuple[int, int]]) -> list[View]:
    """The views of what dice may lean on."""
    return [view for view in views(picture, GEOMETRY, readings, pairs) if view.on != "below"]


def chances(on: dict[tuple[int, Upon], float]) -> Chances:
    return Chances(on, LIMITS, STACKED)


def test_what_a_die_may_lean_on_is_up_in_its_view() -> None:
    picture = felt()
    draw(picture, FREE)
    draw(picture, BESIDE)
    right, left = beside(picture, [reading_at(FREE), reading_at(BESIDE)], [(0, 1)])
    assert [(view.index, view.on) for view in (right, left)] == [(0, 1), (1, 0)]
    for view in (right, left):
        along, _, _, whole, top, floor, others = view.maps
        assert view.maps.shape == (VIEW_MAPS, VIEW_PX, VIEW_PX)
        assert along[MIDDLE, MIDDLE] == pytest.approx(1, abs=0.05)
        assert along[-3, MIDDLE] == pytest.approx(0, abs=0.05)
        assert whole[MIDDLE, MIDDLE] == top[MIDDLE, MIDDLE] == floor[MIDDLE, MIDDLE] == 1
        assert others[: MIDDLE - 22, MIDDLE].min() == 1
        assert others[MIDDLE:].max() == 0


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_view_is_the_same_however_the_tray_is_turned(quarters: int) -> None:
    picture, place = felt(), (FREE[0], 240)
    draw(picture, place, (0, -6))
    middle = np.array([320.0, 240.0])
    turn = cv2.getRotationMatrix2D((320.0, 240.0), 90.0 * quarters, 1.0)
    turned = cv2.warpAffine(picture, turn, (640, 480), borderValue=picture[0, 0].tolist())
    x, y = (turn @ (*place, 1.0)).tolist()
    assert math.dist((x, y), middle) == pytest.approx(math.dist(place, middle), abs=1)
    other, pairs = replace(reading_at(FREE), value=None), [(0, 1)]
    before = views(picture, GEOMETRY, [reading_at(place), other.at(place[0], place[1] - 45.0)], pairs)[0]
    there = (turn @ (place[0], place[1] - 45.0, 1.0)).tolist()
    after = views(np.asarray(turned, np.uint8), GEOMETRY, [reading_at((round(x), round(y))), other.at(*there)], pairs)
    assert np.abs(before.maps - after[0].maps).mean() < 0.02


def test_at_a_wall_the_way_to_it_is_up_and_where_there_is_none_nothing_is_looked_at() -> None:
    picture = felt()
    picture[:60] = (200, 200, 200)
    draw(picture, AT_WALL)
    (view,) = beside(picture, [reading_at(AT_WALL)], [])
    assert view.on == "wall"
    assert view.way == pytest.approx((0.0, -30.0), abs=1)
    assert view.maps[5, 0, MIDDLE] == 0
    assert view.maps[5, MIDDLE, MIDDLE] == 1
    assert view.maps[2, 0, MIDDLE] > 0.5
    assert beside(picture, [reading_at(FREE)], []) == []


def test_in_a_corner_both_walls_are_looked_at() -> None:
    picture, corner = felt(), (98, 78)
    draw(picture, corner)
    assert sorted(view.way for view in beside(picture, [reading_at(corner)], [])) == [
        pytest.approx((-30.0, 0.0), abs=1),
        pytest.approx((0.0, -30.0), abs=1),
    ]


def test_a_large_picture_shows_the_same(networks: Networks) -> None:
    picture = felt()
    draw(picture, AT_WALL, (0, -6))
    large = np.asarray(cv2.resize(picture, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC), np.uint8)
    lens = GEOMETRY.lens
    assert lens is not None
    (fx, fy), (cx, cy) = lens.focal, lens.centre
    larger = replace(
        GEOMETRY,
        floor=tuple((3 * x + 1, 3 * y + 1) for x, y in GEOMETRY.floor),
        die_px=3 * GEOMETRY.die_px,
        size=(1920, 1440),
        lens=replace(lens, focal=(3 * fx, 3 * fy), centre=(3 * cx + 1, 3 * cy + 1)),
    )
    reading = reading_at(AT_WALL)
    left, top, width, height = reading.box
    small, _ = views(picture, GEOMETRY, [reading], [])
    big, _ = views(large, larger, [replace(reading, box=(3 * left + 1, 3 * top + 1, 3 * width, 3 * height))], [])
    assert np.abs(small.maps - big.maps).mean() < 0.02


def test_an_unmeasured_camera_tells_nothing(networks: Networks) -> None:
    picture = felt()
    draw(picture, AT_WALL)
    assert see_leaning(networks, picture, UNMEASURED, [reading_at(AT_WALL)]) is None
    seen = see_leaning(networks, picture, GEOMETRY, [reading_at(AT_WALL), reading_at(FREE)])
    assert seen is not None
    assert set(seen.on) == {(0, "wall"), (0, "below"), (1, "below")}
    assert seen.know(1) and not seen.know(2)


@pytest.mark.parametrize(
    ("on", "chance", "doubt"),
    [
        ("wall", 0.2, "none"),
        ("wall", 0.21, "some"),
        (1, 0.9, "some"),
        (1, 0.91, "plain"),
        ("below", 0.4, "none"),
        ("below", 0.91, "some"),
        ("below", 0.96, "plain"),
    ],
)
def test_it_is_doubted_or_plain_from_a_chance_on(on: Upon, chance: float, doubt: str) -> None:
    assert chances({(0, on): chance}).doubt(0, on) == doubt
    assert chances({(0, on): chance}).doubt(1, on) == "none"


def test_a_die_that_may_lie_on_another_is_seen_from_above_with_the_cameras_foot_down() -> None:
    picture, place = felt(), (420, 240)
    draw(picture, place)
    (view,) = views(picture, GEOMETRY, [reading_at(place)], [])
    assert view.on == "below"
    assert view.way == pytest.approx((100, 0))


@pytest.mark.parametrize(
    ("one", "other", "level", "found"),
    [
        (0.95, 0.1, (), {0: "plain"}),
        (0.5, 0.1, (), {0: "some"}),
        (0.95, 0.5, (), {0: "some", 1: "some"}),
        (0.95, 0.95, (), {0: "some", 1: "some"}),
        (0.95, 0.5, (1,), {0: "plain"}),
        (0.95, 0.1, (0,), {}),
        (0.1, 0.1, (), {}),
    ],
)
def test_of_two_dice_that_may_both_lean_neither_is_sure(
    one: float, other: float, level: tuple[int, ...], found: dict[int, str]
) -> None:
    assert chances({(0, 1): one, (1, 0): other}).on_others([(0, 1)], (), level) == found


def test_beside_one_that_leans_nothing_is_looked_at() -> None:
    seen = chances({(0, 1): 0.95, (1, 0): 0.1, (1, 2): 0.5, (2, 1): 0.5, (0, 2): 0.0, (2, 0): 0.0})
    pairs = [(0, 1), (1, 2), (0, 2)]
    assert seen.on_others(pairs, (), ()) == {0: "plain"}
    assert seen.on_others(pairs, (1,), ()) == {}
