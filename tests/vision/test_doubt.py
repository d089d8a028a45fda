"""What else may lie behind a value that passes the bar."""

import math

import cv2
import numpy as np
import pytest

from tests.vision.drawn_photo import ANGLES, PLACES, photograph
from tests.vision.drawn_tray import DIE_PX, PIPS
from vision.channel import CHANNELS, Image
from vision.doubt import (
    are_unlike,
    has_face_above,
    is_colourless,
    is_odd,
    is_washed_out,
    may_be_edge,
    may_be_glints,
    may_be_side,
)
from vision.look import VALUES, Look, PipMap
from vision.network import CROP_FACES, CROP_PX, PIP_CELLS, FloatArray, Networks
from vision.opinion import Opinion, View, view_of
from vision.read import read_die


def pip_map(value: int, heights: dict[int, float] | None = None) -> FloatArray:
    """The map of a value's pips, each 0.9 high but those whose place in the list has another height."""
    cells = np.zeros((PIP_CELLS, PIP_CELLS), np.float32)
    for number, (u, v) in enumerate(PIPS[value]):
        column, row = (round((PIP_CELLS - 1) / 2 + 0.25 * w * PIP_CELLS / CROP_FACES) for w in (u, v))
        cells[row, column] = (heights or {}).get(number, 0.9)
    return cells


def opinion(
    number: int, value: int, score: float, pips: FloatArray | None = None, crop: FloatArray | None = None
) -> Opinion:
    scores = np.zeros(VALUES, np.float32)
    scores[value - 1] = score
    blank = np.zeros((CROP_PX, CROP_PX), np.float32)
    look = Look(scores, 0.0, PipMap(pip_map(value) if pips is None else pips), blank if crop is None else crop)
    return Opinion(CHANNELS[number], (View((look,), CHANNELS[number], 50.0, (0.0, 0.0)),))


@pytest.mark.parametrize(
    ("seen", "coloured", "doubted"), [(0.2, 0.1, True), (0.2, 0.2, False), (0.6, 0.35, True), (0.6, 0.37, False)]
)
def test_what_colour_shows_hardly_or_far_less_than_grey_is_doubted(seen: float, coloured: float, doubted: bool) -> None:
    said = [opinion(0, 5, seen), opinion(1, 5, coloured), opinion(2, 5, 0.9), opinion(3, 5, 0.9), opinion(4, 5, 0.9)]
    assert is_colourless(said, 5) == doubted


@pytest.mark.parametrize(
    ("last", "doubted"), [((0.9, 0.9, 0.9), False), ((0.2, 0.4, 0.9), True), ((0.7, 0.7, 0.8), False)]
)
def test_a_pip_of_another_colour_than_the_others_is_doubted(last: tuple[float, ...], doubted: bool) -> None:
    """As those that shine through a clear red body (BGR) beside white ones; a little shade is none."""
    crop = np.stack([marked(5, 4, body, 0.9) for body in (0.1, 0.1, 0.6)], 2)
    u, v = PIPS[5][0]
    place = [round((CROP_PX - 1) / 2 + 0.25 * w * CROP_PX / CROP_FACES) for w in (u, v)]
    for number, level in enumerate(last):
        cv2.circle(channel := crop[..., number].copy(), place, 4, level, -1)
        crop[..., number] = channel
    assert are_unlike([opinion(0, 5, 0.6), opinion(1, 5, 0.6, crop=crop)], 5) == doubted


def test_without_colour_what_is_opened_may_speak_alone() -> None:
    assert not is_colourless([opinion(0, 5, 0.0), opinion(4, 5, 0.6)], 5)


def marked(value: int, radius: int, body: float, paint: float) -> FloatArray:
    """A crop with discs where the pips of a value lie."""
    crop = np.full((CROP_PX, CROP_PX), body, np.float32)
    for u, v in PIPS[value]:
        place = [round((CROP_PX - 1) / 2 + 0.25 * w * CROP_PX / CROP_FACES) for w in (u, v)]
        cv2.circle(crop, place, radius, paint, -1)
    return crop


