"""Where a die's top face lies and how it is turned, from its pips or from its edges."""

import cmath
import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import CROP_FACES, CROP_PX, PIP_CELLS, FloatArray

PIP_REACH = 0.06
"""Faces about a pip's centre that its paint fills, on nearly all dice."""
THIN_PX = 5
"""Pixels of a crop, an eighth of a face: what is thinner is no pip."""
RING = (0.1, 0.14)
"""Faces about a pip's centre between which lies the body about its paint."""
ABOUT_PX = 11
"""Pixels of a crop that a pip and the ring about it span."""
FACE_REACH = 0.42
"""Faces about a face's centre that its body fills, however it is turned."""

Spread = tuple[float, float, float]
"""Second moments of places about their middle: xx, xy and yy."""


@dataclass(frozen=True, slots=True)
class Pip:
    """A peak of the pip map: its place in die faces from the crop's centre (x right, y down) and its height, 0 to 1."""

    x: float
    y: float
    height: float


def find_pips(pip_map: FloatArray, count: int) -> tuple[Pip, ...]:
    """The `count` strongest peaks of an upright map of probabilities (28, 28), each at its 3x3 cells' centroid."""
    peaks = pip_map >= cv2.dilate(pip_map, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero(peaks)
    strongest = np.argsort(-pip_map[rows, columns], kind="stable")[:count]
    return tuple(_centroid(pip_map, int(rows[i]), int(columns[i])) for i in strongest)


def _centroid(pip_map: FloatArray, row: int, column: int) -> Pip:
    top, left = max(0, row - 1), max(0, column - 1)
    cells = pip_map[top : row + 2, left : column + 2].astype(float)
    total = float(cells.sum()) + 1e-9
    y = top + float((cells.sum(1) * np.arange(cells.shape[0])).sum()) / total
    x = left + float((cells.sum(0) * np.arange(cells.shape[1])).sum()) / total
    cell, middle = CROP_FACES / PIP_CELLS, (PIP_CELLS - 1) / 2
    return Pip((x - middle) * cell, (y - middle) * cell, float(pip_map[row, column]))


def pip_centre(pips: tuple[Pip, ...]) -> tuple[float, float]:
    """Centre of the face, in die faces from the crop's centre: the pips of every value are symmetric about it."""
    return sum(p.x for p in pips) / len(pips), sum(p.y for p in pips) / len(pips)


def unlikeness(crop: FloatArray, pips: tuple[Pip, ...]) -> float:
    """How far the pip of a crop (56, 56, c) that looks least like the others is from their paint, of paint from body.

    0 where all are painted alike, about 1 where one has the body's colour; more than that where one has a third.
    """
    body, paint = body_and_paint(crop, pips)
    contrast = float(np.linalg.norm(paint - body))
    apart = max(float(np.linalg.norm(crop[_disc(pip.x, pip.y, PIP_REACH)].mean(0) - paint)) for pip in pips)
    return apart / contrast if contrast else math.inf


def blemish(crop: FloatArray, pips: tuple[Pip, ...]) -> float:
    """How much the place where one more pip would lie looks like the pips of a crop (56, 56): 0 as the body, 1 as they.

    Glare may lie over a pip and hide it from the pip map; then the brightness there still tells. Asked of two, three
    and four pips, whose centre or other corners a larger value fills.
    """
    places = _next_pips(pips)
    if not places:
        return 0.0
    plain, paint = _levels(crop, pips)
    if paint == plain:
        return 1.0
    return max((float(crop[_disc(x, y, PIP_REACH)].mean()) - plain) / (paint - plain) for x, y in places)


def width_share(crop: FloatArray, pips: tuple[Pip, ...]) -> float:
    """Share of their contrast that pips of a crop (56, 56) keep where what is thinner than `THIN_PX` is taken away.

    It is the least of them: 1 for paint, which is wide, and about 0 for glints, scratches and streaks.
    """
    plain, paint = _levels(crop, pips)
    if paint == plain:
        return 0.0
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (THIN_PX, THIN_PX))
    wide = cv2.morphologyEx(crop, cv2.MORPH_OPEN if paint > plain else cv2.MORPH_CLOSE, disc)
    discs = [_disc(p.x, p.y, PIP_REACH) for p in pips]
    return min((float(wide[d].mean()) - plain) / ((float(crop[d].mean()) - plain) or math.inf) for d in discs)


