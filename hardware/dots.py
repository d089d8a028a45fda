"""The pictures of the screens: 128 x 64 dots in black and white, made to be read at arm's length.

From the top: who plays and which roll it is, the dice as they lie with the best box beside them, every other legal
box with its points, the best first, and last the boxes that would be scratched. Letters are as large as leaves room
for all of them; of a card with several columns the best that have room are shown, and how many more there are.
"""

from collections.abc import Iterator, Sequence

from PIL import Image, ImageDraw

from hardware.errors import DisplayError
from hardware.grid import Grid
from hardware.lettering import BIG, BOLD, ELLIPSIS, HUGE, LIGHT, TINY, Typeface
from hardware.placing import placed
from hardware.qr import qr_code
from hardware.screens import (
    SHEET,
    Address,
    Box,
    Card,
    Choosing,
    Counted,
    Notice,
    Screen,
    Sheet,
    Sign,
    Throwing,
    Tray,
    Waiting,
)
from hardware.setting import largest, pieces, wrapped

WIDTH, HEIGHT = 128, 64
DIE = 12
DIE_PITCH = 14
TOP = 9  # below the header
BEST = (72, TOP, WIDTH - 1, TOP + 17)  # the best box's panel beside five dice: first and last dots across and down
GRID_TOP = 28
MAP = 66
"""Dots across of the tray where dice are shown as they lie."""
LYING = 10
"""Side of a die there."""
PIPS = {
    1: ("   ", " o ", "   "),
    2: ("o  ", "   ", "  o"),
    3: ("o  ", " o ", "  o"),
    4: ("o o", "   ", "o o"),
    5: ("o o", " o ", "o o"),
    6: ("o o", "o o", "o o"),
}


def draw(screen: Screen) -> Image.Image:
    """The screen as a picture of mode "1" with 128 x 64 dots.

    Raises:
        DisplayError: there are more players than have room.
    """
    canvas = Image.new("1", (WIDTH, HEIGHT))
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
            _sign(canvas, screen)
        case Address():
            _address(canvas, screen)
    return canvas


