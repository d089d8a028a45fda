"""Telling dice that lean, or lie on others, from flat ones by how they differ from a flat die's outline.

The bounds lie between flat dice and leaning and stacked ones of simulated pictures (`make eval-lean`). What is not
plain is doubtful; nothing is said of a die whose colour is near the floor's.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.evidence import Evidence, all_evidence
from vision.geometry import TrayGeometry
from vision.outline import flat_outline
from vision.pairs import FILLED, between, neighbours, on_others, reach_over, side_by_side
from vision.read import Reading
from vision.wall import Wall, walls_about

Image = npt.NDArray[np.uint8]
Lie = Literal["flat", "cocked", "stacked", "doubtful", "untold"]
"""How a die lies: `doubtful` where it may lean, `untold` where its colour does not tell although it might lean."""

AT_WALL = 1.05
"""Faces from the floor's edge within which the top of a die is seen that leans on the wall, up to 45 degrees."""
AT_WALL_CUE = 0.1
"""Faces by which the outline is shifted to the wall from where the die leans on it..."""
AT_WALL_DOUBT = (0.055, 0.2)
"""...and from where it is doubtful, if there is room for that: faces, and the share of its room if that is more."""
TOWARDS = 0.7
"""Share of a shift that goes to a wall from which it points there, be it into a corner."""
NARROW = (0.28, 0.9)
"""With so many faces of room to a wall, a die is doubtful too whose top is less than this share as broad towards it as
a flat one's..."""
NARROW_UNTOLD = (0.2, 0.95)
"""...and so is one whose outline does not tell, with these. Of 2212 flat dice of drawn pictures one looked so narrow as
the first, of 22 whose outline did not tell three as the second, in a trial that no command repeats."""
ALONE_CUES = (0.07, 0.2)
"""...and in any direction where there is no other die; the second at a wall."""
UNSEEN = 0.03
"""Faces that the shift is off if sides are there that look like the ground, below which there is hardly any to see."""
PEEPS = (0.01, 0.05)
"""Area, in faces squared, that a flat die does not cover: doubtful from the first, but a little of one by itself among
five that were read; from the second, where it is plain, of a die below."""
STANDS = 0.2
"""The same of an unread die that plainly stands on an edge at a wall: chosen, half of what one shows at 45 degrees."""
ON_TOP = 1.1
"""Faces between the middles of two dice from which neither lies on the other: the middle of the upper one is over the
lower one's top, .71 faces from its middle at most, and is seen .38 farther out for its height by a camera that looks
at it from 21 degrees off the vertical."""
TIGHT = 0.9
"""Faces between the middles of two dice below which both cannot lie flat; chosen, as the middle of one that leans is
not found exactly: one met was .8 away."""
HIDES = 0.025
"""Area, in faces squared, of die beyond the outline from which another lies below where one is missing."""
OVERLAP = 0.15
"""Area, in faces squared, that two flat dice's top faces cannot have in common: one of them is a side face."""


def lies(
    image: Image,
    geometry: TrayGeometry,
    readings: Sequence[Reading],
    unlevel: Collection[int] = (),
    all_seen: bool = False,
    level: Collection[int] = (),
) -> list[Lie]:
    """How each of the dice lies that were read in a BGR picture (h, w, 3); of those not read surely `cocked` is said
    where they plainly lean on another or, alone at a wall with all dice seen, on that, else `flat`.

    Dice known to be `unlevel` explain what is seen beside them, and so does one of two that plainly leans on the other;
    of one known to be `level` nothing that is seen beside it says that it leans.
    Where `all_seen` of a game are there, none lies on one that is not, nor leans on it: alone at a wall it leans on
    that, and alone elsewhere it lies flat.
    """
    pairs, all_read = side_by_side(geometry, readings), all(reading.value is not None for reading in readings)
    unread = _unread_leaning(image, geometry, readings, pairs, unlevel, level)
    unread |= _unread_standing(image, geometry, readings, pairs, unlevel) if all_seen else set()
    unlevel = {*unlevel, *unread}
    seen = all_evidence(image, geometry, readings)
    found: list[Lie] = ["flat"] * len(readings)
    for index, evidence in enumerate(seen):
        if evidence is not None and index not in level:
            alone = not any(index in pair for pair in pairs)
            found[index] = _on_wall(geometry, readings[index], evidence, alone, all_seen)
            if evidence.unseen is not None and math.dist(evidence.shift, evidence.unseen) > UNSEEN:
                found[index] = _with_sides_unseen(geometry, readings[index], evidence, found[index], all_seen)
    cocked = {index for index, lie in enumerate(found) if lie == "cocked"}
    told = on_others(geometry, readings, seen, pairs, {*unlevel, *cocked}, level)
    paired = set(told)
    for index, lie in told.items():
        found[index] = lie
    for one, other in pairs:
        if _overlap(geometry, readings[one], readings[other]) > OVERLAP:
            for index in {one, other}.difference(level):
                found[index] = "doubtful"
            paired |= {one, other}
    leaning = {*unlevel, *(index for index, lie in enumerate(found) if lie == "cocked")}
    for index in {*range(len(readings))} - paired - leaning:
        evidence, others = seen[index], neighbours(pairs, index)
        if index in level and others:
            continue
        if evidence is None:
            found[index] = _untold(geometry, readings[index], beside=bool(others))
        elif others.union(reach_over(evidence)).isdisjoint(leaning):
            by_area = _by_area(evidence)
            if all_seen and not others:
                by_area = _by_itself(geometry, readings[index], evidence, by_area, all_read)
            elif all_seen and by_area == "stacked" and _lies_on_none(geometry, readings, index, evidence):
                by_area = _as_own_side(geometry, readings[index])
            found[index] = by_area or found[index]
    return [
        found[index] if reading.value is not None else "cocked" if index in unread else "flat"
        for index, reading in enumerate(readings)
    ]


