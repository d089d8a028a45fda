"""Where the frames of a match come from: the Pi's camera, or what `vision` can open; and stopping them."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Self

from hardware.camera import open_camera
from vision.source import Frame, FrameSource, open_source

CAMERA = "camera"


class PiCamera:
    """The Pi's camera as a source of frames without an end."""

    frame_count: int | None = None

    def __init__(self) -> None:
        """Raises HardwareError where there is no camera."""
        self._camera = open_camera()
        self.size, self.fps = self._camera.size, self._camera.fps

    def __iter__(self) -> Iterator[Frame]:
        """The frames as the camera takes them, timed by its sensor."""
        for index, t, image in self._camera:
            yield Frame(index, t, image)

    def close(self) -> None:
        """Let go of the camera."""
        self._camera.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


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
