"""Pushes: told by edges across them, and by nothing else."""

import numpy as np
import numpy.typing as npt
import pytest

from vision.anchors import Anchors, Compared
from vision.push import Push, explains
from vision.reference import FACE_PX, Reference, Surroundings

Image = npt.NDArray[np.uint8]

WALL_FACES = 3


def wall(shift: float, seed: int, corner: bool = False) -> Image:
    """A bright wall at the left, and another above where there is a `corner`, both shifted by so many px; noise."""
    rows, columns = np.mgrid[:200, :260].astype(np.float64)
    edge = WALL_FACES * FACE_PX + shift
    bright = np.clip(edge - columns, 0, 1)
    if corner:
        bright = np.maximum(bright, np.clip(edge - rows, 0, 1))
    noise = np.random.default_rng(seed).normal(0, 2, bright.shape)
    return np.asarray(np.clip(70 + 110 * bright + noise, 0, 255), np.uint8)


def away(corner: bool) -> npt.NDArray[np.float32]:
    """Faces outside the floor of every px."""
    rows, columns = np.mgrid[:200, :260].astype(np.float32)
    inside = np.minimum(columns, rows) if corner else columns
    return np.asarray(WALL_FACES - inside / FACE_PX, np.float32)


@pytest.mark.parametrize(("corner", "directions"), [(False, 1), (True, 2)])
def test_straight_wall_tells_no_shift_along_itself(corner: bool, directions: int) -> None:
    anchors = Anchors(wall(0, 1, corner), np.abs(away(corner)) < 1, least=6.0)
    assert anchors.told(np.arange(len(anchors.centres))).shape == (2, directions)


@pytest.mark.parametrize("corner", [False, True])
@pytest.mark.parametrize(("shift", "cause"), [(0.0, None), (1.0, None), (6.0, "camera_moved")])
def test_only_a_wall_that_moved_was_pushed(shift: float, corner: bool, cause: str | None) -> None:
    reference, push = Reference(wall(0, 1, corner), away(corner), proved=True), Push()
    found = []
    for index in range(3):
        picture = wall(shift, 2 + index, corner)
        found.append(push.find(0.25 * index, reference, picture, reference.tray.compare(picture), None))
    assert found == [cause] * 3 or (push.measured and found[:2] == [cause] * 2)
    assert push.measured == (cause is not None and corner)


def test_a_tray_that_is_back_is_known_at_once_though_it_sways_a_little_aside_yet() -> None:
    reference, push = Reference(wall(0, 1, True), away(True), proved=True), Push()
    found = []
    for t, shift in ((0.25, 6.0), (0.5, 9.0), (0.55, 0.7)):
        picture = wall(shift, round(100 * t), True)
        found.append(push.find(t, reference, picture, reference.tray.compare(picture), None))
    assert found == ["camera_moved", "camera_moved", None]


def test_a_tray_is_looked_for_again_as_soon_as_no_body_is_over_it() -> None:
    reference, push = Reference(wall(0, 1, True), away(True), proved=True), Push()
    hides = np.where(np.arange(260) < 150, 120, wall(0, 7, True)).astype(np.uint8)
    found = []
    for t, picture, body in ((0.0, hides, True), (0.5, hides, True), (0.9, wall(6.0, 8, True), False)):
        around = Surroundings(np.zeros(picture.shape, np.uint8), body, body)
        found.append(push.find(t, reference, picture, reference.tray.compare(picture), around))
    assert found == [None, None, "camera_moved"]


@pytest.mark.parametrize(("left", "found"), [(2, True), (3, False)])
def test_a_shift_that_leaves_patches_behind_is_no_push(left: int, found: bool) -> None:
    """Of 40 patches 16 lay right; with the shift taken out 24 more do, but so many of the first lie wrong."""
    before, after = np.full(40, 0.3, np.float32), np.full(40, 0.99, np.float32)
    before[:16], after[:left] = 0.99, 0.7
    seen, straight = (Compared(likeness, (0.0, 0.0), None, None) for likeness in (before, after))
    assert explains(np.array([[1.0, 0.0, -14.0], [0.0, 1.0, 0.0]]), seen, straight) is found


@pytest.mark.parametrize(("right", "after", "found"), [(32, 0.97, False), (32, 0.985, True), (16, 0.97, True)])
def test_a_shift_by_which_most_of_a_tray_lies_worse_than_it_lay_is_no_push(
    right: int, after: float, found: bool
) -> None:
    """Of 40 patches so many lay right; with the shift taken out all do, but the first no better than `after`."""
    before, then = np.full(40, 0.3, np.float32), np.full(40, 0.99, np.float32)
    before[:right], then[:right] = 0.99, after
    seen, straight = (Compared(likeness, (0.0, 0.0), None, None) for likeness in (before, then))
    assert explains(np.array([[1.0, 0.0, -14.0], [0.0, 1.0, 0.0]]), seen, straight) is found


@pytest.mark.parametrize(("stretch", "found"), [(1.0, True), (1.01, True), (1.06, False)])
def test_what_is_stretched_is_no_push(stretch: float, found: bool) -> None:
    before, after = np.full(40, 0.3, np.float32), np.full(40, 0.99, np.float32)
    seen, straight = (Compared(likeness, (0.0, 0.0), None, None) for likeness in (before, after))
    assert explains(np.array([[1.0, 0.0, -14.0], [0.0, stretch, 0.0]]), seen, straight) is found
