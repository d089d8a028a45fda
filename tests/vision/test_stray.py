"""What flies past beyond the floor is seen where nothing else explains it."""

import numpy as np
import pytest

from vision.empty import FAINT_TINT, TINTED, EmptyTray
from vision.hand import Disc
from vision.stray import Beyond
from vision.track import DIE_HEAT, Sighting

DIE_PX = 18
DIE = (slice(60, 78), slice(150, 168))


@pytest.mark.parametrize(
    ("strange", "things", "body", "so"),
    [
        (DIE, [], None, True),
        ((slice(60, 66), slice(150, 156)), [], None, False),
        ((slice(60, 70), slice(150, 161)), [], None, True),
        ((slice(60, 88), slice(140, 149)), [], None, False),
        ((slice(60, 78), slice(100, 118)), [], None, False),
        ((slice(60, 78), slice(240, 258)), [], None, False),
        (DIE, [Disc(159, 69, 18)], None, False),
        (DIE, [], (slice(90, 130), slice(140, 180)), False),
        (DIE, [], (slice(0, 160), slice(0, 40)), True),
    ],
    ids=[
        "a die over the rim",
        "a speck",
        "nearly of the table's hue",
        "on the wall",
        "over the floor",
        "far away",
        "located",
        "beside a hand",
        "far from a hand",
    ],
)
def test_a_stray(strange: tuple[slice, slice], things: list[Disc], body: tuple[slice, slice] | None, so: bool) -> None:
    floor, tint, mask = (np.zeros((160, 300), np.uint8) for _ in range(3))
    floor[20:140, 20:140] = 1
    tint[strange] = 1
    if body is not None:
        mask[body] = 1
    assert Beyond(floor, DIE_PX).has_stray(tint, things, [mask > 0]) is so


@pytest.mark.parametrize(("times", "so"), [(1, True), (2, False)], ids=["dice let go", "a hand"])
def test_what_was_body_for_a_moment_only_are_smeared_dice(times: int, so: bool) -> None:
    floor, tint, beside = (np.zeros((160, 300), np.uint8) for _ in range(3))
    floor[20:140, 20:140] = 1
    tint[DIE] = 1
    beside[90:130, 140:180] = 1
    bodies = [beside > 0] * times + [np.zeros(floor.shape, bool)] * (3 - times)
    assert Beyond(floor, DIE_PX).has_stray(tint, [], bodies) is so


@pytest.mark.parametrize(
    ("flying", "so"),
    [([Disc(159, 69, 18)], True), ([Disc(250, 69, 18)], False), ([], False)],
    ids=["there", "elsewhere", "nowhere"],
)
def test_a_little_of_another_hue_tells_what_looks_a_little_like_a_die(flying: list[Disc], so: bool) -> None:
    floor, tint, faint = (np.zeros((160, 300), np.uint8) for _ in range(3))
    floor[20:140, 20:140] = 1
    faint[DIE] = 1
    assert Beyond(floor, DIE_PX).has_stray(tint, [], [], faint, flying) is so


@pytest.mark.parametrize(
    ("smear", "still", "flying", "so"),
    [
        ((slice(60, 78), slice(130, 168)), [], [Disc(134, 69, 18)], True),
        ((slice(60, 78), slice(130, 155)), [], [Disc(134, 69, 18)], False),
        ((slice(60, 78), slice(130, 168)), [], [Disc(90, 69, 18)], False),
        ((slice(60, 78), slice(130, 168)), [Disc(159, 69, 18)], [Disc(134, 69, 18)], False),
    ],
    ids=["across the rim", "up to the wall", "elsewhere", "another lies there"],
)
def test_a_die_is_smeared_across_the_rim(
    smear: tuple[slice, slice], still: list[Disc], flying: list[Disc], so: bool
) -> None:
    floor, tint, faint = (np.zeros((160, 300), np.uint8) for _ in range(3))
    floor[20:140, 20:140] = 1
    faint[smear] = 1
    assert Beyond(floor, DIE_PX).is_crossed(tint, faint, still, [], flying) is so


@pytest.mark.parametrize(
    ("hue", "still", "beyond", "near", "so"),
    [
        (2 * TINTED, False, -1.0, False, True),
        (2 * TINTED, True, -1.0, False, False),
        ((TINTED + FAINT_TINT) / 2, False, -1.0, False, True),
        ((TINTED + FAINT_TINT) / 2, False, -3.0, False, False),
        ((TINTED + FAINT_TINT) / 2, False, -1.0, True, False),
        ((TINTED + FAINT_TINT) / 2, False, 0.5, False, True),
        (0.0, False, -1.0, False, False),
    ],
    ids=["plain", "nothing moves", "its smear", "of one far from the edge", "of a finger", "it leaves", "nothing"],
)
def test_something_flies_past_while_dice_move(hue: float, still: bool, beyond: float, near: bool, so: bool) -> None:
    floor, grey = np.zeros((160, 300), np.uint8), np.full((160, 300), 90, np.uint8)
    floor[20:140, 20:140] = 1
    hues = np.zeros((160, 300, 2), np.float32)
    empty = EmptyTray(grey, hues.copy())
    hues[60:78, 152:180] = hue
    thing = Sighting(0.0, 0.0, DIE_PX, DIE_HEAT, still, near, beyond=beyond)
    disc = Disc(134 if beyond < 0 else 160, 69, DIE_PX)
    difference = empty.compare(grey, hues)
    assert Beyond(floor, DIE_PX).flies_past(difference, empty, [(thing, disc)], []) is so
