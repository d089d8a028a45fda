"""A die whose outline is that of a flat one lies flat; it leans or lies on another where the outline lies elsewhere."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.evidence import Evidence
from vision.geometry import TrayGeometry
from vision.lean import hides_another, lies
from vision.leaner import Chances, Upon
from vision.lens import Lens
from vision.network import Limits
from vision.read import Reading

FELT, RED, DARK_RED = (50, 110, 40), (40, 40, 220), (25, 25, 140)
GREY, WHITE = (113, 113, 113), (235, 235, 235)
SHADOW, DEEP_SHADOW = (30, 66, 24), (18, 40, 15)
FACE = 30
LENS = Lens((1170.0, 1170.0), (320.0, 240.0), (0.0, 0.0, 0.0), (0.0, 0.0, 640.0))
UNMEASURED = TrayGeometry(((80, 60), (560, 60), (560, 420), (80, 420)), FACE, (640, 480))
GEOMETRY = replace(UNMEASURED, lens=LENS)
AT_WALL, NEAR_WALL, FREE = (320, 80), (320, 88), (320, 200)


def reading_at(place: tuple[int, int]) -> Reading:
    x, y = place
    box = (x - FACE / 2, y - FACE / 2, float(FACE), float(FACE))
    return Reading(2, 0.99, 2, "flat", 0.0, box, 0.9, 0.0)


def felt() -> np.ndarray:
    return np.full((480, 640, 3), FELT, np.uint8)


def draw(
    picture: np.ndarray,
    place: tuple[int, int],
    side: tuple[int, int] = (0, 0),
    colours: tuple[tuple[int, int, int], ...] = (DARK_RED, RED),
    turn: float = 0.0,
) -> None:
    """A die's top face, with its sides next to it in direction `side` (x, y) px and a shadow about it."""
    corners = [(FACE / math.sqrt(2), turn + (k + 0.5) * math.pi / 2) for k in range(4)]
    square = np.array([(r * math.cos(a), r * math.sin(a)) for r, a in corners]) + place
    shadow = np.zeros(picture.shape[:2], np.uint8)
    cv2.circle(shadow, (place[0] - 12, place[1] + 12), FACE, 1, cv2.FILLED)
    picture[(shadow == 1) & (picture == FELT).all(axis=2)] = SHADOW
    for shift, colour in zip((side, (0, 0)), colours, strict=True):
        cv2.fillConvexPoly(picture, np.round(square + shift).astype(np.int32), colour)


@pytest.mark.parametrize(
    ("side", "lie"), [((0, 4), "flat"), ((0, 2), "flat"), ((0, 0), "doubtful"), ((0, -6), "cocked")]
)
def test_a_die_at_the_wall_leans_that_shows_its_sides_to_the_wall(side: tuple[int, int], lie: str) -> None:
    picture = felt()
    draw(picture, AT_WALL, side)
    assert lies(picture, GEOMETRY, [reading_at(AT_WALL)]) == [lie]


def test_a_die_leans_in_a_corner_that_shows_its_sides_into_it() -> None:
    picture, corner = felt(), (100, 80)
    draw(picture, corner, (0, 0))
    assert lies(picture, GEOMETRY, [reading_at(corner)], all_seen=True) == ["cocked"]


@pytest.mark.parametrize(("side", "lie"), [((0, 1), "flat"), ((0, -1), "flat"), ((0, -6), "stacked")])
def test_a_die_with_nothing_to_lean_on_is_never_said_to_lean(side: tuple[int, int], lie: str) -> None:
    picture = felt()
    draw(picture, FREE, side)
    assert lies(picture, GEOMETRY, [reading_at(FREE)]) == [lie]


@pytest.mark.parametrize(("all_seen", "lie"), [(False, "stacked"), (True, "doubtful")])
def test_a_die_lies_on_no_other_that_is_seen_beside_it_where_none_is_missing(all_seen: bool, lie: str) -> None:
    picture, beside = felt(), (FREE[0] - 40, FREE[1] + 10)
    draw(picture, FREE, (0, -6))
    draw(picture, beside, (0, 1))
    assert lies(picture, GEOMETRY, [reading_at(FREE), reading_at(beside)], all_seen=all_seen) == [lie, "flat"]


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
    assert lies(picture, GEOMETRY, [reading_at(AT_WALL)]) == [lie]


