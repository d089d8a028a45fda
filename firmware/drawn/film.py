"""Writing a video so that it is whole or not there at all."""

from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.errors import FirmwareError
from firmware.writable import check_file
from vision.source import is_utf8


def check_video(path: Path) -> Path:
    """Where the video is to be written: where links lead. Raises FirmwareError where the name does not end in .mp4 or
    is not UTF-8, or no such file can be written."""
    if path.suffix.lower() != ".mp4" or not is_utf8(path):
        raise FirmwareError(f"cannot write the video {path}: its name must be UTF-8 and end in .mp4")
    return check_file(path)


class Film:
    """An .mp4 that appears under its name only when it has been written to its end without an error."""

    def __init__(self, path: Path, fps: float) -> None:
        """`fps` frames a second; the first picture sets the size. Raises FirmwareError as `check_video` does."""
        self._place = check_video(path)
        self._path, self._fps = path, fps
        self._part = self._place.with_name(f".{self._place.stem}.part.mp4")
        self._writer: cv2.VideoWriter | None = None
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._writer is not None:
                self._writer.release()
                if kind is None:
                    self._check_whole()
                    self._part.replace(self._place)
        finally:
            self._part.unlink(missing_ok=True)  # there even where the writer was broken off before it was ours

    def add(self, picture: NDArray[np.uint8]) -> None:
        """Append a picture, uint8 BGR (h, w, 3); an odd last row or column is left out, as the codec needs.

        Raises:
            FirmwareError: the file cannot be written.
        """
        height, width = (side - side % 2 for side in picture.shape[:2])
        if self._writer is None:
            code = cv2.VideoWriter.fourcc(*"mp4v")
            self._writer = cv2.VideoWriter(str(self._part), code, self._fps, (width, height))
            if not self._writer.isOpened():
                raise FirmwareError(f"cannot write the video {self._path}: is the folder writable?")
        self._writer.write(np.ascontiguousarray(picture[:height, :width]))
        self._count += 1

    def _check_whole(self) -> None:
        """Raise FirmwareError where the file lacks pictures: the writer does not say that the disk is full."""
        video = cv2.VideoCapture(str(self._part), cv2.CAP_FFMPEG)
        count = int(video.get(cv2.CAP_PROP_FRAME_COUNT)) if video.isOpened() else 0
        video.release()
        if count != self._count:
            raise FirmwareError(f"cannot write the video {self._path}: there is no room for it")
