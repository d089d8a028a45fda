"""Reading one die: its value where that is sure, how likely it is, and how its top face lies.

The reader looks at a crop in four turns. A value scores the worst of its four probabilities times the mean margin by
which the map of pip centres shows that many pips and no more: two opinions that must agree. Where grey is not clear at
once, other channels are asked too (the far pips of a translucent die vanish in the darkest or the lightest one, and red
pips on black or blue show in redness alone), each in three crop sizes of which the mean counts: a mistake seldom
survives another size. A channel may lift a value part of the way above what grey makes of it, and one that sees another
value makes it doubtful.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from scorer.events import DieState
from vision.errors import PictureError
from vision.face import blemish, edge_angle, face_box, find_pips, foreshortening, pip_angle, pip_centre
from vision.look import Look, Spot, look
from vision.network import FloatArray, Networks

Image = npt.NDArray[np.uint8]

Patch = tuple[Image, float, float]
Channel = Callable[[Image], Image]

REACH = 1.3
"""Half edge, in die faces, of the patch cut out around a die; the largest crop needs 0.91 and the blur some more."""
SIZES = (1.0, 0.88, 1.14)
"""Crop sizes, in multiples of the usual one, that a channel's opinion is the mean of."""
OFF_CENTRE = (0.05, 0.35)
"""Pips whose centroid lies this many faces from the crop's centre are worth a look from there."""
WIDE = 1.4
"""How much wider a one is looked at again."""
TWO_APART = (0.45, 0.95)
"""Faces between the pips of a two."""
MOST_PIPS = 7
CLEAR_PIP = 0.3
"""Height of a peak of the pip map from which it may well be a pip."""
SPOILT = 0.6
"""A blemish from here on may be a pip: of the right readings of photographs left out, 4 in 1000 have one."""
ASLANT = math.cos(math.radians(45))
"""A square face that looks narrower than this is seen from further than a top face may be off the line of sight."""
NEUTRAL = 128
"""Level of a redness that is none."""
INSIDE = 0.45
"""The picture must reach this far, in die faces, on every side of a face's centre."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one die shows. It is sure where `value` is not None.

    p: chance that `likely`, the best value, is right. score: what p and sureness rest on. blank: probability that there
    is no readable flat face at all. angle: of the face's edges, degrees in [0, 90). box: left, top, width, height of
    the top face, px.
    """

    value: int | None
    p: float
    likely: int
    state: DieState
    angle: float
    box: tuple[float, float, float, float]
    score: float
    blank: float

    @property
    def centre(self) -> tuple[float, float]:
        """Centre of the top face, px."""
        left, top, width, height = self.box
        return left + width / 2, top + height / 2

    @property
    def face_px(self) -> float:
        """Edge of the top face, px: the box bounds the face as it is turned."""
        turned = math.radians(self.angle)
        return self.box[2] / (abs(math.cos(turned)) + abs(math.sin(turned)))


@dataclass(frozen=True, slots=True)
class _View:
    """One channel, crop size and offset (px) from where the die was looked for: what the reader saw in every frame."""

    looks: tuple[Look, ...]
    channel: Channel
    face_px: float
    offset: tuple[float, float]

    @property
    def scores(self) -> FloatArray:
        """Mean over the frames of the scores of the values 1 to 6."""
        return np.asarray(np.mean([look.scores for look in self.looks], axis=0), np.float32)

    @property
    def blank(self) -> float:
        return float(np.mean([look.blank for look in self.looks]))


@dataclass(frozen=True, slots=True)
class _Opinion:
    """What one channel says: its views, one for each crop size."""

    views: tuple[_View, ...]

    @property
    def scores(self) -> FloatArray:
        """Mean over crop sizes and frames of the scores of the values 1 to 6."""
        return np.asarray(np.mean([view.scores for view in self.views], axis=0), np.float32)

    def against(self, value: int) -> float:
        """The best score of another value in any one frame, the mean over the crop sizes."""
        by_frame = np.mean([[look.scores for look in view.looks] for view in self.views], axis=0)
        return float(np.delete(by_frame, value - 1, axis=1).max())


