"""Telling a die from the ground about it by colour, in a small picture of it in Lab."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

REACH = 1.35
"""Half edge, in faces, of the patch looked at: a whole die with its sides, and what is around it."""
PATCH_PX = 72
COLOUR = np.array([0.5, 1.0, 1.0], np.float32)
"""Weights of L (0 to 255), a and b."""
GROUNDS = 3
"""Colours told apart around a die: floor, wall and rim."""
SHADE = 0.45
"""A ground may be darker by this share of its lightness: in a shadow it is ground still."""
APART = 10.0
"""Least distance of a die's colour from all grounds, Lab."""
UNLIKE = (0.35, 6.0)
"""What differs from the ground by this share of what the die does, and by so much at least, is no ground."""
LIKE = (0.35, 0.6)
"""What lies so far on the way from the ground's colour to the die's, and no farther beside that way, is a die."""
ON_THE_WAY = 0.15
"""What is no ground need only lie so far on that way: a die's sides are darker than its top."""
NEUTRAL = np.float32(128)
"""Level of an a or b that has no colour."""
FADES = 8.0
"""A colour this near to that of a ground in less light may be its shadow, however dark."""
LIT = (0.25, 5.0)
"""What differs from the lit ground by this share of what the die does, or by so much, is ground in the light..."""
BRIGHTER = 15.0
"""...unless it is lighter than all of it by so many levels, as a die's side may be that is much darker than its top."""
SHADES = np.linspace(0.3, 0.8, 11, dtype=np.float32)
"""Shares of its top's lightness that a die's side may have: chosen, from one turned from all lamps to one lit well."""
LEAST_PX = 60
"""Pixels of the patch that tell a colour."""


@dataclass(frozen=True, slots=True)
class Told:
    """The pixels of a die's `own` colour, and those `plain`ly so; and those of the ground in the light: shadow and dark
    sides are none of these, unless a side in the `shade` may have the colour of the ground in the light."""

    own: Mask
    plain: Mask
    lit: Mask
    shade: bool


class Patch:
    """The picture around a die, in Lab (n, n, 3); `radius` is every pixel's distance from the middle, in faces, `scale`
    the patch's own pixels to a face."""

    def __init__(self, image: Image, centre: tuple[float, float], face: float) -> None:
        """`image`: BGR (h, w, 3); `centre` and `face`, the edge of the die's face, px."""
        zoom = PATCH_PX / (2 * REACH * face)
        self.scale = zoom * face
        self._middle = np.asarray(centre)
        self._zoom = zoom
        x, y = (PATCH_PX / 2 - zoom * v for v in centre)
        matrix = np.array([[zoom, 0, x], [0, zoom, y]])
        how = cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR
        size = (PATCH_PX, PATCH_PX)
        cut = cv2.warpAffine(image, matrix, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
        self.lab = cv2.cvtColor(cut, cv2.COLOR_BGR2LAB).astype(np.float32)
        self._y, self._x = (np.mgrid[:PATCH_PX, :PATCH_PX] - PATCH_PX / 2 + 0.5) / self.scale
        self.radius = np.hypot(self._x, self._y)

    def mask(self, outline: npt.ArrayLike, grown: float = 0.0) -> Mask:
        """The pixels within an outline (n, 2), px of the picture, grown by so many faces."""
        filled = np.zeros((PATCH_PX, PATCH_PX), np.uint8)
        points = (np.asarray(outline, np.float64) - self._middle) * self._zoom + PATCH_PX / 2
        cv2.fillPoly(filled, [np.round(points * 16).astype(np.int32)], (1,), shift=4)
        by = round(abs(grown) * self.scale)
        if by:
            disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * by + 1, 2 * by + 1))
            filled = np.asarray((cv2.dilate if grown > 0 else cv2.erode)(filled, disc), np.uint8)
        return np.asarray(filled, np.bool_)

    def centroid(self, mask: Mask) -> Array:
        """(2,) in faces from the middle."""
        return np.array([self._x[mask].mean(), self._y[mask].mean()])

    def area(self, mask: Mask) -> float:
        """In faces squared."""
        return float(np.count_nonzero(mask)) / self.scale**2

    def told(self, inner: Mask, around: Mask, wide: Mask, floor: Mask) -> Told | None:
        """What is told by colour: the die's own is within `wide` all that is not ground, outside what is like the die.

        `inner` is part of the die, `around` is ground, `floor` where only the floor's colours are ground. None where
        the colours are too near.
        """
        body = np.median(self.lab[inner], axis=0)
        nearest = np.full(self.radius.shape, np.inf, np.float32)
        shadow = np.zeros_like(nearest, np.bool_)
        along, beside = np.zeros_like(nearest), np.zeros_like(nearest)
        grounds = _colours(self.lab[around])
        for ground in grounds:
            axis = (body - ground) * COLOUR
            length = float(np.linalg.norm(axis))
            if length < APART:
                return None
            off = self.lab - ground
            shadow |= self._in_shadow(ground)
            off[..., 0] = np.where(off[..., 0] > 0, off[..., 0], np.minimum(0, off[..., 0] + SHADE * ground[0]))
            off *= COLOUR
            apart = _length(off)
            way = off @ axis / length
            nearer = apart < nearest
            along = np.where(nearer, way / length, along)
            beside = np.where(nearer, np.sqrt(np.maximum(apart**2 - way**2, 0)) / length, beside)
            nearest = np.where(nearer, apart, nearest)
        unlike = nearest > max(UNLIKE[0] * float(np.median(nearest[inner])), UNLIKE[1])
        like = (along > LIKE[0]) & (beside < LIKE[1])
        own = np.where(wide, unlike, ~shadow & (like | (unlike & (along > ON_THE_WAY))))
        lit, beside_it = self._lit(inner, grounds), around & floor
        if np.count_nonzero(beside_it) >= LEAST_PX:
            grounds = _colours(self.lab[beside_it])
            lit = np.where(floor, self._lit(inner, grounds), lit)
        shade = _looks_lit_in_shade(body, grounds)
        return Told(np.asarray(own, np.bool_), np.asarray(like & ~shadow, np.bool_), lit, shade)

    def _lit(self, inner: Mask, grounds: npt.NDArray[np.float32]) -> Mask:
        """The pixels that are ground of these colours (n, 3) in the light, and not the die, of which `inner` is."""
        off = np.min([_length((self.lab - ground) * COLOUR) for ground in grounds], axis=0)
        brighter = self.lab[..., 0] > float(grounds[:, 0].max()) + BRIGHTER
        return np.asarray((off <= max(LIT[0] * float(np.median(off[inner])), LIT[1])) & ~brighter, np.bool_)

    def _in_shadow(self, ground: npt.NDArray[np.float32]) -> Mask:
        """The pixels as dark as a ground may be in the deepest shadow, where its colour fades as its light does."""
        light = self.lab[..., 0] / max(float(ground[0]), 1.0)
        fades = (self.lab[..., 1:] - NEUTRAL) - light[..., None] * (ground[1:] - NEUTRAL)
        return np.asarray((light < 1) & (_length(fades) < FADES), np.bool_)


