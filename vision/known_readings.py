"""What was read of things that lie still, kept for as long as it holds: reading them takes longer than all else."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.read import Reading
from vision.rest import Past, dimmed, likeness, patch
from vision.resting import SAME_PLACE
from vision.settle import UNCHANGED_LOOK
from vision.track import Sighting

Look = npt.NDArray[np.float32]

TRIES, HOPELESS = 3, 0.1
"""What is not sure is read so often while its place looks the same, or once where it scores less than that."""
KEPT = 64
"""Of so many unsure things it is remembered what was read last: more than are judged in a picture, by far."""


@dataclass(frozen=True, slots=True)
class Unsure:
    """What was read last, and how often, at a place, px, that looks so (see `vision.rest.patch`)."""

    place: tuple[float, float]
    face_px: float
    look: Look
    reading: Reading
    times: int

    @property
    def stands(self) -> bool:
        """Whether no more is to be had of it."""
        return self.times >= TRIES or self.reading.score < HOPELESS

    def holds(self, thing: Sighting, picture: Past) -> bool:
        """Whether a thing lies there yet, and the place looks as it did, in the same light."""
        look, off = patch(picture, *self.place, self.face_px), math.dist(self.place, (thing.x, thing.y))
        alike = likeness(look, self.look) > UNCHANGED_LOOK and not dimmed(look, self.look)
        return off <= SAME_PLACE * self.face_px and alike


class KnownReadings:
    """The readings of things, by the numbers of their tracks."""

    def __init__(self) -> None:
        """Nothing has been read yet."""
        self._now: dict[int, Reading] = {}
        self._unsure: dict[int, Unsure] = {}

    @property
    def now(self) -> Mapping[int, Reading]:
        """What was read since something moved."""
        return self._now

    def forget(self) -> None:
        """Something moves: what was read surely says nothing about what will lie there."""
        self._now = {}

    def of(self, number: int, thing: Sighting, picture: Past) -> Reading | None:
        """The reading that stands yet. A sure one does while nothing moves; one that is not, once it was read again and
        again or is far from sure, for as long as its place looks so."""
        known = self._now.get(number)
        if known is not None and known.value is not None:
            return known
        unsure = self._unsure.get(number)
        if unsure is None or not (unsure.stands and unsure.holds(thing, picture)):
            return None
        self._now[number] = unsure.reading
        return unsure.reading

    def keep(self, number: int, thing: Sighting, picture: Past, face_px: float, reading: Reading) -> Reading:
        """Keep what was just read of a thing whose face there has so many px; the reading."""
        self._now[number] = reading
        before = self._unsure.pop(number, None)
        if reading.value is not None:
            return reading
        times = before.times + 1 if before is not None and before.holds(thing, picture) else 1
        look = patch(picture, thing.x, thing.y, face_px)
        self._unsure[number] = Unsure((thing.x, thing.y), face_px, look, reading, times)
        if len(self._unsure) > KEPT:
            del self._unsure[next(iter(self._unsure))]
        return reading
