"""What was read of things: kept while it holds, and no longer."""

import numpy as np
import pytest

from tests.vision.drawn_photo import PLACES, photograph
from tests.vision.drawn_tray import DIE_PX
from vision.known_readings import KEPT, KnownReadings
from vision.read import Reading
from vision.rest import Past, past
from vision.track import Sighting

X, Y = PLACES[0]
BOX = (X - DIE_PX / 2, Y - DIE_PX / 2, DIE_PX, DIE_PX)


def at(x: float = X, y: float = Y) -> Sighting:
    return Sighting(x, y, DIE_PX, 0.7, still=True, near_body=False)


def seen(values: list[int], light: float = 1.0) -> Past:
    grey = photograph(values)[..., 1].astype(np.float32) * np.float32(light)
    return past(0.0, grey.astype(np.uint8), DIE_PX)


def read(value: int | None, score: float) -> Reading:
    return Reading(value, 0.9, 4, "flat" if value else "unknown", 0.0, BOX, score, 0.0)


def test_a_sure_reading_is_kept_until_something_moves_however_often_it_was_read() -> None:
    known, sure, picture = KnownReadings(), read(4, 0.9), seen([4])
    for _ in range(5):
        known.forget()
        assert known.of(1, at(), picture) is None
        known.keep(1, at(), picture, DIE_PX, sure)
        assert known.of(1, at(), picture) is sure


@pytest.mark.parametrize(("score", "times"), [(0.3, 3), (0.05, 1)], ids=["nearly sure", "far from sure"])
def test_an_unsure_one_stands_once_it_was_read_often_enough_though_something_moved(score: float, times: int) -> None:
    known, unsure, picture = KnownReadings(), read(None, score), seen([4])
    for _ in range(times):
        assert known.of(1, at(), picture) is None
        known.keep(1, at(), picture, DIE_PX, unsure)
    known.forget()
    assert known.of(1, at(), picture) is unsure
    assert known.of(2, at(), picture) is None


@pytest.mark.parametrize(
    ("thing", "picture"),
    [(at(), seen([5])), (at(), seen([4], 0.7)), (at(X + 0.4 * DIE_PX), seen([4]))],
    ids=["looks otherwise", "another light", "lies elsewhere"],
)
def test_it_stands_no_longer_where_the_thing_differs(thing: Sighting, picture: Past) -> None:
    known = KnownReadings()
    known.keep(1, at(), seen([4]), DIE_PX, read(None, 0.05))
    known.forget()
    assert known.of(1, thing, picture) is None


def test_of_many_unsure_things_the_last_are_remembered() -> None:
    known, picture = KnownReadings(), seen([4])
    for number in range(KEPT + 1):
        known.keep(number, at(), picture, DIE_PX, read(None, 0.05))
    known.forget()
    assert known.of(0, at(), picture) is None
    assert known.of(KEPT, at(), picture) is not None
