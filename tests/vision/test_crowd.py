"""How many dice were in view at once, and since when."""

import math

from vision.crowd import Crowd


def test_so_many_dice_were_in_view_since_at_least_so_many_were() -> None:
    crowd = Crowd()
    for t, count in ((1.0, 1), (1.1, 3), (1.2, 2), (1.3, 3)):
        crowd.note(t, count)
    assert [crowd.since(count) for count in (1, 2, 3, 4)] == [1.0, 1.1, 1.1, math.inf]
