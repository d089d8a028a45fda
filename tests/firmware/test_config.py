"""`fairtray.toml`: the defaults and their page, every fault of every option, and the commands."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware.commands.run import RunOptions
from firmware.config import SECTIONS, Config, Option, commented, options_of
from firmware.config_file import configuration, load
from firmware.errors import FirmwareError
from hardware.display import Wiring
from tests.firmware.command import fairtray

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
OPTIONS = [(name, option) for name, section in SECTIONS.items() for option in options_of(section).values()]


def wrong(option: Option) -> list[Any]:
    """Values that the option does not take: of another type, and beyond each end of its range."""
    if option.type is bool:
        return ["true", 1]
    if option.type is str:
        return [1, True, "snap"] if isinstance(option.takes, tuple) else [1, True, "a\nb", "a\0b"]
    if option.type in (int, float):
        assert isinstance(option.takes, tuple)
        low, high = option.takes
        assert not isinstance(low, str) and not isinstance(high, str)
        return ["1", True, low - 1, high + 1, *([low + 0.5] if option.type is int else [])]
    return ["Ann", [1], ["a\0b"]]


def complaint(tmp_path: Path, text: str) -> str:
    path = tmp_path / "fairtray.toml"
    path.write_text(text)
    with pytest.raises(FirmwareError) as raised:
        load(path)
    return str(raised.value)


def test_the_commented_default_is_the_default(tmp_path: Path) -> None:
    path = tmp_path / "fairtray.toml"
    path.write_text(commented())
    assert load(path) == Config()
    path.write_text("")
    assert load(path) == Config()


def test_the_page_holds_every_option() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert commented() in page, "paste what `fairtray config init` prints into docs/configuration.md"


@pytest.mark.parametrize(("section", "option"), OPTIONS, ids=lambda x: x if isinstance(x, str) else x.name)
def test_every_option_says_its_line_its_name_and_what_it_takes(tmp_path: Path, section: str, option: Option) -> None:
    for value in wrong(option):
        said = complaint(tmp_path, f"# a line\n[{section}]\n\n{option.name} = {json.dumps(value)}\n")
        assert said.startswith(f"{tmp_path}/fairtray.toml, line 4: {section}.{option.name} must be ")
        if isinstance(option.takes, tuple) and option.type is not str:
            assert "{:g} to {:g}".format(*option.takes) in said
        elif isinstance(option.takes, tuple):
            assert option.allowed in said
    twice = f"[{section}]\n{option.name} = {option.default}\n{option.name} = {option.default}"
    assert f"line 3: {option.name} is there twice" in complaint(tmp_path, twice)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[camera]\nsorce = 'camera'\n", "line 2: unknown key camera.sorce; known here: source"),
        ("\n[kamera]\n", "line 2: unknown section kamera; known are camera, match"),
        ("camera = 3\n", "line 1: camera is a section: write [camera]"),
        ("[camera]\n[match]\n[camera]\n", "line 3: camera is there twice"),
        ("[display]\nkind = oled\n", "line 2: kind: not TOML: Invalid value; texts stand in quotes"),
        ("[display]\nkind\n", "line 2: kind: not TOML"),
        ("display.i2c_port = 99\n", "line 1: display.i2c_port must be a number from 0 to 31, not 99"),
        ("match = {rules = 'bho',\n", "line 1"),
        ("[match]\nplayers = [\n  'Ann',\n  'Ann',\n]\n", "line 5: players: 'Ann' is there twice"),
        ("[match]\nset = ['mulligan']\n", "line 2: setting 'mulligan': write NAME=VALUE"),
        ("[match]\nset = ['columns=9']\nrules = 'casino'\n", "line 2: setting columns=9: it takes 1 to 6"),
        ("[match]\nagree = ['marker=1', 'marker=2']\n", "line 2: agreement marker is there twice"),
        ("[panel]\nkind = 'buttons'\nnext = 13\n", "panel.choose must be a pin of its own, not 13: that is panel.next"),
        (
            "[panel]\nkind='encoder'\n\nchoose = 3\n[display]\nkind='sh1106'",
            "line 4: panel.choose must be a pin of its own",
        ),
        ("[display]\nkind='sh1106'\nbus='spi'\n[panel]\nkind='buttons'\nreferee=25", "that is display.reset_pin"),
        ("[display]\nkind = 'st7789'\n", 'line 2: display.bus must be "spi" for st7789, not "i2c"'),
        ("[console]\nhost = ''\n", "line 2: console.host must be an address of this machine"),
        (
            "\n[camera]\nsource = 'usb:x'\n",
            "line 3: camera.source must name a USB camera by its number, as usb:0, not 'u",
        ),
        ("[camera]\nsource = 'usb:12345678901'\n", "camera.source must name a USB camera by its number"),
        ("[console]\nhost = '999.1.1.1'\n", "line 2: console.host must be an address of this machine, or its name"),
        ("[console]\nhost = '[::1]'\n", "0.0.0.0 for all of them, not '[::1]'"),
        ("[console]\nhost = 'fair tray'\n", "not 'fair tray'"),
        ("[console]\nport = 8377\n", "line 2: console.port must be a port of its own, not 8377: that is status.port"),
        ("[console]\nreferee_port = 8080\n", "line 2: console.referee_port must be a port of its own, not 8080"),
        ("x\n" * 32_001, "longer than 64000 characters"),
        (f"\n{'a.' * 497}a = 1\n", "line 2: unknown section a"),
        (
            f"[console]\nport = {'9' * 980}\n",
            f"line 2: console.port must be a number from 1024 to 65535, not {'9' * 60} ... 9",
        ),
        (f"{'k' * 900} = 1\n", f"line 1: unknown section {'k' * 60} ... {'k' * 30}; known are camera"),
        (f"[camera]\n{'k' * 900} = 1\n", f"line 2: unknown key camera.{'k' * 53} ... {'k' * 30}; known here: source"),
        (f"{'k' * 900} = \n", f"line 1: {'k' * 60} ... {'k' * 30}: not TOML"),
        (f"[console]\nhost = '{'a' * 900}'\n", f"for all of them, not '{'a' * 59} ... {'a' * 29}'"),
        (f"\n{'a.' * 500}a = 1\n", "line 2: it is longer than 1000 characters"),
        ("[camera]\nsource = " + "[\n" * 2000, "brackets within brackets"),
        ("#\n" * 20_000 + "[camera]\nown_pace = 3\n", "line 20002: camera.own_pace must be true or false"),
        ("[camera]\nsource = '''" + "\n]" * 20_000 + "'''\n[match]\nrules = 3\n", "line 20002: camera.source must be"),
        ("[match]\nplayers = ['A'] # [\nset = ['[', # '[\n]\nagree = [{a = ']'},\n[]]\n", "line 6: match.agree must"),
        (
            'camera.source = """["""\ncamera.models = "[\\""\nmatch.folder = """[\\"""[""""" # [\npanel.next = "x"',
            "line 4: ",
        ),
    ],
)
def test_other_faults_are_said_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    told = complaint(tmp_path, text)
    assert said in told
    assert "\n" not in told


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "fd00::1", "192.168.4.1", "fairtray", "fairtray.local", "tray-2.home."]
)
def test_addresses_and_names_can_be_listened_on(tmp_path: Path, host: str) -> None:
    path = tmp_path / "fairtray.toml"
    path.write_text(f"[console]\nhost = '{host}'\n[camera]\nsource = 'usb:12'\n")
    assert load(path).console.host == host


