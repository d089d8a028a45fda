"""Ends and sides: what is but a part of a die that is seen too."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from vision.parts import SMEARED, as_one, is_end, is_seen_twice, is_side, may_be_parts
from vision.track import Sighting

FACE = 20.0
places = st.floats(0, 600)
sightings = st.builds(
    lambda x, y, heat: Sighting(x, y, FACE, heat, still=False, near_body=False), places, places, st.floats(0.1, 1.0)
)


def flying(x: float, heat: float = 0.6) -> Sighting:
    """What moves away from hands."""
    return Sighting(x, 240.0, FACE, heat, still=False, near_body=False)


def test_ends_of_one_die_move_near_each_other_away_from_hands() -> None:
    die, end = flying(200.0), flying(200.0 + 0.99 * SMEARED * FACE)
    assert is_end(end, die, FACE)
    assert not is_end(flying(200.0 + 1.01 * SMEARED * FACE), die, FACE)
    for other in (replace(end, still=True), replace(end, near_body=True)):
        assert not is_end(other, die, FACE)
        assert not is_end(die, other, FACE)


def test_a_side_looks_little_like_a_die_and_lies_beside_one() -> None:
    die, side = flying(200.0, 0.9), flying(212.0, 0.3)
    assert is_side(side, [die, side], FACE)
    assert not is_side(replace(side, heat=0.5), [die, side], FACE)
    assert not is_side(flying(230.0, 0.3), [die], FACE)
    assert may_be_parts([die, side], FACE) == {1}


def test_what_is_there_all_at_once_over_a_die_may_be_that_die_again_unless_it_lies_still() -> None:
    die, again = flying(200.0, 0.9), flying(208.0, 0.5)
    assert is_seen_twice(again, [die, again], [], FACE)
    assert is_seen_twice(replace(again, heat=0.95), [die, again], [die], FACE)
    assert not is_seen_twice(replace(again, still=True), [die, again], [die], FACE)
    assert not is_seen_twice(flying(220.0, 0.5), [die], [die], FACE)


@given(st.lists(sightings, min_size=1, max_size=4))
def test_parts_made_one_lie_between_them_and_are_as_plain_as_the_plainest(parts: list[Sighting]) -> None:
    one = as_one(parts)
    for axis in ("x", "y"):
        values = [getattr(part, axis) for part in parts]
        assert min(values) - 1e-6 <= getattr(one, axis) <= max(values) + 1e-6
    assert one.heat == max(part.heat for part in parts)
    assert one.parts == (() if len(parts) == 1 else tuple((part.x, part.y) for part in parts))
