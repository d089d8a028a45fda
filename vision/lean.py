"""Telling dice that lean, or lie on others, from flat ones by where a flat die's outline must lie.

A die that leans shows its sides elsewhere, towards what it leans on: the middle of all that shows is shifted there, and
between it and a die that it leans on there is no floor to be seen. From under one that lies on another the lower one
peeps out. What belongs to a die is told by colour, so nothing is said where its colour is near the floor's. The bounds
lie between flat dice and leaning and stacked ones of simulated pictures (`make eval-lean`); what is not plain is
doubtful.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import TrayGeometry
from vision.ground import Patch, connected, opened, touching
from vision.outline import Outline, Shift, flat_outline, hull
from vision.read import Reading

Image = npt.NDArray[np.uint8]
Lie = Literal["flat", "cocked", "stacked", "doubtful", "untold"]
"""How a die lies: `doubtful` where it may lean, `untold` where its colour does not tell although it might lean."""

FEWEST = 3
"""So many dice tell how aslant a camera looks in that nobody has measured."""
AT_WALL = 1.3
"""Faces from the floor's edge within which a die may lean on the wall."""
BESIDE = 1.7
"""Faces between the centres of dice of which one may lean on the other."""
NEIGHBOURS = 3.0
"""Faces within which other dice are in the patch."""
EDGE = 0.06
"""Faces about an outline in which nothing is told: edges are rounded and blurred..."""
BARE = 0.04
"""...and beyond which only another die, or its own sides, can be of its colour."""
GAP = 0.35
"""Faces within which two dice's outlines have a gap between them."""
WALL = 0.15
"""Faces beyond the floor's edge where a die may still be seen that leans on the wall."""
TURNS = range(-42, 48, 6)
"""Degrees by which a single pip's face is turned to see how it lies: its pip does not tell."""
LEAST_PX = 60
"""Pixels of the patch that tell a colour."""

AT_WALL_CUES = (0.05, 0.1)
"""Faces by which the outline is shifted to the wall from where it is doubtful, and from where the die leans..."""
BESIDE_CUES = (0.055, 0.125)
"""...the same to another die..."""
ALONE_CUES = (0.06, 0.2)
"""...and in any direction where there is no other die; the second at a wall."""
LESS = 0.9
"""Share of the shift of a die that leans on another which that one's own stays below."""
PEEPS = (0.01, 0.05)
"""Area, in faces squared, that a flat die does not cover: doubtful from the first; from the second, where it is plain,
of a die below."""
FILLED = (0.01, 0.04)
"""Area, in faces squared, of die between two dice: up to the first none leans on the other, from the second one may."""
OVERLAP = 0.15
"""Area, in faces squared, that two flat dice's top faces cannot have in common: one of them is a side face."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How an outline differs from a flat die's: its centre's shift (x, y), in faces; and in faces squared the area of
    die `beyond` it, what of it is `plain`, and how much of it lies between it and which other."""

    shift: Shift
    beyond: float
    plain: float
    between: Mapping[int, float]


def lies(image: Image, geometry: TrayGeometry, readings: Sequence[Reading], unlevel: Collection[int] = ()) -> list[Lie]:
    """How each of the dice lies that were read in a BGR picture (h, w, 3); `flat` is said of those not read surely.

    Dice known to be `unlevel` explain what is seen beside them, and so does one of two that plainly leans on the other.
    """
    seen = _all_evidence(image, geometry, readings)
    found: list[Lie] = ["flat"] * len(readings)
    pairs = _pairs(geometry, readings)
    for index, evidence in enumerate(seen):
        if evidence is not None:
            alone = not any(index in pair for pair in pairs)
            found[index] = _by_shift(geometry, readings[index], evidence, alone)
    paired: set[int] = set()
    for one, other in pairs:
        if not any(index in unlevel or found[index] == "cocked" for index in (one, other)):
            for index, lie in _on_each_other(readings, seen, one, other):
                found[index] = lie
                paired.add(index)
        if _overlap(geometry, readings[one], readings[other]) > OVERLAP:
            found[one] = found[other] = "doubtful"
            paired |= {one, other}
    leaning = {*unlevel, *(index for index, lie in enumerate(found) if lie == "cocked")}
    for index in {*range(len(readings))} - paired - leaning:
        evidence, others = seen[index], {*chain.from_iterable(pair for pair in pairs if index in pair)} - {index}
        if evidence is None:
            found[index] = "untold" if others or geometry.inside(*readings[index].centre) < AT_WALL else "flat"
        elif others.isdisjoint(leaning):
            found[index] = _by_area(evidence, found[index])
    return [lie if reading.value is not None else "flat" for lie, reading in zip(found, readings, strict=True)]


