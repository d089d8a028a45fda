"""The picture of a screen for a display: 128 x 64 dots in black and white, or large and in colour."""

from PIL import Image

from hardware import colour, dots
from hardware.dot_parts import HEIGHT, WIDTH
from hardware.errors import DisplayError
from hardware.lettering import enlarged
from hardware.screens import Screen

__all__ = ["HEIGHT", "WIDTH", "draw"]


def draw(screen: Screen, size: tuple[int, int] = (WIDTH, HEIGHT), mode: str = "1") -> Image.Image:
    """The screen as a picture of `mode`, `size` dots wide and high.

    In mode "1" it is drawn on 128 x 64 dots and shown as many whole times larger as fits, in the middle; in mode "RGB"
    on all of the display, which is 240 x 240 dots or larger.

    Raises:
        DisplayError: `size` is too small, or an address too long for its QR code.
    """
    least = (colour.SIDE, colour.SIDE) if mode == "RGB" else (WIDTH, HEIGHT)
    times = min(size[0] // least[0], size[1] // least[1])
    if times < 1:
        raise DisplayError(f"a display needs {least[0]} x {least[1]} dots or more, not {size[0]} x {size[1]}")
    if mode == "RGB":
        return colour.draw(screen, size)
    picture = Image.new("1", size)
    place = ((size[0] - WIDTH * times) // 2, (size[1] - HEIGHT * times) // 2)
    picture.paste(enlarged(dots.draw(screen), times), place)
    return picture
