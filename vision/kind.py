"""What kind of die it is, by the colour of its body: tells a die that was never seen in the match before.

The colour is the median over the top face, which pips cover less than half of, in CIE Lab. Lamps and shadows change
the lightness of a die from place to place more than its hue. Between rests of one film the dice of a set stay within
16 units of each other in a and b and within 12 in lightness (simulated films, seeds 1 to 9), so that only a die of
plainly another colour is told apart; one that looks alike is not, and neither is one of another size alone. Where a
lamp is mirrored in a face, the sheen lies over it like a white veil: such a face is paler, and lighter by as much. That
is so of one die that is learnt among others, too, which has its plain colour only later. One that is burnt out is only
paler: a picture shows it no lighter. Where the mirrored lamp itself hides most of the face, its rim shows the colour.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.read import Reading

Image = npt.NDArray[np.uint8]

REACH = 0.42
"""Half edge, in faces, of the square whose colour is taken."""
OTHER_HUE = 25.0
OTHER_LIGHTNESS = 35.0
"""Distances in Lab (a and b; L of 0 to 100) from every die seen before that make a die a stranger."""
SHEEN, SHEEN_HUE = 0.4, 17.0
"""Share of the way to white that a sheen may take a die, as in a filmed one, and the distance in a and b from the hue
that it then has, from which it is a stranger for all of that: drawn dice of six colours under veils of up to .45 are
within 14 of it, and a white die, in yellow light too, is off by 19 or more, in a trial that no command repeats. With
OTHER_HUE a white die passed for a yellow one with a sheen."""
BURNT = 250.0
"""Level of a face's brightest colour from which it may be brighter than a picture shows: chosen."""
ALIKE = 5.0
"""A die that differs less than this from one seen before teaches nothing new."""
EDGE_PX = 24
RIM_PX, RIM_SEEN = 2, 0.25
"""Pixels of that square's edge that are its rim, where no pip lies, and the share of these not burnt out from which
they tell its colour: both chosen."""
RIM_COLOUR, RIM_ASIDE = 0.5, 10.0
"""Share of a die's colour that its rim has at least where a lamp is mirrored beside it, and the distance in a and b by
which it is aside of that: both chosen, .58 and 1 where it was met, in a trial that no command repeats. It is no lighter
than the die."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The colour of a die's body in Lab: lightness 0 to 100, a and b; `burnt`: a colour of it is as bright as a picture
    can be."""

    lightness: float
    a: float
    b: float
    burnt: bool = False


def kind_of(image: Image, reading: Reading, gain: float = 1.0) -> Kind:
    """The kind of the die that was read in this picture, BGR (h, w, 3); `gain`: so much brighter it is exposed."""
    face = _face(image, reading)
    lightness, a, b = np.median(_lab(face, gain), axis=0).tolist()
    return Kind(lightness, a, b, burnt=float(np.median(face.max(axis=2))) >= BURNT)


def rim_of(image: Image, reading: Reading, gain: float = 1.0) -> Kind | None:
    """The kind of a die by the rim of its face; None where that is burnt out, or the face is not."""
    face = _face(image, reading)
    bright = face.max(axis=2) >= BURNT
    rim = np.ones_like(bright)
    rim[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX] = False
    if bright.mean() <= 0.5 or (~bright)[rim].mean() < RIM_SEEN:
        return None
    lightness, a, b = np.median(_lab(face[rim & ~bright][None], gain), axis=0).tolist()
    return Kind(lightness, a, b)


