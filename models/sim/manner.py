"""Manners of throwing: out of the closed hand, off the open palm, from a cup, with a hand that stays in the tray."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.sim.gesture import SHOULDER_MM, Key, Player
from models.sim.hand import HandMake, Held, carried
from models.sim.moves import OPEN_S, SHAKE_S, Aim, throwing
from models.sim.pose import Pose, Vec3, about
from models.sim.props import Cup, in_cup
from models.sim.scene import Tray, room_inside
from models.sim.shape import vec

PALM_MM = 17.0
"""From the middle of the hand to the skin of the palm."""
SWAY_MM = 0.7
"""A hand at rest is never quite still."""
SWAY_S, STOP_S = 0.35, 0.06


@dataclass(frozen=True)
class Manner:
    """How dice are thrown: the hand with what it holds, where in its own mm they are, its aim and its movement.

    `roll` is how the hand is turned when it comes. `waits` seconds go by before it shakes.
    """

    make: Callable[[Player], HandMake]
    places: Callable[[HandMake, int, float], list[Vec3]]
    aim: Callable[[np.random.Generator, Tray, Player, float], Aim]
    keys: Callable[[Player, Aim, Vec3, float, Sequence[float]], tuple[Key, ...]]
    roll: float = 0.0
    waits: float = 0.0


def _own_make(player: Player) -> HandMake:
    return player.make


def _throwing(player: Player, aim: Aim, outside: Vec3, start: float, releases: Sequence[float]) -> tuple[Key, ...]:
    return throwing(aim, outside, start, releases)


CLOSED_HAND = Manner(_own_make, carried, Aim.drawn, _throwing)


def open_hand(player: Player) -> Manner:
    """The hand comes palm up with the dice in plain view, and turns over as it throws."""
    side = _thumb_side(player.make)

    def keys(player: Player, aim: Aim, outside: Vec3, start: float, releases: Sequence[float]) -> tuple[Key, ...]:
        release, up = releases[0], side * math.pi
        at = _about(aim)
        shaking = release - 0.2 - SHAKE_S * aim.shakes
        found = [Key(start, outside, 0.05, up, 0.4), Key(shaking, at(-40, 0, 28), 0.05, up, 0.4)]
        for n in range(aim.shakes):
            t = shaking + SHAKE_S * n
            found.append(Key(t + SHAKE_S / 2, at(-40, 6, 36), 0.1, up, 0.4))
            found.append(Key(t + SHAKE_S, at(-40, -5, 28), 0.0, up, 0.4))
        return (
            *found,
            Key(release - 0.06, at(-22, 0, 26), 0.0, 0.92 * up, 0.4),
            Key(release, at(0, 0, 20), 0.05, 0.72 * up, 0.35),
            Key(release + OPEN_S, at(26, 0, 22), 0.0, 0.5 * up, aim.closed / 2),
            Key(release + 0.26, at(18, 0, 30), 0.05, 0.4 * up, aim.closed / 2),
            Key(release + 0.75, outside, 0.1, 0.2 * up, 0.33),
        )

    return Manner(_own_make, _on_palm, Aim.drawn, keys, side * math.pi)


def from_cup(player: Player, cup: Cup, waits: float = 0.0) -> Manner:
    """The hand holds a cup upright, shakes it, tips it over to the side of its thumb and draws it back."""
    side = _thumb_side(player.make)
    upright = side * math.pi / 2
    make = with_cup(player.make, cup)

    def places(make: HandMake, count: int, side_mm: float) -> list[Vec3]:
        assert make.holds is not None
        return [vec(place) for place in make.holds.place.to_world(in_cup(cup, count, side_mm))]

    def aim(rng: np.random.Generator, tray: Tray, player: Player, vigour: float) -> Aim:
        """From the player's own side across the tray."""
        outward, reach = player.outward, room_inside(tray, 0.0, 0.0)
        thumb = side * np.array([outward[1], -outward[0]])
        x, y = outward * reach * rng.uniform(0.0, 0.4) - thumb * reach * rng.uniform(0.45, 0.65)
        forward = -outward * SHOULDER_MM + (x, y) * np.ones(2)
        forward /= np.linalg.norm(forward)
        bend = float(rng.uniform(-0.15, 0.3))
        along = side * np.array([-forward[1], forward[0]]) * math.cos(bend) + forward * math.sin(bend)
        place = (float(x), float(y), float(rng.uniform(62, 80)) * vigour)
        return Aim(place, along, float(rng.uniform(420, 900)) * vigour, int(rng.integers(2, 6)), 0.8)

    def keys(player: Player, aim: Aim, outside: Vec3, start: float, releases: Sequence[float]) -> tuple[Key, ...]:
        release, at = releases[0], _about(aim)
        shaking = release - 0.3 - SHAKE_S * aim.shakes
        found = [Key(start, outside, 0.05, upright, 0.8)]
        if shaking - start > 1.4:
            found += [Key(t, at(-30, 0, 8), 0.05, upright, 0.8) for t in (start + 0.6, shaking - 0.3)]
        found.append(Key(shaking, at(-38, 0, 16), 0.0, upright, 0.8))
        for n in range(aim.shakes):
            t = shaking + SHAKE_S * n
            found.append(Key(t + SHAKE_S / 2, at(-44, 8, 34), 0.08, upright * 0.88, 0.8))
            found.append(Key(t + SHAKE_S, at(-36, -8, 10), -0.05, upright * 1.08, 0.8))
        return (
            *found,
            Key(release - 0.12, at(-44, 0, 22), 0.0, upright * 0.9, 0.8),
            Key(release, at(-6, 0, 0), 0.0, upright * 0.12, 0.8),
            Key(release + 0.1, at(10, 0, 4), 0.0, -upright * 0.22, 0.8),
            Key(release + 0.26, at(-6, 0, 16), 0.0, -upright * 0.12, 0.8),
            Key(release + 0.9, outside, 0.05, upright * 0.6, 0.8),
        )

    return Manner(lambda _: make, places, aim, keys, upright, waits)


