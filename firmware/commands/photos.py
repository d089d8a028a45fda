"""Opening picture files: every picture that is whole, and one line for every one that is not."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import cv2
import numpy as np
import numpy.typing as npt

from firmware.errors import FirmwareError

Image = npt.NDArray[np.uint8]

SMALLEST_SIDE_PX = 8
"""Smaller pictures cannot hold the face of a die."""

_CUT_SHORT = ("premature end", "bad huffman code")
"""What libjpeg says, on the standard error only, before it fills the rest of a damaged picture with grey."""


def open_photo(path: Path) -> Image:
    """The picture as uint8 BGR (h, w, 3), turned upright as its EXIF says; transparency is dropped, 16 bits become 8.

    Raises FirmwareError where there is no such file, or it is no picture, a damaged one, or one too small for a die.
    """
    if not path.exists():
        raise FirmwareError(f"{path}: no such file")
    if not path.is_file():
        raise FirmwareError(f"{path}: a {'folder' if path.is_dir() else 'device'}, not a picture file")
    try:
        content = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise FirmwareError(f"{path}: cannot be read ({error.strerror})") from error
    if not content.size:
        raise FirmwareError(f"{path}: the file is empty")
    with _standard_error() as said:
        image = _decoded(content)
        said.seek(0)
        complaints = said.read().decode(errors="replace").lower()
    if image is None:
        raise FirmwareError(f"{path}: not a picture, or a damaged one, or of an unknown kind: give a JPEG or a PNG")
    if any(phrase in complaints for phrase in _CUT_SHORT):
        raise FirmwareError(f"{path}: the picture is damaged or cut short")
    if min(image.shape[:2]) < SMALLEST_SIDE_PX:
        height, width = image.shape[:2]
        raise FirmwareError(f"{path}: a picture of {width}x{height} px is too small to see dice in")
    return image


def _decoded(content: npt.NDArray[np.uint8]) -> Image | None:
    try:
        image = cv2.imdecode(content, cv2.IMREAD_COLOR)
    except cv2.error:  # a header that promises more pixels than OpenCV will decode
        return None
    return None if image is None else np.asarray(image, np.uint8)


@contextmanager
def _standard_error() -> Iterator[IO[bytes]]:
    """What C libraries write to the standard error meanwhile goes into a file instead of to the user."""
    with tempfile.TemporaryFile() as said:
        kept = os.dup(2)
        os.dup2(said.fileno(), 2)
        try:
            yield said
        finally:
            os.dup2(kept, 2)
            os.close(kept)
