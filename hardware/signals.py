"""The lamp and the buzzer of the panel."""

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Literal

from gpiozero import RGBLED, Buzzer

from hardware.closing import Closing
from hardware.errors import PanelError
from hardware.panel import find_pins

Colour = Literal["off", "red", "green", "blue", "yellow", "magenta", "white"]
_INKS: dict[Colour, tuple[int, int, int]] = {
    "off": (0, 0, 0),
    "red": (1, 0, 0),
    "green": (0, 1, 0),
    "blue": (0, 0, 1),
    "yellow": (1, 1, 0),
    "magenta": (1, 0, 1),
    "white": (1, 1, 1),
}


@dataclass(frozen=True, slots=True)
class SignalPins:
    """The BCM numbers of the pins that feed the lamp's three colours and the buzzer; None where there is none."""

    lamp: tuple[int, int, int] | None = None
    buzzer: int | None = None


class Signals(Closing):
    """The open lamp and buzzer; what is not there is passed over."""

    def __init__(self, pins: SignalPins) -> None:
        self._devices = ExitStack()
        try:
            self._lamp: Any = self._held(RGBLED(*pins.lamp, pwm=False)) if pins.lamp else None
            self._buzzer: Any = self._held(Buzzer(pins.buzzer)) if pins.buzzer is not None else None
        except BaseException:
            self._devices.close()
            raise

    def light(self, colour: Colour) -> None:
        """Light the lamp."""
        if self._lamp is not None:
            self._lamp.color = _INKS[colour]

    def sound(self, on: bool) -> None:
        """Let the buzzer sound, or silence it."""
        if self._buzzer is not None:
            self._buzzer.value = on

    def close(self) -> None:
        """Switch both off and let go of their pins; once closed, nothing."""
        self._devices.close()
        self._lamp = self._buzzer = None

    def _held(self, device: Any) -> Any:
        self._devices.callback(device.close)
        return device


def open_signals(pins: SignalPins) -> Signals:
    """Open the lamp and the buzzer.

    Raises:
        PanelError: this machine has no such pins, or another program uses one.
    """
    if pins != SignalPins():
        find_pins("no lamp and no buzzer")
    try:
        return Signals(pins)
    except Exception as error:  # gpiozero's and lgpio's errors share no other base
        raise PanelError(f"the lamp cannot be used ({error}): does another program hold its pins?") from error
