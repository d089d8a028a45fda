"""Draws whole scenes: dice on a table under a camera, with what each of them shows."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.die import Pose, draw_die
from models.training.look import DieLook, die_look, light, skin_colour
from models.training.noise import grain
from models.training.table import Table, draw_hand, draw_table
from models.training.view import Picture, Points, View, look_down, turn

WIDTH, HEIGHT = 640, 360
FACE_PX = (22.0, 68.0)  # die faces in a scene: what a crop of 48 px can show at all
UNREADABLE = 0
_STEEPEST = np.radians(38)  # between the top face's normal and the ray: beyond it a top face is not called one
_COUNTS = {0: 0.06, 1: 0.06, 2: 0.06, 3: 0.08, 4: 0.09, 5: 0.34, 6: 0.13, 7: 0.06, 8: 0.06, 12: 0.06}


@dataclass
class SceneDie:
    """One die of a scene: centre (2,) of its top face and its edge in px, value (0 = unreadable), pips (n, 2) in px.

    `sides` (n, 2) are the middles of side faces whose pips can be seen.
    """

    centre: Points
    face_px: float
    value: int
    pips: Points
    sides: Points

    def spoil(self) -> None:
        """Make the die one that nobody could read."""
        self.value = UNREADABLE
        self.pips = np.zeros((0, 2))


@dataclass(frozen=True)
class Scene:
    """A drawn picture (BGR), its dice and the places (px) of things that only look like dice.

    `complete`: `dice` are all dice that the picture shows; some lean or are covered so that nobody can say what to make
    of them, and those are left out.
    """

    picture: Picture
    dice: tuple[SceneDie, ...]
    decoys: tuple[tuple[float, float], ...]
    face_px: float
    complete: bool


def _view(rng: np.random.Generator) -> View:
    """Draw a camera: mostly straight above, in one scene of five far to the side."""
    face_px = float(np.exp(rng.uniform(*np.log(FACE_PX))))
    distance = float(np.exp(rng.uniform(np.log(14), np.log(60))))
    tilt = rng.uniform(0.2, 0.6) if rng.random() < 0.2 else abs(rng.normal(0, 0.1))
    return look_down(WIDTH, HEIGHT, face_px, distance, tilt, rng.uniform(0, 2 * np.pi))


@dataclass(frozen=True)
class _Spot:
    """Where a die is to stand on the floor, and how it is turned there."""

    place: Points
    yaw: float


def _inside(floor: Points, point: Points) -> float:
    """Return how far a floor point is inside the tray's outline, in die edges; negative outside."""
    outline = floor[:, :2].astype(np.float32).reshape(-1, 1, 2)
    return float(cv2.pointPolygonTest(outline, (float(point[0]), float(point[1])), True))


def _candidate(rng: np.random.Generator, view: View, table: Table, spots: list[_Spot], edge: float) -> _Spot:
    """Propose a spot: beside another die, against the tray's wall, or anywhere in the picture."""
    yaw = rng.uniform(0, 2 * np.pi)
    kind = rng.random()
    if spots and kind < 0.35:
        other = spots[rng.integers(len(spots))]
        apart = rng.uniform(1.02, 1.55)
        if apart < 1.3:  # as near as this, two dice stand face to face
            yaw = other.yaw + rng.normal(0, 0.02)
            angle = other.yaw + float(rng.integers(4)) * np.pi / 2
            slide = rng.uniform(-0.6, 0.6)
            step = np.array([np.cos(angle) - slide * np.sin(angle), np.sin(angle) + slide * np.cos(angle), 0]) * apart
        else:
            angle = rng.uniform(0, 2 * np.pi)
            step = np.array([np.cos(angle), np.sin(angle), 0]) * apart
        return _Spot(other.place + step, yaw)
    if table.floor is not None and kind < 0.55:
        i = int(rng.integers(len(table.floor)))
        a, b = table.floor[i], table.floor[(i + 1) % len(table.floor)]
        along = (b - a) / np.linalg.norm(b - a)
        inward = np.array([-along[1], along[0], 0])
        flush = rng.random() < 0.5
        gap = 0.52 if flush else rng.uniform(0.72, 1.0)
        yaw = float(np.arctan2(along[1], along[0])) if flush else yaw
        return _Spot(a + (b - a) * rng.random() + inward * gap, yaw)
    margin = 0.0 if kind > 0.92 else edge
    return _Spot(view.on_floor(rng.uniform(margin, WIDTH - margin), rng.uniform(margin, HEIGHT - margin)), yaw)


