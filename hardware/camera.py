"""The Raspberry Pi's own camera through picamera2: timed pictures, its light and focus held fixed where given.

There is one stream: rest and values are decided on its detail, and to shrink it takes a twentieth of the looking at it.
"""

import importlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.closing import Closing
from hardware.errors import CameraError

Image = NDArray[np.uint8]
"""uint8 BGR, h x w x 3."""

_BGR = "RGB888"
"""What libcamera calls three bytes to a pixel, the lowest blue: the order that OpenCV names BGR."""

_NV12 = "NV12"
"""Brightness, then blue and red at half the size: what some cameras give whatever they are asked for."""

_PATIENCE_S = 5.0
"""A camera that sends nothing for this long has stopped."""
SETTLED_S = 1.0
"""So long after its first picture a camera has found its light and focus; from then on they are held."""


@dataclass(frozen=True, slots=True)
class Light:
    """Fixed settings: exposure in microseconds, analogue gain, the gains of red and blue over green, focus in dioptres
    (1 / distance in metres); None of each leaves it to the camera."""

    exposure_us: int | None = None
    gain: float | None = None
    white_balance: tuple[float, float] | None = None
    focus: float | None = None

    @classmethod
    def of(cls, metadata: Mapping[str, Any]) -> "Light":
        """What the camera itself chose for a picture, by libcamera's metadata of it."""
        red_blue = metadata.get("ColourGains")
        balance = (float(red_blue[0]), float(red_blue[1])) if red_blue else None
        return cls(metadata.get("ExposureTime"), metadata.get("AnalogueGain"), balance, metadata.get("LensPosition"))

    def controls(self) -> dict[str, Any]:
        """As libcamera names them, with what would move them switched off."""
        wanted: dict[str, Any] = {}
        if self.exposure_us is not None or self.gain is not None:
            wanted |= {"AeEnable": False, "ExposureTime": self.exposure_us, "AnalogueGain": self.gain}
        if self.white_balance is not None:
            wanted |= {"AwbEnable": False, "ColourGains": self.white_balance}
        if self.focus is not None:
            wanted |= {"AfMode": _MANUAL, "LensPosition": self.focus}
        return {name: value for name, value in wanted.items() if value is not None}


_MANUAL = 0
"""libcamera's AfModeManual."""


class Camera(Closing):
    """An open, running camera: iterate over it for its pictures; close it, or use it in a `with`."""

    def __init__(
        self, picamera: Any, size: tuple[int, int], fps: float, missing: tuple[str, ...] = (), stride: int = 0
    ) -> None:
        """`missing`: the settings asked for that this camera does not have. `stride`: bytes a row of NV12, else 0."""
        self._picamera, self._stride = picamera, stride
        self.light: Light | None = None
        """What is held fixed, once it is."""
        self._metadata: Mapping[str, Any] = {}
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
            if self.light is None and stamp - first >= SETTLED_S * 1e9:
                self._hold()
            yield index, (stamp - first) / 1e9, image
            index += 1

    def _hold(self) -> None:
        """Hold light and focus as they are: a value that the camera changes is no change on the table."""
        self.light = Light.of(self._metadata)
        known = self._picamera.camera_controls
        held = {name: value for name, value in self.light.controls().items() if name in known}
        if held:
            self._picamera.set_controls(held)

    def close(self) -> None:
        """Stop and let go of the camera; once closed, nothing."""
        picamera, self._picamera = self._picamera, None
        if picamera is not None:
            picamera.close()

    def _capture(self) -> tuple[int, Image]:
        """The sensor's time stamp (ns) and the next picture."""
        try:
            request = self._picamera.capture_request(wait=_PATIENCE_S)
        except TimeoutError as error:
            self._picamera.cancel_all_and_flush()  # or closing it would wait for the picture that never comes
            raise CameraError("the camera sends no pictures any more: check its cable") from error
        try:
            self._metadata = request.get_metadata()
            return int(self._metadata["SensorTimestamp"]), self._picture(request)
        finally:
            request.release()

    def _picture(self, request: Any) -> Image:
        if not self._stride:
            picture: Image = request.make_array("main")
            return picture
        width, height = self.size
        planes = np.frombuffer(request.make_buffer("main"), np.uint8)[: self._stride * height * 3 // 2]
        planes = np.ascontiguousarray(planes.reshape(-1, self._stride)[:, :width])
        return np.asarray(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_NV12), np.uint8)


