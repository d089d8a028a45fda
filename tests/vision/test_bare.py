"""A place is bare where nothing lies or moves, be it ever so like the floor, and is so until something does."""

import numpy as np

from vision.bare import Bare
from vision.empty import Difference
from vision.hand import Disc

SHAPE = (120, 160)
DIFFERS, TINTED, BODY, DIE, BARE = (30.0, 30.0), (70.0, 30.0), (110.0, 30.0), (30.0, 80.0), (70.0, 80.0)


def test_places_are_bare_but_for_what_differs_dice_and_bodies() -> None:
    mask, tint, body = (np.zeros(SHAPE, np.uint8) for _ in range(3))
    for shown, (x, y) in ((mask, DIFFERS), (tint, TINTED), (body, BODY)):
        shown[round(y) - 9 : round(y) + 9, round(x) - 9 : round(x) + 9] = 1
    bare, levelled = Bare(SHAPE, 18), np.zeros(SHAPE, np.float32)
    assert bare.last(*BARE) == -np.inf
    bare.note(1.0, Difference(mask * 0, levelled, 1.0), body < 0, [])
    bare.note(2.0, Difference(mask, levelled, 1.0, tint=tint), body > 0, [Disc(*DIE, 18)])
    assert [bare.last(*place) for place in (DIFFERS, TINTED, BODY, DIE, BARE)] == [1.0, 1.0, 1.0, 1.0, 2.0]
    bare.note(3.0, Difference(mask, levelled, 1.0), body > 0, [])
    assert bare.last(*TINTED) == 3.0


def test_a_place_is_bare_since_it_last_was_not() -> None:
    mask, levelled, none = np.zeros(SHAPE, np.uint8), np.zeros(SHAPE, np.float32), np.zeros(SHAPE, bool)
    bare = Bare(SHAPE, 18)
    assert bare.since(*BARE) == np.inf
    for t, dice in ((1.0, []), (2.0, [Disc(*DIE, 18)]), (3.0, []), (4.0, [])):
        bare.note(t, Difference(mask, levelled, 1.0), none, dice)
        assert bare.since(*BARE) == 1.0
        assert bare.since(*DIE) == {1.0: 1.0, 2.0: np.inf}.get(t, 3.0)
