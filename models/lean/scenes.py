"""Draws single pictures of dice that lie flat, lean on a wall or on a die, or lie on another, and says which does what.

Settings, dice, light and calibration are those of films. The dice are laid, not thrown: a leaning die stands on its
lower edge and touches what it leans on with the next one, so that every tilt can be asked for.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.sim.camera import VIDEO, Picture, develop, without_grain
from models.sim.die import FACE_NORMALS, DieLook, PlacedDie, face_up, lowest_point, upmost_face
from models.sim.looks import random_look
from models.sim.pose import Pose, about, multiply
from models.sim.scenario import draw_seats
from models.sim.scene import FLAT_TILT_DEG, Scene, Tray, floor_edge, room_inside
from models.sim.script import Setting
from models.sim.setting import draw_setting
from models.sim.tracer import render
from models.sim.variety import other_looks
from models.sim.view import project

KINDS = ("flat", "on_wall", "on_die", "stacked")
"""What two of a picture's five dice do; the others lie flat..."""
PAIR = "pair"
"""...and so do those of pairs laid side by side."""
SAMPLES = (10, 24)
GRAIN = (7, 0.25)
QUALITY = 85
"""Of the picture's compression, which costs small things as much as a film's does."""
TILTS_DEG = ((FLAT_TILT_DEG + 0.5, 12.0), (12.0, 20.0), (20.0, 44.0), (20.0, 44.0))
"""One of these ranges is drawn from, evenly: slight tilts are rarer than their width."""
FREE, AT_WALL, BESIDE = 0, 1, 2
WHERE = (0.45, 0.3, 0.25)
"""How often a flat die lies anywhere, at the wall, or beside another."""
GAP_SIDES = 0.4
"""Flat dice at a wall or beside another touch it in half of the cases, and else lie at most so far off."""
PAIR_SIDES = 0.7
"""The same of those of pairs: as far as one that leans may seem to be from the other."""
APART_SIDES = 1.45
"""Least distance of the centres of dice that do not touch."""
OWN_LOOK = 0.5
"""Share of pictures whose dice may look in any way, beside those of films."""
GRAZE_MM = 0.1
"""Dice that touch are laid so far apart."""
TRIES = 300


@dataclass(frozen=True, slots=True)
class Laid:
    """A die in its place: whether it is `flat`, leans `on_wall` or `on_die`, is `stacked`, or lies `under` another.

    A flat one that another leans on is a `support`.
    """

    pose: Pose
    kind: str

    @property
    def tilt(self) -> float:
        """Degrees off the vertical of the face that looks up most."""
        return upmost_face(self.pose)[1]


@dataclass(frozen=True, slots=True)
class Still:
    """A picture's dice in their setting: all of one look, the setting's first."""

    setting: Setting
    dice: tuple[Laid, ...]
    seed: tuple[int, ...]

    def top_px(self, die: Laid) -> tuple[float, float]:
        """Where the middle of the face that looks up most is seen, px."""
        face = upmost_face(die.pose)[0]
        middle = die.pose.to_world([FACE_NORMALS[face] * self.setting.dice[0].side_mm / 2])
        x, y = project(self.setting.lens, middle)[0].tolist()
        return x, y


def lay(kind: str, seed: int, number: int, where: tuple[float, float, float] = WHERE) -> Still:
    """The dice of one picture; the same arguments give the same. `where`: as `WHERE`."""
    key = (seed, (*KINDS, PAIR).index(kind), number)
    rng = np.random.default_rng(key)
    setting = draw_setting(rng, draw_seats(rng))
    look = random_look(rng) if rng.random() < OWN_LOOK else setting.dice[0]
    setting = other_looks(replace(setting, dice=(look,) * len(setting.dice)), rng.spawn(1)[0])
    look = setting.dice[0]
    setting = replace(setting, dice=(look,) * len(setting.dice))
    table = _Table(rng, setting.tray, look, where)
    for special in (kind, kind, *("flat",) * 5)[:5]:
        if len(table.laid) < 5:
            table.put(special)
    return Still(setting, tuple(table.laid), key)


