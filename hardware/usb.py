"""Exposure, gain, white balance and focus of a USB camera, held as they are through OpenCV's V4L2 properties.

All values are the driver's own: V4L2 fixes units for the exposure (100 microseconds) and the white balance (kelvin)
alone. What a camera lacks its driver answers with -1; what it refuses to keep is found by asking again.
"""

from dataclasses import dataclass, fields
from typing import Protocol

import cv2


class Device(Protocol):
    """As much of `cv2.VideoCapture` as is needed."""

    def get(self, property: int, /) -> float: ...

    def set(self, property: int, value: float, /) -> bool: ...


@dataclass(frozen=True, slots=True)
class Controls:
    """Exposure, gain, white balance, focus, each None where the camera does not have it."""

    exposure: float | None = None
    gain: float | None = None
    white_balance: float | None = None
    focus: float | None = None


VALUES = {
    "exposure": cv2.CAP_PROP_EXPOSURE,
    "gain": cv2.CAP_PROP_GAIN,
    "white_balance": cv2.CAP_PROP_WB_TEMPERATURE,
    "focus": cv2.CAP_PROP_FOCUS,
}
BY_HAND = {
    "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, 1.0),  # V4L2_EXPOSURE_MANUAL
    "white_balance": (cv2.CAP_PROP_AUTO_WB, 0.0),
    "focus": (cv2.CAP_PROP_AUTOFOCUS, 0.0),
}
"""What switches off what moves a value by itself."""
CHOOSING = {
    cv2.CAP_PROP_AUTO_EXPOSURE: (3.0, 0.0),  # V4L2_EXPOSURE_APERTURE_PRIORITY, as webcams have it; else _AUTO
    cv2.CAP_PROP_AUTO_WB: (1.0,),
    cv2.CAP_PROP_AUTOFOCUS: (1.0,),
}
KEPT = 0.1
"""Share by which a driver may round a value."""


def let_choose(device: Device) -> None:
    """Let the camera choose for itself: what it was held at lasts beyond the program that held it."""
    for switch, ways in CHOOSING.items():
        any(device.set(switch, way) and device.get(switch) == way for way in ways)


def chosen(device: Device) -> Controls:
    """What the camera has chosen by now."""
    told = {name: device.get(number) for name, number in VALUES.items()}
    return Controls(**{name: value if value >= 0 else None for name, value in told.items()})


def hold(device: Device, wanted: Controls) -> tuple[str, ...]:
    """Hold the camera at these values; the names of those that it lacks or will not keep."""
    missing = []
    for field in fields(wanted):
        name, value = field.name, getattr(wanted, field.name)
        if value is None or not _held(device, name, float(value)):
            missing.append(name)
    return tuple(missing)


def _held(device: Device, name: str, value: float) -> bool:
    if name in BY_HAND:
        switch, by_hand = BY_HAND[name]
        device.set(switch, by_hand)
        if device.get(switch) not in (by_hand, -1.0):  # without a switch there is nothing that moves the value
            return False
    device.set(VALUES[name], value)
    return abs(device.get(VALUES[name]) - value) <= max(1.0, KEPT * value)