def why_no_camera() -> str:
    """Why there is no camera on the Pi's own connector (USB cameras do not count), in a line; "" where there is one."""
    try:
        _attached()
    except CameraError as error:
        return str(error)
    return ""


def camera_name() -> str:
    """The model and place of the Pi's own camera, "" where there is none."""
    try:
        _, _, camera = _attached()
    except CameraError:
        return ""
    return f"{camera.get('Model', 'camera')} {camera['Id']}"


def open_camera(size: tuple[int, int] = (1280, 720), fps: float = 30.0, light: Light | None = None) -> Camera:
    """Start the Pi's first camera at `size` px (width, height), with `light` held fixed where it can.

    Without `light` what the camera chooses is held after a second.

    Raises:
        CameraError: picamera2 is missing or fails, there is no camera, another program has it, or
            its pictures are others than those asked for.
    """
    picamera2, place, _ = _attached()
    try:
        picamera = picamera2.Picamera2(place)
    except (RuntimeError, OSError) as error:
        raise CameraError(f"the camera cannot be opened ({error}): does another program use it?") from error
    try:
        missing, stride = _start(picamera, size, fps, light)
    except BaseException:
        with suppress(RuntimeError):
            picamera.close()
        raise
    camera = Camera(picamera, size, fps, missing, stride)
    camera.light = light
    return camera


def _attached() -> tuple[Any, int, dict[str, Any]]:
    """picamera2, the place in its list of the first camera on the Pi's own connectors, and what it says of that one.

    Raises CameraError where there is none: one that fails, whatever it raises, is told from one that is missing.
    """
    try:
        picamera2 = importlib.import_module("picamera2")
        cameras = picamera2.Picamera2.global_camera_info()
        own = [(place, camera) for place, camera in enumerate(cameras) if "/usb" not in camera["Id"]]
    except Exception as error:  # a broken libcamera, or a numpy that is not its own, fails in ways of its own
        if isinstance(error, ModuleNotFoundError) and error.name == "picamera2":
            missing = "no camera: picamera2 is not installed (on a Pi: sudo apt install python3-picamera2)"
            raise CameraError(missing) from error
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise CameraError(f"no camera: picamera2 fails ({said}): does `rpicam-hello` show a picture?") from error
    if not own:
        raise CameraError("no camera found: check its cable, or run `rpicam-hello --list-cameras`")
    return (picamera2, *own[0])


def _start(picamera: Any, size: tuple[int, int], fps: float, light: Light | None) -> tuple[tuple[str, ...], int]:
    """Start it, with as many of the settings as it has; those that it has not, and the stride of NV12, else 0."""
    frame_us = round(1e6 / fps)
    wanted = {"FrameDurationLimits": (frame_us, frame_us)} | (light.controls() if light else {})
    controls = {name: value for name, value in wanted.items() if name in picamera.camera_controls}
    picamera.configure(picamera.create_video_configuration(main={"size": size, "format": _BGR}, controls=controls))
    main = picamera.camera_configuration()["main"]
    if main["format"] not in (_BGR, _NV12) or tuple(main["size"]) != size:
        width, height = main["size"]
        raise CameraError(
            f"this camera gives {width} x {height} {main['format']}, not {size[0]} x {size[1]} {_BGR}: choose its size"
        )
    picamera.start()
    return tuple(name for name in wanted if name not in controls), main["stride"] if main["format"] == _NV12 else 0
