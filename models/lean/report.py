"""The table of what is said of flat, leaning and stacked dice, with 95 % bounds."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from models.lean.measure import Piece, Said
from models.sim.scene import FLAT_TILT_DEG
from models.training.bounds import bounds
from models.training.figures import in_columns, percent

LEANS = ((FLAT_TILT_DEG, 12.0), (12.0, 20.0), (20.0, 45.0))
"""Ranges of tilt, degrees."""
_Pick = Callable[[Said], bool]


def in_words(pieces: Sequence[Piece]) -> str:
    """The report as text: dice that do not lie flat, flat dice, and what it cost."""
    dice = [die for piece in pieces for die in piece.dice]
    drawn, judged = (sum(getattr(piece, field) for piece in pieces) for field in ("draw_s", "judge_s"))
    return "\n\n".join(
        (
            f"{len(pieces)} seeds, {len(dice)} dice; {drawn:.0f} CPU s drawn, {judged:.0f} CPU s judged",
            _unlevel(dice),
            _flat(dice),
        )
    )


def write(folder: Path, pieces: Sequence[Piece]) -> None:
    """Write report.md and report.json."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.md").write_text(f"# Leaning dice, measured\n\n```\n{in_words(pieces)}\n```\n", encoding="utf-8")
    content = [{"seed": piece.seed, **asdict(die)} for piece in pieces for die in piece.dice]
    (folder / "report.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _unlevel(dice: Sequence[Said]) -> str:
    """Dice that lean or lie on others: said to, asked about, or read as if they lay flat."""
    picks: dict[str, _Pick] = {
        f"leaning {kind[3:]}, {low:g}-{high:g} deg": _leans(kind, low, high)
        for kind in ("on_wall", "on_die")
        for low, high in LEANS
    }
    picks["stacked"] = lambda die: die.kind == "stacked"
    rows = [["", "dice", "told", "asked", "unseen", "silent", "95 %"]]
    for name, pick in picks.items():
        chosen = [die for die in dice if pick(die)]
        counts = {outcome: sum(die.outcome == outcome for die in chosen) for outcome in rows[0][2:6]}
        rows.append([name, str(len(chosen)), *map(str, counts.values()), _between(counts["silent"], len(chosen))])
    return "Dice that do not lie flat; silent ones are read as if they did:\n" + in_columns(rows)


def _leans(kind: str, low: float, high: float) -> _Pick:
    return lambda die: die.kind == kind and low < die.tilt <= high


def _flat(dice: Sequence[Said]) -> str:
    """Flat dice: read, not read by their faces alone, and read but then doubted or called cocked or stacked."""
    picks: Mapping[str, _Pick] = {
        "free": lambda die: die.kind == "flat" and not die.beside and not die.at_wall,
        "at a wall": lambda die: die.kind == "flat" and not die.beside and die.at_wall,
        "beside another": lambda die: die.kind == "flat" and die.beside,
        "all": lambda die: die.kind == "flat",
        "leant on": lambda die: die.kind == "support",
    }
    rows = [["", "dice", "right", "wrong", "unseen", "not read", "doubted", "called", "95 %"]]
    for name, pick in picks.items():
        chosen = [die for die in dice if pick(die)]
        read = [die for die in chosen if die.read]
        called = sum(die.outcome == "told" for die in read)
        doubted = sum(die.outcome == "asked" for die in read)
        unseen = sum(die.outcome == "unseen" for die in chosen)
        counts = [sum(die.outcome == outcome for die in chosen) for outcome in ("right", "wrong")]
        counts += [unseen, len(chosen) - len(read) - unseen, doubted, called]
        rows.append([name, str(len(chosen)), *map(str, counts), _between(doubted + called, len(read))])
    return "Flat dice; doubted or called are those read surely that were taken for leaning or stacked ones:\n" + (
        in_columns(rows)
    )


def _between(count: int, of: int) -> str:
    """The share and between which it lies."""
    if of == 0:
        return "-"
    low, high = bounds(count, of)
    return f"{percent(count / of)} ({percent(low)} to {percent(high)})"