def middle_of_five(crop: FloatArray, pips: tuple[Pip, ...]) -> tuple[float, float]:
    """How unlike its corners the middle pip of a five looks in a crop (56, 56), and how it stands out beside them.

    First its mean difference from the mean corner, over the largest such difference of a corner. Then how far its
    middle differs from what lies about it, over the same of the mean corner: 1 for paint alike, less for soft glare.
    """
    x, y = pip_centre(pips)
    middle, *corners = (_about(crop, p) for p in sorted(pips, key=lambda p: math.hypot(p.x - x, p.y - y)))
    usual = np.mean(corners, axis=0)
    spread = max(float(np.abs(corner - usual).mean()) for corner in corners)
    unlike, stands = float(np.abs(middle - usual).mean()), _prominence(usual)
    return unlike / spread if spread else math.inf, _prominence(middle) / stands if stands else 0.0


def _about(crop: FloatArray, pip: Pip) -> FloatArray:
    """What a crop (56, 56) shows about a pip, (11, 11)."""
    x, y = ((CROP_PX - 1) / 2 + place * CROP_PX / CROP_FACES for place in (pip.x, pip.y))
    return np.asarray(cv2.getRectSubPix(crop, (ABOUT_PX, ABOUT_PX), (x, y)), np.float32)


def _prominence(about: FloatArray) -> float:
    """How much lighter a pip's paint is than the ring about it, of what `_about` gives."""
    axis = (np.arange(ABOUT_PX) - (ABOUT_PX - 1) / 2) * CROP_FACES / CROP_PX
    far = np.hypot(axis[None, :], axis[:, None])
    nearest, farthest = RING
    return float(about[far < PIP_REACH].mean() - about[(far >= nearest) & (far < farthest)].mean())


def _levels(crop: FloatArray, pips: tuple[Pip, ...]) -> tuple[float, float]:
    """Levels of the body and of the paint of pips in a crop (56, 56)."""
    body, paint = body_and_paint(crop[..., None], pips)
    return float(body[0]), float(paint[0])


def body_and_paint(crop: FloatArray, pips: tuple[Pip, ...]) -> tuple[FloatArray, FloatArray]:
    """Colours (c,) of the body and of the paint of pips in a crop (56, 56, c): medians, so that glints do not count."""
    body = _disc(*pip_centre(pips), FACE_REACH)
    for pip in pips:
        body &= ~_disc(pip.x, pip.y, 2 * PIP_REACH)
    paints = [crop[_disc(pip.x, pip.y, PIP_REACH)].mean(0) for pip in pips]
    return np.asarray(np.median(crop[body], 0), np.float32), np.asarray(np.median(paints, 0), np.float32)


def body_and_palest(crop: FloatArray, pips: tuple[Pip, ...]) -> tuple[float, float]:
    """Levels of the body and of the lightest of some pips, each where it is darkest, in a crop (56, 56): the rim of a
    small one is blurred with a white body."""
    return _levels(crop, pips)[0], max(float(crop[_disc(pip.x, pip.y, PIP_REACH)].min()) for pip in pips)


def _next_pips(pips: tuple[Pip, ...]) -> list[tuple[float, float]]:
    """Where, in faces, the pips lie that a value of two, three or four lacks beside the next larger ones."""
    x, y = pip_centre(pips)
    if len(pips) == 4:
        return [(x, y)]
    if len(pips) not in (2, 3):
        return []
    first, last = sorted(pips, key=lambda p: -math.hypot(p.x - x, p.y - y))[:2]
    across, up = (first.x - last.x) / 2, (first.y - last.y) / 2
    corners = [(x - up, y + across), (x + up, y - across)]
    return [(x, y), *corners] if len(pips) == 2 else corners