def _spots(rng: np.random.Generator, view: View, table: Table, wanted: int, edge: float) -> list[_Spot]:
    """Draw where dice stand without running into one another or, where there is a tray, through its wall."""
    spots: list[_Spot] = []
    strict = rng.random() < 0.85
    for _ in range(wanted):
        for _ in range(30):
            spot = _candidate(rng, view, table, spots, edge)
            x, y = view.project(spot.place[None])[0]
            in_tray = table.floor is None or not strict or _inside(table.floor, spot.place) > 0.5
            clear = all(np.linalg.norm(spot.place - s.place) > 1.01 for s in spots)
            if in_tray and clear and 0 < x < WIDTH and 0 < y < HEIGHT:
                spots.append(spot)
                break
    return spots


def _pose(rng: np.random.Generator, spot: _Spot, value: int, cocked: bool) -> Pose:
    """Stand a die flat on its spot, or lean it as far as dice lean on a wall or on one another."""
    up = np.array([0.0, 0, 1])
    rotation = turn(up, spot.yaw)
    lean = rng.uniform(0.55, 0.95) if cocked else abs(rng.normal(0, 0.012))
    around = rng.uniform(0, 2 * np.pi)
    rotation = turn(np.array([np.cos(around), np.sin(around), 0.0]), lean) @ rotation
    height = float(np.abs(rotation[2]).sum()) / 2  # the lowest corner touches the floor
    return Pose(spot.place + up * height, rotation, value)


def _cover(rng: np.random.Generator, picture: Picture, die: SceneDie, pip_px: float) -> None:
    """Lay a finger over part of a die, in place; the die is spoilt if a pip or its middle is hidden."""
    tip = die.centre + rng.normal(0, 0.45, 2) * die.face_px
    half = die.face_px * rng.uniform(0.25, 0.6)
    angle = rng.uniform(0, 2 * np.pi)
    far = tip + np.array([np.cos(angle), np.sin(angle)]) * die.face_px * 5
    skin = tuple(np.clip(skin_colour(rng), 0, 255).tolist())
    cv2.line(picture, tip.astype(int).tolist(), far.astype(int).tolist(), skin, max(1, int(half * 2)), cv2.LINE_AA)
    if (_distance(die.pips, tip, far) < half + pip_px).any() or _distance(die.centre[None], tip, far)[0] < half:
        die.spoil()


def _distance(points: Points, start: Points, end: Points) -> Points:
    """Return the distances (n,) of points (n, 2) from a line segment."""
    axis = end - start
    along = np.clip((points - start) @ axis / (axis @ axis), 0, 1)
    return np.asarray(np.linalg.norm(points - start - along[:, None] * axis, axis=1))


def _add_dice(rng: np.random.Generator, picture: Picture, view: View, table: Table) -> tuple[list[SceneDie], bool]:
    """Draw the dice of a scene, in place, farthest from the picture's middle first; also return if these are all."""
    wanted = int(rng.choice(list(_COUNTS), p=list(_COUNTS.values())))
    edge = view.focal / view.position[2]
    spots = _spots(rng, view, table, wanted, edge)
    lamp = light(rng)
    looks = [die_look(rng)]
    if rng.random() < 0.4:
        looks += [die_look(rng) for _ in range(int(rng.integers(1, 5)))]
    camera = np.array([view.position[0], view.position[1], 0])
    dice, complete = [], True
    for spot in sorted(spots, key=lambda s: -float(np.linalg.norm(s.place - camera))):
        kind = rng.random()
        cocked, blank = kind < 0.05, 0.05 <= kind < 0.065
        pose = _pose(rng, spot, int(rng.integers(1, 7)), cocked)
        look = looks[rng.integers(len(looks))]
        drawn = draw_die(rng, picture, view, pose, look, lamp, blank)
        if drawn is None:
            continue
        steep = pose.rotation[:, 2] @ view.towards(pose.centre) < np.cos(_STEEPEST)
        if cocked and not steep:
            complete = False
            continue  # such a lean looks like a flat die at the picture's border: it can teach neither
        die = SceneDie(drawn.centre, drawn.face_px, pose.value, drawn.pips, drawn.sides)
        inside = ((drawn.pips > 1) & (drawn.pips < (WIDTH - 1, HEIGHT - 1))).all()
        if steep or blank or not inside:
            die.spoil()
        elif rng.random() < 0.03:
            _cover(rng, picture, die, _pip_px(look, die))
        if drawn.faint:
            die.spoil()
        dice.append(die)
    _spoil_hidden(dice)
    return dice, complete


def _pip_px(look: DieLook, die: SceneDie) -> float:
    return (look.one_radius if die.value == 1 else look.pip_radius) * die.face_px


def _spoil_hidden(dice: list[SceneDie]) -> None:
    """Spoil dice whose pips were painted over by a later die."""
    for i, die in enumerate(dice):
        for later in dice[i + 1 :]:
            if len(die.pips) and (np.linalg.norm(die.pips - later.centre, axis=1) < 0.5 * later.face_px).any():
                die.spoil()


