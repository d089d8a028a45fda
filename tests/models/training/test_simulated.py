"""The simulated test set: the same number gives the same picture, and what it shows is what its label says."""

import numpy as np
import pytest

from models.training.simulated import SETS


@pytest.mark.parametrize("name", SETS)
def test_the_same_number_gives_the_same_picture(name: str) -> None:
    first, second = SETS[name](1), SETS[name](1)
    assert np.array_equal(first[1], second[1])
    assert first[0] == second[0]


def test_dice_that_must_not_be_read_say_why_and_the_others_have_one_size() -> None:
    for number in range(3):
        photo, picture = SETS["traced"](number)
        assert picture.shape == (720, 960, 3)
        for die in photo.dice:
            assert (die.value == 0) == bool(die.kind)
            readable = [d.face_px for d in photo.dice if d.value and not d.doubtful]
            assert not readable or max(readable) < 1.35 * min(readable)
