"""Reading a whole photograph: which dice lie there and what each of them shows."""

import math
import statistics
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.errors import PictureError
from vision.locate import Image, Located, locate
from vision.network import Networks, Thresholds
from vision.read import DOUBTED, DOWN, FEW, Reading, as_unsure, read_die
from vision.scale import STEP, find_die_px

DIE_PX = (6.0, 4000.0)
"""Die sizes that a photograph can have; pips cannot be told apart below, and no camera reaches beyond."""
SIZE_SPREAD = 1.1
"""One die's face may differ from the photograph's by this factor: the locator's own sizes are noisy."""
SIZE_SEEN = 1 / 3
"""Weight of the size that the locator measured beside the one that was expected, for the same reason."""
APART = 0.95
"""Two flat faces of one size have their centres a whole edge apart; nearer than this, one of them is a side face."""
PROOFS = 2
"""So many other values prove the size that was searched for so well that a one need not be clear."""
PIPS_APART = 1.8
"""A pip is about as wide as the gap to the next: ones nearer than this may be the pips of one die read too small."""

FAINT = 0.3
"""Heat of the locator below which a one may be a dot on anything: right ones of photographs left out have .31."""


@dataclass(frozen=True, slots=True)
class PhotoDie:
    """One die of a photograph: its reading and how strongly the locator saw it."""

    reading: Reading
    heat: float


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """The dice of a photograph from top to bottom, and the face size that they were read at, px.

    `values` are the sorted values of the sure dice; the photograph is `sure` where it shows dice and all are sure.
    """

    dice: tuple[PhotoDie, ...]
    values: tuple[int, ...]
    sure: bool
    die_px: float | None


def read_photo(networks: Networks, bgr: Image, die_px: float | None = None) -> PhotoReading:
    """Read every die of a photograph (h, w, 3) BGR or (h, w) grey, uint8; without `die_px` its size is searched for.

    Raises PictureError where the picture has another form or the die size fits no picture.
    """
    if bgr.dtype != np.uint8 or bgr.ndim not in (2, 3) or (bgr.ndim == 3 and bgr.shape[2] != 3) or bgr.size == 0:
        raise PictureError(f"a uint8 BGR or grey picture is needed, not {bgr.dtype} of shape {bgr.shape}")
    grey = bgr if bgr.ndim == 2 else np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    searched = die_px is None
    if die_px is None:
        die_px = find_die_px(networks, [grey])
    if die_px is None or die_px > max(grey.shape):
        return PhotoReading((), (), False, die_px)
    things = locate(networks, grey, die_px)
    dice = [PhotoDie(read_die(networks, [bgr], t.x, t.y, size, DOWN), t.heat) for t, size in _sized(things, die_px)]
    dice = [_doubt_faint(networks, die) for die in dice if _is_die(die, networks.thresholds)]
    dice = _without_doubles(networks, dice, die_px)
    if searched:
        dice = _without_pips(networks, dice, die_px)
        dice = _without_lone_doubt(networks, bgr, dice, die_px)
    dice.sort(key=lambda die: (die.reading.centre[1], die.reading.centre[0]))
    values = tuple(sorted(d.reading.value for d in dice if d.reading.value is not None))
    return PhotoReading(tuple(dice), values, bool(dice) and len(values) == len(dice), die_px)


def _sized(things: list[Located], die_px: float) -> list[tuple[Located, float]]:
    """Each thing with the face size to read it at: between what was expected and what the locator measured."""
    if not things:
        return []
    usual = statistics.median(t.size for t in things) ** SIZE_SEEN * die_px ** (1 - SIZE_SEEN)
    return [(t, min(max(t.size, usual / SIZE_SPREAD), usual * SIZE_SPREAD)) for t in things]


def _is_die(die: PhotoDie, limits: Thresholds) -> bool:
    """Specks, screws and empty cloth: weak in the locator, and no face for the reader."""
    return die.heat >= limits.solid or die.reading.blank < limits.blank


def _doubt_faint(networks: Networks, die: PhotoDie) -> PhotoDie:
    """A one that the locator hardly takes for a die is not sure: a sign on a key is a dot, too."""
    faint = die.reading.value == 1 and die.heat < FAINT
    return replace(die, reading=as_unsure(networks, die.reading)) if faint else die


def _without_doubles(networks: Networks, dice: list[PhotoDie], die_px: float) -> list[PhotoDie]:
    """Of two dice nearer than flat dice can lie, neither is sure: nobody can tell which is the side face.

    Not even where the other one is doubted, if that would be sure else.
    """
    read = [die for die in dice if die.reading.score >= DOUBTED * networks.thresholds.sure]

    def is_double(die: PhotoDie) -> bool:
        others = (other for other in read if other is not die)
        return die.reading.value is not None and any(_gap(die, other) < APART * die_px for other in others)

    return [replace(die, reading=as_unsure(networks, die.reading)) if is_double(die) else die for die in dice]


def _without_pips(networks: Networks, dice: list[PhotoDie], die_px: float) -> list[PhotoDie]:
    """Where the size was searched for, a one may be a pip of a larger die, or any dot at a size that no die has.

    It must be away from others and clear, or score well where several other values prove the size, and unless nothing
    else was seen, another value must prove the size.
    """
    proofs = sum(die.reading.value not in (None, 1) for die in dice)
    proven = len(dice) == 1 or proofs
    least = FEW * networks.thresholds.sure if proofs >= PROOFS else networks.thresholds.clear

    def may_be_pip(die: PhotoDie) -> bool:
        crowd = (o for o in dice if o is not die and o.reading.likely == 1)
        weak = die.reading.score < least
        return die.reading.value == 1 and (not proven or weak or any(_gap(die, o) < PIPS_APART * die_px for o in crowd))

    return [replace(die, reading=as_unsure(networks, die.reading)) if may_be_pip(die) else die for die in dice]


def _without_lone_doubt(networks: Networks, picture: Image, dice: list[PhotoDie], die_px: float) -> list[PhotoDie]:
    """Where the size was searched for and one die alone is sure, it must be so well, and at the next larger sizes, too.

    Nothing else proves the size then: dice may be the pips of a die that is read much too large, and one that is read
    much too small has its outer pips cut off.
    """
    sure = [die for die in dice if die.reading.value is not None]
    if len(sure) != 1:
        return dice
    lone = sure[0].reading
    larger = [read_die(networks, [picture], *lone.centre, die_px * STEP**steps) for steps in (1, 2)]
    least = networks.thresholds.dissent * lone.score
    well = lone.score >= FEW * networks.thresholds.sure
    if well and all(other.likely == lone.likely or other.score < least for other in larger):
        return dice
    return [replace(die, reading=as_unsure(networks, die.reading)) if die is sure[0] else die for die in dice]


def _gap(one: PhotoDie, other: PhotoDie) -> float:
    """Distance of the centres, px."""
    return math.dist(one.reading.centre, other.reading.centre)
