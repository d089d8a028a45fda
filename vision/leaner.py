"""The leaner: a small network that sees whether a die leans on what is beside it, or lies on another.

One that leans on a wall or a die shows its side there, or less of the one opposite than a flat one does; under one that
lies on another more is seen than its sides. So the network is given the picture about a die, turned so that what it may
lean on is up, and where a flat die's top and sides would be seen.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.evidence import upright
from vision.geometry import TrayGeometry
from vision.ground import COLOUR, LEAST_PX
from vision.network import VIEW_PX, Limits, Networks
from vision.outline import Outline, Shift, flat_outline
from vision.pairs import neighbours, side_by_side
from vision.read import Reading, as_likely
from vision.wall import AT_WALL, walls_about

Upon = int | Literal["wall", "below"]
"""What a die may lean or lie on: another that is seen, a wall, or one that is seen only below it, if at all."""
Doubt = Literal["none", "some", "plain"]
Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]

FACE_PX = 24
"""Edge of a die's face in a view."""
AROUND = 0.95
"""Faces from a die's middle from where on what shows is the ground about it."""
LEAST_APART = 6.0
"""Colours of a die and the floor nearer to each other, in weighed Lab, count as so far apart: noise is not blown up."""
LIGHT = 100.0
"""Levels of lightness that count as 1."""
SHOWN = (-1.0, 2.0)
"""Least and most in a map."""
NEAR = 2.5
"""Faces from a die's middle within which the middles of all dice lie that a view may show."""
SAME_WAY = 0.82
"""Cosine of the angle between two walls, 35 degrees, from which on they are looked at as one: chosen."""
FINE = 4
"""Steps to a pixel by which outlines are drawn."""


@dataclass(frozen=True, slots=True)
class View:
    """What the network takes, (7, 48, 48), of the die `index` and what it may be `on`; `way`: the direction (x, y) in
    the picture that leads up in it, to what it may lean on, or from the camera's foot."""

    index: int
    on: Upon
    way: tuple[float, float]
    maps: FloatArray