@pytest.mark.parametrize(("unseen", "lie"), [((0.0, 0.0), "doubtful"), ((0.0, -0.12), "cocked"), (None, "cocked")])
def test_a_die_that_seems_to_lean_since_its_sides_are_not_seen_is_doubtful(
    unseen: tuple[float, float] | None, lie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Evidence(0.0, (0.0, -0.2), 0.0, 0.0, {}, unseen)
    monkeypatch.setattr("vision.lean.all_evidence", lambda *_: [seen])
    assert lies(felt(), GEOMETRY, [reading_at(AT_WALL)]) == [lie]


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
    monkeypatch.setattr("vision.lean.all_evidence", lambda *_: [seen])
    draw(picture, place, (0, 2))
    assert lies(picture, GEOMETRY, [reading_at(place)], all_seen=all_seen) == [lie]


def test_it_does_raise_one_where_not_all_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, elsewhere = Evidence(0.0, (0.0, 0.0), 0.03, 0.0, {}), (FREE[0] + 150, FREE[1])
    monkeypatch.setattr("vision.lean.all_evidence", lambda *_: [seen, None])
    readings = [reading_at(FREE), replace(reading_at(elsewhere), value=None)]
    assert lies(felt(), GEOMETRY, readings, all_seen=True) == ["doubtful", "flat"]


def test_sides_as_dark_as_a_shadow_may_be_there() -> None:
    picture, half = felt(), FACE // 2
    x, y = AT_WALL
    for down, colour in ((4, DEEP_SHADOW), (0, RED)):
        cv2.rectangle(picture, (x - half, y - half + down), (x + half, y + half + down), colour, cv2.FILLED)
    assert lies(picture, GEOMETRY, [reading_at(AT_WALL)]) == ["flat"]


def test_of_two_dice_side_by_side_the_one_leans_that_shows_its_sides_to_the_other() -> None:
    picture, beside = felt(), (FREE[0] + 48, FREE[1])
    draw(picture, FREE, (9, 0))
    draw(picture, beside)
    assert lies(picture, GEOMETRY, [reading_at(FREE), reading_at(beside)]) == ["cocked", "flat"]


def test_two_dice_with_more_of_a_die_between_them_are_doubtful_where_neither_shows_it_most() -> None:
    picture, beside = felt(), (FREE[0] + 38, FREE[1])
    draw(picture, FREE, (4, 0))
    draw(picture, beside, (-4, 0))
    assert lies(picture, GEOMETRY, [reading_at(FREE), reading_at(beside)]) == ["doubtful", "doubtful"]


def test_a_die_that_is_known_to_be_unlevel_explains_what_is_seen_beside_it() -> None:
    picture, beside = felt(), (FREE[0] + 38, FREE[1])
    draw(picture, FREE)
    draw(picture, beside, (-8, 0))
    readings = [reading_at(FREE), replace(reading_at(beside), value=None)]
    assert lies(picture, GEOMETRY, readings) == ["doubtful", "flat"]
    assert lies(picture, GEOMETRY, readings, unlevel=[1]) == ["flat", "flat"]


def test_a_die_that_leans_on_the_wall_explains_what_of_it_reaches_to_another() -> None:
    picture, farther = felt(), (AT_WALL[0] - 45, AT_WALL[1] + 26)
    draw(picture, AT_WALL, (-12, 10), (RED, RED))
    draw(picture, farther, (0, 1))
    readings = [reading_at(AT_WALL), reading_at(farther)]
    assert lies(picture, GEOMETRY, readings, all_seen=True) == ["cocked", "flat"]


def test_a_die_that_leans_explains_what_is_seen_between_its_neighbours() -> None:
    picture, others = felt(), [(FREE[0] + 38, FREE[1] - 24), (FREE[0] + 38, FREE[1] + 24)]
    for place in others:
        draw(picture, place)
    draw(picture, FREE, (16, 0))
    readings = [reading_at(place) for place in (FREE, *others)]
    assert lies(picture, GEOMETRY, readings) == ["cocked", "flat", "flat"]


@pytest.mark.parametrize("own", [0, 4])
def test_beside_a_die_that_is_known_to_lie_flat_only_the_other_can_lean(own: int) -> None:
    picture, beside = felt(), (FREE[0] + 38, FREE[1])
    draw(picture, FREE, (own, 0))
    draw(picture, beside, (-5, 0))
    readings = [reading_at(FREE), reading_at(beside)]
    assert lies(picture, GEOMETRY, readings) == ["doubtful", "doubtful"]
    assert lies(picture, GEOMETRY, readings, level=[0]) == ["flat", "cocked"]


def test_a_die_that_is_known_to_lie_flat_leans_on_nothing() -> None:
    picture, beside = felt(), (FREE[0] + 38, FREE[1])
    draw(picture, FREE, (4, 0))
    draw(picture, beside, (-4, 0))
    readings = [reading_at(FREE), replace(reading_at(beside), value=None, likely=1)]
    assert lies(picture, GEOMETRY, readings, unlevel=[1], level=[0]) == ["flat", "flat"]


@pytest.mark.parametrize(("breadth", "lie"), [(1.0, "doubtful"), (0.95, "doubtful"), (0.8, "cocked")])
def test_of_two_dice_the_one_leans_whose_top_looks_narrower_towards_the_other(breadth: float, lie: str) -> None:
    picture, beside = felt(), (FREE[0] + 42, FREE[1])
    draw(picture, FREE, (8, 0))
    draw(picture, beside, (-8, 0))
    lying, leaning = (
        replace(reading_at(place), value=4, likely=4, spread=(share**2, 0.0, 1.0))
        for place, share in ((FREE, 1.0), (beside, breadth))
    )
    assert lies(picture, GEOMETRY, [lying, leaning]) == ["doubtful" if lie == "doubtful" else "flat", lie]


def test_a_die_that_is_not_read_is_said_to_lean_where_it_plainly_does() -> None:
    picture, beside = felt(), (FREE[0] + 48, FREE[1])
    draw(picture, FREE, (9, 0))
    draw(picture, beside)
    readings = [replace(reading_at(FREE), value=None), reading_at(beside)]
    assert lies(picture, GEOMETRY, readings) == ["cocked", "flat"]


@pytest.mark.parametrize(("side", "lie"), [((9, 0), "cocked"), ((0, 0), "flat")])
def test_a_die_not_read_that_has_no_room_to_lie_flat_leans_if_more_of_it_shows(side: tuple[int, int], lie: str) -> None:
    picture, beside = felt(), (FREE[0] + 25, FREE[1])
    draw(picture, FREE, (-side[0], side[1]))
    draw(picture, beside)
    readings = [replace(reading_at(FREE), value=None), reading_at(beside)]
    assert lies(picture, GEOMETRY, readings)[0] == lie


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
    assert lies(picture, GEOMETRY, [replace(reading_at(place), value=None)], all_seen=all_seen) == [lie]


def test_two_flat_dice_cannot_lie_in_one_place() -> None:
    picture, over = felt(), (FREE[0] + 15, FREE[1])
    draw(picture, FREE)
    assert lies(picture, GEOMETRY, [reading_at(FREE), reading_at(over)]) == ["doubtful", "doubtful"]


def test_a_one_is_turned_as_its_outline_lies() -> None:
    picture = felt()
    draw(picture, FREE, (0, 1), turn=math.radians(30))
    one = replace(reading_at(FREE), value=1, likely=1)
    assert lies(picture, GEOMETRY, [one]) == ["flat"]


def test_dice_side_by_side_may_both_lie_flat() -> None:
    picture, beside = felt(), (FREE[0] + FACE, FREE[1] + 4)
    draw(picture, FREE)
    draw(picture, beside)
    assert lies(picture, GEOMETRY, [reading_at(FREE), reading_at(beside)]) == ["flat", "flat"]


def test_a_die_from_under_which_another_peeps_out_is_stacked() -> None:
    picture = felt()
    draw(picture, (FREE[0] + 5, FREE[1] + 4), turn=0.6)
    draw(picture, FREE)
    assert lies(picture, GEOMETRY, [reading_at(FREE)]) == ["stacked"]


@pytest.mark.parametrize(("place", "lie"), [(FREE, "doubtful"), (AT_WALL, "cocked")])
def test_no_die_lies_on_one_that_is_not_missing(place: tuple[int, int], lie: str) -> None:
    picture = felt()
    draw(picture, (place[0] + 5, place[1] + 4), turn=0.6)
    draw(picture, place)
    assert lies(picture, GEOMETRY, [reading_at(place)], all_seen=True) == [lie]


@pytest.mark.parametrize(("all_seen", "lie"), [(False, "doubtful"), (True, "flat")])
def test_alone_a_die_leans_on_nothing_where_no_other_is_missing(all_seen: bool, lie: str) -> None:
    picture = felt()
    draw(picture, FREE)
    aside = reading_at((FREE[0] + round(0.09 * FACE), FREE[1]))
    assert lies(picture, GEOMETRY, [aside], all_seen=all_seen) == [lie]


def test_a_die_that_cannot_be_read_hides_another_where_more_of_a_die_shows_than_of_a_flat_one() -> None:
    picture, alone = felt(), (FREE[0], FREE[1] + 120)
    draw(picture, (FREE[0] + 3, FREE[1] + 3), turn=0.4)
    for place in (FREE, alone):
        draw(picture, place)
    unread = [replace(reading_at(place), value=None) for place in (FREE, alone)]
    assert hides_another(picture, GEOMETRY, unread) == [True, False]


def test_nothing_is_told_of_a_die_of_the_floor_s_colour_where_it_may_lean() -> None:
    picture, hardly = felt(), ((54, 114, 44), (54, 114, 44))
    draw(picture, AT_WALL, (0, -8), hardly)
    draw(picture, FREE, (0, -8), hardly)
    assert lies(picture, GEOMETRY, [reading_at(AT_WALL), reading_at(FREE)]) == ["untold", "flat"]


def test_an_unmeasured_camera_that_looks_in_aslant_shifts_all_dice_alike() -> None:
    picture, places = felt(), [AT_WALL, FREE, (200, 300), (440, 300)]
    for x, y in places:
        draw(picture, (x, y), (round((320 - x) / 40), round((240 - y) / 40) - 6))
    assert lies(picture, UNMEASURED, [reading_at(place) for place in places]) == ["flat"] * 4
    assert lies(picture, UNMEASURED, [reading_at(AT_WALL)]) == ["untold"]


@pytest.mark.parametrize(
    ("place", "on", "chance", "shift", "plain", "all_seen", "lie"),
    [
        (AT_WALL, "wall", 0.95, 0.0, 0.0, True, "cocked"),
        (AT_WALL, "wall", 0.5, 0.0, 0.0, True, "doubtful"),
        (AT_WALL, "wall", 0.1, -0.09, 0.0, True, "flat"),
        (AT_WALL, "wall", 0.1, -0.12, 0.0, True, "doubtful"),
        (AT_WALL, "wall", 0.1, 0.25, 0.0, True, "cocked"),
        (AT_WALL, "wall", 0.1, 0.0, 0.06, True, "doubtful"),
        (AT_WALL, "wall", 0.1, 0.08, 0.0, False, "doubtful"),
        (FREE, "below", 0.95, 0.0, 0.0, False, "stacked"),
        (FREE, "below", 0.5, 0.0, 0.0, False, "doubtful"),
        (FREE, "below", 0.95, 0.0, 0.0, True, "flat"),
        (FREE, "below", 0.1, 0.0, 0.03, False, "flat"),
        (FREE, "below", 0.1, 0.0, 0.06, False, "doubtful"),
    ],
)
def test_what_is_plain_by_its_outline_counts_beside_the_chances(
    place: tuple[int, int],
    on: Upon,
    chance: float,
    shift: float,
    plain: float,
    all_seen: bool,
    lie: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = Evidence(0.0, (0.0, shift), plain, plain, {})
    monkeypatch.setattr("vision.lean.all_evidence", lambda *_: [seen])
    limits = Limits(0.3, 0.9)
    chances = Chances({(0, "below"): 0.0, (0, on): chance}, limits, limits)
    assert lies(felt(), GEOMETRY, [reading_at(place)], chances, all_seen=all_seen) == [lie]


def test_of_a_die_not_read_the_chances_say_that_it_stands_at_the_wall() -> None:
    limits = Limits(0.3, 0.9)
    for chance, lie in ((0.95, "cocked"), (0.5, "flat")):
        chances = Chances({(0, "below"): 0.0, (0, "wall"): chance}, limits, limits)
        reading = replace(reading_at(AT_WALL), value=None)
        assert lies(felt(), GEOMETRY, [reading], chances, all_seen=True) == [lie]


@pytest.mark.parametrize(
    ("mine", "its", "found"),
    [
        (0.1, 0.1, ["doubtful", "flat"]),
        (0.95, 0.1, ["cocked", "flat"]),
        (0.1, 0.95, ["flat", "cocked"]),
        (0.5, 0.5, ["doubtful", "doubtful"]),
    ],
)
def test_one_of_two_that_plainly_leans_by_its_outline_is_in_doubt_where_chances_say_nothing(
    mine: float, its: float, found: list[str]
) -> None:
    picture, beside, limits = felt(), (FREE[0] + 48, FREE[1]), Limits(0.3, 0.9)
    draw(picture, FREE, (9, 0))
    draw(picture, beside)
    chances = Chances({(0, "below"): 0.0, (1, "below"): 0.0, (0, 1): mine, (1, 0): its}, limits, limits)
    assert lies(picture, GEOMETRY, [reading_at(FREE), reading_at(beside)], chances) == found
