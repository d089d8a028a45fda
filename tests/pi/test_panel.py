"""The buttons on simulated lines of the kernel, through gpiozero and lgpio: presses, bounces, holds, a busy line."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.lgpio import LGPIOFactory

from hardware.errors import PanelError
from hardware.panel import BOUNCE_S, DEFAULT_PINS, Panel, open_panel

CHIP = Path("/sys/kernel/config/gpio-sim/pi")
PI_4B = 0xC03114
TRIES = 40


def name_of(what: str) -> str:
    return (CHIP / what).read_text().strip()


class OnSimulatedLines(LGPIOFactory):  # type: ignore[misc]
    """gpiozero's factory for a Pi, told which Pi it is, as nothing here says so."""

    def _get_revision(self) -> int:
        return PI_4B


def number_of_chip() -> int:
    return int(name_of("bank0/chip_name").removeprefix("gpiochip"))


def line(pin: int) -> Path:
    return Path(f"/sys/devices/platform/{name_of('dev_name')}/{name_of('bank0/chip_name')}/sim_gpio{pin}")


def pull(pin: int, up: bool) -> None:
    (line(pin) / "pull").write_text("pull-up" if up else "pull-down")


@pytest.fixture(scope="module")
def factory() -> Iterator[None]:
    """lgpio's thread that tells of edges does not outlive a chip that is closed: one for all tests."""
    Device.pin_factory = OnSimulatedLines(chip=number_of_chip())
    yield
    Device.pin_factory.close()


@pytest.fixture
def lines(factory: None) -> None:
    for pin in range(28):
        pull(pin, up=True)


def pressed(panel: Panel, wanted: int, patience: float = 5.0) -> list[str]:
    kinds: list[str] = []
    until = time.monotonic() + patience
    while len(kinds) < wanted and time.monotonic() < until:
        kinds += [press.kind for press in panel.presses()]
        time.sleep(0.01)
    time.sleep(0.2)
    return kinds + [press.kind for press in panel.presses()]


def press(pin: int, for_s: float) -> None:
    pull(pin, up=False)
    time.sleep(for_s)
    pull(pin, up=True)
    time.sleep(0.2)


def bounce(pin: int) -> float:
    """Bounce and end pressed; how many seconds that took."""
    with (line(pin) / "pull").open("wb", buffering=0) as wire:
        begun = time.monotonic()
        for up in (False, True, False, True, False):
            os.pwrite(wire.fileno(), b"pull-up" if up else b"pull-down", 0)
        return time.monotonic() - begun


def test_every_button_is_heard_once(lines: None) -> None:
    with open_panel(time.monotonic) as panel:
        for pin in (DEFAULT_PINS.previous, DEFAULT_PINS.next, DEFAULT_PINS.choose, DEFAULT_PINS.confirm):
            press(pin, 0.2)
        assert pressed(panel, 4) == ["previous", "next", "choose", "confirm"]


def test_bouncing_contact_is_one_press(lines: None) -> None:
    with open_panel(time.monotonic) as panel:
        for _ in range(TRIES):
            bounced = bounce(DEFAULT_PINS.choose)
            press(DEFAULT_PINS.choose, 0.2)
            kinds = pressed(panel, 1)
            if bounced < BOUNCE_S:  # else it was no bouncing: an emulated machine may be held up in the middle of it
                assert kinds == ["choose"]
                return
    pytest.fail(f"no bouncing within {BOUNCE_S} s in {TRIES} tries")


def test_button_that_is_held(lines: None) -> None:
    with open_panel(time.monotonic, hold_s=0.3) as panel:
        press(DEFAULT_PINS.referee, 1.0)
        assert pressed(panel, 1) == ["pause"]


def test_contacts_shorted_to_ground_only_turn_to_something(lines: None) -> None:
    with open_panel(time.monotonic) as panel:
        for pin in (DEFAULT_PINS.previous, DEFAULT_PINS.next, DEFAULT_PINS.choose):
            pull(pin, up=False)
        assert sorted(pressed(panel, 3, patience=2.0)) == ["next", "previous"]


def test_line_that_another_program_holds_is_said(lines: None) -> None:
    hold = (
        f"import lgpio, time; lgpio.gpio_claim_input(lgpio.gpiochip_open({number_of_chip()}), 12); "
        "print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", hold], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        try:
            with pytest.raises(PanelError, match="does another program hold their pins"):
                open_panel(time.monotonic, replace(DEFAULT_PINS, previous=12))
        finally:
            other.kill()
    open_panel(time.monotonic, replace(DEFAULT_PINS, previous=12)).close()
