"""Another tray in the picture is found, of another colour too; other things beside the tray are none."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.other_tray import other_tray
from tests.calibration.drawn import empty, outline

Image = npt.NDArray[np.uint8]
BESIDE = slice(60, 420), slice(645, 965)


@pytest.fixture(scope="module")
def bare() -> Image:
    """The tray at the left of a wide table."""
    return np.asarray(cv2.copyMakeBorder(empty(), 0, 0, 0, 330, cv2.BORDER_REPLICATE), np.uint8)


def floor_of(picture: Image) -> npt.NDArray[np.bool_]:
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(outline()).astype(np.int32)], 1)
    return inside > 0


def test_a_tray_alone_is_the_only_one(bare: Image) -> None:
    assert other_tray(bare, floor_of(bare)) is None
    assert other_tray(bare, np.zeros(bare.shape[:2], bool)) is None


@pytest.mark.parametrize("colours", [(0, 1, 2), (2, 1, 0)])
def test_a_tray_of_this_and_of_another_colour_is_found_where_it_stands(
    bare: Image, colours: tuple[int, int, int]
) -> None:
    half = cv2.resize(empty(), None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)[:, 85:405]
    two = bare.copy()
    two[BESIDE] = half[..., list(colours)]
    found = other_tray(two, floor_of(two))
    assert found is not None
    assert 645 < found[:, 0].min() < found[:, 0].max() < 965
    assert 60 < found[:, 1].min() < found[:, 1].max() < 420


def test_a_tray_is_found_on_a_table_of_its_floors_colour(bare: Image) -> None:
    two = bare.copy()
    two[BESIDE] = cv2.resize(empty(), None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)[:, 85:405]
    table, floor = (70, 96, 130), (60, 120, 50)
    two[np.linalg.norm(two - np.array(table, np.float64), axis=2) < 30] = floor
    two[:, 600:] = cv2.GaussianBlur(two[:, 600:], (0, 0), 6.0)  # a rim whose edges alone do not tell it
    two = np.asarray(cv2.copyMakeBorder(two, 0, 60, 0, 60, cv2.BORDER_CONSTANT, value=floor), np.uint8)
    found = other_tray(two, floor_of(two))
    assert found is not None and 645 < found[:, 0].min() < found[:, 0].max() < 965


def test_a_sheet_of_paper_is_no_tray(bare: Image) -> None:
    sheet = bare.copy()
    cv2.rectangle(sheet, (670, 100), (850, 340), (235, 235, 230), -1)
    assert other_tray(sheet, floor_of(sheet)) is None
