"""The time of each frame by its stamp: gaps stay gaps, and no mistake of the stamps breaks the order of time.

In a file, a stamp that does not rise is a fault of whatever wrote it: a clock that was set back, or none at all. Time
goes on by a frame's step there, and by the stamps again afterwards. A stamp that leaps and whose follower is back where
it belongs is a mistake too. A leap forward that lasts is believed: whether frames did not come or the clock was set,
nothing shows what happened in between.
"""

import math
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import TypeVar

Thing = TypeVar("Thing")

LEAST_STEP_S = 1e-3
OLDEST_S = 10.0
"""A camera's picture waits for so long at most until it is read: its stamp is of another clock, or none."""


def timed(stamped: Iterable[tuple[float, Thing]], step: float) -> Iterator[tuple[float, Thing]]:
    """Each thing with its time in s, rising from 0, given its stamp in s; `step` is the usual time between two.

    A thing is given out when the next one is there, whose stamp tells a lone mistake.
    """
    clock: _StampedClock | None = None
    for now, following in pairwise(chain(stamped, [None])):
        assert now is not None
        clock = clock or _StampedClock(now[0], step)
        yield clock.time(now[0], following[0] if following else None), now[1]


class _StampedClock:
    """Time as the stamps tell it, from 0 at the first."""

    def __init__(self, first: float, step: float) -> None:
        self._step = step
        self._believed, self._its_time = first - step, -step  # the last stamp that was believed, and its time
        self._last = -step

    def time(self, stamp: float, following: float | None) -> float:
        """The time of the next stamp; `following` is the one after it, None at the end."""
        if following is not None and _is_mistake(self._believed, stamp, following):
            t = self._last + min(self._step, (following - self._believed) / 2)
        else:
            rose = stamp - self._believed
            t = self._its_time + rose if rose > 0 else self._last + self._step
            self._believed, self._its_time = stamp, max(t, self._last + LEAST_STEP_S)
        self._last = max(t, self._last + LEAST_STEP_S)
        return self._last


def _is_mistake(before: float, stamp: float, following: float) -> bool:
    """Whether a stamp leaps away and its follower goes on from where it left."""
    return before < following and not before <= stamp <= following


class CameraClock:
    """When a camera took the pictures that are read from it, in s from the first.

    While nobody reads, pictures wait with the driver and come all at once then, as if taken within milliseconds: only
    their stamps tell. A stamp counts where it rises and is of the clock by which the pictures are read, as those of
    Linux' drivers are; what has none was taken when it was read.
    """

    def __init__(self) -> None:
        """No picture has come."""
        self._stamp = -math.inf
        self._first: float | None = None
        self._last = -LEAST_STEP_S

    def time(self, stamp: float, now: float) -> float:
        """The time of the next picture by its `stamp`, s; it was read at `now`, s."""
        taken = stamp if stamp > self._stamp and 0 <= now - stamp <= OLDEST_S else now
        self._stamp = stamp
        self._first = taken if self._first is None else self._first
        self._last = max(taken - self._first, self._last + LEAST_STEP_S)
        return self._last
