"""The pictures of the screens in colour, on all of a display of 240 x 240 dots or more.

Colour is never the only sign: every bar says in words and with a mark what it means, the best box is the only one set
large, dice that are meant are marked, points of nothing are a plain 0.
"""

from collections.abc import Sequence

from PIL import Image, ImageDraw

from hardware.dot_parts import PIPS
from hardware.grid import Grid, Inks
from hardware.lettering import BOLD, LIGHT, Ink, Typeface
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
    Tone,
    Tray,
    Waiting,
)
from hardware.setting import largest, pairs_width, pieces, ranked, wrapped

SIDE = 240
"""The smallest display has so many dots each way."""
SMALL, THIN, MIDDLE, LARGE, HUGE = (BOLD.times(2), LIGHT.times(2), BOLD.times(3), BOLD.times(4), BOLD.times(6))
"""The smallest letters are 14 dots high: 2.5 mm on a display of 2.8 inches, 14 minutes of arc at 60 cm."""
EDGE = 6
TOP = 28
"""Below the header."""

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
DIM, LINE = (170, 178, 186), (70, 78, 86)
BEST = (240, 190, 40)
TONES: dict[Tone, tuple[str, tuple[int, int, int]]] = {
    "told": ("i", (0, 100, 170)),
    "asked": ("?", (130, 60, 150)),
    "order": (">", (0, 125, 90)),
    "refused": ("x", (190, 70, 0)),
    "wrong": ("!", (185, 20, 30)),
}
"""The mark and the colour of a bar; those who tell some of the colours badly tell these by their lightness or mark."""


def draw(screen: Screen, size: tuple[int, int]) -> Image.Image:
    """The screen as a picture of mode "RGB"."""
    canvas = Image.new("RGB", size)
    match screen:
        case Waiting():
            _waiting(canvas, screen)
        case Throwing():
            _throwing(canvas, screen)
        case Counted():
            _counted(canvas, screen)
        case Choosing():
            _choosing(canvas, screen)
        case Notice():
            _notice(canvas, screen)
        case Sheet():
            _sheet(canvas, screen)
        case Card():
            _card(canvas, screen)
        case Sign():
            _bar(canvas, 0, screen.title, screen.tone)
            _text(canvas, 44, screen.text, canvas.height - 44)
        case Address():
            _address(canvas, screen)
    return canvas


