"""A picture that is the last one again is told from one that looks like it."""

import numpy as np
import pytest

from vision.repeated import Image, Repeats


def picture(x: int, level: int = 220) -> Image:
    """A bright die on a grey floor, its left edge at x."""
    image = np.full((60, 80), 90, np.uint8)
    image[20:38, x : x + 18] = level
    return image


@pytest.mark.parametrize(
    ("first", "then", "again", "so"),
    [
        (picture(10), picture(14), picture(14), True),
        (picture(10), picture(14), picture(15), False),
        (picture(10), picture(14), picture(14, 219), False),
        (picture(10, 220), picture(10, 219), picture(10, 219), False),
        (None, picture(10), picture(10), False),
    ],
    ids=["again", "it moves on", "it came to rest", "nothing moved", "nobody knows whether something moved"],
)
def test_a_picture_in_which_something_moved_is_sent_again(
    first: Image | None, then: Image, again: Image, so: bool
) -> None:
    repeats = Repeats()
    for each in (first, then):
        if each is not None:
            assert not repeats.step(each, each)
    assert repeats.step(again, again) is so


def test_it_may_be_sent_for_long() -> None:
    repeats = Repeats()
    assert [repeats.step(each, each) for each in (picture(10), *[picture(14)] * 3)] == [False, False, True, True]


def test_pictures_that_are_alike_only_when_shrunk_are_two() -> None:
    repeats, whole = Repeats(), picture(14)
    repeats.step(picture(10), picture(10))
    repeats.step(whole, picture(14))
    noisy = whole.copy()
    noisy[0, 0] += 1
    assert not repeats.step(noisy, picture(14))
