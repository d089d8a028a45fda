"""Dice that come to lie close to something: touching each other, in a corner of the tray."""

import math
from dataclasses import replace
from itertools import combinations

from models.sim.gesture import Player
from models.sim.outcome import Landed, all_flat, settled
from models.sim.scenario import ANYWHERE, Scenario
from models.sim.scene import rectangle_sides
from models.sim.script import Setting
from models.sim.stage import Stage
from models.sim.turns import counted, first_roll, in_match, to_reroll

TOUCHING_SIDES = 1.1
"""Two dice whose centres are no farther apart touch, or nearly so."""
CORNER_SIDES = 0.85
"""A die this near to two walls lies in their corner."""


def _touching(stage: Stage, player: Player) -> None:
    first_roll(stage, player, _two_touch)
    if stage.rng.random() < 0.5:
        again = to_reroll(stage, int(stage.rng.integers(1, 4)))
        stage.take(player, again)
        stage.throw(player, again)
        counted(stage, player, 2)


def _corner(stage: Stage, player: Player) -> None:
    first_roll(stage, player, _one_in_corner)


def _two_touch(landed: Landed) -> bool:
    """All lie flat, and some side by side."""
    poses, dice = landed.thrown, landed.setting.dice
    gaps = [
        math.dist(poses[a].position, poses[b].position) / max(dice[a].side_mm, dice[b].side_mm)
        for a, b in combinations(poses, 2)
    ]
    return min(gaps) < TOUCHING_SIDES and all_flat(landed, poses)


def _one_in_corner(landed: Landed) -> bool:
    """All lie flat and apart, one of them in a corner."""
    sides, dice = landed.setting.tray.sides, landed.setting.dice
    return settled(landed) and any(
        sum(d - nx * x - ny * y < CORNER_SIDES * dice[die].side_mm for nx, ny, d in sides) >= 2
        for die, (x, y, _) in ((die, pose.position) for die, pose in landed.thrown.items())
    )


def _square(setting: Setting) -> Setting:
    """A tray with four corners."""
    tray = setting.tray
    reach = min(d for _, _, d in tray.sides)
    return replace(setting, tray=replace(tray, sides=rectangle_sides(reach, 0.9 * reach), circle_mm=0.0))


DICE_CLOSE = (
    Scenario("touching", "dice come to lie against each other", in_match(_touching), ANYWHERE),
    Scenario("corner", "a die comes to lie in a corner of the tray", in_match(_corner), ANYWHERE, _square),
)
