"""Dice that touch others and were missed, or are not sure, are looked for beside them."""

import math

import numpy as np
import pytest

from calibration.beside import with_missed
from calibration.recording import Seen
from calibration.sides import Lying
from tests.calibration.drawn import empty
from tests.vision.drawn_tray import DIE_PX, Image, Pose, draw_die
from vision.network import Networks, load_networks

WAY = math.radians(20)
VALUES = (2, 1, 5, 6, 4)


@pytest.fixture(scope="module")
def networks() -> Networks:
    return load_networks()


@pytest.fixture(scope="module")
def picture() -> Image:
    drawn = empty()
    for k, value in enumerate(VALUES):
        draw_die(drawn, Pose(*place(k), 20.0, value))
    return drawn


def place(k: int) -> tuple[float, float]:
    """The middle of a die of the row, px."""
    return 260.0 + k * DIE_PX * math.cos(WAY), 220.0 + k * DIE_PX * math.sin(WAY)


def seen(picture: Image, k: int, value: int | None) -> Seen:
    x, y = place(k)
    return Seen(Lying(picture, x + 0.8, y - 0.6, DIE_PX, 22.0), 1.0, value)


@pytest.mark.parametrize("known", [(0,), (2,), (4, 3), (0, 2, 3, 4)])
def test_the_rest_of_a_row_is_found_from_any_of_it(known: tuple[int, ...], networks: Networks, picture: Image) -> None:
    found = with_missed(networks, [seen(picture, k, VALUES[k]) for k in known])
    at = np.array(sorted((die.x, die.y) for die in found))
    assert at == pytest.approx(np.array([place(k) for k in range(5)]), abs=0.3)
    angles = [die.angle for die in sorted(found, key=lambda die: die.x)]
    assert math.isnan(angles[1])
    assert np.delete(angles, 1) == pytest.approx(np.full(4, 20.0), abs=1.0)


def test_beside_a_die_that_lies_alone_nothing_is_seen(networks: Networks) -> None:
    bare = empty()
    draw_die(bare, Pose(*place(2), 20.0, 5))
    (found,) = with_missed(networks, [seen(bare, 2, 5)])
    assert (found.x, found.y) == pytest.approx(place(2), abs=0.3)


def test_dice_that_were_not_read_are_none_to_look_beside(networks: Networks, picture: Image) -> None:
    assert with_missed(networks, [seen(picture, k, None) for k in range(5)]) == []


def test_where_a_die_is_not_plain_it_lies_as_it_was_read(networks: Networks) -> None:
    (found,) = with_missed(networks, [seen(np.full_like(empty(), 128), 2, 5)])
    assert (found.x, found.y) == pytest.approx((place(2)[0] + 0.8, place(2)[1] - 0.6)) and math.isnan(found.angle)
