"""The last seconds of the tray in memory, as JPEG: nothing of the picture but the tray and a narrow edge around it."""

from collections import deque
from collections.abc import Iterable

import cv2
import numpy as np

from firmware.evidence.pieces import Crop, Die, Frames, Picture
from vision.geometry import TrayGeometry
from vision.source import Frame, Image
from vision.view import CALM, SeenDie, TrayView

QUALITY = 85
MARGIN = 1.0
"""Die faces beyond the floor's outline that are kept: the wall, and what lies on the rim."""
CALM_S = 0.5
"""While nothing moves a frame is kept so often, else every one."""
MB = 1e6


class Cutter:
    """Cuts the tray out of pictures; all else in them is black."""

    def __init__(self, geometry: TrayGeometry) -> None:
        self.geometry = geometry
        width, height = geometry.size
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [geometry.outline.round().astype(np.int32)], 255)
        reach = max(1, round(MARGIN * geometry.die_px))
        around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        mask = np.asarray(cv2.dilate(mask, around), np.uint8)
        self.crop: Crop = tuple(map(int, cv2.boundingRect(mask)))  # type: ignore[assignment]
        self._mask = self._cut(mask)
        self._alone: Image = np.zeros((*self._mask.shape, 3), np.uint8)

    def jpeg(self, image: Image, quality: int = QUALITY) -> bytes:
        """The tray in a picture (h, w, 3) of the size that the geometry is for."""
        cv2.copyTo(self._cut(image), self._mask, self._alone)
        _, content = cv2.imencode(".jpg", self._alone, (cv2.IMWRITE_JPEG_QUALITY, quality))
        return content.tobytes()

    def frames(self, pictures: Iterable[Picture]) -> Frames:
        """These pictures with what tells where they were cut out."""
        return Frames(tuple(pictures), self.crop, self.geometry.size, self.geometry.floor, self.geometry.die_px)

    def _cut(self, image: Image) -> Image:
        left, top, width, height = self.crop
        return image[top : top + height, left : left + width]


class Ring:
    """The pictures of the last seconds, in so many bytes at most; the oldest go first."""

    def __init__(self, seconds: float, memory_mb: float) -> None:
        self._seconds, self._most = seconds, int(memory_mb * MB)
        self._pictures: deque[Picture] = deque()
        self._bytes = 0

    def add(self, picture: Picture) -> None:
        """Take in the next picture."""
        self._pictures.append(picture)
        self._bytes += len(picture.jpeg)
        while self._pictures and (self._bytes > self._most or picture.t - self._pictures[0].t > self._seconds):
            self._bytes -= len(self._pictures.popleft().jpeg)

    def clear(self) -> None:
        """Begin anew."""
        self._pictures.clear()
        self._bytes = 0

    def since(self, t: float) -> tuple[Picture, ...]:
        """The pictures from second `t` on."""
        return tuple(picture for picture in self._pictures if picture.t >= t)

    @property
    def last(self) -> Picture | None:
        """The newest picture."""
        return self._pictures[-1] if self._pictures else None


class Recorder:
    """Takes frames in as they are watched, and gives those of the last seconds."""

    def __init__(self, seconds: float, memory_mb: float) -> None:
        self._ring = Ring(seconds, memory_mb)
        self._cutter: Cutter | None = None
        self._calm = False
        self.t = -1.0

    def see(self, frame: Frame, geometry: TrayGeometry, view: TrayView) -> None:
        """Take in a frame of the tray as it lies now, and how it was seen."""
        self.t = frame.t
        if self._cutter is None or self._cutter.geometry is not geometry:
            self._cutter = Cutter(geometry)
            self._ring.clear()  # a tray that was pushed is cut out elsewhere
        last, was_calm, self._calm = self._ring.last, self._calm, view.phase in CALM
        if was_calm and self._calm and last is not None and frame.t - last.t < CALM_S:
            return
        dice = tuple(die_of(geometry, die) for die in view.dice)
        self._ring.add(Picture(frame.index, round(frame.t, 3), self._cutter.jpeg(frame.image), dice))

    def since(self, t: float) -> Frames | None:
        """What there is from second `t` on."""
        return self._cutter.frames(self._ring.since(t)) if self._cutter else None


def die_of(geometry: TrayGeometry, die: SeenDie) -> Die:
    """A die as it was seen then, of the size at which it was read."""
    value, size = die.reading.value if die.reading else None, geometry.read_at(die.x, die.y, die.size)
    return Die(round(die.x, 1), round(die.y, 1), round(size, 2), round(die.angle, 1), value, die.state)
