"""What systemd is told, on a socket as it listens on."""

import socket
from pathlib import Path

import pytest

from firmware.play.notify import Notify


@pytest.mark.parametrize("abstract", [False, True])
def test_systemd_hears_that_it_is_ready_and_then_that_it_lives(tmp_path: Path, abstract: bool) -> None:
    name = f"@{tmp_path}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0{name[1:]}" if abstract else name)
        systemd.settimeout(10)
        notify = Notify({"NOTIFY_SOCKET": name})
        notify.ready()
        notify.alive()
        notify.stopping()
        assert [systemd.recv(64) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"STOPPING=1"]


def test_where_no_systemd_listens_nothing_happens(tmp_path: Path) -> None:
    for environment in ({}, {"NOTIFY_SOCKET": str(tmp_path / "gone")}):
        notify = Notify(environment)
        notify.ready()
        notify.alive()
