"""Astray: two dice whose ways may be exchanged have crossed, and what leaps or meets something new is not sure."""

from dataclasses import replace

import pytest

from vision.astray import Steps, stayed_themselves
from vision.track import Sighting, Track

FACE, STEP = 20.0, 1 / 30


def at(x: float, y: float = 240.0, heat: float = 0.9) -> Sighting:
    """What moves away from hands."""
    return Sighting(x, y, FACE, heat, still=False, near_body=False)


def steps(before: list[Sighting], now: list[Sighting], lying: bool = False) -> Steps:
    """Each goes on in the sighting of its number, as far as there is one; the other sightings are new."""
    tracks = [Track(n + 1, seen, 0.0, 0.0, seen, die=n + 1 if lying else None) for n, seen in enumerate(before)]
    return Steps(tracks, now, dict(enumerate(tracks[: len(now)])), STEP, FACE)


def test_two_that_would_have_gone_as_short_a_way_in_each_others_place_have_crossed() -> None:
    beside = steps([at(200.0), at(200.0, 250.0)], [at(215.0, 247.0), at(215.0, 243.0)])
    assert [(a.number, b.number) for a, b in beside.crossed()] == [(1, 2)]
    assert steps([at(200.0), at(200.0, 300.0)], [at(215.0), at(215.0, 300.0)]).crossed() == []
    assert steps([at(200.0), at(200.0, 250.0)], [at(201.0), at(201.0, 250.0)]).crossed() == []  # neither goes anywhere


def test_a_die_that_goes_where_something_new_is_seen_may_be_either() -> None:
    assert steps([at(200.0)], [at(210.0), at(206.0, 250.0)]).astray() == {1}
    assert steps([at(200.0)], [at(210.0), at(400.0)]).astray() == set()
    assert steps([at(200.0)], [at(210.0), at(206.0, 250.0, heat=0.2)]).astray() == set()  # a side of the die


def test_a_die_that_leaps_where_another_is_missed_may_be_that_one() -> None:
    gone = steps([at(200.0), at(230.0)], [at(214.0)])
    assert gone.astray() == {1}
    assert steps([at(200.0), at(230.0)], [at(206.0)]).astray() == set()


def test_a_die_that_rolls_on_as_it_did_is_none_that_is_missed() -> None:
    for speed, astray in ((14 / STEP, set()), (0.0, {1})):
        gone = steps([at(200.0), at(230.0)], [at(214.0)])
        gone.tracks[0].speed = speed, 0.0
        assert gone.astray() == astray


@pytest.mark.parametrize(("heat", "near", "all_seen"), [(0.9, False, True), (0.4, True, False), (0.7, True, True)])
def test_all_dice_of_a_game_are_seen_where_each_is_surely_one(heat: float, near: bool, all_seen: bool) -> None:
    others = [replace(at(100.0 + 60 * n, 400.0, heat if n == 0 else 0.9), near_body=near and n == 0) for n in range(4)]
    assert steps([at(200.0), *others], [at(214.0), *others]).see_all() is all_seen
    assert not steps(others, others).see_all()


@pytest.mark.parametrize("still", [False, True])
def test_a_die_that_lies_beside_the_tray_is_none_of_the_game(still: bool) -> None:
    seen = [at(100.0 + 60 * n, 400.0) for n in range(4)] + [replace(at(200.0), still=still, beyond=0.5)]
    assert steps(seen, seen).see_all() is not still


def test_dice_unlike_each_other_that_look_as_a_moment_ago_stayed_themselves() -> None:
    a, b = steps([at(200.0), at(230.0)], []).tracks
    assert not stayed_themselves(a, b)  # nobody compared them
    a.alike = b.alike = True
    assert not stayed_themselves(a, b)  # no look to tell them apart by


LAY = replace(at(200.0), still=True)
"""A die that lies where another flies to from the left."""


def hit(*now: Sighting, by: Sighting, fps: float = 30.0) -> Steps:
    """The die that lay there and `by` go on in the first two sightings; what else is seen is new."""
    tracks = [Track(1, LAY, 0.0, 0.0, LAY, die=1), Track(2, by, 0.0, 0.0, by)]
    return Steps(tracks, now, {0: tracks[0], 1: tracks[1]}, 1 / fps, FACE)


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
    assert hit(there, at(125.0, 300.0), new, by=at(150.0), fps=fps).hit_away() == ({1} if away else set())


@pytest.mark.parametrize(("flies_from", "away"), [(150.0, True), (117.0, False)], ids=["beside", "too far"])
def test_a_hand_may_have_let_go_what_is_seen_where_a_die_lay(flies_from: float, away: bool) -> None:
    hand = replace(at(flies_from, heat=0.3), near_body=True, held=True)
    beside = hit(at(202.0), replace(hand, y=245.0), at(230.0, 255.0), by=hand)
    assert beside.hit_away() == ({1} if away else set())


def test_a_die_that_nothing_followed_can_have_hit_may_be_whatever_comes_from_nowhere() -> None:
    assert hit(at(202.0), at(160.0, 302.0), at(230.0, 255.0), by=at(160.0, 300.0)).hit_away() == {1}


def test_a_die_that_rolls_on_as_expected_was_not_hit_away() -> None:
    seen = hit(at(208.0), at(125.0, 300.0), at(230.0, 255.0), by=at(150.0))
    assert seen.hit_away() == {1}
    seen.tracks[0].speed = (240.0, 0.0)
    assert seen.hit_away() == set()


@pytest.mark.parametrize(
    ("there", "y", "crossed"), [(at(203.0), 275.0, True), (LAY, 275.0, False), (at(203.0), 303.0, False)],
    ids=["it may have been hit there", "it lies still", "too far for the time"],
)  # fmt: skip
def test_what_seems_to_leap_past_a_die_may_have_hit_it_and_stayed_in_its_place(
    there: Sighting, y: float, crossed: bool
) -> None:
    pairs = hit(there, at(215.0, y), by=at(150.0)).crossed()
    assert [(a.number, b.number) for a, b in pairs] == ([(1, 2)] if crossed else [])


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
    assert Steps(tracks, [there], {0: tracks[0]}, STEP, FACE).hit_away() == ({1} if away else set())


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
    assert struck(to, back, lay).told_apart().get(1, frozenset()) == (frozenset({2}) if told else frozenset())


def test_a_die_may_have_been_hit_from_either_side_by_what_nobody_saw_since() -> None:
    other = Track(3, at(300.0, heat=0.45), -2 / 30, -1.0, at(300.0), speed=(-1000.0, 0.0))
    steps = struck(at(240.0), BACK_THERE, FREE)
    assert replace(steps, tracks=[*steps.tracks, other]).told_apart() == {1: frozenset()}
    other.sighting = replace(other.sighting, heat=0.3, near_body=True)  # a finger
    assert replace(steps, tracks=[*steps.tracks, other]).told_apart() == {1: frozenset({2})}


def test_another_that_rolls_beside_where_a_die_lay_may_have_hit_it_just_as_well() -> None:
    steps = struck(at(240.0), BACK_THERE, FREE)
    other = Track(3, at(215.0, 260.0), 0.0, -1.0, at(300.0))
    chosen = {**steps.chosen, 2: other}
    beside = replace(
        steps, tracks=[*steps.tracks, other], sightings=[*steps.sightings, at(220.0, 262.0)], chosen=chosen
    )
    assert beside.told_apart() == {1: frozenset()}


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
    pairs = Steps(tracks, [to], {0: tracks[1]}, STEP, FACE).crossed()
    assert [(a.number, b.number) for a, b in pairs] == ([(2, 1)] if crossed else [])
