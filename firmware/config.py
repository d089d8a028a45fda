"""What `fairtray.toml` can say: every option with its default, what it takes and what it means, described once.

The description is the dataclasses themselves. From it come the defaults, the checks, the commented file that
`fairtray config init` prints, and with that docs/configuration.md.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, get_type_hints

from firmware.play.health import HOST, PORT
from firmware.play.logs import LEVELS
from hardware.display import DEFAULT_WIRING, DISPLAYS, Wiring
from hardware.panel import DEFAULT_PINS, HOLD_S, PanelPins
from hardware.signals import SignalPins
from scorer.presets import RULESETS

Range = tuple[float, float]
Choices = tuple[str, ...]
Takes = Range | Choices | str
"""A range, the choices of a text, or in words what a text must be."""

AUTO = "auto"
LOG = "info"
PANELS = ("none", "buttons", "encoder", "keyboard")


def _option(default: Any, about: str, takes: Takes = "", spell: Callable[[Any], str] = json.dumps) -> Any:
    """A field of a section; `spell` writes its value as TOML."""
    return field(default=default, metadata={"about": about, "takes": takes, "spell": spell})


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """The camera and what reads its pictures."""

    source: str = _option(
        AUTO,
        "Where the pictures come from",
        "auto (the camera, else the sample match), camera, usb:0, a video, a folder",
    )
    calibration: str = _option("", "The calibration of this tray", "a file; empty = found from the first seconds")
    own_pace: bool = _option(True, "Whether a recording is played at its own pace, else as fast as it can be watched")
    models: str = _option("", "The networks", "a folder; empty = those that ship")


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """What is played. The command line may say otherwise."""

    rules: str = _option("bho", "The rules played", tuple(RULESETS))
    players: tuple[str, ...] = _option(
        (), "Who plays, in the order of play", "names; none = one player, or those of the sample match"
    )
    set: tuple[str, ...] = _option((), "Settings and house rules", 'as "mulligan=yes", from docs/rules.md')
    folder: str = _option("matches", "Where each match gets its folder", "a folder")
    agree: tuple[str, ...] = _option((), "What is agreed about the table", 'as "marker=yes", from docs/rules.md')


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """The display and how it is connected."""

    kind: str = _option("picture", "Which one; picture = none, the terminal shows it", DISPLAYS)
    bus: str = _option(DEFAULT_WIRING.bus, "How it is connected", ("i2c", "spi"))
    i2c_port: int = _option(DEFAULT_WIRING.i2c_port, "Number of the I2C bus", (0, 31))
    i2c_address: int = _option(DEFAULT_WIRING.i2c_address, "Its address on the I2C bus", (0x03, 0x77), "{:#04x}".format)
    spi_port: int = _option(DEFAULT_WIRING.spi_port, "Number of the SPI bus", (0, 6))
    spi_device: int = _option(DEFAULT_WIRING.spi_device, "Its chip select on the SPI bus", (0, 2))
    data_pin: int = _option(DEFAULT_WIRING.data_pin, "Pin of data or command on SPI, BCM number", (0, 27))
    reset_pin: int = _option(DEFAULT_WIRING.reset_pin, "Pin of the reset on SPI, BCM number", (0, 27))
    light_pin: int = _option(DEFAULT_WIRING.light_pin, "Pin that lights a colour display, BCM number", (0, 27))
    upside_down: bool = _option(False, "Whether it is built in upside down")

    @property
    def wiring(self) -> Wiring:
        """As the display takes it."""
        return Wiring(
            bus="spi" if self.bus == "spi" else "i2c",
            i2c_port=self.i2c_port,
            i2c_address=self.i2c_address,
            spi_port=self.spi_port,
            spi_device=self.spi_device,
            data_pin=self.data_pin,
            reset_pin=self.reset_pin,
            light_pin=self.light_pin,
            turned=2 if self.upside_down else 0,
        )


@dataclass(frozen=True, slots=True)
class PanelOptions:
    """The buttons, or a keyboard's keys, lamp and buzzer; each button pulls its pin, a BCM number, to ground."""

    kind: str = _option("none", "Which ones; an encoder takes the pins of previous and next", PANELS)
    previous: int = _option(DEFAULT_PINS.previous, "The roller turns back", (0, 27))
    next: int = _option(DEFAULT_PINS.next, "The roller turns on", (0, 27))
    choose: int = _option(DEFAULT_PINS.choose, "The roller takes it", (0, 27))
    confirm: int = _option(DEFAULT_PINS.confirm, "The marker confirms", (0, 27))
    referee: int = _option(DEFAULT_PINS.referee, "Anybody calls the referee", (0, 27))
    hold_s: float = _option(HOLD_S, "Seconds after which choose, confirm and referee are held, not pressed", (0.3, 5.0))
    lamp: bool = _option(False, "Whether there is a lamp of three colours")
    red: int = _option(17, "Pin that lights its red", (0, 27))
    green: int = _option(27, "Pin that lights its green", (0, 27))
    blue: int = _option(22, "Pin that lights its blue", (0, 27))
    buzzer: bool = _option(False, "Whether there is a buzzer")
    sound: int = _option(23, "Pin that sounds it", (0, 27))

    @property
    def signals(self) -> SignalPins:
        """As lamp and buzzer take them."""
        return SignalPins((self.red, self.green, self.blue) if self.lamp else None, self.sound if self.buzzer else None)

    @property
    def pins(self) -> PanelPins | None:
        """As the panel takes them; None where there is none on pins."""
        if self.kind not in ("buttons", "encoder"):
            return None
        return PanelPins(
            self.previous, self.next, self.choose, self.confirm, self.referee, encoder=self.kind == "encoder"
        )


