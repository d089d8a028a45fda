"""How the appliance is: what `fairtray status` and the health endpoint answer."""

import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from firmware.play.parts import Part
from scorer.state import State
from vision.view import Phase

SPAN_S = 2.0
"""Frames a second and latency are those of the last seconds."""
FRESH_S = 1.0
"""Without a frame for so long it does not watch."""
LEDGER = "ledger"
"""The trouble of a ledger that cannot be written, for which the parts that write in it wait."""
_WRITING = ("rule", "store")
_NEEDED = ("watch", "rule")
"""Nothing is ruled without them, and neither waits for hardware: where one hangs, only a restart helps."""
_BESIDE = ("terminal",)
"""Whoever holds their terminal up (Ctrl-S, a pager) holds up nobody's play."""
_HANGS = {
    "capture": "the camera does not answer: check its cable",
    "rule": "nothing can be ruled: does the disk answer?",
    "store": "no evidence can be kept: does the disk answer?",
}


class Vitals:
    """Counts and troubles, told by the parts from their own threads, each its own."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun = clock()
        self._seen: deque[tuple[float, float]] = deque(maxlen=512)
        self._troubles: dict[str, str] = {}
        self._parts: Sequence[Part] = ()
        self._dropped: Callable[[], int] = lambda: 0
        self.phase: Phase | None = None
        self.match: str = ""
        self.state: State | None = None

    def watch(self, parts: Sequence[Part], dropped: Callable[[], int]) -> None:
        """The parts to tell of, and how many frames have been dropped so far."""
        self._parts, self._dropped = parts, dropped

    def seen(self, taken: float, phase: Phase) -> None:
        """A frame that was taken at `taken` of the clock has been ruled on."""
        now = self._clock()
        self._seen.append((now, now - taken))
        self.phase = phase

    def trouble(self, part: str, text: str | None) -> None:
        """What people must know is wrong with a part; None: nothing any more."""
        if text is None:
            self._troubles.pop(part, None)
        else:
            self._troubles[part] = text

    def done(self) -> bool:
        """Whether the match is over, and the referee looks into nothing any more."""
        return self.state is not None and self.state.done

    @property
    def worst(self) -> str | None:
        """What is wrong, the first thing of it, in words for the display."""
        failed = [part.error for part in self._parts if part.error]
        hung = [_HANGS.get(name, f"{name} does not answer") for name in self._hung if name not in _BESIDE]
        return next(iter([*self._troubles.values(), *hung, *failed]), None)

    @property
    def stuck(self) -> bool:
        """Whether a part hangs without which nothing is ruled."""
        return any(name in _NEEDED for name in self._hung)

    @property
    def _hung(self) -> list[str]:
        """The parts that hang; not those that wait until the ledger can be written."""
        waiting = _WRITING if LEDGER in self._troubles else ()
        return [part.name for part in self._parts if part.hung and part.name not in waiting]

    def told(self) -> dict[str, Any]:
        """All of it, as JSON. `latency_ms`: from a frame's taking to what was ruled on it, the median."""
        now, seen = self._clock(), list(self._seen)
        lately = [late for t, late in seen if now - t <= SPAN_S]
        span = min(SPAN_S, now - self._begun)
        fresh = bool(seen) and now - seen[-1][0] <= FRESH_S
        state, hung = self.state, self._hung
        return {
            "ready": fresh and self.worst is None,
            "state": self._state(fresh),
            "fps": round(len(lately) / span, 1) if span > 0 else 0.0,
            "latency_ms": round(1000 * median(lately), 1) if lately else None,
            "dropped": self._dropped(),
            "rss_mb": round(resident_mb(), 1),
            "uptime_s": round(now - self._begun, 1),
            "trouble": self.worst,
            "match": self.match,
            "player": state.player if state and not state.over else None,
            "roll": state.roll if state and not state.over else None,
            "parts": {
                part.name: {
                    "alive": part.alive,
                    "hung": part.name in hung,
                    "restarts": part.restarts,
                    "cpu_s": round(part.cpu_s, 2),
                }
                for part in self._parts
            },
        }

    def _state(self, fresh: bool) -> str:
        """`starting`, `over`, or what goes on in the tray; `lost` where nothing is seen of it."""
        if self.state is not None and self.state.over:
            return "over"
        if self.phase is None:
            return "starting"
        return self.phase if fresh else "lost"


def resident_mb() -> float:
    """Resident memory of this process in MB."""
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