def _waiting(canvas: Image.Image, screen: Waiting) -> None:
    """Whose throw it is, as large as can be."""
    face = largest(screen.player, WIDTH, HUGE, BOLD)
    _centred(canvas, 3 + (BIG.height - face.height) // 2, face.shorten(screen.player, WIDTH), face)
    _roll_squares(canvas, 26, 12, screen.roll, screen.rolls)
    text = screen.message or f"throw {screen.roll} of {screen.rolls}"
    lines, face = wrapped(text, WIDTH, HEIGHT - 44, BOLD, LIGHT)
    for number, line in enumerate(lines):
        _centred(canvas, 46 + number * 9, line, face)


def _throwing(canvas: Image.Image, screen: Throwing) -> None:
    """That dice are on their way, so that nobody wonders whether the throw was seen."""
    _header(canvas, screen)
    _centred(canvas, 20, "rolling", HUGE)
    _centred(canvas, 46, "1 die" if screen.count == 1 else f"{screen.count} dice", BIG)


def _counted(canvas: Image.Image, screen: Counted) -> None:
    """The dice and every legal box."""
    _header(canvas, screen)
    left = max(BEST[0], len(screen.dice) * DIE_PITCH + 1)
    _dice(canvas, TOP + 3, screen.dice, left)
    boxes = sorted(screen.boxes, key=lambda box: -_earned(box))
    scored = [box for box in boxes if _earned(box)]
    scratched = [box for box in boxes if not _earned(box)]
    if scored:
        _best_box(canvas, scored[0], left)
        _other_boxes(canvas, scored[1:], scratched)
    else:
        _only_scratches(canvas, [name for name, _, _ in scratched], left)


def _choosing(canvas: Image.Image, screen: Choosing) -> None:
    """The box that the roller has turned to, and those beside it; or the points that are being announced."""
    _header(canvas, screen)
    name, points, bonus = screen.boxes[screen.place]
    face = largest(screen.title, WIDTH, BOLD, LIGHT)
    _centred(canvas, 13, face.shorten(screen.title, WIDTH), face)
    if screen.announced is not None:
        text, below = str(screen.announced), "points: how many?"
    else:
        text = f"{name} {points}{f'+{bonus}' if bonus else ''}"
        below = _beside(screen)
    face = largest(text, WIDTH - 6, HUGE, BIG, BOLD)
    ImageDraw.Draw(canvas).rounded_rectangle((0, 25, WIDTH - 1, 47), radius=2, fill=1)
    _centred(canvas, 29 + (HUGE.height - face.height) // 2, text, face, ink=0)
    face = largest(below, WIDTH, BOLD, LIGHT, TINY)
    _centred(canvas, 54, face.shorten(below, WIDTH), face)


def _beside(screen: Choosing) -> str:
    """The boxes before and after the one turned to."""
    if len(screen.boxes) == 1:
        return "the only one"
    before, after = (screen.boxes[(screen.place + step) % len(screen.boxes)] for step in (-1, 1))
    return f"< {before[0]} {before[1] + before[2]}   {after[0]} {after[1] + after[2]} >"


def _notice(canvas: Image.Image, screen: Notice) -> None:
    """What must be done or answered."""
    _header(canvas, screen)
    if screen.tray is not None:
        _notice_on_tray(canvas, screen, screen.tray)
        return
    _title(canvas, TOP + 1, screen.title)
    top = TOP + 15
    if screen.dice:
        _dice(canvas, HEIGHT - DIE, screen.dice, WIDTH, centred=True)
    room = HEIGHT - top - (DIE + 1 if screen.dice else 0)
    _text(canvas, top, screen.text, room)


def _title(canvas: Image.Image, top: int, title: str) -> None:
    face = largest(title, WIDTH - 4, BOLD, LIGHT)
    ImageDraw.Draw(canvas).rectangle((0, top, WIDTH - 1, top + 10), fill=1)
    _centred(canvas, top + 2, face.shorten(title, WIDTH - 4), face, ink=0)


def _text(canvas: Image.Image, top: int, text: str, room: int) -> None:
    lines, face = wrapped(text, WIDTH, room, BIG, BOLD, LIGHT, TINY)
    for number, line in enumerate(lines):
        _centred(canvas, top + number * face.pitch, line, face)


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
    top = TOP + 7 + 9 * len(lines)
    lines, face = wrapped(screen.text, left - 3, HEIGHT - top, BOLD, LIGHT, TINY)
    for number, line in enumerate(lines):
        face.draw(canvas, (0, top + number * face.pitch), line)


def _sheet(canvas: Image.Image, screen: Sheet) -> None:
    """A page of a card in three columns, read downwards."""
    total = f"{screen.page}/{screen.pages}  {screen.total}" if screen.pages > 1 else str(screen.total)
    room = WIDTH - BOLD.width(total) - 4
    face = largest(screen.player, room, BOLD, LIGHT)
    face.draw(canvas, (0, 0), face.shorten(screen.player, room))
    BOLD.draw(canvas, (WIDTH - BOLD.width(total), 0), total)
    rows = SHEET // 3
    for number, (name, points) in enumerate(screen.boxes):
        column, row = divmod(number, rows)
        x, y = column * 44, TOP + 2 + row * 9
        text = "-" if points is None else str(points)
        LIGHT.draw(canvas, (x, y), LIGHT.shorten(name, 37 - BOLD.width(text)))
        (LIGHT if points is None else BOLD).draw(canvas, (x + 40 - BOLD.width(text), y), text)


def _sign(canvas: Image.Image, screen: Sign) -> None:
    """A title and a text."""
    _title(canvas, 0, screen.title)
    _text(canvas, 15, screen.text, HEIGHT - 15)


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
    _centred(canvas, 0, "Final score", BOLD)
    bottom = HEIGHT
    if screen.code:
        bottom -= 10
        text = f"code {screen.code}"
        face = largest(text, WIDTH, BOLD, LIGHT)
        _centred(canvas, HEIGHT - face.height, face.shorten(text, WIDTH), face)
    totals = sorted(screen.totals, key=lambda total: -total[1])
    columns = 1 if len(totals) <= (6 if bottom == HEIGHT else 4) else 2
    rows = -(-len(totals) // columns)
    pitch = next((pitch for pitch in (18, 13, 10, 9, 7) if rows * pitch <= bottom - TOP), 0)
    if not pitch:
        raise DisplayError(f"the display has no room for {len(totals)} players")
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


# --- parts -----------------------------------------------------------------------------------------------------


def _header(canvas: Image.Image, screen: Throwing | Counted | Choosing | Notice) -> None:
    left = WIDTH - screen.rolls * 9 + 2
    _roll_squares(canvas, 0, 7, screen.roll, screen.rolls, left)
    face = largest(screen.player, left - 4, BOLD, LIGHT)
    face.draw(canvas, (0, 0), face.shorten(screen.player, left - 4))


def _roll_squares(canvas: Image.Image, top: int, side: int, roll: int, rolls: int, left: int | None = None) -> None:
    """A square for each roll of the turn, those taken filled; in the middle unless `left` is given."""
    pen = ImageDraw.Draw(canvas)
    pitch = side + max(2, side // 3)
    start = (WIDTH - rolls * pitch + pitch - side) // 2 if left is None else left
    for number in range(rolls):
        x = start + number * pitch
        pen.rectangle((x, top, x + side - 1, top + side - 1), outline=1, fill=int(number < roll))


def _dice(canvas: Image.Image, top: int, dice: Sequence[int | None], room: int, centred: bool = False) -> None:
    """The dice in a row: white with their pips, or a framed "?" if not sure. Those without room are an ellipsis."""
    places = (room + DIE_PITCH - DIE) // DIE_PITCH
    shown = dice if len(dice) <= places else dice[: places - 1]
    width = (len(shown) + (shown != dice)) * DIE_PITCH - (DIE_PITCH - DIE)
    left = (WIDTH - width) // 2 if centred else 0
    for number, value in enumerate(shown):
        _die(canvas, left + number * DIE_PITCH, top, value)
    if shown != dice:
        BOLD.draw(canvas, (left + len(shown) * DIE_PITCH + 3, top + 3), ELLIPSIS)


def _die(canvas: Image.Image, left: int, top: int, value: int | None) -> None:
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


def _best_box(canvas: Image.Image, box: Box, left: int) -> None:
    name, points, bonus = box
    earned = f"{name} {points}"
    if bonus:
        _panel(canvas, [(earned, BOLD), (f"+{bonus}", BOLD)], left)
    else:
        _panel(canvas, [(earned, largest(earned, BEST[2] - left - 3, BIG, BOLD))], left)


def _panel(canvas: Image.Image, lines: Sequence[tuple[str, Typeface]], left: int) -> None:
    """Lines of text beside the dice, black on white."""
    _, top, right, bottom = BEST
    ImageDraw.Draw(canvas).rounded_rectangle((left, *BEST[1:]), radius=2, fill=1)
    y = top + (bottom - top + 3 - sum(face.height + 2 for _, face in lines)) // 2
    for text, face in lines:
        face.draw(canvas, (left + (right - left + 1 - face.width(text)) // 2, y), text, ink=0)
        y += face.height + 2


def _only_scratches(canvas: Image.Image, names: Sequence[str], left: int) -> None:
    """Every box, none of which the dice earn anything in."""
    _panel(canvas, [("all 0", largest("all 0", BEST[2] - left - 3, BIG, BOLD))], left)
    lines, face = wrapped(" ".join(names), WIDTH, HEIGHT - GRID_TOP, HUGE, BOLD)
    for number, line in enumerate(lines):
        _centred(canvas, GRID_TOP + 2 + number * face.pitch, line, face)


_GRIDS = (
    Grid(WIDTH, 2, 6, 18, BIG, BIG, LIGHT),
    Grid(WIDTH, 3, 2, 17, BOLD, BIG, LIGHT),
    Grid(WIDTH, 2, 6, 9, BOLD, BOLD, LIGHT),
    Grid(WIDTH, 3, 6, 9, LIGHT, BOLD, LIGHT),
    Grid(WIDTH, 3, 2, 9, LIGHT, LIGHT, TINY),
)
_LONG_NAMES = Grid(WIDTH, 2, 4, 9, LIGHT, BOLD, TINY)


def _other_boxes(canvas: Image.Image, scored: Sequence[Box], scratched: Sequence[Box]) -> None:
    """Every box but the best: in the largest letters that leave room for all, those worth nothing on a last line."""
    for grid, apart in _settings():
        boxes = [*scored] if apart else [*scored, *scratched]
        lines = _scratch_lines([name for name, _, _ in scratched]) if apart else []
        height = HEIGHT - GRID_TOP - 9 * len(lines)
        if grid.fits(boxes, height):
            grid.draw(canvas, GRID_TOP, boxes)
            for number, line in enumerate(lines):
                top = HEIGHT - 9 * (len(lines) - number) + 1
                _scratches(canvas, top, line, number == 0)
            return
    _as_many_as_fit(canvas, [*scored, *scratched])


def _as_many_as_fit(canvas: Image.Image, boxes: Sequence[Box]) -> None:
    """The best boxes, set so that most of them have room, and how many more there are."""
    room = HEIGHT - GRID_TOP - 9
    grids = (*_GRIDS, _LONG_NAMES)
    counts = {grid: max(n for n in range(len(boxes) + 1) if grid.fits(boxes[:n], room)) for grid in grids}
    grid, count = max(counts.items(), key=lambda item: item[1])
    grid.draw(canvas, GRID_TOP, boxes[:count])
    LIGHT.draw(canvas, (0, HEIGHT - LIGHT.height), f"and {len(boxes) - count} more")


def _settings() -> Iterator[tuple[Grid, bool]]:
    for grid in _GRIDS:
        yield grid, True
    yield _GRIDS[-1], False


def _scratch_lines(names: Sequence[str]) -> list[str]:
    return LIGHT.wrap(" ".join(names), WIDTH - 12)


def _scratches(canvas: Image.Image, top: int, line: str, first: bool) -> None:
    """A line of boxes that would be scratched, behind a black zero on white."""
    if first:
        ImageDraw.Draw(canvas).rectangle((0, top - 1, 8, top + 7), fill=1)
        LIGHT.draw(canvas, (2, top), "0", ink=0)
    LIGHT.draw(canvas, (12, top), line)


# --- setting text ----------------------------------------------------------------------------------------------


def _centred(canvas: Image.Image, top: int, text: str, face: Typeface, ink: int = 1) -> None:
    face.draw(canvas, ((WIDTH - face.width(text)) // 2, top), text, ink)


def _earned(box: Box) -> int:
    return box[1] + box[2]
