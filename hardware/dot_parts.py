"""What the pictures of 128 x 64 dots are put together from: the header, dice, bars and lines of text."""

from collections.abc import Sequence

from PIL import Image, ImageDraw

from hardware.lettering import BIG, BOLD, ELLIPSIS, LIGHT, TINY, Typeface
from hardware.screens import Choosing, Counted, Notice, Throwing
from hardware.setting import largest, wrapped

WIDTH, HEIGHT = 128, 64
DIE = 12
DIE_PITCH = 14
TOP = 9  # below the header
PIPS = {
    1: ("   ", " o ", "   "),
    2: ("o  ", "   ", "  o"),
    3: ("o  ", " o ", "  o"),
    4: ("o o", "   ", "o o"),
    5: ("o o", " o ", "o o"),
    6: ("o o", "o o", "o o"),
}


def header(canvas: Image.Image, screen: Throwing | Counted | Choosing | Notice) -> None:
    left = WIDTH - screen.rolls * 9 + 2
    roll_squares(canvas, 0, 7, screen.roll, screen.rolls, left)
    face = largest(screen.player, left - 4, BOLD, LIGHT)
    face.draw(canvas, (0, 0), face.shorten(screen.player, left - 4))


def roll_squares(canvas: Image.Image, top: int, side: int, roll: int, rolls: int, left: int | None = None) -> None:
    """A square for each roll of the turn, those taken filled; in the middle unless `left` is given."""
    pen = ImageDraw.Draw(canvas)
    pitch = side + max(2, side // 3)
    start = (WIDTH - rolls * pitch + pitch - side) // 2 if left is None else left
    for number in range(rolls):
        x = start + number * pitch
        pen.rectangle((x, top, x + side - 1, top + side - 1), outline=1, fill=int(number < roll))


def dice(canvas: Image.Image, top: int, dice: Sequence[int | None], room: int, centred: bool = False) -> None:
    """The dice in a row: white with their pips, or a framed "?" if not sure. Those without room are an ellipsis."""
    places = (room + DIE_PITCH - DIE) // DIE_PITCH
    shown = dice if len(dice) <= places else dice[: places - 1]
    width = (len(shown) + (shown != dice)) * DIE_PITCH - (DIE_PITCH - DIE)
    left = (WIDTH - width) // 2 if centred else 0
    for number, value in enumerate(shown):
        die(canvas, left + number * DIE_PITCH, top, value)
    if shown != dice:
        BOLD.draw(canvas, (left + len(shown) * DIE_PITCH + 3, top + 3), ELLIPSIS)


def die(canvas: Image.Image, left: int, top: int, value: int | None) -> None:
    pen = ImageDraw.Draw(canvas)
    box = (left, top, left + DIE - 1, top + DIE - 1)
    if value is None:
        pen.rounded_rectangle(box, radius=1, outline=1)
        BOLD.draw(canvas, (left + (DIE - BOLD.width("?") + 1) // 2, top + 3), "?")
        return
    pen.rounded_rectangle(box, radius=1, fill=1)
    for row, pips in enumerate(PIPS[value]):
        for column, pip in enumerate(pips):
            if pip == "o":
                x, y = left + 2 + 3 * column, top + 2 + 3 * row
                pen.rectangle((x, y, x + 1, y + 1), fill=0)


def title(canvas: Image.Image, top: int, title: str) -> None:
    face = largest(title, WIDTH - 4, BOLD, LIGHT)
    ImageDraw.Draw(canvas).rectangle((0, top, WIDTH - 1, top + 10), fill=1)
    centred(canvas, top + 2, face.shorten(title, WIDTH - 4), face, ink=0)


def text(canvas: Image.Image, top: int, text: str, room: int) -> None:
    lines, face = wrapped(text, WIDTH, room, BIG, BOLD, LIGHT, TINY)
    for number, line in enumerate(lines):
        centred(canvas, top + number * face.pitch, line, face)


def centred(canvas: Image.Image, top: int, text: str, face: Typeface, ink: int = 1) -> None:
    face.draw(canvas, ((WIDTH - face.width(text)) // 2, top), text, ink)