def views(
    image: Image, geometry: TrayGeometry, readings: Sequence[Reading], pairs: Sequence[tuple[int, int]]
) -> list[View]:
    """All views of the dice read in a BGR picture (h, w, 3), surely or not: of each of these pairs, of those at walls,
    and of what may be below. Nothing of those that hardly show."""
    upon: list[tuple[int, Upon, Shift]] = []
    for one, other in pairs:
        upon += [(one, other, _way(readings[one], readings[other].centre))]
        upon += [(other, one, _way(readings[other], readings[one].centre))]
    for index, reading in enumerate(readings):
        upon += [(index, "wall", _way(reading, there)) for there in _walls(geometry, reading)]
        to_foot = _way(reading, geometry.foot)
        upon += [(index, "below", (-to_foot[0], -to_foot[1]))]
    flat, found = [flat_outline(geometry, reading) for reading in readings], []
    for index, on, way in upon:
        turn = _Turn(geometry, readings[index], way)
        others = [flat[other].whole for other in turn.near(readings) if other != index]
        maps = _maps(image, geometry, turn, flat[index], others)
        found += [View(index, on, way, maps)] if maps is not None else []
    return found


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances that dice lean or lie `on` what is there, by their index and that, and the `limits` of each kind."""

    on: Mapping[tuple[int, Upon], float]
    leaning: Limits
    stacked: Limits

    def doubt(self, index: int, on: Upon) -> Doubt:
        """How doubtful it is that a die lies flat and not on that."""
        chance, limits = self.on.get((index, on), 0.0), self.stacked if on == "below" else self.leaning
        return "plain" if chance > limits.plain else "some" if chance > limits.doubted else "none"

    def know(self, index: int) -> bool:
        """Whether a die showed enough."""
        return (index, "below") in self.on

    def on_others(
        self, pairs: Sequence[tuple[int, int]], leaning: Collection[int], level: Collection[int]
    ) -> dict[int, Doubt]:
        """The dice of these pairs of which it is doubtful that they do not lean on each other, the likeliest first:
        beside one known to be `leaning` none is looked at, and those known to be `level` lean on nothing. Where both
        may, it is not plain."""
        found: dict[int, Doubt] = {}
        known = set(leaning)

        def likeliest(pair: tuple[int, int]) -> float:
            return max(self.on.get((index, other), 0.0) for index, other in permutations(pair))

        for pair in sorted(pairs, key=likeliest, reverse=True):
            if known & ({*pair} | (neighbours(pairs, pair[0]) & neighbours(pairs, pair[1]))):
                continue
            doubts = {index: self.doubt(index, other) for index, other in permutations(pair) if index not in level}
            doubted = {index: doubt for index, doubt in doubts.items() if doubt != "none"}
            found |= doubted if len(doubted) == 1 else dict.fromkeys(doubted, "some")
            known |= {index for index in doubted if found[index] == "plain"}
        return found


def see_leaning(
    networks: Networks, image: Image, geometry: TrayGeometry, readings: Sequence[Reading]
) -> Chances | None:
    """How likely each of the dice read in a BGR picture (h, w, 3) leans on a wall or another, or lies on one, read
    surely or not; None before a camera that nobody has measured, which does not tell where a flat one would be seen."""
    if geometry.lens is None:
        return None
    turned = upright(image, geometry, as_likely(readings))
    seen = views(image, geometry, turned, side_by_side(geometry, turned))
    told = networks.run_leaner(np.stack([view.maps for view in seen])).tolist() if seen else []
    found: dict[tuple[int, Upon], float] = {}
    for view, (leans, lies_on) in zip(seen, told, strict=True):
        key = view.index, view.on
        found[key] = max(lies_on if view.on == "below" else leans, found.get(key, 0.0))
    return Chances(found, networks.leaning, networks.stacked)


def _way(reading: Reading, there: Shift) -> Shift:
    """The direction from a die to a place, px."""
    x, y = reading.centre
    return there[0] - x, there[1] - y


def _walls(geometry: TrayGeometry, reading: Reading) -> list[Shift]:
    """Places, px, which lie from a die the way to walls, the nearest first: one of those that lie nearly the same."""
    if geometry.inside(*reading.centre) >= AT_WALL:
        return []
    (x, y), there = reading.centre, list[Shift]()
    for wall in sorted(walls_about(geometry, reading, reading.angle), key=lambda wall: wall.room):
        way = np.subtract(wall.there, (x, y))
        others = (np.subtract(other, (x, y)) for other in there)
        if all(way @ other < SAME_WAY * np.linalg.norm(way) * np.linalg.norm(other) for other in others):
            there.append(wall.there)
    return there


def _maps(
    image: Image, geometry: TrayGeometry, turn: "_Turn", mine: Outline, beside: Sequence[npt.ArrayLike]
) -> FloatArray | None:
    """How far each pixel is on the way from the floor's colour to the die's, how far beside that way, and how much
    lighter than the floor it is; then where a flat die would be seen, and its top, the floor, and the other dice: by
    its outline (`mine`) and those of the dice `beside` it, px of the picture."""
    top, whole, floor = (turn.filled(outline) for outline in (mine.top, mine.whole, geometry.outline))
    others = np.zeros_like(top)
    for other in beside:
        others = np.maximum(others, turn.filled(other))
    lab = turn.lab(image)
    inner = cv2.erode(np.asarray(top > 0.9, np.uint8), np.ones((3, 3))) > 0
    ground = (_radius() > AROUND) & (whole < 0.05) & (others < 0.05)
    on_floor = ground & (floor > 0.9)
    ground = on_floor if np.count_nonzero(on_floor) >= LEAST_PX else ground
    if min(np.count_nonzero(inner), np.count_nonzero(ground)) < LEAST_PX / 2:
        return None
    shown = _by_colour(lab, np.median(lab[inner], axis=0), np.median(lab[ground], axis=0))
    return np.asarray(np.clip([*shown, whole, top, floor, others], *SHOWN), np.float32)


def _by_colour(lab: FloatArray, body: FloatArray, ground: FloatArray) -> FloatArray:
    """(3, n, n) the first maps of a picture in Lab (n, n, 3), by the colours (3,) of the die and the ground."""
    way = (body - ground) * COLOUR
    length = float(np.linalg.norm(way))
    apart, straight = max(length, LEAST_APART), way / max(length, 1e-6)
    off = (lab - ground) * COLOUR
    along = off @ straight
    beside = np.sqrt(np.maximum(np.einsum("...i,...i", off, off) - along**2, 0))
    maps = along / apart, beside / apart, (lab[..., 0] - ground[0]) / LIGHT
    return np.asarray(maps, np.float32)


class _Turn:
    """The part of the picture about a die's top, turned so that a direction leads up."""

    def __init__(self, geometry: TrayGeometry, die: Reading, way: Shift) -> None:
        self._middle, self._face = np.asarray(die.centre), geometry.face_px(*die.centre)
        turn = -math.pi / 2 - math.atan2(way[1], way[0])
        zoom = FACE_PX / self._face
        cos, sin = zoom * math.cos(turn), zoom * math.sin(turn)
        matrix = np.array([[cos, -sin], [sin, cos]])
        self._warp = np.column_stack([matrix, (VIEW_PX - 1) / 2 - matrix @ self._middle])

    def near(self, readings: Sequence[Reading]) -> list[int]:
        """Which of the dice may be seen, this one too."""
        far = [math.dist(reading.centre, self._middle) for reading in readings]
        return [index for index, px in enumerate(far) if px < NEAR * self._face]

    def filled(self, outline: npt.ArrayLike) -> FloatArray:
        """How much of each pixel (n, n) lies within an outline (m, 2), px of the picture."""
        points = np.asarray(outline, np.float64) @ self._warp[:, :2].T + self._warp[:, 2]
        drawn = np.zeros((FINE * VIEW_PX, FINE * VIEW_PX), np.uint8)
        cv2.fillPoly(drawn, [np.round(((points + 0.5) * FINE - 0.5) * 16).astype(np.int32)], (255,), shift=4)
        return np.asarray(cv2.resize(drawn, (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_AREA), np.float32) / np.float32(
            255
        )

    def lab(self, image: Image) -> FloatArray:
        """(n, n, 3) Lab of the part of a BGR picture (h, w, 3), which is shrunk before it is turned."""
        left, up = (max(0, math.floor(v - NEAR * self._face)) for v in self._middle)
        right, down = (math.ceil(v + NEAR * self._face) for v in self._middle)
        part = image[up:down, left:right]
        shrunk = max(1, round(self._face / FACE_PX))
        columns, rows = (-(-side // shrunk) for side in part.shape[1::-1])
        across, along = part.shape[1] / columns, part.shape[0] / rows
        back = np.array([[across, 0, left + (across - 1) / 2], [0, along, up + (along - 1) / 2], [0, 0, 1]])
        small, edges = cv2.resize(part, (columns, rows), interpolation=cv2.INTER_AREA), (VIEW_PX, VIEW_PX)
        turned = cv2.warpAffine(
            small, self._warp @ back, edges, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        lab = np.empty(turned.shape, np.float32)
        lab[:] = cv2.cvtColor(turned, cv2.COLOR_BGR2LAB)
        return lab


def _radius() -> FloatArray:
    """(n, n) faces from the middle of a view."""
    y, x = (np.mgrid[:VIEW_PX, :VIEW_PX] - (VIEW_PX - 1) / 2) / FACE_PX
    return np.asarray(np.hypot(x, y), np.float32)
