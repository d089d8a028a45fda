"""What another light casts: hard shadows come with it at once, and stay; a hand that comes and rests does neither."""

from collections import deque

import cv2
import numpy as np
import numpy.typing as npt

from vision.empty import ALIKE, REACH, WHOLLY
from vision.light import NEAR_BLACK

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

UNNOTICED_S = 0.06
"""Another light may have been on for so long before it was noticed."""
KNOWN_S = 0.3


class Cast:
    """What differed from the empty tray before another light came, and what the tray looked like when it had come."""

    def __init__(self) -> None:
        """No other light has come yet."""
        self._differed: deque[tuple[float, Image]] = deque()
        self._came: tuple[Mask, FloatArray] | None = None

    def note(self, t: float, mask: Image) -> None:
        """What differs from the empty tray at `t`, s: `mask` (h, w) uint8, 0 or 1."""
        self._differed.append((t, mask))
        while len(self._differed) > 1 and t - self._differed[1][0] >= KNOWN_S:
            self._differed.popleft()

    def came(self, t: float, picture: Image) -> None:
        """Another light came at `t`, s, and a moment later the tray looks like this `picture` (h, w)."""
        before = next((mask for then, mask in reversed(self._differed) if t - then >= UNNOTICED_S), None)
        self.forget()
        if before is not None:
            self._came = cv2.dilate(before, REACH) > 0, picture.astype(np.float32)

    def forget(self) -> None:
        """What came with the light can no longer be told."""
        self._differed.clear()
        self._came = None

    @property
    def knows(self) -> bool:
        """Whether another light has come, and what the tray looked like before and after."""
        return self._came is not None

    def shadows(self, picture: Image, mask: Image) -> Mask:
        """Where in this `picture` (h, w) the light casts what differs from the empty tray, of the places in `mask`
        (h, w): whole pieces that came with it and look as they did then; a hand may yet be over others."""
        found = np.zeros(mask.shape, np.bool_)
        if self._came is None or not mask.any():
            return found
        differed, then = self._came
        alike = _alike(picture.astype(np.float32), then)
        pieces, labels = cv2.connectedComponents(np.asarray(mask * ~differed, np.uint8), connectivity=8)
        for label in range(1, pieces):
            piece = labels == label
            if float(alike[piece].mean()) >= WHOLLY:
                found |= piece
        return found


def _alike(now: FloatArray, then: FloatArray) -> Mask:
    """Where two pictures (h, w) of one scene look the same, however each was exposed."""
    gain = float(np.median((now[::4, ::4] + NEAR_BLACK) / (then[::4, ::4] + NEAR_BLACK)))
    darker, brighter = cv2.absdiff(now / np.float32(gain), then), cv2.absdiff(now, then * np.float32(gain))
    return np.asarray(cv2.max(darker, brighter) <= ALIKE, np.bool_)