COLOUR_DISPLAY = "[display]\nkind = 'ili9341'\nbus = 'spi'\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("data_pin = 25", "line 4: display.reset_pin must be a pin of its own, not 25: that is display.data_pin"),
        ("data_pin = 10", "line 4: display.data_pin must be a pin of its own, not 10: the bus of display.spi_port"),
        ("reset_pin = 11", "line 4: display.reset_pin must be a pin of its own, not 11: the bus of display.spi_port"),
        ("light_pin = 24", "line 4: display.light_pin must be a pin of its own, not 24: that is display.data_pin"),
        ("spi_port = 1", "line 4: display.light_pin must be a pin of its own, not 18: the bus of display.spi_port"),
        (
            "light_pin = 12\nspi_port = 1\n[panel]\nkind = 'buttons'\n",
            "line 5: panel.confirm must be a pin of its own, not 19: the bus of display.spi_port has it",
        ),
        ("[panel]\nlamp = true\nred = 18\n", "line 6: panel.red must be a pin of its own, not 18"),
        ("[panel]\nbuzzer = true\nsound = 7\n", "line 6: panel.sound must be a pin of its own, not 7"),
    ],
)
def test_a_pin_of_the_display_or_of_its_bus_is_nothing_elses(tmp_path: Path, text: str, said: str) -> None:
    assert f"fairtray.toml, {said}" in complaint(tmp_path, COLOUR_DISPLAY + text)


def test_pins_of_a_bus_that_is_not_used_are_free(tmp_path: Path) -> None:
    path, buttons = tmp_path / "fairtray.toml", "[panel]\nkind = 'buttons'\nprevious = 2\nnext = 10\n"
    path.write_text("[display]\nkind = 'ssd1306'\ni2c_port = 0\n" + buttons)
    assert load(path).panel.previous == 2
    path.write_text("[display]\nkind = 'ssd1306'\nbus = 'spi'\nspi_port = 1\nlight_pin = 24\n[panel]\nlamp = true\n")
    assert load(path).panel.lamp
    said = complaint(tmp_path, "[display]\nkind = 'ssd1306'\ni2c_port = 0\n" + buttons.replace("2", "0"))
    assert "line 6: panel.previous must be a pin of its own, not 0: the bus of display.i2c_port has it" in said


def test_what_is_configured_is_what_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert RunOptions.of(tmp_path, configuration(None)) == RunOptions(tmp_path)
    (tmp_path / "fairtray.toml").write_text(
        '[camera]\nsource = "usb:1"\n[match]\nplayers = ["Ann", "Ben"]\n[display]\nkind = "sh1106"\nbus = "spi"\n'
    )
    options = RunOptions.of(tmp_path, configuration(None))
    assert (options.source, options.players, options.display) == ("usb:1", ("Ann", "Ben"), "sh1106")
    assert options.wiring == Wiring("spi")


def test_a_configuration_is_written_once_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    assert fairtray("config", "init").stdout == commented()
    assert fairtray("config", "init", path).stdout == f"wrote {path}\n"
    assert fairtray("config", "check", path).stdout == f"{path} is in order\n"
    again = fairtray("config", "init", path)
    assert (again.returncode, again.stderr) == (2, f"fairtray: cannot write {path}: File exists\n")
    path.write_text("[display]\ni2c_port = 99\n")
    said = f"fairtray: {path}, line 2: display.i2c_port must be a number from 0 to 31, not 99\n"
    for command in (("config", "check", path), ("run", "--config", path)):
        ran = fairtray(*command)
        assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", said)
    path.write_text('console.host = "999.1.1.1"\n')
    ran = fairtray("config", "check", path)
    assert (ran.returncode, ran.stderr.count("\n"), "not '999.1.1.1'" in ran.stderr) == (2, 1, True)
    assert "`fairtray config init" in fairtray("run", "--config", tmp_path / "none.toml").stderr
