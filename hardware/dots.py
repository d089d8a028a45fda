"""The pictures of the screens: 128 x 64 dots in black and white, made to be read at arm's length."""

from collections.abc import Sequence

from PIL import Image, ImageDraw

from hardware.dot_boxes import counted
from hardware.dot_parts import DIE, HEIGHT, TOP, WIDTH, centred, dice, header, roll_squares, text, title
from hardware.errors import DisplayError
from hardware.lettering import BIG, BOLD, HUGE, LIGHT, TINY
from hardware.placing import placed
from hardware.qr import qr_code
from hardware.screens import (
    SHEET,
    Address,
    Card,
    Choosing,
    Counted,
    Key,
    Notice,
    Screen,
    Sheet,
    Sign,
    Throwing,
    Tray,
    Waiting,
)
from hardware.setting import largest, pairs_width, pieces, ranked, wrapped

MAP = 66
"""Dots across of the tray where dice are shown as they lie."""
LYING = 10
"""Side of a die there."""
COLUMN = 43
"""Dots from one column of a card to the next."""
LINE = 9
"""Dots from line to line of a final score, where many have played."""


def draw(screen: Screen) -> Image.Image:
    """The screen as a picture of mode "1" with 128 x 64 dots.

    Raises:
        DisplayError: an address is too long for its QR code.
    """
    canvas = Image.new("1", (WIDTH, HEIGHT))
    match screen:
        case Waiting():
            _waiting(canvas, screen)
        case Throwing():
            _throwing(canvas, screen)
        case Counted():
            counted(canvas, screen)
        case Choosing():
            _choosing(canvas, screen)
        case Notice():
            _notice(canvas, screen)
        case Sheet():
            _sheet(canvas, screen)
        case Card():
            _card(canvas, screen)
        case Sign():
            _sign(canvas, screen)
        case Address():
            _address(canvas, screen)
    return canvas


