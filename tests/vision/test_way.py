"""What hit a die that lay there does not go on through it."""

from dataclasses import replace

import pytest

from tests.vision.seen_steps import FACE, LAY, STEP, at
from vision.track import Sighting, Track
from vision.way import aside, goes_through, may_hit, onwards

CAME = at(170.0)


def test_what_lies_beyond_is_onwards_and_what_lies_off_the_way_aside() -> None:
    assert (onwards(CAME, LAY, at(210.0, 245.0)), aside(CAME, LAY, at(210.0, 245.0))) == (10.0, 5.0)
    assert (onwards(CAME, LAY, at(190.0, 235.0)), aside(CAME, LAY, at(190.0, 235.0))) == (-10.0, 5.0)


@pytest.mark.parametrize(
    ("by_to", "to", "through"),
    [
        (at(218.0), at(186.0, 262.0), True),
        (at(186.0, 262.0), at(218.0), False),
        (at(218.0), at(195.0, 262.0), False),
        (at(218.0, 265.0), at(186.0, 225.0), False),
    ],
    ids=["back, and the other past it", "driven on", "hardly back", "passed by"],
)
def test_a_die_that_lay_there_does_not_come_back_through_what_hit_it(
    by_to: Sighting, to: Sighting, through: bool
) -> None:
    assert goes_through(CAME, LAY, by_to, to, FACE) == through


@pytest.mark.parametrize(
    ("by", "lain", "t", "may"),
    [
        (CAME, LAY, STEP, True),
        (CAME, LAY, 0.1, False),
        (CAME, replace(LAY, x=190.0), STEP, False),
        (replace(CAME, still=True), LAY, STEP, False),
        (replace(CAME, near_body=True), LAY, STEP, False),
    ],
    ids=["at once", "later", "it had moved", "the other lay, too", "it may be fingers"],
)
def test_what_is_seen_before_it_hits_a_die_that_lies_there_is_known_to_hit_it(
    by: Sighting, lain: Sighting, t: float, may: bool
) -> None:
    die = Track(1, LAY, 0.0, 0.0, LAY, die=1, lain=(0.0, lain))
    assert may_hit(Track(2, by, 0.0, 0.0, by), die, 0.0, t) == may
