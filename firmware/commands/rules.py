"""`fairtray rules`: the rulesets on offer, one of them in full, and where two of them differ."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from firmware.chosen import chosen_rules
from firmware.commands.answers import case_json, say_answers, spaced
from firmware.commands.rulebook import sentence, show_rules
from scorer.cases import Case
from scorer.compare import Comparison, Difference, compare
from scorer.presets import RULESETS, ruleset
from scorer.readings import HOUSE_RULES
from scorer.rules import Ruleset
from scorer.settings import SETTINGS


def list_command(as_json: bool) -> int:
    """Print the rulesets and the house rules, a line for each; the exit status."""
    if as_json:
        print(json.dumps(_listing(), ensure_ascii=False))
        return 0
    console = _console()
    in_a_line = [(name, rules.about) for name, rules in RULESETS.items()]
    _print_lines(console, "Rulesets, --rules NAME", in_a_line)
    _print_lines(
        console, "House rules, --set NAME=yes", [(name, sentence(SETTINGS[name].about)) for name in HOUSE_RULES]
    )
    console.print("`fairtray rules show NAME` says all of one, `diff NAME NAME` compares two.")
    return 0


def show_command(name: str, settings: Sequence[str], as_json: bool) -> int:
    """Print one ruleset with these settings in full. Raises `RulesetError` for what is not known."""
    return show_rules(chosen_rules(name, settings), as_json)


def diff_command(first: str, second: str, as_json: bool) -> int:
    """Print where two rulesets differ. Raises `RulesetError` for a name that is not known."""
    ours, theirs = ruleset(first), ruleset(second)
    comparison = compare(ours, theirs)
    if as_json:
        print(json.dumps(_comparison(first, second, comparison), ensure_ascii=False))
    else:
        _print_comparison(_console(), ours, theirs, comparison)
    return 0


def _console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def _print_lines(console: Console, heading: str, rows: Sequence[tuple[str, str]]) -> None:
    console.print(heading, style="bold")
    table = Table.grid(padding=(0, 2))
    for row in rows:
        table.add_row(*row)
    console.print(table)
    console.print()


def _listing() -> dict[str, Any]:
    return {
        "rules": [
            {"name": rules.name, "title": rules.title, "about": rules.about, "source": rules.source}
            for rules in RULESETS.values()
        ],
        "house_rules": [{"name": name, **asdict(house)} for name, house in HOUSE_RULES.items()],
    }


def _comparison(first: str, second: str, comparison: Comparison) -> dict[str, Any]:
    return {
        "first": first,
        "second": second,
        "differences": [
            {
                "name": difference.name,
                "about": difference.about,
                "first": difference.first,
                "second": difference.second,
                "example": None if difference.example is None else [x and case_json(x) for x in difference.example],
            }
            for difference in comparison.differences
        ],
        "only_first": list(comparison.only_first),
        "only_second": list(comparison.only_second),
    }


def _print_comparison(console: Console, ours: Ruleset, theirs: Ruleset, comparison: Comparison) -> None:
    if ours == theirs:
        console.print(f"{ours.name} and {theirs.name} are the same rules.")
        return
    if not comparison.differences:
        console.print(
            f"{ours.name} and {theirs.name} play the same: no box, parameter or setting differs, only their texts do."
        )
        return
    console.print(f"{ours.name}: {ours.title}\n{theirs.name}: {theirs.title}", style="bold")
    for difference in comparison.differences:
        _print_difference(console, ours, theirs, difference)
    for rules, only in ((ours, comparison.only_first), (theirs, comparison.only_second)):
        if only:
            console.print(f"\nSettings of {rules.name} alone: {', '.join(only)}.")


def _print_difference(console: Console, ours: Ruleset, theirs: Ruleset, difference: Difference) -> None:
    console.print(f"\n{difference.about} [{difference.name}]", style="bold")
    has = Table.grid(padding=(0, 2))
    has.add_row(ours.name, difference.first)
    has.add_row(theirs.name, difference.second)
    _indented(console, has)
    if difference.example is None:
        _indented(console, "No card and roll was found whose boxes or points this alone changes.")
        return
    first, second = difference.example
    if first and second and (first.dice, first.card) == (second.dice, second.card):
        _indented(console, f"For example {_say_question(first)}:")
        answers = [(ours, first, ""), (theirs, second, "")]
    else:
        _indented(console, "For example:")
        pairs = ((rules, case) for rules, case in ((ours, first), (theirs, second)) if case)
        answers = [(rules, case, f"{_say_question(case)}: ") for rules, case in pairs]
    said = Table.grid(padding=(0, 2))
    for rules, case, question in answers:
        said.add_row(rules.name, question + ("; ".join(say_answers(case.answers)) or "no such box"))
    _indented(console, said)


def _say_question(case: Case) -> str:
    return f"{spaced(case.dice)} on {f'a card with {case.card}' if case.card else 'an empty card'}"


def _indented(console: Console, what: str | Table) -> None:
    console.print(Padding(what, (0, 0, 0, 2), expand=False))
