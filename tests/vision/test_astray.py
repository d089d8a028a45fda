"""Astray: two dice whose ways may be exchanged have crossed, and what leaps or meets something new is not sure."""

from dataclasses import replace

import pytest

from tests.vision.seen_steps import FACE, LAY, STEP, at, hit, steps
from vision.astray import find_astray, find_crossed, stayed_themselves
from vision.steps import Steps
from vision.track import Sighting, Track


def test_two_that_would_have_gone_as_short_a_way_in_each_others_place_have_crossed() -> None:
    beside = steps([at(200.0), at(200.0, 250.0)], [at(215.0, 247.0), at(215.0, 243.0)])
    assert [(a.number, b.number) for a, b in find_crossed(beside)] == [(1, 2)]
    assert find_crossed(steps([at(200.0), at(200.0, 300.0)], [at(215.0), at(215.0, 300.0)])) == []
    neither_goes = steps([at(200.0), at(200.0, 250.0)], [at(201.0), at(201.0, 250.0)])
    assert find_crossed(neither_goes) == []


def test_a_die_that_goes_where_something_new_is_seen_may_be_either() -> None:
    assert find_astray(steps([at(200.0)], [at(210.0), at(206.0, 250.0)])) == {1}
    assert find_astray(steps([at(200.0)], [at(210.0), at(400.0)])) == set()
    assert find_astray(steps([at(200.0)], [at(210.0), at(206.0, 250.0, heat=0.2)])) == set()  # a side of the die


def test_a_die_that_leaps_where_another_is_missed_may_be_that_one() -> None:
    gone = steps([at(200.0), at(230.0)], [at(214.0)])
    assert find_astray(gone) == {1}
    assert find_astray(steps([at(200.0), at(230.0)], [at(206.0)])) == set()


def test_a_die_that_rolls_on_as_it_did_is_none_that_is_missed() -> None:
    for speed, astray in ((14 / STEP, set()), (0.0, {1})):
        gone = steps([at(200.0), at(230.0)], [at(214.0)])
        gone.tracks[0].speed = speed, 0.0
        assert find_astray(gone) == astray


def test_dice_unlike_each_other_that_look_as_a_moment_ago_stayed_themselves() -> None:
    a, b = steps([at(200.0), at(230.0)], []).tracks
    assert not stayed_themselves(a, b)  # nobody compared them
    a.alike = b.alike = True
    assert not stayed_themselves(a, b)  # no look to tell them apart by


@pytest.mark.parametrize(
    ("there", "y", "crossed"), [(at(203.0), 275.0, True), (LAY, 275.0, False), (at(203.0), 303.0, False)],
    ids=["it may have been hit there", "it lies still", "too far for the time"],
)  # fmt: skip
def test_what_seems_to_leap_past_a_die_may_have_hit_it_and_stayed_in_its_place(
    there: Sighting, y: float, crossed: bool
) -> None:
    pairs = find_crossed(hit(there, at(215.0, y), by=at(150.0)))
    assert [(a.number, b.number) for a, b in pairs] == ([(1, 2)] if crossed else [])


@pytest.mark.parametrize(
    ("lay", "to", "crossed"),
    [
        (LAY, at(270.0), True),
        (LAY, at(190.0), False),
        (replace(LAY, y=270.0), at(270.0), False),
        (at(200.0), at(270.0), False),
        (LAY, replace(at(270.0), near_body=True), False),
    ],
    ids=["through it", "not so far", "past it", "it moved before", "a finger"],
)
def test_what_goes_on_through_where_a_die_lay_that_is_not_seen_may_be_that_die(
    lay: Sighting, to: Sighting, crossed: bool
) -> None:
    still = (-STEP, replace(lay, x=200.0 if lay.still else 180.0))
    tracks = [Track(1, lay, 0.0, 0.0, lay, die=1, lain=still), Track(2, at(130.0), 0.0, 0.0, at(130.0))]
    pairs = find_crossed(Steps(tracks, [to], {0: tracks[1]}, STEP, FACE))
    assert [(a.number, b.number) for a, b in pairs] == ([(2, 1)] if crossed else [])
