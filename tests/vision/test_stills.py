"""Reading whole photographs: drawn ones, odd ones, and real ones that training may have seen but must not get wrong."""

import csv
from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from tests.shared_data import SHARED, needs_shared
from tests.vision.drawn_photo import PLACES, photograph
from tests.vision.drawn_tray import DIE_PX
from vision.errors import PictureError
from vision.network import Networks
from vision.read import Reading
from vision.stills import PhotoDie, PhotoReading, read_photo

Dice = list[tuple[float, float, float, int]]

NEAR_TOP = {"nellbyler": 0.67, "rune55v": 0.69, "fudw": 0.77}
"""Sources seen from nearly above, with the face's edge as a share of their boxes' (loose boxes, each in its way)."""
PICTURES = 3
"""Photographs of a source that are read here; `make eval-real` reads them all."""


def values_of(reading: PhotoReading) -> list[int | None]:
    return [die.reading.value for die in reading.dice]


@pytest.mark.parametrize("die_px", [30.0, None])
def test_a_drawn_photograph_is_never_wrong(networks: Networks, die_px: float | None) -> None:
    reading = read_photo(networks, photograph([1, 2, 4, 5, 6]), die_px)
    assert not Counter(reading.values) - Counter([1, 2, 4, 5, 6])
    assert len(reading.values) >= 3
    assert reading.sure == (len(reading.values) == len(reading.dice))
    tops = [die.reading.centre[1] for die in reading.dice]
    assert tops == sorted(tops)


@pytest.mark.parametrize(
    ("values", "die_px", "read"),
    [
        ([1, 1, 1], None, [None, None, None]),  # they may be the pips of a larger die, or any dots
        ([1, 1, 1], 30.0, [1, 1, 1]),
        ([1, 1, 4, 5], None, [1, 1, 4, 5]),
        ([1], None, [1]),
    ],
)
def test_several_ones_at_a_searched_size_need_another_value(
    networks: Networks, values: list[int], die_px: float | None, read: list[int | None]
) -> None:
    found = values_of(read_photo(networks, photograph(values), die_px))
    assert sorted(found, key=lambda value: value or 0) == read


@pytest.mark.parametrize(("values", "read"), [([1, 4], [4, None]), ([1, 4, 5], [1, 4, 5])])
def test_a_one_need_not_be_clear_where_several_other_values_prove_the_size(
    networks: Networks, values: list[int], read: list[int | None]
) -> None:
    never_clear = replace(networks, thresholds=replace(networks.thresholds, clear=1.0))
    assert sorted(values_of(read_photo(never_clear, photograph(values))), key=str) == read


def test_ones_near_each_other_at_a_searched_size_may_be_pips(
    networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.stills.PIPS_APART", 100.0)
    assert sorted(values_of(read_photo(networks, photograph([1, 1, 4, 5]))), key=str) == [4, 5, None, None]


def test_a_one_that_is_hardly_taken_for_a_die_is_not_sure(networks: Networks, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = photograph([1, 4])
    assert sorted(values_of(read_photo(networks, picture, 30.0)), key=str) == [1, 4]
    monkeypatch.setattr("vision.stills.FAINT", 1.0)
    assert sorted(values_of(read_photo(networks, picture, 30.0)), key=str) == [4, None]


@pytest.mark.parametrize(("values", "read"), [([5], [None]), ([2, 5], [2, 5])])
def test_a_lone_die_at_a_searched_size_must_show_it_well(
    networks: Networks, monkeypatch: pytest.MonkeyPatch, values: list[int], read: list[int | None]
) -> None:
    assert sorted(values_of(read_photo(networks, photograph(values))), key=str) == values
    monkeypatch.setattr("vision.stills.FEW", 1 / networks.thresholds.sure)  # no score is so high
    assert sorted(values_of(read_photo(networks, photograph(values))), key=str) == read


def test_a_photograph_without_dice_is_not_sure(networks: Networks) -> None:
    assert not read_photo(networks, photograph([]), 30).sure
    blank = read_photo(networks, np.full((300, 400, 3), 120, np.uint8))
    assert blank == PhotoReading((), (), False, None)


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 1), (2, 500, 3), (30, 30, 3)])
@pytest.mark.parametrize("die_px", [30.0, None])
def test_tiny_pictures_show_no_dice(networks: Networks, shape: tuple[int, ...], die_px: float | None) -> None:
    reading = read_photo(networks, np.zeros(shape, np.uint8), die_px)
    assert (reading.dice, reading.values, reading.sure) == ((), (), False)


