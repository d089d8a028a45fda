"""A part of the appliance: a job on a thread of its own that is started again when it fails."""

import logging
import time
from collections.abc import Callable
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Generic, TypeVar

from firmware.errors import AnotherMatchError

Item = TypeVar("Item")
PAUSES_S = (0.5, 1.0, 2.0, 5.0, 10.0)
"""How long a part waits before it is started again: longer each time in a row that it fails."""
WELL_S = 30.0
"""A part that ran for so long has not failed in a row."""
HUNG_S = 10.0
"""A part that tells nothing of itself for so long is hung."""
BEAT_S = 0.05
"""Nothing waits longer than this without looking whether to stop."""


class Part:
    """A named job. It is started again until it returns or all is stopped; `error` says why it is not at work.

    `fatal`: why it has given up, where nothing may go on.
    """

    def __init__(self, name: str, job: "Callable[[Part], None]", stop: Event) -> None:
        self.name = name
        self.restarts = 0
        self.error: str | None = None
        self.fatal: AnotherMatchError | None = None
        self.cpu_s = 0.0
        self._job, self._stop = job, stop
        self._beaten = time.monotonic()
        self._in_a_row = 0
        self._thread = Thread(target=self._work, name=name, daemon=True)

    def start(self) -> None:
        """Set to work."""
        self._thread.start()

    def join(self, patience_s: float) -> bool:
        """Wait for its end; whether it has ended."""
        self._thread.join(max(0.0, patience_s))
        return not self._thread.is_alive()

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.is_alive()

    def beat(self) -> None:
        """The job tells that it goes on, from its own thread."""
        self.error = None
        self._beaten = time.monotonic()
        self.cpu_s = time.thread_time()

    @property
    def hung(self) -> bool:
        """Whether it is at work and has not told so for long."""
        return self.alive and self.error is None and time.monotonic() - self._beaten > HUNG_S

    def _work(self) -> None:
        while not self._stop.is_set():
            begun = time.monotonic()
            try:
                self._job(self)
                return
            except AnotherMatchError as error:
                self.fatal = error
                return
            except Exception as error:  # whatever it is, the other parts go on and this one is started again
                self.error = str(error) if _is_told(error) else f"{self.name} failed: {type(error).__name__}: {error}"
                self.restarts += 1
                self._in_a_row = 1 if time.monotonic() - begun > WELL_S else self._in_a_row + 1
                pause = PAUSES_S[min(self._in_a_row, len(PAUSES_S)) - 1]
                told = {"part": self.name, "error": self.error, "again_in_s": pause}
                log.error("failed", extra={"told": told}, exc_info=None if _is_told(error) else error)
            self._stop.wait(pause)


class Mailbox(Generic[Item]):
    """A bounded queue between two parts. `put` lets the oldest item go where there is no room, and counts it."""

    def __init__(self, size: int) -> None:
        self.dropped = 0
        self._items: Queue[Item] = Queue(size)

    def put(self, item: Item) -> None:
        """Add an item at once; for one sender."""
        while True:
            try:
                self._items.put_nowait(item)
                return
            except Full:
                if self.take(0) is not None:
                    self.dropped += 1

    def put_waiting(self, item: Item, stop: Event, beat: Callable[[], None]) -> None:
        """Add an item when there is room; nothing is let go, unless all is stopped. It tells that it waits."""
        while not stop.is_set():
            beat()
            try:
                self._items.put(item, timeout=BEAT_S)
                return
            except Full:
                continue

    def take(self, patience_s: float) -> Item | None:
        """The oldest item, or None where none comes."""
        try:
            return self._items.get(timeout=patience_s) if patience_s > 0 else self._items.get_nowait()
        except Empty:
            return None


def _is_told(error: Exception) -> bool:
    """Whether it is an error of ours, whose message says all."""
    return type(error).__module__.rpartition(".")[2] == "errors"


log = logging.getLogger("fairtray")
