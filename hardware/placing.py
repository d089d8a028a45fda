"""Where the dice of a tray are drawn on a display: as they lie, drawn larger than they are and so moved apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from hardware.screens import Place, Tray

STEPS = 200
"""So often dice that would overlap are moved apart; a handful is apart after a few."""
SLACK = 1e-6
"""Less than this, dots, is no overlap but rounding."""


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
        overlapping = [
            (a, b) for a in range(len(moved)) for b in range(a) if _overlap(moved[a], moved[b]) < pitch - SLACK
        ]
        if not overlapping:
            break
        for a, b in overlapping:
            first = 0 if abs(moved[a][0] - moved[b][0]) >= abs(moved[a][1] - moved[b][1]) else 1
            for axis in (first, 1 - first):  # the other way where there is no room this way
                moved[a], moved[b] = _pushed(moved[a], moved[b], axis, pitch, low, high)
    return moved


def _overlap(a: Place, b: Place) -> float:
    """How far apart two squares are, along the axis on which they are farther."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def _pushed(a: Place, b: Place, axis: int, pitch: float, low: Place, high: Place) -> tuple[Place, Place]:
    """Both moved apart along an axis, unless they are apart already."""
    away = a[axis] - b[axis]
    push = (pitch - abs(away)) / 2 * (1 if away >= 0 else -1) if _overlap(a, b) < pitch - SLACK else 0.0
    step = (push, 0.0) if axis == 0 else (0.0, push)
    return _within((a[0] + step[0], a[1] + step[1]), low, high), _within((b[0] - step[0], b[1] - step[1]), low, high)


def _within(place: Place, low: Place, high: Place) -> Place:
    return min(max(place[0], low[0]), high[0]), min(max(place[1], low[1]), high[1])