def _unread_leaning(
    image: Image,
    geometry: TrayGeometry,
    readings: Sequence[Reading],
    pairs: Sequence[tuple[int, int]],
    unlevel: Collection[int],
    level: Collection[int],
) -> set[int]:
    """The dice not read surely that plainly lean on another, by what they likely show; beside one known to lie flat it
    is enough that no floor is seen between them."""
    unread = {index for index, reading in enumerate(readings) if reading.value is None}.difference(unlevel)
    beside = [pair for pair in pairs if unread.intersection(pair)]
    if not beside:
        return set()
    taken = as_likely(readings)
    seen = all_evidence(image, geometry, taken)
    told = on_others(geometry, taken, seen, beside, set(unlevel), level)
    plain = {index for index, lie in told.items() if lie == "cocked"}
    for one, other in beside:
        if between(seen, one, other) > FILLED[1]:
            plain |= {index for index, there in ((one, other), (other, one)) if there in level}
        plain |= {
            index
            for index, there in ((one, other), (other, one))
            if _has_no_room(geometry, readings, seen, index, there)
        }
    return unread & plain


def _unread_standing(
    image: Image,
    geometry: TrayGeometry,
    readings: Sequence[Reading],
    pairs: Sequence[tuple[int, int]],
    unlevel: Collection[int],
) -> set[int]:
    """The dice not read surely that plainly stand on an edge at a wall, with no other beside them."""
    unread = {index for index, reading in enumerate(readings) if reading.value is None}
    alone = unread.difference(unlevel, chain.from_iterable(pairs))
    if not alone:
        return set()
    taken = as_likely(readings)
    seen = all_evidence(image, geometry, taken)
    plain = ((index, evidence) for index in alone if (evidence := seen[index]) is not None and evidence.plain > STANDS)
    return {i for i, evidence in plain if _on_wall(geometry, taken[i], evidence, alone=True, all_seen=True) == "cocked"}


def _has_no_room(
    geometry: TrayGeometry, readings: Sequence[Reading], seen: Sequence[Evidence | None], index: int, there: int
) -> bool:
    """Whether a die is too near another, read surely, for both to lie flat, and more shows of it than of a flat one."""
    evidence, (x, y) = seen[index], readings[there].centre
    near = math.dist(readings[index].centre, (x, y)) < TIGHT * geometry.face_px(x, y)
    return near and readings[there].value is not None and evidence is not None and evidence.plain > PEEPS[1]


def hides_another(image: Image, geometry: TrayGeometry, readings: Sequence[Reading]) -> list[bool]:
    """Whether more shows where each of the dice lies than a flat one, of those too that were not read surely: what
    else is it where a die is missing."""
    taken = as_likely(readings)
    return [seen is not None and seen.beyond > HIDES for seen in all_evidence(image, geometry, taken)]


def as_likely(readings: Sequence[Reading]) -> list[Reading]:
    """The readings, those not sure as if they showed what they likely do."""
    return [replace(reading, value=reading.likely) for reading in readings]


