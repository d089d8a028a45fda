"""Things that are no dice: they are drawn, the same by the same seed, and said to lie where they lie."""

import numpy as np
import pytest

from models.training.decoys import draw_decoys

HEIGHT, WIDTH = 360, 640


def drawn(seed: int) -> tuple[np.ndarray, list[tuple[float, float]]]:
    picture = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)
    return picture, draw_decoys(np.random.default_rng(seed), picture, 40.0)


@pytest.mark.parametrize("seed", range(8))
def test_decoys_lie_in_the_picture_and_are_seen_there(seed: int) -> None:
    picture, places = drawn(seed)
    assert (picture != 120).any()
    for x, y in places:
        assert 0 < x < WIDTH
        assert 0 < y < HEIGHT
        around = picture[max(0, int(y) - 30) : int(y) + 30, max(0, int(x) - 30) : int(x) + 30]
        assert (around != 120).any()


def test_the_same_seed_draws_the_same_decoys() -> None:
    assert np.array_equal(drawn(3)[0], drawn(3)[0])
    assert drawn(3)[1] == drawn(3)[1]