def _disc(x: float, y: float, reach: float) -> npt.NDArray[np.bool_]:
    """Pixels (56, 56) of a crop within `reach` of a place, all in faces; at least the one that is nearest."""
    axis = (np.arange(CROP_PX) - (CROP_PX - 1) / 2) * CROP_FACES / CROP_PX
    far = (axis[None, :] - x) ** 2 + (axis[:, None] - y) ** 2
    return np.asarray(far <= max(reach**2, float(far.min())), np.bool_)


def pip_angle(pips: tuple[Pip, ...]) -> float | None:
    """Direction of the face's edges in degrees, in [0, 90) (x right, y down); None for a single pip.

    Corner pips lie on the diagonals, and the fourth power of a place forgets in which corner: the sum over the pips
    turns four times as fast as the die. The six's two middle pips pull the other way, but weigh less than its corners.
    """
    if len(pips) < 2:
        return None
    x, y = pip_centre(pips)
    return _fourfold(-sum(complex(p.x - x, p.y - y) ** 4 for p in pips))


def foreshortening(pips: tuple[Pip, ...]) -> float:
    """The shorter over the longer reach of a square face, 0 to 1, by the corner pips of a four or a five; else 1.

    It is the cosine of the angle off the line of sight at which a flat camera sees the face: the ratio of the singular
    values of the map that takes a square's diagonals to those of the pips.
    """
    if len(pips) not in (4, 5):
        return 1.0
    x, y = pip_centre(pips)
    places = sorted((complex(p.x - x, p.y - y) for p in pips), key=abs)[-4:]
    first, second, third, fourth = sorted(places, key=cmath.phase)
    diagonals = [[(end - start).real, (end - start).imag] for start, end in ((first, third), (second, fourth))]
    longer, shorter = np.linalg.svd(np.array(diagonals), compute_uv=False)
    return float(shorter / longer) if longer else 0.0


def corner_spread(pips: tuple[Pip, ...]) -> Spread | None:
    """The spread of the corner pips of a four, five or six about their middle, faces squared; None of fewer pips.

    However a square face is turned, it is alike in all directions but for what a camera sees foreshortened.
    """
    if len(pips) < 4:
        return None
    x, y = pip_centre(pips)
    aside = [(pip.x - x, pip.y - y) for pip in sorted(pips, key=lambda p: -math.hypot(p.x - x, p.y - y))[:4]]
    return sum(a * a for a, _ in aside), sum(a * b for a, b in aside), sum(b * b for _, b in aside)


def edge_angle(crop: FloatArray) -> float:
    """Direction of the strongest edges within a crop (56, 56) of a face, in degrees, [0, 90)."""
    dx, dy = cv2.Sobel(crop, cv2.CV_32F, 1, 0), cv2.Sobel(crop, cv2.CV_32F, 0, 1)
    gradient = dx.astype(np.complex128) + 1j * dy
    strength = np.abs(gradient) + 1e-9
    axis = np.arange(CROP_PX) - (CROP_PX - 1) / 2
    reach = np.hypot(axis[:, None], axis[None, :]) * CROP_FACES / CROP_PX
    near = (reach > 0.35) & (reach < 0.75)  # the face's edges; pips and neighbours lie inside and outside
    return _fourfold(complex((gradient**4 / strength**2)[near].sum()))


def _fourfold(moment: complex) -> float:
    """Angle in degrees, [0, 90), of a moment that turns four times as fast."""
    angle = math.degrees(cmath.phase(moment)) / 4 % 90
    return angle if angle < 90 else 0.0  # the remainder of a tiny negative number rounds up to 90


def face_box(x: float, y: float, face_px: float, angle: float) -> tuple[float, float, float, float]:
    """Left, top, width and height of the upright rectangle around a square face of edge `face_px` turned by `angle`."""
    turned = math.radians(angle)
    side = face_px * (abs(math.cos(turned)) + abs(math.sin(turned)))
    return x - side / 2, y - side / 2, side, side
