"""`fairtray doctor`: each thing well, ill, or not there, and how to mend it."""

import json
import socket
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

from firmware.commands import doctor
from firmware.commands.doctor import Finding, clock, examined, temperature, throttling
from firmware.config import (
    CameraOptions,
    Config,
    ConsoleOptions,
    DisplayOptions,
    MatchOptions,
    PanelOptions,
    StatusOptions,
)
from firmware.console import beside
from firmware.play.health import answering
from firmware.play.vitals import Vitals
from firmware.sample import SAMPLE
from tests.firmware.command import fairtray
from tests.firmware.play.test_health import free_port
from vision.source import Frame, UsbCamera


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A tray on which all is well."""
    camera = CameraOptions(source=str(SAMPLE / "video.mp4"), calibration=str(SAMPLE / "calibration.toml"))
    match, status = MatchOptions(folder=str(tmp_path / "matches")), StatusOptions(port=free_port())
    return Config(camera, match, DisplayOptions(), status=status)


def found(config: Config) -> dict[str, Finding]:
    return {finding.name: finding for finding in examined(config)}


def test_a_tray_on_which_all_is_well(config: Config) -> None:
    findings = found(config)
    assert [name for name, finding in findings.items() if finding.ok is False] == []
    assert findings["camera"].said.endswith("pictures of 640x480 px")
    assert findings["calibration"].said.endswith("for 640x480 px")
    assert findings["panel"].ok is None
    assert set(findings) == {
        "camera", "display", "panel", "port", "model", "calibration", "disk", "clock", "temperature", "throttling"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "ill", "said"),
    [
        ("camera", {"camera": CameraOptions(source="usb:97")}, "usb:97: no camera there gives pictures"),
        ("model", {"camera": CameraOptions(source=str(SAMPLE / "video.mp4"), models="/none")}, "/none"),
        ("calibration", {"camera": CameraOptions(source=str(SAMPLE / "video.mp4"), calibration="none")}, "none: "),
        ("display", {"display": DisplayOptions(kind="ssd1306", i2c_port=9)}, "there is no I2C bus 9"),
        ("panel", {"panel": PanelOptions(kind="buttons")}, "no buttons"),
    ],
)
def test_what_is_wrong_is_said_with_how_to_mend_it(
    config: Config, monkeypatch: pytest.MonkeyPatch, name: str, ill: dict[str, Any], said: str
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none-of-them")
    finding = found(replace(config, **ill))[name]
    assert finding.ok is False
    assert said in finding.said
    assert finding.mend


class Webcam(UsbCamera):
    """Gives so many spoilt pictures first, then a sound one, until it is unplugged."""

    def __init__(self, spoilt: int, sound: int = 1) -> None:
        self._pictures = [False] * spoilt + [True] * sound

    def __iter__(self) -> Iterator[Frame]:
        for index, sound in enumerate(self._pictures):
            yield Frame(index, index / 30, np.zeros((48, 64, 3), np.uint8), sound)

    def close(self) -> None:
        """There is nothing to let go of."""


@pytest.mark.parametrize(
    ("webcam", "ok", "said"),
    [
        (Webcam(spoilt=3), True, "usb:0 gives pictures of 64x48 px"),
        (Webcam(spoilt=3, sound=0), False, "usb:0 gives no picture that can be decoded"),
        (Webcam(spoilt=1000), False, "usb:0 gives no picture that can be decoded"),
    ],
    ids=["at first", "until it was unplugged", "all"],
)
def test_pictures_of_a_camera_that_cannot_be_decoded(
    config: Config, monkeypatch: pytest.MonkeyPatch, webcam: Webcam, ok: bool, said: str
) -> None:
    monkeypatch.setattr(doctor, "open_frames", lambda _: webcam)
    camera = found(replace(config, camera=CameraOptions(source="usb:0")))["camera"]
    assert (camera.ok, camera.said) == (ok, said)
    assert ok or "cable" in camera.mend


def test_a_disk_that_cannot_be_written_and_a_clock_that_was_never_set(config: Config, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in ("/proc/matches", tmp_path / "file", tmp_path / "file" / "matches"):
        disk = found(replace(config, match=MatchOptions(folder=str(folder))))["disk"]
        assert (disk.ok, "cannot be written to" in disk.said) == (False, True)
    assert clock(datetime(1970, 1, 1, tzinfo=UTC)).ok is False
    assert clock(datetime(2026, 6, 1, tzinfo=UTC)).ok is True


@pytest.mark.parametrize(("text", "ok"), [("48312\n", True), ("81500\n", False), ("", None)])
def test_temperature(tmp_path: Path, text: str, ok: bool | None) -> None:
    sensor = tmp_path / "temp"
    sensor.write_text(text)
    assert temperature(sensor).ok is ok


@pytest.mark.parametrize(
    ("told", "ok", "said"),
    [
        ("throttled=0x0", True, "no"),
        ("throttled=0x50005", False, "its supply is too weak, it is slowed down"),
        ("throttled=0x10000", True, "not now; since the start: its supply is too weak"),
        ("nonsense", None, "does not tell it"),
    ],
)
def test_throttling(tmp_path: Path, told: str, ok: bool | None, said: str) -> None:
    command = tmp_path / "vcgencmd"
    command.write_text(f"#!/bin/sh\necho {told}\n")
    command.chmod(0o755)
    finding = throttling(str(command))
    assert finding.ok is ok
    assert said in finding.said


def test_hardware_that_plays_is_left_alone(config: Config) -> None:
    told = Vitals().told() | {"ready": True, "state": "rolling"}
    with answering(config.status.port, lambda: told):
        findings = found(config)
    assert findings["appliance"].said == "fairtray runs: rolling"
    assert "camera" not in findings


def test_a_port_that_another_program_has(config: Config) -> None:
    with socket.create_server(("127.0.0.1", config.status.port)) as taken:
        Thread(target=lambda: taken.accept()[0].close(), daemon=True).start()
        findings = found(config)
    assert (findings["port"].ok, "is taken" in findings["port"].said) == (False, True)
    assert findings["camera"].ok


def test_a_console_that_is_not_installed(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    served = replace(config, console=ConsoleOptions(enabled=True))
    assert found(served)["console"].ok
    monkeypatch.setattr(beside, "NEEDED", ("no_such_package",))
    console = found(served)["console"]
    assert (console.ok, "pip install" in console.mend) == (False, True)


def test_the_command_tells_all_of_it(config: Config, tmp_path: Path) -> None:
    path = tmp_path / "fairtray.toml"
    path.write_text(f'[camera]\nsource = "usb:97"\n[status]\nport = {config.status.port}\n')
    ran = fairtray("doctor", "--config", path, "--json")
    assert ran.returncode == 1
    told = json.loads(ran.stdout)
    camera = next(check for check in told["checks"] if check["name"] == "camera")
    assert (told["ok"], camera["ok"]) == (False, False)
    assert "is it plugged in?" in camera["said"] and "cable" in camera["mend"]
