"""Where a die is looked for that lies flush with another, and what is taken for one."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn_tray import DIE_PX, GEOMETRY
from vision.flush import is_flush, middle_of, places_beside
from vision.read import Reading
from vision.resting import Resting

BLANK = 0.5


def die(x: float = 200.0, y: float = 200.0, angle: float = 30.0, value: int | None = 4) -> Resting:
    """A die whose top's middle is at (x, y), as a camera from straight above sees it."""
    reading = Reading(value, 0.999, value or 4, "flat", angle, (0.0, 0.0, DIE_PX, DIE_PX), 0.9, 0.0)
    turned = math.radians(angle)
    edge = DIE_PX * (math.cos(turned) + math.sin(turned))
    reading = replace(reading, box=(x - edge / 2, y - edge / 2, edge, edge))
    return Resting(x, y, DIE_PX, "flat", reading, np.zeros((32, 32), np.float32))


def test_places_lie_one_face_aside_along_its_edges() -> None:
    one = die()
    places = places_beside(one, [one], GEOMETRY)
    assert [math.dist(place, (200, 200)) for place in places] == pytest.approx([DIE_PX] * 4)
    angles = sorted(math.degrees(math.atan2(y - 200, x - 200)) % 360 for x, y in places)
    assert angles == pytest.approx([30, 120, 210, 300])


def test_die_located_between_two_is_where_its_pips_are() -> None:
    off = replace(die(), x=208.0, y=203.0)
    assert middle_of(off, GEOMETRY) == pytest.approx((200, 200))
    assert all(math.dist(place, (200, 200)) == pytest.approx(DIE_PX) for place in places_beside(off, [off], GEOMETRY))


def test_no_place_is_another_dies_or_beyond_the_floor() -> None:
    one, other = die(95.0, 200.0, angle=0.0), die(95.0 + 1.05 * DIE_PX, 200.0, angle=0.0)
    assert sorted(places_beside(one, [one, other], GEOMETRY)) == [(95.0, 170.0), (95.0, 230.0)]


def test_what_lies_straight_beside_is_flush_be_it_read_or_not() -> None:
    one, there = die(), die(226.0, 215.0)
    place = (200 + DIE_PX * math.cos(math.radians(30)), 200 + DIE_PX * math.sin(math.radians(30)))
    unread = replace(there.reading, value=None)
    assert is_flush(one, there.reading, place, GEOMETRY, BLANK)
    assert is_flush(one, unread, place, GEOMETRY, BLANK)
    assert not is_flush(one, replace(unread, blank=0.9), place, GEOMETRY, BLANK)


def test_what_lies_askew_or_off_the_place_is_another_thing() -> None:
    one = die()
    place = (200 + DIE_PX * math.cos(math.radians(30)), 200 + DIE_PX * math.sin(math.radians(30)))
    assert not is_flush(one, die(226.0, 215.0, angle=50.0).reading, place, GEOMETRY, BLANK)
    assert not is_flush(one, die(219.0, 211.0).reading, place, GEOMETRY, BLANK)
    ace = replace(die(226.0, 215.0, angle=50.0).reading, value=1, likely=1)
    assert is_flush(one, ace, place, GEOMETRY, BLANK)
