"""Drawn videos of a tray for tests: square dice with pips on cloth, thrown, moved and lifted by a blunt hand."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import TrayGeometry
from vision.source import Frame

Image = npt.NDArray[np.uint8]
Point = tuple[float, float]

SIZE = (640, 480)
DIE_PX = 30.0
FLOOR = ((80.0, 60.0), (560.0, 60.0), (560.0, 420.0), (80.0, 420.0))
GEOMETRY = TrayGeometry(FLOOR, DIE_PX, SIZE)
THROW_S = 0.6
SUB = 4
"""Bits of sub-pixel precision in drawing."""

PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}


@dataclass(frozen=True)
class Pose:
    """A die's top face: centre in px, angle in degrees, value; `lean` shows a side face and no pips on top."""

    x: float
    y: float
    angle: float
    value: int
    lean: bool = False


@dataclass(frozen=True)
class Hand:
    """An arm from a point outside the picture to the finger tips."""

    origin: Point
    tips: Point


DiePath = Callable[[float], Pose | None]
HandPath = Callable[[float], Hand | None]


def lying(x: float, y: float, value: int, angle: float = 20.0, since: float = 0.0, until: float = math.inf) -> DiePath:
    """A die that lies there from `since` until a hand takes it at `until`."""
    return lambda t: Pose(x, y, angle, value) if since <= t < until else None


def thrown(start: Point, end: Point, value: int, at: float, until: float = math.inf) -> DiePath:
    """A die that leaves `start` at `at`, tumbles for 0.6 s and lies at `end` until it is taken."""

    def path(t: float) -> Pose | None:
        if not at <= t < until:
            return None
        share = min(1.0, (t - at) / THROW_S)
        way = 1 - (1 - share) ** 2
        turn = 20 + 300 * (1 - way)
        face = value if share > 0.8 else 1 + (value + int((t - at) / 0.07)) % 6
        return Pose(start[0] + way * (end[0] - start[0]), start[1] + way * (end[1] - start[1]), turn, face)

    return path


def chain(*paths: DiePath) -> DiePath:
    """One die that does one thing after the other: the first path that has it in view counts."""
    return lambda t: next((pose for path in paths if (pose := path(t)) is not None), None)


def reaching(tips: Point, since: float, until: float, origin: Point = (-60.0, 240.0)) -> HandPath:
    """A hand that comes in at `since`, is at `tips` half way, trembles there, and is out again at `until`."""

    def path(t: float) -> Hand | None:
        if not since <= t <= until:
            return None
        way = min(1.0, 2.5 * min(t - since, until - t) / (until - since))
        tremble = 3 * math.sin(40 * t)
        x, y = (a + way * (b - a) for a, b in zip(origin, tips, strict=True))
        return Hand(origin, (x + tremble, y))

    return path


def moving_hand(*tips: tuple[float, float, float], origin: Point = (-60.0, 240.0)) -> HandPath:
    """A hand whose tips, px, are at these places at these times, s, and between them on the way."""
    t_s, x_s, y_s = np.array(tips).T

    def path(t: float) -> Hand | None:
        there = float(np.interp(t, t_s, x_s)), float(np.interp(t, t_s, y_s))
        return Hand(origin, there) if t_s[0] <= t <= t_s[-1] else None

    return path


HERE = (60.0, 240.0)
"""Where the throwing hand lets go."""
PLACES = ((250.0, 200.0), (330.0, 150.0), (400.0, 260.0), (300.0, 330.0), (470.0, 180.0))
VALUES = (4, 2, 6, 1, 5)
THROWER = reaching((110, 240), 0.3, 1.0)


def roll(at: float = 0.7, until: float = 99.0, count: int = 5) -> list[DiePath]:
    """Five dice thrown within 80 ms."""
    throws = zip(PLACES[:count], VALUES, strict=False)
    return [thrown(HERE, place, value, at + 0.02 * n, until) for n, (place, value) in enumerate(throws)]


def film(
    dice: Sequence[DiePath],
    hands: Iterable[HandPath] = (),
    seconds: float = 2.0,
    fps: float = 30.0,
    change: Callable[[float, Image], Image] = lambda _t, image: image,
) -> Iterator[Frame]:
    """The video; `change` may spoil each picture at its time."""
    cloth, grains = _cloth(), _grains()
    for index in range(round(seconds * fps)):
        t = index / fps
        image = cloth.copy()
        for path in dice:
            pose = path(t)
            if pose is not None:
                draw_die(image, pose)
        for hand in (h for h in (path(t) for path in hands) if h is not None):
            _draw_hand(image, hand)
        lighter, darker = grains[index % len(grains)]
        noisy = cv2.subtract(cv2.add(cv2.GaussianBlur(image, (3, 3), 0.7), lighter), darker)
        yield Frame(index, t, change(t, np.asarray(noisy, np.uint8)))


