"""The set of dice that was shown: how many, their colours, where their pips lie, and how often readings are unsure."""

import math
from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.facts import Colour, DiceSet, PipPlace
from calibration.pips import pips_read
from calibration.recording import Seen
from vision.network import Networks

Points = npt.NDArray[np.float64]

UNLIKE = 14.0
"""Distance of two colours (Lab, lightness a third) from which they are those of different dice."""
BODY, PIP = 0.42, 0.05
"""Faces about the middle of a face in which its body's colour is seen, and about a pip's in which that one's is."""
MOST_COLOURS = 8
QUARTER = np.array([[0, 1], [-1, 0]], np.float64)


def registered(networks: Networks, dice: Sequence[Seen], count: int) -> DiceSet:
    """The set that these dice, seen at rest, are of; `count` lay there at once."""
    unsure = float(np.mean([die.value is None for die in dice]))
    read = [(die, pips_read(networks, die.lying, die.value)) for die in dice if die.value is not None]
    return DiceSet(
        count=count,
        colours=_unlike([_colour(die, 0.0, 0.0, BODY) for die, _ in read]),
        unsure=round(unsure, 4),
        readings=len(dice),
        pip_colours=_unlike([_pip_colour(die, pips) for die, pips in read]),
        pips=_layout([_upright(pips, die.lying.angle) for die, pips in read]),
    )


def _upright(pips: Points, angle: float) -> Points:
    """The pips of a face turned back by its angle, degrees, about their middle: those of a two or three fall from the
    upper left to the lower right, and the rows of a six stand."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    places = (pips - pips.mean(0)) @ np.array([[cos, -sin], [sin, cos]])
    rises = len(pips) in (2, 3) and float((places[:, 0] * places[:, 1]).sum()) < 0
    lies = len(pips) == 6 and np.std(places[:, 1]) > np.std(places[:, 0])
    return np.asarray(places @ QUARTER if rises or lies else places, np.float64)


def _layout(faces: Sequence[Points]) -> tuple[PipPlace, ...]:
    """Value, x and y of every pip of the values that were read, in the middle of what was seen of each."""
    found: list[PipPlace] = []
    for value in range(1, 7):
        alike = [face for face in faces if len(face) == value]
        if not alike:
            continue
        nearest = [np.linalg.norm(face[None] - alike[0][:, None], axis=2).argmin(1) for face in alike]
        paired = [face[k] for face, k in zip(alike, nearest, strict=True) if len(set(k.tolist())) == value]
        usual = np.median(paired, axis=0).round(3) + 0.0
        found += sorted((float(value), float(x), float(y)) for x, y in usual)
    return tuple(found)


def _pip_colour(die: Seen, pips: Points) -> Colour | None:
    """The median colour of its pips' middles."""
    known = [colour for x, y in pips if (colour := _colour(die, float(x), float(y), PIP)) is not None]
    if not known:
        return None
    a, b, c = np.median(np.array(known), axis=0).tolist()
    return a, b, c


def _colour(die: Seen, right: float, down: float, faces: float) -> Colour | None:
    """The median colour about a place, in faces from its middle; None outside the picture."""
    at, reach = die.lying, max(1, round(faces * die.lying.face_px))
    x, y = round(at.x + right * at.face_px), round(at.y + down * at.face_px)
    patch = at.picture[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]
    if patch.size == 0:
        return None
    a, b, c = np.median(cv2.cvtColor(patch, cv2.COLOR_BGR2LAB).reshape(-1, 3), axis=0).tolist()
    return a, b, c


def _unlike(colours: Sequence[Colour | None]) -> tuple[Colour, ...]:
    """One colour for each that differs plainly from those before, in their order."""
    found: list[Colour] = []
    for colour in colours:
        if colour is not None and all(_apart(colour, other) > UNLIKE for other in found):
            found.append(colour)
    return tuple(found[:MOST_COLOURS])


def _apart(one: Colour, other: Colour) -> float:
    return math.hypot((one[0] - other[0]) / 3, one[1] - other[1], one[2] - other[2])


def lain_together(seen: Sequence[Seen]) -> tuple[tuple[int, ...], ...]:
    """The sorted values of the dice that lay together, sure ones only."""
    return tuple(tuple(sorted(die.value for die in lot if die.value is not None)) for lot in lots_of(seen))


def lots_of(seen: Sequence[Seen]) -> list[list[Seen]]:
    """The dice that lay together before any was taken up; they may have been laid down one by one."""
    lots: list[set[int]] = []
    for t in sorted({die.t for die in seen}):
        lot = {k for k, die in enumerate(seen) if die.t <= t <= die.until}
        if lots and lots[-1] <= lot:
            lots.pop()
        lots.append(lot)
    return [[seen[k] for k in sorted(lot)] for lot in lots]


def unread(lots: Sequence[tuple[int, ...]], expect: Sequence[int]) -> tuple[int, ...]:
    """The values expected that were not surely read together with the others, in the lot that lacks fewest."""
    lacking = [Counter(expect) - Counter(lot) for lot in lots] or [Counter(expect)]
    return tuple(sorted(min(lacking, key=Counter.total).elements()))


def unexpected(lots: Sequence[tuple[int, ...]], expect: Sequence[int]) -> tuple[int, ...]:
    """The values surely read in the first lot beyond those expected; none where nothing was."""
    return tuple(sorted((Counter(lots[0]) - Counter(expect)).elements())) if lots and expect else ()


def usual_count(throws: Sequence[tuple[int, ...]]) -> int:
    """The largest number of dice that were read at one rest."""
    return max(map(len, throws), default=0)
