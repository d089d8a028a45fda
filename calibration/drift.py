"""A calibration held against what play shows, now and then, at moments in which nothing moves.

A push is seen at once by the watcher; a stand that sinks, a lamp that dims or the sun that goes is too slow for that.
"""

from collections import deque
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from calibration.check import check
from calibration.facts import Calibration
from vision.geometry import Outline

Image = npt.NDArray[np.uint8]

EVERY_S, AGAIN_S = 60.0, 10.0
"""Between two looks, and until a second one where the first found something."""
PICTURES, APART_S = 3, 1.5
"""Pictures compared together, and the time between them: what a shadow hides in one is seen in the others."""


class Drift:
    """Looks at calm pictures now and then; says each reason once, when two looks in a row have found it."""

    def __init__(self, calibration: Calibration) -> None:
        """`calibration` must say what its picture was like."""
        self._calibration = calibration
        self._pictures: deque[Image] = deque(maxlen=PICTURES)
        self._taken: float | None = None
        self._due: float | None = None
        self._found: frozenset[str] = frozenset()
        self._said: set[str] = set()

    def step(self, t: float, picture: Image, floor: Outline) -> tuple[str, ...]:
        """What does not hold any more and was not said before, by the names of `check`.

        picture: BGR, of a calm moment at `t` s; others are not to be given. floor: its outline, px, where the watcher
        has it by now: it follows a push.
        """
        self._due = t + EVERY_S if self._due is None else self._due
        if t < self._due or (self._taken is not None and 0 <= t - self._taken < APART_S):
            return ()
        self._taken = t
        self._pictures.append(picture)
        if len(self._pictures) < PICTURES:
            return ()
        found = frozenset(check(replace(self._calibration, floor=floor), list(self._pictures)).reasons)
        self._pictures.clear()
        new = sorted((found & self._found) - self._said)
        self._found, self._due = found, t + (AGAIN_S if found - self._said - set(new) else EVERY_S)
        self._said |= set(new)
        return tuple(new)
