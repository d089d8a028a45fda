"""Reading `fairtray.toml`: each complaint names the line, the option and what it takes."""

import ipaddress
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from calibration.errors import CalibrationError
from calibration.table import Section, short, shown
from firmware.config import SECTIONS, Config, DisplayOptions, MatchOptions, Option, options_of
from firmware.errors import FirmwareError
from hardware.display import COLOUR, WIRED
from scorer.agreed import options_of as agreed_options
from scorer.errors import ScorerError
from scorer.presets import ruleset
from scorer.settings import parse_settings
from scorer.state import Options, new_match

CONFIG = Path("fairtray.toml")
"""Read where it lies in the current folder and no other is named."""
MOST_CHARACTERS, MOST_ACROSS = 64_000, 1000
"""In all and in a line: the parser's time grows with the square of the parts of a dotted key."""
_I2C = {0: (0, 1), 1: (2, 3)}
_SPI = {0: (9, 10, 11), 1: (19, 20, 21)}
"""The pins of the buses that every Pi has, by their number; those of others depend on the Pi."""
_CHIPS = {0: (8, 7), 1: (18, 17, 16)}
"""And of an SPI bus's chip selects: both of bus 0 are taken whichever is used, on bus 1 those up to the used one."""
_TOKEN = re.compile(
    r""""{3}(?:\\.|[^\\])*?"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\])*"|'[^']*'|\#[^\n]*|[][{}\n]""", re.DOTALL
)
"""A text, a remark, a bracket, or the end of a line."""
_LABEL = re.compile(r"\w(?:[\w-]{0,61}\w)?")
"""A part of a host's name."""
_AT = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def configuration(path: Path | None) -> Config:
    """The configuration in the file; without one that of `fairtray.toml` here, else the defaults.

    Raises `FirmwareError` as `load` does.
    """
    if path is None and not CONFIG.is_file():
        return Config()
    return load(path or CONFIG)


def load(path: Path) -> Config:
    """The configuration in a file.

    Raises:
        FirmwareError: it cannot be read or is no TOML, or an option is unknown, there twice, of another type or out of
            its range; the message names the file, the line and the option.
    """
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except OSError as error:
        wanted = f"`fairtray config init {path}` writes one"
        raise FirmwareError(f"cannot read the configuration {path}: {error.strerror}; {wanted}") from error
    except UnicodeDecodeError as error:
        raise FirmwareError(f"the configuration {path} is no text") from error
    if len(text) > MOST_CHARACTERS:
        raise FirmwareError(f"{path} is no configuration: it is longer than {MOST_CHARACTERS} characters")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MOST_ACROSS:
            raise FirmwareError(f"{path}, line {number}: it is longer than {MOST_ACROSS} characters")
    table = _table(path, text)
    config = Config(**{name: _section(path, text, name, given) for name, given in table.items()})
    _check_source(path, text, config.camera.source)
    _check_match(path, text, config.match)
    _check_display(path, text, config)
    _check_pins(path, text, config)
    _check_listening(path, text, config)
    return config


def _table(path: Path, text: str) -> Mapping[str, Any]:
    """The TOML of the text. Raises `FirmwareError`."""
    try:
        return tomllib.loads(f"{text}\n")
    except RecursionError as error:
        raise FirmwareError(f"{path}: brackets within brackets, hundreds deep; no option takes that") from error
    except tomllib.TOMLDecodeError as error:
        found = _AT.search(str(error))
        number = int(found[1]) if found and found[1] else len(text.splitlines())
        name = (text.splitlines() or [""])[number - 1].partition("=")[0].strip(" []")
        name, what = short(name), short(_AT.sub("", str(error)))
        if "overwrite" in what or "twice" in what:
            raise FirmwareError(f"{path}, line {number}: {name} is there twice; give it once") from error
        raise FirmwareError(f"{path}, line {number}: {name}: not TOML: {what}; texts stand in quotes") from error


def _section(path: Path, text: str, name: str, given: Any) -> Any:
    """One section's options, those that are left out with their defaults."""
    with _complaints(path, text, (name,)):
        if name not in SECTIONS:
            raise FirmwareError(f"unknown section {short(name)}; known are {', '.join(SECTIONS)}")
        if not isinstance(given, dict):
            raise FirmwareError(f"{name} is a section: write [{name}] and below it its options")
    options = options_of(SECTIONS[name])
    values = {}
    for key, value in given.items():
        with _complaints(path, text, (name, key)):
            values[key] = _value(Section({name: {key: value}}, name, tuple(options)), options[key])
    return SECTIONS[name](**values)


def _value(section: Section, option: Option) -> Any:
    """The option's value. Raises `CalibrationError`."""
    takes: Any = option.takes
    if option.type is bool:
        return section.flag(option.name)
    if option.type is int:
        return section.whole(option.name, takes)
    if option.type is float:
        return section.number(option.name, takes)
    if option.type is str:
        return section.text(option.name, () if isinstance(takes, str) else takes)
    return section.texts(option.name)


def _check_source(path: Path, text: str, source: str) -> None:
    """Raise `FirmwareError` for a USB camera that is not named by a number."""
    if not source.startswith("usb:"):
        return
    from vision.source import usb_number  # which brings OpenCV with it

    with _complaints(path, text, ("camera", "source")):
        if usb_number(source) is None:
            raise FirmwareError(f"camera.source must name a USB camera by its number, as usb:0, not {shown(source)}")


