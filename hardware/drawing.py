"""The pictures of the screens: 128 x 64 dots in black and white, made to be read at arm's length.

From the top: who plays and which roll it is, the dice as they lie with the best box beside them, every other legal
box with its points, the best first, and last the boxes that would be scratched. Letters are as large as leaves room
for all of them; of a card with several columns the best that have room are shown, and how many more there are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from hardware.errors import DisplayError
from hardware.lettering import BIG, BOLD, ELLIPSIS, HUGE, LIGHT, SPACE, TINY, Typeface, enlarged
from hardware.screens import Box, Card, Counted, Notice, Screen, Waiting

WIDTH, HEIGHT = 128, 64
DIE = 12
DIE_PITCH = 14
TOP = 9  # below the header
BEST = (72, TOP, WIDTH - 1, TOP + 17)  # the best box's panel beside five dice: first and last dots across and down
GRID_TOP = 28
PIPS = {
    1: ("   ", " o ", "   "),
    2: ("o  ", "   ", "  o"),
    3: ("o  ", " o ", "  o"),
    4: ("o o", "   ", "o o"),
    5: ("o o", " o ", "o o"),
    6: ("o o", "o o", "o o"),
}


def draw(screen: Screen, size: tuple[int, int] = (WIDTH, HEIGHT)) -> Image.Image:
    """The screen as a picture of mode "1", `size` dots wide and high.

    It is drawn on 128 x 64 dots and shown as many whole times larger as fits, in the middle.

    Raises:
        DisplayError: `size` is smaller than 128 x 64, or there are more players than have room.
    """
    times = min(size[0] // WIDTH, size[1] // HEIGHT)
    if times < 1:
        raise DisplayError(f"a display needs {WIDTH} x {HEIGHT} dots or more, not {size[0]} x {size[1]}")
    canvas = Image.new("1", (WIDTH, HEIGHT))
    match screen:
        case Waiting():
            _waiting(canvas, screen)
        case Counted():
            _counted(canvas, screen)
        case Notice():
            _notice(canvas, screen)
        case Card():
            _card(canvas, screen)
    picture = Image.new("1", size)
    picture.paste(enlarged(canvas, times), ((size[0] - WIDTH * times) // 2, (size[1] - HEIGHT * times) // 2))
    return picture


def _waiting(canvas: Image.Image, screen: Waiting) -> None:
    """Whose throw it is, as large as can be."""
    face = _largest(screen.player, WIDTH, HUGE, BOLD)
    _centred(canvas, 3 + (BIG.height - face.height) // 2, face.shorten(screen.player, WIDTH), face)
    _roll_squares(canvas, 26, 12, screen.roll, screen.rolls)
    text = screen.message or f"throw {screen.roll} of {screen.rolls}"
    lines, face = _wrapped(text, WIDTH, HEIGHT - 44, BOLD, LIGHT)
    for number, line in enumerate(lines):
        _centred(canvas, 46 + number * 9, line, face)


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


def _notice(canvas: Image.Image, screen: Notice) -> None:
    """What must be done or answered."""
    _header(canvas, screen)
    face = _largest(screen.title, WIDTH - 4, BOLD, LIGHT)
    ImageDraw.Draw(canvas).rectangle((0, TOP + 1, WIDTH - 1, TOP + 11), fill=1)
    _centred(canvas, TOP + 3, face.shorten(screen.title, WIDTH - 4), face, ink=0)
    top = TOP + 15
    if screen.dice:
        _dice(canvas, HEIGHT - DIE, screen.dice, WIDTH, centred=True)
    room = HEIGHT - top - (DIE + 1 if screen.dice else 0)
    lines, face = _wrapped(screen.text, WIDTH, room, BIG, BOLD, LIGHT, TINY)
    for number, line in enumerate(lines):
        _centred(canvas, top + number * (face.height + 2), line, face)


def _card(canvas: Image.Image, screen: Card) -> None:
    """Every player's total, who won in black on white."""
    _centred(canvas, 0, "Final score", BOLD)
    totals = sorted(screen.totals, key=lambda total: -total[1])
    columns = 1 if len(totals) <= 6 else 2
    rows = -(-len(totals) // columns)
    pitch = next((pitch for pitch in (18, 13, 10, 9) if rows * pitch <= HEIGHT - TOP), 0)
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
    face = _largest(player, left - 8, *((HUGE, BOLD, LIGHT) if digits is BIG else (BOLD, LIGHT)))
    face.draw(line, (2, (line.height - face.height) // 2), face.shorten(player, left - 8), ink)


# --- parts -----------------------------------------------------------------------------------------------------


def _header(canvas: Image.Image, screen: Counted | Notice) -> None:
    left = WIDTH - screen.rolls * 9 + 2
    _roll_squares(canvas, 0, 7, screen.roll, screen.rolls, left)
    face = _largest(screen.player, left - 4, BOLD, LIGHT)
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
        _panel(canvas, [(earned, _largest(earned, BEST[2] - left - 3, BIG, BOLD))], left)


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
    _panel(canvas, [("all 0", _largest("all 0", BEST[2] - left - 3, BIG, BOLD))], left)
    lines, face = _wrapped(" ".join(names), WIDTH, HEIGHT - GRID_TOP, HUGE, BOLD)
    for number, line in enumerate(lines):
        _centred(canvas, GRID_TOP + 2 + number * (face.height + 2), line, face)


@dataclass(frozen=True)
class _Grid:
    """One way to set the boxes: columns, dots between them, dots from row to row, and the letters."""

    columns: int
    gap: int
    pitch: int
    name: Typeface
    points: Typeface
    bonus: Typeface

    @property
    def column_width(self) -> int:
        return (WIDTH + self.gap) // self.columns

    def _name_width(self, boxes: Sequence[Box]) -> int:
        """Room for the longest name, and for two letters at least, with the space behind it."""
        return max(self.name.width(name) for name in ("MM", *(box[0] for box in boxes))) + SPACE * self.name.scale

    def rows(self, boxes: Sequence[Box]) -> int:
        return -(-len(boxes) // self.columns)

    def fits(self, boxes: Sequence[Box], height: int) -> bool:
        return self.rows(boxes) * self.pitch <= height + 2 and self._width(boxes) <= self.column_width - self.gap

    def _width(self, boxes: Sequence[Box]) -> int:
        """Of the widest box."""
        return self._name_width(boxes) + max((self._earned_width(box) for box in boxes), default=0)

    def _earned_width(self, box: Box) -> int:
        _, points, bonus = box
        return self.points.width(str(points)) + (1 + self.bonus.width(f"+{bonus}") if bonus else 0)

    def draw(self, canvas: Image.Image, top: int, boxes: Sequence[Box]) -> None:
        name_width = self._name_width(boxes)
        for number, (name, points, bonus) in enumerate(boxes):
            row, column = divmod(number, self.columns)
            x, base = column * self.column_width, top + row * self.pitch + self.points.height
            self.name.draw(canvas, (x, base - self.name.height), name)
            x += name_width
            self.points.draw(canvas, (x, base - self.points.height), str(points))
            if bonus:
                x += self.points.width(str(points)) + 1
                self.bonus.draw(canvas, (x, base - self.bonus.height), f"+{bonus}")
        self._part_columns(canvas, top, boxes)

    def _part_columns(self, canvas: Image.Image, top: int, boxes: Sequence[Box]) -> None:
        """A dotted line between columns that leave room for it: no points are taken for those of the next box."""
        if self._width(boxes) > self.column_width - 3:
            return
        bottom = top + (self.rows(boxes) - 1) * self.pitch + self.points.height
        for column in range(1, min(self.columns, len(boxes))):
            for y in range(top, bottom, 2):
                canvas.putpixel((column * self.column_width - 1 - self.gap // 2, y), 1)


_GRIDS = (
    _Grid(2, 6, 18, BIG, BIG, LIGHT),
    _Grid(3, 2, 17, BOLD, BIG, LIGHT),
    _Grid(2, 6, 9, BOLD, BOLD, LIGHT),
    _Grid(3, 6, 9, LIGHT, BOLD, LIGHT),
    _Grid(3, 2, 9, LIGHT, LIGHT, TINY),
)
_LONG_NAMES = _Grid(2, 4, 9, LIGHT, BOLD, TINY)


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


def _settings() -> Iterator[tuple[_Grid, bool]]:
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


def _largest(text: str, width: int, *faces: Typeface) -> Typeface:
    """The first of the typefaces in which `text` fits `width`, else the last."""
    return next((face for face in faces if face.width(text) <= width), faces[-1])


def _wrapped(text: str, width: int, height: int, *faces: Typeface) -> tuple[list[str], Typeface]:
    """`text` in lines in the first of the typefaces in which it fits; in the last one what does not fit is cut."""
    for face in faces:
        lines = face.wrap(text, width)
        room = (height + 2) // (face.height + 2)
        if len(lines) <= room:
            return lines, face
    return [*lines[: room - 1], face.shorten(" ".join(lines[room - 1 :]), width)], face


def _centred(canvas: Image.Image, top: int, text: str, face: Typeface, ink: int = 1) -> None:
    face.draw(canvas, ((WIDTH - face.width(text)) // 2, top), text, ink)


def _earned(box: Box) -> int:
    return box[1] + box[2]
