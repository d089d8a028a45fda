"""The lamp and the buzzer on gpiozero's own simulated pins."""

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from hardware.errors import PanelError
from hardware.signals import SignalPins, open_signals

PINS = SignalPins((17, 27, 22), 23)


def levels(pins: MockFactory) -> tuple[bool, ...]:
    return tuple(bool(pins.pin(number).state) for number in (17, 27, 22, 23))


def test_colours_and_sound_reach_their_pins(pins: MockFactory) -> None:
    with open_signals(PINS) as signals:
        signals.light("yellow")
        assert levels(pins) == (True, True, False, False)
        signals.sound(True)
        assert levels(pins) == (True, True, False, True)
        signals.light("off")
        signals.sound(False)
        assert levels(pins) == (False,) * 4
        signals.light("white")
        signals.sound(True)
    assert {pins.pin(number).function for number in (17, 27, 22, 23)} == {"input"}
    signals.light("red")
    signals.close()


def test_without_pins_nothing_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    with open_signals(SignalPins()) as signals:
        signals.light("red")
        signals.sound(True)


def test_pin_in_use_is_said_and_the_others_are_let_go(pins: MockFactory) -> None:
    with open_signals(SignalPins(buzzer=22)), pytest.raises(PanelError, match=r"the lamp cannot be used .*GPIO22"):
        open_signals(PINS)
    open_signals(PINS).close()


def test_machine_without_pins_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none-of-them")
    with pytest.raises(PanelError, match="no lamp and no buzzer: this machine has no GPIO pins"):
        open_signals(PINS)
