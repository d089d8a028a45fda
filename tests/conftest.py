"""What tests of several packages stand on."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from vision.network import Networks, load_networks

SLOW = (
    "calibration/test_run.py",
    "vision/test_watcher.py",
    "firmware/commands/test_watch.py",
    "models/training/test_smoke.py",
    "models/sim/test_truth.py",
    "calibration/test_rim.py",
    "calibration/test_sizes.py",
    "vision/test_clips.py",
    "firmware/commands/test_calibrate.py",
    "vision/test_health.py",
)
"""Files that take minutes, the slowest first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow files come first: one that is begun last is waited for while all other cores idle."""
    place = {Path(__file__).parent / name: number for number, name in enumerate(SLOW)}
    items.sort(key=lambda item: place.get(item.path, len(SLOW)))


@pytest.fixture(scope="session")
def session_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that the processes of a session have in common."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture(autouse=True, scope="session")
def signals() -> None:
    """Signals do what they do in a terminal, for the tests and what they start: in the background, and under `nohup`, a
    shell has them ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session")
def networks() -> Networks:
    """Those that read dice."""
    return load_networks()


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    """gpiozero's own simulated pins, for as long as the test runs."""
    before, Device.pin_factory = Device.pin_factory, MockFactory()
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = before
