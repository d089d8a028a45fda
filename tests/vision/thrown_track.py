"""Tracks of dice as a watcher follows them, for tests."""

from tests.vision.drawn_tray import DIE_PX
from vision.track import Sighting, Track


def track(
    x: float = 300.0, y: float = 240.0, free: float | None = 1.0, still: bool = False, travel: float = 5.0
) -> Track:
    """A die that rolled on by itself, away from any hand since `free` s."""
    sighting = Sighting(x, y, DIE_PX, 0.9, still, near_body=False)
    made = Track(1, sighting, 2.0, 1.0, sighting, travel=travel, heat=0.9, steps=10, tumbles=4)
    made.free = None if free is None else (free, round(30 * free))
    return made
