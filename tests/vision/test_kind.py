"""Dice of another colour than all that were seen before."""

import cv2
import numpy as np
import pytest

from vision.kind import Kind, KnownKinds, kind_of, rim_of
from vision.read import Reading

WHITE, RED, BLUE = (230, 235, 235), (30, 30, 170), (150, 60, 30)
VIVID, GREEN, YELLOW, GREY, VIOLET = (60, 50, 245), (50, 120, 30), (20, 200, 240), (140, 140, 140), (200, 60, 150)
GOLD = (80, 180, 215)


def seen(colour: tuple[int, int, int], light: float = 1.0, gain: float = 1.0, veil: float = 0.0) -> Kind:
    """A die of this colour (BGR) with three dark pips on a green floor, in so much light, under a veil of white."""
    image = np.full((80, 80, 3), (40, 90, 30), np.uint8)
    cv2.rectangle(image, (25, 25), (55, 55), colour, -1)
    for x in (31, 40, 49):
        cv2.circle(image, (x, x), 4, (20, 20, 20), -1)
    image = np.clip((1 - veil) * image * light + veil * 255, 0, 255).astype(np.uint8)
    return kind_of(image, Reading(3, 0.99, 3, "flat", 0.0, (25.0, 25.0, 30.0, 30.0), 0.9, 0.0), gain)


def lit(colour: tuple[int, int, int], lamp: tuple[float, float, float]) -> tuple[int, int, int]:
    """A colour in the light of a lamp (BGR, shares)."""
    blue, green, red = (round(level * share) for level, share in zip(colour, lamp, strict=True))
    return blue, green, red


def test_dice_of_one_set_are_known_in_shade_and_light() -> None:
    known = KnownKinds()
    assert known.foreign([seen(RED)] * 5) == [False] * 5
    assert known.foreign([seen(RED, 0.8), seen(RED, 1.15)]) == [False, False]


def test_a_die_in_a_deep_shadow_is_known_by_what_it_were_in_the_light() -> None:
    known = KnownKinds()
    known.foreign([seen(WHITE)] * 5)
    now, light = [*[seen(WHITE)] * 4, seen(WHITE, 0.5)], [seen(WHITE)] * 5
    assert known.foreign(now) == [False] * 4 + [True]
    assert known.foreign(now, light) == [False] * 5
    assert known.foreign(now) == [False] * 4 + [True]
    assert known.foreign(now, [*light[:4], seen(RED)]) == [False] * 4 + [True]


@pytest.mark.parametrize("other", [WHITE, BLUE])
def test_a_die_of_another_colour_is_foreign(other: tuple[int, int, int]) -> None:
    known = KnownKinds()
    known.foreign([seen(RED)] * 5)
    assert known.foreign([*[seen(RED)] * 4, seen(other)]) == [False] * 4 + [True]


def test_dice_are_learnt_for_as_long_as_more_of_them_come() -> None:
    known = KnownKinds()
    known.foreign([seen(RED)] * 4)
    assert known.foreign([*[seen(RED)] * 4, seen(BLUE)]) == [False] * 5
    assert known.foreign([*[seen(RED)] * 4, seen(BLUE)]) == [False] * 5
    assert known.foreign([*[seen(RED)] * 4, seen(WHITE)]) == [False] * 4 + [True]


def test_another_exposure_is_no_other_kind() -> None:
    dark = seen(WHITE, 0.5, gain=0.5)
    assert dark.lightness == pytest.approx(seen(WHITE).lightness, abs=3)


@pytest.mark.parametrize("colour", [VIVID, BLUE, GREEN, YELLOW])
def test_a_lamp_mirrored_in_a_face_makes_no_foreign_die(colour: tuple[int, int, int]) -> None:
    known = KnownKinds()
    known.foreign([seen(colour)] * 5)
    assert known.foreign([*[seen(colour)] * 4, seen(colour, veil=0.4)]) == [False] * 5
    assert known.foreign([*[seen(colour)] * 4, seen(WHITE)]) == [False] * 4 + [True]


@pytest.mark.parametrize("shown", [WHITE, (255, 255, 255)])
def test_a_lamp_mirrored_in_a_die_burnt_out_makes_it_paler_and_no_lighter(shown: tuple[int, int, int]) -> None:
    burnt, paler = (85, 235, 255), (145, 235, 255)
    known = KnownKinds()
    known.foreign([seen(burnt)] * 5)
    assert known.foreign([*[seen(burnt, gain=1.08)] * 4, seen(paler, gain=1.08)]) == [False] * 5
    assert known.foreign([*[seen(burnt, gain=1.08)] * 4, seen(shown, gain=1.08)]) == [False] * 4 + [True]


@pytest.mark.parametrize("colour", [VIVID, BLUE, GREEN, YELLOW, VIOLET])
def test_a_die_learnt_under_a_mirrored_lamp_is_no_foreign_one_without(colour: tuple[int, int, int]) -> None:
    known = KnownKinds()
    known.foreign([*[seen(GREY)] * 4, seen(colour, veil=0.4)])
    assert known.foreign([*[seen(GREY)] * 4, seen(colour)]) == [False] * 5


@pytest.mark.parametrize("lamp", [(1.0, 1.0, 1.0), (0.62, 0.86, 1.0)], ids=["neutral", "warm"])
@pytest.mark.parametrize("colour", [VIVID, BLUE, GREEN, YELLOW, VIOLET, GOLD])
def test_a_die_of_a_colour_is_no_white_one_without_a_sheen(
    colour: tuple[int, int, int], lamp: tuple[float, float, float]
) -> None:
    white, other = (seen(lit(body, lamp)) for body in (WHITE, colour))
    known = KnownKinds()
    known.foreign([white] * 5)
    assert known.foreign([*[white] * 4, other]) == [False] * 4 + [True]


def test_a_white_die_in_yellow_light_is_no_yellow_one_under_a_sheen() -> None:
    known = KnownKinds()
    known.foreign([*[Kind(66.0, 4.0, 57.0)] * 4, Kind(71.0, 3.0, 49.0)])
    assert known.foreign([*[Kind(66.0, 4.0, 57.0)] * 4, Kind(83.6, 0.3, 9.8)]) == [False] * 4 + [True]


def test_a_die_that_is_paler_but_no_lighter_is_foreign() -> None:
    known = KnownKinds()
    known.foreign([seen(VIVID)] * 5)
    assert known.foreign([*[seen(VIVID)] * 4, seen(GREY)]) == [False] * 4 + [True]


@pytest.mark.parametrize(
    ("colour", "foreign"), [(GOLD, False), (WHITE, True), (BLUE, True)], ids=["the same", "white", "blue"]
)
def test_a_lamp_that_hides_most_of_a_face_leaves_its_colour_about_it(
    colour: tuple[int, int, int], foreign: bool
) -> None:
    image = np.full((80, 80, 3), (40, 90, 30), np.uint8)
    cv2.rectangle(image, (25, 25), (55, 55), colour, -1)
    cv2.circle(image, (40, 40), 12, (235, 252, 255), -1)
    reading, known = Reading(3, 0.99, 3, "flat", 0.0, (25.0, 25.0, 30.0, 30.0), 0.9, 0.0), KnownKinds()
    known.foreign([seen(GOLD)] * 5)
    now = [*[seen(GOLD)] * 4, kind_of(image, reading)]
    assert known.foreign(now) == [False] * 4 + [True]
    assert known.foreign(now, rims=[*[None] * 4, rim_of(image, reading)]) == [False] * 4 + [foreign]
