"""Where the frames of a match come from: the Pi's camera, or what `vision` can open; and stopping them."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from vision.source import Frame, FrameSource, open_source

CAMERA = "camera"
CAMERA_SIZE = (1280, 720)
CAMERA_FPS = 30.0


def open_frames(spec: str) -> FrameSource:
    """Open `camera` (the Pi's), `usb:N`, a video file or a folder of pictures.

    Raises:
        HardwareError, SourceError: there is no such camera, file or folder, or nothing in it that can be played.
    """
    return PiCamera() if spec == CAMERA else open_source(spec)


@contextmanager
def until_interrupted(source: FrameSource) -> Iterator[Iterator[Frame]]:
    """The frames of the source; Ctrl-C ends them after the frame in hand instead of breaking off the work on it."""
    stopped = False

    def stop(_signal: int, _frame: FrameType | None) -> None:
        nonlocal stopped
        stopped = True

    def frames() -> Iterator[Frame]:
        for frame in source:
            if stopped:
                return
            yield frame

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield frames()
    finally:
        signal.signal(signal.SIGINT, before)