def _looks_lit_in_shade(body: npt.NDArray[np.float32], grounds: npt.NDArray[np.float32]) -> bool:
    """Whether a die of this colour, in the shade, has that of one of the grounds (n, 3) in the light."""
    light, colour = body[:1] * SHADES[:, None], NEUTRAL + SHADES[:, None] * (body[1:] - NEUTRAL)
    shaded = np.concatenate([light, colour], axis=1)
    off = _length((shaded[:, None] - grounds) * COLOUR)
    return bool((off <= np.maximum(LIT[0] * _length((body - grounds) * COLOUR), LIT[1])).any())


def opened(mask: Mask) -> Mask:
    """A mask without specks and threads."""
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.bool_)


def connected(mask: Mask, inner: Mask) -> Mask:
    """The part of a mask that hangs together with `inner`, without specks and threads."""
    count, labels = cv2.connectedComponents((mask | inner).astype(np.uint8), connectivity=4)
    sizes = np.bincount(labels[inner], minlength=count)
    sizes[0] = 0
    return opened(np.asarray(labels == int(sizes.argmax()), np.bool_))


def touching(mask: Mask, place: Mask) -> Mask:
    """The parts of a mask that reach into a place."""
    labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=4)[1]
    return np.isin(labels, np.setdiff1d(labels[place & mask], [0]))


def _length(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.asarray(np.sqrt(np.einsum("...i,...i", vectors, vectors)), np.float32)


def _colours(pixels: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(GROUNDS, 3) the colours of the ground around a die, Lab; the same pixels give the same."""
    stop = (cv2.TERM_CRITERIA_COUNT, 8, 0.0)
    order = np.argsort(pixels[:, 0], kind="stable")
    start = np.empty((len(pixels), 1), np.int32)
    start[order, 0] = np.arange(len(pixels)) * GROUNDS // len(pixels)
    centres = cv2.kmeans(pixels * COLOUR, GROUNDS, start, stop, 1, cv2.KMEANS_USE_INITIAL_LABELS)[2]
    return np.asarray(centres / COLOUR, np.float32)
