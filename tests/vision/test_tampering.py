"""How thrown dice lay before a hand came over them, and what they show afterwards."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.vision.drawn_tray import DIE_PX, GEOMETRY, DiePath, HandPath, Image, Pose, lying, moving_hand
from tests.vision.seen_film import perceived
from vision.lying import Lying
from vision.read import Reading
from vision.rest import patch
from vision.resting import Resting
from vision.tampering import MOST, Read, Tampering
from vision.track import Sighting
from vision.tracker import Tracker

PLACE, ASIDE = (300.0, 240.0), (300.0, 330.0)
OVER = moving_hand((0.6, -60, 240), (0.8, 320, 240), (1.0, 320, 240), (1.2, -60, 240))
"""A hand that lies over the place from .8 to 1 s."""


def lain(path: DiePath, seconds: float, hand: HandPath | None = OVER) -> tuple[Tampering, Resting, int]:
    """What is remembered of such a die as a hand comes over its place, the die as it is seen last, and its track."""
    found, tracker, last = Tampering(), Tracker(DIE_PX), None
    for perception, scene in perceived([path], [hand] if hand else [], seconds):
        tracks = tracker.step(scene.frame.t, scene.picture, scene.sightings)
        found.step(scene, tracks, Lying(GEOMETRY), perception)
        plain = [t for t in tracks if not t.sighting.near_body and GEOMETRY.inside(t.sighting.x, t.sighting.y) >= 0]
        for track in plain:
            x, y = track.sighting.x, track.sighting.y
            reading = Reading(4, 0.99, 4, "flat", 20.0, (x, y, DIE_PX, DIE_PX), 0.9, 0.0)
            face = GEOMETRY.face_px(x, y)
            last = Resting(x, y, DIE_PX, "flat", reading, patch(scene.picture, x, y, face)), track.number
    assert last is not None
    return found, *last


def reading(value: int | None) -> tuple[list[Sighting], Read]:
    """Dice that are asked for what they showed before, and who says that it was this."""
    asked: list[Sighting] = []

    def read(thing: Sighting, _: Sequence[Image]) -> int | None:
        asked.append(thing)
        return value

    return asked, read


@pytest.mark.parametrize(
    ("place", "angle", "shown", "asks", "had"),
    [
        (PLACE, 20.0, None, False, False),
        (PLACE, 50.0, 4, True, False),
        (PLACE, 50.0, 3, True, True),
        (PLACE, 50.0, None, True, True),
        (ASIDE, 20.0, 4, False, True),
    ],
    ids=["as it lay", "turned, the same face", "another face", "nobody knows", "another elsewhere"],
)
def test_a_die_has_been_had_that_a_hand_was_over_and_that_does_not_show_what_it_showed(
    place: tuple[float, float], angle: float, shown: int | None, asks: bool, had: bool
) -> None:
    def path(t: float) -> Pose | None:
        return (lying(*PLACE, 4) if t < 0.9 else lying(*place, 4, angle))(t)

    found, die, number = lain(path, 1.6)
    asked, read = reading(shown)
    moment = found.tampered([number], [die], read, -math.inf)
    assert (moment is not None and 0.65 < moment[0] < 0.85) is had
    assert bool(asked) is asks


@pytest.mark.parametrize(
    ("flew", "shown", "had"),
    [(0.5, None, True), (1.0, 3, True), (1.0, None, False)],
    ids=["flew", "a die", "a fingertip"],
)
def test_what_nobody_can_read_and_a_hand_was_over_before_any_die_flew_was_none(
    flew: float, shown: int | None, had: bool
) -> None:
    found, die, number = lain(lambda t: (lying(*PLACE, 4) if t < 0.9 else lying(*ASIDE, 4))(t), 1.6)
    assert (found.tampered([number], [die], reading(shown)[1], flew) is not None) is had


@pytest.mark.parametrize(("since", "shown", "had"), [(0.65, None, False), (0.65, 3, True), (0.0, None, True)])
def test_of_what_lay_there_for_a_moment_it_is_known_how_it_lay_only_where_it_is_read(
    since: float, shown: int | None, had: bool
) -> None:
    found, die, number = lain(lambda t: (lying(*PLACE, 4, since=since) if t < 0.9 else lying(*PLACE, 4, 50.0))(t), 1.6)
    assert (found.tampered([number], [die], reading(shown)[1], -math.inf) is not None) is had


@pytest.mark.parametrize(("shown", "had"), [(None, False), (3, True)], ids=["a pattern", "a die"])
def test_what_looks_as_the_bare_floor_does_there_was_a_die_only_where_it_is_read(shown: int | None, had: bool) -> None:
    found, die, number = lain(lambda t: (lying(*PLACE, 4) if t < 0.9 else lying(*ASIDE, 4))(t), 1.6)
    found._lay = {n: replace(lay, thing=replace(lay.thing, bare=True)) for n, lay in found._lay.items()}
    assert (found.tampered([number], [die], reading(shown)[1], -math.inf) is not None) is had
    assert not found.is_away([], [])


@pytest.mark.parametrize(
    ("x", "flew", "had"),
    [(265.0, 0.3, True), (265.0, 0.9, False), (265.0, -math.inf, False), (205.0, 0.9, True)],
    ids=["after others flew", "before", "none flew", "clear of it"],
)
def test_how_a_die_lies_beside_a_hand_is_known_once_others_flew(x: float, flew: float, had: bool) -> None:
    waits = moving_hand((0.1, -60, 240), (0.4, x - 44, 240), (0.9, x - 44, 240), (1.0, 320, 240), (1.4, -60, 240))
    found, die, number = lain(
        lambda t: (lying(*PLACE, 4, since=0.45) if t < 1.1 else lying(*PLACE, 4, 50.0))(t), 1.8, waits
    )
    assert (found.tampered([number], [die], reading(3)[1], flew) is not None) is had


def test_what_lay_there_for_a_moment_is_forgotten_before_dice_are() -> None:
    found, _, number = lain(lying(*PLACE, 4), 0.5, None)
    moment = replace(found._lay[number], still=False)
    found._lay |= {number + n: moment for n in range(1, 2 * MOST)}
    perception, scene = next(perceived([], [], 0.1))
    found.step(scene, [], Lying(GEOMETRY), perception)
    assert number in found._lay and len(found._lay) == MOST


def test_a_die_that_no_hand_was_over_is_not_asked_for() -> None:
    found, die, number = lain(lying(*PLACE, 4), 1.0, None)
    asked, read = reading(3)
    assert found.tampered([number], [die], read, -math.inf) is None
    assert found.tampered([], [], read, -math.inf) is None
    assert not asked


@pytest.mark.parametrize(("number", "hand", "away"), [(0, False, True), (1, False, False), (1, True, True)])
def test_a_die_is_away_that_a_hand_has_had_or_that_is_none_of_those_at_rest(
    number: int, hand: bool, away: bool
) -> None:
    found, die, at = lain(lying(*PLACE, 4, until=0.9), 1.6 if hand else 0.5, OVER if hand else None)
    elsewhere = replace(die, x=ASIDE[0], y=ASIDE[1])
    assert found.is_away([number * at], [elsewhere]) is away
    assert not found.is_away([], [die])


@pytest.mark.parametrize(("t", "shown", "so"), [(1.0, 4, True), (1.0, 3, False), (0.0, 4, False)])
def test_a_die_lay_so_before_if_it_was_there_or_showed_the_same(t: float, shown: int, so: bool) -> None:
    found, die, number = lain(lying(*PLACE, 4), 0.5, None)
    assert found.lay_so(t, number, die, reading(None)[1]) is (t > 0.5)
    turned = replace(die, x=ASIDE[0], y=ASIDE[1])
    assert found.lay_so(t, number, turned, reading(shown)[1]) is so
    assert not found.lay_so(t, -1, turned, reading(shown)[1])
