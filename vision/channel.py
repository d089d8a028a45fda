"""The channels that a die is looked at in: what each shows, and how far it is trusted beside grey."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]

SPECK = 0.12
"""Faces: what is bright and thinner than this vanishes where a channel is opened; pips are wider."""


@dataclass(frozen=True, slots=True)
class Channel:
    """One channel of a picture.

    show: makes it (h, w), or all three (h, w, 3), of a picture (h, w, 3) BGR in which a face has an edge of so many px.
    trust: how much of what it sees more clearly than grey counts, and how much its dissent weighs, 0 to 1. least: the
    smallest value that it may lift.
    """

    show: Callable[[Image, float], Image]
    trust: float
    least: int = 1


def grey(picture: Image, _: float = 0.0) -> Image:
    """Luma, (h, w) of a picture (h, w, 3) BGR or (h, w) grey."""
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def colour(picture: Image, _: float = 0.0) -> Image:
    """All of a picture (h, w, 3) BGR: the reader is given its hues beside grey."""
    return picture


def darkest(picture: Image, _: float = 0.0) -> Image:
    """min(B, G, R): light pips on a coloured body, or coloured pips on white, stand out."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def lightest(picture: Image, _: float = 0.0) -> Image:
    """max(B, G, R): dark pips on a coloured body stand out."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def opened(picture: Image, face_px: float) -> Image:
    """The darkest without what is bright and thin: print between the pips, edges and streaks of glare."""
    edge = 2 * max(1, round(SPECK * face_px / 2)) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (edge, edge))
    dark = picture if picture.ndim == 2 else darkest(picture)
    return np.asarray(cv2.morphologyEx(dark, cv2.MORPH_OPEN, disc), np.uint8)


CHANNELS = (
    Channel(grey, 1.0),
    Channel(colour, 1.0),
    Channel(darkest, 1.0),
    Channel(lightest, 0.5),
    Channel(opened, 1.0, least=3),
)
"""Grey first, opened last.

Colour shows red pips on black or blue, which grey hides.
A clear body absorbs the darkest, so that the far pips do not shine through: it counts like grey.
What is opened makes blots of letters: a one or a two needs more than that.
"""


def channels_of(picture: Image) -> tuple[Channel, ...]:
    """The channels that a picture has."""
    return CHANNELS if picture.ndim == 3 else (CHANNELS[0], CHANNELS[-1])
