"""Frames from a camera that may fail and come back, or from a recording, on the one clock of the match."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event

from firmware.errors import SourceEndedError
from firmware.play.parts import HUNG_S, Mailbox, Part
from vision.source import Frame, FrameSource

QUEUED = 2
"""Frames that may wait to be looked at; more are not worth their memory."""
NEXT_S = 0.001
"""Frames are at least so far apart, whatever their stamps say after a camera was opened again."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A frame and when it came, by the monotonic clock; without one the recording is over."""

    at: float
    frame: Frame | None


Frames = Mailbox[Taken]


@dataclass(frozen=True, slots=True)
class From:
    """Where in the match its frames go on: after second `t` and frame `frame`."""

    t: float = 0.0
    frame: int = -1


class Camera:
    """The capture of a camera: opened again and again until it gives pictures; a slow watcher costs it old frames."""

    def __init__(
        self, source: FrameSource, reopen: Callable[[], FrameSource], frames: Frames, stop: Event, after: From
    ) -> None:
        self._source: FrameSource | None = source
        self._reopen, self._frames, self._stop = reopen, frames, stop
        self._start = after.t - time.monotonic() if after.frame >= 0 else None
        self._t, self._index = after.t, after.frame

    def __call__(self, part: Part) -> None:
        """Capture until all is stopped.

        Raises:
            SourceEndedError, or as the source's opening does: there is no camera, or it sends nothing any more.
        """
        source, self._source = self._source or self._reopen(), None
        base: float | None = None
        with source:
            for frame in source:
                now = time.monotonic()
                self._start = -now if self._start is None else self._start
                base = self._start + now - frame.t if base is None else base
                self._index += 1
                self._t = max(base + frame.t, self._t + NEXT_S) if self._index else 0.0
                self._frames.put(Taken(now, replace(frame, index=self._index, t=self._t)))
                part.beat()
                if self._stop.is_set():
                    return
        raise SourceEndedError("the camera sends no pictures any more: check its cable")


class Recording:
    """The capture of a recording: at its own pace, and waiting for a slow watcher."""

    def __init__(self, source: FrameSource, frames: Frames, stop: Event, fast_until: float) -> None:
        """Up to second `fast_until` (infinity: to the end) it is played as fast as it can be watched."""
        self._source, self._frames, self._stop, self._fast_until = source, frames, stop, fast_until

    def __call__(self, part: Part) -> None:
        """Capture to the end."""
        begun: float | None = None
        with self._source as source:
            for frame in source:
                if frame.t > self._fast_until:
                    begun = time.monotonic() - frame.t if begun is None else begun
                    self._wait_until(begun + frame.t, part)
                self._frames.put_waiting(Taken(time.monotonic(), frame), self._stop, part.beat)
                if self._stop.is_set():
                    return
        self._frames.put_waiting(Taken(time.monotonic(), None), self._stop, part.beat)

    def _wait_until(self, due: float, part: Part) -> None:
        """Frames may be far apart."""
        while (left := due - time.monotonic()) > 0 and not self._stop.wait(min(left, HUNG_S / 2)):
            part.beat()