@pytest.mark.parametrize("value", [1, 2])
@pytest.mark.parametrize(("body", "paint"), [(0.2, 0.8), (0.8, 0.2), (0.5, 0.6)])
def test_few_pips_as_thin_as_glints_are_doubted_unless_they_outlast_the_opening(
    value: int, body: float, paint: float
) -> None:
    for radius, doubted in ((4, False), (1, True)):
        said = opinion(0, value, 0.6, crop=marked(value, radius, body, paint))
        assert may_be_glints([said, opinion(4, value, 0.2)], said.views[0], value, 0.3) == doubted
        assert not may_be_glints([said, opinion(4, value, 0.4)], said.views[0], value, 0.3)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("light", "dark"), [(0.9, 0.2), (0.7, 0.5)])
def test_soft_glare_in_the_middle_of_a_four_makes_no_sure_five(turned: bool, light: float, dark: float) -> None:
    four, five = (marked(value, 3, dark, light) for value in (4, 5))
    axis = np.arange(CROP_PX) - (CROP_PX - 1) / 2
    glare = np.exp(-(axis[None, :] ** 2 + axis[:, None] ** 2) / (2 * 7.0**2)).astype(np.float32)
    for crop, doubted in ((five, False), (np.maximum(four, dark + (light - dark) * glare), True)):
        seen = np.ascontiguousarray(1 - crop if turned else crop)
        assert is_odd(5, opinion(0, 5, 0.9, crop=seen).views[0]) == doubted


@pytest.mark.parametrize(("value", "doubted"), [(1, True), (2, True), (3, True), (4, True), (5, False), (6, False)])
def test_pips_may_be_lost_in_white_where_another_value_has_them_all_and_more(value: int, doubted: bool) -> None:
    """Dark pips of the same die, beside which none is lost, are not doubted."""
    for paint, pale in ((0.85, True), (0.4, False)):
        (view,) = opinion(0, value, 0.9, crop=marked(value, 4, 1.0, paint)).views
        assert is_washed_out(value, view) is (doubted and pale)


@pytest.mark.parametrize(("paint", "doubted"), [(0.2, False), (0.8, True)], ids=["dark", "pale"])
def test_a_small_pip_is_as_pale_as_where_it_is_darkest(paint: float, doubted: bool) -> None:
    crop = cv2.GaussianBlur(marked(2, 1, 1.0, paint), (0, 0), 1.0)
    assert is_washed_out(2, opinion(0, 2, 0.9, crop=np.asarray(crop, np.float32)).views[0]) == doubted


def test_nothing_to_be_seen_where_pips_are_said_to_be_is_doubted() -> None:
    said = opinion(0, 2, 0.6)
    assert may_be_glints([said, opinion(4, 2, 0.0)], said.views[0], 2, 0.3)


@pytest.mark.parametrize(("middle", "doubted"), [(0.9, True), (0.65, True), (0.05, False)])
def test_a_pip_between_those_of_a_two_is_doubted_whatever_the_reader_says(middle: float, doubted: bool) -> None:
    number = PIPS[3].index((0, 0))
    seen = opinion(0, 2, 0.6, pip_map(3, {number: middle}), marked(3, 4, 0.8, 0.2))
    assert may_be_glints([seen, opinion(4, 2, 0.6)], seen.views[0], 2, 0.3) == doubted


@pytest.mark.parametrize(("in_colour", "doubted"), [(0.0, False), (0.04, False), (0.5, True)])
def test_a_pip_that_one_channel_shows_between_those_of_a_two_is_none_if_colour_shows_hardly_any(
    in_colour: float, doubted: bool
) -> None:
    number, crop = PIPS[3].index((0, 0)), marked(3, 4, 0.8, 0.2)
    seen = opinion(0, 2, 0.6, pip_map(3, {number: 0.65}), crop)
    coloured = opinion(1, 2, 0.6, pip_map(3, {number: in_colour}), crop)
    assert may_be_glints([seen, coloured, opinion(4, 2, 0.6)], seen.views[0], 2, 0.3) == doubted


