"""Dice that lean explain what is seen beside them; those that cannot be read are said to lean where they plainly do."""

from dataclasses import replace

import pytest

from tests.vision.drawn_dice import AT_WALL, FACE, FREE, GEOMETRY, NEAR_WALL, RED, draw, felt, reading_at
from vision.lean import hides_another, lies
from vision.together import Together


def test_of_two_dice_side_by_side_the_one_leans_that_shows_its_sides_to_the_other() -> None:
    picture, beside = felt(), (FREE[0] + 48, FREE[1])
    draw(picture, FREE, (9, 0))
    draw(picture, beside)
    assert lies(Together(picture, GEOMETRY, [reading_at(FREE), reading_at(beside)])) == ["cocked", "flat"]


def test_two_dice_with_more_of_a_die_between_them_are_doubtful_where_neither_shows_it_most() -> None:
    picture, beside = felt(), (FREE[0] + 38, FREE[1])
    draw(picture, FREE, (4, 0))
    draw(picture, beside, (-4, 0))
    assert lies(Together(picture, GEOMETRY, [reading_at(FREE), reading_at(beside)])) == ["doubtful", "doubtful"]


def test_a_die_that_is_known_to_be_unlevel_explains_what_is_seen_beside_it() -> None:
    picture, beside = felt(), (FREE[0] + 38, FREE[1])
    draw(picture, FREE)
    draw(picture, beside, (-8, 0))
    readings = [reading_at(FREE), replace(reading_at(beside), value=None)]
    assert lies(Together(picture, GEOMETRY, readings)) == ["doubtful", "flat"]
    assert lies(Together(picture, GEOMETRY, readings, unlevel=[1])) == ["flat", "flat"]


def test_a_die_that_leans_on_the_wall_explains_what_of_it_reaches_to_another() -> None:
    picture, farther = felt(), (AT_WALL[0] - 45, AT_WALL[1] + 26)
    draw(picture, AT_WALL, (-12, 10), (RED, RED))
    draw(picture, farther, (0, 1))
    readings = [reading_at(AT_WALL), reading_at(farther)]
    assert lies(Together(picture, GEOMETRY, readings, all_seen=True)) == ["cocked", "flat"]


def test_a_die_that_leans_explains_what_is_seen_between_its_neighbours() -> None:
    picture, others = felt(), [(FREE[0] + 38, FREE[1] - 24), (FREE[0] + 38, FREE[1] + 24)]
    for place in others:
        draw(picture, place)
    draw(picture, FREE, (16, 0))
    readings = [reading_at(place) for place in (FREE, *others)]
    assert lies(Together(picture, GEOMETRY, readings)) == ["cocked", "flat", "flat"]


@pytest.mark.parametrize("own", [0, 4])
def test_beside_a_die_that_is_known_to_lie_flat_only_the_other_can_lean(own: int) -> None:
    picture, beside = felt(), (FREE[0] + 38, FREE[1])
    draw(picture, FREE, (own, 0))
    draw(picture, beside, (-5, 0))
    readings = [reading_at(FREE), reading_at(beside)]
    assert lies(Together(picture, GEOMETRY, readings)) == ["doubtful", "doubtful"]
    assert lies(Together(picture, GEOMETRY, readings, level=[0])) == ["flat", "cocked"]


def test_a_die_that_is_known_to_lie_flat_leans_on_nothing() -> None:
    picture, beside = felt(), (FREE[0] + 38, FREE[1])
    draw(picture, FREE, (4, 0))
    draw(picture, beside, (-4, 0))
    readings = [reading_at(FREE), replace(reading_at(beside), value=None, likely=1)]
    assert lies(Together(picture, GEOMETRY, readings, unlevel=[1], level=[0])) == ["flat", "flat"]


@pytest.mark.parametrize(("breadth", "lie"), [(1.0, "doubtful"), (0.95, "doubtful"), (0.8, "cocked")])
def test_of_two_dice_the_one_leans_whose_top_looks_narrower_towards_the_other(breadth: float, lie: str) -> None:
    picture, beside = felt(), (FREE[0] + 42, FREE[1])
    draw(picture, FREE, (8, 0))
    draw(picture, beside, (-8, 0))
    lying, leaning = (
        replace(reading_at(place), value=4, likely=4, spread=(share**2, 0.0, 1.0))
        for place, share in ((FREE, 1.0), (beside, breadth))
    )
    assert lies(Together(picture, GEOMETRY, [lying, leaning])) == ["doubtful" if lie == "doubtful" else "flat", lie]


def test_a_die_that_is_not_read_is_said_to_lean_where_it_plainly_does() -> None:
    picture, beside = felt(), (FREE[0] + 48, FREE[1])
    draw(picture, FREE, (9, 0))
    draw(picture, beside)
    readings = [replace(reading_at(FREE), value=None), reading_at(beside)]
    assert lies(Together(picture, GEOMETRY, readings)) == ["cocked", "flat"]


@pytest.mark.parametrize(("side", "lie"), [((9, 0), "cocked"), ((0, 0), "flat")])
def test_a_die_not_read_that_has_no_room_to_lie_flat_leans_if_more_of_it_shows(side: tuple[int, int], lie: str) -> None:
    picture, beside = felt(), (FREE[0] + 25, FREE[1])
    draw(picture, FREE, (-side[0], side[1]))
    draw(picture, beside)
    readings = [replace(reading_at(FREE), value=None), reading_at(beside)]
    assert lies(Together(picture, GEOMETRY, readings))[0] == lie


@pytest.mark.parametrize(
    ("place", "side", "all_seen", "lie"),
    [
        (NEAR_WALL, (0, -12), True, "cocked"),
        (NEAR_WALL, (0, -12), False, "flat"),
        (NEAR_WALL, (0, -4), True, "flat"),
        (FREE, (0, -12), True, "flat"),
    ],
    ids=["stands", "others may be missing", "hardly more than a flat one", "no wall"],
)
def test_a_die_not_read_leans_on_the_wall_where_it_plainly_stands_on_an_edge(
    place: tuple[int, int], side: tuple[int, int], all_seen: bool, lie: str
) -> None:
    picture = felt()
    draw(picture, place, side)
    assert lies(Together(picture, GEOMETRY, [replace(reading_at(place), value=None)], all_seen=all_seen)) == [lie]


def test_two_flat_dice_cannot_lie_in_one_place() -> None:
    picture, over = felt(), (FREE[0] + 15, FREE[1])
    draw(picture, FREE)
    assert lies(Together(picture, GEOMETRY, [reading_at(FREE), reading_at(over)])) == ["doubtful", "doubtful"]


def test_dice_side_by_side_may_both_lie_flat() -> None:
    picture, beside = felt(), (FREE[0] + FACE, FREE[1] + 4)
    draw(picture, FREE)
    draw(picture, beside)
    assert lies(Together(picture, GEOMETRY, [reading_at(FREE), reading_at(beside)])) == ["flat", "flat"]


def test_a_die_that_cannot_be_read_hides_another_where_more_of_a_die_shows_than_of_a_flat_one() -> None:
    picture, alone = felt(), (FREE[0], FREE[1] + 120)
    draw(picture, (FREE[0] + 3, FREE[1] + 3), turn=0.4)
    for place in (FREE, alone):
        draw(picture, place)
    unread = [replace(reading_at(place), value=None) for place in (FREE, alone)]
    assert hides_another(Together(picture, GEOMETRY, unread)) == [True, False]
