"""The picture of the empty tray: what differs from it, and how it is learned while the camera runs.

It starts as the first frame, whatever lies in that. What was in the first frame and has gone leaves a ghost: a region
that differs although nothing is there. A ghost's outline is an edge in the remembered picture and none in the present
one, and a soft shadow has an edge in neither; both are learned anew at once. A body or a die has its edge in the
present picture and stays foreign for as long as it lies there.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

DIFFERENT = 22.0
"""Grey levels of difference that are no noise, codec or light drift."""
EDGE = 16.0
"""Levels by which an edge has come or gone; the border of a soft shadow stays below."""
LEAST_SHARE = 0.15
"""Share of a thing's outline along which an edge has come: the rest may be its shadow's."""
OUTWEIGH = 1.5
"""Such edges outnumber those that have gone by this factor: a thing hides some, but a ghost hides most."""
DRIFT = 0.1
"""Levels per frame by which the picture follows slow changes of the light."""
CALM_FRAMES = 12
"""Frames without a body after which what is seen somewhere is the tray itself."""
GAIN = (0.5, 2.0)
SQUARE = np.ones((3, 3), np.uint8)
REACH = np.ones((5, 5), np.uint8)
"""How far from the outline its edges are looked for."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs from the empty tray: `mask` (h, w) uint8 0 or 1, `levelled` (h, w) the picture without the drift
    of exposure, `gain` that drift (1 = none)."""

    mask: Image
    levelled: FloatArray
    gain: float


class EmptyTray:
    """The working picture (die at 18 px) of the tray with nothing in it."""

    def __init__(self, picture: Image) -> None:
        """`picture`: grey (h, w), best of the empty tray; dice and hands in it are unlearned when they leave."""
        self.picture: FloatArray = picture.astype(np.float32)
        self._calm = np.zeros(picture.shape, np.int32)

    @property
    def _seen(self) -> Mask:
        """Where the tray was seen empty for long enough to believe the picture of it."""
        return self._calm >= CALM_FRAMES

    def compare(self, picture: Image) -> Difference:
        """What in `picture` (h, w) differs, apart from a common change of exposure."""
        sparse_now, sparse_then = picture[::4, ::4].astype(np.float32), self.picture[::4, ::4]
        gain = float(np.clip(np.median((sparse_now + 6) / (sparse_then + 6)), *GAIN))
        levelled = np.asarray(picture * np.float32(1 / gain), np.float32)
        mask = (cv2.absdiff(levelled, self.picture) > DIFFERENT).astype(np.uint8)
        return Difference(np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, SQUARE), np.uint8), levelled, gain)

    def is_real(self, region: Mask, levelled: FloatArray, reaches_in: bool = False) -> bool:
        """Whether something is there now in `region`: along its outline edges have come rather than gone.

        What `reaches_in` from the border is real too where it hides edges of a tray seen empty before: a dark sleeve
        over the rim hides more of them than it brings.
        """
        outline = region & ~cv2.erode(region.astype(np.uint8), SQUARE, borderValue=1).astype(bool)
        rows, columns = np.nonzero(outline)
        if len(rows) == 0:
            return False
        around = (slice(max(0, rows.min() - 3), rows.max() + 4), slice(max(0, columns.min() - 3), columns.max() + 4))
        now, then = (cv2.morphologyEx(p[around], cv2.MORPH_GRADIENT, REACH) for p in (levelled, self.picture))
        come = (now - then)[outline[around]]
        came, went = (float((edges > EDGE).mean()) for edges in (come, -come))
        if came >= LEAST_SHARE and came >= OUTWEIGH * went:
            return True
        return reaches_in and went >= LEAST_SHARE and float(self._seen[region].mean()) > 0.5

    def learn(self, region: Mask, levelled: FloatArray) -> None:
        """Take the present look of `region` (and of the pixels next to it) for the empty tray."""
        grown = cv2.dilate(region.astype(np.uint8), SQUARE, iterations=3).astype(bool)
        self.picture[grown] = levelled[grown]
        self._calm[grown] = 0

    def follow(self, difference: Difference) -> None:
        """Follow slow changes of the light wherever nothing differs; to be called while no body is there."""
        clear = cv2.dilate(difference.mask, SQUARE, iterations=3) == 0
        step = np.clip(difference.levelled - self.picture, -DRIFT, DRIFT)
        self.picture += np.where(clear, step, np.float32(0))
        self._calm += clear
