"""The size of dice by how they are seen, and the camera's pose by it."""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.cube import see
from calibration.dice import measure_dice
from calibration.fit import fit
from calibration.shape import Kind, View, border, packed
from calibration.sides import Lying
from calibration.trace import Outline

SIZE = (640, 480)
VIEW = View(200.0, 5.0, -0.05, 0.011, (0.15, -0.1), 0.1, (325.0, 236.0))
LENS = VIEW.lens(SIZE)
POSES = [(-0.5, -0.3, 0.2), (0.4, 0.5, 1.0), (0.6, -0.4, 0.7), (-0.2, 0.6, 2.1), (0.1, 0.0, 0.4)]
EDGE, ROUNDING, FINE = 0.13, 0.05, 8
FLOOR, TOP, SIDE = (60, 120, 50), (200, 210, 215), (120, 125, 130)


def drawn(pose: tuple[float, float, float], shadow: bool) -> npt.NDArray[np.uint8]:
    """A die on the floor, BGR, with its sides darker than its top, and a shadow to one side of it."""
    large = np.full((SIZE[1] * FINE, SIZE[0] * FINE, 3), FLOOR, np.uint8)
    poses = np.array([pose])
    if shadow:
        _fill(large, poses + np.array([0.03, 0.02, 0.0]), tuple(round(0.7 * tone) for tone in FLOOR))
    _fill(large, poses, SIDE)
    flat = (EDGE / 2) * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    turn = np.array([(np.cos(pose[2]), np.sin(pose[2])), (-np.sin(pose[2]), np.cos(pose[2]))])
    top = LENS.project(flat * 0.97 @ turn + pose[:2], EDGE)
    cv2.fillPoly(large, [_fine(top)], TOP, cv2.LINE_8, 4)
    small = cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.6), np.uint8)


def _fill(large: npt.NDArray[np.uint8], poses: npt.NDArray[np.float64], colour: tuple[int, ...]) -> None:
    seen = see(LENS, poses, EDGE, ROUNDING)
    corners = np.concatenate([seen.tops[0], seen.bottoms[0]]).astype(np.float32)
    hull = _fine(cv2.convexHull(corners).reshape(-1, 2))
    cv2.fillPoly(large, [hull], colour, cv2.LINE_8, 4)
    cv2.polylines(large, [hull], True, colour, round(2 * float(seen.margins[0]) * FINE), cv2.LINE_8, 4)


def _fine(points: npt.NDArray[np.floating | np.integer]) -> npt.NDArray[np.int32]:
    return np.round((points * FINE + FINE / 2) * 16).astype(np.int32)


def lying(shadow: bool = False) -> list[Lying]:
    """Dice as a reader sees them: a pixel beside where they are."""
    dice = []
    for x, y, turn in POSES:
        at, ahead = LENS.project([(x, y), (x + 0.05 * np.cos(turn), y + 0.05 * np.sin(turn))], EDGE)
        angle = float(np.degrees(np.arctan2(*(ahead - at)[::-1])))
        dice.append(Lying(drawn((x, y, turn), shadow), float(at[0]) + 1.0, float(at[1]) - 1.0, 24.0, angle))
    return dice


BARE = np.full((*SIZE[::-1], 3), FLOOR, np.uint8)


def outline(kind: Kind = "square") -> Outline:
    points = LENS.project(border(kind, 1.0, 180))
    return Outline(kind, VIEW, points, np.zeros(len(points)), 1.0, 50.0)


@pytest.mark.parametrize("shadow", [False, True])
def test_the_edge_of_dice_is_measured(shadow: bool) -> None:
    measured = measure_dice(lying(shadow), BARE, outline())
    assert measured is not None
    assert measured.edge == pytest.approx(EDGE, rel=0.02)


def test_dice_tell_from_which_side_a_round_floor_is_seen() -> None:
    found = outline("round")
    over = replace(VIEW, tilt=(-0.15, 0.1))
    mirrored = fit("round", found.points, SIZE, over)[0]
    assert mirrored.tilt[0] < 0 < VIEW.tilt[0]
    measured = measure_dice(lying(), BARE, replace(found, view=mirrored))
    assert measured is not None
    assert measured.view.tilt == pytest.approx(VIEW.tilt, abs=0.06)


@pytest.mark.parametrize("kind", ["square", "octagon", "round"])
def test_dice_do_not_move_a_camera_that_the_rim_has_told(kind: Kind) -> None:
    measured = measure_dice(lying(shadow=True), BARE, replace(outline(kind), whole=True))
    assert measured is not None
    assert packed(measured.view) == pytest.approx(packed(VIEW))
    assert measured.edge == pytest.approx(EDGE, rel=0.02)


def test_without_dice_nothing_is_measured() -> None:
    assert measure_dice([], BARE, outline()) is None
