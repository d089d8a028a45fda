"""Events beside the true ones: which were found, which were invented, how far their times are off, how they read."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import dist

from models.tray.lines import Line, named, of_kind
from models.tray.rulings import nearest

SAME_EVENT_S = 0.5
"""Events of one name are the same where their times are no further apart."""
SAME_DIE_MM = 10.0
"""A die is the true one where their places are no further apart."""
SAID_WITHIN_S = 0.25
"""A rest is to be said no later after the last die came to rest and the hand had left."""
_CONTENT = ("count", "cause", "before", "after", "identity", "last_seen")


@dataclass(frozen=True, slots=True)
class Pair:
    """An event that is true, said, or both; `alike`: both say the same of what happened, and not only when."""

    name: str
    true: Line | None
    said: Line | None

    @property
    def alike(self) -> bool:
        """Whether both are there and their contents agree, whatever the dice's numbers."""
        return self.true is not None and self.said is not None and _content(self.true) == _content(self.said)

    @property
    def off(self) -> float | None:
        """Seconds by which the time said is later than the true one."""
        return self.said["t"] - self.true["t"] if self.true is not None and self.said is not None else None


def pair(true: Iterable[Line], said: Iterable[Line]) -> list[Pair]:
    """Every event once: matched by name, the nearest in time first, or alone."""
    truths, found = of_kind(true, "event"), of_kind(said, "event")
    pairs = []
    for name in sorted({line["name"] for line in (*truths, *found)}):
        pairs += _paired(name, named(truths, name), named(found, name))
    return pairs


def _paired(name: str, true: list[Line], said: list[Line]) -> list[Pair]:
    apart = [(abs(a["t"] - b["t"]), i, j) for i, a in enumerate(true) for j, b in enumerate(said)]
    partner: dict[int, int] = {}
    for gap, i, j in sorted(apart):
        if gap <= SAME_EVENT_S and i not in partner and j not in partner.values():
            partner[i] = j
    pairs = [Pair(name, line, said[partner[i]] if i in partner else None) for i, line in enumerate(true)]
    return pairs + [Pair(name, None, line) for j, line in enumerate(said) if j not in partner.values()]


def _content(line: Line) -> tuple[object, ...]:
    """What an event says beside its time: numbers of dice are counted, dice at rest compared by value and state."""
    ids = len(line["ids"]) if line["name"] == "DiceLifted" else None
    dice = sorted(((d["value"] or 0), d["state"], d["thrown"]) for d in line.get("dice", ()))
    return (ids, tuple(dice), *(line.get(name) for name in _CONTENT))


def said_after(true: Iterable[Line], said: Iterable[Line]) -> list[float]:
    """Seconds from each true counted roll (the later of last rest and hand gone) until it was said."""
    counted = named(true, "RollCounted")
    matched = ((line, nearest(line, counted)) for line in named(said, "RollCounted"))
    return [line["t_said"] - right["t"] for line, right in matched if right is not None]


def readings(pairs: Iterable[Pair]) -> Counter[str]:
    """How the dice of the rests found were read: right, wrong, unsure, missed, extra, or flat where they lean."""
    counts: Counter[str] = Counter()
    for pair_ in pairs:
        if pair_.name == "DiceAtRest" and pair_.true is not None and pair_.said is not None:
            counts += _read(pair_.true["dice"], pair_.said["dice"])
    return counts


def _read(true: Sequence[Line], said: Sequence[Line]) -> Counter[str]:
    counts: Counter[str] = Counter()
    left = list(said)
    for die in true:
        here = min(left, key=lambda other: dist(die["place"], other["place"]), default=None)
        if here is None or dist(die["place"], here["place"]) > SAME_DIE_MM:
            counts["missed"] += die["state"] != "off_tray"
            continue
        left.remove(here)
        counts[_answer(die, here)] += 1
    counts["extra"] += len(left)
    return counts


def _answer(true: Line, said: Line) -> str:
    if true["state"] == "off_tray" or said["state"] == "off_tray":
        return "off_tray" if true["state"] == said["state"] else "misplaced"
    if true["state"] != "flat":
        return "leaning_read" if said["state"] == "flat" and said["value"] is not None else "leaning"
    if said["value"] is None or said["state"] != "flat":
        return "unsure"
    return "right" if said["value"] == true["value"] else "wrong"