def read_die(networks: Networks, bgr_frames: Sequence[Image], x: float, y: float, die_px: float) -> Reading:
    """Read the die at (x, y) px whose face is `die_px` wide, in one frame or in several of the same resting die.

    Frames are (h, w, 3) BGR or (h, w) grey, all of one size. Several frames only ever add doubt to a chance reading:
    a view's score is its mean over the frames, while contradiction in any single frame counts in full.
    Raises PictureError where there is no frame or (x, y) lies outside it.
    """
    patches = [_patch(frame, x, y, die_px) for frame in bgr_frames]
    if not patches:
        raise PictureError("no frame to read a die in")
    first = _view(networks, patches, _grey, die_px)
    opinions = [_Opinion((first,))]
    if first.scores.max() < networks.thresholds.clear:
        opinions = _opinions(networks, patches, first)
    reading, leading = _judge(networks, opinions, x, y, die_px)
    if reading.value is None:
        return reading
    if not _is_whole(reading, bgr_frames[0], die_px) or _is_spoilt(reading, leading) or _is_aslant(reading, leading):
        return as_unsure(networks, reading)
    if reading.value == 1 and not _is_alone(networks, patches, leading, die_px):
        return as_unsure(networks, reading)
    return reading


def as_unsure(networks: Networks, reading: Reading) -> Reading:
    """The same reading below the bar: p must not look sure where the value is not."""
    score = min(reading.score, networks.thresholds.sure * 0.99)
    return replace(reading, value=None, state="unknown", score=score, p=networks.probability(score))


def _patch(frame: Image, x: float, y: float, die_px: float) -> Patch:
    """The frame around a die, and the die's place in it."""
    height, width = frame.shape[:2]
    if not (0 <= x < width and 0 <= y < height):
        raise PictureError(f"a die at ({x:.0f}, {y:.0f}) lies outside a picture of {width}x{height} px")
    reach = int(REACH * die_px) + 4
    left, top = max(0, int(x) - reach), max(0, int(y) - reach)
    return frame[top : int(y) + reach, left : int(x) + reach], x - left, y - top


def _opinions(networks: Networks, patches: list[Patch], first: _View) -> list[_Opinion]:
    """What every channel says, grey first, about the place of the pips where these lie off the middle."""
    channels = _CHANNELS if patches[0][0].ndim == 3 else _CHANNELS[:1]
    offset = _off_centre(first)
    return [
        _Opinion(tuple(_view(networks, patches, channel, first.face_px * size, offset) for size in SIZES))
        for channel, _ in channels
    ]


def _off_centre(view: _View) -> tuple[float, float]:
    """How far, px, the pips that a view saw lie from its middle, where that is worth another look."""
    best = int(view.scores.argmax())
    x, y = pip_centre(find_pips(view.looks[-1].pips, best + 1))
    nearest, farthest = OFF_CENTRE
    if best == 0 or not nearest <= math.hypot(x, y) <= farthest:  # one pip looks like a one wherever it is centred
        return 0.0, 0.0
    return x * view.face_px, y * view.face_px


def _view(
    networks: Networks,
    patches: list[Patch],
    channel: Channel,
    face_px: float,
    offset: tuple[float, float] = (0.0, 0.0),
) -> _View:
    spots = [Spot(channel(image), x + offset[0], y + offset[1], face_px) for image, x, y in patches]
    return _View(tuple(look(networks, spots)), channel, face_px, offset)


def _judge(networks: Networks, opinions: list[_Opinion], x: float, y: float, die_px: float) -> tuple[Reading, _View]:
    """Decide from the channels' opinions, the grey one first; also the view that leads."""
    limits = networks.thresholds
    said = np.stack([opinion.scores for opinion in opinions])
    trust = np.array([weight for _, weight in _CHANNELS[: len(said)]], np.float32)[:, None]
    scores = (trust * said + (1 - trust) * said[0]).max(0)
    best = int(scores.argmax())
    views = opinions[int(said[:, best].argmax())].views
    leading = max(views, key=lambda view: float(view.scores[best]))
    score = float(scores[best])
    sure = score >= limits.sure
    angle, (centre_x, centre_y) = _lie(leading, best + 1, sure)
    reading = Reading(
        value=best + 1 if sure else None,
        p=networks.probability(score),
        likely=best + 1,
        state="flat" if sure else "unknown",
        angle=angle,
        box=face_box(x + centre_x, y + centre_y, die_px, angle),
        score=score,
        blank=min(view.blank for opinion in opinions for view in opinion.views),
    )
    contradicted = max(opinion.against(best + 1) for opinion in opinions) >= limits.dissent * float(said[:, best].max())
    if contradicted or reading.blank >= limits.blank:
        reading = as_unsure(networks, reading)
    return reading, leading