def _waiting(canvas: Image.Image, screen: Waiting) -> None:
    room = canvas.width - 2 * EDGE
    face = largest(screen.player, room, HUGE, LARGE, MIDDLE)
    _centred(canvas, 34 + (HUGE.height - face.height) // 2, face.shorten(screen.player, room), face)
    _squares(canvas, 100, 34, screen.roll, screen.rolls)
    _text(canvas, 156, screen.message or f"throw {screen.roll} of {screen.rolls}", canvas.height - 160)


def _throwing(canvas: Image.Image, screen: Throwing) -> None:
    _header(canvas, screen)
    face = largest("rolling", canvas.width - 2 * EDGE, HUGE, LARGE)
    _centred(canvas, 80, "rolling", face, BEST)
    _centred(canvas, 150, "1 die" if screen.count == 1 else f"{screen.count} dice", LARGE)


def _counted(canvas: Image.Image, screen: Counted) -> None:
    _header(canvas, screen)
    side = _dice(canvas, TOP + 4, screen.dice, 48)
    top = TOP + 10 + side
    boxes = sorted(screen.boxes, key=lambda box: -(box[1] + box[2]))
    if boxes and boxes[0][1] + boxes[0][2]:
        name, points, bonus = boxes.pop(0)
        text = f"{name} {points}{f' +{bonus}' if bonus else ''}"
    else:
        text = "all 0"
    _panel(canvas, top, 42, text)
    _boxes(canvas, top + 50, boxes)


def _panel(canvas: Image.Image, top: int, height: int, text: str) -> None:
    """What is best or chosen: black on a bright field."""
    box = (0, top, canvas.width - 1, top + height - 1)
    ImageDraw.Draw(canvas).rounded_rectangle(box, radius=5, fill=BEST)
    face = largest(text, canvas.width - 2 * EDGE, LARGE, MIDDLE, SMALL)
    _centred(canvas, top + (height - face.height) // 2, text, face, BLACK)


def _boxes(canvas: Image.Image, top: int, boxes: Sequence[tuple[str, int, int]]) -> None:
    """The boxes in the largest letters that leave room for all; else as many as fit, and how many more there are."""
    width, room = canvas.width - 2 * EDGE, canvas.height - top
    grids = (
        Grid(width, 2, 12, 34, MIDDLE, MIDDLE, SMALL),
        Grid(width, 3, 12, 26, SMALL, MIDDLE, THIN),
        Grid(width, 3, 8, 20, THIN, SMALL, THIN),
        Grid(width, 2, 12, 20, THIN, SMALL, THIN),
        Grid(width, 1, 0, 20, THIN, SMALL, THIN),
    )
    inks = Inks(DIM, WHITE, BEST, DIM)
    for grid in grids:
        if grid.fits(boxes, room):
            grid.draw(canvas, top, boxes, EDGE, inks)
            return
    room -= 20
    best = max(grids, key=lambda grid: grid.most(boxes, room))
    count = best.most(boxes, room)
    best.draw(canvas, top, boxes[:count], EDGE, inks)
    THIN.draw(canvas, (EDGE, canvas.height - THIN.height - 1), f"and {len(boxes) - count} more", DIM)


def _choosing(canvas: Image.Image, screen: Choosing) -> None:
    _header(canvas, screen)
    name, points, bonus = screen.boxes[screen.place]
    room = canvas.width - 2 * EDGE
    face = largest(screen.title, room, MIDDLE, SMALL, THIN)
    _centred(canvas, 46, face.shorten(screen.title, room), face)
    if screen.announced is not None:
        _panel(canvas, 84, 66, str(screen.announced))
        _text(canvas, 176, "points: how many?", 50)
        return
    _panel(canvas, 84, 66, f"{name} {points}{f' +{bonus}' if bonus else ''}")
    if len(screen.boxes) == 1:
        _text(canvas, 176, "the only one", 50)
        return
    for step, mark, left in ((-1, "<", True), (1, ">", False)):
        other = screen.boxes[(screen.place + step) % len(screen.boxes)]
        text = f"{other[0]} {other[1] + other[2]}"
        text = f"{mark} {text}" if left else f"{text} {mark}"
        face = largest(text, room // 2 - EDGE, MIDDLE, SMALL, THIN)
        x = EDGE if left else canvas.width - EDGE - face.width(text)
        face.draw(canvas, (x, 180), text, DIM)


def _notice(canvas: Image.Image, screen: Notice) -> None:
    _header(canvas, screen)
    _bar(canvas, TOP, screen.title, screen.tone)
    top, bottom = TOP + 46, canvas.height
    if screen.dice and screen.tray is None:
        bottom -= _dice(canvas, canvas.height - 44, screen.dice, 40) + 8
    if screen.keys:
        bottom -= _keys(canvas, bottom, screen.keys, 1 if screen.tray else 2)
    if screen.tray is not None:
        _text(canvas, bottom - 38, screen.text, 38, SMALL, THIN)
        _lying(canvas, screen.tray, top, bottom - top - 44)
        return
    _text(canvas, top, screen.text, bottom - top)


def _keys(canvas: Image.Image, bottom: int, keys: Sequence[Key], rows: int) -> int:
    """The buttons side by side with what they mean, in one row or below each other; the height that takes."""
    height, width = rows * SMALL.pitch + 4, canvas.width // len(keys)
    for number, key in enumerate(keys):
        words = key if rows > 1 else (": ".join(key),)
        for row, word in enumerate(words):
            face = largest(word, width, SMALL, THIN) if row == len(words) - 1 else THIN
            x = number * width + (width - face.width(word)) // 2
            face.draw(canvas, (x, bottom - height + row * SMALL.pitch), word, WHITE if face is SMALL else DIM)
    return height


def _lying(canvas: Image.Image, tray: Tray, top: int, height: int) -> None:
    """The tray with its dice; those that are meant are bright and have a ring around them."""
    side = 26
    field = placed(tray, EDGE, top, canvas.width - 2 * EDGE, height, side + 10)
    pen = ImageDraw.Draw(canvas)
    pen.polygon(field.outline, fill=(18, 60, 44), outline=DIM, width=2)
    for die, (x, y) in zip(tray.dice, field.dice, strict=True):
        box = (x - side // 2 - 5, y - side // 2 - 5, x + side // 2 + 4, y + side // 2 + 4)
        if die.meant:
            pen.rounded_rectangle(box, radius=8, outline=BEST, width=3)
        _die(canvas, x - side // 2, y - side // 2, side, die.value, WHITE if die.meant else DIM)


def _sheet(canvas: Image.Image, screen: Sheet) -> None:
    """A page of a card in three columns, read downwards: points close to their box, a line between columns."""
    total = f"{screen.page}/{screen.pages}  {screen.total}" if screen.pages > 1 else str(screen.total)
    room = canvas.width - MIDDLE.width(total) - 3 * EDGE
    face = largest(screen.player, room, MIDDLE, SMALL, THIN)
    face.draw(canvas, (EDGE, 4), face.shorten(screen.player, room), WHITE)
    MIDDLE.draw(canvas, (canvas.width - EDGE - MIDDLE.width(total), 4), total, BEST)
    pen, rows = ImageDraw.Draw(canvas), SHEET // 3
    pen.line((0, 30, canvas.width, 30), fill=LINE)
    width, pitch = (canvas.width - EDGE) // 3, (canvas.height - 36) // rows
    boxes = [(name, "-" if points is None else str(points)) for name, points in screen.boxes]
    for column in range(3):
        x = 4 + column * width
        if column:
            pen.line((x - 4, 36, x - 4, canvas.height), fill=DIM)
        part = boxes[column * rows : (column + 1) * rows]
        room = min(width - 8, pairs_width(part, THIN, SMALL, 3 * EDGE))
        for row, (name, text) in enumerate(part):
            y = 40 + row * pitch
            faces = ((THIN, SMALL), (THIN, THIN), (LIGHT, SMALL), (LIGHT, THIN))
            of_name, of_points = next((f for f in faces if f[0].width(name) + 4 + f[1].width(text) <= room), faces[-1])
            right = x + room - of_points.width(text)
            of_name.draw(canvas, (x, y + THIN.height - of_name.height), of_name.shorten(name, right - 4 - x), DIM)
            of_points.draw(canvas, (right, y), text, DIM if text == "-" else WHITE)


def _card(canvas: Image.Image, screen: Card) -> None:
    _bar(canvas, 0, "Note the code" if screen.code else "Final score", "told")
    bottom = canvas.height
    if screen.code:
        bottom -= 24
        face = largest(screen.code, canvas.width, SMALL, THIN)
        _centred(canvas, canvas.height - face.height - 2, screen.code, face)
    totals, more = ranked(screen.totals, 2 * ((bottom - 42) // 22))
    columns = 1 if len(totals) <= 6 else 2
    rows = -(-(len(totals) + bool(more)) // columns)
    pitch = next(pitch for pitch in (44, 34, 26, 22) if rows * pitch <= bottom - 42)
    width = canvas.width // columns
    if more:
        text = f"and {more} more"
        text = text if THIN.width(text) <= width - 2 * EDGE else f"{more} more"
        THIN.draw(canvas, (width + EDGE, 46 + (rows - 1) * pitch), text, DIM)
    faces = [face for face in (LARGE, MIDDLE, SMALL) if face.height <= pitch - 6]
    digits = next((face for face in faces if all(_fits(total, face, width) for total in totals)), SMALL)
    for number, (player, points) in enumerate(totals):
        column, row = divmod(number, rows)
        won = points == totals[0][1]
        line = Image.new("RGB", (width - 2, pitch - 2), BEST if won else BLACK)
        _total(line, player, points, digits, BLACK if won else WHITE)
        canvas.paste(line, (column * width, 42 + row * pitch))


def _fits(total: tuple[str, int], digits: Typeface, width: int) -> bool:
    """Whether there is room for a name in letters not much smaller than the points."""
    return THIN.width(total[0]) + digits.width(str(total[1])) <= width - 5 * EDGE


def _total(line: Image.Image, player: str, points: int, digits: Typeface, ink: Ink) -> None:
    left = line.width - EDGE - digits.width(str(points))
    digits.draw(line, (left, (line.height - digits.height) // 2), str(points), ink)
    faces = [face for face in (LARGE, MIDDLE, SMALL, THIN) if face.height <= digits.height]
    face = largest(player, left - 3 * EDGE, *faces)
    face.draw(line, (EDGE, (line.height - face.height) // 2), face.shorten(player, left - 3 * EDGE), ink)


def _address(canvas: Image.Image, screen: Address) -> None:
    _bar(canvas, 0, screen.title, "told")
    lines, face = pieces(screen.url, canvas.width - 2 * EDGE, THIN), THIN
    room = canvas.height - 42 - len(lines) * 18 - (26 if screen.code else 0)
    code = qr_code(screen.url, room)
    canvas.paste(code.convert("RGB"), ((canvas.width - code.width) // 2, 42))
    y = canvas.height - len(lines) * 18
    for number, line in enumerate(lines):
        _centred(canvas, y + number * 18, line, face)
    if screen.code:
        _centred(canvas, y - 25, f"code {screen.code}", SMALL, BEST)


# --- parts -----------------------------------------------------------------------------------------------------


def _header(canvas: Image.Image, screen: Throwing | Counted | Choosing | Notice) -> None:
    left = canvas.width - EDGE - screen.rolls * 20 + 5
    if screen.rolls:
        _squares(canvas, 4, 15, screen.roll, screen.rolls, left)
    face = largest(screen.player, left - 2 * EDGE, SMALL, THIN)
    face.draw(canvas, (EDGE, 5), face.shorten(screen.player, left - 2 * EDGE), WHITE)


def _squares(canvas: Image.Image, top: int, side: int, roll: int, rolls: int, left: int | None = None) -> None:
    """A square for each roll of the turn, those taken filled; in the middle unless `left` is given."""
    pen, pitch = ImageDraw.Draw(canvas), side + side // 3
    start = (canvas.width - rolls * pitch + pitch - side) // 2 if left is None else left
    for number in range(rolls):
        x = start + number * pitch
        fill = WHITE if number < roll else None
        pen.rectangle((x, top, x + side - 1, top + side - 1), outline=WHITE, width=2, fill=fill)


def _bar(canvas: Image.Image, top: int, title: str, tone: Tone) -> None:
    """A title across the display, with its mark."""
    mark, ink = TONES[tone]
    pen = ImageDraw.Draw(canvas)
    pen.rectangle((0, top, canvas.width - 1, top + 35), fill=ink)
    pen.ellipse((EDGE, top + 4, EDGE + 27, top + 31), fill=WHITE)
    MIDDLE.draw(canvas, (EDGE + 14 - MIDDLE.width(mark) // 2, top + 7), mark, ink)
    room = canvas.width - 34 - 3 * EDGE
    face = largest(title, room, MIDDLE, SMALL, THIN)
    x = 34 + EDGE + (room - face.width(face.shorten(title, room))) // 2
    face.draw(canvas, (x, top + (36 - face.height) // 2), face.shorten(title, room), WHITE)


def _text(canvas: Image.Image, top: int, text: str, room: int, *faces: Typeface) -> None:
    lines, face = wrapped(text, canvas.width - 2 * EDGE, room, *(faces or (LARGE, MIDDLE, SMALL, THIN)))
    for number, line in enumerate(lines):
        _centred(canvas, top + number * face.pitch, line, face)


def _dice(canvas: Image.Image, top: int, dice: Sequence[int | None], side: int) -> int:
    """The dice in a row in the middle, no larger than `side`; the side that they have."""
    side = min(side, 6 * (canvas.width - 2 * EDGE) // (7 * max(len(dice), 1) - 1))  # gaps of a sixth
    pitch = side + side // 6
    left = (canvas.width - len(dice) * pitch + pitch - side) // 2
    for number, value in enumerate(dice):
        _die(canvas, left + number * pitch, top, side, value, WHITE)
    return side


def _die(canvas: Image.Image, left: int, top: int, side: int, value: int | None, body: Ink) -> None:
    pen = ImageDraw.Draw(canvas)
    box = (left, top, left + side - 1, top + side - 1)
    if value is None:
        pen.rounded_rectangle(box, radius=side // 6, outline=body, width=2)
        face = largest("?", side - 4, LARGE if side > 34 else SMALL, THIN)
        face.draw(canvas, (left + (side - face.width("?")) // 2, top + (side - face.height) // 2), "?", body)
        return
    pen.rounded_rectangle(box, radius=side // 6, fill=body)
    pips = ((row, column) for row, line in enumerate(PIPS[value]) for column, pip in enumerate(line) if pip == "o")
    for row, column in pips:
        x, y = left + side * (column + 0.9) / 3.8 + 0.5, top + side * (row + 0.9) / 3.8 + 0.5
        r = side / 10.5
        pen.ellipse((x - r, y - r, x + r, y + r), fill=BLACK)


def _centred(canvas: Image.Image, top: int, text: str, face: Typeface, ink: Ink = WHITE) -> None:
    face.draw(canvas, ((canvas.width - face.width(text)) // 2, top), text, ink)