@pytest.mark.parametrize("hidden", [None, 0])
def test_a_row_of_a_six_is_no_three_even_if_a_pip_of_the_other_row_is_hidden(
    networks: Networks, hidden: int | None
) -> None:
    row = [(u, v) for u, v in PIPS[6] if u == max(p[0] for p in PIPS[6])]
    assert len(row) == 3
    picture = np.full((200, 200, 3), 60, np.uint8)
    cv2.rectangle(picture, (50, 50), (150, 150), (225, 225, 225), -1)
    for number, (u, v) in enumerate(sorted(PIPS[6])):
        if number != hidden:
            cv2.circle(picture, (round(100 + 25 * u), round(100 + 25 * v)), 9, (20, 20, 20), -1)
    view = view_of(networks, [(picture, 125.0, 100.0)], CHANNELS[0], 100.0)
    assert may_be_edge(networks, [(picture, 125.0, 100.0)], view, 3, 0.6)
    assert read_die(networks, [picture], 125, 100, 100).value in (None, 6)


def test_a_three_is_no_edge(networks: Networks) -> None:
    picture, (x, y) = photograph([1, 3], 60), PLACES[1]
    place = (picture, x * 60 / DIE_PX, y * 60 / DIE_PX)
    assert ANGLES[1] % 90
    assert not may_be_edge(networks, [place], view_of(networks, [place], CHANNELS[0], 60.0), 3, 0.6)


def from_aslant(top: int, side: int) -> Image:
    """A die of 60 px as a camera sees it that looks in from 45 degrees: the top above, a side below, squeezed alike."""
    picture = np.full((240, 240, 3), 60, np.uint8)
    high = round(60 * math.sqrt(0.5))
    for value, row, body in ((top, 0, 230), (side, high, 200)):
        cv2.rectangle(picture, (90, 120 - high + row), (150, 120 + row), (body, body, body), -1)
        for u, v in PIPS[value]:
            place = (round(120 + 15 * u), round(120 - high / 2 + row + 15 * v * math.sqrt(0.5)))
            cv2.ellipse(picture, place, (6, 4), 0, 0, 360, (20, 20, 20), -1, cv2.LINE_AA)
    return picture


def test_a_side_face_is_not_taken_for_the_top_that_lies_the_other_way(networks: Networks) -> None:
    patches = [(from_aslant(4, 5), 120.0, 120.0)]
    half = 30 * math.sqrt(0.5)
    assert may_be_side(networks, patches, 60, (0, half), 0, (0, 1))
    assert not may_be_side(networks, patches, 60, (0, -half), 0, (0, 1))
    assert not may_be_side(networks, patches, 60, (0, half), 0, (1, 0))
    assert may_be_side(networks, patches, 60, (0, -half), 0, (0, -1))


def test_a_face_above_nearer_than_a_flat_die_can_lie_makes_the_lower_one_a_side(networks: Networks) -> None:
    patches = [(from_aslant(4, 5), 120.0, 120.0)]
    half = 30 * math.sqrt(0.5)
    assert has_face_above(networks, patches, 60, (0, half), (0, 1))
    assert not has_face_above(networks, patches, 60, (0, -half), (0, 1))
    assert has_face_above(networks, patches, 60, (0, -half), (0, -1))


def test_a_flat_die_that_touches_another_above_is_no_side(networks: Networks) -> None:
    picture = np.full((240, 240, 3), 60, np.uint8)
    for value, row in ((4, 60), (5, 121)):
        cv2.rectangle(picture, (90, row), (149, row + 59), (230, 230, 230), -1)
        for u, v in PIPS[value]:
            cv2.circle(picture, (round(119.5 + 15 * u), round(row + 29.5 + 15 * v)), 6, (20, 20, 20), -1, cv2.LINE_AA)
    assert not has_face_above(networks, [(picture, 119.5, 150.5)], 60, (0, 0), (0, 1))
