"""What the channels of a picture say of one die: each in several crop sizes, one look in every frame."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.channel import Channel, Image, channels_of
from vision.face import pip_centre
from vision.look import VALUES, Look, Spot, look
from vision.network import FloatArray, Networks

Patch = tuple[Image, float, float]
"""The frame around a die, (h, w, 3) BGR or (h, w) grey, and the die's x and y in it, px."""

SIZES = (1.0, 0.88, 1.14)
"""Crop sizes, in multiples of the usual one, that a channel's opinion is the mean of."""
OFF_CENTRE = (0.05, 0.35)
"""Pips whose centroid lies this many faces from the crop's centre are worth a look from there."""


@dataclass(frozen=True, slots=True)
class View:
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
        """Mean over the frames of the probability of "no readable flat face"."""
        return float(np.mean([look.blank for look in self.looks]))


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one channel says: its views, one for each crop size."""

    channel: Channel
    views: tuple[View, ...]

    @property
    def trust(self) -> FloatArray:
        """How much of what this channel sees of the values 1 to 6 counts."""
        return np.where(np.arange(1, VALUES + 1) >= self.channel.least, self.channel.trust, 0).astype(np.float32)

    @property
    def scores(self) -> FloatArray:
        """Mean over crop sizes and frames of the scores of the values 1 to 6."""
        return np.asarray(np.mean([view.scores for view in self.views], axis=0), np.float32)

    def against(self, value: int) -> float:
        """The best score of another value in any one frame, the mean over the crop sizes, as far as it is trusted."""
        return self.channel.trust * _best_other([[look.scores for look in view.looks] for view in self.views], value)

    def pips_against(self, value: int) -> float:
        """The best margin of another value by the pip map alone in any one frame, the mean over the crop sizes."""
        return _best_other([[_margins(look) for look in view.looks] for view in self.views], value)


def _margins(look: Look) -> FloatArray:
    """The margins of the values 1 to 6."""
    return np.array([look.pips.margin(value) for value in range(1, VALUES + 1)], np.float32)


def _best_other(of_values: Sequence[Sequence[FloatArray]], value: int) -> float:
    """The best number of another value in any one frame, of numbers by crop size, frame and value."""
    return float(np.delete(np.mean(of_values, axis=0), value - 1, axis=1).max())


def weighed(opinions: Sequence[Opinion]) -> FloatArray:
    """The scores of the values 1 to 6 by all channels, grey first: each may lift what grey sees as far as it counts."""
    said = np.stack([opinion.scores for opinion in opinions])
    trust = np.stack([opinion.trust for opinion in opinions])
    return np.asarray((trust * said + (1 - trust) * said[0]).max(0), np.float32)


def view_of(
    networks: Networks,
    patches: Sequence[Patch],
    channel: Channel,
    face_px: float,
    offset: tuple[float, float] = (0.0, 0.0),
) -> View:
    """Look at a die in one channel, as if its face were `face_px` wide and its centre `offset` px away."""
    spots = [Spot(channel.show(image, face_px), x + offset[0], y + offset[1], face_px) for image, x, y in patches]
    return View(tuple(look(networks, spots)), channel, face_px, offset)


def opinions_of(networks: Networks, patches: Sequence[Patch], first: View) -> list[Opinion]:
    """What every channel says, grey first, about the place of the pips where these lie off the middle.

    `first`: the view in grey that was had already; where they do not, it is one of those asked for.
    """
    offset = _off_centre(first)

    def seen(channel: Channel, face_px: float) -> View:
        known = (channel, face_px, offset) == (first.channel, first.face_px, first.offset)
        return first if known else view_of(networks, patches, channel, face_px, offset)

    return [
        Opinion(channel, tuple(seen(channel, first.face_px * size) for size in SIZES))
        for channel in channels_of(patches[0][0])
    ]


def _off_centre(view: View) -> tuple[float, float]:
    """How far, px, the pips that a view saw lie from its middle, where that is worth another look."""
    best = int(view.scores.argmax())
    x, y = pip_centre(view.looks[-1].pips.of(best + 1))
    nearest, farthest = OFF_CENTRE
    if best == 0 or not nearest <= math.hypot(x, y) <= farthest:  # one pip looks like a one wherever it is centred
        return 0.0, 0.0
    return x * view.face_px, y * view.face_px