def _face(image: Image, reading: Reading) -> Image:
    """The middle of a die's top (EDGE_PX, EDGE_PX, 3), BGR."""
    x, y = reading.centre
    scale = EDGE_PX / (2 * REACH * reading.face_px)
    middle = (EDGE_PX - 1) / 2
    matrix = np.array([[scale, 0, middle - scale * x], [0, scale, middle - scale * y]])
    face = cv2.warpAffine(image, matrix, (EDGE_PX, EDGE_PX), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(face, np.uint8)


def _lab(face: Image, gain: float) -> npt.NDArray[np.float32]:
    """Its pixels (n, 3) in Lab, were it not exposed so much brighter."""
    levels = np.minimum(face / np.float32(255 * gain), np.float32(1))
    return np.asarray(cv2.cvtColor(levels, cv2.COLOR_BGR2LAB).reshape(-1, 3), np.float32)


class KnownKinds:
    """The kinds of dice that were seen to play. They are learnt while more dice come than ever lay there before."""

    def __init__(self) -> None:
        """None is known yet."""
        self._first: list[Kind] = []
        self._alone: list[Kind] = []
        self._later: list[Kind] = []
        self._most = 0

    def foreign(self, kinds: Sequence[Kind], lit: Sequence[Kind] = (), rims: Sequence[Kind | None] = ()) -> list[bool]:
        """Which of the dice at rest are of a kind never seen before, nor would be were they `lit` as the tray was when
        it was empty, nor by the `rims` of faces in which a lamp is mirrored: nothing is learnt from these."""
        if len(kinds) > self._most:
            self._most = len(kinds)
            self._first += kinds
            self._alone = [kind for kind in kinds if sum(_is_same(kind, other) for other in kinds) == 1]
            return [False] * len(kinds)
        strange = [not (self._is_known(kind) or self._has_sheen(kind)) for kind in kinds]
        strange = [new and not self._is_known(kind) for new, kind in zip(strange, lit or kinds, strict=True)]
        strange = [
            new and not (rim and any(_is_rim(rim, known) for known in (*self._first, *self._later)))
            for new, rim in zip(strange, rims or [None] * len(kinds), strict=True)
        ]
        for kind in kinds:
            known = [*self._first, *self._later]
            if self._is_known(kind) and all(_apart(kind, other) > ALIKE for other in known):
                self._later.append(kind)
        return strange

    def _is_known(self, kind: Kind) -> bool:
        return any(_is_same(kind, known) for known in (*self._first, *self._later))

    def _has_sheen(self, kind: Kind) -> bool:
        """Whether a sheen may make it look so, or made one alone look as that did when it was learnt: over dice that
        look alike none lay. What was learnt later may have had one: no second is added to that."""
        has = any(_is_under_sheen(kind, known) for known in self._first)
        return has or any(_is_under_sheen(known, kind) for known in self._alone)


def _is_same(kind: Kind, known: Kind, other_hue: float = OTHER_HUE) -> bool:
    hue = math.hypot(kind.a - known.a, kind.b - known.b)
    return hue <= other_hue and abs(kind.lightness - known.lightness) <= OTHER_LIGHTNESS


def _is_under_sheen(kind: Kind, plain: Kind) -> bool:
    """Whether a sheen over a die of the `plain` kind makes it look like this `kind`."""
    veil = (kind.lightness - plain.lightness) / max(100.0 - plain.lightness, 1.0)
    if kind.burnt:
        veil = 1 - math.hypot(kind.a, kind.b) / max(math.hypot(plain.a, plain.b), 1.0)
    left = 1 - min(max(veil, 0.0), SHEEN)
    return _is_same(kind, Kind(plain.lightness, plain.a * left, plain.b * left), SHEEN_HUE)


def _is_rim(rim: Kind, plain: Kind) -> bool:
    """Whether this may be the rim of a face of a die of the `plain` kind, beside a lamp that is mirrored in it."""
    colour = math.hypot(plain.a, plain.b)
    along, aside = rim.a * plain.a + rim.b * plain.b, rim.a * plain.b - rim.b * plain.a
    coloured = colour > OTHER_HUE and along >= RIM_COLOUR * colour**2 and abs(aside) <= RIM_ASIDE * colour
    return coloured and rim.lightness <= plain.lightness


def _apart(kind: Kind, known: Kind) -> float:
    return math.dist((kind.lightness, kind.a, kind.b), (known.lightness, known.a, known.b))
