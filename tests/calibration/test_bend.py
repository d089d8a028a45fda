"""How a lens bends above a round floor: pips all over it tell, and what they do not tell is in doubt."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.bend import Bend, bend
from calibration.board import SQUARE_MM, Board
from calibration.fit import FINE_PX, K2_OF_K1, fit
from calibration.pips import Diagonals
from calibration.shape import Points, View, along
from calibration.trace import Outline

SIZE, EDGE = (960, 720), 0.15
PLACES = np.array([(0.0, 0.1), (0.6, 0.2), (-0.5, 0.5), (0.1, -0.7), (-0.7, -0.2), (0.3, 0.4)])
CORNERS = np.array([[(-1, -1), (1, 1)], [(1, -1), (-1, 1)]], np.float64)


def true(k1: float) -> View:
    return View(250.0, 3.2, k1, K2_OF_K1 * k1, (0.1, -0.05), 0.0, (480.0, 362.0))


def believed(k1: float) -> Outline:
    """What the circle alone makes of a camera whose lens bends so: a usual lens."""
    points = true(k1).lens(SIZE).project(along("round", 1.0, 180))
    start = replace(true(k1), k1=-0.03, k2=0.0)
    view, offsets = fit("round", points, SIZE, start, free_lens=False, huber_px=FINE_PX)
    return Outline("round", view, points, offsets, 1.0, 50.0, whole=True)


def shown(k1: float, pitch: float = 0.25, noise_px: float = 0.03) -> list[Diagonals]:
    """Fours, turned, at PLACES."""
    lens, rng, dice = true(k1).lens(SIZE), np.random.default_rng(3), []
    for n, place in enumerate(PLACES):
        cos, sin = np.cos(n), np.sin(n)
        ends: Points = place + pitch * EDGE * CORNERS.reshape(-1, 2) @ np.array([[cos, sin], [-sin, cos]])
        px = lens.project(ends, EDGE) + rng.normal(0, noise_px, (4, 2))
        dice.append(Diagonals(4, px.reshape(2, 2, 2)))
    return dice


def off(found: Bend, k1: float) -> float:
    """Share by which the scale in the middle of the floor is off, by the floor's width."""
    middles = (view.lens(SIZE) for view in (found.view, true(k1)))
    said, is_ = (float(lens.px_per_mm(lens.project([(0.0, 0.0)]))[0]) for lens in middles)
    return is_ / said - 1


def told(k1: float, dice: list[Diagonals]) -> Bend:
    found = bend(believed(k1), SIZE, dice, PLACES, EDGE)
    assert found is not None
    return found


@pytest.mark.parametrize("k1", [-0.24, -0.02])
def test_pips_all_over_the_floor_tell_how_the_lens_bends(k1: float) -> None:
    found = told(k1, shown(k1))
    assert abs(off(found, k1)) < min(0.006, found.by_length)
    assert found.by_length < 0.012


def test_without_pips_the_scale_is_in_doubt() -> None:
    found = told(-0.24, [])
    assert 0.01 < off(found, -0.24) < 1.2 * found.by_length
    assert found.by_length > 2 * told(-0.24, shown(-0.24)).by_length


def test_one_die_of_another_set_hardly_matters() -> None:
    dice = shown(-0.24)
    odd = [*dice[:-1], shown(-0.24, pitch=0.22)[-1]]
    assert off(told(-0.24, odd), -0.24) == pytest.approx(off(told(-0.24, dice), -0.24), abs=0.004)


def test_sixes_may_have_a_grid_of_their_own() -> None:
    dice = shown(-0.24)
    sixes = [Diagonals(6, die.px) for die in shown(-0.24, pitch=0.3)[3:]]
    assert abs(off(told(-0.24, [*dice[:3], *sixes]), -0.24)) < 0.008


def test_a_board_tells_it_without_pips() -> None:
    on_board = np.stack(np.meshgrid(np.arange(6), np.arange(4)), axis=-1).reshape(-1, 2).astype(np.float64) * SQUARE_MM
    px = true(-0.24).lens(SIZE).project(on_board / 119 - (0.6, 0.4)) + np.random.default_rng(4).normal(0, 0.1, (24, 2))
    found = bend(believed(-0.24), SIZE, [], PLACES, EDGE, Board(px, on_board))
    assert found is not None
    assert abs(off(found, -0.24)) < min(0.005, found.by_length) and found.by_length < 0.01
