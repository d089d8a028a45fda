"""Displays: what each kind is sent, and what is said when it is not there.

No OLED is at hand here: a bus that keeps what it is sent stands in for the wires, under luma's own drivers.
"""

import errno
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import smbus2
from PIL import Image

from hardware.display import Display, Wiring, draw, enlarged, open_display
from hardware.errors import DisplayError, HardwareError
from hardware.screens import Waiting

ANN, BEN = Waiting("Ann", 1, 3), Waiting("Ben", 1, 3)


class Bus:
    """An I2C bus with one device, which keeps the bytes of the pictures sent to it."""

    def __init__(self, _port: int) -> None:
        self.sent: list[int] = []
        self.unplugged = False
        BUSES.append(self)

    def write_i2c_block_data(self, address: int, _register: int, _data: list[int]) -> None:
        self._answer(address)

    def i2c_rdwr(self, message: Any) -> None:
        self._answer(message.addr)
        self.sent += list(message)[1:]

    def close(self) -> None:
        pass

    def _answer(self, address: int) -> None:
        if address != 0x3C or self.unplugged:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")


BUSES: list[Bus] = []


@pytest.fixture
def buses(monkeypatch: pytest.MonkeyPatch) -> list[Bus]:
    BUSES.clear()
    monkeypatch.setattr(smbus2, "SMBus", Bus)
    return BUSES


def pages(picture: Image.Image) -> list[int]:
    """The picture as an OLED's memory holds it: rows of 8 dots, a byte to a column, the top dot lowest."""
    return [
        sum(bool(picture.getpixel((x, page * 8 + bit))) << bit for bit in range(8))
        for page in range(picture.height // 8)
        for x in range(picture.width)
    ]


def refusal(action: Callable[[], object]) -> str:
    """The one line that the action is refused with."""
    with pytest.raises(HardwareError) as raised:
        action()
    assert isinstance(raised.value, DisplayError)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_picture_holds_what_was_shown() -> None:
    with open_display("picture") as display:
        display.show(ANN)
        assert display.picture is not None
        assert display.picture.tobytes() == draw(ANN).tobytes()


@pytest.mark.parametrize("kind", ["ssd1306", "sh1106", "ssd1309"])
def test_oled_is_sent_every_dot(kind: str, buses: list[Bus]) -> None:
    with open_display(kind) as display:
        buses[0].sent.clear()
        display.show(ANN)
        assert buses[0].sent == pages(draw(ANN))


def test_oled_built_in_upside_down(buses: list[Bus]) -> None:
    with open_display("ssd1306", Wiring(turned=2)) as display:
        buses[0].sent.clear()
        display.show(ANN)
        assert buses[0].sent == pages(draw(ANN).rotate(180))


def test_same_screen_is_sent_once(buses: list[Bus]) -> None:
    with open_display("ssd1306") as display:
        display.show(ANN)
        sent = len(buses[0].sent)
        display.show(Waiting("Ann", 1, 3))
        assert len(buses[0].sent) == sent
        display.show(BEN)
        assert len(buses[0].sent) > sent


def test_absent_display_names_its_address(buses: list[Bus]) -> None:
    assert refusal(lambda: open_display("ssd1306", Wiring(i2c_address=0x3D))) == (
        "no display answers at I2C address 0x3d: check the wiring, or run `i2cdetect -y 1`"
    )


def test_display_unplugged_in_play_is_said_and_can_come_back(buses: list[Bus]) -> None:
    with open_display("ssd1306") as display:
        display.show(ANN)
        buses[0].unplugged = True
        assert "no display answers at I2C address 0x3c" in refusal(lambda: display.show(BEN))
        buses[0].unplugged = False
        display.show(BEN)
        assert display.picture is not None
        assert display.picture.tobytes() == draw(BEN).tobytes()


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.ENOENT, "there is no I2C bus 1"), (errno.EACCES, "add yourself to the group i2c")],
)
def test_bus_that_cannot_be_opened(number: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_port: int) -> Bus:
        raise OSError(number, "no", "/dev/i2c-1")

    monkeypatch.setattr(smbus2, "SMBus", closed)
    assert said in refusal(lambda: open_display("sh1106"))


