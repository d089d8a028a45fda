"""The figures of one film, and their sums over many."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from models.training.bounds import bounds
from models.tray.events import SAID_WITHIN_S, Pair, pair, readings, said_after
from models.tray.results import Result
from models.tray.rulings import NEAR_S, OUTCOMES, Verdict, judge

NOT_FILMED = "not_filmed"
BROKE_OFF = "broke_off"


@dataclass(frozen=True, slots=True)
class Score:
    """One film judged: its verdict (None where it was not filmed or watched to its end) and its events in pairs."""

    result: Result
    verdict: Verdict | None
    pairs: Sequence[Pair] = ()
    delays: Sequence[float] = ()
    dice: Mapping[str, int] = field(default_factory=dict)

    @property
    def outcome(self) -> str:
        """The verdict's outcome, or why there is none."""
        return self.verdict.outcome if self.verdict else BROKE_OFF if self.result.film else NOT_FILMED


def score(result: Result) -> Score:
    """Judge one film."""
    if result.error:
        return Score(result, None)
    pairs = pair(result.true, result.said)
    delays = said_after(result.true, result.said)
    return Score(result, judge(result.true, result.said), pairs, delays, readings(pairs))


def figures(scores: Sequence[Score]) -> dict[str, Any]:
    """All figures of these films: how they were ruled, their events by name, readings, delays and CPU hours."""
    outcomes = Counter(score.outcome for score in scores)
    judged = sum(outcomes[outcome] for outcome in OUTCOMES) + outcomes[BROKE_OFF]
    low, _ = bounds(outcomes["right"], judged) if judged else (0.0, 1.0)
    dice: Counter[str] = Counter()
    for one in scores:
        dice.update(one.dice)
    return {
        "films": judged,
        **{outcome: outcomes[outcome] for outcome in (*OUTCOMES, BROKE_OFF, NOT_FILMED)},
        "right_at_least": low,
        "wrong_values": sum(len(one.verdict.wrong_values) for one in scores if one.verdict),
        "invented": sum(len(one.verdict.invented) for one in scores if one.verdict),
        "events": event_figures(scores),
        "said_after": _spread([delay for one in scores for delay in one.delays], SAID_WITHIN_S),
        "dice": dict(sorted(dice.items())),
        "seconds": sum(one.result.seconds for one in scores),
        "cpu_hours_simulate": sum(one.result.cpu_simulate_s for one in scores) / 3600,
        "cpu_hours_watch": sum(one.result.cpu_watch_s for one in scores) / 3600,
    }


def event_figures(scores: Iterable[Score]) -> dict[str, dict[str, Any]]:
    """For each name of event: how many are true, said, found, found alike, and how far their times are off."""
    by_name: dict[str, list[Pair]] = defaultdict(list)
    for one in scores:
        for pair_ in one.pairs:
            by_name[pair_.name].append(pair_)
    return {name: _of_pairs(pairs) for name, pairs in sorted(by_name.items())}


def _of_pairs(pairs: Sequence[Pair]) -> dict[str, Any]:
    true, said = (sum(getattr(p, side) is not None for p in pairs) for side in ("true", "said"))
    off = [p.off for p in pairs if p.off is not None]
    return {
        "true": true,
        "said": said,
        "found": len(off),
        "alike": sum(p.alike for p in pairs),
        "recall": len(off) / true if true else None,
        "precision": len(off) / said if said else None,
        "off": _spread(off, NEAR_S),
    }


def _spread(seconds: Sequence[float], limit: float) -> dict[str, Any]:
    """Median, 95 % and worst of absolute times, s, and how many of how many exceed the limit."""
    if not seconds:
        return {"count": 0, "over": 0, "median": None, "p95": None, "worst": None}
    size = np.abs(seconds)
    return {
        "count": len(seconds),
        "over": int((size > limit + 1.5e-3).sum()),
        "median": float(np.median(size)),
        "p95": float(np.quantile(size, 0.95)),
        "worst": float(size.max()),
    }
