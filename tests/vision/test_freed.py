"""When dice were let go, and since when they may lie where they were."""

import numpy as np
import pytest

from tests.vision.drawn_tray import DIE_PX, lying
from tests.vision.seen_film import perceived
from tests.vision.thrown_track import track
from vision.freed import bare_since, is_let_go, last_vacant, let_go_at
from vision.perceive import ANEW_S
from vision.rest import Past

PLACE, CAME_S = (300.0, 240.0), 0.5


@pytest.mark.parametrize(("fps", "frame"), [(30, 9), (60, 8), (10, 10)])
def test_a_die_was_let_go_a_moment_before_it_is_seen_clear(fps: int, frame: int) -> None:
    looks = [Past(index / fps, np.zeros((4, 4), np.uint8), frame=index) for index in range(11)]
    assert let_go_at(looks) == (frame / fps, frame)


@pytest.mark.parametrize(
    ("free", "rolled", "so"), [(None, 2.0, False), (1.0, 1.0, True), (1.9, 1.0, False), (1.9, 1.6, True)]
)
def test_a_die_is_let_go_that_was_clear_for_long_or_rolled_far(free: float | None, rolled: float, so: bool) -> None:
    seen = track(free=free)
    seen.travel = rolled
    assert is_let_go(seen, 2.0) is so


@pytest.mark.parametrize(("aside", "so"), [(0.5, True), (1.2, False), (0.1, False)], ids=["beside", "apart", "itself"])
def test_its_place_was_vacant_when_it_was_bare_or_another_lay_too_near_for_both(aside: float, so: bool) -> None:
    *_, (perception, _) = perceived([lying(*PLACE, 4, since=CAME_S)])
    seen, other = track(*PLACE), track(*PLACE)
    seen.freed, other.last_still = PLACE, (0.8, PLACE[0] + aside * DIE_PX, PLACE[1])
    bare = last_vacant(seen, [seen], perception)
    assert CAME_S - ANEW_S - 0.05 < bare < CAME_S
    assert last_vacant(seen, [seen, other], perception) == (0.8 if so else bare)


def test_only_what_has_not_moved_since_lies_where_it_was_let_go() -> None:
    there, gone = track(*PLACE), track(*PLACE)
    there.freed, gone.freed, gone.number = PLACE, (PLACE[0] + DIE_PX, PLACE[1]), 2
    there.vacant = gone.vacant = 0.7
    assert bare_since([there, gone], DIE_PX) == {1: 0.7}
