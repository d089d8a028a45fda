"""The parts that keep evidence: one takes the watched frames in, one writes to the disk, and neither delays a frame."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, Full, Queue, SimpleQueue
from threading import Event

from firmware.evidence.choosing import Chooser, Due
from firmware.evidence.ring import Recorder
from firmware.evidence.store import Store
from firmware.match import Facts
from firmware.play.parts import BEAT_S, Mailbox, Part
from firmware.play.seeing import Looked

FRAMES = 3
"""So many watched frames may wait to be compressed; they are large."""
PIECES = 3
"""So many pieces of evidence may wait for the disk."""
PATIENCE_S = 1.0
"""A ruling waits no longer for the frame that it was made on to be compressed."""


@dataclass(frozen=True, slots=True)
class _Told:
    """What was seen and ruled by second `t`, and when that was heard (monotonic)."""

    t: float
    facts: Facts
    at: float


class Evidence:
    """What the parts that watch and rule hand over, and what waits for the disk."""

    def __init__(self, seconds: float, memory_mb: float) -> None:
        self.looked = Mailbox[Looked](FRAMES)
        self._told: deque[_Told] = deque()
        self._recorder = Recorder(seconds, memory_mb)
        self._chooser = Chooser(self._recorder)
        self._due: Queue[Due] = Queue(PIECES)
        self._lost: SimpleQueue[tuple[tuple[int, ...], int]] = SimpleQueue()
        self._dropped = 0
        self._writing = False

    def tell(self, t: float, facts: Facts) -> None:
        """This was seen, said and ruled by second `t`."""
        self._told.append(_Told(t, facts, time.monotonic()))

    @property
    def idle(self) -> bool:
        """Whether nothing waits to be kept."""
        waits = self._told or self._due.qsize() or self._lost.qsize()
        return not waits and not self._writing

    def take(self) -> None:
        """Take in the next frame, and what was ruled by then."""
        looked = self.looked.take(BEAT_S)
        if looked is not None:
            self._recorder.see(looked.frame, looked.geometry, looked.view)
        while self._told and self._is_time(self._told[0]):
            for due in self._chooser.choose(self._told[0].facts):
                self._hand_on(due)
            self._told.popleft()

    def write(self, store: Store) -> None:
        """Write the next piece, and tell what could not be kept."""
        try:
            due = self._due.get(timeout=BEAT_S)
        except Empty:
            due = None
        self._writing = True
        try:
            if due is not None:
                store.store(due)
            while self._lost.qsize():
                store.lost(*self._next_lost())
        finally:
            self._writing = False

    def give_up(self, store: Store) -> None:
        """All is stopped: tell what is not kept any more."""
        left: list[int] = []
        while self._due.qsize():
            left += self._due.get_nowait().entries
        store.lost(left, "stopped")

    def _is_time(self, told: _Told) -> bool:
        return self._recorder.t >= told.t or time.monotonic() - told.at > PATIENCE_S

    def _hand_on(self, due: Due) -> None:
        dropped, self._dropped = self.looked.dropped - self._dropped, self.looked.dropped
        if dropped:
            self._lost.put(((), dropped))
        try:
            self._due.put_nowait(due)
        except Full:
            self._lost.put((due.entries, len(due.frames.pictures)))

    def _next_lost(self) -> tuple[tuple[int, ...], str, int]:
        numbers, frames = self._lost.get_nowait()
        return numbers, "too_slow", frames


class Recording:
    """The part that takes frames in."""

    def __init__(self, evidence: Evidence, stop: Event) -> None:
        self._evidence, self._stop = evidence, stop

    def __call__(self, part: Part) -> None:
        """Take in until all is stopped."""
        while not self._stop.is_set():
            self._evidence.take()
            part.beat()


class Storing:
    """The part that writes to the disk, and closes a match that is over once all is written."""

    def __init__(self, evidence: Evidence, store: Store, stop: Event, is_over: Callable[[], bool] = bool) -> None:
        self._evidence, self._store, self._stop, self._is_over = evidence, store, stop, is_over

    def __call__(self, part: Part) -> None:
        """Write until all is stopped."""
        while not self._stop.is_set():
            self._evidence.write(self._store)
            if self._is_over() and self._evidence.idle:
                self._store.close()
            part.beat()
        self._evidence.give_up(self._store)
