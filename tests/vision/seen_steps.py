"""Steps of tracks for tests: what is seen goes on in the sighting of its number."""

from dataclasses import replace

from vision.steps import Steps
from vision.track import Sighting, Track

FACE, STEP = 20.0, 1 / 30


def at(x: float, y: float = 240.0, heat: float = 0.9) -> Sighting:
    """What moves away from hands."""
    return Sighting(x, y, FACE, heat, still=False, near_body=False)


def steps(before: list[Sighting], now: list[Sighting], lying: bool = False) -> Steps:
    """Each goes on in the sighting of its number, as far as there is one; the other sightings are new."""
    tracks = [Track(n + 1, seen, 0.0, 0.0, seen, die=n + 1 if lying else None) for n, seen in enumerate(before)]
    return Steps(tracks, now, dict(enumerate(tracks[: len(now)])), STEP, FACE)


LAY = replace(at(200.0), still=True)
"""A die that lies where another flies to from the left."""


def hit(*now: Sighting, by: Sighting, fps: float = 30.0) -> Steps:
    """The die that lay there and `by` go on in the first two sightings; what else is seen is new."""
    tracks = [Track(1, LAY, 0.0, 0.0, LAY, die=1), Track(2, by, 0.0, 0.0, by)]
    return Steps(tracks, now, {0: tracks[0], 1: tracks[1]}, 1 / fps, FACE)
