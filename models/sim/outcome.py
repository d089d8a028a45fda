"""Which falls a scenario accepts: clear cases only, so that the truth leaves nothing to argue about."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from models.sim.die import upmost_face
from models.sim.physics import RATE_HZ, Fall
from models.sim.pose import Pose
from models.sim.scene import die_state, room_inside
from models.sim.script import Setting
from models.sim.tumble import tumble

Poses = Mapping[int, Pose]


@dataclass(frozen=True)
class Landed:
    """How a throw came to rest: the dice that lay there `before`, where they lie now, the ways of those thrown and hit.

    Dice are known by their numbers; the ways of hit dice begin when the first die was thrown.
    """

    setting: Setting
    before: Poses
    lying: Poses
    ways: Mapping[int, Fall]
    hit: Mapping[int, Fall]

    @property
    def thrown(self) -> Poses:
        """Where the dice thrown lie."""
        return {die: way.last for die, way in self.ways.items()}


Outcome = Callable[[Landed], bool]
"""Whether the dice may end so."""

AT_REST_S = 0.15
SEEN, UNSEEN = (1.0, 4.0), (0.25, 1.0)
"""mm and degrees that a die moves and turns within 150 ms where everybody sees it, and where nobody does; what the
protocol calls rest lies between."""
ARGUED_S = 0.12
THROWN_TUMBLE = 0.25
ROLLS_ON_S, ROLLS_ON_MM = 0.2, 50.0
"""One die of a throw, at least, rolls on so far from then on: the hand is on its way back by that time."""
LEVEL_DEG = 2.0
"""Tilt of a die that lies flat beyond doubt."""
COCKED_DEG = 22.0
"""Tilt of a die that is cocked beyond doubt."""
APART_SIDES = 1.35
"""Least distance of two dice's centres."""
SPREAD_SIDES = 1.8
"""The same, and the distance from the wall, of dice that lie well apart."""
BESIDE_MM = 52.0
"""A die off the tray lies at least so far from the floor: its hand need not come over it."""


def settled(landed: Landed) -> bool:
    """All lie flat in the tray, apart from each other."""
    return all_flat(landed, landed.thrown) and apart(landed)


def spread(landed: Landed) -> bool:
    """All lie flat in the tray, well apart from each other and from the wall."""
    room = all(
        room_inside(landed.setting.tray, *pose.position) > SPREAD_SIDES * landed.setting.dice[die].side_mm
        for die, pose in landed.thrown.items()
    )
    return room and settled(landed) and apart(landed, SPREAD_SIDES)


def tumbled(landed: Landed) -> bool:
    """A throw beyond doubt: each die turned over on its way, and not all lay still while the hand was over them."""
    ways = landed.ways.values()
    return all(tumble(way) > THROWN_TUMBLE for way in ways) and max(_rolls_on(way) for way in ways) > ROLLS_ON_MM


def rests_at_once(landed: Landed) -> bool:
    """No die rocks so little and so long that one could argue when the dice came to rest."""
    ways = [*landed.ways.values(), *landed.hit.values()]
    count = max(len(way.positions) for way in ways)
    plainly, hardly = (np.any([_stirs(way, count, *limits) for way in ways], axis=0) for limits in (SEEN, UNSEEN))
    first_still = int(np.argmin(plainly))
    last_stir = count - int(np.argmax(hardly[::-1])) if hardly.any() else 0
    return last_stir - first_still < ARGUED_S * RATE_HZ


def _rolls_on(way: Fall) -> float:
    """mm that the die goes over the floor once the hand draws back."""
    steps = np.diff(way.after(ROLLS_ON_S).positions[:, :2], axis=0)
    return float(np.linalg.norm(steps, axis=1).sum())


def _stirs(way: Fall, count: int, most_mm: float, most_deg: float) -> NDArray[np.bool_]:
    """(count,) by moment, up to the end that all ways share: whether the die moves or turns more within 150 ms."""
    steps = np.linspace(0, AT_REST_S * RATE_HZ, 6).round().astype(int)[1:]
    ends = [np.minimum(np.arange(len(way.positions)) + step, len(way.positions) - 1) for step in steps]
    moved = [np.linalg.norm(way.positions[end] - way.positions, axis=1) for end in ends]
    cosines = [np.abs((way.rotations[end] * way.rotations).sum(axis=1)) for end in ends]
    stirs = np.any([m >= most_mm for m in moved], axis=0)
    stirs |= np.any([c <= math.cos(math.radians(most_deg) / 2) for c in cosines], axis=0)
    return np.concatenate([np.ones(count - len(stirs), bool), stirs])


