"""What the empty tray was like before a fault of the view: what to go back to when it is over."""

from collections import deque

import cv2
import numpy as np
import numpy.typing as npt

from scorer.events import ViewFault
from vision.empty import EmptyTray

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

SOUND_S = 0.3
"""What was learned of the empty tray for so long before a fault was found may come from it."""
USUAL_S = 5.0
"""A light that was there for so long is a usual one: what is learned while lamps go on and off is worth less."""


class Before:
    """The empty tray as it was known lately, and in the last usual light; each with the body that was over it."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        """`shape` of the working picture (h, w). Nothing was kept yet."""
        self._sound: deque[tuple[float, EmptyTray, Mask]] = deque()
        self._usual: tuple[EmptyTray, Mask] | None = None
        self._relit = -np.inf
        self._body: Mask = np.zeros(shape, np.bool_)

    def keep(self, t: float, empty: EmptyTray, body: Mask) -> None:
        """What is known of the empty tray at `t`, s, and the body (h, w) that is over it."""
        if self._sound and t - self._sound[-1][0] < SOUND_S:
            return
        self._sound.append((t, empty.copy(), body))
        while len(self._sound) > 1 and t - self._sound[1][0] >= SOUND_S:
            self._sound.popleft()

    def lost(self, t: float, cause: ViewFault, empty: EmptyTray | None) -> EmptyTray | None:
        """The empty tray without what was learned of it just before a fault that was found at `t`."""
        if self._sound:
            _, empty, self._body = self._sound[0]
        self._sound.clear()
        if cause == "light_changed" and empty is not None and t - self._relit > USUAL_S:
            self._usual = empty.copy(), self._body
        return empty

    def relit(self, t: float, empty: EmptyTray, picture: Image, hue: FloatArray) -> EmptyTray:
        """The empty tray in another light, which has come by `t`: as it was known last, or in the last usual light,
        whichever explains more of the `picture` (h, w) and its `hue` (h, w, 2)."""
        known = [(empty, self._body), *([self._usual] if self._usual is not None else [])]
        found = []
        for tray, body in known:
            found.append(tray.copy())
            found[-1].relight(picture, hue, body)
        self._relit = t
        return min(found, key=lambda tray: cv2.countNonZero(tray.compare(picture, hue).mask))
