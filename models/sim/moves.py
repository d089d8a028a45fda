"""The moves of play as keys of a hand: throwing dice, reaching down to a die."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.sim.gesture import Key, Player
from models.sim.pose import Pose, Vec3
from models.sim.scene import Tray, room_inside

OPEN_S = 0.09
"""From letting go to the open hand."""
SHAKE_S = 0.18
BACK_MM = 85.0
"""The dice are shaken so far behind the place where they are let go: outside the tray, or over its rim."""


@dataclass(frozen=True)
class Aim:
    """Where a throw lets go (mm), which way it goes (unit vector), how fast (mm/s), after how many shakes.

    `closed` is how far the hand still is when it has let go, 0..1.
    """

    place: Vec3
    along: NDArray[np.float64]
    speed: float
    shakes: int
    closed: float

    @classmethod
    def drawn(cls, rng: np.random.Generator, tray: Tray, player: Player, vigour: float) -> "Aim":
        """A throw from the player's half towards the other side; with `vigour` 1 dice seldom leave the tray."""
        outward = player.outward
        across = np.array([-outward[1], outward[0]])
        reach = room_inside(tray, 0.0, 0.0)
        x, y = outward * reach * rng.uniform(0.5, 0.95) + across * reach * rng.uniform(-0.25, 0.25)
        closed = float(rng.choice([0.0, 0.33, 0.33, 0.6]))
        bend = rng.uniform(-0.35, 0.35)
        along = -outward * np.cos(bend) + across * np.sin(bend)
        place = (float(x), float(y), float(rng.uniform(50, 66)) * vigour)
        return cls(place, along, float(rng.uniform(450, 950)) * vigour, int(rng.integers(1, 4)), closed)


def throwing(aim: Aim, outside: Vec3, start: float, releases: Sequence[float]) -> tuple[Key, ...]:
    """From `outside` come, shake, let go in mid swing at each of `releases`, draw back with the open hand."""
    across = np.array([-aim.along[1], aim.along[0]])

    def at(forward: float, sideways: float, up: float) -> Vec3:
        x, y = np.asarray(aim.place[:2]) + aim.along * forward + across * sideways
        return (float(x), float(y), aim.place[2] + up)

    shaking = releases[0] - 0.16 - SHAKE_S * aim.shakes
    keys = [Key(start, outside), Key(shaking, at(-BACK_MM, 0, 12), roll=0.1)]
    for n in range(aim.shakes):
        t = shaking + SHAKE_S * n
        keys.append(Key(t + SHAKE_S / 2, at(-BACK_MM - 4, 9, 17), roll=0.35))
        keys.append(Key(t + SHAKE_S, at(-BACK_MM, -7, 10), roll=-0.1))
    for release, following in zip(releases, (*releases[1:], None), strict=True):
        last = following is None
        closed = aim.closed if last else 0.7
        keys += [
            Key(release, at(0, 0, 0), pitch=0.15, closed=0.85),
            Key(release + OPEN_S, at(20, 0, 8), pitch=-0.02, closed=closed),
            Key(release + 0.22, at(-14, 0, 24), pitch=0.05, closed=closed),
        ]
        if following is not None and following - release > 0.5:
            keys.append(Key(following - 0.2, at(-8, 0, 14), roll=0.1))
    keys.append(Key(releases[-1] + 0.6, outside, closed=max(aim.closed, 0.33)))
    return tuple(keys)


def reach_down(place: Vec3, t: float, closed: float) -> list[Key]:
    """Over a die, down on it (the second key is the grasp), and up again."""
    x, y, z = place
    return [
        Key(t, (x, y, z + 36), pitch=0.34, closed=closed - 0.15),
        Key(t + 0.13, (x, y, z + 4), pitch=0.42, closed=closed),
        Key(t + 0.27, (x, y, z + 34), pitch=0.34, closed=closed),
    ]


def reaching_order(player: Player, poses: Mapping[int, Pose]) -> list[int]:
    """The farthest die first, then always the nearest of the others."""
    left = {die: np.asarray(pose.position[:2]) for die, pose in poses.items()}
    here = player.outward * -1000
    order: list[int] = []
    while left:
        die = min(left, key=lambda d: float(np.linalg.norm(left[d] - here)))
        here = left.pop(die)
        order.append(die)
    return order
