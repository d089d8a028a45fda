"""Told to stop, at whatever moment, the appliance closes what it has opened and ends well."""

import os
import pty
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.play.health import ask
from firmware.sample import SAMPLE
from firmware.stopping import Stopping
from tests.firmware.play.test_health import free_port


@pytest.fixture(autouse=True)
def _started_without_nohup() -> Iterator[None]:
    """However the tests themselves were started."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(("number", "begun"), [(signal.SIGTERM, False), (signal.SIGHUP, True)])
def test_the_terminal_is_left_as_it_was(tmp_path: Path, number: signal.Signals, begun: bool) -> None:
    port, config = free_port(), tmp_path / "fairtray.toml"
    config.write_text(f'[panel]\nkind = "keyboard"\n[status]\nport = {port}\n')
    given = ("--source", SAMPLE / "video.mp4", "--calibration", SAMPLE / "calibration.toml", "--players", "Ann,Ben")
    command = [sys.executable, "-m", "firmware", "run", "--config", config, *given, "--match", tmp_path / "match"]
    typist, terminal = pty.openpty()
    before = termios.tcgetattr(terminal)

    def is_time() -> bool:
        return bool(ask(port)["ready"]) if begun else termios.tcgetattr(terminal) != before

    with subprocess.Popen(list(map(str, command)), stdin=terminal, stdout=subprocess.DEVNULL) as process:
        until(lambda: process.poll() is not None or is_time())
        process.send_signal(number)
        assert process.wait(60) == 0
    assert termios.tcgetattr(terminal) == before
    os.close(typist)
    os.close(terminal)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_is_half_written_vanishes(tmp_path: Path, number: signal.Signals) -> None:
    given = ("--calibration", SAMPLE / "calibration.toml", "--annotate", tmp_path / "seen.mp4", "--json")
    command = [sys.executable, "-m", "firmware", "watch", SAMPLE / "video.mp4", *given]
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL) as process:
        until(lambda: process.poll() is not None or any(tmp_path.iterdir()))
        process.send_signal(number)
        assert process.wait(60) == 128 + number
    assert list(tmp_path.iterdir()) == []


def until(is_time: Callable[[], bool]) -> None:
    while not is_time():
        time.sleep(0.002)


def test_before_anything_is_opened_it_ends_at_once() -> None:
    work = "from firmware.stopping import Stopping\nwith Stopping(): print(1, flush=True); import time; time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", work], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"1\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_whoever_is_patient_looks_whether_it_was_told() -> None:
    with Stopping() as stopping:
        stopping.patient = True
        assert not stopping.told
        os.kill(os.getpid(), signal.SIGTERM)
        assert stopping.told
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