def _is_whole(reading: Reading, frame: Image, die_px: float) -> bool:
    """The whole face lies within the picture: of a face that is cut off, pips may be missing."""
    (x, y), (height, width) = reading.centre, frame.shape[:2]
    return bool(min(x, y, width - 1 - x, height - 1 - y) >= INSIDE * die_px)


def _is_spoilt(reading: Reading, view: _View) -> bool:
    """Something like a pip lies where a larger value has one more, in any frame: glare may hide it from the network."""
    return any(blemish(look.crop, find_pips(look.pips, reading.likely)) >= SPOILT for look in view.looks)


def _is_aslant(reading: Reading, view: _View) -> bool:
    """The pips lie as on a side face, or not as on a face at all, in any frame."""
    return any(foreshortening(find_pips(look.pips, reading.likely)) < ASLANT for look in view.looks)


def _is_alone(networks: Networks, patches: list[Patch], view: _View, die_px: float) -> bool:
    """A one has no second pip where the other pip of a two would be: it is not a two that was looked at askew.

    Side faces and neighbours show pips there too. What tells is the place halfway: a two is read there. The other pip
    may be plain in one channel only, so every channel is asked.
    """
    _, (x, y) = _lie(view, 1, True)
    least = networks.thresholds.dissent * float(view.scores[0])
    channels: tuple[Channel, ...] = (_grey, _darkest, _lightest) if patches[0][0].ndim == 3 else (_grey,)
    for channel in channels:
        wide = _view(networks, patches, channel, WIDE * die_px, (x, y))
        if wide.scores[1:].max() >= least:
            return False
        for pip in {pip for seen in wide.looks for pip in find_pips(seen.pips, MOST_PIPS)}:
            nearest, farthest = TWO_APART
            if pip.height >= CLEAR_PIP and nearest <= WIDE * math.hypot(pip.x, pip.y) <= farthest:
                middle = (x + pip.x * wide.face_px / 2, y + pip.y * wide.face_px / 2)
                if _view(networks, patches, channel, die_px, middle).scores[1:].max() >= least:
                    return False
    return True


def _lie(view: _View, value: int, sure: bool) -> tuple[float, tuple[float, float]]:
    """Angle of the face, and its centre in px from where the die was looked for, in the last frame."""
    seen = view.looks[-1]
    if not sure:
        return edge_angle(seen.crop), view.offset
    pips = find_pips(seen.pips, value)
    angle = pip_angle(pips)
    x, y = pip_centre(pips)
    return edge_angle(seen.crop) if angle is None else angle, (
        x * view.face_px + view.offset[0],
        y * view.face_px + view.offset[1],
    )


def _grey(patch: Image) -> Image:
    return patch if patch.ndim == 2 else np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.uint8)


def _darkest(patch: Image) -> Image:
    """min(B, G, R): light pips on a coloured body, or coloured pips on white, stand out."""
    blue, green, red = cv2.split(patch)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def _lightest(patch: Image) -> Image:
    """max(B, G, R): dark pips on a coloured body stand out."""
    blue, green, red = cv2.split(patch)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def _redness(patch: Image) -> Image:
    """How much redder than green: red pips stand out on black and on blue, where grey hides them; glare is neither."""
    _, green, red = cv2.split(patch)
    return np.asarray(cv2.addWeighted(red, 1, green, -1, NEUTRAL), np.uint8)


_CHANNELS: tuple[tuple[Channel, float], ...] = ((_grey, 1.0), (_darkest, 0.7), (_lightest, 0.5), (_redness, 0.5))
"""Channels, and how much each counts beside grey where it sees a value more clearly.

The darkest counts more than the others: a clear body absorbs it, so that the far pips do not shine through.
"""
