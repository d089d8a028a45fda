"""What watching costs, by what goes on in the tray: the whole of vision for each frame of the sample match."""

import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.file import load
from scorer.events import DiceAtRest, TrayEvent
from vision.geometry import TrayGeometry
from vision.network import Networks
from vision.source import Frame, open_source
from vision.view import Phase
from vision.watcher import Watcher

Image = npt.NDArray[np.uint8]

SAMPLE = Path(__file__).parents[1] / "firmware" / "sample"
LARGE = (1920, 1080)
LARGE_FRAMES = 420
"""Of the sample are watched enlarged: its first turn, with two throws and the dice taken away."""
IDLE_FRAMES = 150
READ, IDLE, ALL = "dice are read", "nothing changes", "all"
UNCHANGED = "nothing changes, but for the looks anew four times a second"
CALLED: dict[Phase, str] = {
    "rolling": "rolling",
    "moving": "rolling",
    "reading": READ,
    "settled": "at rest",
    "waiting": "empty",
    "hand": "a hand in",
    "lost": "the view lost",
}


def watching(networks: Networks, fps: float, large: bool = False) -> Mapping[str, float]:
    """Mean CPU ms for a frame by what goes on in it; the sample's frames are stamped as if taken at `fps`.

    `nothing changes` is one frame of dice at rest again and again, of which some are looked at anew (without those: the
    median), `all` the mean over the match. Decoding is not counted.
    """
    geometry = load(SAMPLE / "calibration.toml").geometry
    geometry = enlarged_tray(geometry) if large else geometry
    watcher = Watcher(networks, geometry)
    spent: defaultdict[str, list[float]] = defaultdict(list)
    at_rest = np.zeros(0, np.uint8)
    for frame in _frames(fps, large):
        ms, events = _step(watcher, frame)
        read = any(isinstance(event, DiceAtRest) for event in events)
        for name in (READ if read else CALLED[watcher.view.phase], ALL):
            spent[name].append(ms)
        at_rest = frame.image if watcher.view.phase == "settled" else at_rest
    spent[IDLE] = _idle(Watcher(networks, geometry), at_rest, fps)
    means = {
        name: statistics.fmean(spent[name]) for name in (IDLE, *dict.fromkeys(CALLED.values()), ALL) if spent[name]
    }
    return {UNCHANGED: statistics.median(spent[IDLE]), **means}


def _idle(watcher: Watcher, image: Image, fps: float) -> list[float]:
    """CPU ms for each look at the same picture, once the dice in it have been read."""
    frames = (Frame(index, index / fps, image) for index in range(round(fps) + IDLE_FRAMES))
    return [_step(watcher, frame)[0] for frame in frames][-IDLE_FRAMES:]


def _step(watcher: Watcher, frame: Frame) -> tuple[float, list[TrayEvent]]:
    """CPU ms for a frame, and what was said of it."""
    start = time.thread_time()
    events = watcher.step(frame)
    return (time.thread_time() - start) * 1000, events


def _frames(fps: float, large: bool) -> Iterator[Frame]:
    with open_source(str(SAMPLE / "video.mp4")) as source:
        for frame in islice(source, LARGE_FRAMES if large else None):
            yield Frame(frame.index, frame.index / fps, enlarged(frame.image) if large else frame.image)


def enlarged(picture: Image) -> Image:
    """The picture as the middle of one of 1920x1080 px."""
    factor, side = _enlargement(picture.shape[1], picture.shape[0])
    scaled = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
    right = LARGE[0] - side - scaled.shape[1]
    return np.asarray(cv2.copyMakeBorder(scaled, 0, 0, side, right, cv2.BORDER_REPLICATE), np.uint8)


def enlarged_tray(tray: TrayGeometry) -> TrayGeometry:
    """The tray in the enlarged picture; its places in mm are those of dice, not of the homography."""
    factor, side = _enlargement(*tray.size)
    floor = tuple((x * factor + side, y * factor) for x, y in tray.floor)
    return TrayGeometry(floor, tray.die_px * factor, LARGE, tray.die_mm)


def _enlargement(width: int, height: int) -> tuple[float, int]:
    """The factor, and the px added at the left."""
    factor = LARGE[1] / height
    return factor, (LARGE[0] - round(width * factor)) // 2
