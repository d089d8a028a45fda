"""A match on the terminal: each ruling with its dice and legal scores, the display's picture beside it."""

from collections.abc import Mapping, Sequence

from PIL import Image
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from scorer.events import (
    BoxEntered,
    BoxRefused,
    LegalBox,
    RerollOrdered,
    RestoreOrdered,
    RollCounted,
    RollHeld,
    Ruling,
    ScoreCorrected,
    TrayEvent,
)

FACES = "⚀⚁⚂⚃⚄⚅"
_BRAILLE = 0x2800
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # of one character: rows, then columns


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


def say(console: Console, fact: TrayEvent | Ruling, picture: Image.Image | None) -> None:
    """Print one fact; with the display's `picture` beside it where there is one and it fits."""
    text = _block(fact)
    if picture is None:
        console.print(text)
        return
    panel = Panel(Text(braille(picture)), expand=False, padding=0, border_style="dim")
    grid = Table.grid(padding=(0, 2))
    if console.width >= 110:
        grid.add_row(text, panel)
        console.print(grid)
    else:
        console.print(Group(text, panel))


def score_card(cards: Mapping[str, Mapping[str, int | None]], totals: Mapping[str, int]) -> Table:
    """The score card of every player: a row for each box, the totals below."""
    table = Table(title="Score card", title_justify="left")
    table.add_column("box")
    for player in cards:
        table.add_column(player, justify="right")
    for box in next(iter(cards.values())):
        table.add_row(box, *("" if card[box] is None else str(card[box]) for card in cards.values()))
    table.add_section()
    table.add_row("total", *(str(totals[player]) for player in cards), style="bold")
    return table


def _block(fact: TrayEvent | Ruling) -> RenderableType:
    line = Text.assemble((f"{_clock(fact.t)}  ", "dim"), _headline(fact))
    if isinstance(fact, RollCounted):
        return Group(line, Text("        ") + _dice(fact.values), _legal(fact.legal))
    return line


def _headline(fact: TrayEvent | Ruling) -> Text:
    name = _spaced(type(fact).__name__)
    if isinstance(fact, TrayEvent):
        return Text(name, style="dim")
    who = f"{fact.player}: " if fact.player else ""
    why = f" ({_spaced_reason(fact.reason)})" if fact.reason else ""
    return Text(f"{who}{name}{_detail(fact)}{why}", style=_style(fact))


def _detail(fact: Ruling) -> str:
    match fact:
        case RollCounted(roll=roll) | RollHeld(roll=roll):
            return f" {roll}"
        case RerollOrdered(count=count):
            return f" of {count} {'die' if count == 1 else 'dice'}"
        case RestoreOrdered(value=value):
            return f" to {value}"
        case BoxEntered():
            bonus = fact.yahtzee_bonus + fact.upper_bonus
            return f" {fact.box} {fact.points}" + (f" +{bonus}" if bonus else "") + (" by itself" * fact.automatic)
        case BoxRefused(box=box):
            return f" {box}"
        case ScoreCorrected():
            return f" {fact.box}: {fact.announced} was said, {fact.right} is right"
        case _:
            return ""


def _style(fact: Ruling) -> str:
    name = type(fact).__name__
    if name in ("RollRefused", "BoxRefused", "RerollOrdered", "RestoreOrdered", "IncidentRecorded"):
        return "bold red"
    if name in ("RollHeld", "RollUnseen", "ReadingAsked", "DieAsked", "Noticed", "ScoreCorrected"):
        return "bold yellow"
    return "bold green" if name in ("RollCounted", "BoxEntered") else "cyan"


def _dice(values: Sequence[int]) -> Text:
    return Text("  ".join(f"{FACES[value - 1]} {value}" for value in values), style="bold")


def _legal(legal: Sequence[LegalBox]) -> RenderableType:
    """Every legal box, the best first."""
    best = sorted(legal, key=lambda box: -(box.points + box.yahtzee_bonus + box.upper_bonus))
    return Columns([f"        {_earns(box)}" if i == 0 else _earns(box) for i, box in enumerate(best)], padding=(0, 2))


def _earns(box: LegalBox) -> str:
    bonus = box.yahtzee_bonus + box.upper_bonus
    return f"{box.box} {box.points}" + (f"+{bonus}" if bonus else "")


def _clock(t: float) -> str:
    return f"{int(t) // 60}:{t % 60:04.1f}"


def _spaced(name: str) -> str:
    """`RollCounted` as `roll counted`."""
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()


def _spaced_reason(reason: str) -> str:
    return reason.replace("_", " ")
