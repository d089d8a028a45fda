"""Which falls a scenario accepts: clear cases only, so that the truth leaves nothing to argue about."""

import math
from collections.abc import Callable, Mapping
from itertools import combinations

from models.sim.die import upmost_face
from models.sim.pose import Pose
from models.sim.scene import die_state, room_inside
from models.sim.script import Setting

Poses = Mapping[int, Pose]
Outcome = Callable[[Setting, Poses, Poses], bool]
"""Whether the dice may end so: the setting, the dice that lay there, the dice thrown."""

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


def settled(setting: Setting, lying: Poses, thrown: Poses) -> bool:
    """All lie flat in the tray, apart from each other."""
    return all(_flat(setting, die, pose) for die, pose in thrown.items()) and _apart(setting, lying, thrown)


def spread(setting: Setting, lying: Poses, thrown: Poses) -> bool:
    """All lie flat in the tray, well apart from each other and from the wall."""
    room = all(
        room_inside(setting.tray, *pose.position) > SPREAD_SIDES * setting.dice[die].side_mm
        for die, pose in thrown.items()
    )
    return room and settled(setting, lying, thrown) and _apart(setting, lying, thrown, SPREAD_SIDES)


def one_off_tray(setting: Setting, lying: Poses, thrown: Poses) -> bool:
    """One lies on the table well beside the tray, whole in the picture or out of it; the others lie flat inside."""
    tray = setting.tray
    off = {die: pose for die, pose in thrown.items() if room_inside(tray, *pose.position) < 0}
    inside = {die: pose for die, pose in thrown.items() if die not in off}
    if len(off) != 1 or not settled(setting, lying, inside):
        return False
    die, pose = next(iter(off.items()))
    side = setting.dice[die].side_mm
    on_table = pose.position[2] < side / 2 - tray.base_mm + 1
    clear = room_inside(tray, *pose.position[:2]) < -BESIDE_MM
    whole = setting.shows(pose, -1.6 * side) or not setting.shows(pose, 1.6 * side)
    return on_table and clear and whole and upmost_face(pose)[1] < LEVEL_DEG


def one_cocked(setting: Setting, lying: Poses, thrown: Poses) -> bool:
    """One leans on the wall, the others lie flat."""
    tray, dice = setting.tray, setting.dice
    leaning = {die: pose for die, pose in thrown.items() if upmost_face(pose)[1] > COCKED_DEG}
    if len(leaning) != 1:
        return False
    die, pose = next(iter(leaning.items()))
    against_wall = 0 < room_inside(tray, *pose.position) < 0.9 * dice[die].side_mm
    others = {d: p for d, p in thrown.items() if d != die}
    return against_wall and all(_flat(setting, d, p) for d, p in others.items()) and _apart(setting, lying, thrown)


def _flat(setting: Setting, die: int, pose: Pose) -> bool:
    look, tray = setting.dice[die], setting.tray
    inside = room_inside(tray, *pose.position) > 0.45 * look.side_mm
    return inside and die_state(tray, look, pose) == "flat" and upmost_face(pose)[1] < LEVEL_DEG


def _apart(setting: Setting, lying: Poses, thrown: Poses, sides: float = APART_SIDES) -> bool:
    dice = setting.dice
    poses = {**lying, **thrown}
    return all(
        math.dist(poses[a].position[:2], poses[b].position[:2]) > sides * max(dice[a].side_mm, dice[b].side_mm)
        for a, b in combinations(poses, 2)
    )
