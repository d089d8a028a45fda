"""When each place of the tray was last seen bare: a die that lies there came later, or lay hidden from then on; and
since when it is bare: a die that lay there was gone by then."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.empty import Difference
from vision.hand import Disc

WITHIN = 0.3
"""Half the edge, faces, of what is looked at of a place."""


class Bare:
    """The `times` (h, w), s, at which places of the working picture were last seen bare, and since when they are."""

    def __init__(self, shape: tuple[int, ...], die_px: float) -> None:
        """`shape` of the working picture (h, w); `die_px`: a face in it. Nothing was seen yet."""
        self.times = np.full(shape, -np.inf)
        self._since = np.full(shape, np.inf)
        self._reach = WITHIN * die_px

    def note(self, t: float, difference: Difference, body: npt.NDArray[np.bool_], dice: Sequence[Disc]) -> None:
        """At `t`, s, all was bare but the body (h, w), the dice and what else the empty tray has not.

        A die in a deep shadow may be as bright as the bare floor: it is seen for what it is, or by its hue.
        """
        covered = difference.mask.copy() if difference.tint is None else difference.mask | difference.tint
        for die in dice:
            cv2.circle(covered, (round(die.x), round(die.y)), round(die.size / 2), 1, -1)
        bare = ~(body | (covered > 0))
        self.times[bare] = t
        self._since[bare & (self._since > t)] = t
        self._since[~bare] = np.inf

    def last(self, x: float, y: float) -> float:
        """When most of a place, px of the working picture, was last bare, s; minus infinity if never."""
        return self._most(self.times, x, y, -np.inf)

    def since(self, x: float, y: float) -> float:
        """Since when most of a place, px of the working picture, has been bare, s; infinity if it is not."""
        return self._most(self._since, x, y, np.inf)

    def _most(self, times: npt.NDArray[np.float64], x: float, y: float, none: float) -> float:
        """The median of the times of a place's pixels; `none` beyond the picture."""
        rows, columns = (slice(max(0, round(v - self._reach)), max(0, round(v + self._reach)) + 1) for v in (y, x))
        part = times[rows, columns]
        return float(np.median(part)) if part.size else none