def draw(still: Still) -> Picture:
    """The picture, uint8 BGR (h, w, 3)."""
    setting = still.setting
    dice = tuple(PlacedDie.still(setting.dice[0], die.pose) for die in still.dice)
    rng = np.random.default_rng(still.seed)
    scene = Scene(setting.tray, setting.table, setting.lamps, setting.sky, setting.lens, dice, setting.clutter, 0)
    light = without_grain(render(scene, samples=SAMPLES), *GRAIN)
    return develop(light, replace(VIDEO, jpeg_quality=QUALITY), rng)


class _Table:
    """The dice laid so far in a tray."""

    def __init__(self, rng: np.random.Generator, tray: Tray, look: DieLook, where: tuple[float, float, float]) -> None:
        self.laid: list[Laid] = []
        self._rng, self._tray, self._look, self._where = rng, tray, look, where
        self._edge = floor_edge(tray, 64)

    def put(self, kind: str) -> None:
        """One more die of a kind, with the one below it or beside it; nothing where there is no room."""
        for _ in range(TRIES):
            found = {
                "flat": self._flat,
                "on_wall": self._on_wall,
                "on_die": self._on_die,
                "stacked": self._stacked,
                PAIR: self._pair,
            }[kind]()
            if found:
                self.laid += found
                return

    def _flat(self) -> list[Laid]:
        where = int(self._rng.choice(3, p=self._where))
        flat = [die.pose for die in self.laid if die.kind == "flat"]
        gap = float(self._rng.choice([0.0, self._rng.uniform(0, GAP_SIDES)]))
        if where == BESIDE and flat:
            beside = flat[int(self._rng.integers(len(flat)))]
            pose = self._beside(beside, 0.0, float(self._rng.uniform(-0.6, 0.6)), gap)
            free = self._is_free(pose, but=beside)
        elif where == AT_WALL:
            pose = self._at_wall(0.0, gap)
            free = self._is_free(pose)
        else:
            pose = self._anywhere()
            free = self._is_free(pose)
        return [Laid(pose, "flat")] if free and self._is_inside(pose) else []

    def _on_wall(self) -> list[Laid]:
        pose = self._at_wall(self._tilt(), 0.0)
        return [Laid(pose, "on_wall")] if self._is_free(pose) and self._is_inside(pose) else []

    def _on_die(self) -> list[Laid]:
        below, leaning = self._both(self._tilt(), 0.0)
        room = room_inside(self._tray, *leaning.position[:2]) > self._look.side_mm
        return self._if_free(Laid(below, "support"), Laid(leaning, "on_die")) if room else []

    def _pair(self) -> list[Laid]:
        gap = float(self._rng.choice([0.0, self._rng.uniform(0, PAIR_SIDES)]))
        below, by_it = self._both(0.0, gap)
        return self._if_free(Laid(below, "flat"), Laid(by_it, "flat")) if self._is_inside(by_it) else []

    def _both(self, tilt: float, gap_sides: float) -> tuple[Pose, Pose]:
        """A flat die anywhere and another at a side of it."""
        below = self._anywhere()
        return below, self._beside(below, tilt, float(self._rng.uniform(-0.5, 0.5)), gap_sides)

    def _if_free(self, below: Laid, by_it: Laid) -> list[Laid]:
        free = self._is_free(by_it.pose) and self._is_free(below.pose) and self._is_inside(below.pose)
        return [below, by_it] if free else []

    def _stacked(self) -> list[Laid]:
        below, side = self._anywhere(), self._look.side_mm
        dx, dy = (float(v) for v in self._rng.normal(size=2) * 0.22 * side)
        if math.hypot(dx, dy) > 0.48 * side or not (self._is_free(below) and self._is_inside(below)):
            return []
        turn = self._turn(self._rng.uniform(0, 2 * math.pi))
        wobble = math.radians(min(abs(float(self._rng.normal())) * 3, FLAT_TILT_DEG - 1))
        turn = multiply(about((*self._rng.normal(size=2), 0.0), wobble), turn)
        x, y, _ = below.position
        above = Pose((x + dx, y + dy, side + lowest_point(self._look, turn)), turn)
        return [Laid(below, "under"), Laid(above, "stacked")]

    def _tilt(self) -> float:
        least, most = TILTS_DEG[int(self._rng.integers(len(TILTS_DEG)))]
        return math.radians(float(self._rng.uniform(least, most)))

    def _turn(self, yaw: float) -> tuple[float, float, float, float]:
        return face_up(self._look, int(self._rng.integers(1, 7)), float(yaw))

    def _stood(self, x: float, y: float, turn: tuple[float, float, float, float]) -> Pose:
        return Pose((float(x), float(y), lowest_point(self._look, turn)), turn)

    def _anywhere(self) -> Pose:
        x, y = self._rng.uniform(-1, 1, 2) * np.abs(self._edge).max(axis=0)
        return self._stood(x, y, self._turn(self._rng.uniform(0, 2 * math.pi)))

    def _at_wall(self, tilt: float, gap_sides: float) -> Pose:
        """A die at the wall, in most cases along it; leaning, its side towards the wall is raised."""
        x, y = self._edge[int(self._rng.integers(len(self._edge)))] * 0.999
        normal = _outward(self._tray, float(x), float(y))
        away = math.atan2(normal[1], normal[0])
        aslant = self._rng.normal() * 0.12 if self._rng.random() < 0.75 else self._rng.uniform(-0.75, 0.75)
        turn = multiply(about((math.sin(away), -math.cos(away), 0.0), tilt), self._turn(away + aslant))
        reach = self._reach(turn, normal) - room_inside(self._tray, float(x), float(y))
        x, y = np.array([x, y]) - normal * (reach + gap_sides * self._look.side_mm)
        return self._stood(x, y, turn)

    def _beside(self, other: Pose, tilt: float, along_sides: float, gap_sides: float = 0.0) -> Pose:
        """A die at a side of another, a little shifted along it; leaning, its side towards the other is raised.

        Dice that touch flat on lie alike, others nearly so or as they happen to.
        """
        up = upmost_face(other)[0] // 2
        edge = other.matrix[:2, (up + 1) % 3]
        away = math.atan2(edge[1], edge[0]) + int(self._rng.integers(4)) * math.pi / 2
        normal = np.array([math.cos(away), math.sin(away)])
        touch_flat = not tilt and not gap_sides
        aslant = self._rng.normal() * 0.12 if self._rng.random() < 0.5 else self._rng.uniform(-0.8, 0.8)
        yaw = away + (0.0 if touch_flat else float(aslant))
        turn = multiply(about((math.sin(away), -math.cos(away), 0.0), -tilt), self._turn(yaw))
        reach = self._look.side_mm * (0.5 + gap_sides) + self._reach(turn, normal)
        along = along_sides * self._look.side_mm * np.array([-normal[1], normal[0]])
        x, y = np.array(other.position[:2]) + normal * (reach + GRAZE_MM) + along
        return self._stood(x, y, turn)

    def _reach(self, turn: tuple[float, float, float, float], way: NDArray[np.float64]) -> float:
        """How far a turned die reaches from its centre in a level direction, mm."""
        core = self._look.side_mm / 2 - self._look.edge_radius_mm
        return float(np.abs(Pose((0, 0, 0), turn).matrix[:2].T @ way).sum()) * core + self._look.edge_radius_mm

    def _is_free(self, pose: Pose, but: Pose | None = None) -> bool:
        others = (die.pose for die in self.laid if die.pose is not but)
        least = APART_SIDES * self._look.side_mm
        return all(math.dist(pose.position[:2], other.position[:2]) > least for other in others)

    def _is_inside(self, pose: Pose) -> bool:
        """Whether a die is wholly within the walls; round ones may press in its rounded edges a little."""
        half = self._look.side_mm / 2 - self._look.edge_radius_mm
        corners = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * half
        rooms = [room_inside(self._tray, x, y) for x, y, _ in pose.to_world(corners)]
        return min(rooms) > self._look.edge_radius_mm * 0.5


def _outward(tray: Tray, x: float, y: float) -> NDArray[np.float64]:
    """(2,) the level direction from a place to the nearest wall."""
    nx, ny, d = min(tray.sides, key=lambda side: side[2] - side[0] * x - side[1] * y)
    reach = math.hypot(x, y)
    if tray.circle_mm > 0 and tray.circle_mm - reach < d - nx * x - ny * y:
        return np.array([x, y]) / reach
    return np.array([nx, ny])
