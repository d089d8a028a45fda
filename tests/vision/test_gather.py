"""Dice at rest, gathered: each read, be it located as one with another."""

import math
from dataclasses import replace

import pytest

from tests.vision.drawn_tray import DIE_PX, GEOMETRY, PLACES, DiePath, Pose, lying
from tests.vision.seen_film import perceived
from vision.gather import MOST, Gathered, Gathering
from vision.judge import Judge, Thing
from vision.lying import Lying
from vision.network import load_networks
from vision.resting import Resting
from vision.track import Sighting, Track
from vision.tracker import Tracker

ONE = (254.5, 196.4)


def gathered(
    dice: list[DiePath],
    missed: tuple[float, float] = (0.0, 0.0),
    within: float = DIE_PX,
    also: tuple[Sighting, ...] = (),
    flew: bool = False,
) -> Gathered:
    """What is gathered of dice that have lain there for a while, those `within` so many px of `missed` not located, but
    what is seen `also`, which `flew` there or not."""
    tracker, gathering, found = Tracker(DIE_PX), None, None
    for perception, scene in perceived(dice, seconds=0.5):
        gathering = gathering or Gathering(load_networks(), perception, tracker)
        gathering.keep(scene.frame)
        located = (*(s for s in scene.sightings if math.dist((s.x, s.y), missed) > within), *also)
        scene = replace(scene, sightings=located)
        tracks = tracker.step(scene.frame.t, scene.picture, located)
        for track in tracks if flew else ():
            if track.sighting in also:
                track.free, track.travel, track.heat = (0.0, 0), 2.0, 0.7
        found = gathering.gather(scene, tracks, Lying(GEOMETRY))
    assert found is not None
    return found


def test_dice_that_lie_apart_are_read_and_followed_as_they_were() -> None:
    found = gathered([lying(*ONE, 4), lying(400.0, 300.0, 6)])
    assert found.sure
    assert {(die.value, round(track.sighting.x, -2)) for die, track in zip(found.dice, found.tracks, strict=True)} == {
        (4, 300.0),
        (6, 400.0),
    }


def test_of_two_that_were_located_as_one_each_is_read_and_has_a_track() -> None:
    turn = math.radians(20)
    aside = ONE[0] + 1.01 * DIE_PX * math.cos(turn), ONE[1] + 1.01 * DIE_PX * math.sin(turn)
    found = gathered([lying(*ONE, 4), lying(*aside, 4)])
    assert [die.value for die in found.dice] == [4, 4]
    assert [track.unseen for track in found.tracks] == [False, True]
    for die, place in zip(found.dice, (ONE, aside), strict=True):
        assert math.dist((die.x, die.y), place) < 0.1 * DIE_PX


def test_a_die_that_was_not_located_is_found_by_what_hides_the_floor_and_read() -> None:
    found = gathered([lying(*ONE, 4), lying(400.0, 300.0, 6)], missed=(400.0, 300.0))
    assert [die.value for die in found.dice] == [4, 6]
    assert [track.unseen for track in found.tracks] == [False, True]
    assert math.dist((found.dice[1].x, found.dice[1].y), (400.0, 300.0)) < 0.2 * DIE_PX


@pytest.mark.parametrize(("bare", "values"), [(True, [4, 6]), (False, [4])], ids=["of the floor", "new"])
def test_marks_of_the_floor_located_at_a_die_do_not_hide_it(bare: bool, values: list[int]) -> None:
    mark = Sighting(400.0 + 0.6 * DIE_PX, 300.0, DIE_PX, 0.3, still=True, near_body=False, bare=bare)
    found = gathered([lying(*ONE, 4), lying(400.0, 300.0, 6)], missed=(400.0, 300.0), also=(mark,))
    assert [die.value for die in found.dice] == values


def test_what_was_not_located_and_shows_no_face_is_no_die() -> None:
    found = gathered([lying(*ONE, 4), lambda _: Pose(400.0, 300.0, 20.0, 5, lean=True)], missed=(400.0, 300.0))
    assert [die.value for die in found.dice] == [4]


@pytest.mark.parametrize("flew", [False, True])
def test_what_hardly_differs_from_the_floor_and_shows_no_face_is_a_die_where_one_flew_there(flew: bool) -> None:
    faint = Sighting(400.0, 300.0, DIE_PX, 0.45, still=True, near_body=False, bare=True)
    dice = [lying(*ONE, 4), lambda _: Pose(400.0, 300.0, 20.0, 5, lean=True)]
    found = gathered(dice, missed=(400.0, 300.0), also=(faint,), flew=flew)
    assert [die.value for die in found.dice] == ([4, None] if flew else [4])


def test_no_more_are_found_that_were_not_located_than_are_missing() -> None:
    rest = [lying(x, y, value) for (x, y), value in zip(PLACES[1:], (1, 2, 3, 5), strict=True)]
    twice = [lying(160.0, 120.0, 4), lying(180.0, 360.0, 4)]
    found = gathered([*rest, *twice], missed=(170.0, 240.0), within=150.0)
    assert sorted(die.value or 0 for die in found.dice) == [1, 2, 3, 4, 5]


def test_of_many_things_those_most_like_dice_are_judged_that_are_none_of_the_floors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged: list[float] = []

    def judge(
        _judge: Judge, things: list[Thing], *_: object, followed: bool = False
    ) -> tuple[list[Resting], list[Track]]:
        judged.extend(thing.sighting.x for thing in things if not followed)
        return [], []

    monkeypatch.setattr(Judge, "judge", judge)
    (*_, (perception, scene)) = perceived([lying(*ONE, 4)], seconds=0.5)
    seen = [Sighting(float(x), 100.0, DIE_PX, 0.3 + x / 1000, True, False, bare=x > 450) for x in range(100, 500, 10)]
    tracks = [Track(n, one, 0.0, 0.0, one) for n, one in enumerate(seen)]
    gathering = Gathering(load_networks(), perception, Tracker(DIE_PX))
    gathering.keep(scene.frame)
    gathering.gather(scene, tracks, Lying(GEOMETRY))
    assert judged == [one.x for one in seen if not one.bare][-MOST:]


@pytest.mark.parametrize(("unread", "mostly"), [(0, True), (1, True), (2, False)])
def test_most_are_read_where_more_than_half_are(unread: int, mostly: bool) -> None:
    found = gathered([lying(*ONE, 4)])
    (die,) = found.dice
    doubted = replace(die, reading=replace(die.reading, value=None))
    dice = (*[doubted] * unread, *[die] * (3 - unread))
    assert replace(found, dice=dice).mostly_read is mostly
    assert replace(found, dice=dice).sure is (unread == 0)
