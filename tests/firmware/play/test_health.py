"""The health endpoint and `fairtray status`, which asks it."""

import json
import socket
import time
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from threading import Event, Thread

import pytest

from firmware.errors import FirmwareError
from firmware.play import health, parts
from firmware.play.health import STOPPED, answering, ask
from firmware.play.parts import Mailbox, Part
from firmware.play.vitals import Vitals
from tests.firmware.command import fairtray


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def test_vitals_tell_the_rate_the_latency_and_what_is_wrong() -> None:
    clock, stop, frames = Clock(), Event(), Mailbox[int](1)
    vitals, part = Vitals(clock), Part("display", lambda _: None, stop)
    vitals.watch([part], lambda: frames.dropped)
    assert (vitals.told()["ready"], vitals.told()["state"]) == (False, "starting")
    for n in range(120):
        clock.now += 0.1
        vitals.seen(clock.now - 0.025, "waiting")
        frames.put(n)
    told = vitals.told()
    assert (told["ready"], told["state"], told["trouble"]) == (True, "waiting", None)
    assert told["fps"] == pytest.approx(10, abs=1)
    assert (told["latency_ms"], told["dropped"]) == (25.0, 119)
    assert told["rss_mb"] > 1
    part.error = "no display answers"
    assert (vitals.told()["ready"], vitals.told()["trouble"]) == (False, "no display answers")
    vitals.trouble("ledger", "the disk is full")
    assert vitals.worst == "the disk is full"
    vitals.trouble("ledger", None)
    part.error = None
    clock.now += 5
    assert (vitals.told()["ready"], vitals.told()["state"]) == (False, "lost")


def test_vitals_tell_which_part_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "HUNG_S", 0.02)
    vitals, going_on = Vitals(), Event()

    def hanging(_: Part) -> None:
        going_on.wait()

    named = {name: Part(name, hanging, Event()) for name in ("terminal", "display", "rule")}

    def hangs(name: str) -> None:
        named[name].start()
        while not named[name].hung:
            time.sleep(0.01)

    vitals.watch([*named.values()], int)
    vitals.seen(time.monotonic(), "waiting")
    hangs("terminal")
    assert (vitals.told()["ready"], vitals.worst) == (True, None)
    hangs("display")
    told = vitals.told()
    assert (told["ready"], told["trouble"], vitals.stuck) == (False, "display does not answer", False)
    assert [name for name, part in told["parts"].items() if part["hung"]] == ["terminal", "display"]
    hangs("rule")
    assert vitals.stuck
    vitals.trouble("ledger", "the disk is full")  # for which it waits
    assert (vitals.stuck, vitals.worst) == (False, "the disk is full")
    vitals.trouble("ledger", None)
    going_on.set()
    assert all(part.join(10) for part in named.values())
    assert (vitals.stuck, vitals.worst) == (False, None)


def test_the_endpoint_answers_on_the_loopback_address_alone() -> None:
    port, told = free_port(), Vitals().told() | {"ready": True}
    assert ask(port) == STOPPED
    with answering(port, lambda: told):
        assert ask(port) == told
        connection = HTTPConnection("127.0.0.1", port)
        for path, ready, status in (("/health", True, 200), ("/health", False, 503), ("/../etc", True, 404)):
            told["ready"] = ready
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == status
        with pytest.raises(FirmwareError, match=f"port {port} of 127.0.0.1 is taken"), answering(port, lambda: told):
            pass
    assert ask(port) == STOPPED


HEAD = b"HTTP/1.0 200 OK\r\n\r\n"
"""Begins an answer."""


@pytest.mark.parametrize(
    "body",
    [
        b"hello",
        b'{"ready": true}',
        json.dumps(Vitals().told() | {"ready": "no"}).encode(),
        b"[" * 60_000,
        b" " * 70_000 + json.dumps(Vitals().told()).encode(),
        b"",
        None,
    ],
    ids=["no-json", "ready-alone", "ready-a-text", "deep", "long", "empty", "dripping"],
)
def test_what_answers_but_is_not_fairtray_is_told_apart(monkeypatch: pytest.MonkeyPatch, body: bytes | None) -> None:
    monkeypatch.setattr(health, "ANSWERED_S", 0.3)
    gone = Event()

    def answer(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.recv(999)
            connection.sendall(HEAD + (body or b""))
            while body is None and not gone.wait(0.02):
                connection.sendall(b" ")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        thread = Thread(target=answer, args=(listening,))
        thread.start()
        try:
            with pytest.raises(FirmwareError, match=f"port {port} of 127.0.0.1 does not answer as Fairtray does: "):
                ask(port)
        finally:
            gone.set()
            thread.join()


def test_status_does_not_take_another_program_for_fairtray(tmp_path: Path) -> None:
    config = tmp_path / "fairtray.toml"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        config.write_text(f"[status]\nport = {silent.getsockname()[1]}\n")
        told = fairtray("status", "--config", config, "--json")
    assert (told.returncode, told.stdout, told.stderr.count("\n")) == (2, "", 1)
    assert "does not answer as Fairtray does" in told.stderr


def test_status_says_how_it_is_and_by_its_exit_status_whether_it_is_ready(tmp_path: Path) -> None:
    config, port = tmp_path / "fairtray.toml", free_port()
    config.write_text(f"[status]\nport = {port}\n")
    stopped = fairtray("status", "--config", config)
    assert (stopped.returncode, stopped.stdout) == (1, f"stopped: nothing answers at 127.0.0.1:{port}\n")
    vitals = Vitals(Clock())
    vitals.seen(Clock.now, "rolling")
    with answering(port, vitals.told):
        ready = fairtray("status", "--config", config)
        assert ready.returncode == 0
        assert ready.stdout.startswith("ready: rolling; ")
        vitals.trouble("view", "no pictures come")
        told = fairtray("status", "--config", config, "--json")
    assert told.returncode == 1
    assert json.loads(told.stdout)["trouble"] == "no pictures come"
