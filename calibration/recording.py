"""A recording of somebody who sets up a tray: pictures of it, the empty tray, and the dice at rest."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import cv2
import numpy as np
import numpy.typing as npt

from calibration.sides import Lying
from vision.locate import locate
from vision.look import Spot, look
from vision.network import Networks
from vision.read import read_die
from vision.scale import find_die_px
from vision.source import Frame

Image = npt.NDArray[np.uint8]

SAMPLE_S = 0.2
"""Time between the pictures kept whole: dice lie in view for half a second at least."""
MOST_PICTURES = 80
SMALL_PX = 240
"""Longer side of the pictures kept of every frame."""
MOST_FRAMES = 3000
CALM = 12.0
"""Levels by which small pictures of two neighbouring frames may differ anywhere while nothing moves."""
SIZED_IN = 12
"""Pictures in which the dice's size is searched for; each costs about 0.1 s."""
SAME_PLACE = 0.15
"""Faces by which a die at rest is located elsewhere in the next picture at most."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Pictures of a recording in order: a few whole, BGR, with their times, and all small and grey (n, h, w)."""

    times: tuple[float, ...]
    small: npt.NDArray[np.uint8]
    pictures: tuple[tuple[float, Image], ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures, px."""
        height, width = self.pictures[0][1].shape[:2]
        return width, height

    @property
    def seconds(self) -> float:
        """Time from the first frame to the last."""
        return self.times[-1] - self.times[0] if self.times else 0.0

    @property
    def fps(self) -> float:
        """Frames a second, by the median step."""
        steps = np.diff(self.times)
        return 1 / float(np.median(steps)) if len(steps) and float(np.median(steps)) > 0 else 0.0

    @property
    def jitter_ms(self) -> float:
        """Spread of the steps between frames."""
        steps = np.diff(self.times)
        return 1000 * float(np.std(np.clip(steps, 0, 3 * np.median(steps)))) if len(steps) else 0.0


@dataclass(frozen=True, slots=True)
class Seen:
    """A die seen at rest: where, at what time, and its value, None where not sure."""

    lying: Lying
    t: float
    value: int | None


def record(frames: Iterable[Frame]) -> Recording | None:
    """The recording that these frames are; None where there is none."""
    times: list[float] = []
    small: list[Image] = []
    pictures: list[tuple[float, Image]] = []
    step, due = SAMPLE_S, 0.0
    for frame in frames:
        if not frame.sound:
            continue
        times.append(frame.t)
        factor = SMALL_PX / max(frame.image.shape[:2])
        grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
        shrunk = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        small.append(np.asarray(shrunk, np.uint8))
        if frame.t >= due or len(pictures) < 1:
            pictures.append((frame.t, frame.image))
            due += step
        if len(pictures) > MOST_PICTURES:  # every other one will do, here and from here on
            pictures, step = pictures[::2], 2 * step
        if len(times) >= MOST_FRAMES:
            break
    return Recording(tuple(times), np.array(small), tuple(pictures)) if times else None


def empty_tray(recording: Recording, networks: Networks, die_px: float | None) -> Image:
    """The tray with nothing in it, BGR: the median of the first calm pictures without dice, or of all."""
    calm = calm_frames(recording)
    first: list[Image] = []
    for t, picture in recording.pictures:
        at = int(np.searchsorted(recording.times, t))
        if not calm[min(at, len(calm) - 1)] or t > recording.times[0] + 6:
            break
        first.append(picture)
    if len(first) >= 3 and not (die_px and _dice_in(first[len(first) // 2], networks, die_px)):
        return _median(first[:15])
    return _median([picture for _, picture in recording.pictures][:: max(1, len(recording.pictures) // 25)])


def calm_frames(recording: Recording) -> npt.NDArray[np.bool_]:
    """(n,) whether nothing moves from the frame before to this one."""
    small = recording.small
    if len(small) < 2:
        return np.ones(len(small), np.bool_)
    blurred = [cv2.blur(picture, (5, 5)).astype(np.int16) for picture in small]
    moved = [float(np.percentile(np.abs(b - a), 99.7)) for a, b in pairwise(blurred)]
    return np.asarray([moved[0] < CALM, *(m < CALM for m in moved)], np.bool_)


def face_size(recording: Recording, networks: Networks) -> float | None:
    """About how many px a die's face has; None where no die is read at any size."""
    pictures = [picture for _, picture in recording.pictures]
    greys = [np.asarray(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), np.uint8) for p in pictures]
    die_px = find_die_px(networks, greys[:: -(-len(greys) // SIZED_IN)])
    if die_px is None:
        return None
    sizes = [size for grey in greys[:: -(-len(greys) // SIZED_IN)] for _, _, size in _dice_of(grey, networks, die_px)]
    return math.sqrt(die_px * median(sizes)) if sizes else die_px


def dice_seen(recording: Recording, networks: Networks, die_px: float) -> list[tuple[float, float]]:
    """Where dice can be read in any of the pictures, px."""
    greys = (np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8) for _, picture in recording.pictures)
    return [(x, y) for grey in greys for x, y, _ in _dice_of(grey, networks, die_px)]


def dice_at_rest(recording: Recording, networks: Networks, die_px: float) -> list[Seen]:
    """Every die once for each place it lay in, read at the size that was found."""
    found: list[Seen] = []
    before: list[tuple[float, float]] = []
    told: list[tuple[float, float]] = []
    for t, picture in recording.pictures:
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        now = [(x, y) for x, y, _ in _dice_of(grey, networks, die_px)]
        rest = [p for p in now if _near(p, before, SAME_PLACE * die_px)]
        for x, y in rest:
            if _near((x, y), told, 0.5 * die_px):
                continue
            reading = read_die(networks, [picture], x, y, die_px)
            place = reading.centre if reading.value is not None else (x, y)
            found.append(Seen(Lying(picture, *place, die_px, reading.angle), t, reading.value))
        told = rest
        before = now
    return found


def _near(place: tuple[float, float], others: Sequence[tuple[float, float]], reach: float) -> bool:
    return any(math.dist(place, other) < reach for other in others)


def _dice_in(picture: Image, networks: Networks, die_px: float) -> bool:
    return bool(_dice_of(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8), networks, die_px))


def _dice_of(grey: Image, networks: Networks, die_px: float) -> list[tuple[float, float, float]]:
    """Place and size of the things that can be read as dice in one picture."""
    things = locate(networks, grey, die_px)
    limits = networks.thresholds
    looks = look(networks, [Spot(grey, t.x, t.y, die_px) for t in things], turns=2)
    sure = (seen.scores.max() >= limits.sure and seen.blank < limits.blank for seen in looks)
    return [(t.x, t.y, t.size) for t, is_sure in zip(things, sure, strict=True) if is_sure]


def _median(pictures: Sequence[Image]) -> Image:
    """The median picture, band by band: a whole stack of large pictures is more than a small machine holds."""
    out = np.empty_like(pictures[0])
    for top in range(0, out.shape[0], 64):
        out[top : top + 64] = np.median([p[top : top + 64] for p in pictures], axis=0)
    return out