def _waiting(canvas: Image.Image, screen: Waiting) -> None:
    """Whose throw it is, as large as can be."""
    face = largest(screen.player, WIDTH, HUGE, BOLD)
    centred(canvas, 3 + (BIG.height - face.height) // 2, face.shorten(screen.player, WIDTH), face)
    roll_squares(canvas, 26, 12, screen.roll, screen.rolls)
    text = screen.message or f"throw {screen.roll} of {screen.rolls}"
    lines, face = wrapped(text, WIDTH, HEIGHT - 44, BOLD, LIGHT)
    for number, line in enumerate(lines):
        centred(canvas, 46 + number * 9, line, face)


def _throwing(canvas: Image.Image, screen: Throwing) -> None:
    """That dice are on their way, so that nobody wonders whether the throw was seen."""
    header(canvas, screen)
    centred(canvas, 20, "rolling", HUGE)
    centred(canvas, 46, "1 die" if screen.count == 1 else f"{screen.count} dice", BIG)


def _choosing(canvas: Image.Image, screen: Choosing) -> None:
    """The box that the roller has turned to, and those beside it; or the points that are being announced."""
    header(canvas, screen)
    name, points, bonus = screen.boxes[screen.place]
    face = largest(screen.title, WIDTH, BOLD, LIGHT)
    centred(canvas, 13, face.shorten(screen.title, WIDTH), face)
    if screen.announced is not None:
        text, below = str(screen.announced), "points: how many?"
    else:
        text = f"{name} {points}{f'+{bonus}' if bonus else ''}"
        below = _beside(screen)
    face = largest(text, WIDTH - 6, HUGE, BIG, BOLD)
    ImageDraw.Draw(canvas).rounded_rectangle((0, 25, WIDTH - 1, 47), radius=2, fill=1)
    centred(canvas, 29 + (HUGE.height - face.height) // 2, text, face, ink=0)
    face = largest(below, WIDTH, BOLD, LIGHT, TINY)
    centred(canvas, 54, face.shorten(below, WIDTH), face)


def _beside(screen: Choosing) -> str:
    """The boxes before and after the one turned to."""
    if len(screen.boxes) == 1:
        return "the only one"
    before, after = (screen.boxes[(screen.place + step) % len(screen.boxes)] for step in (-1, 1))
    return f"< {before[0]} {before[1] + before[2]}   {after[0]} {after[1] + after[2]} >"


def _notice(canvas: Image.Image, screen: Notice) -> None:
    """What must be done or answered."""
    header(canvas, screen)
    if screen.tray is not None:
        _notice_on_tray(canvas, screen, screen.tray)
        return
    title(canvas, TOP + 1, screen.title)
    top, bottom = TOP + 15, HEIGHT
    if screen.dice and len(screen.keys) < 2:
        dice(canvas, HEIGHT - DIE, screen.dice, WIDTH, centred=True)
        bottom -= DIE + 1
    if len(screen.keys) == 1:
        bottom -= BOLD.pitch
        centred(canvas, bottom, ": ".join(screen.keys[0]), BOLD)
    elif screen.keys:
        bottom -= 2 * BOLD.pitch
        _side_by_side(canvas, bottom, screen.keys)
    text(canvas, top, screen.text, bottom - top)


def _side_by_side(canvas: Image.Image, top: int, keys: Sequence[Key]) -> None:
    """Each button's name, and below it what it means."""
    width = WIDTH // len(keys)
    for number, key in enumerate(keys):
        for row, (word, face) in enumerate(zip(key, (LIGHT, BOLD), strict=True)):
            x = number * width + (width - face.width(word)) // 2
            face.draw(canvas, (x, top + row * BOLD.pitch), word)


def _notice_on_tray(canvas: Image.Image, screen: Notice, tray: Tray) -> None:
    """The tray on the right with the dice that are meant in white, the others framed; what to do on the left."""
    left = WIDTH - MAP
    field = placed(tray, left + 1, TOP + 1, MAP - 1, HEIGHT - TOP - 1, LYING)
    pen = ImageDraw.Draw(canvas)
    pen.polygon(field.outline, outline=1)
    for die, (x, y) in zip(tray.dice, field.dice, strict=True):
        box = (x - LYING // 2, y - LYING // 2, x + LYING // 2, y + LYING // 2)
        pen.rectangle(tuple(side + grow for side, grow in zip(box, (-1, -1, 1, 1), strict=True)), fill=0)
        pen.rounded_rectangle(box, radius=1, outline=1, fill=int(die.meant))
        text = "?" if die.value is None else str(die.value)
        LIGHT.draw(canvas, (x - LIGHT.width(text) // 2, y - 3), text, ink=int(not die.meant))
    lines, face = wrapped(screen.title, left - 4, 20, BOLD, LIGHT)
    pen.rectangle((0, TOP + 1, left - 2, TOP + 3 + 9 * len(lines)), fill=1)
    for number, line in enumerate(lines):
        face.draw(canvas, ((left - 1 - face.width(line)) // 2, TOP + 3 + 9 * number), line, ink=0)
    top, bottom = TOP + 7 + 9 * len(lines), HEIGHT
    keys = [f"{screen.keys[0][0]}:", screen.keys[0][1]] if len(screen.keys) == 1 else list(map(": ".join, screen.keys))
    for line in reversed(keys):
        face = largest(line, left - 3, LIGHT, TINY)
        bottom -= face.pitch
        face.draw(canvas, (0, bottom), line)
    lines, face = wrapped(screen.text, left - 3, bottom - top - 2, BOLD, LIGHT, TINY)
    for number, line in enumerate(lines):
        face.draw(canvas, (0, top + number * face.pitch), line)


def _sheet(canvas: Image.Image, screen: Sheet) -> None:
    """A page of a card in three columns, read downwards: points close to their box, a dotted line between columns."""
    total = f"{screen.page}/{screen.pages}  {screen.total}" if screen.pages > 1 else str(screen.total)
    room = WIDTH - BOLD.width(total) - 4
    face = largest(screen.player, room, BOLD, LIGHT)
    face.draw(canvas, (0, 0), face.shorten(screen.player, room))
    BOLD.draw(canvas, (WIDTH - BOLD.width(total), 0), total)
    rows = SHEET // 3
    for column in range(3):
        left = column * COLUMN
        boxes = [(name, "-" if points is None else str(points)) for name, points in screen.boxes]
        boxes = boxes[column * rows : (column + 1) * rows]
        right = left + min(COLUMN - 4, pairs_width(boxes, LIGHT, BOLD, 6))
        for row, (name, worth) in enumerate(boxes):
            y = TOP + 2 + row * 9
            is_short = LIGHT.width(name) + 3 + BOLD.width(worth) <= right - left
            face = BOLD if worth != "-" and is_short else LIGHT
            room = right - left - 3 - face.width(worth)
            letters = largest(name, room, LIGHT, TINY)
            letters.draw(canvas, (left, y + LIGHT.height - letters.height), letters.shorten(name, room))
            face.draw(canvas, (right - face.width(worth), y), worth)
        for y in range(TOP + 2, HEIGHT, 2):
            if column:
                canvas.putpixel((left - 3, y), 1)


def _sign(canvas: Image.Image, screen: Sign) -> None:
    """A title and a text."""
    title(canvas, 0, screen.title)
    text(canvas, 15, screen.text, HEIGHT - 15)


def _address(canvas: Image.Image, screen: Address) -> None:
    """The QR code on the right, the address in letters on the left."""
    code = qr_code(screen.url, HEIGHT)
    if code.height > HEIGHT:
        raise DisplayError(f"the display has no room for the QR code of {screen.url}: choose a shorter address")
    canvas.paste(code, (WIDTH - code.width, (HEIGHT - code.height) // 2))
    room = WIDTH - code.width - 3
    lines, face = wrapped(screen.title, room, 16, BOLD, LIGHT)
    for number, line in enumerate(lines):
        face.draw(canvas, (0, 9 * number), line)
    top = 9 * len(lines) + 3
    bottom = HEIGHT
    if screen.code:
        face = largest(screen.code, room, BIG, BOLD, LIGHT)
        bottom -= face.height + 3
        face.draw(canvas, (0, HEIGHT - face.height), face.shorten(screen.code, room))
    for number, line in enumerate(pieces(screen.url.partition("://")[2] or screen.url, room, LIGHT)):
        if top + number * 9 + LIGHT.height <= bottom:
            LIGHT.draw(canvas, (0, top + number * 9), line)


def _card(canvas: Image.Image, screen: Card) -> None:
    """Every player's total, who won in black on white, and the code of the record where it is known."""
    title = "Note the code" if screen.code else "Final score"
    centred(canvas, 0, title, largest(title, WIDTH, BOLD, LIGHT))
    bottom = HEIGHT
    if screen.code:
        bottom -= 10
        face = largest(screen.code, WIDTH, BOLD, LIGHT)
        centred(canvas, HEIGHT - face.height, screen.code, face)
    totals, more = ranked(screen.totals, 2 * ((bottom - TOP) // LINE))
    columns = 1 if len(totals) <= (6 if bottom == HEIGHT else 4) else 2
    rows = -(-(len(totals) + bool(more)) // columns)
    pitch = next(pitch for pitch in (18, 13, 10, LINE) if rows * pitch <= bottom - TOP)
    if more:
        LIGHT.draw(canvas, (WIDTH // 2 + 3, TOP + 2 + (rows - 1) * pitch), f"and {more} more")
    for number, (player, points) in enumerate(totals):
        column, row = divmod(number, rows)
        line = Image.new("1", (WIDTH // columns - (columns - 1), pitch), int(points == totals[0][1]))
        _total(line, player, points, ink=int(points != totals[0][1]))
        canvas.paste(line, (column * (WIDTH - line.width), TOP + 1 + row * pitch))


def _total(line: Image.Image, player: str, points: int, ink: int) -> None:
    """One player's line of the final score."""
    digits = BIG if line.height >= BIG.height + 3 else BOLD
    left = line.width - 2 - digits.width(str(points))
    digits.draw(line, (left, (line.height - digits.height) // 2), str(points), ink)
    face = largest(player, left - 8, *((HUGE, BOLD, LIGHT) if digits is BIG else (BOLD, LIGHT)))
    face.draw(line, (2, (line.height - face.height) // 2), face.shorten(player, left - 8), ink)
