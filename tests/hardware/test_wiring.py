"""The pin table of the wiring, held against the default configuration and the header as gpiozero knows it."""

from pathlib import Path

import pytest
from gpiozero.pins.pi import PiBoardInfo

import hardware
from firmware.config import SECTIONS, Config

PAGE = Path(hardware.__file__).parent / "WIRING.md"
ROWS = [
    [cell.strip(" `") for cell in line.split("|")[1:-1]]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| what", "| ---"))
]
REVISIONS = (0xC03114, 0xC04170)
"""Of a Pi 4B and a Pi 5."""


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_pin_is_where_the_table_says(revision: int) -> None:
    board = PiBoardInfo.from_revision(revision)
    for what, _, number, place in ROWS:
        places = [(header.name, pin.number) for header, pin in board.find_pin(f"GPIO{number}")]
        assert places == [("J8", int(place))], what


def test_the_table_has_every_pin_of_the_default_configuration_and_no_pin_twice() -> None:
    told = {option: int(number) for _, option, number, _ in ROWS if option}
    config = Config()
    pins = {f"{name}.{key}" for name in SECTIONS for key in getattr(config, name).__slots__ if key.endswith("_pin")}
    pins |= {f"panel.{key}" for key in (
        "previous", "next", "choose", "confirm", "referee", "red", "green", "blue", "sound"
    )}  # fmt: skip
    assert set(told) == pins
    for option, number in told.items():
        section, key = option.split(".")
        assert getattr(getattr(config, section), key) == number, option
    numbers = [number for _, _, number, _ in ROWS]
    assert len(set(numbers)) == len(numbers)


def test_grounds_and_supply_are_such() -> None:
    board = PiBoardInfo.from_revision(REVISIONS[0])
    (header,) = [header for header in board.headers.values() if header.name == "J8"]
    assert [header.pins[place].name for place in (9, 14, 20, 30, 34, 39)] == ["GND"] * 6
    assert [header.pins[place].name for place in (1, 17)] == ["3V3"] * 2
