"""Pixel lettering: text measured, shortened, wrapped and drawn from bitmap fonts, dot on dot."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from anyascii import anyascii
from luma.core.legacy.font import CP437_FONT, LCD_FONT, TINY_FONT
from PIL import Image

ELLIPSIS = "…"
SPACE = 3  # columns

Ink = int | tuple[int, int, int]
"""0 or 1 on a picture of mode "1", a colour on one of mode "RGB"."""

Columns = Sequence[int]
"""A character's columns from left to right; bit 0 of each is its top row."""


@dataclass(frozen=True, eq=False)
class Typeface:
    """A proportional bitmap font, `scale` display dots to a dot of the font.

    `rows` of the font are above its base line, one more below it. Letters that the font lacks are drawn without
    their accents; those of other scripts as they sound in Latin letters, and what has no sound as "?".
    """

    font: Sequence[Columns]
    codec: str
    rows: int
    scale: int = 1

    def times(self, scale: int) -> "Typeface":
        """The same letters so many times as large as the font's."""
        return replace(self, scale=scale)

    @property
    def height(self) -> int:
        """Dots from the top of a capital to the base line."""
        return self.rows * self.scale

    @property
    def pitch(self) -> int:
        """Dots from one line to the next."""
        return self.height + 2 * max(1, self.scale // 2)

    def width(self, text: str) -> int:
        """Dots from the first letter's left edge to the last one's right edge."""
        return len(self._columns(text)) * self.scale

    def draw(self, canvas: Image.Image, place: tuple[int, int], text: str, ink: Ink = 1) -> None:
        """Draw `text` on a `canvas`, its first capital's top left dot at `place`."""
        columns = self._columns(text)
        if columns:
            letters = Image.frombytes("1", (8, len(columns)), bytes(columns), "raw", "1;R")
            canvas.paste(ink, place, enlarged(letters.transpose(Image.Transpose.TRANSPOSE), self.scale))

    def shorten(self, text: str, width: int) -> str:
        """`text`, or as much of it as fits `width` with an ellipsis."""
        if self.width(text) <= width:
            return text
        fits = (text[:end].rstrip() + ELLIPSIS for end in range(len(text) - 1, 0, -1))
        return next((short for short in fits if self.width(short) <= width), ELLIPSIS)

    def wrap(self, text: str, width: int) -> list[str]:
        """The words of `text` in lines no wider than `width`; a word wider than a line is shortened."""
        lines: list[str] = []
        for word in text.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.width(longer) <= width:
                lines[-1] = longer
            else:
                lines.append(self.shorten(word, width))
        return lines

    def _columns(self, text: str) -> list[int]:
        letters = "".join(_letters(char, self.codec) for char in text)
        columns = [column for letter in letters for column in (*self._glyph(letter), 0)]
        return columns[:-1]

    def _glyph(self, letter: str) -> Columns:
        if letter.isspace():
            return (0,) * (SPACE - 1)
        base = 1 << self.rows - 1
        if letter == ELLIPSIS:
            return (base, 0, base, 0, base)
        return _trimmed(tuple(self.font[letter.encode(self.codec)[0]]))


def _with_zero(font: Sequence[Columns], zero: Columns) -> Sequence[Columns]:
    """The font with an open zero: the slash in luma's makes it an 8 at arm's length."""
    return [*font[: ord("0")], zero, *font[ord("1") :]]


_THIN = _with_zero(LCD_FONT, (0x3E, 0x41, 0x41, 0x41, 0x3E))
_THICK = _with_zero(CP437_FONT, (0x3E, 0x7F, 0x41, 0x41, 0x41, 0x7F, 0x3E))

_SMALL = [[column >> 1 for column in glyph] for glyph in TINY_FONT]  # luma's has an empty row on top

TINY = Typeface(_SMALL, "ascii", rows=5)
LIGHT = Typeface(_THIN, "ascii", rows=7)
BOLD = Typeface(_THICK, "cp437", rows=7)
BIG = Typeface(_THIN, "ascii", rows=7, scale=2)
HUGE = Typeface(_THICK, "cp437", rows=7, scale=2)


def enlarged(image: Image.Image, factor: int) -> Image.Image:
    """The picture with every dot `factor` by `factor` pixels large, its edges sharp."""
    return image.resize((image.width * factor, image.height * factor), Image.Resampling.NEAREST)


@cache
def _letters(char: str, codec: str) -> str:
    """The letter, its base letter, or what it sounds like, as the font has it; an accent by itself is left out."""
    if char.isspace() or char == ELLIPSIS:
        return char
    if unicodedata.combining(char):
        return ""
    for letter in (char, _base_letter(char)):
        try:
            letter.encode(codec)
        except UnicodeEncodeError:
            continue
        return letter
    return anyascii(char) or "?"


def _base_letter(char: str) -> str:
    """The letter without its accent or stroke, by its name: LATIN SMALL LETTER O WITH STROKE is an o."""
    try:
        return unicodedata.lookup(unicodedata.name(char).partition(" WITH ")[0])
    except (KeyError, ValueError):
        return char


def _trimmed(columns: Columns) -> Columns:
    """The columns from the first to the last that has a dot."""
    lit = [x for x, column in enumerate(columns) if column]
    return columns[lit[0] : lit[-1] + 1] if lit else ()