def _on_wall(geometry: TrayGeometry, reading: Reading, seen: Evidence, alone: bool, all_seen: bool) -> Lie:
    """Whether a die leans on a wall. What shifts the outline of one that lies `alone`, in whatever direction, is no
    other die that is seen, and none at all where `all_seen` are."""
    far = math.hypot(*seen.shift)
    hidden = alone and not all_seen and far > ALONE_CUES[0]
    if geometry.inside(*reading.centre) >= AT_WALL:
        return "doubtful" if hidden else "flat"
    walls = walls_about(geometry, reading, seen.angle, seen.shift)
    into_corner = far > AT_WALL_CUE and any(wall.shift >= TOWARDS * far for wall in walls)
    if into_corner or any(wall.shift > AT_WALL_CUE for wall in walls) or (alone and far > ALONE_CUES[1]):
        return "cocked"
    if hidden or any(wall.shift > _doubted_from(geometry, wall) for wall in walls):
        return "doubtful"
    return "doubtful" if _looks_narrow(geometry, walls, NARROW) else "flat"


def _with_sides_unseen(geometry: TrayGeometry, reading: Reading, seen: Evidence, lie: Lie, all_seen: bool) -> Lie:
    """How a die lies whose sides may be where they are not seen, as they may have the ground's colour: it seems to lean
    on the wall where none show, and one that does to lie flat where those do not that it turns to it."""
    assert seen.unseen is not None
    if geometry.inside(*reading.centre) >= AT_WALL:
        return lie
    if lie == "flat":
        return _untold(geometry, reading, beside=False)
    otherwise = _on_wall(geometry, reading, replace(seen, shift=seen.unseen), alone=False, all_seen=all_seen)
    return "cocked" if lie == otherwise == "cocked" else "doubtful"


def _untold(geometry: TrayGeometry, reading: Reading, beside: bool) -> Lie:
    """How a die lies whose outline does not tell, with another `beside` it or none."""
    if geometry.inside(*reading.centre) >= AT_WALL:
        return "untold" if beside else "flat"
    walls = walls_about(geometry, reading, reading.angle)
    return "doubtful" if _looks_narrow(geometry, walls, NARROW_UNTOLD) else "untold"


def _looks_narrow(geometry: TrayGeometry, walls: Sequence[Wall], bounds: tuple[float, float]) -> bool:
    """Whether a die's top looks as narrow towards a wall as one that leans on it, with room for that; only a camera
    that was measured can tell."""
    room, narrow = bounds
    return geometry.lens is not None and any(wall.room >= room and wall.breadth < narrow for wall in walls)


def _doubted_from(geometry: TrayGeometry, wall: Wall) -> float:
    """Faces of shift from which a die may lean on a wall: with no room to it, it has not leant over, and with much it
    leans far. Only a camera that was measured tells the room."""
    least, share = AT_WALL_DOUBT
    if geometry.lens is None:
        return least
    return AT_WALL_CUE if wall.room < 0 else min(max(least, share * wall.room), AT_WALL_CUE)


def _overlap(geometry: TrayGeometry, one: Reading, other: Reading) -> float:
    """Area, in faces squared, that the top faces of two dice would have in common if both lay flat."""
    mine, its = (flat_outline(geometry, reading).top.astype(np.float32) for reading in (one, other))
    return float(cv2.intersectConvexConvex(mine, its)[0]) / geometry.face_px(*one.centre) ** 2


def _by_area(seen: Evidence) -> Lie | None:
    """How a die lies, where more than a flat one is seen of it; None where it is not."""
    doubt, plain = PEEPS
    return "stacked" if seen.plain > plain else "doubtful" if seen.beyond > doubt else None


def _by_itself(
    geometry: TrayGeometry, reading: Reading, seen: Evidence, by_area: Lie | None, all_read: bool
) -> Lie | None:
    """How a die lies `by_area` by which is no other, where none is missing: what seems to be one below, at a wall, is
    its own side; where `all_read` surely are dice, a little that is not plain, as of the light that a clear one casts,
    tells nothing, but at a wall where its outline does not tell either."""
    doubt, plain = PEEPS
    if by_area == "stacked":
        return _as_own_side(geometry, reading)
    at_wall = geometry.inside(*reading.centre) < AT_WALL
    told = seen.unseen is None or not at_wall
    little = all_read and told and seen.plain <= doubt and seen.beyond <= plain
    return None if little else by_area


def _as_own_side(geometry: TrayGeometry, reading: Reading) -> Lie:
    """How a die lies of which more is seen than of a flat one, though none lies below it."""
    return "cocked" if geometry.inside(*reading.centre) < AT_WALL else "doubtful"


def _lies_on_none(geometry: TrayGeometry, readings: Sequence[Reading], index: int, seen: Evidence) -> bool:
    """Whether none of the others can lie below a die: floor is seen between it and each, and none is near enough."""
    reading = readings[index]
    near = ON_TOP * geometry.face_px(*reading.centre)
    others = (other for number, other in enumerate(readings) if number != index)
    return not reach_over(seen) and all(math.dist(reading.centre, other.centre) > near for other in others)
