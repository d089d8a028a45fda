"""The dice of the last rest: where they lay, what comes over them, and the numbers of the next."""

from dataclasses import replace

import numpy as np
import pytest

from scorer.events import DieUnseen
from tests.vision.drawn_tray import DIE_PX, GEOMETRY, reaching
from tests.vision.drawn_tray import lying as drawn
from tests.vision.seen_film import perceived
from vision.lying import Lying
from vision.read import Reading
from vision.rest import patch
from vision.resting import Resting, Settlement
from vision.track import DIE_HEAT, Sighting, Track

PLACE, ASIDE = (300.0, 240.0), (400.0, 240.0)


def die(number: int, place: tuple[float, float] = PLACE) -> Resting:
    reading = Reading(4, 0.99, 4, "flat", 20.0, (0.0, 0.0, DIE_PX, DIE_PX), 0.9, 0.0)
    return Resting(*place, DIE_PX, "flat", reading, np.zeros((32, 32), np.float32), number)


def rested(*dice: Resting, lifted: tuple[Resting, ...] = (), unseen: tuple[DieUnseen, ...] = ()) -> Lying:
    """These dice after a throw, of which some more were then `lifted`."""
    lying = Lying(GEOMETRY)
    thrown = tuple(one.id for one in (*dice, *lifted) if one.id is not None)
    lying.remember(Settlement((*dice, *lifted), thrown, (), (), (), (), ()), unseen)
    if lifted:
        lying.remember(Settlement(dice, (), (), (), (), lifted, lifted), ())
    return lying


def track(x: float, y: float, heat: float = 0.9, near: bool = False, die: int | None = None) -> Track:
    sighting = Sighting(x, y, DIE_PX, heat, still=True, near_body=near)
    return Track(1, sighting, 2.0, 1.0, sighting, die=die)


@pytest.mark.parametrize(("x", "number"), [(307.0, 1), (309.0, None)])
def test_a_die_lay_where_its_place_was_within_a_quarter_face(x: float, number: int | None) -> None:
    there = rested(die(1)).at(x, 240.0)
    assert (there and there.id) == number


@pytest.mark.parametrize(
    ("seen", "new"),
    [(track(*ASIDE), True), (track(*PLACE), False), (track(*ASIDE, die=1), False), (track(*ASIDE, heat=0.4), False)],
    ids=["elsewhere", "lay there", "is one of them", "hardly a die"],
)
def test_what_is_followed_from_where_a_die_lay_is_not_new(seen: Track, new: bool) -> None:
    assert rested(die(1)).is_new(seen, DIE_HEAT) is new


@pytest.mark.parametrize(("leapt", "said"), [(False, (True, False)), (True, (False, True))], ids=["lay", "leapt"])
def test_a_hand_touches_the_die_that_it_is_over_unless_a_throw_had_knocked_that_away(
    leapt: bool, said: tuple[bool, bool]
) -> None:
    lying = rested(die(1), die(2, (500.0, 100.0)), lifted=(die(3),))
    *_, (perception, scene) = perceived([], [reaching(PLACE, 0.0, 1.0)], 0.5)
    lying.step(scene, [track(*ASIDE, die=1)] if leapt else [], perception)
    assert [(one.touched, one.knocked) for one in lying.dice] == [said, (False, False)]


@pytest.mark.parametrize(
    ("flew", "seen", "taken"),
    [((), 0.2, True), ((0.3,), 0.2, False), ((0.1,), 0.2, False), ((0.6,), 0.2, True), ((), 0.5, False)],
    ids=["only a hand is in", "another flies past", "another flew before", "thrown later", "still seen"],
)
def test_a_die_whose_place_is_bare_was_taken_by_the_hand_that_is_in_unless_one_in_flight_may_have_hit_it(
    flew: tuple[float, ...], seen: float, taken: bool
) -> None:
    """The hand is far from its place: what of one that looks a little like dice is no part of it."""
    lying, flies = rested(die(1), die(2, (500.0, 100.0))), track(*ASIDE)
    flies.sighting, flies.free = replace(flies.sighting, still=False), (0.1, 3)
    far = reaching((130, 100), 0.0, 1.0)
    for perception, scene in perceived([drawn(*PLACE, 4, since=0.1, until=0.25)], [far], 0.7):
        t = scene.frame.t
        there = [track(*PLACE, die=1)] * (t <= seen)
        lying.step(scene, [*there, *([flies] * (round(t, 1) in flew))], perception)
    assert [one.touched for one in lying.dice] == [taken, False]


