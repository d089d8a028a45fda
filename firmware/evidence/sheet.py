"""The score sheet of a match, to print and sign (PDF) or to reckon with (CSV)."""

import csv
import io
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fpdf import FPDF
from fpdf.enums import XPos, YPos
from fpdf.fonts import FontFace

from firmware.drawn.sums import sums
from firmware.drawn.told import clock
from scorer.events import RefereeRuled, Ruling
from scorer.messages import say
from scorer.presets import RULESETS
from scorer.settings import on_card
from scorer.state import State

FONTS = Path("/usr/share/fonts/truetype/dejavu")
"""Debian's fonts-dejavu-core: for names that a PDF's own letters, those of Latin 1, do not spell."""
WIDE = 5
"""More players have their sheet across the page."""
LINE_MM, LABEL_MM = 6.0, 32.0
SMALLEST = 6.0
SHADE = FontFace(fill_color=(235, 235, 235))
FORMULA = ("=", "+", "-", "@", "\t")
"""A name that begins so would be a formula to a spreadsheet."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is on the sheet: how the match stands, its rulings, its name, and what shows that it is the one played."""

    state: State
    rulings: tuple[Ruling, ...]
    name: str
    begun: str
    code: str
    head: str
    key: str
    closed: bool = True


def rows_of(state: State) -> Iterator[tuple[str, list[str], bool]]:
    """The rows: a box with what is in it for each player, then what it adds up to (True)."""
    for slot in state.rules.slots:
        yield slot.name, [str(card.points.get(slot.name, "")) for card in state.cards], False
    for label, numbers in sums(state.rules, [state.totals[player] for player in state.players]):
        yield label, [str(number) for number in numbers], True


def as_csv(sheet: Sheet) -> str:
    """The sheet as CSV: a row for each box and sum, a column for each player."""
    content = io.StringIO()
    writer = csv.writer(content, lineterminator="\n")
    writer.writerow(["box", *(f"'{name}" if name.startswith(FORMULA) else name for name in sheet.state.players)])
    for label, numbers, _ in rows_of(sheet.state):
        writer.writerow([label, *numbers])
    return content.getvalue()


def as_pdf(sheet: Sheet) -> bytes:
    """The sheet as a PDF of A4 pages."""
    state = sheet.state
    paper = _Paper(len(state.players) > WIDE, (sheet.name, *state.players, *map(say, _decided(sheet))))
    paper.add_page()
    paper.line_of("Score sheet", 18, bold=True)
    chosen = on_card(RULESETS.get(state.rules.name, state.rules), state.rules)
    paper.line_of(f"{state.rules.title}{f' ({chosen})' if chosen else ''}", 10)
    stage = "" if state.over else ", not over"
    paper.line_of(f"{sheet.name}{f', begun {sheet.begun}' if sheet.begun else ''}{stage}", 10)
    paper.ln(2)
    paper.card(state)
    decided = _decided(sheet)
    if decided:
        paper.ln(3)
        paper.line_of("Decided by the referee", 11, bold=True)
        for ruling in decided:
            paper.line_of(f"{clock(ruling.t)}  entry {ruling.entry}: {say(ruling)}", 9)
    paper.ln(3)
    ends = "The match ends with" if sheet.closed else "Not closed yet; so far it ends with"
    paper.line_of(f"{ends} {sheet.code}.", 11, bold=True)
    paper.line_of(f"fairtray match verify {sheet.name} --head {sheet.code}", 9)
    paper.line_of(f"Last hash {sheet.head}", 7)
    paper.line_of(f"Signed by {sheet.key or 'nobody'}", 7)
    paper.signatures((*state.players, "Referee"))
    return bytes(paper.output())


def _decided(sheet: Sheet) -> list[RefereeRuled]:
    return [ruling for ruling in sheet.rulings if isinstance(ruling, RefereeRuled)]


class _Paper(FPDF):
    """A4 with one typeface."""

    def __init__(self, is_wide: bool, texts: tuple[str, ...]) -> None:
        super().__init__("landscape" if is_wide else "portrait", "mm", "A4")
        self.set_title("Score sheet")
        self.set_margin(15)
        self._face = "helvetica"
        if not all(_is_latin(text) for text in texts) and (FONTS / "DejaVuSans.ttf").is_file():
            self._face = "dejavu"
            self.add_font(self._face, "", FONTS / "DejaVuSans.ttf")
            self.add_font(self._face, "B", FONTS / "DejaVuSans-Bold.ttf")

    def line_of(self, text: str, size: float, bold: bool = False) -> None:
        """A paragraph."""
        self.set_font(self._face, "B" if bold else "", size)
        self.multi_cell(0, size / 2, self._spelt(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT, align="L")

    def card(self, state: State) -> None:
        """The table of boxes; where there are many its lines are lower."""
        rows = list(rows_of(state))
        height = min(LINE_MM, (self.eph - 75) / (len(rows) + 1))
        size = max(SMALLEST, min(10.0, 1.7 * height, 90 / len(state.players)))
        self.set_font(self._face, "", size)
        widths = (LABEL_MM, *(min(40.0, (self.epw - LABEL_MM) / len(state.players)) for _ in state.players))
        align = ("LEFT", *("CENTER" for _ in state.players))
        with self.table(
            width=sum(widths), col_widths=widths, text_align=align, line_height=height, align="LEFT", padding=0,
            headings_style=FontFace(emphasis="BOLD", fill_color=(210, 210, 210)),
        ) as table:  # fmt: skip
            table.row(["", *map(self._spelt, state.players)])
            for label, numbers, is_sum in rows:
                style = FontFace(emphasis="BOLD", fill_color=(210, 210, 210)) if label == "total" else SHADE
                table.row([label, *numbers], style=style if is_sum else None)

    def signatures(self, names: tuple[str, ...]) -> None:
        """Lines to sign on, some beside each other."""
        self.set_font(self._face, "", 8)
        across = 5 if self.epw > self.eph else 3
        for first in range(0, len(names), across):
            self.ln(10)
            if self.will_page_break(10):
                self.add_page()
            for place, name in enumerate(names[first : first + across]):
                left = self.l_margin + place * self.epw / across
                self.line(left, self.y, left + self.epw / across - 8, self.y)
                self.set_x(left)
                self.cell(self.epw / across, 5, self._spelt(name))
            self.ln(5)

    def _spelt(self, text: str) -> str:
        """The text in letters that the typeface has."""
        if self._face != "helvetica" or _is_latin(text):
            return text
        plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
        return plain.encode("latin-1", "replace").decode("latin-1")


def _is_latin(text: str) -> bool:
    return text.encode("latin-1", "replace").decode("latin-1") == text
