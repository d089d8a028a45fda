"""A die that lay may have been hit away, and what comes back the way it came for it is not that die."""

from dataclasses import replace

import pytest

from tests.vision.seen_steps import FACE, LAY, STEP, at, hit
from vision.hit import hardly_moved, hit_away, told_apart
from vision.steps import Steps
from vision.track import Sighting, Track


@pytest.mark.parametrize(
    ("there", "new", "fps", "away"),
    [
        (at(202.0), at(230.0, 255.0), 30.0, True),
        (LAY, at(230.0, 255.0), 30.0, False),
        (at(202.0), at(170.0, 255.0), 30.0, False),
        (at(202.0), at(265.0, 255.0), 20.0, True),
        (at(202.0), at(265.0, 255.0), 30.0, False),
        (at(202.0), at(230.0, 255.0, heat=0.3), 30.0, False),
    ],
    ids=["hit away", "it lies still", "no hit drives it back", "long before", "a moment before", "no die is seen"],
)
def test_a_die_may_have_been_hit_away_by_what_seems_to_leap_elsewhere_and_may_lie_in_its_place(
    there: Sighting, new: Sighting, fps: float, away: bool
) -> None:
    assert hit_away(hit(there, at(125.0, 300.0), new, by=at(150.0), fps=fps)) == ({1} if away else set())


@pytest.mark.parametrize(("flies_from", "away"), [(150.0, True), (117.0, False)], ids=["beside", "too far"])
def test_a_hand_may_have_let_go_what_is_seen_where_a_die_lay(flies_from: float, away: bool) -> None:
    hand = replace(at(flies_from, heat=0.3), near_body=True, held=True)
    beside = hit(at(202.0), replace(hand, y=245.0), at(230.0, 255.0), by=hand)
    assert hit_away(beside) == ({1} if away else set())


def test_a_die_that_nothing_followed_can_have_hit_may_be_whatever_comes_from_nowhere() -> None:
    assert hit_away(hit(at(202.0), at(160.0, 302.0), at(230.0, 255.0), by=at(160.0, 300.0))) == {1}


def test_a_die_that_rolls_on_as_expected_was_not_hit_away() -> None:
    seen = hit(at(208.0), at(125.0, 300.0), at(230.0, 255.0), by=at(150.0))
    assert hit_away(seen) == {1}
    seen.tracks[0].speed = (240.0, 0.0)
    assert hit_away(seen) == set()


@pytest.mark.parametrize(("lay", "away"), [(198.0, {1}), (190.0, set())], ids=["hardly", "it left its place"])
def test_a_die_that_has_hardly_left_its_place_does_not_roll_on(lay: float, away: set[int]) -> None:
    seen = hit(at(206.0), at(125.0, 300.0), at(230.0, 255.0), by=at(150.0))
    seen.tracks[0].lain, seen.tracks[0].speed = (0.0, replace(LAY, x=lay)), (60.0, 0.0)
    assert hit_away(seen) == away


@pytest.mark.parametrize(
    ("there", "by", "away"),
    [
        (at(194.0), at(182.0), True),
        (LAY, at(182.0), False),
        (at(194.0), at(165.0), False),
        (at(194.0), replace(at(182.0), near_body=True), False),
    ],
    ids=["it may be that one", "it lies still", "that one was farther off", "a hand held that one"],
)
def test_a_die_may_be_the_one_that_flew_as_near_to_its_place_and_is_missed(
    there: Sighting, by: Sighting, away: bool
) -> None:
    tracks = [Track(1, LAY, 0.0, 0.0, LAY, die=1), Track(2, by, 0.0, 0.0, by)]
    assert hit_away(Steps(tracks, [there], {0: tracks[0]}, STEP, FACE)) == ({1} if away else set())


@pytest.mark.parametrize(
    ("there", "other", "stays"),
    [
        (at(191.0), at(220.0), False),
        (at(202.0), at(220.0), True),
        (at(191.0), at(220.0, 253.0), True),
        (at(191.0), at(180.0), True),
        (at(188.0), at(180.0), False),
    ],
    ids=["no room", "it has not moved", "there is room", "the other turned back", "it went farther"],
)
def test_a_die_hardly_moves_for_another_only_where_there_is_room_for_both(
    there: Sighting, other: Sighting, stays: bool
) -> None:
    seen = hit(there, other, by=at(178.0, other.y))
    assert hardly_moved(seen) == ([seen.tracks[0]] if stays else [])


def struck(to: Sighting, back: Sighting, lay: Sighting = LAY, by: Sighting | None = None, fps: float = 30.0) -> Steps:
    """A die that lay there two frames ago was hit by one that was seen last three frames ago and is `back` now."""
    came = by or at(100.0, heat=0.45)
    tracks = [
        Track(1, at(206.0), 0.0, -1.0, lay, die=1, lain=(-1 / fps, lay), strayed=0.0),
        Track(2, came, -2 / fps, -1.0, came, speed=(1000.0, 0.0)),
    ]
    return Steps(tracks, [to, back], {0: tracks[0], 1: tracks[1]}, 1 / fps, FACE)


FREE = replace(LAY, beyond=-6.0)
BACK_THERE = replace(at(160.0), beyond=-5.0)


@pytest.mark.parametrize(
    ("to", "back", "lay", "told"),
    [
        (at(240.0), BACK_THERE, FREE, True),
        (at(240.0), replace(BACK_THERE, x=196.0), FREE, False),
        (at(190.0), BACK_THERE, FREE, False),
        (at(240.0), replace(BACK_THERE, beyond=-0.5), replace(LAY, beyond=-0.5), False),
        (at(240.0), replace(BACK_THERE, near_body=True), FREE, False),
        (replace(at(240.0), still=True), BACK_THERE, FREE, False),
    ],
    ids=["it came back", "hardly", "the one that was hit went no way on", "from a wall", "at a hand", "not hit"],
)
def test_what_comes_back_is_not_the_die_that_was_hit(to: Sighting, back: Sighting, lay: Sighting, told: bool) -> None:
    assert told_apart(struck(to, back, lay)).get(1, frozenset()) == (frozenset({2}) if told else frozenset())


def test_a_die_may_have_been_hit_from_either_side_by_what_nobody_saw_since() -> None:
    other = Track(3, at(300.0, heat=0.45), -2 / 30, -1.0, at(300.0), speed=(-1000.0, 0.0))
    steps = struck(at(240.0), BACK_THERE, FREE)
    assert told_apart(replace(steps, tracks=[*steps.tracks, other])) == {1: frozenset()}
    other.sighting = replace(other.sighting, heat=0.3, near_body=True)  # a finger
    assert told_apart(replace(steps, tracks=[*steps.tracks, other])) == {1: frozenset({2})}


def test_another_that_rolls_beside_where_a_die_lay_may_have_hit_it_just_as_well() -> None:
    steps = struck(at(240.0), BACK_THERE, FREE)
    other = Track(3, at(215.0, 260.0), 0.0, -1.0, at(300.0))
    chosen = {**steps.chosen, 2: other}
    beside = replace(
        steps, tracks=[*steps.tracks, other], sightings=[*steps.sightings, at(220.0, 262.0)], chosen=chosen
    )
    assert told_apart(beside) == {1: frozenset()}
