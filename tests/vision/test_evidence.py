"""What a picture shows beside a flat die's outline: where its middle lies, what is beyond it and between two dice."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.evidence import all_evidence
from vision.geometry import TrayGeometry
from vision.lens import Lens
from vision.read import Reading

FELT, RED = (50, 110, 40), (40, 40, 220)
FACE = 30
LENS = Lens((1170.0, 1170.0), (320.0, 240.0), (0.0, 0.0, 0.0), (0.0, 0.0, 640.0))
UNMEASURED = TrayGeometry(((80, 60), (560, 60), (560, 420), (80, 420)), FACE, (640, 480))
GEOMETRY = replace(UNMEASURED, lens=LENS)


def reading_at(x: int, y: int) -> Reading:
    return Reading(2, 0.99, 2, "flat", 0.0, (x - FACE / 2, y - FACE / 2, float(FACE), float(FACE)), 0.9, 0.0)


def picture_of(*boxes: tuple[int, int, int, int]) -> np.ndarray:
    picture = np.full((480, 640, 3), FELT, np.uint8)
    for left, top, right, bottom in boxes:
        cv2.rectangle(picture, (left, top), (right - 1, bottom - 1), RED, cv2.FILLED)
    return picture


def test_a_flat_die_shows_nothing_else() -> None:
    (seen,) = all_evidence(picture_of((305, 225, 335, 255)), GEOMETRY, [reading_at(320, 240)])
    assert seen is not None
    assert np.hypot(*seen.shift) < 0.03
    assert seen.beyond == seen.plain == 0.0


def test_what_is_seen_beyond_the_outline_shifts_the_middle_and_counts() -> None:
    (seen,) = all_evidence(picture_of((305, 225, 341, 255)), GEOMETRY, [reading_at(320, 240)])
    assert seen is not None
    assert abs(seen.shift[0] - 0.1) < 0.03
    assert abs(seen.shift[1]) < 0.03
    assert 0.1 < seen.plain <= seen.beyond < 0.2


def test_what_fills_a_gap_lies_between_the_two_dice() -> None:
    readings = [reading_at(320, 240), reading_at(358, 240)]
    filled = all_evidence(picture_of((305, 225, 373, 255)), GEOMETRY, readings)
    empty = all_evidence(picture_of((305, 225, 335, 255), (343, 225, 373, 255)), GEOMETRY, readings)
    assert all(seen is not None and seen.between[1 - n] > 0.1 for n, seen in enumerate(filled))
    assert all(seen is not None and seen.between[1 - n] < 0.02 for n, seen in enumerate(empty))


def test_nothing_is_told_of_unsure_dice_nor_of_few_under_an_unmeasured_camera() -> None:
    picture, sure = picture_of((305, 225, 335, 255)), reading_at(320, 240)
    assert all_evidence(picture, GEOMETRY, [replace(sure, value=None)]) == [None]
    assert all_evidence(picture, UNMEASURED, [sure]) == [None]


@pytest.mark.parametrize(("own", "unseen"), [(28, None), (19, (0.0, 0.0))], ids=["nearly all", "hardly more than half"])
def test_no_shift_is_sure_of_a_die_whose_top_is_not_told_from_the_ground_in_the_shade(
    own: int, unseen: tuple[float, float] | None
) -> None:
    picture = picture_of((305, 225, 305 + own, 255))
    cv2.rectangle(picture, (305 + own, 225), (334, 254), (30, 66, 24), cv2.FILLED)
    (seen,) = all_evidence(picture, GEOMETRY, [reading_at(320, 240)])
    assert seen is not None
    assert seen.unseen == unseen
