"""Matching: every track goes on in one sighting at most, the nearest within its reach."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.matching import Matcher, missed, unmatched
from vision.track import FLIGHT_PER_S, WIDEST_GATE, Sighting, Track

FACE, STEP = 20.0, 1 / 30
sightings = st.builds(
    lambda x, y, heat, still, near: Sighting(x, y, FACE, heat, still=still, near_body=near),
    st.floats(0, 300),
    st.floats(0, 300),
    st.floats(0.1, 1.0),
    st.booleans(),
    st.booleans(),
)


def followed(there: list[Sighting], lying: bool = False) -> list[Track]:
    """A track of each, seen at 0 s; dice that lay there, or not."""
    return [Track(n + 1, seen, 0.0, 0.0, seen, die=n + 1 if lying else None) for n, seen in enumerate(there)]


@given(st.lists(sightings, max_size=5), st.lists(sightings, max_size=6))
def test_each_track_goes_on_once_and_no_farther_than_dice_fly(before: list[Sighting], now: list[Sighting]) -> None:
    tracks = followed(before)
    seen, chosen = Matcher(tracks, 0.0, STEP, FACE).match(now)
    numbers = [track.number for track in chosen.values()]
    assert len(set(numbers)) == len(numbers)
    assert set(chosen) <= set(range(len(seen)))
    assert len(seen) + sum(max(0, len(one.parts) - 1) for one in seen) == len(now)
    for index, track in chosen.items():
        reach = FACE * max(WIDEST_GATE, FLIGHT_PER_S * STEP)
        ends = seen[index].parts or ((seen[index].x, seen[index].y),)
        assert any(((x - track.sighting.x) ** 2 + (y - track.sighting.y) ** 2) ** 0.5 <= reach for x, y in ends)


@given(st.lists(sightings, max_size=5))
def test_what_lies_still_where_it_lay_keeps_its_track(there: list[Sighting]) -> None:
    apart = [a for n, a in enumerate(there) if all(a.apart(b) > 2 * FACE for b in there[:n])]
    seen, chosen = Matcher(followed(apart, lying=True), 0.0, STEP, FACE).match(apart)
    assert seen == apart
    assert {index: track.number for index, track in chosen.items()} == {n: n + 1 for n in range(len(apart))}


def test_what_is_not_seen_is_missed_unless_it_lay_there() -> None:
    here, there = (Sighting(x, 240.0, FACE, 0.9, still=False, near_body=False) for x in (100.0, 200.0))
    flying, lying = followed([here])[0], followed([here, there], lying=True)[1]
    assert missed([flying, lying], {0: lying}) == [flying]
    assert missed([flying, lying], {0: flying}) == []
    assert unmatched([flying, lying], {0: flying}) == [lying]


@pytest.mark.parametrize(
    ("changes", "beside", "followed_on"),
    [
        ({}, 30.0, True),
        ({}, 22.0, False),
        ({"bare": True}, 30.0, False),
        ({"near_body": True}, 30.0, False),
        ({"uncovered": True}, 30.0, False),
        ({"still": True}, 30.0, False),
    ],
    ids=["nothing near", "beside a die", "the floor's", "beside a hand", "where a hand was", "it lies"],
)
def test_what_moves_away_from_all_else_is_a_die_however_its_flight_smears_it(
    changes: dict[str, Any], beside: float, followed_on: bool
) -> None:
    (die,) = followed([Sighting(100.0, 100.0, FACE, 0.4, still=False, near_body=False)])
    smeared = replace(die.sighting, x=100.0 + 3 * FACE, heat=0.3, **changes)
    other = replace(die.sighting, x=smeared.x + beside, heat=0.9, still=True)
    _, chosen = Matcher([die], 0.0, STEP, FACE).match([smeared, other])
    assert (chosen.get(0) is die) == followed_on