NO_PANEL = PanelOptions()


@dataclass(frozen=True, slots=True)
class EvidenceOptions:
    """The pictures kept as evidence, and the key that signs ledgers. Only the tray is ever kept, and no sound."""

    key: str = _option("", "The device's private key, made at its first use", "a file; empty = with this user's data")
    seconds: float = _option(10.0, "How much of the past is kept in memory, s", (2, 60))
    memory_mb: float = _option(20.0, "How much memory that may take, MB", (1, 500))
    budget_mb: float = _option(
        2000.0,
        "Disk space for the evidence of all matches, MB: the oldest that nobody disputes goes first",
        (0, 1_000_000),
    )


USUAL_EVIDENCE = EvidenceOptions()


@dataclass(frozen=True, slots=True)
class StatusOptions:
    """What is told of the appliance itself."""

    port: int = _option(PORT, f"Port of the health endpoint on {HOST}, which fairtray status asks", (1024, 65535))
    log: str = _option(LOG, "What is logged on the standard error, as JSON lines", LEVELS)


@dataclass(frozen=True, slots=True)
class ConsoleOptions:
    """The pages for players, spectators and the referee; they need the extra `console`."""

    enabled: bool = _option(False, "Whether there are any; else nothing listens")
    host: str = _option(
        "0.0.0.0", "The address to listen on", "an address of this machine, or its name; 0.0.0.0 = all of them"
    )
    port: int = _option(8080, "Port of the players' pages, plain HTTP", (1024, 65535))
    referee_port: int = _option(8443, "Port of the referee's pages, HTTPS; open once there is a PIN", (1024, 65535))
    folder: str = _option("console", "Where the referee's PIN (hashed), key and certificate are kept", "a folder")


NO_CONSOLE = ConsoleOptions()


@dataclass(frozen=True, slots=True)
class Config:
    """All of `fairtray.toml`, a field for each of its sections."""

    camera: CameraOptions = CameraOptions()
    match: MatchOptions = MatchOptions()
    display: DisplayOptions = DisplayOptions()
    panel: PanelOptions = NO_PANEL
    evidence: EvidenceOptions = USUAL_EVIDENCE
    status: StatusOptions = StatusOptions()
    console: ConsoleOptions = NO_CONSOLE


@dataclass(frozen=True, slots=True)
class Option:
    """One option as it is described: its type, its default as TOML, and what it takes."""

    name: str
    type: Any
    default: str
    about: str
    takes: Takes
    spell: Callable[[Any], str]

    @property
    def allowed(self) -> str:
        """What it takes, in words."""
        if self.type is bool:
            return "true or false"
        if isinstance(self.takes, str):
            return self.takes
        low, high = self.takes[0], self.takes[-1]
        if isinstance(low, str):
            return ", ".join(map(str, self.takes))
        return f"{self.spell(low)} to {self.spell(high)}"


SECTIONS: dict[str, type[Any]] = get_type_hints(Config)


def options_of(section: type[Any]) -> dict[str, Option]:
    """The options of a section, in order."""
    hints = get_type_hints(section)
    return {
        told.name: Option(
            told.name,
            hints[told.name],
            told.metadata["spell"](told.default),
            told.metadata["about"],
            told.metadata["takes"],
            told.metadata["spell"],
        )
        for told in fields(section)
    }


def commented() -> str:
    """The default configuration as TOML, with a line on every option."""
    lines = ["# Fairtray's configuration: every option with its default. What is left out keeps its default."]
    for name, section in SECTIONS.items():
        lines += ["", f"# {(section.__doc__ or '').strip()}", f"[{name}]"]
        for option in options_of(section).values():
            lines += [f"# {option.about}: {option.allowed}.", f"{option.name} = {option.default}"]
    return "\n".join(lines) + "\n"