class Wires:
    """An SPI port and the pins beside it, as spidev and RPi.GPIO give them; what is sent is put into `memory`."""

    LOW, HIGH, OUT, BCM = 0, 1, 1, 11

    def __init__(self) -> None:
        self.memory = Image.new("RGB", (320, 240))
        self.levels: dict[int, int] = {}
        self.command, self.data = 0, bytearray()
        self.window: dict[int, tuple[int, int]] = {}
        self.opened, self.max_speed_hz = (-1, -1), 0

    def open(self, port: int, device: int) -> None:
        self.opened = (port, device)

    def writebytes(self, data: list[int]) -> None:
        if self.levels[24] == self.LOW:
            self.command, self.data = data[0], bytearray()
            return
        self.data += bytes(data)
        if self.command in (0x2A, 0x2B) and len(self.data) == 4:
            first, last = int.from_bytes(self.data[:2], "big"), int.from_bytes(self.data[2:], "big")
            self.window[self.command] = first, last + 1
        if self.command == 0x2C:
            (left, right), (top, bottom) = self.window[0x2A], self.window[0x2B]
            if len(self.data) == 3 * (right - left) * (bottom - top):
                part = Image.frombytes("RGB", (right - left, bottom - top), bytes(self.data))
                self.memory.paste(part, (left, top))

    def output(self, pin: int, level: int) -> None:
        self.levels[pin] = level

    def setup(self, *_args: object) -> None: ...
    def setmode(self, *_args: object) -> None: ...
    def cleanup(self, *_args: object) -> None: ...
    def close(self) -> None: ...


@pytest.fixture
def wires(monkeypatch: pytest.MonkeyPatch) -> Wires:
    wires = Wires()
    for name, module in (
        ("spidev", SimpleNamespace(SpiDev=lambda: wires)), ("RPi", SimpleNamespace(GPIO=wires)), ("RPi.GPIO", wires)
    ):  # fmt: skip
        monkeypatch.setitem(sys.modules, name, module)
    return wires


@pytest.mark.parametrize(("kind", "size"), [("ili9341", (320, 240)), ("st7789", (240, 240)), ("st7789w", (320, 240))])
def test_colour_display_is_sent_every_dot(kind: str, size: tuple[int, int], wires: Wires) -> None:
    with open_display(kind, Wiring(bus="spi", spi_device=1, light_pin=12)) as display:
        display.show(ANN)
        display.show(BEN)
        assert wires.opened == (0, 1)
        assert wires.levels[12] == wires.HIGH
        assert wires.memory.crop((0, 0, *size)).tobytes() == draw(BEN, size, "RGB").tobytes()
    assert wires.levels[12] == wires.LOW


@pytest.mark.parametrize("kind", ["ili9341", "st7789", "st7789w"])
def test_colour_display_needs_spi(kind: str) -> None:
    assert 'set [display] bus = "spi"' in refusal(lambda: open_display(kind))


def test_spi_without_its_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "RPi", None)
    assert "python3-spidev" in refusal(lambda: open_display("ssd1306", Wiring(bus="spi")))


def test_unknown_kind_is_told_the_known_ones() -> None:
    assert refusal(lambda: open_display("lcd")) == (
        "there is no display 'lcd': choose one of picture, emulator, emulator_colour, ssd1306, sh1106, ssd1309, "
        "ili9341, st7789, st7789w"
    )


def test_emulator_shows_in_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame = pytest.importorskip("pygame", reason="the emulator is an optional extra")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with open_display("emulator") as display:
        display.show(ANN)
        assert pygame.display.get_surface().get_size() == (512, 256)
    pygame.display.quit()


def test_emulator_without_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame", reason="the emulator is an optional extra")
    monkeypatch.setenv("SDL_VIDEODRIVER", "none-of-them")
    assert "cannot open a window here" in refusal(lambda: open_display("emulator"))


def test_emulator_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pygame", None)
    assert "pip install 'fairtray[emulator]'" in refusal(lambda: open_display("emulator"))


@pytest.mark.parametrize("kind", ["picture", "ssd1306"])
def test_closing_twice_is_closing_once(kind: str, buses: list[Bus]) -> None:
    display = open_display(kind)
    display.close()
    display.close()
    assert "is closed" in refusal(lambda: display.show(ANN))
    assert repr(display) == f"<Display {kind}, closed>"


def test_closing_an_unplugged_display_is_quiet(buses: list[Bus]) -> None:
    display: Display = open_display("ssd1306")
    buses[0].unplugged = True
    display.close()


def test_enlarged_keeps_sharp_edges() -> None:
    picture = enlarged(draw(ANN), 3)
    assert picture.size == (384, 192)
    assert picture.resize((128, 64), Image.Resampling.NEAREST).tobytes() == draw(ANN).tobytes()