def _check_match(path: Path, text: str, match: MatchOptions) -> None:
    """Raise `FirmwareError` for rules, settings, agreements or players with which no match can be opened."""
    with _complaints(path, text, ("match", "set")):
        rules = ruleset(match.rules, parse_settings(match.set))
    with _complaints(path, text, ("match", "agree")):
        agreed = agreed_options(parse_settings(match.agree, "agreement"), Options())
    if match.players:
        with _complaints(path, text, ("match", "players")):
            new_match(rules, match.players, agreed)


def _check_display(path: Path, text: str, config: Config) -> None:
    """Raise `FirmwareError` for a display on a bus that it does not have."""
    kind, bus = config.display.kind, config.display.bus
    with _complaints(path, text, ("display", "bus"), ("display", "kind")):
        if kind in COLOUR and bus != "spi":
            raise FirmwareError(f'display.bus must be "spi" for {kind}, not "{bus}"')


def _check_pins(path: Path, text: str, config: Config) -> None:
    """Raise `FirmwareError` for a pin of the display, of a button, lamp or buzzer that something else has."""
    taken = _bus_pins(config.display)
    for section, name in _own_pins(config):
        pin, own = getattr(getattr(config, section), name), f"{section}.{name}"
        other = taken.setdefault(pin, own)
        if other != own:
            with _complaints(path, text, (section, name), tuple(other.split("."))):
                has = f"the bus of {other} has it" if other.endswith("_port") else f"that is {other}"
                raise FirmwareError(f"{own} must be a pin of its own, not {pin}: {has}")


def _bus_pins(display: DisplayOptions) -> dict[int, str]:
    """The pins of the display's bus, each with the option that says which bus it is."""
    if display.kind not in WIRED:
        return {}
    if display.bus == "i2c":
        return dict.fromkeys(_I2C.get(display.i2c_port, ()), "display.i2c_port")
    chips = _CHIPS.get(display.spi_port, ())
    chips = chips if display.spi_port == 0 else chips[: display.spi_device + 1]
    return dict.fromkeys((*_SPI.get(display.spi_port, ()), *chips), "display.spi_port")


def _own_pins(config: Config) -> list[tuple[str, str]]:
    """Section and name of each option that is a pin and is used."""
    panel, display = config.panel, config.display
    is_spi = display.kind in WIRED and display.bus == "spi"
    names = ["data_pin", "reset_pin"] if is_spi else []
    names += ["light_pin"] if is_spi and display.kind in COLOUR else []
    others = ["previous", "next", "choose", "confirm", "referee"] if panel.pins else []
    others += ["red", "green", "blue"] if panel.lamp else []
    others += ["sound"] if panel.buzzer else []
    return [("display", name) for name in names] + [("panel", name) for name in others]


def _check_listening(path: Path, text: str, config: Config) -> None:
    """Raise `FirmwareError` where it would listen on more than is named, or twice on a port."""
    console = config.console
    with _complaints(path, text, ("console", "host")):
        if not _may_be_host(console.host):
            wanted = "an address of this machine, or its name, or 0.0.0.0 for all of them"
            raise FirmwareError(f"console.host must be {wanted}, not {shown(console.host)}")
    with _complaints(path, text, ("console", "port")):
        if console.port == config.status.port:
            raise FirmwareError(f"console.port must be a port of its own, not {console.port}: that is status.port")
    with _complaints(path, text, ("console", "referee_port")):
        if console.referee_port in (console.port, config.status.port):
            raise FirmwareError(f"console.referee_port must be a port of its own, not {console.referee_port}")


def _may_be_host(host: str) -> bool:
    """Whether it is an address, or may be a name: no name ends with a number (RFC 1123, 2.1)."""
    with suppress(ValueError):
        return bool(ipaddress.ip_address(host))
    labels = host.removesuffix(".").split(".")
    return all(map(_LABEL.fullmatch, labels)) and not labels[-1].isdigit()


@contextmanager
def _complaints(path: Path, text: str, *options: tuple[str, ...]) -> Iterator[None]:
    """Say where in the file it is that something is wrong: at the first of these options that it has."""
    try:
        yield
    except (CalibrationError, FirmwareError, ScorerError) as error:
        line = next(filter(None, (_line_of(text, keys) for keys in options)), 0)
        where = f", line {line}" if line else ""
        raise FirmwareError(f"{path}{where}: {error}") from error


def _line_of(text: str, keys: tuple[str, ...]) -> int:
    """The last line of the option, 0 where the file does not have it.

    The parser names no lines. But each statement, below its section's header, is TOML by itself, however it is spelt.
    """
    header = ""
    for statement, number in _statements(f"{text}\n"):
        is_header = statement.lstrip().startswith("[")
        found: Any = tomllib.loads(statement if is_header else header + statement)
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        if found is not None:
            return number
        header = statement if is_header else header
    return 0


def _statements(text: str) -> Iterator[tuple[str, int]]:
    """Each header, option or remark of a text that is TOML, and the number of its last line."""
    depth, begin = 0, 0
    number = 1
    for token in _TOKEN.finditer(text):
        said = token[0]
        depth += (said in "[{") - (said in "]}")
        if said == "\n" and depth == 0:
            yield text[begin : token.end()], number
            begin = token.end()
        number += said.count("\n")