@pytest.mark.parametrize(
    ("new", "over", "seen", "lifted"),
    [(False, False, 0.2, [1]), (True, False, 0.2, []), (False, True, 0.2, []), (False, False, 0.5, [])],
    ids=["nothing came of it", "another lies there", "one went over the rim", "it was seen since"],
)
def test_a_die_that_went_while_a_hand_was_in_is_in_it_though_something_seemed_to_fly(
    new: bool, over: bool, seen: float, lifted: list[int]
) -> None:
    stays, elsewhere = (500.0, 100.0), (200.0, 350.0)
    lying, flies = rested(die(1), die(2, stays)), track(*ASIDE)
    flies.sighting, flies.free = replace(flies.sighting, still=False), (0.1, 3)
    for perception, scene in perceived(
        [drawn(*PLACE, 4, since=0.1, until=0.25)], [reaching((130, 100), 0.0, 1.0)], 0.7
    ):
        t = scene.frame.t
        lying.step(scene, [track(*PLACE, die=1)] * (t <= seen) + [flies] * (round(t, 1) == 0.3), perception)
    came, went = track(*elsewhere), track(*ASIDE)
    dice = [die(2, stays), *([replace(die(0, elsewhere), id=None)] * new)]
    settled = lying.settle(dice, [track(*stays, die=2), came][: len(dice)], [went] * over, [])
    assert [one.id for one in settled.lifted] == lifted


@pytest.mark.parametrize("what", ["itself", "its place", "one beyond the edge"])
def test_a_die_seen_going_by_itself_or_as_another_flew_beyond_the_edge_was_not_taken(what: str) -> None:
    """Then it comes back over its place, and is gone."""
    lying, far = rested(die(1), die(2, (500.0, 100.0))), reaching((130, 100), 0.0, 1.0)
    flies = {"itself": track(*ASIDE, die=1), "its place": track(*PLACE, die=1), "one beyond the edge": track(*ASIDE)}
    gone = flies[what]
    gone.sighting = replace(gone.sighting, still=False, beyond=0.5 if what == "one beyond the edge" else -1.0)
    for perception, scene in perceived([drawn(*PLACE, 4, since=0.1, until=0.25)], [far], 0.7):
        t = scene.frame.t
        lying.step(scene, [track(*PLACE, die=1)] * (t <= 0.22) + [gone] * (0.1 < t <= 0.2), perception)
    assert [one.touched for one in lying.dice] == [what == "its place", False]


@pytest.mark.parametrize(("place", "number"), [(PLACE, 1), (ASIDE, None)])
def test_a_die_is_seen_again_where_it_looks_as_it_lay(place: tuple[float, float], number: int | None) -> None:
    *_, (_, scene) = perceived([drawn(*PLACE, 4)], seconds=0.3)
    look = patch(scene.picture, *PLACE, DIE_PX)
    assert rested(replace(die(1), look=look)).uncovered(track(*place).sighting, scene.picture) == number
    assert rested(die(1)).uncovered(track(*place).sighting, scene.picture) is None


def test_what_lies_there_is_not_sure_to_be_untouched_once_sight_of_it_was_lost() -> None:
    lying = rested(die(1))
    lying.lose_sight()
    assert [one.touched for one in lying.dice] == [True]


def test_it_lies_elsewhere_in_the_picture_after_a_push() -> None:
    lying, shift = rested(die(1)), np.array([[1.0, 0.0, 12.0], [0.0, 1.0, -20.0]])
    before = lying.dice[0].reading
    lying.moved(shift, GEOMETRY.moved(shift))
    moved = lying.at(312.0, 220.0)
    assert moved is not None
    assert moved.reading.centre == pytest.approx((before.centre[0] + 12, before.centre[1] - 20))
    assert moved.reading.face_px == before.face_px


@pytest.mark.parametrize(("strange", "number"), [(0, 2), (2, 4)])
def test_new_dice_go_by_new_numbers_of_which_those_out_of_view_have_some(strange: int, number: int) -> None:
    lost = DieUnseen(count=strange, last_seen="over_rim", t=1.0, frame=30, t_said=1.2)
    lying, thrown = rested(die(1), unseen=(lost,)), track(*ASIDE)
    thrown.free, thrown.travel, thrown.heat = (1.0, 30), 4.0, 0.9
    settled = lying.settle([die(1), replace(die(0, ASIDE), id=None)], [track(*PLACE, die=1), thrown], [], [])
    assert settled.thrown == (number,)


def test_a_die_that_lies_there_again_is_none_that_a_hand_sets_down() -> None:
    lying, there = rested(die(1), lifted=(die(2, ASIDE),)), (200.0, 350.0)
    lying.remember(Settlement((die(1), die(2, ASIDE)), (), (), (), (), (), ()), ())
    seen = [track(*PLACE, die=1), track(*ASIDE, die=2), track(*there, near=True)]
    settled = lying.settle([die(1), die(2, ASIDE), replace(die(0, there), id=None)], seen, [], [])
    assert [one.id for one in settled.dice] == [1, 2, 3]


@pytest.mark.parametrize(("value", "near", "touched"), [(4, False, False), (4, True, True), (6, False, True)])
def test_a_hand_has_left_a_die_that_is_seen_lying_as_it_lay(value: int, near: bool, touched: bool) -> None:
    *_, (_, before) = perceived([drawn(*PLACE, 4)], seconds=0.3)
    *_, (perception, scene) = perceived([drawn(*PLACE, value)], seconds=0.3)
    lying = rested(replace(die(1), look=patch(before.picture, *PLACE, DIE_PX), touched=True))
    lying.step(scene, [track(*PLACE, near=near)], perception)
    assert [one.touched for one in lying.dice] == [touched]
