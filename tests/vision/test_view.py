"""What is known of the dice of a frame."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn_tray import DIE_PX
from tests.vision.thrown_track import track
from vision.read import Reading
from vision.resting import Resting
from vision.view import seen_dice

READING = Reading(4, 0.99, 4, "flat", 20.0, (0.0, 0.0, DIE_PX, DIE_PX), 0.9, 0.0)
LAY = Resting(300.0, 240.0, DIE_PX, "flat", READING, np.zeros((32, 32), np.float32), 7)


@pytest.mark.parametrize(("still", "value"), [(True, 4), (False, None)])
def test_a_die_shows_what_it_was_read_to_show_while_it_lies(still: bool, value: int | None) -> None:
    seen = track(still=still)
    seen.die = 7
    (die,) = seen_dice([seen], [LAY], settled=True)
    assert (die.track, die.id, die.reading and die.reading.value) == (1, 7, value)


@pytest.mark.parametrize(
    ("lay", "settled", "tracks"),
    [(LAY, True, [-7]), (LAY, False, []), (replace(LAY, covered=True), True, [])],
    ids=["settled", "not settled", "below another"],
)
def test_a_die_that_lies_unlocated_beside_another_is_seen_once_all_is_settled(
    lay: Resting, settled: bool, tracks: list[int]
) -> None:
    assert [die.track for die in seen_dice([], [lay], settled)] == tracks
