"""Cameras of the kernel: a film through libcamera and picamera2 into a ruling, a USB camera unplugged and put back."""

import time
from collections.abc import Callable
from itertools import islice, pairwise
from pathlib import Path
from threading import Event

import cv2
import numpy as np
import pytest

from calibration.file import load
from firmware.play.capture import Camera, From, Taken
from firmware.play.parts import Mailbox, Part
from firmware.play.sources import open_frames
from firmware.sample import SAMPLE
from hardware.camera import Light, camera_name, open_camera
from scorer.events import RollCounted
from scorer.presets import BHO
from scorer.umpire import Umpire
from tests.pi.virtual_camera import prepare
from vision.network import load_networks
from vision.source import Frame
from vision.watcher import Watcher

FILM = Path("/opt/film")
FPS = 15
MOST = 2000
"""A slow machine misses pictures, which come again; but not for ever."""
SIZE = (640, 480)
VIVID = Path("/sys/bus/platform/drivers/vivid")


@pytest.fixture(scope="module")
def film() -> list[np.ndarray]:
    """The film as picamera2 gives it: each of its pictures once, in its order, as a slow machine misses some."""
    prepare()
    count, taken = len(list(FILM.glob("*.jpg"))), dict[int, np.ndarray]()
    with open_camera(SIZE, 4.0, Light(exposure_us=8000)) as camera:
        assert camera.missing == ("AeEnable", "ExposureTime")  # this camera has no such settings
        times = []
        for _, t, picture in islice(camera, MOST):
            times.append(t)
            taken.setdefault(number_of(picture), picture)
            if len(taken) == count:
                break
        assert times[0] == 0 and all(later > earlier for earlier, later in pairwise(times))
    return [taken[number] for number in range(count)]


def number_of(picture: np.ndarray) -> int:
    """The number in its corner, in bits of black or white; what is below is drawn over it."""
    bits = [picture[4:12, 16 * bit + 4 : 16 * bit + 12].mean() > 128 for bit in range(5)]
    picture[:16, :80] = picture[16:32, :80]
    return sum(int(lit) << bit for bit, lit in enumerate(bits))


def test_the_camera_is_named() -> None:
    assert "film" in camera_name().lower()


def test_a_film_through_picamera2_becomes_a_counted_roll(film: list[np.ndarray]) -> None:
    umpire = Umpire(BHO, ("Ann", "Ben"))
    umpire.start()
    watcher = Watcher(load_networks(None), load(SAMPLE / "calibration.toml").geometry)
    rulings = [
        ruling
        for index, picture in enumerate(film)
        for event in watcher.step(Frame(index, index / FPS, picture))
        for ruling in umpire.on(event)
    ]
    assert [ruling.values for ruling in rulings if isinstance(ruling, RollCounted)] == [(2, 2, 3, 5, 5)]


def test_the_film_is_shown_as_it_is(film: list[np.ndarray]) -> None:
    for number, picture in enumerate(film):
        as_filmed = cv2.imread(str(FILM / f"{number:03}.jpg"))
        assert as_filmed is not None
        assert np.abs(picture[16:].astype(int) - as_filmed[16:]).mean() < 8  # brightness came as NV12, in another range


def test_usb_camera_is_unplugged_and_put_back() -> None:
    number = next(
        path.name.removeprefix("video")
        for path in Path("/sys/class/video4linux").glob("video*")
        if "vid-cap" in (path / "name").read_text()
    )
    spec = f"usb:{number}"
    frames, stop = Mailbox[Taken](3), Event()
    part = Part("capture", Camera(open_frames(spec), lambda: open_frames(spec), frames, stop, From()), stop)
    part.start()
    try:
        last = next_frame(frames)
        (VIVID / "unbind").write_text("vivid.0")
        wait_until(lambda: part.error is not None)
        unplugged = time.monotonic()
        (VIVID / "bind").write_text("vivid.0")
        while True:
            taken = next_frame(frames)
            if taken.at > unplugged:
                break
        assert part.restarts >= 1
        assert taken.frame is not None and last.frame is not None
        assert taken.frame.t > last.frame.t and taken.frame.index > last.frame.index
        print(f"pictures {time.monotonic() - unplugged:.1f} s after the camera was put back")
    finally:
        stop.set()
        part.join(30)


def next_frame(frames: Mailbox[Taken]) -> Taken:
    for _ in range(1200):
        taken = frames.take(0.1)
        if taken is not None:
            return taken
    raise AssertionError("no frame came")


def wait_until(so: Callable[[], bool]) -> None:
    for _ in range(1200):
        if so():
            return
        time.sleep(0.1)
    raise AssertionError("it never was so")
