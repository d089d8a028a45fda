"""The buttons on gpiozero's own simulated pins: presses, bounces, the encoder, and letting go."""

import time

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from hardware.errors import HardwareError, PanelError
from hardware.panel import BOUNCE_S, Panel, PanelPins, PanelPress, open_panel


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 10.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def press(pins: MockFactory, number: int, clock: Clock) -> None:
    """Press and let go, half a second each."""
    pins.pin(number).drive_low()
    clock.now += 0.5
    pins.pin(number).drive_high()
    clock.now += 0.5


def test_each_button_tells_its_kind_and_its_time(pins: MockFactory, clock: Clock) -> None:
    with open_panel(clock) as panel:
        for number in (5, 6, 13, 19, 26):
            press(pins, number, clock)
        assert panel.presses() == (
            PanelPress("previous", 10.0),
            PanelPress("next", 11.0),
            PanelPress("choose", 12.5),  # when it is let go: it might have been held
            PanelPress("confirm", 13.5),
            PanelPress("referee", 14.5),
        )
        assert panel.presses() == ()


def test_bouncing_contact_is_one_press(pins: MockFactory, clock: Clock) -> None:
    with open_panel(clock) as panel:
        for _ in range(6):
            pins.pin(13).drive_low()
            clock.now += 0.003
            pins.pin(13).drive_high()
            clock.now += 0.003
        press(pins, 13, clock)
        (pressed,) = panel.presses()
        assert pressed == PanelPress("choose", pressed.t)
        assert pressed.t == pytest.approx(10.536)


def test_wires_that_touch_say_nothing_for_others(pins: MockFactory, clock: Clock) -> None:
    with open_panel(clock, hold_s=0.1) as panel:
        for number in (5, 6, 13, 19, 26):
            pins.pin(number).drive_low()
        time.sleep(0.3)
        clock.now += 3.0
        for number in (5, 6, 13, 19, 26):
            pins.pin(number).drive_high()
        assert [press.kind for press in panel.presses()] == ["previous", "next"]  # which only turn to something


def test_contact_that_bounces_when_let_go_is_no_second_press(pins: MockFactory, clock: Clock) -> None:
    with open_panel(clock) as panel:
        pins.pin(19).drive_low()
        clock.now += 1.0
        pins.pin(19).drive_high()
        clock.now += BOUNCE_S / 3
        pins.pin(19).drive_low()
        pins.pin(19).drive_high()
        assert panel.presses() == (PanelPress("confirm", 11.0),)


def test_button_that_is_held_says_something_else_and_only_that(pins: MockFactory, clock: Clock) -> None:
    with open_panel(clock, hold_s=0.02) as panel:
        for number in (13, 19, 26, 5):
            pins.pin(number).drive_low()
            time.sleep(0.1)
            clock.now += 0.5
            pins.pin(number).drive_high()
            clock.now += 0.5
        assert [press.kind for press in panel.presses()] == ["cards", "address", "pause", "previous"]


def test_buttons_do_not_silence_each_other(pins: MockFactory, clock: Clock) -> None:
    with open_panel(clock) as panel:
        pins.pin(5).drive_low()
        pins.pin(6).drive_low()
        assert [press.kind for press in panel.presses()] == ["previous", "next"]


def test_button_held_at_the_start_is_no_press(pins: MockFactory, clock: Clock) -> None:
    pins.pin(19).drive_low()
    with open_panel(clock) as panel:
        assert panel.presses() == ()


def test_encoder_counts_whole_steps_either_way(pins: MockFactory, clock: Clock) -> None:
    def turn(first: int, second: int) -> None:
        pins.pin(first).drive_low()
        pins.pin(second).drive_low()
        pins.pin(first).drive_high()
        pins.pin(second).drive_high()

    with open_panel(clock, PanelPins(previous=17, next=27, encoder=True)) as panel:
        turn(17, 27)
        turn(17, 27)
        turn(27, 17)
        pins.pin(17).drive_low()  # half a step, and back
        pins.pin(17).drive_high()
        press(pins, 13, clock)
        assert [press.kind for press in panel.presses()] == ["next", "next", "previous", "choose"]


def test_closing_twice_is_closing_once_and_frees_the_pins(pins: MockFactory, clock: Clock) -> None:
    panel = open_panel(clock)
    press(pins, 13, clock)
    panel.close()
    panel.close()
    press(pins, 13, clock)
    assert len(panel.presses()) == 1
    open_panel(clock).close()


def test_pin_in_use_is_said_and_the_others_are_let_go(pins: MockFactory, clock: Clock) -> None:
    with (
        open_panel(clock, PanelPins(1, 7, 12, 16, 26)),
        pytest.raises(PanelError, match=r"cannot be used .*GPIO26.*another program"),
    ):
        open_panel(clock)
    open_panel(clock).close()


def test_shared_pin_is_refused(pins: MockFactory, clock: Clock) -> None:
    with pytest.raises(PanelError, match="5, 6, 13, 13, 26 must all differ"):
        open_panel(clock, PanelPins(confirm=13))


def test_machine_without_pins_is_told_what_to_install(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none-of-them")
    with pytest.raises(HardwareError, match=r"no GPIO pins .*python3-lgpio") as raised:
        open_panel(clock)
    assert "\n" not in str(raised.value)


def test_panel_that_fails_to_open_keeps_no_pin(pins: MockFactory, clock: Clock) -> None:
    with pytest.raises(Exception, match="99"):
        Panel(PanelPins(referee=99), clock)
    open_panel(clock).close()
