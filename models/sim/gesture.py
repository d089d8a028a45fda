"""How a player's hand moves: key poses over time, joined by an even curve, kept clear of rim and dice.

A key says where the hollow of the hand is; the arm comes from the player's shoulder, so the hand turns as it reaches.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models.sim.hand import CLOSING_STEPS, HandMake
from models.sim.pose import Pose, Quaternion, Vec3, about, multiply
from models.sim.scene import Tray
from models.sim.shape import Make, vec

SHOULDER_MM = 640.0
"""From the middle of the tray to the point that the arm turns about."""
SKIRT_MM = 25.0
"""The hand begins to rise so far before the rim or a die."""
CLEAR_MM = 2.0


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays: the arm, and the direction in radians from the tray's middle to where the player sits."""

    name: str
    make: HandMake
    seat: float

    @property
    def outward(self) -> NDArray[np.float64]:
        """(2,) unit vector from the tray to the player."""
        return np.array([math.cos(self.seat), math.sin(self.seat)])


@dataclass(frozen=True, slots=True)
class Key:
    """Where the hollow of the hand is at `t`; pitch lowers the fingers, roll turns the thumb; closed 0..1."""

    t: float
    place: Vec3
    pitch: float = 0.2
    roll: float = 0.0
    closed: float = 1.0


@dataclass(frozen=True, slots=True)
class HandPose:
    """A hand at one moment: the wrist's pose and the step of closing."""

    wrist: Pose
    closing: int


@dataclass(frozen=True, slots=True)
class Visit:
    """One reach of a hand, or of another `body`, into the picture and out of it again."""

    player: Player
    keys: tuple[Key, ...]
    body: Make | None = None

    @property
    def make(self) -> Make:
        """What reaches in: the player's own hand, unless a body is named."""
        return self.body or self.player.make

    @property
    def start(self) -> float:
        """Second at which the hand sets out."""
        return self.keys[0].t

    @property
    def end(self) -> float:
        """Second at which it is gone."""
        return self.keys[-1].t

    def later(self, seconds: float) -> "Visit":
        """The same visit, so much later."""
        return replace(self, keys=tuple(replace(key, t=key.t + seconds) for key in self.keys))

    def at(self, t: float, tray: Tray, lying: Sequence[tuple[Vec3, float]]) -> HandPose:
        """The hand at `t`, raised where it would touch the tray or a lying die (place and side, mm)."""
        place, pitch, roll, closed = self._between(t)
        turn = hand_turn(self.player, place, pitch, roll)
        closing = round(min(max(closed, 0.0), 1.0) * (CLOSING_STEPS - 1))
        make = self.make
        wrist = place - Pose((0, 0, 0), turn).matrix @ np.asarray(make.hollow)
        hand = Pose(vec(wrist), turn)
        points = hand.to_world(body_points(make, closing))
        raised = wrist + np.array([0.0, 0.0, _lift(points, tray, lying)])
        return HandPose(Pose(vec(raised), turn), closing)

    def _between(self, t: float) -> tuple[NDArray[np.float64], float, float, float]:
        """Place, pitch, roll and closing at `t` on the cubic curve through the keys."""
        times = [key.t for key in self.keys]
        k = min(max(bisect_right(times, t) - 1, 0), len(times) - 2)
        values = np.array([(*key.place, key.pitch, key.roll) for key in self.keys])
        span = times[k + 1] - times[k]
        s = min(max((t - times[k]) / span, 0.0), 1.0)
        a, b = values[k], values[k + 1]
        out, into = self._slope(values, k) * span, self._slope(values, k + 1) * span
        row = a + s * (out + s * (3 * (b - a) - 2 * out - into + s * (2 * (a - b) + out + into)))
        closed = self.keys[k].closed * (1 - s) + self.keys[k + 1].closed * s
        return row[:3], float(row[3]), float(row[4]), closed

    def _slope(self, values: NDArray[np.float64], k: int) -> NDArray[np.float64]:
        """Speed at a key: that of its neighbours' chord, nothing at both ends."""
        if k in (0, len(self.keys) - 1):
            return np.zeros(values.shape[1])
        chord: NDArray[np.float64] = (values[k + 1] - values[k - 1]) / (self.keys[k + 1].t - self.keys[k - 1].t)
        return chord


def hand_turn(player: Player, place: NDArray[np.float64], pitch: float, roll: float) -> Quaternion:
    """How a hand is turned whose hollow is there: the arm comes from the shoulder."""
    shoulder = player.outward * SHOULDER_MM
    yaw = math.atan2(place[1] - shoulder[1], place[0] - shoulder[0])
    return multiply(about((0, 0, 1), yaw), multiply(about((0, 1, 0), pitch), about((1, 0, 0), roll)))


def body_points(make: Make, closing: int) -> NDArray[np.float64]:
    """(n, 3) points all over the body, in its own mm."""
    return _points(make, closing)


@lru_cache(maxsize=64)
def _points(make: Make, closing: int) -> NDArray[np.float64]:
    return np.concatenate([part.points for part in make.parts(closing)])


def points_of(visit: Visit, hand: HandPose) -> NDArray[np.float64]:
    """(n, 3) points in the world, all over the hand or body of a visit."""
    return hand.wrist.to_world(body_points(visit.make, hand.closing))


def held(hand: HandPose, place: Vec3, rotation: Quaternion) -> Pose:
    """Pose in the world of a die that the hand carries."""
    at = hand.wrist.to_world([place])[0]
    return Pose(vec(at), multiply(hand.wrist.rotation, rotation))


def own_turn(wrist: Pose, die: Pose) -> Quaternion:
    """The turn of a die relative to the hand that takes it."""
    w, x, y, z = wrist.rotation
    return multiply((w, -x, -y, -z), die.rotation)


def _lift(points: NDArray[np.float64], tray: Tray, lying: Sequence[tuple[Vec3, float]]) -> float:
    """How far in mm a hand must rise so that none of its points (n, 3) is where it may not be."""
    # most of an arm is above all that there is
    highest = CLEAR_MM + max([tray.wall_height_mm, *(z + side / 2 for (_, _, z), side in lying)])
    low = np.ascontiguousarray(points[points[:, 2] <= highest])
    return float((_limits(low, tray, lying) - low[:, 2]).max(initial=0.0))


def _limits(points: NDArray[np.float64], tray: Tray, lying: Sequence[tuple[Vec3, float]]) -> NDArray[np.float64]:
    """(n,) height in mm below which no point of a hand may be: floor, rim, table, lying dice."""
    room = np.min([d - points[:, :2] @ (nx, ny) for nx, ny, d in tray.sides], axis=0)
    if tray.circle_mm > 0:
        room = np.minimum(room, tray.circle_mm - np.linalg.norm(points[:, :2], axis=1))
    lean = tray.wall_slope * tray.wall_height_mm
    beyond = -room - max(tray.wall_width_mm, lean)
    near_rim = np.clip(1 - np.maximum(room, beyond) / SKIRT_MM, 0, 1)
    ground = np.where(room > 0, 0.0, -tray.base_mm)
    limits = ground + CLEAR_MM + (tray.wall_height_mm - ground) * near_rim
    for (x, y, z), side in lying:
        away = np.hypot(points[:, 0] - x, points[:, 1] - y) - 0.75 * side
        near = np.clip(1 - away / SKIRT_MM, 0, 1)
        limits = np.maximum(limits, (z + side / 2 + CLEAR_MM) * near)
    return np.asarray(limits, np.float64)
