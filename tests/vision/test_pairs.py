"""Dice side by side, of which one may lean on the other."""

from tests.vision.drawn_dice import FREE, GEOMETRY, reading_at
from vision.pairs import neighbours, side_by_side

BESIDE = (FREE[0] + 38, FREE[1])
READINGS = [reading_at(FREE), reading_at(BESIDE)]


def test_dice_are_side_by_side_that_have_no_room_for_another_between_them() -> None:
    readings = [*READINGS, reading_at((FREE[0] + 38, FREE[1] + 45)), reading_at((100, 400))]
    pairs = side_by_side(GEOMETRY, readings)
    assert pairs == [(0, 1), (1, 2)]
    assert [neighbours(pairs, index) for index in range(4)] == [{1}, {0, 2}, {1}, set()]
