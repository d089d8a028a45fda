"""How what a picture shows of dice differs from the outlines that they would have if they lay flat.

A die's own pixels are told by colour. Where its sides lie elsewhere than a flat die's, the middle of all that shows is
shifted; from under one that lies on another the lower one peeps out beyond the outline; and between a die and one that
leans on it there is no floor to be seen.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.geometry import TrayGeometry
from vision.ground import LEAST_PX, Patch, connected, opened, touching
from vision.outline import Outline, Shift, flat_outline, hull
from vision.read import Reading

Image = npt.NDArray[np.uint8]

FEWEST = 3
"""So many dice tell how aslant a camera looks in that nobody has measured."""
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
OWN_TOP = 0.75
"""Share of a die's top that is its own by its colour, below which that tells little: chosen; one as dark as the shaded
floor had .2 to .6, where others have .9 and more."""
TURNS = range(-42, 48, 6)
"""Degrees by which a single pip's face is turned to see how it lies: its pip does not tell."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How an outline differs from a flat die's: its centre's shift (x, y), in faces; and in faces squared the area of
    die `beyond` it, what of it is `plain`, and how much of it lies between it and which other. `angle`: degrees by
    which the die is turned; a one's is told by its outline. `unseen`: the shift if sides of a flat one were there that
    may look like the ground, or none where even the top does; None where they do not."""

    angle: float
    shift: Shift
    beyond: float
    plain: float
    between: Mapping[int, float]
    unseen: Shift | None = None


def all_evidence(image: Image, geometry: TrayGeometry, readings: Sequence[Reading]) -> list[Evidence | None]:
    """The evidence about every die that was read surely. A camera that nobody has measured may look in aslant, which
    shifts all alike."""
    shown = _Shown.all(image, geometry, upright(image, geometry, readings))
    seen = [die.evidence() if die is not None else None for die in shown]
    if geometry.lens is not None:
        return seen
    shifts = [evidence.shift for evidence in seen if evidence is not None]
    if len(shifts) < FEWEST:
        return [None for _ in readings]
    x, y = (2 * float(np.median(shift)) for shift in zip(*shifts, strict=True))
    return [die.evidence((x, y)) if die is not None else None for die in shown]


def upright(image: Image, geometry: TrayGeometry, readings: Sequence[Reading]) -> list[Reading]:
    """The readings, those of a one turned as its outline is, which its pip does not tell."""
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
        self._told = patch.told(self._inner, around, patch.mask(outline.whole, EDGE), self._floor) if enough else None

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
        sides = (patch.centroid(mine | (visible & ~top)) - patch.centroid(visible)).tolist()
        hides = (sides[0], sides[1]) if self._told.shade else None
        unseen = hides if float(own[self._inner].mean()) >= OWN_TOP else (0.0, 0.0)
        touches = patch.mask(outline.whole, 2 * EDGE)
        beyond, plain = (
            patch.area(touching(opened(colour & beside & free & (patch.radius < 1.0)), touches))
            for colour in (own, self._told.plain)
        )
        return Evidence(self._reading.angle, (x, y), beyond, plain, between, unseen)
