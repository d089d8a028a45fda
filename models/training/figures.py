"""Turns counts into figures and tables: bounds, confusion, risk against coverage, and how honest p is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from models.training.bounds import bounds
from models.training.evaluate import Case, Tally

BARS = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
P_EDGES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
"""Where the rows of a reliability table begin; the last reaches 1."""

_ONE_SIDED = 0.9  # two-sided, so that either side alone is missed in one case of twenty


@dataclass(frozen=True)
class Answer:
    """What a reader said of one labelled die, in one look of perhaps several.

    `die` names the die among all; `sure` is False where the reader itself had doubts, whatever the score.
    """

    die: str
    labelled: int
    likely: int
    score: float
    sure: bool

    @property
    def right(self) -> bool:
        """Whether the likeliest value is the labelled one."""
        return self.likely == self.labelled


def at_most(count: int, of: int) -> float:
    """Return the share that the true one does not exceed, with 95 % confidence (Clopper and Pearson)."""
    return bounds(count, of, _ONE_SIDED)[1]


def at_least(count: int, of: int) -> float:
    """Return the share that the true one reaches, with 95 % confidence (Clopper and Pearson)."""
    return bounds(count, of, _ONE_SIDED)[0]


def percent(share: float) -> str:
    """Return a share in words, with as many digits as tell it from nought and from all."""
    rest = min(share, 1 - share)
    digits = 1 if rest >= 0.01 or rest == 0 else 2 if rest >= 0.001 else 4
    return f"{100 * share:.{digits}f} %"


def in_columns(rows: Sequence[Sequence[object]]) -> str:
    """Return rows of cells as aligned text, the first column to the left."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )


def tally_table(tallies: Mapping[str, Tally], learnt: Sequence[str] = ()) -> str:
    """Return tallies as a table with 95 % bounds; sources the networks learnt from are marked with a star."""
    whole = sum(tallies.values(), Tally())
    names = [f.name for f in fields(Tally) if whole.unreadable or f.name not in ("unreadable", "guessed")]
    rows: list[list[object]] = [["source", *(n.replace("_", " ") for n in names), "sure", "at least", "wrong at most"]]
    for source, tally in sorted(tallies.items()):
        rows.append(
            [
                source + ("*" if source in learnt else ""),
                *(getattr(tally, name) for name in names),
                percent(tally.sure / max(1, tally.dice)),
                percent(at_least(tally.sure, tally.dice)),
                percent(at_most(tally.wrong, tally.sure)),
            ]
        )
    return in_columns(rows)


def forced(cases: Sequence[Case]) -> Tally:
    """Return what would have become of the readable dice if every one had to be answered by its likeliest value."""
    likely = [case.likely == case.labelled for case in cases if case.labelled]
    return Tally(dice=len(likely), right=sum(likely), wrong=len(likely) - sum(likely))


def confusion(cases: Sequence[Case]) -> dict[str, dict[str, int]]:
    """Return how often each label (1 to 6, `unreadable`, `no die`) got each answer (1 to 6, `unsure`, `missed`)."""
    answers = [*map(str, range(1, 7)), "unsure", "missed"]
    table = {label: dict.fromkeys(answers, 0) for label in (*answers[:6], "unreadable", "no die")}
    for case in cases:
        label = "no die" if case.labelled is None else str(case.labelled) if case.labelled else "unreadable"
        if case.likely is None:
            answer = "missed"
        else:
            answer = str(case.likely) if case.outcome in ("right", "wrong", "extra", "guessed") else "unsure"
        table[label][answer] += 1
    return {label: row for label, row in table.items() if any(row.values())}


def confusion_table(table: Mapping[str, Mapping[str, int]]) -> str:
    """Return a confusion matrix as text."""
    header = ["label", *next(iter(table.values()), {})]
    return in_columns([header, *([label, *row.values()] for label, row in table.items())])


def risk(scored: Sequence[tuple[float, bool]], of: int, shipped: float) -> list[dict[str, float]]:
    """Return, for every bar and the one that ships, how many of `of` dice would be sure and how many of those wrong.

    `scored` are the score of every answer that nothing but the bar keeps from being sure, and whether it is right.
    """
    rows = []
    for bar in sorted({*BARS, shipped}):
        said = [right for score, right in scored if score >= bar]
        rows.append({"bar": bar, "of": of, "sure": len(said), "wrong": len(said) - sum(said)})
    return rows


def risk_table(rows: Sequence[Mapping[str, Any]], shipped: float) -> str:
    """Return risk against coverage as text, with 95 % bounds; the bar that ships is marked."""
    table: list[list[object]] = [["sure from", "sure", "of", "share", "wrong", "share", "at most"]]
    for row in rows:
        sure, wrong, of = row["sure"], row["wrong"], row["of"]
        mark = " <" if row["bar"] == shipped else ""
        table.append(
            [
                f"{row['bar']:.2f}{mark}",
                sure,
                of,
                percent(sure / max(1, of)),
                wrong,
                percent(wrong / max(1, sure)),
                percent(at_most(wrong, sure)),
            ]
        )
    return in_columns(table)


def p_bin(p: float) -> int:
    """Return the row of a reliability table that a probability belongs to."""
    return int(np.searchsorted(P_EDGES, p, side="right")) - 1


def chance(calibration: Sequence[Sequence[float]], score: float) -> float:
    """Return the p that networks with this calibration give a score, as `vision.network` does."""
    scores, chances = zip(*calibration, strict=True)
    return float(np.interp(score, scores, chances))


def reliability(given: Sequence[Answer], calibration: Sequence[Sequence[float]]) -> list[dict[str, float]]:
    """Return, for every range of p, how many looks at how many dice got it, and how many of each were wrong.

    `looks_wrong` of `looks` is to stay below 1 - `p`, their mean; a die is wrong where one of its looks is.
    """
    told = [(chance(calibration, a.score), a) for a in given]
    rows = []
    for index, (low, high) in enumerate(zip(P_EDGES, (*P_EDGES[1:], 1.0), strict=True)):
        here = [(p, a) for p, a in told if p_bin(p) == index]
        rows.append(
            {
                "from": low,
                "to": high,
                "looks": len(here),
                "looks_wrong": sum(not a.right for _, a in here),
                "dice": len({a.die for _, a in here}),
                "dice_wrong": len({a.die for _, a in here if not a.right}),
                "p": round(sum(p for p, _ in here) / max(1, len(here)), 5),
            }
        )
    return rows


def reliability_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a reliability table as text: the last column bounds the share of dice with a wrong look."""
    table: list[list[object]] = [
        ["p from", "to", "looks", "wrong", "right", "mean p", "dice", "with a wrong look", "at most"]
    ]
    for row in rows:
        if row["looks"]:
            right = 1 - row["looks_wrong"] / row["looks"]
            table.append(
                [
                    f"{row['from']:g}",
                    f"{row['to']:g}",
                    row["looks"],
                    row["looks_wrong"],
                    f"{right:.4f}",
                    f"{row['p']:.4f}",
                    row["dice"],
                    row["dice_wrong"],
                    percent(at_most(row["dice_wrong"], row["dice"])),
                ]
            )
    return in_columns(table)
