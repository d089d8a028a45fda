"""The display: one picture of a screen, sent to an OLED, a colour display, a window, or kept as the picture itself."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from luma.core.device import dummy
from luma.core.error import DeviceNotFoundError, DevicePermissionError
from luma.core.error import Error as LumaError
from luma.core.interface.serial import i2c, spi
from luma.lcd.device import ili9341, st7789
from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL import Image

from hardware.closing import Closing
from hardware.drawing import HEIGHT, WIDTH, draw
from hardware.errors import DisplayError
from hardware.lettering import enlarged
from hardware.screens import Screen

__all__ = ["DEFAULT_WIRING", "DISPLAYS", "WIRED", "Display", "Wiring", "draw", "enlarged", "open_display"]


@dataclass(frozen=True, slots=True)
class Wiring:
    """How a display is connected: I2C bus and address, or SPI port, chip select and pins (BCM numbers).

    `light_pin` lights a colour display. `turned` counts quarter turns of the picture, for a display that is built in
    upside down.
    """

    bus: Literal["i2c", "spi"] = "i2c"
    i2c_port: int = 1
    i2c_address: int = 0x3C
    spi_port: int = 0
    spi_device: int = 0
    data_pin: int = 24
    reset_pin: int = 25
    light_pin: int = 18
    turned: Literal[0, 2] = 0


DEFAULT_WIRING = Wiring()
WIDE = (320, 240)
"""Dots across and down of the larger colour displays."""


class Display(Closing):
    """An open display. It is sent a picture only when that differs from the one it shows."""

    def __init__(self, device: Any, name: str, wiring: Wiring) -> None:
        self._device = device
        self._name = name
        self._wiring = wiring
        self.picture: Image.Image | None = None

    def __repr__(self) -> str:
        return f"<Display {self._name}{'' if self._device else ', closed'}>"

    def show(self, screen: Screen) -> None:
        """Show the screen.

        Raises:
            DisplayError: the display is closed or no longer answers, or the screen has no room on it.
        """
        if self._device is None:
            raise DisplayError(f"the {self._name} display is closed: open it again to show something")
        picture = draw(screen, self._device.size, self._device.mode)
        if self.picture is None or picture.tobytes() != self.picture.tobytes():
            try:
                self._device.display(picture)
            except (LumaError, OSError) as error:
                raise _absent(error, self._wiring) from error
            self.picture = picture

    def leave(self) -> None:
        """From now on closing leaves the last picture where it is, for whoever looks why nothing goes on."""
        if self._device is not None:
            self._device.persist = True

    def close(self) -> None:
        """Switch the display off and let go of it; once closed, nothing."""
        device, self._device = self._device, None
        if device is not None:
            with suppress(LumaError, OSError):
                device.cleanup()


def open_display(kind: str, wiring: Wiring | None = None) -> Display:
    """Open an OLED of 128 x 64 (`ssd1306`, `sh1106`, `ssd1309`), a colour display on SPI (`ili9341` and `st7789w` of
    320 x 240, `st7789` of 240 x 240), a window that stands in for either (`emulator`, `emulator_colour`), or `picture`
    (`.picture` alone).

    Raises:
        DisplayError: there is no such kind, the display does not answer, or the emulator cannot open its window.
    """
    opener = _OPENERS.get(kind)
    if opener is None:
        raise DisplayError(f"there is no display {kind!r}: choose one of {', '.join(_OPENERS)}")
    wiring = wiring or DEFAULT_WIRING
    try:
        return Display(opener(wiring), kind, wiring)
    except (LumaError, OSError) as error:
        raise _absent(error, wiring) from error


def _picture(_wiring: Wiring) -> Any:
    return dummy(width=WIDTH, height=HEIGHT, mode="1")


def _emulator(wiring: Wiring) -> Any:
    return _window(WIDTH, HEIGHT, "1", 4, wiring)


def _emulator_colour(wiring: Wiring) -> Any:
    return _window(*WIDE, "RGB", 2, wiring)


def _window(width: int, height: int, mode: str, scale: int, wiring: Wiring) -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would greet on stdout, among the JSON lines
    try:
        import pygame as window
        from luma.emulator.device import pygame
    except ImportError as error:
        raise DisplayError("the emulator is not installed: pip install 'fairtray[emulator]'") from error
    try:
        return pygame(width=width, height=height, rotate=wiring.turned, mode=mode, transform="identity", scale=scale)
    except window.error as error:
        raise DisplayError(f"the emulator cannot open a window here ({error}): use the display `picture`") from error


def _ssd1306(wiring: Wiring) -> Any:
    return ssd1306(_serial(wiring), width=WIDTH, height=HEIGHT, rotate=wiring.turned)


def _sh1106(wiring: Wiring) -> Any:
    return sh1106(_serial(wiring), width=WIDTH, height=HEIGHT, rotate=wiring.turned)


def _ssd1309(wiring: Wiring) -> Any:
    return ssd1309(_serial(wiring), width=WIDTH, height=HEIGHT, rotate=wiring.turned)


def _ili9341(wiring: Wiring) -> Any:
    return ili9341(_spi(wiring), rotate=wiring.turned, gpio_LIGHT=wiring.light_pin)


def _st7789(wiring: Wiring) -> Any:
    return st7789(_spi(wiring), rotate=wiring.turned, gpio_LIGHT=wiring.light_pin)


def _st7789w(wiring: Wiring) -> Any:
    width, height = WIDE
    return st7789(_spi(wiring), width=width, height=height, rotate=wiring.turned, gpio_LIGHT=wiring.light_pin)


def _spi(wiring: Wiring) -> Any:
    if wiring.bus != "spi":
        raise DisplayError('a colour display is connected by SPI: set [display] bus = "spi"')
    return _serial(wiring)


def _serial(wiring: Wiring) -> Any:
    if wiring.bus == "i2c":
        return i2c(port=wiring.i2c_port, address=wiring.i2c_address)
    try:
        return spi(port=wiring.spi_port, device=wiring.spi_device, gpio_DC=wiring.data_pin, gpio_RST=wiring.reset_pin)
    except ImportError as error:
        raise DisplayError(
            "a display on SPI needs spidev and RPi.GPIO (on a Pi: sudo apt install python3-spidev python3-rpi-lgpio)"
        ) from error


_OPENERS: Mapping[str, Callable[[Wiring], Any]] = {
    "picture": _picture,
    "emulator": _emulator,
    "emulator_colour": _emulator_colour,
    "ssd1306": _ssd1306,
    "sh1106": _sh1106,
    "ssd1309": _ssd1309,
    "ili9341": _ili9341,
    "st7789": _st7789,
    "st7789w": _st7789w,
}

DISPLAYS = tuple(_OPENERS)
"""The kinds of display that can be opened."""
COLOUR = ("ili9341", "st7789", "st7789w")
"""Those that are in colour, on SPI and lit by a pin."""
WIRED = ("ssd1306", "sh1106", "ssd1309", *COLOUR)
"""Those that take pins."""


def _absent(error: Exception, wiring: Wiring) -> DisplayError:
    """What to check when the display cannot be reached."""
    if wiring.bus == "spi":
        return DisplayError(f"no display at SPI {wiring.spi_port}.{wiring.spi_device}: switch SPI on with raspi-config")
    if isinstance(error, DevicePermissionError):
        return DisplayError("the display may not be used: add yourself to the group i2c and log in again")
    if isinstance(error, DeviceNotFoundError) and "/dev/" in str(error):
        return DisplayError(f"there is no I2C bus {wiring.i2c_port}: switch I2C on with raspi-config")
    return DisplayError(
        f"no display answers at I2C address {wiring.i2c_address:#04x}: check the wiring, "
        f"or run `i2cdetect -y {wiring.i2c_port}`"
    )