def staying(place: Vec3, seconds: float, rng: np.random.Generator) -> Manner:
    """Out of the closed hand, which then lies down at `place` in the tray and stays so long."""

    def keys(player: Player, aim: Aim, outside: Vec3, start: float, releases: Sequence[float]) -> tuple[Key, ...]:
        *thrown, out = throwing(aim, outside, start, releases)
        down = releases[-1] + 0.75
        stay = resting(place, down, down + seconds, rng)
        return (*thrown, *stay, replace(out, t=stay[-1].t + 0.6))

    return replace(CLOSED_HAND, keys=keys)


def resting(place: Vec3, start: float, end: float, rng: np.random.Generator, **pose: float) -> list[Key]:
    """A hand that stays where it is, as still as hands are."""
    # keys close to the first and the last keep the curve between them from swinging beyond the place
    times = np.unique([start, start + STOP_S, *np.arange(start + SWAY_S, end - SWAY_S / 2, SWAY_S), end, end + STOP_S])
    shifts = rng.normal(size=(len(times), 3)) * SWAY_MM
    return [
        Key(float(t), vec(np.asarray(place) + shift), **{"closed": 0.33, **pose})
        for t, shift in zip(times, shifts, strict=True)
    ]


def with_cup(make: HandMake, cup: Cup) -> HandMake:
    """The hand around a cup whose mouth is on the side of the thumb."""
    turn = about((1, 0, 0), -_thumb_side(make) * math.pi / 2)
    return replace(make, holds=Held(cup, Pose((80 * make.size, 0.0, -14 * make.size - cup.radius), turn)))


def _thumb_side(make: HandMake) -> int:
    """The sign of the roll that turns the thumb up."""
    return 1 if make.left else -1


def _on_palm(make: HandMake, count: int, side_mm: float) -> list[Vec3]:
    """Places in the hand's own mm for dice that lie on the open palm."""
    step, mirror = side_mm * 1.2, -1 if make.left else 1
    cells = [(-0.6, -0.45), (-0.5, 0.6), (0.4, 0.1), (0.5, 1.1), (0.45, -0.9), (1.4, 0.2)]
    depth = -PALM_MM * make.size - side_mm * 0.62
    return [(66 * make.size + x * step, mirror * y * step, depth) for x, y in cells[:count]]


def _about(aim: Aim) -> Callable[[float, float, float], Vec3]:
    """Places around the one of an aim: so far along, across and above it."""
    across = np.array([-aim.along[1], aim.along[0]])

    def at(forward: float, sideways: float, up: float) -> Vec3:
        x, y = np.asarray(aim.place[:2]) + aim.along * forward + across * sideways
        return (float(x), float(y), aim.place[2] + up)

    return at
