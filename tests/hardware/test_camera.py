"""The Pi's camera. picamera2 runs on a Pi alone: a stand-in that refuses what the real one refuses takes its place."""

import importlib.util
from itertools import islice
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hardware.camera import Light, camera_name, open_camera, why_no_camera
from hardware.errors import CameraError, HardwareError

SIZE = (64, 48)
LIGHT = Light(exposure_us=4000, gain=2.0, white_balance=(1.8, 1.5))


class Request:
    """A picture and its metadata; what is not given back starves the camera."""

    def __init__(self, camera: "Picamera2", number: int) -> None:
        self.camera = camera
        self.number = number

    def get_metadata(self) -> dict[str, Any]:
        stamp = {"SensorTimestamp": 5_000_000_000 + self.number * 33_333_000}
        return stamp | {"ExposureTime": 8000, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.4), "LensPosition": 2.5}

    def make_array(self, name: str) -> np.ndarray:
        width, height = self.camera.camera_configuration()[name]["size"]
        return np.full((height, width, 3), self.number, np.uint8)

    def make_buffer(self, name: str) -> np.ndarray:
        """NV12: a grey picture as bright as its number, in rows of 80 bytes."""
        height = self.camera.camera_configuration()[name]["size"][1]
        return np.concatenate([np.full(80 * height, self.number, np.uint8), np.full(40 * height, 128, np.uint8)])

    def release(self) -> None:
        self.camera.held -= 1


class Picamera2:
    """As much of picamera2's camera as is used, with the settings that `attached` says it has."""

    attached: tuple[str, ...] = ("/base/soc/i2c0mux/i2c@1/imx708@1a",)
    settings: tuple[str, ...] = (
        "FrameDurationLimits",
        "AeEnable",
        "ExposureTime",
        "AnalogueGain",
        "AwbEnable",
        "ColourGains",
    )
    formats = ("RGB888",)
    pictures = 100
    opened: "Picamera2"

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return [{"Num": number, "Id": name} for number, name in enumerate(cls.attached)]

    def __init__(self, number: int) -> None:
        self.number, self.held, self.taken, self.closed, self.flushed = number, 0, 0, 0, False
        self.started = False
        self.changed: list[dict[str, Any]] = []
        self.camera_controls = dict.fromkeys(self.settings, (0, 1, 0))
        self.configuration: dict[str, Any] = {}
        Picamera2.opened = self

    def create_video_configuration(self, main: dict[str, Any], controls: dict[str, Any]) -> dict[str, Any]:
        return {"main": dict(main), "controls": controls}

    def configure(self, configuration: dict[str, Any]) -> None:
        if configuration["main"]["format"] not in self.formats:
            configuration["main"]["format"] = self.formats[0]  # picamera2 says so in a line of its log alone
        configuration["main"]["stride"] = 80
        self.configuration = configuration

    def camera_configuration(self) -> dict[str, Any]:
        return self.configuration

    def start(self) -> None:
        self.started = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        assert set(controls) <= set(self.camera_controls)
        self.changed.append(controls)

    def capture_request(self, wait: float) -> Request:
        assert self.started and wait > 0 and self.held < 6
        if self.taken == self.pictures:
            raise TimeoutError
        self.held += 1
        self.taken += 1
        return Request(self, self.taken)

    def cancel_all_and_flush(self) -> None:
        self.flushed = True

    def close(self) -> None:
        assert self.flushed or self.taken < self.pictures, "closing would wait for ever"
        self.closed += 1


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[Picamera2]:
    class Own(Picamera2):
        """A test's own copy, to change."""

    monkeypatch.setitem(__import__("sys").modules, "picamera2", SimpleNamespace(Picamera2=Own))
    return Own


@pytest.mark.skipif(importlib.util.find_spec("picamera2") is not None, reason="picamera2 is installed here")
def test_without_picamera2_there_is_no_camera() -> None:
    assert why_no_camera().startswith("no camera: picamera2 is not installed")
    with pytest.raises(HardwareError, match=r"no camera: picamera2 is not installed .*apt install python3-picamera2"):
        open_camera()


def test_camera_is_present(picamera2: type[Picamera2]) -> None:
    assert why_no_camera() == ""
    assert camera_name() == "camera /base/soc/i2c0mux/i2c@1/imx708@1a"


