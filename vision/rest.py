"""Whether a die is at rest: its surroundings look as they did all through the last 150 ms.

The place is compared with itself, not the die's located centre: a die that spins on its face or rolls slowly keeps its
centre for several frames, and is read with confidence, but its picture changes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]
Place = tuple[float, float]

LAG_S, SHORT_LAG_S = 0.15, 0.05
"""The long lag shows slow motion at any frame rate; between it and now all frames show rocking that returns: the two of
both lags missed a die that rocked seven times a second. The short one tells what moves now."""
SLACK_S = 0.02
"""A frame counts as one lag old when it is this much younger, so that low frame rates do not wait a frame more."""
ALIKE = 0.997
"""Correlation that a shift of 0.03 die does not reach (measured on filmed dice), nor a turn of 2 degrees: a die may
turn on its face ever more slowly before it rests."""
LAIN = 0.993
"""Likeness of a die's place from which it lay there: of 80 filmed rests, in a trial that no command repeats, their
times were then 4 ms late in the mean and one was off by more than 100 ms; with .99 here and .995 above 6 ms early and
three. That nothing moves any more is told by the stricter one, which leaving shadows of hands do not reach."""
SHADED, DIMMED = 0.95, 0.1
"""So alike a place is that a passing shadow dims, the logarithm of the brightness about the die changed by more: one
that rocks may shine, but the floor beside it does not. Both chosen: one shadow met left .977."""
NOISY = 0.9
NOISE_FACTOR = 1.5
"""Noise takes no more of the likeness, beside what it takes on average, than this multiple of that on the bare floor
beside the dice. (A die cannot tell its own noise: one that rocks differs as much from frame to frame as over the whole
lag.)"""
MOST_NOISE = 0.05
"""Share of what differs in a patch that is taken for noise at most: twice too much noise would hide a turn of 6 degrees
of a die that hardly stands out."""
FINE_PX = 28.0
PATCH_FACES = 1.4
PATCH_PX = 32
SWAYS = 0.03
"""Faces by which a swaying stand has moved the picture between two that are compared, at most, for that to be taken out
of what differs: chosen, little more than a pixel, beyond which first order does not hold."""
RING = np.pad(np.zeros((PATCH_PX - 6, PATCH_PX - 6), bool), 3, constant_values=True)
"""What of a patch (32, 32) is about the die."""


@dataclass(frozen=True, slots=True)
class Past:
    """One frame kept for comparison: its time in s, its grey picture (h, w), `scale` times the original size, and its
    number.

    aside: px of the original picture, x and y, by which the tray lies in it aside of where it lay at first, as a stand
    sways; None where that is not known. noise: variance of the noise in a patch. patches: those cut already; while
    nothing moves, every frame asks for the same ones of each earlier frame.
    """

    t: float
    grey: Image
    scale: float = 1.0
    frame: int = 0
    aside: Place | None = None
    noise: float = 0.0
    patches: dict[tuple[float, float, float], FloatArray] = field(default_factory=dict, repr=False, compare=False)


def past(t: float, grey: Image, die_px: float, frame: int = 0) -> Past:
    """The picture (h, w) halved as often as leaves a face of 28 px: finer detail would only cost time."""
    scale = 1.0
    while die_px * scale >= 2 * FINE_PX:
        size = (max(1, grey.shape[1] // 2), max(1, grey.shape[0] // 2))
        grey, scale = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8), scale / 2
    return Past(t, grey, scale, frame)


def cut(source: Past, x: float, y: float, reach_px: float, edge: int) -> Image:
    """The square of half edge `reach_px` around a place, `edge` px wide; less of it at the border of the picture.

    Place and reach are in px of the original picture.
    """
    grey, x, y, reach_px = source.grey, x * source.scale, y * source.scale, reach_px * source.scale
    height, width = grey.shape
    left, top = (min(max(0, round(v - reach_px)), limit - 2) for v, limit in ((x, width), (y, height)))
    right, bottom = (max(start + 2, round(v + reach_px)) for v, start in ((x, left), (y, top)))
    return np.asarray(cv2.resize(grey[top:bottom, left:right], (edge, edge), interpolation=cv2.INTER_AREA), np.uint8)


def patch(source: Past, x: float, y: float, face_px: float) -> FloatArray:
    """The 1.4 faces around a place as 32x32 levels, slightly blurred."""
    known = source.patches.get((x, y, face_px))
    if known is not None:
        return known
    part = cut(source, x, y, PATCH_FACES / 2 * face_px, PATCH_PX)
    result = np.asarray(cv2.GaussianBlur(part.astype(np.float32), (5, 5), 1.0), np.float32)
    source.patches[x, y, face_px] = result
    return result


def likeness(a: FloatArray, b: FloatArray, noise: tuple[float, float] = (0.0, 0.0)) -> float:
    """Normalised correlation of two patches, 1 = alike but for brightness and contrast.

    `noise`: its variance in each, which is no part of what they have in common and is taken out of what they vary by
    (Spearman's correction for attenuation).
    """
    a, b = a - a.mean(), b - b.mean()
    power = math.prod(
        _without_noise(float((look * look).sum()), n * look.size) for look, n in zip((a, b), noise, strict=True)
    )
    return min(1.0, float((a * b).sum()) / math.sqrt(max(1e-6, power)))


def _without_noise(power: float, noise: float) -> float:
    return power - min(noise, MOST_NOISE * power)


def likeness_there(now: Past, then: Past, x: float, y: float, face_px: float) -> float:
    """How alike a place, px with the face's, is in two pictures, had the camera's stand not swayed between them and had
    they no noise."""
    look, before, noise = patch(now, x, y, face_px), patch(then, x, y, face_px), (now.noise, then.noise)
    alike = likeness(look, before, noise)
    if not NOISY <= alike < ALIKE or now.aside is None or then.aside is None:
        return alike
    right, down = (a - b for a, b in zip(now.aside, then.aside, strict=True))
    if not 0 < math.hypot(right, down) <= SWAYS * face_px:
        return alike
    zoom = PATCH_PX / (PATCH_FACES * face_px)
    return max(alike, likeness(look, _slid(before, right * zoom, down * zoom), noise))


def _slid(look: FloatArray, right: float, down: float) -> FloatArray:
    """A patch moved by less than a pixel, to first order."""
    downwards, rightwards = np.gradient(look)
    return np.asarray(look - right * rightwards - down * downwards, np.float32)


def lay_so(now: Past, then: Past, x: float, y: float, face_px: float) -> bool | None:
    """Whether what lies at a place, px with the face's, lay so then; None where a passing shadow hides the answer."""
    alike = likeness_there(now, then, x, y, face_px)
    if alike >= LAIN:
        return True
    shaded = alike >= SHADED and dimmed(*(patch(picture, x, y, face_px) for picture in (now, then)))
    return None if shaded else False


def dimmed(now: FloatArray, then: FloatArray) -> bool:
    """Whether it is darker or lighter about a place than it was, by its patches."""
    about, before = (max(1.0, float(look[RING].mean())) for look in (now, then))
    return abs(math.log(before / about)) > DIMMED


def lagged(recent: Sequence[Past], lag: float) -> Past | None:
    """The youngest of the recent looks (oldest first) that is `lag` s older than the last, or None."""
    now = recent[-1].t
    return next((look for look in reversed(recent) if now - look.t >= lag - SLACK_S), None)


def is_still(recent: Sequence[Past], x: float, y: float, face_px: float) -> bool:
    """Whether the place looks as it did all through the long lag; False while the recent looks do not reach that far
    back."""
    now, alike, first = recent[-1], 1.0, lagged(recent, LAG_S)
    if first is None:
        return False
    for look in (look for look in recent if first.t <= look.t < now.t):
        alike = min(alike, likeness_there(now, look, x, y, face_px))
        if alike < NOISY:
            return False
    return alike >= ALIKE or (1 - alike) * float(patch(now, x, y, face_px).var()) < NOISE_FACTOR * now.noise


def floor_places(outline: FloatArray) -> list[Place]:
    """Nine places spread over a floor of this outline (n, 2), px: dice and hands cover few of them at once."""
    middle = outline.mean(0)
    edge = np.stack([outline, (outline + np.roll(outline, -1, axis=0)) / 2], axis=1).reshape(-1, 2)
    around = edge[np.linspace(0, len(edge), 8, endpoint=False).astype(int)]
    places = [middle, *(middle + (around - middle) * 0.6)]
    return [(float(x), float(y)) for x, y in places]


def noise_of(recent: Sequence[Past], floor: Sequence[Place], face_px: float) -> float:
    """Variance of the noise in a patch: half of that of what changes from one of the recent looks to the next at most
    of these places of the floor, between the two that differ least, as hands and their shadows come and go."""
    seen = [np.stack([patch(look, x, y, face_px).ravel() for x, y in floor]) for look in recent if floor]
    return min((float(np.median((now - then).var(axis=1))) / 2 for then, now in pairwise(seen)), default=0.0)
