"""The camera of a recording as a scenario sets it up, and what befalls it and its clock."""

from collections.abc import Callable

import numpy as np

from models.sim.clock import Clock, jittering, mistaken, set_at, steady, without

FPS = 30.0
SHUTTER_S = 1 / 80


class Rig:
    """The camera while a scenario is acted; all moments are seconds of the stage's clock."""

    def __init__(self, fps: float = FPS, shutter_s: float = SHUTTER_S) -> None:
        """`shutter_s`: how long the shutter is open for each frame, in s."""
        self.fps = fps
        self.shutter_s = shutter_s
        self._faults: list[Callable[[Clock], Clock]] = []

    def drop(self, start: float, seconds: float) -> None:
        """The frames of these seconds never come."""
        self._faults.append(lambda clock: without(clock, start, start + seconds))

    def jitter(self, most_s: float, rng: np.random.Generator) -> None:
        """All stamps are a little wrong, by up to `most_s`, less than half a frame."""
        self._faults.append(lambda clock: jittering(clock, most_s, rng))

    def set_clock(self, t: float, by: float) -> None:
        """The camera's clock is set `by` s forward or back at `t`, back never by more than has gone by."""
        self._faults.append(lambda clock: set_at(clock, t, by))

    def mistake(self, t: float, by: float) -> None:
        """One frame's stamp is wrong by so much."""
        self._faults.append(lambda clock: mistaken(clock, t, by))

    def clock(self, seconds: float) -> Clock:
        """The clock of a recording of so many seconds with all that befell it."""
        clock = steady(self.fps, seconds, self.shutter_s)
        for fault in self._faults:
            clock = fault(clock)
        return clock
