"""Times from stamps: gaps stay, and whatever the stamps do, time rises."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.stamps import CameraClock, timed

STEP = 0.04


def times(stamps: list[float]) -> list[float]:
    return [t for t, _ in timed(((stamp, None) for stamp in stamps), STEP)]


@pytest.mark.parametrize(
    ("stamps", "expected"),
    [
        ([7.0, 7.04, 7.08], [0, 0.04, 0.08]),
        ([0, 0.03, 0.09, 0.12], [0, 0.03, 0.09, 0.12]),
        ([0, 0.04, 1.04, 1.08], [0, 0.04, 1.04, 1.08]),
        ([0, 0.04, 3600.04, 3600.08], [0, 0.04, 3600.04, 3600.08]),
        ([5, 5.04, 2.0, 2.04, 2.08], [0, 0.04, 0.08, 0.12, 0.16]),
        ([0, 0.04, 9.0, 0.12, 0.16], [0, 0.04, 0.08, 0.12, 0.16]),
        ([3, 3.04, 0.1, 3.12, 3.16], [0, 0.04, 0.08, 0.12, 0.16]),
        ([5, 5.04, 9.0, 9.04, 2.0, 2.04], [0, 0.04, 4.0, 4.04, 4.08, 4.12]),
        ([0, 0, 0, 0], [0, 0.04, 0.08, 0.12]),
        ([2.0], [0]),
        ([], []),
    ],
    ids=["late start", "uneven", "gap", "hour", "set back", "leap", "drop", "on and back", "none", "one", "nothing"],
)
def test_time_follows_the_stamps_that_can_be_believed(stamps: list[float], expected: list[float]) -> None:
    assert times(stamps) == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.floats(-1e6, 1e6), max_size=20))
def test_time_rises_whatever_the_stamps(stamps: list[float]) -> None:
    told = times(stamps)
    assert len(told) == len(stamps)
    assert all(a < b for a, b in pairwise(told))


def read_times(pictures: list[tuple[float, float]]) -> list[float]:
    clock = CameraClock()
    return [clock.time(stamp, now) for stamp, now in pictures]


@pytest.mark.parametrize(
    ("pictures", "expected"),
    [
        ([(50.0, 50.02), (50.03, 50.05), (50.06, 50.08)], [0, 0.03, 0.06]),
        ([(50.0, 50.02), (50.03, 50.5), (50.06, 50.501), (50.5, 50.502)], [0, 0.03, 0.06, 0.5]),
        ([(0.0, 50.0), (0.0, 50.03), (0.0, 50.06)], [0, 0.03, 0.06]),
        ([(1.7e9, 50.0), (1.7e9 + 0.03, 50.03)], [0, 0.03]),
        ([(50.0, 50.0), (50.0, 50.03), (50.06, 50.06)], [0, 0.03, 0.06]),
        ([(50.0, 50.02), (-1.0, 50.07), (50.06, 50.08)], [0, 0.07, 0.071]),
    ],
    ids=["as taken", "read late", "none", "of another clock", "one twice", "one missing"],
)
def test_camera_is_timed_by_when_its_pictures_were_taken(
    pictures: list[tuple[float, float]], expected: list[float]
) -> None:
    assert read_times(pictures) == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), max_size=20))
def test_time_of_a_camera_rises_whatever_it_says(pictures: list[tuple[float, float]]) -> None:
    times = read_times(pictures)
    assert all(before < after for before, after in pairwise(times))
