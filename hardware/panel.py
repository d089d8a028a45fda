"""The buttons: what the roller, the marker and whoever calls the referee press, each press with its time."""

import os
import tempfile
import warnings
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import astuple, dataclass
from queue import Empty, SimpleQueue
from typing import Any, Literal

from gpiozero import Button, Device, RotaryEncoder

from hardware.closing import Closing
from hardware.errors import PanelError

PressKind = Literal["previous", "next", "choose", "confirm", "referee", "cards", "address", "pause"]
"""`previous`, `next` and `choose` are the roller's, `confirm` is the marker's, `referee` is anybody's.

The others are `choose`, `confirm` and `referee` held for long."""
HELD: Mapping[PressKind, PressKind] = {"choose": "cards", "confirm": "address", "referee": "pause"}

BOUNCE_S = 0.03
"""A contact that changed less than this many seconds ago is bouncing, not pressed."""


@dataclass(frozen=True, slots=True)
class PanelPins:
    """The BCM numbers of the pins that the buttons pull to ground; none is used by the I2C or SPI bus.

    With `encoder`, `previous` and `next` are the two contacts of a rotary encoder, `choose` its push button.
    """

    previous: int = 5
    next: int = 6
    choose: int = 13
    confirm: int = 19
    referee: int = 26
    encoder: bool = False


HOLD_S = 0.8
"""A button that is down for so many seconds is held."""
DEFAULT_PINS = PanelPins()


@dataclass(frozen=True, slots=True)
class PanelPress:
    """A button was pressed, or the encoder turned by one step, at second `t` of the panel's clock.

    A button that can be held counts when it is let go, or when it has been held."""

    kind: PressKind
    t: float


class Panel(Closing):
    """The open buttons. Presses wait in a queue, as gpiozero tells of them on threads of its own."""

    def __init__(self, pins: PanelPins, clock: Callable[[], float], hold_s: float = HOLD_S) -> None:
        self._clock, self._hold_s = clock, hold_s
        self._waiting: SimpleQueue[PanelPress] = SimpleQueue()
        self._devices = ExitStack()
        self._buttons: list[Any] = []
        try:
            self._open(pins)
        except BaseException:
            self._devices.close()
            raise

    def presses(self) -> tuple[PanelPress, ...]:
        """What was pressed since the last call, in order; it never waits."""
        pressed = []
        while True:
            try:
                pressed.append(self._waiting.get_nowait())
            except Empty:
                return tuple(pressed)

    def close(self) -> None:
        """Let go of the pins; presses not yet taken stay. Once closed, nothing."""
        self._devices.close()

    def _open(self, pins: PanelPins) -> None:
        if pins.encoder:
            encoder = self._held(RotaryEncoder(pins.previous, pins.next, max_steps=0))
            encoder.when_rotated_counter_clockwise = lambda: self._press("previous")
            encoder.when_rotated_clockwise = lambda: self._press("next")
        else:
            self._button("previous", pins.previous)
            self._button("next", pins.next)
        self._button("choose", pins.choose)
        self._button("confirm", pins.confirm)
        self._button("referee", pins.referee)

    def _button(self, kind: PressKind, pin: int) -> None:
        """A button; where it can be held it is only known when it is let go that it was not.

        Two that are held at once say nothing: wires that touch.
        """
        button = self._held(Button(pin, pull_up=True, hold_time=self._hold_s))
        self._buttons.append(button)
        contact = _Contact(self._clock)
        held = HELD.get(kind)

        def pressed() -> None:
            if contact.settled():
                contact.down = True
                if held is None:
                    self._press(kind)

        def holding() -> None:
            if contact.down and held is not None:
                contact.down = False
                if not any(other.is_pressed for other in self._buttons if other is not button):
                    self._press(held)

        def released() -> None:
            if contact.settled() and contact.down:
                contact.down = False
                if held is not None:
                    self._press(kind)

        button.when_pressed, button.when_held, button.when_released = pressed, holding, released

    def _held(self, device: Any) -> Any:
        self._devices.callback(device.close)
        return device

    def _press(self, kind: PressKind) -> None:
        self._waiting.put(PanelPress(kind, self._clock()))


def open_panel(clock: Callable[[], float], pins: PanelPins | None = None, hold_s: float = HOLD_S) -> Panel:
    """Open the buttons; `clock` gives the time of a press in seconds, `hold_s` is how long a held one is down.

    Raises:
        PanelError: two buttons share a pin, this machine has no such pins, or another program uses one.
    """
    pins = pins or DEFAULT_PINS
    numbers = [number for number in astuple(pins) if not isinstance(number, bool)]
    if len(set(numbers)) < len(numbers):
        raise PanelError(f"two buttons share a pin: {', '.join(map(str, numbers))} must all differ")
    find_pins("no buttons")
    try:
        return Panel(pins, clock, hold_s)
    except Exception as error:  # gpiozero's and lgpio's errors share no other base
        raise PanelError(f"the buttons cannot be used ({error}): does another program hold their pins?") from error


def find_pins(without: str) -> None:
    """Find a library that drives this machine's pins; raises `PanelError`, which begins with `without`."""
    os.environ.setdefault("LG_WD", tempfile.gettempdir())  # lgpio would leave a pipe in the current directory
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # gpiozero's, one for each library that it looks for in vain
            Device.ensure_pin_factory()
    except Exception as error:  # each library that it tries fails in a way of its own
        raise PanelError(
            f"{without}: this machine has no GPIO pins (on a Pi: sudo apt install python3-lgpio)"
        ) from error


class _Contact:
    """A contact's last change, by the clock."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._changed = float("-inf")
        self.down = False
        """Whether it was pressed, and what that says is still to come."""

    def settled(self) -> bool:
        """Note a change; whether the contact had kept still until now."""
        before, self._changed = self._changed, self._clock()
        return self._changed - before >= BOUNCE_S
