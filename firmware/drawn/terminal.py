"""A match on the terminal: each ruling with its dice and legal scores, the display's picture beside it."""

from collections.abc import Iterable, Mapping, Sequence

from PIL import Image
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from firmware.drawn.sums import sums
from firmware.drawn.told import clock, say_event
from scorer.card import Card, Totals
from scorer.events import (
    BoxEntered,
    BoxProposed,
    BoxRefused,
    CallRefused,
    DieAsked,
    DisputeOpened,
    Fact,
    IncidentRecorded,
    LegalBox,
    ReadingAsked,
    RerollOrdered,
    RestoreOrdered,
    RollCounted,
    RollHeld,
    RollRefused,
    RollUnseen,
    Ruling,
    ScoreCorrected,
    TieFound,
    TrayEvent,
    TurnStarted,
)
from scorer.messages import say
from scorer.presets import RULESETS
from scorer.rules import Ruleset
from scorer.settings import on_card

_FACES = "⚀⚁⚂⚃⚄⚅"
_BRAILLE = 0x2800
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # of one character: rows, then columns
GOOD = (RollCounted, BoxEntered)
STOP = (RollRefused, BoxRefused, CallRefused, DisputeOpened, RerollOrdered, RestoreOrdered, IncidentRecorded)
EXPLAINED = (*STOP, RollHeld, RollUnseen, ReadingAsked, DieAsked, ScoreCorrected, TieFound)
"""Rulings that are printed with the rule they rest on."""
_TEXT_COLUMNS = 44


def braille(picture: Image.Image) -> str:
    """A black-and-white picture as text, 2 x 4 pixels to a character; its sides are cut to whole characters."""
    pixels = picture.convert("1").load()
    assert pixels is not None
    rows = []
    for top in range(0, picture.height - 3, 4):
        row = ""
        for left in range(0, picture.width - 1, 2):
            lit = sum(_DOTS[y][x] for y in range(4) for x in range(2) if pixels[left + x, top + y])
            row += chr(_BRAILLE + lit)
        rows.append(row)
    return "\n".join(rows)


def show(console: Console, facts: Iterable[Fact | Ruling], picture: Image.Image | None) -> None:
    """Print what was ruled at one moment; beside it the display's picture, below it where the terminal is narrow."""
    rulings = worth_saying([fact for fact in facts if isinstance(fact, Ruling)])
    if not rulings:
        return
    text = Group(*(_block(ruling) for ruling in rulings))
    if picture is None:
        console.print(text)
        return
    panel = framed(picture)
    if console.width < _TEXT_COLUMNS + panel_width(picture):
        console.print(text, panel)
        return
    grid = Table.grid(padding=(0, 2))
    grid.add_column(width=console.width - panel_width(picture))
    grid.add_row(text, panel)
    console.print(grid)


def framed(picture: Image.Image) -> Panel:
    """The display's picture on the terminal."""
    return Panel(Text(braille(picture)), expand=False, padding=0, border_style="dim")


def worth_saying(rulings: Sequence[Ruling]) -> list[Ruling]:
    """Those that have words; a box that was entered at once need not be asked about first."""
    entered = any(isinstance(ruling, BoxEntered) for ruling in rulings)
    return [ruling for ruling in rulings if say(ruling) and not (entered and isinstance(ruling, BoxProposed))]


def panel_width(picture: Image.Image) -> int:
    """Columns of the terminal that the picture takes with its frame and the gap beside it."""
    return picture.width // 2 + 5


def say_events(console: Console, facts: Iterable[Fact | Ruling]) -> None:
    """Print what was seen, for those who want no match."""
    for fact in facts:
        if isinstance(fact, TrayEvent):
            console.print(Text.assemble(_clock(fact.t), say_event(fact)))


def score_card(rules: Ruleset, cards: Mapping[str, Card], totals: Mapping[str, Totals]) -> Table:
    """The score card of every player: a row for each box, what the columns' parts add up to and totals below."""
    table = Table(title="Score card", title_justify="left", caption=_on_card(rules) or None)
    table.add_column("box")
    for player in cards:
        table.add_column(player, justify="right")
    for slot in rules.slots:
        table.add_row(slot.name, *(str(card.points.get(slot.name, "")) for card in cards.values()))
    table.add_section()
    for label, numbers in sums(rules, [totals[player] for player in cards]):
        table.add_row(label, *(str(number) for number in numbers), style="bold" if label == "total" else "")
    return table


def opening(rules: Ruleset) -> str:
    """What is played, before the first throw: the rules, and what was chosen about them."""
    chosen = _on_card(rules)
    return f"{rules.title} ({chosen})" if chosen else rules.title


def _on_card(rules: Ruleset) -> str:
    return on_card(RULESETS.get(rules.name, rules), rules)


def _block(ruling: Ruling) -> RenderableType:
    """One ruling: when, who, what; a counted roll with its dice and its boxes, a refusal or question with its rule."""
    style = "bold green" if isinstance(ruling, GOOD) else "bold red" if isinstance(ruling, STOP) else ""
    who = f"{ruling.player}: " if ruling.player and not isinstance(ruling, TurnStarted) else ""
    line = Text.assemble(_clock(ruling.t), (f"{who}{say(ruling)}", style))
    if isinstance(ruling, RollCounted):
        return Group(line, Text("       ") + _dice(ruling.values), Text(_boxes(ruling.legal)))
    if isinstance(ruling, EXPLAINED):
        return Group(line, Padding(Text(ruling.rule, style="dim"), (0, 0, 0, 7)))
    return line


def _dice(values: Sequence[int]) -> Text:
    return Text("  ".join(f"{_FACES[value - 1]} {value}" for value in values), style="bold")


def _boxes(legal: Sequence[LegalBox]) -> str:
    """Every legal box, the best first, those that earn nothing together at the end."""
    earning = sorted((box for box in legal if _earns(box)), key=_earns, reverse=True)
    nothing = [box.box for box in legal if not _earns(box)]
    parts = [f"{box.box} {_earns(box)}" for box in earning] + ([f"0: {' '.join(nothing)}"] if nothing else [])
    return "       " + "   ".join(parts)


def _earns(box: LegalBox) -> int:
    return box.points + box.yahtzee_bonus + box.upper_bonus + box.house_bonus


def _clock(t: float) -> tuple[str, str]:
    return f"{clock(t)} ", "dim"