def one_off_tray(landed: Landed) -> bool:
    """One lies on the table well beside the tray, whole in the picture or out of it; the others lie flat inside."""
    off, inside = _sorted_out(landed)
    if len(off) != 1 or not all_flat(landed, inside) or not apart(landed, among=inside):
        return False
    return all(beside(landed.setting, die, pose) for die, pose in off.items())


def one_on_rim(landed: Landed) -> bool:
    """One lies flat on the rim, the others flat inside."""
    off, inside = _sorted_out(landed)
    if len(off) != 1 or not all_flat(landed, inside) or not apart(landed, among=inside):
        return False
    (pose,) = off.values()
    return pose.position[2] > landed.setting.tray.wall_height_mm and upmost_face(pose)[1] < LEVEL_DEG


def kept_flat(landed: Landed) -> bool:
    """All dice that lay there still lie flat in the tray, apart from each other."""
    return all_flat(landed, landed.lying) and apart(landed, among=landed.lying)


def one_cocked(landed: Landed) -> bool:
    """One leans on the wall, the others lie flat."""
    setting, thrown = landed.setting, landed.thrown
    leaning = {die: pose for die, pose in thrown.items() if upmost_face(pose)[1] > COCKED_DEG}
    if len(leaning) != 1:
        return False
    die, pose = next(iter(leaning.items()))
    against_wall = 0 < room_inside(setting.tray, *pose.position) < 0.9 * setting.dice[die].side_mm
    others = {d: p for d, p in thrown.items() if d != die}
    return against_wall and all_flat(landed, others) and apart(landed)


def _sorted_out(landed: Landed) -> tuple[Poses, Poses]:
    """The dice thrown that lie off the tray, and those inside."""
    tray = landed.setting.tray
    off = {die: pose for die, pose in landed.thrown.items() if room_inside(tray, *pose.position) < 0}
    return off, {die: pose for die, pose in landed.thrown.items() if die not in off}


def beside(setting: Setting, die: int, pose: Pose, least_mm: float = BESIDE_MM) -> bool:
    """Flat on the table, so far from the floor's edge, and clearly in the picture or out of it."""
    tray, side = setting.tray, setting.dice[die].side_mm
    on_table = pose.position[2] < side / 2 - tray.base_mm + 1
    clear = room_inside(tray, *pose.position[:2]) < -least_mm
    whole = setting.shows(pose, -1.6 * side) or not setting.shows(pose, 1.6 * side)
    return on_table and clear and whole and upmost_face(pose)[1] < LEVEL_DEG


def all_flat(landed: Landed, poses: Poses) -> bool:
    """Whether all of these lie flat in the tray beyond doubt."""
    return all(_flat(landed.setting, die, pose) for die, pose in poses.items())


def _flat(setting: Setting, die: int, pose: Pose) -> bool:
    look, tray = setting.dice[die], setting.tray
    inside = room_inside(tray, *pose.position) > 0.45 * look.side_mm
    return inside and die_state(tray, look, pose) == "flat" and upmost_face(pose)[1] < LEVEL_DEG


def apart(landed: Landed, sides: float = APART_SIDES, among: Poses | None = None) -> bool:
    """Whether the dice thrown lie apart from each other and from the others."""
    dice = landed.setting.dice
    thrown = landed.thrown if among is None else among
    tray = landed.setting.tray
    inside = {die: pose for die, pose in landed.lying.items() if room_inside(tray, *pose.position) > 0}
    poses = {**inside, **thrown}
    return all(
        math.dist(poses[a].position[:2], poses[b].position[:2]) > sides * max(dice[a].side_mm, dice[b].side_mm)
        for a, b in combinations(poses, 2)
        if a in thrown or b in thrown
    )
