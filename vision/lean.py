"""Telling dice that lean, or lie on others, from flat ones: by the chances that the leaner sees, and by how they differ
from a flat die's outline, which is all that an unmeasured camera tells.

The bounds lie between flat dice and leaning and stacked ones of simulated pictures (`make eval-lean`). What is not
plain is doubtful; an outline says nothing of a die whose colour is near the floor's.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.evidence import Evidence, all_evidence
from vision.geometry import TrayGeometry
from vision.leaner import Chances, Doubt
from vision.outline import flat_outline
from vision.pairs import FILLED, between, neighbours, on_others, reach_over, side_by_side
from vision.read import Reading, as_likely
from vision.wall import AT_WALL, walls_about

Image = npt.NDArray[np.uint8]
Lie = Literal["flat", "cocked", "stacked", "doubtful", "untold"]
"""How a die lies: `doubtful` where it may lean, `untold` where its colour does not tell although it might lean."""

LEANS: Mapping[Doubt, Lie] = {"none": "flat", "some": "doubtful", "plain": "cocked"}
"""How a die lies by how doubtful it is that it does not lean."""
AT_WALL_CUE = 0.1
"""Faces by which the outline is shifted to the wall from where the die leans on it..."""
AT_WALL_DOUBT = 0.055
"""...and from where it is doubtful..."""
TOWARDS = 0.7
"""Share of a shift that goes to a wall from which it points there, be it into a corner."""
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
    chances: Chances | None = None,
    unlevel: Collection[int] = (),
    all_seen: bool = False,
    level: Collection[int] = (),
) -> list[Lie]:
    """How each of the dice lies that were read in a BGR picture (h, w, 3); of those not read surely `cocked` is said
    where they plainly lean on another or, alone at a wall with all dice seen, on that, else `flat`. `chances`: that
    they lean on what is beside them; without, their outlines alone tell it.

    Dice known to be `unlevel` explain what is seen beside them, and so does one of two that plainly leans on the other;
    of one known to be `level` nothing that is seen beside it says that it leans.
    Where `all_seen` of a game are there, none lies on one that is not, nor leans on it: alone at a wall it leans on
    that, and alone elsewhere it lies flat.
    """
    pairs, all_read = side_by_side(geometry, readings), all(reading.value is not None for reading in readings)
    unread = _unread_leaning(image, geometry, readings, chances, pairs, unlevel, level)
    unread |= _unread_standing(image, geometry, readings, chances, pairs, unlevel) if all_seen else set()
    unlevel = {*unlevel, *unread}
    seen = all_evidence(image, geometry, readings)
    found: list[Lie] = ["flat"] * len(readings)
    for index, evidence in enumerate(seen):
        if index in level:
            continue
        alone = not any(index in pair for pair in pairs)
        if chances is not None:
            doubt = chances.doubt(index, "wall")
            found[index] = _by_chance(geometry, readings[index], evidence, LEANS[doubt], alone, all_seen)
        elif evidence is not None:
            found[index] = _by_outline(geometry, readings[index], evidence, alone, all_seen)
    leaning = {*unlevel, *(index for index, lie in enumerate(found) if lie == "cocked")}
    told = _on_others(geometry, readings, seen, chances, pairs, leaning, level)
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
        explained = evidence is not None and not others.union(reach_over(evidence)).isdisjoint(leaning)
        if chances is not None and chances.know(index):
            found[index] = _below(chances.doubt(index, "below"), evidence, explained, all_seen) or found[index]
        elif evidence is None:
            found[index] = _untold(geometry, readings[index], beside=bool(others))
        elif not explained:
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


def _on_others(
    geometry: TrayGeometry,
    readings: Sequence[Reading],
    seen: Sequence[Evidence | None],
    chances: Chances | None,
    pairs: Sequence[tuple[int, int]],
    leaning: set[int],
    level: Collection[int],
) -> Mapping[int, Lie]:
    """How the dice of these pairs lie that may lean on each other. What plainly leans by the outlines alone is in doubt
    where chances say nothing of that pair."""
    by_outline = on_others(geometry, readings, seen, pairs, leaning, level)
    if chances is None:
        return by_outline
    found: dict[int, Lie] = {}
    for index, doubt in chances.on_others(pairs, leaning, level).items():
        found[index] = LEANS[doubt]
    for index, lie in by_outline.items():
        if lie == "cocked" and {index, *neighbours(pairs, index)}.isdisjoint(found):
            found[index] = "doubtful"
    return found


def _unread_leaning(
    image: Image,
    geometry: TrayGeometry,
    readings: Sequence[Reading],
    chances: Chances | None,
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
    told = _on_others(geometry, taken, seen, chances, beside, set(unlevel), level)
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
    chances: Chances | None,
    pairs: Sequence[tuple[int, int]],
    unlevel: Collection[int],
) -> set[int]:
    """The dice not read surely that plainly stand on an edge at a wall, with no other beside them."""
    unread = {index for index, reading in enumerate(readings) if reading.value is None}
    alone = unread.difference(unlevel, chain.from_iterable(pairs))
    if chances is not None:
        return {index for index in alone if chances.doubt(index, "wall") == "plain"}
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


def _by_chance(
    geometry: TrayGeometry, reading: Reading, seen: Evidence | None, lie: Lie, alone: bool, all_seen: bool
) -> Lie:
    """Whether a die leans on a wall on which it seems to `lie` so: one whose outline is far from a flat one's leans, as
    it may stand on an edge along the wall, or is in doubt all the same; and so is one that lies `alone` where a die is
    missing, and seems shifted in any direction."""
    if seen is None:
        return lie
    at_wall, far = _is_at_wall(geometry, reading), math.hypot(*seen.shift)
    if at_wall and alone and far > ALONE_CUES[1]:
        return "cocked"
    walls = walls_about(geometry, reading, seen.angle, seen.shift) if at_wall else []
    shifted = any(wall.shift > AT_WALL_CUE for wall in walls)
    hidden = alone and not all_seen and far > ALONE_CUES[0]
    return "doubtful" if lie == "flat" and (shifted or hidden) else lie


def _by_outline(geometry: TrayGeometry, reading: Reading, seen: Evidence, alone: bool, all_seen: bool) -> Lie:
    """Whether a die leans on a wall, by its outline."""
    lie = _on_wall(geometry, reading, seen, alone, all_seen)
    unseen = seen.unseen is not None and math.dist(seen.shift, seen.unseen) > UNSEEN
    return _with_sides_unseen(geometry, reading, seen, lie, all_seen) if unseen else lie


def _is_at_wall(geometry: TrayGeometry, reading: Reading) -> bool:
    """Whether a die lies so near to the wall that it may lean on it."""
    return geometry.inside(*reading.centre) < AT_WALL


def _on_wall(geometry: TrayGeometry, reading: Reading, seen: Evidence, alone: bool, all_seen: bool) -> Lie:
    """Whether a die leans on a wall. What shifts the outline of one that lies `alone`, in whatever direction, is no
    other die that is seen, and none at all where `all_seen` are."""
    far = math.hypot(*seen.shift)
    hidden = alone and not all_seen and far > ALONE_CUES[0]
    if not _is_at_wall(geometry, reading):
        return "doubtful" if hidden else "flat"
    walls = walls_about(geometry, reading, seen.angle, seen.shift)
    into_corner = far > AT_WALL_CUE and any(wall.shift >= TOWARDS * far for wall in walls)
    if into_corner or any(wall.shift > AT_WALL_CUE for wall in walls) or (alone and far > ALONE_CUES[1]):
        return "cocked"
    return "doubtful" if hidden or any(wall.shift > AT_WALL_DOUBT for wall in walls) else "flat"


def _with_sides_unseen(geometry: TrayGeometry, reading: Reading, seen: Evidence, lie: Lie, all_seen: bool) -> Lie:
    """How a die lies whose sides may be where they are not seen, as they may have the ground's colour: it seems to lean
    on the wall where none show, and one that does to lie flat where those do not that it turns to it."""
    assert seen.unseen is not None
    if not _is_at_wall(geometry, reading):
        return lie
    if lie == "flat":
        return _untold(geometry, reading, beside=False)
    otherwise = _on_wall(geometry, reading, replace(seen, shift=seen.unseen), alone=False, all_seen=all_seen)
    return "cocked" if lie == otherwise == "cocked" else "doubtful"


def _untold(geometry: TrayGeometry, reading: Reading, beside: bool) -> Lie:
    """How a die lies whose outline does not tell, with another `beside` it or none."""
    return "untold" if beside or _is_at_wall(geometry, reading) else "flat"


def _overlap(geometry: TrayGeometry, one: Reading, other: Reading) -> float:
    """Area, in faces squared, that the top faces of two dice would have in common if both lay flat."""
    mine, its = (flat_outline(geometry, reading).top.astype(np.float32) for reading in (one, other))
    return float(cv2.intersectConvexConvex(mine, its)[0]) / geometry.face_px(*one.centre) ** 2


def _below(doubt: Doubt, seen: Evidence | None, explained: bool, all_seen: bool) -> Lie | None:
    """How a die lies that may lie on one which hardly shows, where not `all_seen` are; None where it does not. One of
    which much more shows than of a flat one is in doubt, unless others that lean have `explained` that."""
    if doubt == "plain" and not all_seen:
        return "stacked"
    much = seen is not None and seen.plain > PEEPS[1] and not explained
    return "doubtful" if much or (doubt == "some" and not all_seen) else None


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
    told = seen.unseen is None or not _is_at_wall(geometry, reading)
    little = all_read and told and seen.plain <= doubt and seen.beyond <= plain
    return None if little else by_area


def _as_own_side(geometry: TrayGeometry, reading: Reading) -> Lie:
    """How a die lies of which more is seen than of a flat one, though none lies below it."""
    return "cocked" if _is_at_wall(geometry, reading) else "doubtful"


def _lies_on_none(geometry: TrayGeometry, readings: Sequence[Reading], index: int, seen: Evidence) -> bool:
    """Whether none of the others can lie below a die: floor is seen between it and each, and none is near enough."""
    reading = readings[index]
    near = ON_TOP * geometry.face_px(*reading.centre)
    others = (other for number, other in enumerate(readings) if number != index)
    return not reach_over(seen) and all(math.dist(reading.centre, other.centre) > near for other in others)
