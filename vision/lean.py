"""Telling dice that lean, or lie on others, from flat ones by their outline.

A flat die's outline follows from where its top face lies, how that is turned and where the camera stands: the corners
of the top face, and below them those on the floor, which the picture shows nearer to the point straight below the
camera. A die that leans shows its sides elsewhere, towards what it leans on; from under one that lies on another the
lower one peeps out. What belongs to a die is told by colour, so nothing is said where its colour is near the floor's.
The bounds lie between flat dice and leaning and stacked ones of simulated pictures.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import TrayGeometry
from vision.read import Reading

Image = npt.NDArray[np.uint8]
Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Lie = Literal["flat", "cocked", "stacked", "doubtful", "untold"]
"""How a die lies: `doubtful` where it may lean, `untold` where its colour does not tell although it might lean."""

REACH = 1.35
"""Half edge, in faces, of the patch looked at: a whole die with its sides, and what is around it."""
PATCH_PX = 72
HEIGHT_DICE = 40.0
"""Height of a camera that nobody has measured, in dice."""
FEWEST = 3
"""So many dice tell how aslant such a camera looks in."""
AT_WALL = 1.3
"""Faces from the floor's edge within which a die may lean on the wall."""
BESIDE = 1.7
"""Faces between the centres of dice of which one may lean on the other."""
NEIGHBOURS = 3.0
"""Faces within which other dice are in the patch."""
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
EDGE = 0.06
"""Faces about an outline in which nothing is told: edges are rounded and blurred."""
AT_WALL_CUES = (0.09, 0.115)
"""Faces by which the outline is shifted to the wall from where it is doubtful, and from where the die leans..."""
BESIDE_CUES = (0.1, 0.125)
"""...and the same to another die."""
PEEPS = (0.05, 0.1)
"""Area, in faces squared, that a flat die does not cover: doubtful from the first, of a die below from the second."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How an outline differs from a flat die's: its centre's shift (x, y), in faces, and the area beyond it, in faces
    squared."""

    shift: tuple[float, float]
    beyond: float


def lies(image: Image, geometry: TrayGeometry, readings: Sequence[Reading]) -> list[Lie]:
    """How each of the dice lies that were read in a BGR picture (h, w, 3).

    Of two dice side by side the one that shows it most leans; the other's outline is not asked about that side.
    """
    seen = _all_evidence(image, geometry, readings)
    found: list[Lie] = ["flat"] * len(readings)
    leaning: set[int] = set()
    order = sorted(range(len(readings)), key=lambda i: -_strongest(geometry, readings, i, seen[i], leaning)[0])
    for index in order:
        evidence = seen[index]
        cue, (doubt, sure) = _strongest(geometry, readings, index, evidence, leaning)
        if evidence is None:
            found[index] = "untold" if _supports(geometry, readings, index, leaning) else "flat"
        elif cue > doubt:
            found[index] = "cocked" if cue > sure else "doubtful"
            leaning.add(index)
        elif evidence.beyond > PEEPS[0] and not _near(geometry, readings, index, leaning):
            found[index] = "stacked" if evidence.beyond > PEEPS[1] else "doubtful"
    return found


def _all_evidence(image: Image, geometry: TrayGeometry, readings: Sequence[Reading]) -> list[Evidence | None]:
    """The evidence about every die. A camera that nobody has measured may look in aslant, which shifts all alike."""
    count = range(len(readings))
    seen = [_evidence(image, geometry, readings, index) for index in count]
    if geometry.lens is not None:
        return seen
    shifts = [evidence.shift for evidence in seen if evidence is not None]
    if len(shifts) < FEWEST:
        return [None for _ in count]
    aslant = 2 * np.median(np.array(shifts), axis=0)
    return [_evidence(image, geometry, readings, index, aslant) for index in count]


def _strongest(
    geometry: TrayGeometry, readings: Sequence[Reading], index: int, seen: Evidence | None, leaning: set[int]
) -> tuple[float, tuple[float, float]]:
    """The farthest that an outline is shifted towards something the die may lean on, and the bounds for that."""
    cues = [
        (seen.shift[0] * x + seen.shift[1] * y, bounds)
        for (x, y), bounds in _supports(geometry, readings, index, leaning)
        if seen is not None
    ]
    return max(cues, key=lambda cue: cue[0] - cue[1][0], default=(0.0, BESIDE_CUES))


