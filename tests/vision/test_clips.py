"""Filmed throws: what is said of real dice, hands and shadows. No clip is confirmed wrongly."""

import math
from itertools import takewhile
from pathlib import Path

import pytest

from calibration.find import find_tray
from scorer.events import BodyInterfered, DiceAtRest, DiceThrown, TrayEvent, ViewLost
from tests.shared_data import SHARED, needs_shared
from vision.geometry import TrayGeometry
from vision.network import Networks
from vision.source import open_source
from vision.watcher import Watcher

CLIPS = SHARED / "real" / "videos"

pytestmark = needs_shared


def watch(networks: Networks, clip: Path, geometry: TrayGeometry, until: float = math.inf) -> list[TrayEvent]:
    with open_source(str(clip)) as source:
        watcher = Watcher(networks, geometry)
        return [event for frame in takewhile(lambda f: f.t < until, source) for event in watcher.step(frame)]


def rests(events: list[TrayEvent]) -> list[tuple[int, list[int | None]]]:
    """Frame and values of every throw at rest."""
    found = [event for event in events if isinstance(event, DiceAtRest) and event.thrown]
    return [(rest.frame, sorted((die.value for die in rest.dice), key=lambda v: v or 0)) for rest in found]


@pytest.mark.parametrize(
    ("name", "frame", "values"),
    [("tuia_tirada_1.mp4", 66, [1, 1, 2, 3, 4]), ("tuia_tirada_6_overlay.mp4", 60, [1, 3, 4, 4, 6])],
)
def test_five_translucent_dice_on_an_uncalibrated_tray(
    networks: Networks, name: str, frame: int, values: list[int]
) -> None:
    with open_source(str(CLIPS / name)) as source:
        calibration = find_tray(networks, takewhile(lambda f: f.t <= 10, source))
    assert 55 < calibration.die_px < 72
    events = watch(networks, CLIPS / name, calibration.geometry)
    ((at, read),) = rests(events)
    assert read == values
    assert abs(at - frame) <= 5
    (throw,) = [event for event in events if isinstance(event, DiceThrown)]
    assert throw.count == 5
    assert throw.t_last - throw.t_first < 1.0
    assert not throw.tumble or max(throw.tumble) > 0.1
    assert not [event for event in events if isinstance(event, ViewLost | BodyInterfered)]


def test_hand_that_comes_back_at_once_leaves_no_rest_to_speak_of(networks: Networks) -> None:
    floor = ((40.0, 60.0), (1040.0, 60.0), (1010.0, 1600.0), (40.0, 1600.0))
    events = watch(networks, CLIPS / "tuia_tirada_5_overlay.mp4", TrayGeometry(floor, 63.0, (1078, 1674)))
    assert rests(events) == []


def test_single_dice_on_plain_cloth(networks: Networks) -> None:
    floor = ((39.0, 39.0), (1241.0, 39.0), (1241.0, 681.0), (39.0, 681.0))
    events = watch(networks, CLIPS / "stock_green_singles.mp4", TrayGeometry(floor, 130.0, (1280, 720)))
    labelled = [(95, [2]), (143, [3]), (210, [4]), (294, [5]), (371, [6]), (473, [5, 6])]
    found = rests(events)
    for frame, values in labelled:
        assert any(abs(at - frame) <= 8 and read == values for at, read in found), (frame, values)
    assert len(found) == 8  # one throw before and one after those labelled


@pytest.mark.parametrize(
    ("name", "die_px", "until"), [("imciechan_test10es.mp4", 28.0, 0.6), ("imciechan_test6big.mp4", 36.0, math.inf)]
)
def test_handheld_clips_are_not_confirmed(networks: Networks, name: str, die_px: float, until: float) -> None:
    """The first, with dozens of things to read in each picture, is watched for a moment."""
    floor = ((10.0, 10.0), (310.0, 10.0), (310.0, 566.0), (10.0, 566.0))
    assert rests(watch(networks, CLIPS / name, TrayGeometry(floor, die_px, (320, 576)), until)) == []
