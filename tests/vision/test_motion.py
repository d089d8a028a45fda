"""What moves on the floor is told from dice, hands and what moves elsewhere."""

import numpy as np
import pytest

from vision.hand import Disc
from vision.motion import IDLE_FACES, Image, motion

SHAPE = (160, 200)


def shown(*things: tuple[int, int, int]) -> Image:
    """Bright squares on a floor: left, top and edge, px."""
    image = np.full(SHAPE, 90, np.uint8)
    for x, y, edge in things:
        image[y : y + edge, x : x + edge] = 200
    return image


def floor() -> Image:
    image = np.zeros(SHAPE, np.uint8)
    image[20:140, 20:180] = 1
    return image


@pytest.mark.parametrize(
    ("now", "then", "body", "dice", "moves"),
    [
        ((100, 60, 18), (96, 60, 18), None, [], True),
        ((100, 60, 18), (100, 60, 18), None, [], False),
        ((100, 60, 18), (96, 60, 18), None, [Disc(109, 69, 18)], False),
        ((100, 60, 18), (96, 60, 18), None, [Disc(40, 69, 18)], True),
        ((100, 60, 18), (96, 60, 18), (slice(50, 90), slice(80, 130)), [], False),
        ((0, 60, 18), (1, 60, 18), None, [], False),
        ((100, 60, 2), (101, 60, 2), None, [], False),
    ],
    ids=["it moved", "it lies", "a die", "beside a die", "a hand was there", "beyond the floor", "a speck"],
)
def test_motion(
    now: tuple[int, int, int],
    then: tuple[int, int, int],
    body: tuple[slice, slice] | None,
    dice: list[Disc],
    moves: bool,
) -> None:
    mask = np.zeros(SHAPE, bool)
    if body is not None:
        mask[body] = True
    assert (motion(shown(now), shown(then), floor(), [mask], dice) >= IDLE_FACES) is moves


def test_of_several_pieces_the_largest_counts() -> None:
    one, two = (100, 60, 18), (40, 60, 18)
    alone = motion(shown(one), shown(), floor(), [], [])
    assert motion(shown(one, two), shown(), floor(), [], []) == pytest.approx(alone)
    assert IDLE_FACES < alone < 1
