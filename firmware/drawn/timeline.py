"""The foot of the annotated video: the last seconds as a band of what went on, with what was seen and ruled on it."""

from collections import deque
from collections.abc import Iterable

import cv2

from firmware.drawn.canvas import GREY, PAPER, WHITE, Image, faded, fill, width_of, write
from firmware.drawn.commentary import PHASES, Entry
from firmware.drawn.told import clock
from vision.view import Phase

SPAN_S = 12.0
"""Seconds from the left end to now."""
FOOT = 44
"""Its height in units: 480ths of the shorter side of the picture."""
MARK_EVERY_S = 2


class Timeline:
    """Draws the foot of one frame after the other."""

    def __init__(self) -> None:
        """Nothing has happened yet."""
        self._phases: deque[tuple[float, Phase]] = deque()
        self._told: deque[Entry] = deque()

    def draw(self, canvas: Image, t: float, phase: Phase, told: Iterable[Entry], unit: float) -> None:
        """Fill the foot, uint8 BGR (FOOT units, w, 3), as it is at `t` s; `told` is new now."""
        if not self._phases or self._phases[-1][1] != phase:
            self._phases.append((t, phase))
        self._told.extend(told)
        while len(self._phases) > 1 and self._phases[1][0] < t - SPAN_S:
            self._phases.popleft()
        while self._told and self._told[0].t_said < t - SPAN_S:
            self._told.popleft()
        fill(canvas, PAPER)
        start = t - SPAN_S
        self._draw_band(canvas, start, unit)
        for second in range(int(start // MARK_EVERY_S + 1) * MARK_EVERY_S, int(t) + 1, MARK_EVERY_S):
            if second >= 0:
                x = _column(second, start, canvas.shape[1])
                left, text = x + 3 * unit, clock(second)[:-2]
                if left + width_of(text, 12 * unit) <= canvas.shape[1]:
                    write(canvas, text, left, 41 * unit, 12 * unit, faded(GREY, 0.8))
                cv2.line(canvas, (x, round(30 * unit)), (x, round(42 * unit)), faded(GREY, 0.6), max(1, round(unit)))
        for entry in self._told:
            _draw_entry(canvas, entry, start, unit)

    def _draw_band(self, canvas: Image, start: float, unit: float) -> None:
        """Each phase in its colour, from when it was so to the next one."""
        times = [t for t, _ in self._phases] + [start + SPAN_S]
        top, bottom = round(18 * unit), round(28 * unit)
        for (begun, phase), ended in zip(self._phases, times[1:], strict=True):
            left, right = _column(begun, start, canvas.shape[1]), _column(ended, start, canvas.shape[1])
            cv2.rectangle(
                canvas, (left, top), (max(left, right - 1), bottom), faded(PHASES[phase][1], 0.75), cv2.FILLED
            )


def _draw_entry(canvas: Image, entry: Entry, start: float, unit: float) -> None:
    """A pin where it happened, larger for a ruling, with a thread to when it was said."""
    x, said = (_column(t, start, canvas.shape[1]) for t in (entry.t, entry.t_said))
    y, radius = (8, 4.5) if entry.ruled else (12, 2.5)
    thin = max(1, round(unit))
    cv2.line(canvas, (x, round(y * unit)), (said, round(y * unit)), faded(entry.colour, 0.6), thin)
    cv2.line(canvas, (x, round(y * unit)), (x, round(28 * unit)), faded(WHITE, 0.7), thin)
    cv2.circle(canvas, (x, round(y * unit)), round(radius * unit), entry.colour, cv2.FILLED, cv2.LINE_AA)


def _column(t: float, start: float, width: int) -> int:
    return round((t - start) / SPAN_S * width)
