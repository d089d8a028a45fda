"""The camera's clock: when each frame of a recording was taken, and the stamp that the file gives it."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Clock:
    """The frames that a recording holds, all times in s.

    `fps` is the camera's own rate. `taken` are the moments at which the frames' shutters open, rising; the shutter
    stays open for `shutter_s`. `stamps` are what the file says of them, rising or not; `times` are what is to be made
    of the stamps: never falling, and 0 at the first frame.
    """

    fps: float
    shutter_s: float
    taken: tuple[float, ...]
    stamps: tuple[float, ...]
    times: tuple[float, ...]

    @property
    def frames(self) -> int:
        """How many frames there are."""
        return len(self.taken)

    def frame_from(self, t: float) -> int:
        """The first frame taken at `t` or later (the number of frames where there is none)."""
        return bisect_left(self.taken, t - 1e-9)

    def middle(self, frame: int) -> float:
        """The moment that a frame shows: the middle of its exposure. Frames beyond the last go on evenly."""
        beyond = max(frame - self.frames + 1, 0)
        return self.taken[frame - beyond] + beyond / self.fps + self.shutter_s / 2

    def time_of(self, frame: int) -> float:
        """What the stamps make of the frame's time, of the last frame's for those beyond it."""
        return self.times[min(frame, self.frames - 1)]

    def told(self, t: float) -> float:
        """What the stamps make of any moment: the time of the frame before it and as much as went by since."""
        frame = max(bisect_right(self.taken, t) - 1, 0)
        return self.times[frame] + t - self.taken[frame]

    def until(self, t: float) -> "Clock":
        """The clock of a recording that ends at `t`."""
        n = self.frame_from(t)
        return Clock(self.fps, self.shutter_s, self.taken[:n], self.stamps[:n], self.times[:n])


def steady(fps: float, seconds: float, shutter_s: float) -> Clock:
    """A clock that misses nothing."""
    taken = tuple(frame / fps for frame in range(round(seconds * fps)))
    return Clock(fps, shutter_s, taken, taken, taken)


def without(clock: Clock, start: float, end: float) -> Clock:
    """The clock of a recording from which the frames taken from `start` to `end` were dropped."""
    kept = [frame for frame, t in enumerate(clock.taken) if not start <= t < end]
    return _with_frames(clock, kept)


def jittering(clock: Clock, most_s: float, rng: np.random.Generator) -> Clock:
    """The clock with every stamp but the first off by up to `most_s` (less than half a frame), so that all rise."""
    off = np.append(0.0, rng.uniform(-most_s, most_s, clock.frames - 1))
    stamps, times = (tuple(float(v) for v in np.add(values, off)) for values in (clock.stamps, clock.times))
    return Clock(clock.fps, clock.shutter_s, clock.taken, stamps, times)


def set_at(clock: Clock, t: float, by: float) -> Clock:
    """The camera's clock is set `by` forward or back at `t`: a gap, or stamps that fall and time that goes on."""
    first = clock.frame_from(t)
    stamps = clock.stamps[:first] + tuple(stamp + by for stamp in clock.stamps[first:])
    times = clock.times[:first] + tuple(time + max(by, 0.0) for time in clock.times[first:])
    return Clock(clock.fps, clock.shutter_s, clock.taken, stamps, times)


def mistaken(clock: Clock, t: float, by: float) -> Clock:
    """One frame's stamp is wrong by so much; its time is not."""
    frame = clock.frame_from(t)
    stamps = (*clock.stamps[:frame], clock.stamps[frame] + by, *clock.stamps[frame + 1 :])
    return Clock(clock.fps, clock.shutter_s, clock.taken, stamps, clock.times)


def _with_frames(clock: Clock, kept: list[int]) -> Clock:
    taken, stamps, times = (
        tuple(values[frame] for frame in kept) for values in (clock.taken, clock.stamps, clock.times)
    )
    return Clock(clock.fps, clock.shutter_s, taken, stamps, times)