@pytest.mark.parametrize("attached", [(), ("/base/scb/pcie/usb-1.2:1.0-046d:0825",)])
def test_no_camera_or_a_usb_camera_alone(attached: tuple[str, ...], picamera2: type[Picamera2]) -> None:
    picamera2.attached = attached
    assert why_no_camera().startswith("no camera found")
    assert camera_name() == ""
    with pytest.raises(CameraError, match="no camera found"):
        open_camera()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("libcamera: no such symbol"), "RuntimeError: libcamera: no such symbol"),
        (ValueError("numpy.dtype size changed,\nmay indicate"), "ValueError: numpy.dtype size changed, may indicate"),
        (ModuleNotFoundError("No module named 'libcamera'", name="libcamera"), "No module named 'libcamera'"),
    ],
)
def test_broken_picamera2_is_no_camera_and_says_so(
    error: Exception, said: str, picamera2: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> list[dict[str, Any]]:
        raise error

    monkeypatch.setattr(picamera2, "global_camera_info", broken)
    assert why_no_camera().startswith("no camera: picamera2 fails (")
    assert said in why_no_camera()
    with pytest.raises(CameraError, match="picamera2 fails"):
        open_camera()


def test_pictures_come_numbered_with_the_sensors_time(picamera2: type[Picamera2]) -> None:
    with open_camera(SIZE, 30.0) as camera:
        frames = list(islice(camera, 20))
    assert [index for index, _, _ in frames] == list(range(20))
    assert [t for _, t, _ in frames] == pytest.approx([0.033333 * number for number in range(20)])
    assert frames[2][2].shape == (48, 64, 3)
    assert picamera2.opened.held == 0
    assert picamera2.opened.closed == 1


def test_light_is_held_fixed(picamera2: type[Picamera2]) -> None:
    open_camera(SIZE, 50.0, LIGHT).close()
    assert picamera2.opened.configuration["controls"] == {
        "FrameDurationLimits": (20000, 20000),
        "AeEnable": False,
        "ExposureTime": 4000,
        "AnalogueGain": 2.0,
        "AwbEnable": False,
        "ColourGains": (1.8, 1.5),
    }


def test_light_that_the_camera_chose_is_held_after_a_second(picamera2: type[Picamera2]) -> None:
    with open_camera(SIZE, 30.0) as camera:
        assert set(picamera2.opened.configuration["controls"]) == {"FrameDurationLimits"}
        list(islice(camera, 29))
        assert camera.light is None and not picamera2.opened.changed
        list(islice(camera, 40))
        assert camera.light == Light(8000, 1.5, (1.9, 1.4), 2.5)
    assert picamera2.opened.changed == [
        {"AeEnable": False, "ExposureTime": 8000, "AnalogueGain": 1.5, "AwbEnable": False, "ColourGains": (1.9, 1.4)}
    ]


def test_focus_is_held_fixed(picamera2: type[Picamera2]) -> None:
    picamera2.settings = ("FrameDurationLimits", "AfMode", "LensPosition")
    with open_camera(SIZE, 30.0, Light(focus=2.0)) as camera:
        assert camera.missing == ()
    assert picamera2.opened.configuration["controls"] == {
        "FrameDurationLimits": (33333, 33333), "AfMode": 0, "LensPosition": 2.0
    }  # fmt: skip


def test_camera_that_cannot_hold_its_light_is_used_and_says_so(picamera2: type[Picamera2]) -> None:
    picamera2.settings = ("FrameDurationLimits", "AeEnable")
    with open_camera(SIZE, 30.0, LIGHT) as camera:
        assert camera.missing == ("ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains")
        assert len(list(islice(camera, 3))) == 3
    assert set(picamera2.opened.configuration["controls"]) == {"FrameDurationLimits", "AeEnable"}


def test_camera_that_gives_brightness_and_colours_apart(picamera2: type[Picamera2]) -> None:
    picamera2.formats = ("NV12",)
    with open_camera(SIZE) as camera:
        *_, (_, _, picture) = islice(camera, 50)
    assert picture.shape == (48, 64, 3)
    assert {int(v) for v in np.unique(picture)} == {round((50 - 16) * 255 / 219)}


def test_camera_that_gives_other_pictures(picamera2: type[Picamera2]) -> None:
    picamera2.formats = ("MJPEG",)
    with pytest.raises(CameraError, match="gives 64 x 48 MJPEG, not 64 x 48 RGB888"):
        open_camera(SIZE)
    assert picamera2.opened.closed == 1


def test_camera_in_use_elsewhere(picamera2: type[Picamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(_camera: Picamera2, _number: int) -> None:
        raise RuntimeError("Camera __init__ sequence did not complete.")

    monkeypatch.setattr(picamera2, "__init__", busy)
    with pytest.raises(CameraError, match="does another program use it"):
        open_camera(SIZE)


def test_camera_that_stops_is_said_and_can_be_closed(picamera2: type[Picamera2]) -> None:
    picamera2.pictures = 3
    with open_camera(SIZE) as camera:
        frames = iter(camera)
        assert len(list(islice(frames, 3))) == 3
        with pytest.raises(CameraError, match="no pictures any more"):
            next(frames)
    assert picamera2.opened.closed == 1


def test_closed_camera_ends_and_closes_once(picamera2: type[Picamera2]) -> None:
    camera = open_camera(SIZE)
    frames = iter(camera)
    next(frames)
    camera.close()
    camera.close()
    assert list(frames) == []
    assert picamera2.opened.closed == 1
