"""The size of a die's face where nobody has measured it: the size at which most dice can be read."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.locate import SMALLEST_DIE_PX, Image, Located, locate
from vision.look import Spot, look_where_likely
from vision.network import Networks

SMALLEST, LARGEST = 0.025, 0.8
"""Faces looked for, as shares of the picture's short side: from 5 dice on a table to one die that fills the picture."""
STEP = 1.28
"""Factor from one candidate to the next: the reader bears 15 % either way."""
SHORT_SIDE = 900
"""Larger pictures are shrunk to this before the search, which bounds its work; the smallest face is then 22 px."""
SMALLEST_FACE_PX = 9.0
"""Below this no pips can be told apart."""
AGREE = 1.5
"""A located thing belongs to a candidate size where its own size is within this factor of it."""
MOST_THINGS = 40
"""Strongest things read for one candidate and picture."""
PIP_STEPS = 3
"""Steps between a size and the next at which it could be that of a pip: a pip is less than half a face."""
ONE_COUNTS = 0.3
"""Weight of a one: at a third of the right size every pip looks like one, and one die has up to six."""


@dataclass(frozen=True, slots=True)
class _Sighting:
    """A thing read as a die of about a candidate size: its place and own size, px, its value, and its proof, 0 to 1."""

    x: float
    y: float
    size: float
    value: int
    proof: float


def find_die_px(networks: Networks, greys: Sequence[Image]) -> float | None:
    """Edge of a die's face in px of the pictures given (h, w), all of one size; None where no die is read at any size.

    What is read surely proves a size, the more the better it is located; that is summed for sizes in steps of 28 %,
    without the pips that look like small dice showing ones. The answer is the mean of what the dice of the best size
    and of its two neighbours were measured to be: each die weighs what it proves, times the sum of its size.
    """
    if not greys:
        return None
    shrink = max(1.0, float(min(greys[0].shape)) / SHORT_SIDE)
    sizes = candidates(min(greys[0].shape) / shrink)
    dice: list[list[_Sighting]] = [[] for _ in sizes]
    for grey in greys:
        small = _shrunk(grey, shrink)
        seen = [_sightings(networks, small, size) for size in sizes]
        for step, sightings in enumerate(seen):
            larger = list(itertools.chain.from_iterable(seen[step + PIP_STEPS :]))
            dice[step] += [s for s in sightings if not _is_pip(s, larger)]
    if not any(dice):
        return None
    return shrink * _measured(dice)


def candidates(short_side: float) -> list[float]:
    """Face sizes worth trying in a picture whose short side is given, px, rising."""
    smallest = max(SMALLEST_FACE_PX, SMALLEST_DIE_PX, SMALLEST * short_side)
    rising = (smallest * STEP**step for step in itertools.count())
    return list(itertools.takewhile(lambda size: size <= LARGEST * short_side, rising))


def _shrunk(grey: Image, factor: float) -> Image:
    if factor == 1:
        return grey
    size = (round(grey.shape[1] / factor), round(grey.shape[0] / factor))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _sightings(networks: Networks, grey: Image, size: float) -> list[_Sighting]:
    """Things that look, measure and read like dice of `size`."""
    things = [t for t in locate(networks, grey, size) if abs(math.log(t.size / size)) < math.log(AGREE)]
    things = things[:MOST_THINGS]
    looks = look_where_likely(networks, [_spot(grey, thing, size) for thing in things], networks.thresholds.sure)
    sightings = []
    for thing, seen in zip(things, looks, strict=True):
        if seen is None:
            continue
        best = int(seen.scores.argmax())
        if seen.scores[best] >= networks.thresholds.sure and seen.blank < networks.thresholds.blank:
            proof = float(seen.scores[best]) * thing.heat * (1 - seen.blank) ** 2
            sightings.append(_Sighting(thing.x, thing.y, thing.size, best + 1, proof))
    return sightings


def _weight(sighting: _Sighting) -> float:
    return sighting.proof * (ONE_COUNTS if sighting.value == 1 else 1.0)


def _is_pip(sighting: _Sighting, larger: Sequence[_Sighting]) -> bool:
    """A one on the face of a die that is read about as well at a much larger size is one of its pips.

    Two dice showing ones may look like the two pips of a huge die, but poorly.
    """
    on_face = (d for d in larger if math.hypot(sighting.x - d.x, sighting.y - d.y) < 0.6 * d.size)
    return sighting.value == 1 and any(die.proof >= 0.5 * sighting.proof for die in on_face)


def _spot(grey: Image, thing: Located, size: float) -> Spot:
    """The thing within a patch of the picture, so that blurring costs no more than it must."""
    reach = int(1.2 * size) + 4
    left, top = max(0, int(thing.x) - reach), max(0, int(thing.y) - reach)
    patch = grey[top : int(thing.y) + reach, left : int(thing.x) + reach]
    return Spot(patch, thing.x - left, thing.y - top, size)


def _measured(dice: Sequence[Sequence[_Sighting]]) -> float:
    """Geometric mean of the dice of the best candidate size and its neighbours, weighed as `find_die_px` says."""
    sums = [math.fsum(map(_weight, of_size)) for of_size in dice]
    best = max(range(len(sums)), key=sums.__getitem__)
    near = range(max(0, best - 1), min(len(sums), best + 2))
    weighed = [(sums[i] * _weight(die), math.log(die.size)) for i in near for die in dice[i]]
    return math.exp(math.fsum(w * size for w, size in weighed) / math.fsum(w for w, _ in weighed))
