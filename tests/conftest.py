"""What tests of several packages stand on."""

import signal
from collections.abc import Iterator

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory


@pytest.fixture(autouse=True, scope="session")
def signals() -> None:
    """Signals do what they do in a terminal, for the tests and what they start: in the background, and under `nohup`, a
    shell has them ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    """gpiozero's own simulated pins, for as long as the test runs."""
    before, Device.pin_factory = Device.pin_factory, MockFactory()
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = before
