"""Looks at spots: what one turn rules out is not read in all of them."""

import numpy as np

from tests.vision.drawn_photo import PLACES, photograph
from tests.vision.drawn_tray import DIE_PX
from vision.channel import grey
from vision.look import Spot, look, look_where_likely
from vision.network import load_networks

LEAST = 0.4


def test_what_is_left_out_would_score_less_and_all_else_is_as_it_would_be() -> None:
    networks, picture = load_networks(), grey(photograph([1, 2, 3, 4, 5]))
    aside = [(x + share * DIE_PX, y) for x, y in PLACES for share in (0.0, 0.25, 0.5, 1.5)]
    spots = [Spot(picture, x, y, DIE_PX) for x, y in aside]
    some = look_where_likely(networks, spots, LEAST)
    assert {seen is None for seen in some} == {True, False}
    for every, seen in zip(look(networks, spots), some, strict=True):
        if seen is None:
            assert every.scores.max() < LEAST
        else:
            assert np.array_equal(every.scores, seen.scores)
            assert every.blank == seen.blank


def test_no_spots_have_no_looks() -> None:
    assert look_where_likely(load_networks(), [], LEAST) == []
