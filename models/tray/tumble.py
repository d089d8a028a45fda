"""How well tumbling tells dice that were thrown from dice set down or slid: the receiver operating curve."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt

from models.training.figures import in_columns, percent
from models.tray.score import Score
from scorer.throw import WEAK_TUMBLE

THRESHOLDS = (0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
Shares = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cases:
    """Shares of tumbling as they were seen, of what was set down or slid (`weak`) and of what was thrown.

    Infinite where none was told, because a die could not be followed: nobody is called weak then.
    """

    weak: Shares
    thrown: Shares


def of_throws(scores: Iterable[Score]) -> Cases:
    """One case for each throw found: the mean share of its dice, as the umpire takes it."""
    return _cases((fmean(shares) if shares else np.inf, weak) for shares, weak, _ in _throws(scores))


def of_dice(scores: Iterable[Score]) -> Cases:
    """One case for each die of the throws whose dice are all of one kind."""
    alike = ((shares, weak) for shares, weak, mixed in _throws(scores) if not mixed)
    return _cases((share, weak) for shares, weak in alike for share in shares)


def _throws(scores: Iterable[Score]) -> Iterator[tuple[list[float], bool, bool]]:
    """The shares seen of each throw, whether it truly was weak, and whether it is of weak and tumbling dice."""
    for one in scores:
        for found in one.pairs:
            if found.name == "DiceThrown" and found.true is not None and found.said is not None:
                true = found.true.get("tumble", ())
                weak = [share < WEAK_TUMBLE for share in true]
                yield found.said.get("tumble", []), bool(weak) and all(weak), any(weak) and not all(weak)


def _cases(shares: Iterable[tuple[float, bool]]) -> Cases:
    known = list(shares)
    weak, thrown = (np.array([share for share, is_weak in known if is_weak is kind]) for kind in (True, False))
    return Cases(weak, thrown)


def curve(cases: Cases) -> dict[str, Any]:
    """For each threshold the shares of both kinds that lie below it, and the area under the whole curve.

    The area is the chance that a weak case has a smaller share than a thrown one, ties counting half (Hanley and
    McNeil, "The meaning and use of the area under a ROC curve", Radiology 143 (1982), 29).
    """
    weak, thrown = cases.weak, cases.thrown
    rows = [{"below": t, "weak": _share(weak < t), "thrown": _share(thrown < t)} for t in THRESHOLDS]
    area = None
    if weak.size and thrown.size:
        area = float((weak[:, None] < thrown).mean() + (weak[:, None] == thrown).mean() / 2)
    told = {"weak": int(np.isfinite(weak).sum()), "thrown": int(np.isfinite(thrown).sum())}
    return {"weak": int(weak.size), "thrown": int(thrown.size), "told": told, "area": area, "rows": rows}


def _share(below: npt.NDArray[np.bool_]) -> float | None:
    return float(below.mean()) if below.size else None


def table(title: str, curved: dict[str, Any]) -> str:
    """The curve as text; the umpire's threshold is marked."""
    rows: list[list[object]] = [["called weak below", "set down or slid", "thrown"]]
    for row in curved["rows"]:
        shares = ["-" if row[kind] is None else percent(row[kind]) for kind in ("weak", "thrown")]
        rows.append([f"{row['below']:.2f}" + (" <" if row["below"] == WEAK_TUMBLE else ""), *shares])
    area = "no area without both kinds" if curved["area"] is None else f"area under the curve {curved['area']:.3f}"
    told = curved["told"]
    kinds = (
        f"{curved['weak']} set down or slid ({told['weak']} told), {curved['thrown']} thrown ({told['thrown']} told)"
    )
    return f"Tumbling, by {title}: {kinds}; {area}; < = the umpire's threshold\n{in_columns(rows)}"


def plot(curves: Sequence[tuple[str, Cases]], path: Path) -> bool:
    """Draw the curves as .png; whether matplotlib is there to do it."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    picture = Figure(figsize=(5, 5), layout="constrained")
    axes = picture.add_subplot()
    for name, cases in curves:
        steps = np.unique(np.concatenate(([0.0], cases.weak, cases.thrown, [np.inf])))
        weak, thrown = ([float((kind < step).mean()) for step in steps] for kind in (cases.weak, cases.thrown))
        (line,) = axes.step(thrown, weak, where="post", label=name)
        here = [float((kind < WEAK_TUMBLE).mean()) for kind in (cases.thrown, cases.weak)]
        axes.plot(*here, "o", color=line.get_color())
    axes.set(
        xlabel="thrown, but called weak", ylabel="set down or slid, and called weak", xlim=(-0.02, 1), ylim=(0, 1.02)
    )
    axes.set(title=f"Tumbling (points: below {WEAK_TUMBLE})")
    axes.legend(loc="lower right")
    axes.grid(alpha=0.3)
    picture.savefig(path, dpi=100, metadata={"Software": None})
    return True
