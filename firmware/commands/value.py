"""`fairtray rules value`: what optimal solitaire play of a ruleset is worth."""

import json
import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from scorer.analysis.earnings import earnings
from scorer.analysis.moves import Moves
from scorer.analysis.policy import MIDDLE, UPPER_BONUS, YAHTZEE_BONUS, Outlook, outlook
from scorer.analysis.solver import solve
from scorer.analysis.store import keep, user_folder
from scorer.presets import ruleset
from scorer.rules import Ruleset
from scorer.settings import parse_settings

_TITLES = {UPPER_BONUS: "Upper bonus", YAHTZEE_BONUS: "Yahtzee bonuses", MIDDLE: "Plus and Minus together"}


def value_command(rules: str, settings: Sequence[str], as_json: bool) -> int:
    """Work the value out, print it, and keep the solution for `fairtray analyse`; the exit status.

    Raises `ScorerError` for rules or settings that are not known, or that cannot be solved.
    """
    chosen = ruleset(rules, parse_settings(settings))
    start = time.perf_counter()
    earn = earnings(chosen)
    solution = solve(earn)
    figures = outlook(Moves(earn), solution)
    seconds = time.perf_counter() - start
    keep(solution, user_folder(os.environ))
    if as_json:
        print(json.dumps(_as_json(chosen, figures, solution.reachable, seconds)))
    else:
        _print_table(Console(highlight=False), chosen, figures, solution.reachable, seconds)
    return 0


def _as_json(rules: Ruleset, figures: Outlook, states: int, seconds: float) -> Mapping[str, Any]:
    return {
        "rules": rules.name,
        "expected": figures.expected,
        "sd": figures.sd,
        "boxes": figures.means,
        "states": states,
        "seconds": round(seconds, 1),
    }


def _print_table(console: Console, rules: Ruleset, figures: Outlook, states: int, seconds: float) -> None:
    """The value for people: each box with its mean and how often it is zero, then the total."""
    table = Table("Box", show_footer=True)
    table.columns[0].footer = "Total"
    table.add_column("Mean", justify="right", footer=f"{figures.expected:.4f}")
    table.add_column("Zero", justify="right")
    for name, mean in figures.means.items():
        title = rules.box[name].title if name in rules.box else _TITLES[name]
        zero = f"{figures.zeros[name]:.2%}" if name in figures.zeros else ""
        zero = f"{1 - figures.upper_bonus_chance:.2%}" if name == UPPER_BONUS else zero
        table.add_row(title, f"{mean:.2f}", zero)
    console.print(f"{rules.title}: optimal play for oneself")
    console.print(table)
    console.print(f"standard deviation {figures.sd:.4f}; {states} turn-start states in {seconds:.1f} s")
