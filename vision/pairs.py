"""Which of two dice side by side leans on the other, or may: by how their outlines are shifted to each other, and by
what shows between them."""

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from vision.evidence import Evidence
from vision.geometry import TrayGeometry
from vision.outline import Shift, breadth
from vision.read import Reading

Cues = npt.NDArray[np.float64]
Leans = Literal["cocked", "doubtful"]

BESIDE = 1.7
"""Faces between the centres of dice of which one may lean on the other."""
WEIGHTS = (58.45, -14.52, 23.13, -17.34, 43.78, 6.33, 2.46, -34.29)
"""By which `cues` of two dice add up to how likely one leans on the other, the last one by itself: a logistic
regression over pairs of flat and leaning dice in drawn pictures, `make model-lean`..."""
MAY_LEAN = 0.34
"""...and the sum from which one may: 1 in 40 of the flat pairs there is above it."""
APART = 1.3
"""Faces between the middles of two dice up to which one leans the likelier the farther apart: flat ones that touch
have no room for it. Beyond, it is the other way round; chosen."""
GAP = 0.15
"""Area, in faces squared, of the gap beside a die that leans on another by 8 degrees: a wider one tells no more."""
SHIFTED = (0.04, 0.08)
"""Faces by which the outline is shifted to another die from where, with a little of a die between them, it may lean,
and from where, with much, it does."""
NARROWS = 0.2
"""Faces of shift that count as much as that a top looks narrower by all its breadth towards the die it leans on."""
LESS = 0.025
"""Faces by which, both counted, the cue of a die that leans on another is more than that one's: of 452 pairs in drawn
pictures between which no floor is seen this and the second of the cues beside dice tell 302, one of them wrongly, in a
trial that no command repeats."""
FILLED = (0.007, 0.04)
"""Area, in faces squared, of die between two dice: from the first one may reach over to the other, whatever else is
seen from the second."""


def side_by_side(geometry: TrayGeometry, readings: Sequence[Reading]) -> list[tuple[int, int]]:
    """Dice that lie so near each other that one may lean on the other."""
    return [
        (one, other)
        for one, other in combinations(range(len(readings)), 2)
        if math.dist(readings[one].centre, readings[other].centre) < BESIDE * geometry.face_px(*readings[one].centre)
    ]


def neighbours(pairs: Sequence[tuple[int, int]], index: int) -> set[int]:
    """The other dice of the pairs that one is in."""
    return {*chain.from_iterable(pair for pair in pairs if index in pair)} - {index}


def on_others(
    geometry: TrayGeometry,
    readings: Sequence[Reading],
    seen: Sequence[Evidence | None],
    pairs: Sequence[tuple[int, int]],
    leaning: set[int],
    level: Collection[int],
) -> dict[int, Leans]:
    """How the dice of these pairs lie that may lean on each other, the plainest first: what is seen at a die known to
    be `leaning`, or between two beside which one leans, is that one's. Those known to be `level` lean on nothing."""
    found: dict[int, Leans] = {}
    known = set(leaning)

    def plainness(pair: tuple[int, int]) -> float:
        return max(_shifts(readings, seen, *pair).values(), default=0.0)

    for one, other in sorted(pairs, key=plainness, reverse=True):
        if known & ({one, other} | (neighbours(pairs, one) & neighbours(pairs, other))):
            continue
        for index, lie in _on_each_other(geometry, readings, seen, one, other, level):
            found[index] = lie
            known |= {index} if lie == "cocked" else set()
    return found


def between(seen: Sequence[Evidence | None], one: int, other: int) -> float:
    """Area, in faces squared, of die that is seen between two dice."""
    areas = (
        evidence.between.get(there, 0.0) for evidence, there in ((seen[one], other), (seen[other], one)) if evidence
    )
    return max(areas, default=0.0)


def reach_over(seen: Evidence) -> set[int]:
    """The dice with which more is seen between them and this one than floor: one that leans reaches farther than flat
    ones do."""
    return {other for other, area in seen.between.items() if area > FILLED[0]}


def cues(
    geometry: TrayGeometry,
    readings: Sequence[Reading],
    seen: Sequence[Evidence | None],
    one: int,
    other: int,
    level: Collection[int] = (),
) -> Cues | None:
    """(7,) what suggests that one of two dice leans on the other: how far the outlines are shifted to each other, that
    of the one that is more so first, in faces, but those known to be `level`; how far their middles are apart, in faces
    up to and beyond `APART`; and of what shows between them the area, in faces squared, if it is less than one that
    leans shows, its likeness to a die and its light (see `Strip`). None where their colours tell nothing."""
    shifts = _shifts(readings, seen, one, other, level)
    strips = [
        evidence.strips[there]
        for evidence, there in ((seen[one], other), (seen[other], one))
        if evidence is not None and there in evidence.strips
    ]
    if not (shifts and strips):
        return None
    told = sorted([*shifts.values(), *[0.0] * (2 - len(shifts))], reverse=True)
    apart = math.dist(readings[one].centre, readings[other].centre) / geometry.face_px(*readings[one].centre)
    shown = np.mean([(min(strip.area, GAP), strip.likeness, strip.light) for strip in strips], axis=0)
    return np.array([*told, min(apart, APART), max(apart - APART, 0.0), *shown])


def _on_each_other(
    geometry: TrayGeometry,
    readings: Sequence[Reading],
    seen: Sequence[Evidence | None],
    one: int,
    other: int,
    level: Collection[int],
) -> list[tuple[int, Leans]]:
    """Which of two dice side by side leans on the other, and is not known to be `level`: both are doubtful where it is
    not plain which. Where one is level only the other can, and what suggests it is plain."""
    suggests = cues(geometry, readings, seen, one, other, level)
    if suggests is None:
        return []
    shifts = _shifts(readings, seen, one, other, level)
    area, most, (none, filled), (least, plain) = between(seen, one, other), max(shifts.values()), FILLED, SHIFTED
    may_lean = suggests @ WEIGHTS[:-1] + WEIGHTS[-1] > MAY_LEAN
    if not may_lean and (area <= none or (area <= filled and most <= least)):
        return []
    if area > filled and most > least:
        there = {one: readings[other].centre, other: readings[one].centre}
        all_told = {i: shift + NARROWS * (1 - breadth(geometry, readings[i], there[i])) for i, shift in shifts.items()}
        leaning = max(all_told, key=lambda index: all_told[index])
        plainly = len(shifts) > 1 and most > plain and all_told[leaning] - min(all_told.values()) > LESS
        if (plainly and shifts[leaning] > least) or one in level or other in level:
            return [(leaning, "cocked")]
    return [(index, "doubtful") for index in shifts]


def _shifts(
    readings: Sequence[Reading], seen: Sequence[Evidence | None], one: int, other: int, level: Collection[int] = ()
) -> Mapping[int, float]:
    """How far, in faces, the outlines of two dice, but of those known to be `level`, are shifted to each other, where
    that is told."""
    shifts = {}
    for index, there in ((one, other), (other, one)):
        (x, y), (to_x, to_y), evidence = readings[index].centre, readings[there].centre, seen[index]
        if evidence is not None and index not in level:
            shifts[index] = _along(evidence, (to_x - x, to_y - y))
    return shifts


def _along(seen: Evidence, way: Shift) -> float:
    """How far an outline is shifted in a direction of the picture, faces."""
    return (seen.shift[0] * way[0] + seen.shift[1] * way[1]) / max(math.hypot(*way), 1e-9)
