"""Where the picture has stayed the same for so long that nobody is there: a hand at rest moves a little all the time.

Each pixel is compared with what it was when it last changed, so that what creeps is seen to move, too.
"""

import cv2
import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

UNMOVED_S = 30.0
"""Chosen, not measured: no hand or arm should keep its outline within a pixel (a twentieth of a die) for so long."""
CHANGED = 12.0
"""Grey levels by which a pixel, with its neighbours, has changed; chosen so that noise takes less, and the outline of a
body that moves by a pixel more."""


class Unmoved:
    """Remembers since when each pixel of the working picture has stayed the same."""

    def __init__(self) -> None:
        """Nothing is remembered yet."""
        self._known: tuple[FloatArray, npt.NDArray[np.float64]] | None = None

    def forget(self) -> None:
        """Whatever is there from now on has just come."""
        self._known = None

    def step(self, t: float, picture: FloatArray) -> None:
        """Take the picture (h, w) of time `t`, s."""
        now = np.asarray(cv2.blur(picture, (3, 3)), np.float32)
        if self._known is None:
            self._known = now, np.full(now.shape, t)
            return
        then, since = self._known
        changed = np.flatnonzero(cv2.absdiff(now, then) > CHANGED)
        np.put(then, changed, now.take(changed))
        np.put(since, changed, t)

    def holds(self, t: float, region: Mask) -> bool:
        """Whether nothing in this region (h, w) has changed for long."""
        return self._known is not None and t - float(self._known[1][region].max(initial=-np.inf)) >= UNMOVED_S