@pytest.mark.parametrize(
    "picture",
    [np.zeros((40, 40, 4), np.uint8), np.zeros((40, 40, 3), np.float32), np.zeros((0, 40, 3), np.uint8), np.zeros(9)],
)
def test_other_arrays_are_no_pictures(networks: Networks, picture: npt.NDArray[np.uint8]) -> None:
    with pytest.raises(PictureError):
        read_photo(networks, picture, 30)


def test_grey_and_colour_agree_on_a_grey_photograph(networks: Networks) -> None:
    grey = np.asarray(cv2.cvtColor(photograph([3, 3, 5]), cv2.COLOR_BGR2GRAY), np.uint8)
    colour = np.repeat(grey[..., None], 3, axis=2)
    assert not Counter(read_photo(networks, grey, 30).values) - Counter([3, 3, 5])
    assert len(read_photo(networks, colour, 30).dice) == len(read_photo(networks, grey, 30).dice)


def test_pips_are_no_ones_at_a_size_that_was_searched_for(networks: Networks) -> None:
    image = photograph([6, 5], 150)[200:900, 300:1700]
    assert 1 not in read_photo(networks, np.ascontiguousarray(image)).values


@pytest.mark.parametrize(("apart", "read"), [(1.1, [5, 6]), (0.9, [None, None])])
def test_of_a_die_and_its_side_face_neither_is_sure(networks: Networks, apart: float, read: list[int | None]) -> None:
    image = photograph([5], 60)
    x, y = (round(place * 60 / DIE_PX) for place in PLACES[0])
    side = photograph([6], 60)[y - 30 : y + 45, x - 45 : x + 45]
    top = y + round(apart * 60) - 30
    image[top : top + 75, x - 45 : x + 45] = side
    assert values_of(read_photo(networks, image, 60)) == read


@needs_shared
def test_a_lone_die_at_a_size_found_too_small_is_not_read_wrong(networks: Networks) -> None:
    image = cv2.imread(str(SHARED / "real" / "images" / "damiantab_0032.jpg"))
    assert image is not None
    assert read_photo(networks, np.asarray(image, np.uint8)).values in ((), (6,))


def test_dice_can_be_made_by_hand() -> None:
    reading = Reading(3, 0.9, 3, "flat", 0.0, (0.0, 0.0, 10.0, 10.0), 0.8, 0.0)
    assert PhotoDie(reading, 0.5).reading.centre == (5.0, 5.0)


@cache
def labels(source: str) -> dict[str, Dice]:
    """Centre, longer side of the box and value of every die, by photograph; dice of doubtful labels left out."""
    found = defaultdict(list)
    with (SHARED / "real" / "annotations.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            if row["source"] == source and row["x"] and not row["note"]:
                x, y, width, height = (float(row[k]) for k in ("x", "y", "w", "h"))
                found[row["file"]].append((x + width / 2, y + height / 2, max(width, height), int(row["value"])))
    return found


@needs_shared
@pytest.mark.parametrize("source", sorted(NEAR_TOP))
def test_real_dice_seen_from_above_are_not_read_wrong(networks: Networks, source: str) -> None:
    photographs = labels(source)
    step = max(1, len(photographs) // PICTURES)
    right = wrong = dice = 0
    for name in sorted(photographs)[::step][:PICTURES]:
        labelled = photographs[name]
        die_px = float(np.median([side for _, _, side, _ in labelled])) * NEAR_TOP[source]
        image = cv2.imread(str(SHARED / "real" / "images" / name))
        assert image is not None
        seen = read_photo(networks, np.asarray(image, np.uint8), die_px).dice
        for x, y, side, value in labelled:
            near = [d for d in seen if np.hypot(d.reading.centre[0] - x, d.reading.centre[1] - y) < 0.4 * side]
            dice += 1
            right += any(d.reading.value == value for d in near)
            wrong += any(d.reading.value not in (None, value) for d in near)
    assert wrong == 0
    assert right >= 0.5 * dice
