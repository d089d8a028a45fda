"""Where frames come from: a video file, a folder of pictures, or a USB camera, each frame with its time.

A file's frames are timed by their stamps (see stamps.py), so that frames that did not come leave a gap; frame n of a
folder happens at n / fps. A camera's frames are timed by their stamps too, of the clock passed in. Rotation noted in a
phone's clip is applied, as OpenCV does by itself.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Protocol, Self

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import SourceError
from vision.stamps import CameraClock, timed

Image = npt.NDArray[np.uint8]

# What goes wrong in a source is said in one line of ours; the libraries below must not add theirs on stderr. They look
# at the environment when the first video is opened, wherever that is.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

USB = "usb:"
FOLDER_FPS = 30.0
PICTURES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp"})
SMALLEST_SIDE_PX = 32
CREDIBLE_FPS = (1.0, 1000.0)
RATE_FRAMES = 30
"""A file's frame rate is measured over so many frames."""
SAME_RATE = 0.01
"""A measured rate that differs by this share from what the file says of itself is that rate."""
USB_DIGITS = 3
"""Of a camera's number: Linux has 256 of them at most."""
WAITING = 4
"""So many pictures wait with the driver where nobody reads them: OpenCV gives it as many buffers."""
MOST_SPOILED = 600
"""After so many frames in a row that cannot be decoded a video is over."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: its number from 0, its time in s from the first frame, and its pixels, uint8 BGR (h, w, 3).

    sound: False where it could not be decoded, or was not of the source's size; its pixels are black then.
    """

    index: int
    t: float
    image: Image
    sound: bool = True


class FrameSource(Protocol):
    """Frames in order, once; `frame_count` is None where there is no end. Use it as a context manager or close it."""

    fps: float
    size: tuple[int, int]
    frame_count: int | None

    def __iter__(self) -> Iterator[Frame]: ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_source(spec: str, clock: Callable[[], float] = time.monotonic) -> FrameSource:
    """Open a video file, a folder of pictures (by sorted names, 30 fps) or `usb:N`.

    Raises:
        SourceError: there is nothing there, or nothing in it that can be seen; or its pictures are too small.
    """
    if spec.startswith(USB):
        return UsbCamera(spec, clock)
    if not spec:
        raise SourceError("no source is named: give a video, a folder of pictures or usb:0")
    path = Path(spec)
    if path.is_dir():
        return PictureFolder(path)
    if not path.exists():
        raise SourceError(f"{spec}: there is no such file or folder")
    if is_picture(path):
        raise SourceError(f"{spec}: a picture, not a video: give a video, or a folder of pictures")
    return VideoFile(path)


def usb_number(spec: str) -> int | None:
    """N of `usb:N`; None where that names no camera."""
    number = spec.removeprefix(USB)
    named = spec.startswith(USB) and number.isascii() and number.isdecimal() and len(number) <= USB_DIGITS
    return int(number) if named else None


def is_picture(path: Path) -> bool:
    """Whether a file, by its name, is taken for a picture of the folder that it lies in."""
    return path.suffix.lower() in PICTURES


def is_utf8(path: Path) -> bool:
    """Whether a file's name can be told as UTF-8; old disks have others."""
    return not any("\ud800" <= letter <= "\udfff" for letter in str(path))


