"""Where the pips of dice at rest lie in the picture, and from pip to opposite pip to a fraction of a pixel."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.recording import Seen
from calibration.sides import Image, Lying
from vision.channel import Channel, channels_of
from vision.look import Look
from vision.network import Networks
from vision.opinion import view_of

Points = npt.NDArray[np.float64]

CORE, INSIDE, AROUND = 0.06, 0.16, (0.125, 0.19)
"""Faces from a pip's middle that are surely paint, within which all of its paint is, and where the body is seen."""
PLAIN = 12.0
"""Levels of contrast from which a pip's middle is told to a fraction of a pixel."""
STEPS, STRAYS = 4, 0.1
"""Steps in which the middle is found, and faces from where it was read at which something else was."""


@dataclass(frozen=True, slots=True)
class Diagonals:
    """value: of a die. px: (k, 2, 2) ends of its diagonals from pip to opposite pip; a two or three has one of them."""

    value: int
    px: Points


def pips_read(networks: Networks, at: Lying, value: int) -> Points:
    """(value, 2) places of a die's pips in the picture, in faces from its middle: as grey shows them where it is clear,
    as it is for the reader, else as the channel does that shows the value best."""
    which = value - 1
    grey, *others = channels_of(at.picture)
    seen = _look(networks, at, grey)
    if seen.scores[which] < networks.thresholds.clear:
        looks = [seen, *(_look(networks, at, channel) for channel in others)]
        seen = max(looks, key=lambda each: float(each.scores[which]))
    return np.array([(pip.x, pip.y) for pip in seen.pips.of(value)], np.float64).reshape(-1, 2)


def middles(networks: Networks, at: Lying, value: int) -> Points | None:
    """(value, 2) the middles of a die's pips, px, to a fraction of one; None where one of them is not plain."""
    read = pips_read(networks, at, value) * at.face_px + (at.x, at.y)
    found = [_middle(at.picture, place, at.face_px) for place in read]
    known = [middle for middle in found if middle is not None]
    return np.array(known) if len(known) == value else None


def diagonals(networks: Networks, dice: Sequence[Seen]) -> tuple[Diagonals, ...]:
    """Those of the dice that show two pips or more, all of them plain."""
    found = []
    for die in dice:
        pips = middles(networks, die.lying, die.value) if die.value is not None and die.value > 1 else None
        if pips is not None:
            found.append(Diagonals(len(pips), diagonals_of(pips)))
    return tuple(found)


def turn(ends: Points) -> float:
    """Radians, 0 to a quarter turn, by which a face is turned that has these diagonals (k, 2, 2): its axes halve the
    angles between them; where there is but one, it is a square's."""
    ways = [math.atan2(*(end - start)[::-1]) for start, end in ends]
    return (ways[0] + math.pi / 4 if len(ways) == 1 else sum(ways) / 2) % (math.pi / 2)


def _look(networks: Networks, at: Lying, channel: Channel) -> Look:
    return view_of(networks, [(at.picture, at.x, at.y)], channel, at.face_px).looks[0]


def diagonals_of(pips: Points) -> Points:
    """(k, 2, 2) the ends of the diagonals between the outermost of two pips or more (n, 2)."""
    away = np.linalg.norm(pips - pips.mean(0), axis=1)
    outer = pips[np.argsort(away)[-(2 if len(pips) < 4 else 4) :]]
    first = int(np.linalg.norm(outer - outer[0], axis=1).argmax())
    others = [k for k in range(1, len(outer)) if k != first]
    pairs = [[outer[0], outer[first]]] + ([[outer[k] for k in others]] if others else [])
    return np.array(pairs)


def _middle(picture: Image, place: Points, face: float) -> Points | None:
    """The middle of a pip's paint, px, that was read about there; None where it is not plain."""
    reach, middle = math.ceil(INSIDE * face) + 2, place
    height, width = picture.shape[:2]
    for _ in range(STEPS):
        left, top = (round(float(v)) - reach for v in middle)
        if left < 0 or top < 0 or left + 2 * reach >= width or top + 2 * reach >= height:
            return None
        patch = picture[top : top + 2 * reach + 1, left : left + 2 * reach + 1].astype(np.float64)
        rows, columns = np.mgrid[top : top + 2 * reach + 1, left : left + 2 * reach + 1]
        far = np.hypot(columns - middle[0], rows - middle[1])
        body = np.median(patch[(far > AROUND[0] * face) & (far <= AROUND[1] * face)], axis=0)
        paint = patch[far < CORE * face + 0.7].mean(0) - body
        if np.linalg.norm(paint) < PLAIN:
            return None
        share = np.clip((patch - body) @ paint / (paint @ paint), 0, 1.2) * np.clip(INSIDE * face - far, 0, 1)
        middle = np.array([(share * columns).sum(), (share * rows).sum()]) / share.sum()
        if np.linalg.norm(middle - place) > STRAYS * face:
            return None
    return middle
