"""Boxes of a card set in columns: as many as have room, in the largest letters that leave room for all."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from hardware.lettering import SPACE, Ink, Typeface
from hardware.screens import Box


@dataclass(frozen=True, slots=True)
class Inks:
    """What names, points, bonuses and points of nothing are written in."""

    name: Ink = 1
    points: Ink = 1
    bonus: Ink = 1
    nothing: Ink = 1


PLAIN = Inks()


@dataclass(frozen=True)
class Grid:
    """One way to set boxes: dots across, columns, dots between them, dots from row to row, and the letters."""

    width: int
    columns: int
    gap: int
    pitch: int
    name: Typeface
    points: Typeface
    bonus: Typeface

    @property
    def column_width(self) -> int:
        return (self.width + self.gap) // self.columns

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
        return self.points.width(str(points)) + (self.points.scale + self.bonus.width(f"+{bonus}") if bonus else 0)

    def draw(self, canvas: Image.Image, top: int, boxes: Sequence[Box], left: int = 0, inks: Inks = PLAIN) -> None:
        """Draw the boxes, row by row."""
        name_width = self._name_width(boxes)
        for number, (name, points, bonus) in enumerate(boxes):
            row, column = divmod(number, self.columns)
            x, base = left + column * self.column_width, top + row * self.pitch + self.points.height
            self.name.draw(canvas, (x, base - self.name.height), name, inks.name)
            x += name_width
            ink = inks.points if points or bonus else inks.nothing
            self.points.draw(canvas, (x, base - self.points.height), str(points), ink)
            if bonus:
                x += self.points.width(str(points)) + self.points.scale
                self.bonus.draw(canvas, (x, base - self.bonus.height), f"+{bonus}", inks.bonus)
        self._part_columns(canvas, top, boxes, left, inks.name)

    def most(self, boxes: Sequence[Box], height: int) -> int:
        """How many of the boxes, from the first, have room."""
        return max(count for count in range(len(boxes) + 1) if self.fits(boxes[:count], height))

    def _part_columns(self, canvas: Image.Image, top: int, boxes: Sequence[Box], left: int, ink: Ink) -> None:
        """A dotted line between columns that leave room for it: no points are taken for those of the next box."""
        if self._width(boxes) > self.column_width - 3 * self.name.scale:
            return
        bottom = top + (self.rows(boxes) - 1) * self.pitch + self.points.height
        for column in range(1, min(self.columns, len(boxes))):
            for y in range(top, bottom, 2 * self.name.scale):
                canvas.putpixel((left + column * self.column_width - 1 - self.gap // 2, y), ink)
