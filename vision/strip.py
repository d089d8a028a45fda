"""What is seen in the gap between two dice side by side: the floor, however dark, or a side of one that leans."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.ground import COLOUR, NEUTRAL, Mask, Patch
from vision.outline import Outline, hull

Colours = npt.NDArray[np.float32]

FEWEST_PX = 4
"""Pixels of the patch that tell a gap's colour."""
DARKEST, LIGHTEST = 0.1, 1.2
"""Shares of its lightness in the light that a colour may have between two dice: chosen, the deepest shadow, and a side
that faces a lamp."""
FARTHEST = 2.0
"""Colours farther off than so many times what the die is from the floor are no clearer: chosen."""
MOST_LIKE = 80
"""Percentile of the pixels that the likeness is of: one row of a side between two dark edges is enough."""


@dataclass(frozen=True, slots=True)
class Strip:
    """The gap between the tops of two dice: its `area` in faces squared, and of what shows there that is no side of
    theirs if they lie flat, how much nearer it is to the die's colour in some light than to the floor's, as a share of
    what the two are apart (`likeness`), and its mean lightness beside the die's top (`light`, natural logarithm): 0
    where hardly anything does."""

    area: float
    likeness: float
    light: float


def strip(patch: Patch, one: Outline, other: Outline, inner: Mask, around: Mask) -> Strip:
    """What shows between two dice; `inner` is part of one of them, `around` is ground."""
    tops, sides = (patch.mask(one.top) | patch.mask(other.top), patch.mask(one.whole) | patch.mask(other.whole))
    gap = patch.mask(hull([*one.top, *other.top])) & ~tops
    shown = patch.lab[gap & ~sides]
    if len(shown) < FEWEST_PX:
        return Strip(patch.area(gap), 0.0, 0.0)
    body, floor = (np.median(patch.lab[where], axis=0) for where in (inner, around))
    apart = max(float(np.linalg.norm((body - floor) * COLOUR)), 1.0)
    off_floor, off_body = _off(shown, floor, most=1.0), _off(shown, body, most=LIGHTEST)
    nearer = np.clip(off_floor / apart - off_body / apart, -FARTHEST, FARTHEST)
    light = np.log(_light(shown, body, LIGHTEST))
    return Strip(patch.area(gap), float(np.percentile(nearer, MOST_LIKE)), float(light.mean()))


def _light(shown: Colours, colour: Colours, most: float) -> Colours:
    """(n,) the share of its lightness in which a colour (3,) would be as light as these (n, 3)."""
    return np.asarray(np.clip(shown[:, 0] / max(float(colour[0]), 1.0), DARKEST, most), np.float32)


def _off(shown: Colours, colour: Colours, most: float) -> Colours:
    """(n,) how far these (n, 3) are from a colour (3,) in as much light as they are in, which fades as its light does;
    up to `most` of it."""
    light = _light(shown, colour, most)[:, None]
    there = np.concatenate([light * colour[:1], NEUTRAL + light * (colour[1:] - NEUTRAL)], axis=1)
    return np.asarray(np.linalg.norm((shown - there) * COLOUR, axis=1), np.float32)