def _by_shift(geometry: TrayGeometry, reading: Reading, seen: Evidence, alone: bool) -> Lie:
    """Whether a die leans on a wall. What shifts the outline of one that lies `alone`, in whatever direction, is no
    other die; on two walls in a corner a die may lean in any."""
    x, y = reading.centre
    far = math.hypot(*seen.shift)
    if geometry.inside(x, y) >= AT_WALL:
        return "doubtful" if alone and far > ALONE_CUES[0] else "flat"
    step = 0.3 * geometry.face_px(x, y)
    outward = (
        geometry.inside(x - step, y) - geometry.inside(x + step, y),
        geometry.inside(x, y - step) - geometry.inside(x, y + step),
    )
    cue = max(_along(seen, outward), _along(seen, (x - geometry.centre[0], y - geometry.centre[1])))
    doubt, plain = AT_WALL_CUES
    if cue > plain or (alone and far > ALONE_CUES[1]):
        return "cocked"
    return "doubtful" if cue > doubt or (alone and far > ALONE_CUES[0]) else "flat"


def _pairs(geometry: TrayGeometry, readings: Sequence[Reading]) -> list[tuple[int, int]]:
    """Dice that lie so near each other that one may lean on the other."""
    return [
        (one, other)
        for one, other in combinations(range(len(readings)), 2)
        if math.dist(readings[one].centre, readings[other].centre) < BESIDE * geometry.face_px(*readings[one].centre)
    ]


def _overlap(geometry: TrayGeometry, one: Reading, other: Reading) -> float:
    """Area, in faces squared, that the top faces of two dice would have in common if both lay flat."""
    mine, its = (flat_outline(geometry, reading).top.astype(np.float32) for reading in (one, other))
    return float(cv2.intersectConvexConvex(mine, its)[0]) / geometry.face_px(*one.centre) ** 2


def _on_each_other(
    readings: Sequence[Reading], seen: Sequence[Evidence | None], one: int, other: int
) -> list[tuple[int, Lie]]:
    """Which of two dice side by side leans on the other: both are doubtful where it is not plain which."""
    between, cues = 0.0, {}
    for index, there in ((one, other), (other, one)):
        (x, y), (to_x, to_y), evidence = readings[index].centre, readings[there].centre, seen[index]
        if evidence is not None:
            cues[index] = _along(evidence, (to_x - x, to_y - y))
            between = max(between, evidence.between.get(there, 0.0))
    most, (doubt, plain), (none, filled) = max(cues.values(), default=0.0), BESIDE_CUES, FILLED
    if between <= none or (between <= filled and most <= doubt):
        return []
    if between > filled and most > plain and len(cues) > 1 and min(cues.values()) < LESS * most:
        return [(max(cues, key=lambda index: cues[index]), "cocked")]
    return [(index, "doubtful") for index in cues]


def _by_area(seen: Evidence, otherwise: Lie) -> Lie:
    """Whether more than a flat die is seen where it lies."""
    doubt, plain = PEEPS
    return "stacked" if seen.plain > plain else "doubtful" if seen.beyond > doubt else otherwise


def _along(seen: Evidence, way: Shift) -> float:
    """How far an outline is shifted in a direction of the picture, faces."""
    return (seen.shift[0] * way[0] + seen.shift[1] * way[1]) / max(math.hypot(*way), 1e-9)


def _all_evidence(image: Image, geometry: TrayGeometry, readings: Sequence[Reading]) -> list[Evidence | None]:
    """The evidence about every die that was read surely. A camera that nobody has measured may look in aslant, which
    shifts all alike."""
    upright = _turned(image, geometry, readings)
    shown = _Shown.all(image, geometry, upright)
    seen = [die.evidence() if die is not None else None for die in shown]
    if geometry.lens is not None:
        return seen
    shifts = [evidence.shift for evidence in seen if evidence is not None]
    if len(shifts) < FEWEST:
        return [None for _ in readings]
    x, y = (2 * float(np.median(shift)) for shift in zip(*shifts, strict=True))
    return [die.evidence((x, y)) if die is not None else None for die in shown]


