"""Astray: two dice whose ways may be exchanged have crossed, and what leaps or meets something new is not sure."""

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


def test_dice_unlike_each_other_that_look_as_a_moment_ago_stayed_themselves() -> None:
    a, b = steps([at(200.0), at(230.0)], []).tracks
    assert not stayed_themselves(a, b)  # nobody compared them
    a.alike = b.alike = True
    assert not stayed_themselves(a, b)  # no look to tell them apart by
