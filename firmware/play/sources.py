"""Where the frames of a match come from: the Pi's camera, or what `vision` can open; holding them as they are
calibrated, and stopping them."""

import logging
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType

from calibration.facts import Calibration, Locked, LockedUsb
from firmware.errors import FirmwareError
from hardware import usb
from hardware.camera import SETTLED_S, Light, open_camera
from hardware.camera import camera_name as own_camera_name
from hardware.closing import Closing
from vision.source import USB, Frame, FrameSource, UsbCamera, open_source, usb_number

CAMERA = "camera"

log = logging.getLogger("fairtray")


class PiCamera(Closing):
    """The Pi's camera as a source of frames without an end."""

    frame_count: int | None = None

    def __init__(self, light: Light | None = None) -> None:
        """`light` is held fixed; raises HardwareError where there is no camera."""
        self._camera = open_camera(light=light)
        self.size, self.fps = self._camera.size, self._camera.fps
        if self._camera.missing:
            log.warning("camera lacks settings", extra={"told": {"settings": self._camera.missing}})

    def __iter__(self) -> Iterator[Frame]:
        """The frames as the camera takes them, timed by its sensor."""
        for index, t, image in self._camera:
            yield Frame(index, t, image)

    @property
    def light(self) -> Light | None:
        """What is held fixed, once it is."""
        return self._camera.light

    def close(self) -> None:
        """Let go of the camera."""
        self._camera.close()


class HeldUsbCamera(Closing):
    """A USB camera whose light and focus are held: as given from the start, else as it has chosen after a second."""

    frame_count: int | None = None

    def __init__(self, camera: UsbCamera, controls: usb.Controls | None = None) -> None:
        """`controls` are held fixed; which of them the camera lacks is logged."""
        self._camera, self.controls = camera, controls
        self.size, self.fps = camera.size, camera.fps
        if controls is not None:
            self._hold(controls)
        else:
            usb.let_choose(camera.device)

    def __iter__(self) -> Iterator[Frame]:
        """The frames as the camera gives them."""
        for frame in self._camera:
            if self.controls is None and frame.t >= SETTLED_S:
                self._hold(usb.chosen(self._camera.device))
            yield frame

    def close(self) -> None:
        """Let go of the camera."""
        self._camera.close()

    def _hold(self, controls: usb.Controls) -> None:
        missing = usb.hold(self._camera.device, controls)
        self.controls = replace(controls, **dict.fromkeys(missing))
        if missing:
            log.warning("camera lacks settings", extra={"told": {"settings": missing}})


def open_frames(spec: str, before: FrameSource | None = None, locked: Locked | LockedUsb | None = None) -> FrameSource:
    """Open `camera` (the Pi's), `usb:N`, a video file or a folder of pictures; a camera with the light it had `before`,
    else with the one that its calibration `locked`.

    Raises:
        HardwareError, SourceError: there is no such camera, file or folder, or nothing in it that can be played.
    """
    if spec != CAMERA:
        source = open_source(spec)
        return _held(source, before, locked) if isinstance(source, UsbCamera) else source
    light = before.light if isinstance(before, PiCamera) else None
    if light is None and isinstance(locked, Locked):
        light = Light(locked.exposure_us, locked.gain, locked.white_balance, locked.focus)
    return PiCamera(light)


def _held(camera: UsbCamera, before: FrameSource | None, locked: Locked | LockedUsb | None) -> HeldUsbCamera:
    """A USB camera held as it was `before`, else as it is `locked`."""
    controls = before.controls if isinstance(before, HeldUsbCamera) else None
    if controls is None and isinstance(locked, LockedUsb):
        controls = usb.Controls(locked.exposure, locked.gain, locked.white_balance, locked.focus)
    return HeldUsbCamera(camera, controls)


def chosen_by(source: FrameSource) -> Locked | LockedUsb | None:
    """What the camera chose for itself and holds by now; None where it does not say, or there is none."""
    if isinstance(source, HeldUsbCamera):
        held = source.controls
        return None if held is None else LockedUsb(held.exposure, held.gain, held.white_balance, held.focus)
    light = source.light if isinstance(source, PiCamera) else None
    if light is None or light.exposure_us is None or light.gain is None or light.white_balance is None:
        return None
    return Locked(light.exposure_us, light.gain, light.white_balance, light.focus)


def is_live(spec: str) -> bool:
    """Whether it is a camera, which has no end."""
    return spec == CAMERA or spec.startswith(USB)


def camera_name(spec: str) -> str:
    """What the driver calls a live camera, "" for a recording: nobody knows what took it."""
    if spec == CAMERA:
        return own_camera_name()
    number = usb_number(spec)
    told = Path(f"/sys/class/video4linux/video{number}/name")
    if number is None or not told.is_file():
        return ""
    return told.read_text(encoding="utf-8", errors="replace").strip()


def check_belongs(known: Calibration, path: Path, spec: str, size: tuple[int, int]) -> None:
    """Raise FirmwareError for a calibration of other pictures or, where both are known, of another camera."""
    if (known.width, known.height) != size:
        raise FirmwareError(
            f"{path} is for pictures of {known.width}x{known.height} px, "
            f"{spec} has {size[0]}x{size[1]}: calibrate again"
        )
    name = camera_name(spec)
    if known.camera and name and known.camera != name:
        raise FirmwareError(f"{path} is for the camera {known.camera!r}, {spec} is {name!r}: calibrate again")


@contextmanager
def until_interrupted(source: FrameSource) -> Iterator[Iterator[Frame]]:
    """The frames of the source; Ctrl-C ends them after the frame in hand instead of breaking off the work on it."""
    stopped = False

    def stop(_signal: int, _frame: FrameType | None) -> None:
        nonlocal stopped
        stopped = True

    def frames() -> Iterator[Frame]:
        for frame in source:
            if stopped:
                return
            yield frame

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield frames()
    finally:
        signal.signal(signal.SIGINT, before)
