"""A USB camera is held as it was calibrated, or as it chose: the device is a stand-in, none is here."""

from collections.abc import Iterator

import cv2
import numpy as np

from calibration.facts import LockedUsb
from firmware.play.sources import HeldUsbCamera, chosen_by
from hardware.usb import Controls
from tests.hardware.test_usb import Driver
from vision.source import Frame, UsbCamera


class Webcam(UsbCamera):
    """Two seconds of pictures; its exposure settles while they are taken."""

    size, fps = (64, 48), 30.0

    def __init__(self, device: Driver) -> None:
        self.device = device  # type: ignore[assignment]
        self.kept = device.kept

    def __iter__(self) -> Iterator[Frame]:
        for index in range(60):
            if self.device.get(cv2.CAP_PROP_AUTO_EXPOSURE) != 1:
                self.kept[cv2.CAP_PROP_EXPOSURE] = 100 + index
            yield Frame(index, index / 30, np.zeros((48, 64, 3), np.uint8))


def test_what_it_chose_in_a_second_is_held() -> None:
    device = Driver(auto_exposure=1, exposure=5, gain=2)  # held at something by whoever used it before
    source = HeldUsbCamera(Webcam(device))
    assert len(list(source)) == 60
    assert chosen_by(source) == LockedUsb(exposure=130, gain=2)
    assert device.get(cv2.CAP_PROP_EXPOSURE) == 130


def test_what_was_calibrated_is_held_from_the_start() -> None:
    device = Driver(auto_exposure=3, exposure=100, gain=2, focus=10)
    source = HeldUsbCamera(Webcam(device), Controls(exposure=250, gain=4, focus=30))
    assert len(list(source)) == 60
    assert (device.get(cv2.CAP_PROP_EXPOSURE), device.get(cv2.CAP_PROP_FOCUS)) == (250, 30)
    assert chosen_by(source) == LockedUsb(250, 4, None, 30)
