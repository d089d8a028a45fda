"""`fairtray console`: the PIN, the addresses, a match that is not played, and what is refused in a line."""

import ssl
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from firmware.commands.console import address_command, pin_command, serve_command
from firmware.config_file import configuration
from firmware.console import beside
from firmware.console.certificate import CERTIFICATE
from firmware.console.errors import ConsoleError
from firmware.console.pin import is_pin, set_pin
from firmware.errors import LedgerError
from firmware.evidence.key import device_key
from firmware.evidence.verify import check
from firmware.ledger import Ledger
from firmware.record import watched_again
from scorer.events import RecordingEnded
from scorer.presets import BHO
from scorer.umpire import Umpire
from tests.firmware.command import fairtray
from tests.firmware.console.table import PIN, Visitor, until
from tests.firmware.play.test_health import free_port
from tests.scorer.tray import FIRST


def configured(folder: Path, port: int = 8080) -> Path:
    config = folder / "fairtray.toml"
    config.write_text(
        f'[console]\nhost = "127.0.0.1"\nport = {port}\nreferee_port = {free_port()}\nfolder = "{folder / "console"}"\n'
    )
    return config


def test_a_pin_is_set_and_the_addresses_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = configured(tmp_path)
    options = configuration(config).console
    assert address_command(options) == 0
    shut = capsys.readouterr().out
    assert "players: http://127.0.0.1:8080 (not enabled" in shut and "shut until there is a PIN" in shut
    assert "▄▄▄▄▄" in shut
    assert fairtray("console", "pin", "--config", config, put=f"{PIN}\n").returncode == 0
    assert is_pin(tmp_path / "console", PIN)
    told = fairtray("console", "address", "--config", config).stdout
    assert "referee: https://127.0.0.1:" in told and told.rpartition("SHA-256): ")[2].count(":") == 31
    assert pin_command(options, new=True) == 0
    assert is_pin(tmp_path / "console", capsys.readouterr().out.splitlines()[0].removeprefix("PIN: "))


def test_a_match_that_is_over_is_shown_and_the_referee_rules_on_it(tmp_path: Path) -> None:
    match, port = tmp_path / "match", free_port()
    with Ledger(match, device_key()) as ledger:
        umpire = watched_again(Umpire(BHO, ("Ann", "Ben")), ledger, "")
        umpire.start()
        for fact in (*FIRST, RecordingEnded(t=9.0, frame=270)):
            umpire.on(fact)
    config = configured(tmp_path, port)
    options = configuration(config)
    set_pin(tmp_path / "console", PIN)
    command = [sys.executable, "-m", "firmware", "console", "serve", match, "--config", config]
    with ExitStack() as stack:
        served = stack.enter_context(
            subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        )
        stack.callback(served.kill)
        visitor = Visitor("127.0.0.1", port)
        assert until(lambda: visitor.get("/api/match").told)["over"]
        with pytest.raises(ConsoleError, match=f"nothing can listen on port {port}"):
            serve_command(options.console, options.evidence, match)
        trusting = ssl.create_default_context(cafile=tmp_path / "console" / CERTIFICATE)
        referee = Visitor("127.0.0.1", options.console.referee_port, tls=trusting)
        assert until(lambda: referee.post("/login", pin=PIN).told["taken"])
        form = referee.hidden("/case/3")["form"]
        assert referee.post("/call", form=form, call="pause").told["text"].endswith("is over already")
        assert referee.post("/call", form=form, call="referee").told["taken"]
        ruling = {"action": "warn", "player": "Ann", "reason": "A die was slid."}
        assert referee.post("/rule", form=form, seen=3, **ruling).told["text"].startswith("The match has moved on")
        assert referee.post("/rule", **referee.hidden("/case/3"), **ruling).told["taken"]
        verdict = check(match).verdict
        assert verdict.ok and verdict.closed and verdict.code in visitor.get("/").text
        with Ledger(match):
            assert "is being played by another" in referee.post("/call", form=form, call="referee").told["text"]
        stream = stack.enter_context(visitor.stream())
        assert next(stream)[0] == "board"
        served.terminate()
        assert b"Traceback" not in served.communicate(timeout=30)[1]
    with pytest.raises(LedgerError, match="there is no match"):
        serve_command(options.console, options.evidence, tmp_path / "none")


def test_a_missing_extra_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "NEEDED", ("nothing_of_that_name",))
    with pytest.raises(ConsoleError, match=r"needs nothing_of_that_name: .* pip install 'fairtray\[console\]'"):
        beside.check_installed()
