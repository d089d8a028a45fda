"""Dice that touch others and were missed, or are not sure, are looked for beside them."""

import math

import numpy as np
import pytest

from calibration.beside import close_together
from tests.calibration.drawn import empty
from tests.vision.drawn_tray import DIE_PX, Image, Pose, draw_die
from vision.network import Networks

WAY = math.radians(20)
VALUES = (2, 1, 5, 6, 4)
PLACES = [(260.0 + k * DIE_PX * math.cos(WAY), 220.0 + k * DIE_PX * math.sin(WAY)) for k in range(5)]


@pytest.fixture(scope="module")
def row() -> Image:
    return drawn(dict(enumerate(VALUES)))


def drawn(dice: dict[int, int]) -> Image:
    """The tray with dice of these values at some of the places."""
    picture = empty()
    for k, value in dice.items():
        draw_die(picture, Pose(*PLACES[k], 20.0, value))
    return picture


def seen(networks: Networks, picture: Image, *known: int) -> list[list[float]]:
    """The middles of the dice found from those known, by their places."""
    near = [(PLACES[k][0] + 0.8, PLACES[k][1] - 0.6) for k in known]
    return sorted(pips.mean(0).tolist() for pips in close_together(networks, picture, near, DIE_PX))


@pytest.mark.parametrize("known", [(0,), (2,), (0, 4), (0, 2, 3, 4), (0, 1, 2, 3, 4)])
def test_the_rest_of_a_row_is_found_from_any_of_it(known: tuple[int, ...], networks: Networks, row: Image) -> None:
    assert np.array(seen(networks, row, *known)) == pytest.approx(np.array(PLACES), abs=0.3)


def test_beside_dice_that_lie_alone_nothing_is_seen(networks: Networks) -> None:
    assert np.array(seen(networks, drawn({2: 5, 3: 3}), 2, 3)) == pytest.approx(np.array(PLACES[2:4]), abs=0.3)


def test_what_is_no_die_is_left_out(networks: Networks) -> None:
    assert seen(networks, drawn({}), 0, 1, 2) == []


def test_beside_a_die_at_the_pictures_border_nothing_is_looked_for(networks: Networks) -> None:
    picture = empty()
    for x in (320.0, 350.0):
        draw_die(picture, Pose(x, 16.0, 0.0, 5))
    found = close_together(networks, picture, [(320.0, 16.0), (350.0, 16.0)], DIE_PX)
    assert sorted(pips.mean(0)[0] for pips in found) == pytest.approx([320.0, 350.0], abs=0.3)
