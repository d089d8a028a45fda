"""A recording of somebody who sets up a tray: pictures of it, the empty tray, and the dice at rest."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

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
Place = tuple[float, float]

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
WARM, ALIKE = 0.4, (0.7, 1.4)
"""Of what the locator found: the least heat, and sizes beside a face's, of what may be a die that is not read."""
SAME_PLACE = 0.15
"""Faces by which a die at rest is located elsewhere in the next picture at most."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Pictures of a recording in order: a few whole, BGR, with their times, and all small and grey (n, h, w). cut:
    whether it goes on, and nobody has looked at that."""

    times: tuple[float, ...]
    small: npt.NDArray[np.uint8]
    pictures: tuple[tuple[float, Image], ...]
    cut: bool = False

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
    """A die seen at rest: where, from what time `until` when, and its value, None where not sure. plain: whether it is
    plainly a die; what is not may be one that cannot be read here, if it lies on the floor."""

    lying: Lying
    t: float
    value: int | None
    plain: bool = True
    until: float = math.inf


@dataclass(frozen=True, slots=True)
class _Thing:
    """What the locator found: its place and size, px, how hot it is, if that makes it a thing by itself, and whether a
    face is seen and can be read."""

    place: Place
    size: float
    heat: float
    solid: bool
    face: bool
    read: bool

    @property
    def plain(self) -> bool:
        """Whether it is plainly a die."""
        return self.face and self.read

    def may_be_die(self, die_px: float) -> bool:
        """Whether it may be a die whose value is not sure."""
        warm = self.solid or (self.face and self.heat >= WARM)
        return warm and ALIKE[0] < self.size / die_px < ALIKE[1]


def record(frames: Iterable[Frame], longest_s: float = math.inf) -> Recording | None:
    """The recording that these frames are, or the first of them; None where there is none."""
    times: list[float] = []
    small: list[Image] = []
    pictures: list[tuple[float, Image]] = []
    step, due, cut = SAMPLE_S, 0.0, False
    for frame in frames:
        cut = frame.t > longest_s or len(times) >= MOST_FRAMES
        if cut:
            break
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
    return Recording(tuple(times), np.array(small), tuple(pictures), cut) if times else None


def empty_tray(recording: Recording, networks: Networks, die_px: float | None) -> Image:
    """The tray with nothing in it, BGR: the median of the first calm pictures without dice, or of all."""
    first: list[Image] = []
    for (t, picture), calm in zip(recording.pictures, _are_calm(recording), strict=True):
        if not calm or t > recording.times[0] + 6:
            break
        first.append(picture)
    if len(first) >= 3 and not (die_px and _dice_in(first[len(first) // 2], networks, die_px)):
        return _median(first[:15])
    return _median([picture for _, picture in recording.pictures][:: max(1, len(recording.pictures) // 25)])


def last_calm(recording: Recording, count: int) -> list[Image]:
    """The last pictures, so many at most, in which nothing moves, BGR."""
    return [picture for _, picture in calm_pictures(recording)][-count:]


def calm_pictures(recording: Recording) -> list[tuple[float, Image]]:
    """The pictures kept whole in which nothing moves, BGR, and when they were taken."""
    return [each for each, calm in zip(recording.pictures, _are_calm(recording), strict=True) if calm]


def _are_calm(recording: Recording) -> list[bool]:
    """Of each picture kept whole, whether nothing moves in it."""
    calm = calm_frames(recording)
    at = np.searchsorted(recording.times, [t for t, _ in recording.pictures])
    return [bool(each) for each in calm[np.minimum(at, len(calm) - 1)]]


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
    return find_die_px(networks, greys[:: -(-len(greys) // SIZED_IN)])


def dice_seen(recording: Recording, networks: Networks, die_px: float) -> list[tuple[float, float]]:
    """Where dice can be read in any of the pictures, px."""
    greys = (np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8) for _, picture in recording.pictures)
    return [place for grey in greys for place in _dice_of(grey, networks, die_px)]


def dice_at_rest(recording: Recording, networks: Networks, die_px: float) -> list[Seen]:
    """Every die once for each place it lay in, read at the size that was found, and what may be one unread."""
    found: list[Seen] = []
    before: list[Place] = []
    told: list[tuple[Place, int]] = []
    for t, picture in recording.pictures:
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        things = _things(grey, networks, die_px)
        rest: list[tuple[Place, int]] = []
        for place, plain in ((thing.place, thing.plain) for thing in things if thing.plain or thing.may_be_die(die_px)):
            if not _near(place, before, SAME_PLACE * die_px):
                continue
            known = next((k for other, k in told if math.dist(place, other) < 0.5 * die_px), None)
            if known is None:
                known = len(found)
                found.append(_seen(networks, picture, place, die_px, t, plain))
            elif plain and not found[known].plain:
                found[known] = _seen(networks, picture, place, die_px, found[known].t, plain)
            found[known] = replace(found[known], until=t)
            rest.append((place, known))
        told = rest
        before = [thing.place for thing in things]
    return found


def _seen(networks: Networks, picture: Image, place: Place, die_px: float, t: float, plain: bool) -> Seen:
    """What lies at a place, read if it is plainly a die."""
    if not plain:
        return Seen(Lying(picture, *place, die_px, 0.0), t, None, plain)
    reading = read_die(networks, [picture], *place, die_px)
    at = reading.centre if reading.value is not None else place
    return Seen(Lying(picture, *at, die_px, reading.angle), t, reading.value)


def _near(place: tuple[float, float], others: Sequence[tuple[float, float]], reach: float) -> bool:
    return any(math.dist(place, other) < reach for other in others)


def _dice_in(picture: Image, networks: Networks, die_px: float) -> bool:
    return bool(_dice_of(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8), networks, die_px))


def _dice_of(grey: Image, networks: Networks, die_px: float) -> list[Place]:
    """Where in one picture things can be read as dice, px."""
    return [thing.place for thing in _things(grey, networks, die_px) if thing.plain]


def _things(grey: Image, networks: Networks, die_px: float) -> list[_Thing]:
    """What is like a die in one picture."""
    things, limits = locate(networks, grey, die_px), networks.thresholds
    looks = look(networks, [Spot(grey, t.x, t.y, die_px) for t in things], turns=2)
    return [
        _Thing(
            (t.x, t.y),
            t.size,
            t.heat,
            solid=t.heat >= limits.solid,
            face=seen.blank < limits.blank,
            read=bool(seen.scores.max() >= limits.sure),
        )
        for t, seen in zip(things, looks, strict=True)
    ]


def _median(pictures: Sequence[Image]) -> Image:
    """The median picture, band by band: a whole stack of large pictures is more than a small machine holds."""
    out = np.empty_like(pictures[0])
    for top in range(0, out.shape[0], 64):
        out[top : top + 64] = np.median([p[top : top + 64] for p in pictures], axis=0)
    return out
