"""Writing a video so that it is whole or not there at all."""

from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.errors import FirmwareError


class Film:
    """An .mp4 that appears under its name only when it has been written to its end without an error."""

    def __init__(self, path: Path, fps: float) -> None:
        """`fps` frames a second; the first picture sets the size.

        Raises:
            FirmwareError: the name does not end in .mp4, or its folder cannot be written to.
        """
        if path.suffix.lower() != ".mp4":
            raise FirmwareError(f"cannot write the video {path}: its name must end in .mp4")
        if not path.parent.is_dir():
            raise FirmwareError(f"cannot write the video {path}: there is no folder {path.parent}")
        self._path, self._fps = path, fps
        self._part = path.with_name(f".{path.stem}.part.mp4")
        self._writer: cv2.VideoWriter | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is None:
            return
        self._writer.release()
        if kind is None:
            self._part.replace(self._path)
        else:
            self._part.unlink(missing_ok=True)

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
