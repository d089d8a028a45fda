"""The camera of a recording as a scenario sets it up, and what befalls it, its clock and the view."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from models.sim.camera import VIDEO
from models.sim.clock import Clock, jittering, mistaken, set_at, steady, without
from models.sim.conditions import Conditions, Lost
from scorer.events import ViewFault

FPS = 30.0
SHUTTER_S = 1 / 80
BRIGHT_S, DIM_S = 1 / 250, 1 / 30
STOPPED_S = 0.5
"""A longer gap between frames loses the view."""
NOTHING = Conditions()


class Rig:
    """The camera while a scenario is acted; all moments are seconds of the stage's clock."""

    def __init__(self, fps: float = FPS, shutter_s: float = SHUTTER_S) -> None:
        """`shutter_s`: how long the shutter is open for each frame, in s."""
        self.fps = fps
        self.shutter_s = shutter_s
        self.camera = VIDEO
        self._faults: list[Callable[[Clock], Clock]] = []
        self._conditions: dict[str, Any] = {}

    def adapt_to(self, dimness: float) -> None:
        """Set shutter and sensor for light from bright (0: 1/250 s, clean) to dim (1: 1/30 s, noisy)."""
        self.shutter_s = min(BRIGHT_S * (DIM_S / BRIGHT_S) ** dimness, 0.9 / self.fps)
        shot, read = VIDEO.shot_noise * 20**dimness, VIDEO.read_noise * 5**dimness
        self.camera = replace(VIDEO, shot_noise=shot, read_noise=read)

    def set_rate(self, fps: float) -> None:
        """Frames a second; the shutter is never open for longer than a frame lasts."""
        self.fps, self.shutter_s = fps, min(self.shutter_s, 0.9 / fps)

    def drop(self, start: float, seconds: float) -> None:
        """The frames of these seconds never come."""
        self._faults.append(lambda clock: without(clock, start, start + seconds))
        if seconds > STOPPED_S:
            self.lose("frames_stopped", start, start + seconds)

    def jitter(self, most_s: float, rng: np.random.Generator) -> None:
        """All stamps are a little wrong, by up to `most_s`, less than half a frame."""
        self._faults.append(lambda clock: jittering(clock, most_s, rng))

    def set_clock(self, t: float, by: float) -> None:
        """The camera's clock is set `by` s forward or back at `t`, back never by more than has gone by."""
        self._faults.append(lambda clock: set_at(clock, t, by))
        if by > STOPPED_S:
            self.lose("frames_stopped", t, t)

    def mistake(self, t: float, by: float) -> None:
        """One frame's stamp is wrong by so much."""
        self._faults.append(lambda clock: mistaken(clock, t, by))

    def clock(self, seconds: float) -> Clock:
        """The clock of a recording of so many seconds with all that befell it."""
        clock = steady(self.fps, seconds, self.shutter_s)
        for fault in self._faults:
            clock = fault(clock)
        return clock

    # --- the view ---

    def lose(self, cause: ViewFault, start: float, end: float) -> None:
        """Between these moments the view cannot be trusted."""
        self.meets(lost=Lost(cause, start, end))

    def meets(self, **conditions: object) -> None:
        """One more of the named `Conditions`, or its one value."""
        for name, value in conditions.items():
            several = isinstance(getattr(NOTHING, name), tuple)
            self._conditions[name] = (*self._conditions.get(name, ()), value) if several else value

    @property
    def conditions(self) -> Conditions:
        """All that befell the view."""
        return Conditions(**self._conditions)
