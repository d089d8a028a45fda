"""The sweep's tables: by scenario and over all, as text, Markdown and JSON."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from models.training.figures import in_columns, percent
from models.tray import tumble
from models.tray.score import BROKE_OFF, NOT_FILMED, Score, figures

_RULED = {"right": "right", "off_time": "off time", "asked": "asked", "wrong": "wrong", BROKE_OFF: "broke off"}


def by_scenario(scores: Sequence[Score]) -> dict[str, dict[str, Any]]:
    """The figures of each scenario, in the order in which they are listed."""
    names = dict.fromkeys(one.result.scenario for one in scores)
    return {name: figures([one for one in scores if one.result.scenario == name]) for name in names}


def ruling_table(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """How films were ruled, a row for each scenario."""
    head: list[object] = [
        "scenario",
        "films",
        *_RULED.values(),
        "values wrong",
        "invented",
        "said after, ms",
        "95 %",
        "worst",
        "> 250",
    ]
    table = [head]
    for name, row in rows.items():
        after = row["said_after"]
        times = [_ms(after[which]) for which in ("median", "p95", "worst")]
        counts = [row["films"], *(row[outcome] for outcome in _RULED), row["wrong_values"], row["invented"]]
        table.append([name, *counts, *times, after["over"]])
    return in_columns(table)


def event_table(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """How events were found, a row for each name; times are those by which `t` is off, in ms."""
    table: list[list[object]] = [
        ["event", "true", "said", "found", "recall", "precision", "alike", "t off, ms", "95 %", "worst", "> 100"]
    ]
    for name, row in rows.items():
        off = row["off"]
        shares = ["-" if row[which] is None else percent(row[which]) for which in ("recall", "precision")]
        times = [_ms(off[which]) for which in ("median", "p95", "worst")]
        table.append([name, row["true"], row["said"], row["found"], *shares, row["alike"], *times, off["over"]])
    return in_columns(table)


def _ms(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1000 * seconds:.0f}"


def in_words(scores: Sequence[Score]) -> str:
    """The whole report as text: what was confirmed wrong first, then the tables, then each failure."""
    scenarios, whole = by_scenario(scores), figures(scores)
    events = {
        f"{name}: {event}": row for name, figured in scenarios.items() for event, row in figured["events"].items()
    }
    parts = [
        headline(whole),
        *_confirmed_wrong(scores),
        ruling_table({**scenarios, "all": whole}),
        event_table(whole["events"]),
        "Dice of rests found: " + ", ".join(f"{count} {name}" for name, count in whole["dice"].items()),
        event_table(events),
        *(tumble.table(title, tumble.curve(cases)) for title, cases in _tumbling(scores).items()),
        *_failures(scores),
    ]
    return "\n\n".join(parts)


def _tumbling(scores: Sequence[Score]) -> dict[str, tumble.Cases]:
    return {"throw": tumble.of_throws(scores), "die": tumble.of_dice(scores)}


def headline(whole: Mapping[str, Any]) -> str:
    """The sweep in a sentence, with its CPU hours."""
    cpu = f"{whole['cpu_hours_simulate']:.2f} CPU h drawing, {whole['cpu_hours_watch']:.2f} CPU h watching"
    if not whole["films"]:
        return f"no films were measured; {cpu}"
    share = f"{percent(whole['right'] / whole['films'])} (at least {percent(whole['right_at_least'])})"
    return (
        f"{whole['right']} of {whole['films']} films ruled right, {share}; "
        f"{whole['wrong_values']} values confirmed wrong; {whole['seconds'] / 60:.0f} min of film; {cpu}"
    )


def _confirmed_wrong(scores: Sequence[Score]) -> list[str]:
    lines = [f"  {one.result.name}, {words}" for one in scores if one.verdict for words in one.verdict.wrong_values]
    return ["!!! VALUES CONFIRMED WRONG:\n" + "\n".join(lines)] if lines else []


def _failures(scores: Sequence[Score]) -> list[str]:
    """A line for each film that is not right, the worst first."""
    order = ("wrong", BROKE_OFF, "off_time", "asked", NOT_FILMED)
    lines = [
        f"  {one.outcome}: {one.result.name}, {why(one)}" for kind in order for one in scores if one.outcome == kind
    ]
    return ["Not right, and where it first differs:\n" + "\n".join(lines)] if lines else []


def why(one: Score) -> str:
    """Why a film is not right, in one line."""
    if one.verdict is None:
        return one.result.error or "no verdict"
    return one.verdict.difference.words if one.verdict.difference else "right"


def write(folder: Path, scores: Sequence[Score], beside: str) -> None:
    """Write report.md, with what stands `beside` the films at its end, and report.json.

    Where there is a curve, and matplotlib is installed, also tumble.png.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.md").write_text(
        f"# The tray, measured\n\n```\n{in_words(scores)}\n\n{beside}\n```\n", encoding="utf-8"
    )
    films = [
        {"name": one.result.name, "outcome": one.outcome, "why": why(one), "delays": list(one.delays)} for one in scores
    ]
    curves = _tumbling(scores)
    if all(cases.weak.size and cases.thrown.size for cases in curves.values()):
        tumble.plot(list(curves.items()), folder / "tumble.png")
    curved = {title: tumble.curve(cases) for title, cases in curves.items()}
    content = {"tumble": curved, "all": figures(scores), "scenarios": by_scenario(scores), "films": films}
    (folder / "report.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
