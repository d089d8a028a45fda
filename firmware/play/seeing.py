"""The part that watches: frames in, what was seen in them out. Where none come it says that the view is lost."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event

from firmware.play.capture import Frames, From
from firmware.play.parts import BEAT_S, Mailbox, Part
from firmware.play.vitals import Vitals
from scorer.events import DiceAtRest, TrayEvent, ViewFault, ViewLost, ViewRestored
from vision.geometry import TrayGeometry
from vision.source import Frame
from vision.view import Phase, TrayView
from vision.watcher import Watcher

STALLED_S = 1.0
"""A camera that sends nothing for so long has lost the view."""
STOPPED: ViewFault = "frames_stopped"
ANEW: ViewFault = "not_watched"
"""Nobody watched until now: who goes on with a match, or watches anew, knows none of its dice."""
WAITING = 300
"""While so much waits to be ruled on, as for a full disk, moments at which nothing happened are not put to it."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen at second `t`, in a frame that came at `taken` (monotonic); `phase` None: no frame came.

    `last`: the recording is over.
    """

    t: float
    frame: int
    taken: float
    events: tuple[TrayEvent, ...]
    phase: Phase | None
    last: bool = False


@dataclass(frozen=True, slots=True)
class Looked:
    """A frame that was looked at, what was seen in it, and where the tray lies in it."""

    frame: Frame
    view: TrayView
    geometry: TrayGeometry


class Seeing:
    """Watches a tray. A watcher that is made anew goes on with other numbers for the dice, as it knows none of them."""

    def __init__(
        self, make: Callable[[int], Watcher], frames: Frames, seen: SimpleQueue[Seen], vitals: Vitals, stop: Event,
        live: bool, after: From, last_die: int, lookers: Sequence[Mailbox[Looked]] = (),
    ) -> None:  # fmt: skip
        """`make` gives a watcher whose first die gets this number; `after` and `last_die` of a match that goes on.

        Each of the `lookers` gets every frame with what was seen in it.
        """
        self._make, self._frames, self._seen, self._live = make, frames, seen, live
        self._vitals, self._stop = vitals, stop
        self._t, self._frame, self._came = after.t, after.frame, time.monotonic()
        self._die = last_die
        self._lookers = lookers
        self._lost: ViewFault | None = None

    def __call__(self, part: Part) -> None:
        """Watch until the recording is over or all is stopped."""
        watcher = self._make(self._die + 1)
        if self._frame >= 0:
            self._lose(ANEW)
        while not self._stop.is_set():
            taken = self._frames.take(BEAT_S)
            part.beat()
            if taken is None:
                if self._live and self._stalled(watcher):
                    self._lose()
            elif taken.frame is None:
                self._tell([], None, last=True)
                return
            else:
                self._see(watcher, taken.frame, taken.at)

    def _see(self, watcher: Watcher, frame: Frame, at: float) -> None:
        events = watcher.step(frame)
        self._t, self._frame, self._came = frame.t, frame.index, at
        if self._lost is not None:
            events = self._found(events, frame)
        dice = [die.id for event in events if isinstance(event, DiceAtRest) for die in event.dice]
        self._die = max([self._die, *dice])
        for looker in self._lookers:
            looker.put(Looked(frame, watcher.view, watcher.geometry))
        self._tell(events, watcher.view.phase)

    def _stalled(self, watcher: Watcher) -> bool:
        """Whether frames fail to come while the view was sound."""
        waited = time.monotonic() - self._came
        return self._frame >= 0 and waited >= STALLED_S and watcher.view.fault is None

    def _lose(self, cause: ViewFault = STOPPED) -> None:
        if self._lost is None or cause == ANEW:
            self._lost = cause
            self._vitals.trouble("view", "no pictures come: look to the camera")
            waited = max(0.0, time.monotonic() - self._came)
            lost = ViewLost(cause=cause, t=self._t, frame=self._frame, t_said=self._t + waited)
            self._tell([lost], None)

    def _found(self, events: Sequence[TrayEvent], frame: Frame) -> list[TrayEvent]:
        """Frames come again: the watcher may have noticed the gap too, and says so once more."""
        cause, self._lost = self._lost or STOPPED, None
        self._vitals.trouble("view", None)
        told = [event for event in events if not (isinstance(event, ViewLost) and event.cause == STOPPED)]
        if not any(isinstance(event, ViewRestored) and event.cause == cause for event in told):
            told.insert(0, ViewRestored(cause=cause, t=frame.t, frame=frame.index, t_said=frame.t))
        return told

    def _tell(self, events: Sequence[TrayEvent], phase: Phase | None, last: bool = False) -> None:
        if not (events or last) and self._seen.qsize() >= WAITING:
            return
        self._seen.put(Seen(self._t, self._frame, self._came, tuple(events), phase, last))
