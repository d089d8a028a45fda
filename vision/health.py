"""Whether the picture can be trusted: frames that come, light enough, nothing before the lens, a camera that stays."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from scorer.events import ViewFault

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]

DARK = 0.25
"""Share of the tray's usual brightness below which the lens is covered or the light is out."""
FLAT = 2.0
"""Grey levels of spread below which a frame shows nothing at all."""
GAIN = (0.55, 1.8)
"""Exposure drifts less than this; beyond, somebody switched a lamp."""
STOPPED_S = 0.5
STAY_S = 0.1
"""A fault must last so long to be one, and be over for as long to be over."""
SHIFT = 0.2
"""Faces by which the tray lies elsewhere in the picture when the camera was pushed."""
REACH = 1.0
"""Faces of shift that are looked for."""
EDGE = 12
LEAST_EDGES = 30.0
"""Faces of length (and a few px of width) of the edges without which nothing tells a shift: a plain cloth."""
FOUND = 0.6
BETTER = 0.7
"""So much of the tray's edges are found in the new place, and less than this share of that in the old one. What came
into the picture since does not matter, and a plain cloth without edges is never found elsewhere."""
CHECK_S = 0.25


@dataclass(frozen=True, slots=True)
class Verdict:
    """A fault that began or ended, the time of it in s, and the frame."""

    cause: ViewFault
    lost: bool
    t: float
    frame: int


class ViewHealth:
    """Judges working pictures, one a frame."""

    def __init__(self, face_px: float) -> None:
        """`face_px`: a die's face in the pictures given."""
        self._face_px = face_px
        self._reference: FloatArray | None = None
        self._last: tuple[float, int] | None = None
        self._checked = 0.0
        self._shifted = False
        self._pending: tuple[ViewFault | None, float, int] = (None, 0.0, 0)
        self.fault: ViewFault | None = None

    @property
    def trusted(self) -> bool:
        """Whether there is no fault, nor the beginning of one."""
        return self.fault is None and self._pending[0] is None

    def step(self, t: float, frame: int, picture: Image, empty: FloatArray, gain: float, quiet: bool) -> list[Verdict]:
        """The faults that began or ended with this frame. `quiet`: no hand is in it, so that a shift can be seen."""
        verdicts = self._gap(t, frame)
        self._last = (t, frame)
        now = self._find(t, picture, empty, gain, quiet)
        if now != self._pending[0]:
            self._pending = (now, t, frame)
        _, since, first = self._pending
        if now == self.fault or t - since < STAY_S:
            return verdicts
        if self.fault is not None:
            verdicts.append(Verdict(self.fault, False, since, first))
        if now is not None:
            verdicts.append(Verdict(now, True, since, first))
        self.fault = now
        return verdicts

    def _gap(self, t: float, frame: int) -> list[Verdict]:
        """Frames that did not come: the view was lost at the last one and is there again."""
        if self._last is None or t - self._last[0] <= STOPPED_S:
            return []
        return [Verdict("frames_stopped", True, *self._last), Verdict("frames_stopped", False, t, frame)]

    def _find(self, t: float, picture: Image, empty: FloatArray, gain: float, quiet: bool) -> ViewFault | None:
        mean, spread = (float(v[0, 0]) for v in cv2.meanStdDev(picture))
        if mean < DARK * float(empty.mean()):
            return "blocked"
        if spread < FLAT and float(empty.std()) > 2 * FLAT:
            return "frames_bad"
        if not GAIN[0] <= gain <= GAIN[1]:
            return "light_changed"
        return "camera_moved" if self._has_moved(t, picture, quiet) else None

    def _has_moved(self, t: float, picture: Image, quiet: bool) -> bool:
        """Whether the tray lies elsewhere in the picture than at the first quiet moment."""
        if not quiet or t - self._checked < CHECK_S:
            return self._shifted
        self._checked = t
        edges = _edges(picture)
        if self._reference is None:
            self._reference = edges
            return False
        reach = min(round(REACH * self._face_px), (min(edges.shape) - 1) // 3)
        middle = self._reference[reach:-reach, reach:-reach]
        pixels = float(middle.sum())
        if pixels < LEAST_EDGES * self._face_px:
            return False
        match = np.asarray(cv2.matchTemplate(edges, middle, cv2.TM_CCORR), np.float32) / pixels
        _, best, _, (x, y) = cv2.minMaxLoc(match)
        far = math.hypot(x - reach, y - reach) > SHIFT * self._face_px
        self._shifted = far and best > FOUND and float(match[reach, reach]) < BETTER * best
        return self._shifted


def _edges(picture: Image) -> FloatArray:
    """1 at the edges of a picture and 0 elsewhere: what tells a shift, and weighs no edge more than another."""
    smooth = cv2.GaussianBlur(picture, (5, 5), 1.2)
    gradient = np.asarray(cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))
    return np.asarray(gradient > EDGE, np.float32)
