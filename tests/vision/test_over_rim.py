"""Which dice went over the rim."""

from dataclasses import replace

import pytest

from tests.vision.drawn_tray import GEOMETRY
from tests.vision.thrown_track import track
from vision.over_rim import went_over_rim
from vision.track import Track


@pytest.mark.parametrize(
    ("lost", "speed", "out"),
    [
        (track(x=590), (0.0, 0.0), True),  # last seen beside the floor
        (track(x=550), (600.0, 0.0), True),  # on its way across the edge
        (track(x=550), (-600.0, 0.0), False),  # on its way back
        (track(x=300), (600.0, 0.0), False),  # in the middle
        (track(x=590, still=True), (0.0, 0.0), False),  # lay there
        (track(x=590, travel=0.1), (0.0, 0.0), False),  # a shadow
        (track(x=590, free=None), (0.0, 0.0), True),  # flew out from under the hand
        (track(x=590, free=None, travel=1.0), (0.0, 0.0), False),  # something beside the tray
    ],
)
def test_over_the_rim(lost: Track, speed: tuple[float, float], out: bool) -> None:
    lost.speed = speed
    assert (went_over_rim([lost], GEOMETRY) == [lost]) is out


@pytest.mark.parametrize(("heat", "out"), [(0.3, []), (0.41, [1])], ids=["a finger", "a die"])
def test_what_a_hand_that_draws_back_leaves_apart_from_it_for_a_moment_is_no_die_over_the_rim(
    heat: float, out: list[int]
) -> None:
    fled = track(x=320.0, y=GEOMETRY.centre[1], travel=1.3)
    fled.sighting = replace(fled.sighting, x=-20.0, still=False)
    fled.by_hand, fled.heat, fled.speed = True, heat, (-1000.0, 0.0)
    assert [found.number for found in went_over_rim([fled], GEOMETRY)] == out


@pytest.mark.parametrize(("steps", "tumbles", "out"), [(4, 0, False), (3, 0, True), (7, 1, True)])
def test_what_goes_on_beyond_the_rim_without_tumbling_is_a_fingers_end(steps: int, tumbles: int, out: bool) -> None:
    beyond = replace(track(x=590, free=None), steps=steps, tumbles=tumbles)
    assert (went_over_rim([beyond], GEOMETRY) == [beyond]) is out


@pytest.mark.parametrize(("side", "out"), [(False, True), (True, False)], ids=["alone", "beside a die"])
def test_the_end_of_a_smeared_die_that_stays_is_none_on_its_way_out(side: bool, out: bool) -> None:
    ended = replace(track(x=550), speed=(600.0, 0.0), side=side)
    assert (went_over_rim([ended], GEOMETRY) == [ended]) is out
