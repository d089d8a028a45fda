"""Interference: a thrown die that moved until a hand was near it, or has moved since, was not left to come to rest."""

import cv2
import numpy as np
import pytest

from vision.geometry import TrayGeometry
from vision.interference import Interference
from vision.rest import Past
from vision.track import Sighting, Track

GEOMETRY = TrayGeometry(((0, 0), (240, 0), (240, 240), (0, 240)), 40.0, (240, 240))
FPS = 30.0


def look(frame: int, x: float) -> Past:
    """A die with its left edge at `x` in a picture of 240x240 px."""
    image = np.full((240, 240), 90, np.uint8)
    cv2.rectangle(image, (round(x), 100), (round(x) + 40, 140), 220, -1)
    return Past(frame / FPS, image, 1.0, frame)


@pytest.mark.parametrize(
    ("stops", "covered", "left", "travel", "moving"),
    [
        (9, 9, 0.2, 0.0, True),
        (9, 9, 0.0, 0.0, False),
        (9, 9, 0.0, 1.5, True),
        (9, 99, 0.2, 0.0, True),
        (3, 9, 0.2, 0.0, False),
        (3, 99, 0.2, 0.0, False),
    ],
    ids=["until covered", "a finger at rest", "no finger goes so far", "on in sight", "lay before", "lies in sight"],
)
def test_only_a_die_that_moved_when_the_hand_came_was_interfered_with(
    stops: int, covered: int, left: float, travel: float, moving: bool
) -> None:
    interference, looks = Interference(), []
    for frame in range(13):
        x = 60.0 + 6 * min(frame, 12 if covered > 12 and moving else stops)
        thing = Sighting(x + 20, 120.0, 40.0, 0.9, still=False, near_body=frame >= covered)
        looks.append(look(frame, x))
        interference.step(frame / FPS, [Track(1, thing, frame / FPS, 0.0, thing, free=(0.0, 0), travel=travel)])
    assert interference.moving(left, 10 / FPS, looks, GEOMETRY) is moving


@pytest.mark.parametrize(("lay", "moving"), [(False, True), (True, False)], ids=["was moving", "lay there"])
def test_what_changes_little_after_the_hand_came_moves_on_if_it_was_moving(lay: bool, moving: bool) -> None:
    interference, looks = Interference(), []
    for frame in range(13):
        x = 60.0 + 4 * (10 if lay else min(frame, 10)) + max(0, frame - 10) / 2
        thing = Sighting(x + 20, 120.0, 40.0, 0.9, still=False, near_body=False)
        looks.append(look(frame, x))
        interference.step(frame / FPS, [Track(1, thing, frame / FPS, 0.0, thing, free=(0.0, 0))])
    assert interference.moving(0.2, 10 / FPS, looks, GEOMETRY) is moving


@pytest.mark.parametrize(
    ("step", "still", "said"), [(0.4, False, True), (0.0, False, False), (0.4, True, False)], ids=str
)
def test_a_die_that_was_not_known_to_lie_when_the_hand_came_is_watched_until_it_does(
    step: float, still: bool, said: bool
) -> None:
    interference, looks, found = Interference(), [], []
    for frame in range(18):
        x = 60.0 + step * frame
        thing = Sighting(x + 20, 120.0, 40.0, 0.9, still=still, near_body=False)
        looks.append(look(frame, x))
        interference.step(frame / FPS, [Track(1, thing, frame / FPS, 0.0, thing, free=(0.0, 0))])
        if frame == 11:
            assert not interference.moving(0.2, 10 / FPS, looks, GEOMETRY)
            interference.watch((10 / FPS, 10))
        found.append(interference.moved_on(frame / FPS, looks, GEOMETRY))
    assert [came for came in found if came] == [(10 / FPS, 10)] * said


def test_a_die_not_seen_clear_for_long_says_nothing() -> None:
    interference = Interference()
    thing = Sighting(80.0, 120.0, 40.0, 0.9, still=False, near_body=False)
    interference.step(0.0, [Track(1, thing, 0.0, 0.0, thing)])
    interference.step(1.0, [])
    assert not interference.moving(0.5, 1.0, [look(0, 60), look(30, 90)], GEOMETRY)
