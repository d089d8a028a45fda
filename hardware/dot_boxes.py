"""The picture of a counted roll on 128 x 64 dots: its dice, the best box beside them, every other legal box below.

The best come first, those that would be scratched last. Letters are as large as leaves room for all of them; of a card
with several columns the best that have room are shown, and how many more there are.
"""

from collections.abc import Iterator, Sequence

from PIL import Image, ImageDraw

from hardware.dot_parts import DIE_PITCH, HEIGHT, TOP, WIDTH, centred, dice, header
from hardware.grid import Grid
from hardware.lettering import BIG, BOLD, HUGE, LIGHT, TINY, Typeface
from hardware.screens import Box, Counted
from hardware.setting import largest, wrapped

BEST = (72, TOP, WIDTH - 1, TOP + 17)  # the best box's panel beside five dice: first and last dots across and down
GRID_TOP = 28


def counted(canvas: Image.Image, screen: Counted) -> None:
    """The dice and every legal box."""
    header(canvas, screen)
    left = max(BEST[0], len(screen.dice) * DIE_PITCH + 1)
    dice(canvas, TOP + 3, screen.dice, left)
    boxes = sorted(screen.boxes, key=lambda box: -_earned(box))
    scored = [box for box in boxes if _earned(box)]
    scratched = [box for box in boxes if not _earned(box)]
    if scored:
        _best_box(canvas, scored[0], left)
        _other_boxes(canvas, scored[1:], scratched)
    else:
        _only_scratches(canvas, [name for name, _, _ in scratched], left)


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
        centred(canvas, GRID_TOP + 2 + number * face.pitch, line, face)


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


def _earned(box: Box) -> int:
    return box[1] + box[2]