def _reach_in(rng: np.random.Generator, picture: Picture, dice: list[SceneDie]) -> list[SceneDie]:
    """Lay a hand over the scene, in place; return the dice of which something is left to see."""
    start, end, thickness = draw_hand(rng, picture)
    left = []
    for die in dice:
        gap = float(_distance(die.centre[None], start, end)[0]) - thickness / 2
        if np.linalg.norm(die.centre - end) < thickness * 1.7 and gap > 0:
            continue  # somewhere under or between the fingers: neither there nor not there
        if gap < 0.5 * die.face_px:
            die.spoil()
        if gap > -0.2 * die.face_px:
            left.append(die)
    return left


def _illuminate(rng: np.random.Generator, picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the picture under uneven light: slope, spot, hard shadow, colour cast and tone curve."""
    rows, columns = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    across, down = rng.normal(0, 0.18, 2)
    gain = 1 + across * (columns / WIDTH - 0.5) * 2 + down * (rows / HEIGHT - 0.5) * 2
    if rng.random() < 0.3:
        x, y, size = rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT), rng.uniform(0.2, 0.6) * WIDTH
        gain *= 0.6 + 0.9 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * size * size))
    if rng.random() < 0.12:
        angle, x, y = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.8) * WIDTH, rng.uniform(0.2, 0.8) * HEIGHT
        dark = ((columns - x) * np.cos(angle) + (rows - y) * np.sin(angle) > 0).astype(np.float32)
        gain *= 1 - rng.uniform(0.2, 0.6) * cv2.GaussianBlur(dark, (0, 0), rng.uniform(1, 8))
    gain = np.clip(gain, 0.15, 2.2) * rng.uniform(0.45, 1.2)
    lit = np.clip(picture * gain[..., None] * np.exp(rng.normal(0, 0.08, 3)), 0, 255)
    if rng.random() < 0.4:
        curve = (255 * (np.arange(256) / 255) ** np.exp(rng.normal(0, 0.25))).astype(np.float32)
        lit = cv2.LUT(lit.astype(np.uint8), curve)
    return np.asarray(lit, np.float32)


def _blur(rng: np.random.Generator, picture: NDArray[np.float32], face_px: float) -> tuple[NDArray[np.float32], bool]:
    """Return the picture out of focus or smeared by motion, and whether that made the dice unreadable."""
    kind = rng.random()
    if kind < 0.6:
        sigma = abs(rng.normal(0, 0.028)) * face_px
        if sigma > 0.3:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)
        return picture, bool(sigma > 0.11 * face_px)
    if kind < 0.72:
        length = rng.uniform(0.03, 0.5) * face_px
        size = int(length) | 1
        if size >= 3:
            kernel = np.zeros((size, size), np.float32)
            half, angle = size // 2, rng.uniform(0, np.pi)
            step = np.array([np.cos(angle), np.sin(angle)]) * half
            ends = np.round([half - step, half + step]).astype(int).tolist()
            cv2.line(kernel, ends[0], ends[1], (1.0,), 1)
            picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
        return picture, bool(length > 0.22 * face_px)
    return picture, False


def _develop(rng: np.random.Generator, picture: NDArray[np.float32]) -> Picture:
    """Return the picture as a camera would hand it over: noise, grey mode, JPEG."""
    if rng.random() < 0.75:
        picture = picture + grain(rng, HEIGHT, WIDTH, int(rng.choice([1, 3]))) * np.float32(rng.uniform(1, 9))
    developed = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.03:
        flecks = rng.random((HEIGHT, WIDTH)) < rng.uniform(0.001, 0.01)
        developed[flecks] = rng.choice([0, 255], (int(flecks.sum()), 1))
    if rng.random() < 0.12:
        developed = np.repeat(cv2.cvtColor(developed, cv2.COLOR_BGR2GRAY)[..., None], 3, 2)
    if rng.random() < 0.5:
        packed = cv2.imencode(".jpg", developed, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))])[1]
        developed = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return developed


def draw_scene(rng: np.random.Generator) -> Scene:
    """Draw one scene, 640 x 360, with nought to twelve dice whose faces are 22 to 68 px wide."""
    view = _view(rng)
    table, decoys = draw_table(rng, view)
    picture = table.picture
    dice, complete = _add_dice(rng, picture, view, table)
    if rng.random() < 0.08:
        left = _reach_in(rng, picture, dice)
        dice, complete = left, complete and len(left) == len(dice)
    face_px = float(np.median([d.face_px for d in dice])) if dice else view.focal / view.position[2]
    lit = _illuminate(rng, picture.astype(np.float32))
    blurred, lost = _blur(rng, lit, face_px)
    if lost:
        for die in dice:
            die.spoil()
    return Scene(_develop(rng, blurred), tuple(dice), tuple(decoys), face_px, complete)
