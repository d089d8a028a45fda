"""`fairtray analyse`: a finished match against optimal play, as a table, as JSON, or as a picture."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from firmware.commands.answers import spaced
from firmware.commands.chart import check_chart, draw_chart
from firmware.errors import FirmwareError
from scorer.analysis.record import PlayedMatch, read_match
from scorer.analysis.review import BLUNDER, ERROR, Decision, PlayerReview, review
from scorer.analysis.store import load_or_solve, user_folder
from scorer.analysis.turn import EQUAL
from scorer.dice import Dice
from scorer.rules import Ruleset

RECORD = "events.jsonl"
"""The record's name in the folder of a match."""


def analyse_command(match: Path, as_json: bool, plot: Path | None) -> int:
    """Review the match and print it; the exit status.

    Raises `FirmwareError` for a file that cannot be read or a picture that cannot be written, and `ScorerError` for a
    record that holds no finished match, or rules that cannot be solved.
    """
    if plot is not None:
        check_chart(plot)
    played = read_record(match)
    reviews = review(played, load_or_solve(played.rules, user_folder(os.environ)))
    if plot is not None:
        draw_chart(reviews, played.rules, plot)
    if as_json:
        print(json.dumps(_as_json(played, reviews), ensure_ascii=False))
    else:
        _print_tables(Console(highlight=False), played, reviews)
    return 0


def read_record(match: Path) -> PlayedMatch:
    """The match in a file of JSON lines, or in a folder that holds such a file.

    Raises `FirmwareError` where the file cannot be read, `AnalysisError` where it holds no finished match.
    """
    path = match / RECORD if match.is_dir() else match
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            return read_match(lines)
    except OSError as error:
        wanted = "give the lines of `fairtray watch --json`, or a match folder"
        raise FirmwareError(f"match {path}: {error.strerror or error}; {wanted}") from error


def _as_json(match: PlayedMatch, reviews: Sequence[PlayerReview]) -> Mapping[str, Any]:
    return {
        "rules": match.rules.name,
        "complete": match.complete,
        "players": [
            {
                "player": player.player,
                "total": player.total,
                "to_come": round(player.to_come, 4),
                "expected": round(player.expected, 4),
                "luck": round(player.luck, 4),
                "skill": round(-player.cost, 4),
                "automatic_cost": round(player.automatic_cost, 4),
                "errors": player.errors,
                "blunders": player.blunders,
                "decisions": [_decision_as_json(decision) for decision in player.decisions],
            }
            for player in reviews
        ],
    }


def _decision_as_json(decision: Decision) -> Mapping[str, Any]:
    return {
        "turn": decision.turn,
        "roll": decision.roll,
        "t": decision.t,
        "dice": decision.dice,
        "kind": "box" if isinstance(decision.chosen, str) else "keep",
        "chosen": decision.chosen,
        "best": decision.best,
        "cost": round(decision.cost, 6),
        "automatic": decision.automatic,
    }


def _print_tables(console: Console, match: PlayedMatch, reviews: Sequence[PlayerReview]) -> None:
    """How each player did, then every decision with what it cost."""
    console.print(_summary(match, reviews))
    for player in reviews:
        console.print(_decisions(match.rules, player))
    console.print(
        f"[dim]?: an error, {ERROR} points or more; ??: a blunder, {BLUNDER:g} or more. Values are those of solitaire "
        "play: to win against others it can be right to play otherwise.[/dim]"
    )


def _summary(match: PlayedMatch, reviews: Sequence[PlayerReview]) -> Table:
    """Total = expected + luck + skill, less what boxes lost that nobody chose and what was not played."""
    automatic = any(player.automatic_cost for player in reviews)
    unplayed = any(abs(player.to_come) > EQUAL for player in reviews)
    title = f"{match.rules.title}: played against optimal play for oneself"
    table = Table("Player", title=title, title_justify="left")
    headings = ["Expected", "Luck", "Skill", *(["Not chosen"] if automatic else [])]
    headings += [*(["Unplayed"] if unplayed else []), "Total", "Errors", "Blunders"]
    for heading in headings:
        table.add_column(heading, justify="right")
    for player in reviews:
        numbers = [f"{player.expected:.1f}", f"{player.luck:+.1f}", f"{-player.cost:+.1f}"]
        numbers += [f"{-player.automatic_cost:+.1f}"] if automatic else []
        numbers += [f"{-player.to_come:+.1f}"] if unplayed else []
        counts = (player.total, player.errors, player.blunders)
        table.add_row(escape(player.player), *numbers, *map(str, counts))
    return table


def _decisions(rules: Ruleset, player: PlayerReview) -> Table:
    """Every decision of one player: what was chosen, and where it cost something what was best."""
    table = Table("Turn", "Roll", "Dice", "Chosen", "Best", title=escape(player.player), title_justify="left")
    table.add_column("Cost", justify="right")
    table.add_column("")
    for decision in player.decisions:
        best = _choice(rules, decision, decision.best) if decision.cost > EQUAL else ""
        chosen = _choice(rules, decision, decision.chosen) + (" (not chosen)" if decision.automatic else "")
        mark = _mark(decision)
        table.add_row(
            str(decision.turn),
            str(decision.roll),
            spaced(decision.dice),
            chosen,
            best,
            f"{decision.cost:.2f}" if best else "",
            mark,
            style="bold red" if mark == "??" else "bold" if mark else "",
        )
    return table


def _mark(decision: Decision) -> str:
    """As chess players mark their moves."""
    if decision.automatic or decision.cost < ERROR:
        return ""
    return "??" if decision.cost >= BLUNDER else "?"


def _choice(rules: Ruleset, decision: Decision, choice: Dice | str) -> str:
    if isinstance(choice, str):
        return rules.box[choice].title
    if len(choice) == len(decision.dice):
        return "stop here"
    return f"keep {spaced(choice)}" if choice else "throw all again"
