"""Where the dice of a tray are drawn on a display: as they lie, drawn larger than they are and so moved apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from hardware.screens import Place, Tray

STEPS = 60
"""So often dice that would overlap are moved apart; a handful is apart after a few."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The outline's corners on the display, and the middle of each die."""

    outline: tuple[tuple[int, int], ...]
    dice: tuple[tuple[int, int], ...]


def placed(tray: Tray, left: int, top: int, width: int, height: int, side: int) -> Placed:
    """The tray in a field of the display, as large as fits, each of its dice `side` dots wide and all of them in it."""
    xs, ys = ([corner[axis] for corner in tray.outline] for axis in (0, 1))
    across, down = max(max(xs) - min(xs), 1e-6), max(max(ys) - min(ys), 1e-6)
    scale = min((width - 1) / across, (height - 1) / down)
    x0 = left + (width - 1 - across * scale) / 2 - min(xs) * scale
    y0 = top + (height - 1 - down * scale) / 2 - min(ys) * scale

    def on_display(place: Place) -> Place:
        return x0 + place[0] * scale, y0 + place[1] * scale

    low = (left + side / 2, top + side / 2)
    high = (left + width - 1 - side / 2, top + height - 1 - side / 2)
    dice = _apart([on_display(die.place) for die in tray.dice], side + 1, low, high)
    outline = tuple((round(x), round(y)) for x, y in map(on_display, tray.outline))
    return Placed(outline, tuple((round(x), round(y)) for x, y in dice))


def _apart(middles: Sequence[Place], pitch: float, low: Place, high: Place) -> list[Place]:
    """The middles moved until squares of `pitch` around them do not overlap, as little as can be, within bounds."""
    moved = [_within(middle, low, high) for middle in middles]
    for _ in range(STEPS):
        overlap = False
        for a in range(len(moved)):
            for b in range(a):
                dx, dy = moved[a][0] - moved[b][0], moved[a][1] - moved[b][1]
                if abs(dx) >= pitch or abs(dy) >= pitch:
                    continue
                overlap = True
                if abs(dx) >= abs(dy):
                    push = ((pitch - abs(dx)) / 2 * (1 if dx >= 0 else -1), 0.0)
                else:
                    push = (0.0, (pitch - abs(dy)) / 2 * (1 if dy >= 0 else -1))
                moved[a] = _within((moved[a][0] + push[0], moved[a][1] + push[1]), low, high)
                moved[b] = _within((moved[b][0] - push[0], moved[b][1] - push[1]), low, high)
        if not overlap:
            break
    return moved


def _within(place: Place, low: Place, high: Place) -> Place:
    return min(max(place[0], low[0]), high[0]), min(max(place[1], low[1]), high[1])
