"""Whether a film was ruled right: the rulings beside the true ones, the first difference, and how bad it is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from models.tray.lines import Line, in_short, key, named, of_kind

Outcome = Literal["right", "off_time", "asked", "wrong"]
OUTCOMES: tuple[Outcome, ...] = ("right", "off_time", "asked", "wrong")

NEAR_S = 0.1
"""Rulings agree where their times are no further apart (tray protocol, section 3)."""
SAME_MOMENT_S = 1.0
"""What is ruled within this time of a true rest is about that rest."""
ASKS = frozenset({"ReadingAsked", "DieAsked", "RollHeld", "RollUnseen", "DisputeOpened", "CryAsked"})
"""Rulings that leave it to people: they cost time but confirm nothing."""
_ORDERS = ("RerollOrdered", "RestoreOrdered")
_CLOSES = ("RollCounted", "RollRefused", "TurnStarted")
"""Rulings after which no question is open."""
_ROUNDING_S = 0.0015


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two runs part: the second of video to look at, the true and the said ruling, and one line of words."""

    t: float
    true: Line | None
    said: Line | None
    words: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a film was ruled.

    right: all rulings agree. off_time: they do but for the time of one. asked: they part where people were asked or
    the roll was held, and nothing wrong was confirmed later. wrong: anything else. `wrong_values` are the rolls counted
    with values that do not lie there, `invented` the rolls and orders about nothing that happened.
    """

    outcome: Outcome
    difference: Difference | None = None
    wrong_values: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()


def judge(true: Sequence[Line], said: Sequence[Line]) -> Verdict:
    """The verdict on all lines said of a film, beside its true lines."""
    truths, rulings = of_kind(true, "ruling"), of_kind(said, "ruling")
    wrong, invented = _wrong_values(true, rulings), _invented(true, rulings)
    difference = _first_difference(truths, rulings)
    if difference is None:
        late = _first_off_time(truths, rulings)
        return Verdict("off_time" if late else "right", late, wrong, invented)
    asked = not wrong and not invented and _is_asked(difference, rulings)
    return Verdict("asked" if asked else "wrong", difference, wrong, invented)


def _first_difference(true: Sequence[Line], said: Sequence[Line]) -> Difference | None:
    for right, ruled in zip_longest(true, said):
        if right is None or ruled is None or key(right) != key(ruled):
            t = min(line["t"] for line in (right, ruled) if line is not None)
            return Difference(t, right, ruled, f"{t:.2f} s: ruled {_at(ruled, t)}; right is {_at(right, t)}")
    return None


def _first_off_time(true: Sequence[Line], said: Sequence[Line]) -> Difference | None:
    for right, ruled in zip(true, said, strict=True):
        late = ruled["t"] - right["t"]
        if abs(late) > NEAR_S + _ROUNDING_S:
            words = f"{right['t']:.2f} s: {in_short(right)} is said to be {1000 * late:+.0f} ms off"
            return Difference(min(right["t"], ruled["t"]), right, ruled, words)
    return None


def _at(line: Line | None, t: float) -> str:
    """The ruling, with its time where that is another."""
    later = "" if line is None or line["t"] - t <= NEAR_S else f" (at {line['t']:.2f} s)"
    return in_short(line) + later


def _is_asked(difference: Difference, said: Sequence[Line]) -> bool:
    """Whether people were asked with the first ruling that differs, or at its moment."""
    if difference.said is None:
        return False
    return any(line["name"] in ASKS for line in said if line["t"] == difference.said["t"])


def _wrong_values(true: Iterable[Line], said: Sequence[Line]) -> tuple[str, ...]:
    """The rolls counted whose values are neither those truly counted then nor those that truly lie there."""
    found = []
    counted, rests = named(true, "RollCounted"), named(true, "DiceAtRest")
    for line in named(said, "RollCounted"):
        asked = _question(line, said)
        right = nearest(line, counted) or nearest(asked, counted)
        rest = nearest(line, rests) or nearest(asked, rests)
        there = right["values"] if right else lying(rest) if rest else None
        if there is not None and there != line["values"]:
            shown = ["".join(map(str, values)) for values in (line["values"], there)]
            found.append(f"{line['t']:.2f} s: counted {shown[0]}, right is {shown[1]}")
    return tuple(found)


def _invented(true: Sequence[Line], said: Sequence[Line]) -> tuple[str, ...]:
    """The rolls counted where no thrown die came to rest, and orders to throw or turn dice that nothing called for."""
    thrown = [rest for rest in named(true, "DiceAtRest") if any(die["thrown"] for die in rest["dice"])]
    counted = [*thrown, *named(true, "RollCounted")]  # one that was held counts only when people say so
    found = [
        line
        for line in named(said, "RollCounted")
        if nearest(line, counted) is None and nearest(_question(line, said), counted) is None
    ]
    for name in _ORDERS:
        called_for = named(true, name)
        for line in named(said, name):
            alike = [right for right in called_for if right.get("reason") == line.get("reason")]
            found += [line] if nearest(line, alike) is None else []
    return tuple(f"{line['t']:.2f} s: {in_short(line)}" for line in found)


def _question(line: Line, said: Sequence[Line]) -> Line:
    """The question that this roll was open for until it counted, made when its dice had come to rest; else the line."""
    before = [other for other in said if other["t"] <= line["t"] and other is not line]
    last = next((other for other in reversed(before) if other["name"] in (*ASKS, *_CLOSES)), line)
    return last if last["name"] in ASKS else line


def nearest(line: Line, others: Iterable[Line], within: float = SAME_MOMENT_S) -> Line | None:
    """The one of the others that is nearest in time, if any is within so many seconds."""
    near = [other for other in others if abs(other["t"] - line["t"]) <= within]
    return min(near, key=lambda other: abs(other["t"] - line["t"]), default=None)


def lying(rest: Line) -> list[int]:
    """The sorted values of the dice that lie flat on the floor at a rest."""
    return sorted(die["value"] for die in rest["dice"] if die["state"] == "flat" and die["value"] is not None)
