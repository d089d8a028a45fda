"""Displays on the kernel's own I2C and SPI through luma: the bytes on the bus are those of the picture."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from hardware.display import Wiring, open_display
from hardware.drawing import draw
from hardware.errors import DisplayError
from hardware.screens import Counted, Waiting

BUSES = Path("/sys/kernel/debug/buses")
SCREEN = Counted("Ann", 2, 3, (4, 4, 4, 5, 5), (("FH", 25, 0), ("4s", 12, 35), ("1s", 0, 0)))


@pytest.fixture(autouse=True)
def nothing_sent() -> Iterator[None]:
    forget()
    yield


def forget() -> None:
    for bus in ("i2c", "spi"):
        (BUSES / bus).write_text("0")


def i2c_pixels() -> bytes:
    """What was sent as pixels: messages that begin with 0x40."""
    sent, pixels = (BUSES / "i2c").read_bytes(), b""
    while sent:
        length = int.from_bytes(sent[:4], "little")
        message, sent = sent[4 : 4 + length], sent[4 + length :]
        pixels += message[1:] if message[0] == 0x40 else b""
    return pixels


def pages(picture: Image.Image) -> bytes:
    """The picture as an OLED's memory holds it: rows of 8 dots, a byte to a column, the top dot lowest."""
    return bytes(
        sum(bool(picture.getpixel((x, 8 * page + bit))) << bit for bit in range(8))
        for page in range(8)
        for x in range(128)
    )


@pytest.mark.parametrize("kind", ["ssd1306", "sh1106", "ssd1309"])
def test_oled_on_i2c_gets_the_picture(kind: str) -> None:
    with open_display(kind, Wiring(i2c_port=bus_number())) as display:
        forget()
        display.show(SCREEN)
        assert i2c_pixels() == pages(draw(SCREEN))


def bus_number() -> int:
    names = {path.parent.name: path.read_text().strip() for path in Path("/sys/bus/i2c/devices").glob("i2c-*/name")}
    return next(int(bus.removeprefix("i2c-")) for bus, name in names.items() if name == "fairtray test bus")


def test_absent_oled_is_said() -> None:
    with pytest.raises(DisplayError, match="no display answers at I2C address 0x3d"):
        open_display("ssd1306", Wiring(i2c_port=bus_number(), i2c_address=0x3D))


@pytest.mark.parametrize(("kind", "size"), [("ili9341", (320, 240)), ("st7789", (240, 240))])
def test_colour_display_on_spi_gets_the_picture(kind: str, size: tuple[int, int]) -> None:
    with open_display(kind, Wiring(bus="spi")) as display:
        forget()
        display.show(Waiting("Ann", 1, 3))
        assert spi_pixels(size).tobytes() == draw(Waiting("Ann", 1, 3), size, "RGB").tobytes()


def spi_pixels(size: tuple[int, int]) -> Image.Image:
    """What the bytes show on a black display: parts of the picture, each behind its columns, rows and a command."""
    picture, sent = Image.new("RGB", size), (BUSES / "spi").read_bytes()
    while sent:
        assert (sent[0], sent[5], sent[10]) == (0x2A, 0x2B, 0x2C)
        left, right, top, bottom = (int.from_bytes(sent[at : at + 2], "big") for at in (1, 3, 6, 8))
        width, height = right - left + 1, bottom - top + 1
        picture.paste(Image.frombytes("RGB", (width, height), sent[11 : 11 + 3 * width * height]), (left, top))
        sent = sent[11 + 3 * width * height :]
    return picture
