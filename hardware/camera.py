"""The Raspberry Pi's own camera through picamera2: timed pictures, its light settings held fixed where given."""

import importlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hardware.errors import CameraError

Image = NDArray[np.uint8]
"""uint8 BGR, h x w x 3."""

_BGR = "RGB888"
"""What libcamera calls three bytes to a pixel, the lowest blue: the order that OpenCV names BGR."""

_PATIENCE_S = 5.0
"""A camera that sends nothing for this long has stopped."""


@dataclass(frozen=True, slots=True)
class Light:
    """Fixed light settings: exposure in microseconds, analogue gain, and the gains of red and blue over green."""

    exposure_us: int
    gain: float
    white_balance: tuple[float, float]

    def controls(self) -> dict[str, Any]:
        """As libcamera names them, with what would move them switched off."""
        return {
            "AeEnable": False,
            "ExposureTime": self.exposure_us,
            "AnalogueGain": self.gain,
            "AwbEnable": False,
            "ColourGains": self.white_balance,
        }


class Camera:
    """An open, running camera: iterate over it for its pictures; close it, or use it in a `with`."""

    def __init__(self, picamera: Any, size: tuple[int, int], fps: float, missing: tuple[str, ...] = ()) -> None:
        """`missing`: the settings asked for that this camera does not have."""
        self._picamera = picamera
        self.size = size
        self.fps = fps
        self.missing = missing

    def __iter__(self) -> Iterator[tuple[int, float, Image]]:
        """Each picture's number from 0, the second its exposure began after the first one's, and the picture.

        They come as the camera takes them, until it is closed. Those not fetched in time are passed over: `t` tells
        of the gap, the numbers do not.

        Raises:
            CameraError: the camera sends no more pictures.
        """
        index, first = 0, None
        while self._picamera is not None:
            stamp, image = self._capture()
            first = stamp if first is None else first
            yield index, (stamp - first) / 1e9, image
            index += 1

    def close(self) -> None:
        """Stop and let go of the camera; once closed, nothing."""
        picamera, self._picamera = self._picamera, None
        if picamera is not None:
            picamera.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _capture(self) -> tuple[int, Image]:
        """The sensor's time stamp (ns) and the next picture."""
        try:
            request = self._picamera.capture_request(wait=_PATIENCE_S)
        except TimeoutError as error:
            self._picamera.cancel_all_and_flush()  # or closing it would wait for the picture that never comes
            raise CameraError("the camera sends no pictures any more: check its cable") from error
        try:
            return int(request.get_metadata()["SensorTimestamp"]), request.make_array("main")
        finally:
            request.release()


def camera_present() -> bool:
    """Whether picamera2 is installed and finds a camera on the Pi's own connector (USB cameras do not count)."""
    try:
        return bool(_own_cameras(importlib.import_module("picamera2")))
    except Exception:  # a broken libcamera fails in ways of its own: then there is no camera to use
        return False


def camera_name() -> str:
    """The model and place of the Pi's own camera, "" where there is none."""
    try:
        picamera2 = importlib.import_module("picamera2")
        cameras = picamera2.Picamera2.global_camera_info()
        own = _own_cameras(picamera2)
    except Exception:  # as above
        return ""
    return f"{cameras[own[0]].get('Model', 'camera')} {cameras[own[0]]['Id']}" if own else ""


def open_camera(size: tuple[int, int] = (1280, 720), fps: float = 30.0, light: Light | None = None) -> Camera:
    """Start the Pi's first camera at `size` px (width, height), with `light` held fixed where given and where it can.

    Raises:
        CameraError: picamera2 is missing, there is no camera, another program has it, or
            its pictures are others than those asked for.
    """
    try:
        picamera2 = importlib.import_module("picamera2")
    except ImportError as error:
        raise CameraError(
            "no camera: picamera2 is not installed (on a Pi: sudo apt install python3-picamera2)"
        ) from error
    cameras = _own_cameras(picamera2)
    if not cameras:
        raise CameraError("no camera found: check its cable, or run `rpicam-hello --list-cameras`")
    try:
        picamera = picamera2.Picamera2(cameras[0])
    except (RuntimeError, OSError) as error:
        raise CameraError(f"the camera cannot be opened ({error}): does another program use it?") from error
    try:
        missing = _start(picamera, size, fps, light)
    except BaseException:
        with suppress(RuntimeError):
            picamera.close()
        raise
    return Camera(picamera, size, fps, missing)


def _own_cameras(picamera2: Any) -> list[int]:
    """The places in picamera2's list of the cameras on the Pi's own connectors."""
    cameras = picamera2.Picamera2.global_camera_info()
    return [place for place, camera in enumerate(cameras) if "/usb" not in camera["Id"]]


def _start(picamera: Any, size: tuple[int, int], fps: float, light: Light | None) -> tuple[str, ...]:
    """Start it, with as many of the settings as it has; those that it has not."""
    frame_us = round(1e6 / fps)
    wanted = {"FrameDurationLimits": (frame_us, frame_us)} | (light.controls() if light else {})
    controls = {name: value for name, value in wanted.items() if name in picamera.camera_controls}
    picamera.configure(picamera.create_video_configuration(main={"size": size, "format": _BGR}, controls=controls))
    main = picamera.camera_configuration()["main"]
    if (main["format"], tuple(main["size"])) != (_BGR, size):
        width, height = main["size"]
        raise CameraError(
            f"this camera gives {width} x {height} {main['format']}, not {size[0]} x {size[1]} {_BGR}: choose its size"
        )
    picamera.start()
    return tuple(name for name in wanted if name not in controls)