class _Closing:
    """Closing at the end of a `with`."""

    def close(self) -> None:
        """Let go of what is held; closing twice is harmless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class VideoFile(_Closing):
    """The frames of a video file. Its first frame is decoded on opening, so that a bad file is refused at once."""

    def __init__(self, path: Path) -> None:
        """Raises SourceError where the file is no video, is empty, its pictures are too small, or its name no UTF-8."""
        if not is_utf8(path):  # OpenCV dies of it
            raise SourceError(f"{path}: the name of a video must be UTF-8: rename it")
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        _, self._first = self._next() if self._capture.isOpened() else (0, None)
        if self._first is None:
            self._capture.release()
            reason = "it is empty" if path.stat().st_size == 0 else "no frame of it can be decoded"
            raise SourceError(f"{path}: not a video that can be played: {reason}")
        self.size = _size(self._first, str(path))
        self.fps = _file_fps(path)
        count = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self.frame_count: int | None = count if count > 0 else None

    def __iter__(self) -> Iterator[Frame]:
        """Every frame from the first; one that cannot be decoded is not sound, at the end it is left out."""
        for index, (t, image) in enumerate(timed(self._stamped(), 1 / self.fps)):
            yield _frame(index, t, image, self.size)

    def _stamped(self) -> Iterator[tuple[float, Image | None]]:
        """Every picture with its stamp in s; those that cannot be decoded, None, lie evenly between the others."""
        (image, self._first), spoiled, last = (self._first, None), 0, _stamp(self._capture)
        while image is not None:
            now = _stamp(self._capture)
            yield from ((last + (now - last) * n / (spoiled + 1), None) for n in range(1, spoiled + 1))
            yield now, image
            last = now
            spoiled, image = self._next()

    def _next(self) -> tuple[int, Image | None]:
        """How many frames cannot be decoded now, and the picture after them, None at the end."""
        for spoiled in range(MOST_SPOILED):
            found, picture = self._capture.read()
            if found and picture is not None:
                return spoiled, _colour(picture)
        return MOST_SPOILED, None

    def close(self) -> None:
        """Release the decoder."""
        self._capture.release()


class PictureFolder(_Closing):
    """The pictures of a folder as frames, in the order of their names; other files are passed over."""

    def __init__(self, folder: Path, fps: float = FOLDER_FPS) -> None:
        """Raises SourceError where the folder holds no picture, or the first cannot be read."""
        self._paths = sorted(p for p in folder.iterdir() if is_picture(p) and p.is_file())
        if not self._paths:
            raise SourceError(f"{folder}: no picture in this folder (.png, .jpg, ...)")
        self.fps = fps
        self.frame_count: int | None = len(self._paths)
        self.size = _size(_read(self._paths[0]), str(self._paths[0]))

    def __iter__(self) -> Iterator[Frame]:
        """Every picture; one that cannot be read, or has another size than the first, is not sound."""
        for index, path in enumerate(self._paths):
            try:
                image = _decoded(path)
            except OSError:
                image = None
            yield _frame(index, index / self.fps, image, self.size)


class UsbCamera(_Closing):
    """Frames of a UVC camera, as fast as it gives them, timed as they were taken by the clock passed in; `device` has
    its controls."""

    def __init__(self, spec: str, clock: Callable[[], float]) -> None:
        """Raises SourceError where `spec` names no camera, or the camera gives no picture."""
        number = usb_number(spec)
        if number is None:
            raise SourceError(f"{spec!r}: name a USB camera by its number, as usb:0")
        self._clock = clock
        self._capture = self.device = cv2.VideoCapture(number, cv2.CAP_V4L2)
        found, first = self._capture.read() if self._capture.isOpened() else (False, None)
        if not found or first is None:
            self._capture.release()
            raise SourceError(f"{spec}: no camera there gives pictures; is it plugged in?")
        self.size = _size(_colour(first), spec)
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self.fps = fps if CREDIBLE_FPS[0] <= fps <= CREDIBLE_FPS[1] else FOLDER_FPS
        self.frame_count: int | None = None

    def __iter__(self) -> Iterator[Frame]:
        """Frames until the camera is unplugged or closed; none of those that have waited since it was opened."""
        taken = CameraClock()
        for _ in range(WAITING):
            self._capture.grab()
        for index in count():
            found, picture = self._capture.read()
            if not found or picture is None:
                return
            yield _frame(index, taken.time(_stamp(self._capture), self._clock()), _colour(picture), self.size)

    def close(self) -> None:
        """Let go of the camera."""
        self._capture.release()


def _stamp(capture: cv2.VideoCapture) -> float:
    """The stamp in s of the frame that was read last."""
    return float(capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000


def _file_fps(path: Path) -> float:
    """Frames a second by the first stamps; what the file says of itself is a mean in which gaps count."""
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    said = capture.get(cv2.CAP_PROP_FPS)
    stamps = [_stamp(capture) for _ in range(RATE_FRAMES) if capture.grab()]
    capture.release()
    steps = [after - before for before, after in pairwise(stamps) if after > before]
    fps = 1 / median(steps) if steps else said
    if abs(fps - said) < SAME_RATE * said:
        fps = said
    return fps if CREDIBLE_FPS[0] <= fps <= CREDIBLE_FPS[1] else FOLDER_FPS


def _frame(index: int, t: float, image: Image | None, size: tuple[int, int]) -> Frame:
    """The frame that shows this picture, if there is one of the source's size."""
    shape = (*reversed(size), 3)
    if image is not None and image.shape == shape:
        return Frame(index, t, image)
    return Frame(index, t, np.zeros(shape, np.uint8), sound=False)


def _read(path: Path) -> Image:
    try:
        image = _decoded(path)
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror})") from error
    if image is None:
        raise SourceError(f"{path}: not a picture that can be read")
    return image


def _decoded(path: Path) -> Image | None:
    """The picture in a file, None where there is none; raises OSError where the file cannot be read."""
    data = np.frombuffer(path.read_bytes(), np.uint8)
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except cv2.error:
        return None  # larger than OpenCV takes
    return None if image is None else _colour(image)


def _colour(picture: npt.NDArray[np.generic]) -> Image:
    """The picture as uint8 BGR; some decoders give grey."""
    image = np.asarray(picture, np.uint8)
    return image if image.ndim == 3 else np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)


def _size(image: Image, name: str) -> tuple[int, int]:
    height, width = image.shape[:2]
    if min(width, height) < SMALLEST_SIDE_PX:
        raise SourceError(f"{name}: pictures of {width}x{height} px are too small to see dice in")
    return width, height
