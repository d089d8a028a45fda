"""The sweep's table by family and over all, its worst cases and every failure, as text, Markdown and JSON."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.calibration.judge import DIE_MM, OUTLINE_MM, SCALE, Verdict
from models.calibration.sweep import Result
from models.training.bounds import bounds
from models.training.figures import in_columns, percent

OUTCOMES = ("right", "off", "refused", "other_reason", "passed", "broke_off", "not_filmed")
_HEADS = ("right", "off", "refused", "other reason", "passed!", "broke off", "not filmed")
WORST = 5
"""So many of the worst cases are named for each figure."""
_ERRORS: Mapping[str, tuple[Callable[[Verdict], float | None], str, float]] = {
    "outline, mm": (lambda verdict: verdict.outline_mm, "{:.2f}", OUTLINE_MM),
    "scale, %": (lambda verdict: None if verdict.scale is None else 100 * verdict.scale, "{:.2f}", 100 * SCALE),
    "die, mm": (lambda verdict: verdict.die_mm, "{:.2f}", DIE_MM),
}
"""What is measured of set-ups that pass: how, how it is written, and what it may be at most."""

Judged = Sequence[tuple[Result, Verdict]]


def figures(judged: Judged) -> dict[str, Any]:
    """Counts, 95 % bounds of the share that is right, errors of those that passed, and CPU hours."""
    outcomes: Counter[str] = Counter(verdict.outcome for _, verdict in judged)
    filmed = len(judged) - outcomes["not_filmed"]
    low, high = bounds(outcomes["right"], filmed)
    return {
        "recordings": filmed,
        **{outcome: outcomes[outcome] for outcome in OUTCOMES},
        "right_from": low,
        "right_to": high,
        "errors": {name: _spread(_errors(judged, name)) for name in _ERRORS},
        "cpu_hours_simulate": sum(result.cpu_simulate_s for result, _ in judged) / 3600,
        "cpu_hours_calibrate": sum(result.cpu_calibrate_s for result, _ in judged) / 3600,
    }


def in_words(results: Sequence[Result]) -> str:
    """The whole report as text: the promises first, then the table, the worst cases, and each failure."""
    judged = [(result, result.verdict) for result in results]
    names = dict.fromkeys(result.family for result in results)
    rows = {name: [pair for pair in judged if pair[0].family == name] for name in names}
    parts = [*_promises(judged), _table({**rows, "all": judged}), *_worst(judged), *_failures(judged)]
    return "\n\n".join(parts)


def write(folder: Path, results: Sequence[Result]) -> None:
    """Write report.md and report.json."""
    judged = [(result, result.verdict) for result in results]
    names = dict.fromkeys(result.family for result in results)
    content = {
        "all": figures(judged),
        "families": {name: figures([pair for pair in judged if pair[0].family == name]) for name in names},
        "recordings": [
            {"name": result.name, "outcome": verdict.outcome, "words": verdict.words} for result, verdict in judged
        ],
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.md").write_text(f"# Calibration, measured\n\n```\n{in_words(results)}\n```\n", encoding="utf-8")
    (folder / "report.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _promises(judged: Judged) -> list[str]:
    """What was promised of calibration and how often it held, each with 95 % bounds, and what it cost."""
    filmed = [pair for pair in judged if pair[1].outcome != "not_filmed"]
    good = [verdict for result, verdict in filmed if result.true["reason"] is None]
    bad = [verdict for result, verdict in filmed if result.true["reason"] is not None]
    passed = [verdict for verdict in good if verdict.outcome in ("right", "off")]
    told = [(verdict.scale, verdict.doubt) for verdict in passed if verdict.scale is not None]
    rough = [scale <= doubt for scale, doubt in told if doubt is not None]
    exact = [scale <= SCALE for scale, doubt in told if doubt is None]
    held = [
        ("good set-ups that passed", len(passed), len(good)),
        ("of these true enough in outline, scale and die size", sum(v.outcome == "right" for v in passed), len(passed)),
        ("scales told without a doubt within 1 %", sum(exact), len(exact)),
        ("scales told with a doubt no farther off than that", sum(rough), len(rough)),
        ("bad set-ups refused for the true reason", sum(v.outcome == "right" for v in bad), len(bad)),
        ("bad set-ups that passed", sum(v.outcome == "passed" for v in bad), len(bad)),
    ]
    lines = [f"{count} of {of} {what} ({_bounds(count, of)})" for what, count, of in held if of]
    simulate, calibrate = (
        sum(getattr(result, name) for result, _ in judged) / 3600 for name in ("cpu_simulate_s", "cpu_calibrate_s")
    )
    return ["\n".join([*lines, f"{simulate:.2f} CPU h drawing, {calibrate:.2f} CPU h calibrating"])]


def _table(rows: Mapping[str, Judged]) -> str:
    head: list[object] = ["family", "films", *_HEADS, "right, 95 %"]
    for name, (_, _, limit) in _ERRORS.items():
        head += [name, "95 %", "worst", f"> {limit:g}"]
    table = [head]
    for name, judged in rows.items():
        row = figures(judged)
        cells: list[object] = [name, row["recordings"], *(row[outcome] for outcome in OUTCOMES)]
        cells.append(_bounds(row["right"], row["recordings"]))
        for error, (_, form, limit) in _ERRORS.items():
            values = _errors(judged, error)
            spread = [row["errors"][error][which] for which in ("median", "p95", "worst")]
            cells += ["-" if value is None else form.format(value) for value in spread]
            cells.append(sum(value > limit for value in values))
        table.append(cells)
    return in_columns(table)


def _worst(judged: Judged) -> list[str]:
    """The recordings that passed with the largest errors."""
    parts = []
    for name, (of, form, _) in _ERRORS.items():
        found = [(value, result.name) for result, verdict in judged if (value := of(verdict)) is not None]
        if found:
            worst = ", ".join(f"{which} {form.format(value)}" for value, which in sorted(found, reverse=True)[:WORST])
            parts.append(f"Worst {name}: {worst}")
    return ["\n".join(parts)] if parts else []


def _failures(judged: Judged) -> list[str]:
    """A line for each recording that is not right, the worst first."""
    order = ("passed", "broke_off", "off", "other_reason", "refused", "not_filmed")
    lines = [
        f"  {kind}: {result.name}, {verdict.words}"
        for kind in order
        for result, verdict in judged
        if verdict.outcome == kind
    ]
    return ["Not right:\n" + "\n".join(lines)] if lines else []


def _errors(judged: Judged, name: str) -> list[float]:
    of = _ERRORS[name][0]
    return [value for _, verdict in judged if (value := of(verdict)) is not None]


def _spread(values: Sequence[float]) -> dict[str, float | None]:
    if not values:
        return {"median": None, "p95": None, "worst": None}
    median, p95 = (float(np.quantile(values, share, method="higher")) for share in (0.5, 0.95))
    return {"median": median, "p95": p95, "worst": max(values)}


def _bounds(count: int, of: int) -> str:
    low, high = bounds(count, of)
    return f"{percent(low)} to {percent(high)}"