def _turned(image: Image, geometry: TrayGeometry, readings: Sequence[Reading]) -> list[Reading]:
    """The readings, those of a one turned as its outline is."""
    return [
        replace(reading, angle=reading.angle + _Shown(image, geometry, readings, index).turn())
        if reading.value == 1
        else reading
        for index, reading in enumerate(readings)
    ]


class _Shown:
    """A die as the picture shows it: which pixels around it are of its colour."""

    @classmethod
    def all(cls, image: Image, geometry: TrayGeometry, readings: Sequence[Reading]) -> "list[_Shown | None]":
        """The dice as they are shown; None for those not read surely, or whose colour does not tell."""
        found = [cls(image, geometry, readings, i) if r.value is not None else None for i, r in enumerate(readings)]
        return [die if die is not None and die._told is not None else None for die in found]

    def __init__(self, image: Image, geometry: TrayGeometry, readings: Sequence[Reading], index: int) -> None:
        self._geometry, self._reading = geometry, readings[index]
        x, y = self._reading.centre
        face = geometry.face_px(x, y)
        self._patch = patch = Patch(image, (x, y), face)
        self._others = {
            other: reading
            for other, reading in enumerate(readings)
            if other != index and math.dist(reading.centre, (x, y)) < NEIGHBOURS * face
        }
        self._floor, self._within = patch.mask(geometry.outline), patch.mask(geometry.outline, WALL)
        outline, others = self._outlines()
        self._inner = patch.mask(outline.top, -2 * EDGE)
        around = (patch.radius > 1.0) & ~patch.mask(outline.whole, 0.15)
        for other in others.values():
            around &= ~patch.mask(other.whole, GAP)
        enough = min(around.sum(), 2 * self._inner.sum()) >= LEAST_PX
        self._told = patch.told(self._inner, around, patch.mask(outline.whole, EDGE)) if enough else None

    def turn(self) -> float:
        """Degrees by which the die must be turned so that a flat one's outline covers best what is shown of it."""
        if self._told is None:
            return 0.0
        own, others = self._told.own, np.zeros_like(self._inner)
        for other in self._outlines()[1].values():
            others |= self._patch.mask(other.whole, EDGE)
        near = ~others & (self._patch.radius < 1.0)

        def wrong(turned: float) -> int:
            outline = flat_outline(self._geometry, self._reading, turned=turned)
            top, flat = self._patch.mask(outline.top), self._patch.mask(outline.whole)
            return int(np.count_nonzero(((top & ~own) | (own & ~flat)) & near))

        return float(min(TURNS, key=lambda turned: (wrong(turned), abs(turned))))

    def _outlines(self, aslant: Shift = (0.0, 0.0)) -> tuple[Outline, dict[int, Outline]]:
        """What this die and the others would show if they lay flat."""
        mine = flat_outline(self._geometry, self._reading, aslant)
        return mine, {n: flat_outline(self._geometry, other, aslant) for n, other in self._others.items()}

    def evidence(self, aslant: Shift = (0.0, 0.0)) -> Evidence | None:
        """How what is shown differs from a flat die's outline; None where others hide that.

        Of a flat die's sides those count as seen that are as dark as a shadow: only lit ground shows that they are not
        there.
        """
        assert self._told is not None
        patch, own, lit = self._patch, self._told.own, self._told.lit
        outline, others = self._outlines(aslant)
        top, flat, near = patch.mask(outline.top), patch.mask(outline.whole), patch.mask(outline.whole, GAP)
        beside = ~patch.mask(outline.whole, BARE) & self._floor
        free, bare = patch.radius < 1.15, np.ones_like(own)
        for other in others.values():
            free &= ~patch.mask(other.whole, EDGE)
            bare &= ~patch.mask(other.whole, BARE)
        between = {
            n: patch.area(
                own
                & beside
                & bare
                & near
                & patch.mask(other.whole, GAP)
                & patch.mask(hull([*outline.whole, *other.whole]))
            )
            for n, other in others.items()
        }
        visible = flat & free
        if not visible.any():
            return None
        mine = connected(own & free & (self._within | flat), self._inner) | self._inner
        dark = visible & ~top & ~own & ~lit
        x, y = (patch.centroid(mine | dark) - patch.centroid(visible)).tolist()
        touches = patch.mask(outline.whole, 2 * EDGE)
        beyond, plain = (
            patch.area(touching(opened(colour & beside & free & (patch.radius < 1.0)), touches))
            for colour in (own, self._told.plain)
        )
        return Evidence((x, y), beyond, plain, between)