@cache
def _grains() -> list[tuple[Image, Image]]:
    """A camera's noise in some frames that follow each other: by how many levels each pixel is lighter, and darker.

    OpenCV adds and takes levels of a picture's own type far faster than it adds signed ones.
    """
    noise = np.random.default_rng(7)
    grains = [cv2.merge([noise.integers(-2, 3, SIZE[::-1], np.int16)] * 3) for _ in range(16)]
    return [(np.maximum(grain, 0).astype(np.uint8), np.maximum(-grain, 0).astype(np.uint8)) for grain in grains]


@cache
def _cloth() -> Image:
    rng = np.random.default_rng(3)
    image = np.full((SIZE[1], SIZE[0], 3), (60, 75, 95), np.uint8)
    cv2.rectangle(image, (60, 40), (580, 440), (40, 50, 70), -1)
    cv2.rectangle(image, (80, 60), (560, 420), (70, 120, 50), -1)
    grain = cv2.GaussianBlur(rng.normal(0, 12, image.shape[:2]), (5, 5), 1.2)
    return np.asarray(np.clip(image + grain[..., None], 0, 255), np.uint8)


def draw_die(image: Image, pose: Pose) -> None:
    """Draw a die of DIE_PX with its shadow into a picture."""
    _draw_shadow(image, pose)
    cv2.fillPoly(image, [_fixed(_square(pose, 0.5))], (215, 225, 230), cv2.LINE_AA, SUB)
    if pose.lean:
        cv2.fillPoly(image, [_fixed(_square(pose, 0.5)[:2] + _square(pose, 0.12)[1::-1])], (120, 130, 140), 16, SUB)
        return
    turn = math.radians(pose.angle)
    for u, v in PIPS[pose.value]:
        a, b = 0.26 * DIE_PX * u, 0.26 * DIE_PX * v
        x, y = pose.x + a * math.cos(turn) - b * math.sin(turn), pose.y + a * math.sin(turn) + b * math.cos(turn)
        centre, radius = _fixed([(x, y)])[0].tolist(), round(0.095 * DIE_PX * 2**SUB)
        cv2.circle(image, centre, radius, (25, 25, 30), -1, cv2.LINE_AA, SUB)


def _draw_shadow(image: Image, pose: Pose) -> None:
    left, top, right, bottom = (max(0, int(at + d)) for d in (-DIE_PX, DIE_PX) for at in (pose.x, pose.y))
    around = image[top:bottom, left:right]
    if around.size == 0:
        return
    shadow = [(x + 4 - left, y + 5 - top) for x, y in _square(pose, 0.52)]
    layer = around.copy()
    cv2.fillPoly(layer, [_fixed(shadow)], (20, 40, 20), cv2.LINE_AA, SUB)
    around[:] = cv2.addWeighted(layer, 0.6, around, 0.4, 0)


def _square(pose: Pose, half: float) -> list[Point]:
    turn = math.radians(pose.angle)
    corners = []
    for u, v in ((-half, -half), (half, -half), (half, half), (-half, half)):
        a, b = u * DIE_PX, v * DIE_PX
        corners.append(
            (pose.x + a * math.cos(turn) - b * math.sin(turn), pose.y + a * math.sin(turn) + b * math.cos(turn))
        )
    return corners


def _draw_hand(image: Image, hand: Hand) -> None:
    skin, line = (120, 150, 200), (85, 110, 160)
    wrist, tips = _fixed([hand.origin])[0].tolist(), _fixed([hand.tips])[0].tolist()
    cv2.line(image, wrist, tips, line, 64, cv2.LINE_AA, SUB)
    cv2.line(image, wrist, tips, skin, 58, cv2.LINE_AA, SUB)
    for spread in (-24, -8, 8, 24):
        end = _fixed([(hand.tips[0] + 38, hand.tips[1] + spread)])[0].tolist()
        cv2.line(image, tips, end, line, 17, cv2.LINE_AA, SUB)
        cv2.line(image, tips, end, skin, 12, cv2.LINE_AA, SUB)


def _fixed(points: Sequence[Point]) -> npt.NDArray[np.int32]:
    return np.asarray(np.round(np.array(points) * 2**SUB), np.int32)
