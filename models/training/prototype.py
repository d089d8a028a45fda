"""What the maker of the prototype states of sources it never saw, beside what our card says of ours."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models.training.bounds import bounds
from models.training.figures import in_columns


def share(of_them: int, of: int) -> str:
    """Return a share in % with its 95 % bounds."""
    if not of:
        return "-"
    low, high = bounds(of_them, of)
    return f"{100 * of_them / of:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


@dataclass(frozen=True)
class Stated:
    """A left-out figure that the prototype's maker states, and the name of ours in the card."""

    what: str
    figures: str
    source: str
    count: int
    of: int

    def ours(self, figures: Mapping[str, Any]) -> tuple[int, int] | None:
        """Return our count and of how many, or None where the card has no such figure."""
        counts = figures.get(self.figures, {}).get(self.source)
        if counts is None:
            return None
        sure = counts["right"] + counts["wrong"]
        return (sure if self.what == "sure" else counts[self.what]), counts["dice"]


_DICE = {"nellbyler": 1795, "rune55v": 702, "matteop65": 371, "fudw": 287, "chasecrops": 279, "epanemu": 625}

_COUNTED = (
    Stated("right", "left_out", "nellbyler", 1169 + 5, 1795),
    Stated("right", "left_out", "rune55v", 549 + 4, 702),
    Stated("right", "left_out", "matteop65", 241, 371),
    Stated("right", "left_out", "fudw", 249, 287),
    Stated("wrong", "left_out", "nellbyler", 8 - 5, 1795),
    Stated("wrong", "left_out", "rune55v", 4 - 4, 702),
    Stated("wrong", "left_out", "matteop65", 0, 371),
    Stated("wrong", "left_out", "fudw", 3, 444),
)

_PERCENT: dict[tuple[str, str], dict[str, float]] = {
    ("sure", "left_out_given"): {"nellbyler": 68, "rune55v": 90, "matteop65": 87, "fudw": 97, "chasecrops": 50},
    ("right", "left_out_forced"): {
        "nellbyler": 88.0,
        "rune55v": 98.0,
        "matteop65": 98.9,
        "fudw": 99.7,
        "chasecrops": 89.6,
        "epanemu": 58.7,
    },
}

PROTOTYPE = (
    *_COUNTED,
    *(
        Stated(what, figures, source, round(percent * _DICE[source] / 100), _DICE[source])
        for (what, figures), percents in _PERCENT.items()
        for source, percent in percents.items()
    ),
)
"""The left-out figures of `lab/EYE.md`, which came with the prototype: "End to end with left-out models", "At prod >=
0.3" and, for the answer it would give if it had to, the best of its first table's row.

Labels that were found wrong since are counted for it (5 on nellbyler, 4 on rune55v), as they are for us. On fudw it
counts 444 dice, symbols among them, and we 287: its right ones are taken to be all among those.
"""

_NAMES = {
    ("right", "left_out"): "whole photographs: right",
    ("wrong", "left_out"): "whole photographs: wrong while sure",
    ("sure", "left_out_given"): "given places: sure",
    ("right", "left_out_forced"): "given places: right if it must answer",
}


def left_out_table(figures: Mapping[str, Any]) -> str:
    """Return the table of the prototype's left-out figures beside ours, from the figures of our card."""
    rows = [["source", "what", "prototype, %", "ours, %", "ours is"]]
    verdicts = []
    for stated in PROTOTYPE:
        ours = stated.ours(figures)
        verdicts.append(verdict(ours, (stated.count, stated.of), fewer=stated.what == "wrong"))
        name = _NAMES[stated.what, stated.figures]
        there = "-" if ours is None else share(*ours)
        rows.append([stated.source, name, share(stated.count, stated.of), there, verdicts[-1]])
    better, worse = (sum(v.startswith(word) for v in verdicts) for word in ("better", "worse"))
    beyond = sum(v == "better, beyond the bounds" for v in verdicts)
    said = f"better in {better} of {len(verdicts)} rows, in {beyond} of them beyond the 95 % bounds; worse in {worse}"
    return f"{in_columns(rows)}\n\n{said}"


def verdict(ours: tuple[int, int] | None, theirs: tuple[int, int], fewer: bool) -> str:
    """Return whether ours (count, of) is better than theirs, and whether their 95 % bounds are apart."""
    if ours is None:
        return "not measured"
    mine, other = (some / of for some, of in (ours, theirs))
    if mine == other:
        return "equal"
    (low, high), (their_low, their_high) = bounds(*ours), bounds(*theirs)
    word = "better" if (mine < other) == fewer else "worse"
    return f"{word}, beyond the bounds" if low > their_high or high < their_low else word
