"""Telling dice that lean, or lie on others, from flat ones; those that lean explain what is seen beside them."""

import math
from collections.abc import Sequence
from itertools import chain, permutations

import cv2
import numpy as np

from vision.by_chance import ByChance
from vision.by_outline import PEEPS, ByOutline
from vision.evidence import Evidence
from vision.leaner import Chances
from vision.outline import flat_outline
from vision.pairs import FILLED, reach_over
from vision.together import Lie, Together

TIGHT = 0.9
"""Faces between the middles of two dice below which both cannot lie flat; chosen, as the middle of one that leans is
not found exactly: one met was .8 away."""
HIDES = 0.025
"""Area, in faces squared, of die beyond the outline from which another lies below where one is missing."""
OVERLAP = 0.15
"""Area, in faces squared, that two flat dice's top faces cannot have in common: one of them is a side face."""


def lies(dice: Together, chances: Chances | None = None) -> list[Lie]:
    """How each of the dice lies that were read surely; of the others `cocked` is said where they plainly lean on
    another or, alone at a wall with all dice seen, on that, else `flat`. `chances`: that they lean on what is beside
    them; without, their outlines alone tell it.

    Dice known to be unlevel explain what is seen beside them, and so does one of two that plainly leans on the other;
    of one known to be level nothing that is seen beside it says that it leans.
    Where all of a game are seen, none lies on one that is not, nor leans on it: alone at a wall it leans on that, and
    alone elsewhere it lies flat.
    """
    telling, indices = _telling(dice, chances), range(len(dice.readings))
    unread = _unread_leaning(dice, chances) | _unread_standing(dice, chances)
    found: list[Lie] = ["flat" if index in dice.level else telling.on_wall(index) for index in indices]
    on_others = telling.on_others(dice.pairs, {*dice.unlevel, *unread, *_cocked(found)})
    for index, lie in on_others.items():
        found[index] = lie
    crowded = _crowded(dice)
    for index in crowded.difference(dice.level):
        found[index] = "doubtful"
    leaning = {*dice.unlevel, *unread, *_cocked(found)}
    for index in {*indices}.difference(on_others, crowded, leaning):
        if index not in dice.level or not dice.beside(index):
            found[index] = telling.below(index, _is_explained(dice, index, leaning)) or found[index]
    said: dict[int, Lie] = {index: "cocked" if index in unread else "flat" for index in dice.unread}
    return [said.get(index, lie) for index, lie in enumerate(found)]


def hides_another(dice: Together) -> list[bool]:
    """Whether more shows where each of the dice lies than a flat one, of those too that were not read surely: what
    else is it where a die is missing."""
    return [seen is not None and seen.beyond > HIDES for seen in dice.as_likely().seen]


def _telling(dice: Together, chances: Chances | None) -> ByChance | ByOutline:
    """What tells how dice lie."""
    return ByOutline(dice) if chances is None else ByChance(dice, chances)


def _unread_leaning(dice: Together, chances: Chances | None) -> set[int]:
    """The dice not read surely that plainly lean on another, by what they likely show; beside one known to lie flat it
    is enough that no floor is seen between them."""
    unread = dice.unread.difference(dice.unlevel)
    beside = [pair for pair in dice.pairs if unread.intersection(pair)]
    if not beside:
        return set()
    likely = dice.as_likely()
    told = _telling(likely, chances).on_others(beside, {*dice.unlevel})
    plain = {index for index, lie in told.items() if lie == "cocked"}
    for index, there in chain.from_iterable(permutations(pair) for pair in beside):
        filled = there in dice.level and likely.between(index, there) > FILLED[1]
        plain |= {index} if filled or _has_no_room(dice, index, there, likely.seen[index]) else set()
    return unread & plain


def _unread_standing(dice: Together, chances: Chances | None) -> set[int]:
    """The dice not read surely that plainly stand on an edge at a wall, with no other beside them, where all dice are
    seen."""
    if not dice.all_seen:
        return set()
    alone = (index for index in dice.unread.difference(dice.unlevel) if not dice.beside(index))
    telling = _telling(dice.as_likely(), chances)
    return {index for index in alone if telling.stands(index)}


def _has_no_room(dice: Together, index: int, there: int, seen: Evidence | None) -> bool:
    """Whether a die is too near another, read surely, for both to lie flat, and more shows of it than of a flat one."""
    (x, y), read = dice.readings[there].centre, dice.readings[there].value is not None
    near = math.dist(dice.readings[index].centre, (x, y)) < TIGHT * dice.geometry.face_px(x, y)
    return near and read and seen is not None and seen.plain > PEEPS[1]


def _crowded(dice: Together) -> set[int]:
    """The dice of which two cannot both lie flat where they lie."""
    return {*chain.from_iterable(pair for pair in dice.pairs if _overlap(dice, *pair) > OVERLAP)}


def _overlap(dice: Together, one: int, other: int) -> float:
    """Area, in faces squared, that the top faces of two dice would have in common if both lay flat."""
    readings = dice.readings[one], dice.readings[other]
    mine, its = (flat_outline(dice.geometry, reading).top.astype(np.float32) for reading in readings)
    return float(cv2.intersectConvexConvex(mine, its)[0]) / dice.geometry.face_px(*readings[0].centre) ** 2


def _is_explained(dice: Together, index: int, leaning: set[int]) -> bool:
    """Whether dice that lean are beside one or reach over to it: what is seen about it is theirs."""
    seen = dice.seen[index]
    return seen is not None and not dice.beside(index).union(reach_over(seen)).isdisjoint(leaning)


def _cocked(found: Sequence[Lie]) -> set[int]:
    return {index for index, lie in enumerate(found) if lie == "cocked"}
