"""The main loop: what is said depends on the frames and not on when they come."""

import io
import time
from collections.abc import Callable, Iterator
from itertools import islice

import cv2
import pytest

from calibration.file import load
from firmware.match import Desk, play
from firmware.play.sinks import json_lines
from firmware.sample import SAMPLE
from scorer.events import HandEntered, MatchPaused, PauseCalled
from scorer.presets import BHO
from scorer.umpire import Umpire
from vision.network import load_networks
from vision.source import Frame, open_source
from vision.watcher import Watcher

FRAMES = 105
"""Of the sample: its first throw is counted."""

Pace = Callable[[Iterator[Frame]], Iterator[Frame]]


def at_once(frames: Iterator[Frame]) -> Iterator[Frame]:
    yield from frames


def in_bursts(frames: Iterator[Frame]) -> Iterator[Frame]:
    """Nothing for a while, then twenty frames that piled up."""
    while burst := list(islice(frames, 20)):
        time.sleep(0.05)
        yield from burst


def slowly(frames: Iterator[Frame]) -> Iterator[Frame]:
    for frame in frames:
        time.sleep(0.004 * (frame.index % 3))
        yield frame


def on_more_threads(frames: Iterator[Frame]) -> Iterator[Frame]:
    """As on a machine with more cores than the tests use."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(threads + 3)
    assert cv2.getNumThreads() == threads + 3
    try:
        yield from frames
    finally:
        cv2.setNumThreads(threads)


def record(pace: Pace) -> str:
    lines = io.StringIO()
    sink = json_lines(lines)
    with open_source(str(SAMPLE / "video.mp4")) as source:
        watcher = Watcher(load_networks(), load(SAMPLE / "calibration.toml").geometry)
        for moment in play(pace(islice(source, FRAMES)), watcher, Umpire(BHO, ("Ann", "Ben")), ()):
            sink(moment)
    return lines.getvalue()


@pytest.fixture(scope="module")
def recorded() -> str:
    return record(at_once)


@pytest.mark.parametrize("pace", [in_bursts, slowly, on_more_threads])
def test_the_same_frames_give_the_same_bytes_at_any_pace(recorded: str, pace: Pace) -> None:
    assert "RollCounted" in recorded
    assert record(pace) == recorded


def test_what_was_said_at_a_frame_comes_after_what_was_seen_in_it_when_that_is_watched_again() -> None:
    """The record writes 3.033 s for frame 91 of a film of 30 frames a second."""
    desk, t = Desk(Umpire(BHO, ["Ann"]), [PauseCalled(t=3.033)]), 91 / 30
    desk.start()
    seen = HandEntered(t=3.0, frame=90, t_said=t)
    assert desk.at(t, [seen]) == (seen,)
    assert [type(fact) for fact in desk.at(92 / 30, [])] == [PauseCalled, MatchPaused]
