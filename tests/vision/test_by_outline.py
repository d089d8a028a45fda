"""A die leans or lies on another whose outline lies elsewhere than a flat one's."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.drawn_dice import (
    AT_WALL,
    DEEP_SHADOW,
    FACE,
    FELT,
    FREE,
    GEOMETRY,
    GREY,
    RED,
    UNMEASURED,
    WHITE,
    draw,
    felt,
    reading_at,
)
from vision.evidence import Evidence
from vision.lean import lies
from vision.together import Together


@pytest.mark.parametrize(
    ("side", "lie"), [((0, 4), "flat"), ((0, 2), "flat"), ((0, 0), "doubtful"), ((0, -6), "cocked")]
)
def test_a_die_at_the_wall_leans_that_shows_its_sides_to_the_wall(side: tuple[int, int], lie: str) -> None:
    picture = felt()
    draw(picture, AT_WALL, side)
    assert lies(Together(picture, GEOMETRY, [reading_at(AT_WALL)])) == [lie]


def test_a_die_leans_in_a_corner_that_shows_its_sides_into_it() -> None:
    picture, corner = felt(), (100, 80)
    draw(picture, corner, (0, 0))
    assert lies(Together(picture, GEOMETRY, [reading_at(corner)], all_seen=True)) == ["cocked"]


@pytest.mark.parametrize(("side", "lie"), [((0, 1), "flat"), ((0, -1), "flat"), ((0, -6), "stacked")])
def test_a_die_with_nothing_to_lean_on_is_never_said_to_lean(side: tuple[int, int], lie: str) -> None:
    picture = felt()
    draw(picture, FREE, side)
    assert lies(Together(picture, GEOMETRY, [reading_at(FREE)])) == [lie]


@pytest.mark.parametrize(("all_seen", "lie"), [(False, "stacked"), (True, "doubtful")])
def test_a_die_lies_on_no_other_that_is_seen_beside_it_where_none_is_missing(all_seen: bool, lie: str) -> None:
    picture, beside = felt(), (FREE[0] - 40, FREE[1] + 10)
    draw(picture, FREE, (0, -6))
    draw(picture, beside, (0, 1))
    assert lies(Together(picture, GEOMETRY, [reading_at(FREE), reading_at(beside)], all_seen=all_seen)) == [lie, "flat"]


@pytest.mark.parametrize(
    ("floor", "side", "lie"),
    [(GREY, (0, 3), "doubtful"), (GREY, (0, -9), "doubtful"), (FELT, (0, 3), "flat"), (FELT, (0, -9), "cocked")],
    ids=["flat, sides unseen", "leans, sides unseen", "flat, sides seen", "leans, sides seen"],
)
def test_a_white_die_at_the_wall_whose_shaded_sides_look_like_a_grey_floor_is_not_told(
    floor: tuple[int, int, int], side: tuple[int, int], lie: str
) -> None:
    picture = np.full((480, 640, 3), floor, np.uint8)
    draw(picture, AT_WALL, side, (GREY, WHITE))
    assert lies(Together(picture, GEOMETRY, [reading_at(AT_WALL)])) == [lie]


@pytest.mark.parametrize(("unseen", "lie"), [((0.0, 0.0), "doubtful"), ((0.0, -0.12), "cocked"), (None, "cocked")])
def test_a_die_that_seems_to_lean_since_its_sides_are_not_seen_is_doubtful(
    unseen: tuple[float, float] | None, lie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Evidence(0.0, (0.0, -0.2), 0.0, 0.0, {}, unseen)
    monkeypatch.setattr("vision.together.all_evidence", lambda *_: [seen])
    assert lies(Together(felt(), GEOMETRY, [reading_at(AT_WALL)])) == [lie]


@pytest.mark.parametrize(
    ("place", "beyond", "plain", "all_seen", "lie"),
    [
        (FREE, 0.03, 0.0, True, "flat"),
        (FREE, 0.03, 0.0, False, "doubtful"),
        (FREE, 0.03, 0.02, True, "doubtful"),
        (FREE, 0.06, 0.0, True, "doubtful"),
        (FREE, 0.06, 0.06, True, "doubtful"),
        (AT_WALL, 0.03, 0.0, True, "flat"),
        (AT_WALL, 0.03, 0.0, False, "doubtful"),
        (AT_WALL, 0.06, 0.06, True, "cocked"),
    ],
    ids=[
        "light it casts",
        "one missing",
        "plain",
        "much",
        "another below",
        "at the wall",
        "one missing there",
        "its side, at the wall",
    ],
)
def test_a_little_about_a_die_by_itself_raises_no_doubt_where_all_are_seen(
    place: tuple[int, int], beyond: float, plain: float, all_seen: bool, lie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture, seen = felt(), Evidence(0.0, (0.0, -0.02 if place == AT_WALL else 0.0), beyond, plain, {})
    monkeypatch.setattr("vision.together.all_evidence", lambda *_: [seen])
    draw(picture, place, (0, 2))
    assert lies(Together(picture, GEOMETRY, [reading_at(place)], all_seen=all_seen)) == [lie]


def test_it_does_raise_one_where_not_all_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, elsewhere = Evidence(0.0, (0.0, 0.0), 0.03, 0.0, {}), (FREE[0] + 150, FREE[1])
    monkeypatch.setattr("vision.together.all_evidence", lambda *_: [seen, None])
    readings = [reading_at(FREE), replace(reading_at(elsewhere), value=None)]
    assert lies(Together(felt(), GEOMETRY, readings, all_seen=True)) == ["doubtful", "flat"]


def test_sides_as_dark_as_a_shadow_may_be_there() -> None:
    picture, half = felt(), FACE // 2
    x, y = AT_WALL
    for down, colour in ((4, DEEP_SHADOW), (0, RED)):
        cv2.rectangle(picture, (x - half, y - half + down), (x + half, y + half + down), colour, cv2.FILLED)
    assert lies(Together(picture, GEOMETRY, [reading_at(AT_WALL)])) == ["flat"]


def test_a_one_is_turned_as_its_outline_lies() -> None:
    picture = felt()
    draw(picture, FREE, (0, 1), turn=math.radians(30))
    one = replace(reading_at(FREE), value=1, likely=1)
    assert lies(Together(picture, GEOMETRY, [one])) == ["flat"]


def test_a_die_from_under_which_another_peeps_out_is_stacked() -> None:
    picture = felt()
    draw(picture, (FREE[0] + 5, FREE[1] + 4), turn=0.6)
    draw(picture, FREE)
    assert lies(Together(picture, GEOMETRY, [reading_at(FREE)])) == ["stacked"]


@pytest.mark.parametrize(("place", "lie"), [(FREE, "doubtful"), (AT_WALL, "cocked")])
def test_no_die_lies_on_one_that_is_not_missing(place: tuple[int, int], lie: str) -> None:
    picture = felt()
    draw(picture, (place[0] + 5, place[1] + 4), turn=0.6)
    draw(picture, place)
    assert lies(Together(picture, GEOMETRY, [reading_at(place)], all_seen=True)) == [lie]


@pytest.mark.parametrize(("all_seen", "lie"), [(False, "doubtful"), (True, "flat")])
def test_alone_a_die_leans_on_nothing_where_no_other_is_missing(all_seen: bool, lie: str) -> None:
    picture = felt()
    draw(picture, FREE)
    aside = reading_at((FREE[0] + round(0.09 * FACE), FREE[1]))
    assert lies(Together(picture, GEOMETRY, [aside], all_seen=all_seen)) == [lie]


def test_nothing_is_told_of_a_die_of_the_floor_s_colour_where_it_may_lean() -> None:
    picture, hardly = felt(), ((54, 114, 44), (54, 114, 44))
    draw(picture, AT_WALL, (0, -8), hardly)
    draw(picture, FREE, (0, -8), hardly)
    assert lies(Together(picture, GEOMETRY, [reading_at(AT_WALL), reading_at(FREE)])) == ["untold", "flat"]


def test_an_unmeasured_camera_that_looks_in_aslant_shifts_all_dice_alike() -> None:
    picture, places = felt(), [AT_WALL, FREE, (200, 300), (440, 300)]
    for x, y in places:
        draw(picture, (x, y), (round((320 - x) / 40), round((240 - y) / 40) - 6))
    assert lies(Together(picture, UNMEASURED, [reading_at(place) for place in places])) == ["flat"] * 4
    assert lies(Together(picture, UNMEASURED, [reading_at(AT_WALL)])) == ["untold"]
