"""`fairtray console`: the PIN, the addresses, a match that is not played, and what is refused in a line."""

import subprocess
import sys
from pathlib import Path

import pytest

from firmware.commands.console import address_command, pin_command, serve_command
from firmware.config_file import configuration
from firmware.console import beside
from firmware.console.errors import ConsoleError
from firmware.console.pin import is_pin
from firmware.errors import LedgerError
from firmware.ledger import Ledger
from firmware.record import watched_again
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


def test_a_match_that_is_not_played_is_shown_and_nothing_is_said_in_it(tmp_path: Path) -> None:
    with Ledger(tmp_path / "match") as ledger:
        umpire = watched_again(Umpire(BHO, ("Ann", "Ben")), ledger, "")
        umpire.start()
        for fact in FIRST:
            umpire.on(fact)
    port = free_port()
    config = configured(tmp_path, port)
    command = [sys.executable, "-m", "firmware", "console", "serve", tmp_path / "match", "--config", config]
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True) as served:
        visitor = Visitor("127.0.0.1", port)
        assert until(lambda: visitor.get("/api/match").told)["dice"] == [1, 3, 3, 4, 6]
        assert "I play" not in visitor.get("/").text
        refused = visitor.post("/seat/code")
        assert (refused.status, refused.told["text"]) == (409, "This match is not being played.")
        with pytest.raises(ConsoleError, match=f"nothing can listen on port {port}"):
            serve_command(configuration(config).console, tmp_path / "match")
        served.terminate()
        served.communicate(timeout=30)
    with pytest.raises(LedgerError, match="there is no match"):
        serve_command(configuration(config).console, tmp_path / "none")


def test_a_missing_extra_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "NEEDED", ("nothing_of_that_name",))
    with pytest.raises(ConsoleError, match=r"needs nothing_of_that_name: .* pip install 'fairtray\[console\]'"):
        beside.check_installed()
