"""Which of two dice side by side leans on the other, or may: by how their outlines are shifted to each other, and by
what shows between them."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from vision.evidence import Evidence
from vision.outline import Shift, breadth
from vision.pairs import FILLED, neighbours
from vision.together import Together

Leans = Literal["cocked", "doubtful"]

SHIFTED = (0.04, 0.08)
"""Faces by which the outline is shifted to another die from where, with a little of a die between them, it may lean,
and from where, with much, it does."""
NARROWS = 0.2
"""Faces of shift that count as much as that a top looks narrower by all its breadth towards the die it leans on."""
LESS = 0.025
"""Faces by which, both counted, the cue of a die that leans on another is more than that one's: of 452 pairs in drawn
pictures between which no floor is seen this and the second of the cues beside dice tell 302, one of them wrongly, in a
trial that no command repeats."""


def on_others(dice: Together, pairs: Sequence[tuple[int, int]], leaning: set[int]) -> dict[int, Leans]:
    """How the dice of these pairs lie that may lean on each other, the plainest first: what is seen at a die known to
    be `leaning`, or between two beside which one leans, is that one's. Those known to be level lean on nothing."""
    found: dict[int, Leans] = {}
    known = set(leaning)

    def plainness(pair: tuple[int, int]) -> float:
        return max(_shifts(dice, *pair).values(), default=0.0)

    for one, other in sorted(pairs, key=plainness, reverse=True):
        if known & ({one, other} | (neighbours(pairs, one) & neighbours(pairs, other))):
            continue
        for index, lie in _on_each_other(dice, one, other):
            found[index] = lie
            known |= {index} if lie == "cocked" else set()
    return found


def _on_each_other(dice: Together, one: int, other: int) -> list[tuple[int, Leans]]:
    """Which of two dice side by side leans on the other, and is not known to be level: both are doubtful where it is
    not plain which. Where one is level only the other can, and what suggests it is plain."""
    shifts = _shifts(dice, one, other, dice.level)
    if not shifts:
        return []
    area, most, (none, filled), (least, plain) = dice.between(one, other), max(shifts.values()), FILLED, SHIFTED
    if area <= none or (area <= filled and most <= least):
        return []
    if area > filled and most > least:
        there = {one: dice.readings[other].centre, other: dice.readings[one].centre}
        narrows = {i: NARROWS * (1 - breadth(dice.geometry, dice.readings[i], there[i])) for i in shifts}
        all_told = {i: shift + narrows[i] for i, shift in shifts.items()}
        leaning = max(all_told, key=lambda index: all_told[index])
        plainly = len(shifts) > 1 and most > plain and all_told[leaning] - min(all_told.values()) > LESS
        if (plainly and shifts[leaning] > least) or one in dice.level or other in dice.level:
            return [(leaning, "cocked")]
    return [(index, "doubtful") for index in shifts]


def _shifts(dice: Together, one: int, other: int, level: Collection[int] = ()) -> Mapping[int, float]:
    """How far, in faces, the outlines of two dice, but of those known to be `level`, are shifted to each other, where
    that is told."""
    shifts = {}
    for index, there in ((one, other), (other, one)):
        (x, y), (to_x, to_y) = dice.readings[index].centre, dice.readings[there].centre
        evidence = dice.seen[index]
        if evidence is not None and index not in level:
            shifts[index] = _along(evidence, (to_x - x, to_y - y))
    return shifts


def _along(seen: Evidence, way: Shift) -> float:
    """How far an outline is shifted in a direction of the picture, faces."""
    return (seen.shift[0] * way[0] + seen.shift[1] * way[1]) / max(math.hypot(*way), 1e-9)