def _supports(
    geometry: TrayGeometry, readings: Sequence[Reading], index: int, leaning: set[int]
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Unit vectors in the picture towards what a die may lean on, with the bounds for its outline's shift that way."""
    x, y = readings[index].centre
    face = geometry.face_px(x, y)
    found = []
    if geometry.inside(x, y) < AT_WALL:
        step = 0.3 * face
        outward = (
            geometry.inside(x - step, y) - geometry.inside(x + step, y),
            geometry.inside(x, y - step) - geometry.inside(x, y + step),
        )
        outwards = outward, (x - geometry.centre[0], y - geometry.centre[1])
        found += [(_unit(vector), AT_WALL_CUES) for vector in outwards]
    for other in _near(geometry, readings, index, set(range(len(readings))) - leaning):
        there = readings[other].centre
        found.append((_unit((there[0] - x, there[1] - y)), BESIDE_CUES))
    return found


def _near(geometry: TrayGeometry, readings: Sequence[Reading], index: int, among: set[int]) -> list[int]:
    """Those dice `among` all that lie beside a die."""
    x, y = readings[index].centre
    reach = BESIDE * geometry.face_px(x, y)
    return [i for i in sorted(among - {index}) if math.dist(readings[i].centre, (x, y)) < reach]


def _unit(vector: tuple[float, float]) -> tuple[float, float]:
    length = max(math.hypot(*vector), 1e-9)
    return vector[0] / length, vector[1] / length


def _evidence(
    image: Image, geometry: TrayGeometry, readings: Sequence[Reading], index: int, aslant: npt.ArrayLike = (0.0, 0.0)
) -> Evidence | None:
    """How the outline of a die differs from a flat one's; None where its colour does not tell."""
    reading = readings[index]
    x, y = reading.centre
    patch = _Patch(image, (x, y), geometry.face_px(x, y))
    top, outline = _flat_outline(geometry, reading, patch.face, aslant)
    hull, inner = patch.mask(outline), patch.mask(top, -2 * EDGE)
    hidden = np.zeros_like(hull)
    for other in readings:
        if other is not reading and math.dist(other.centre, (x, y)) < NEIGHBOURS * patch.face:
            hidden |= patch.of_other(_flat_outline(geometry, other, patch.face, aslant)[1], other.centre)
    around = (patch.radius > 1.0) & ~patch.mask(outline, 0.15) & ~hidden
    if min(around.sum(), 2 * inner.sum()) < 60:
        return None
    near, wide = hull & ~hidden, patch.mask(outline, EDGE)
    own = patch.told(inner, around, wide)
    if own is None or not near.any():
        return None
    own = _connected(own & ~hidden, inner) & (patch.radius < 1.15)
    beyond = own & ~wide & ~hidden
    shift = patch.centroid(own | inner) - patch.centroid(near)
    return Evidence((float(shift[0]), float(shift[1])), float(beyond.sum()) / patch.scale**2)


def _flat_outline(geometry: TrayGeometry, reading: Reading, face: float, aslant: npt.ArrayLike) -> tuple[Array, Array]:
    """Corners (4, 2) px of a flat die's top face, and its outline (n, 2) px.

    A camera shows heights on lines through the px straight below it: what lies h below a point seen at p, where the
    camera stands H above that, is seen at foot + (p - foot) * (1 - h / H). One that looks in `aslant` shows the floor
    so many faces off that.
    """
    turned = math.radians(reading.angle)
    right = np.array([math.cos(turned), math.sin(turned)]) * face / 2
    down = np.array([-right[1], right[0]])
    top = np.asarray(reading.centre) + np.array([right + down, right - down, -right - down, down - right])
    foot = np.asarray(geometry.foot)
    height = geometry.lens.place[2] / geometry.die_mm if geometry.lens is not None else HEIGHT_DICE
    below = foot + (top - foot) * (1 - 1 / height) + np.asarray(aslant) * face
    both = np.concatenate([top, below])
    return top, cv2.convexHull(both.astype(np.float32)).reshape(-1, 2).astype(np.float64)


class _Patch:
    """The picture around a die, in Lab (n, n, 3); `radius` is every pixel's distance from the middle, in faces, `scale`
    the patch's own pixels to a face."""

    def __init__(self, image: Image, centre: tuple[float, float], face: float) -> None:
        self.face = face
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

    def mask(self, outline: Array, grown: float = 0.0) -> Mask:
        """The pixels within a convex outline in the picture, grown by so many faces."""
        filled = np.zeros((PATCH_PX, PATCH_PX), np.uint8)
        points = (outline - self._middle) * self._zoom + PATCH_PX / 2
        cv2.fillConvexPoly(filled, np.round(points * 16).astype(np.int32), 1, shift=4)
        by = round(abs(grown) * self.scale)
        if by:
            disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * by + 1, 2 * by + 1))
            filled = np.asarray((cv2.dilate if grown > 0 else cv2.erode)(filled, disc), np.uint8)
        return np.asarray(filled, np.bool_)

    def of_other(self, outline: Array, centre: tuple[float, float]) -> Mask:
        """The pixels that may belong to another die: within its outline, or about it and nearer to it."""
        x, y = (np.asarray(centre) - self._middle) / self.face
        nearer = np.hypot(self._x - x, self._y - y) < self.radius
        return np.asarray(self.mask(outline, 0.1) | (nearer & self.mask(outline, 0.35)), np.bool_)

    def centroid(self, mask: Mask) -> Array:
        """(2,) in faces from the middle."""
        return np.array([self._x[mask].mean(), self._y[mask].mean()])

    def told(self, inner: Mask, around: Mask, wide: Mask) -> Mask | None:
        """The pixels of the die's own colour: within `wide` all that are not ground, outside those like the die.

        `inner` is part of the die, `around` is ground. None where the colours are too near.
        """
        body = np.median(self.lab[inner], axis=0)
        nearest = np.full(self.radius.shape, np.inf, np.float32)
        like = np.zeros(self.radius.shape, bool)
        for ground in _colours(self.lab[around]):
            axis = (body - ground) * COLOUR
            length = float(np.linalg.norm(axis))
            if length < APART:
                return None
            off = self.lab - ground
            off[..., 0] = np.where(off[..., 0] > 0, off[..., 0], np.minimum(0, off[..., 0] + SHADE * ground[0]))
            off *= COLOUR
            apart = np.linalg.norm(off, axis=-1)
            along = off @ axis / length
            beside = np.sqrt(np.maximum(apart**2 - along**2, 0))
            nearer = apart < nearest
            like = np.where(nearer, (along > LIKE[0] * length) & (beside < LIKE[1] * length), like)
            nearest = np.where(nearer, apart, nearest)
        share, least = UNLIKE
        unlike = nearest > max(share * float(np.median(nearest[inner])), least)
        return np.asarray(np.where(wide, unlike, like), np.bool_)


def _colours(pixels: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(GROUNDS, 3) the colours of the ground around a die, Lab; the same pixels give the same."""
    stop = (cv2.TERM_CRITERIA_COUNT, 8, 0.0)
    order = np.argsort(pixels[:, 0], kind="stable")
    start = np.empty((len(pixels), 1), np.int32)
    start[order, 0] = np.arange(len(pixels)) * GROUNDS // len(pixels)
    centres = cv2.kmeans(pixels * COLOUR, GROUNDS, start, stop, 1, cv2.KMEANS_USE_INITIAL_LABELS)[2]
    return np.asarray(centres / COLOUR, np.float32)


def _connected(mask: Mask, inner: Mask) -> Mask:
    """The part of a mask that hangs together with the die's middle, without specks and threads."""
    count, labels = cv2.connectedComponents((mask | inner).astype(np.uint8), connectivity=4)
    sizes = np.bincount(labels[inner], minlength=count)
    sizes[0] = 0
    part = (labels == int(sizes.argmax())).astype(np.uint8)
    opened = cv2.morphologyEx(part, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return np.asarray(opened, np.bool_)
