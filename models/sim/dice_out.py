"""Dice that leave the tray: for good, onto the rim, or back in a hand that sets them down before they are thrown."""

from dataclasses import replace

from models.sim.gesture import Player
from models.sim.handling import free_places, lying_flat, put_down
from models.sim.outcome import Landed, Outcome, one_off_tray, one_on_rim
from models.sim.scenario import ANYWHERE, Scenario
from models.sim.scene import room_inside
from models.sim.script import Setting
from models.sim.stage import Stage
from models.sim.turns import ALL, WILD, counted, first_roll, in_match, to_reroll


def _thrown_out(stage: Stage, player: Player, wanted: Outcome, vigour: float) -> tuple[int, int]:
    """At the first or the second roll one die leaves the tray; its number, and that of the roll."""
    roll, dice = 1, list(ALL)
    if stage.rng.random() < 0.3:
        first_roll(stage, player)
        roll, dice = 2, to_reroll(stage, int(stage.rng.integers(2, 5)))
        stage.take(player, dice)
    stage.throw(player, dice, wanted, vigour=vigour)
    stage.expect("RerollOrdered", player=player.name, reason="off_tray", count=1, roll=roll)
    tray = stage.setting.tray
    lost = next(die for die, pose in stage.lying().items() if room_inside(tray, *pose.position) < 0)
    return lost, roll


def _out_of_view(stage: Stage, player: Player) -> None:
    lost, roll = _thrown_out(stage, player, _gone, WILD)
    stage.fetch(player, lost)
    stage.throw(player, [lost])
    counted(stage, player, roll)


def _on_rim(stage: Stage, player: Player) -> None:
    lost, roll = _thrown_out(stage, player, one_on_rim, 1.25)
    stage.fetch(player, lost)
    stage.throw(player, [lost])
    counted(stage, player, roll)


def _brought_back(stage: Stage, player: Player) -> None:
    """Setting the die down in the tray is no roll: it is taken up again and thrown."""
    lost, roll = _thrown_out(stage, player, one_off_tray, WILD)
    stage.fetch(player, lost)
    place = free_places(stage, player, [lost])[lost]
    put_down(stage, player, {lost: lying_flat(stage, lost, place, int(stage.rng.integers(1, 7)))})
    stage.take(player, [lost])
    stage.throw(player, [lost])
    counted(stage, player, roll)


def _gone(landed: Landed) -> bool:
    """One die is beside the tray and out of the picture."""
    if not one_off_tray(landed):
        return False
    tray = landed.setting.tray
    off = [pose for pose in landed.thrown.values() if room_inside(tray, *pose.position) < 0]
    return not any(landed.setting.shows(pose, 0.0) for pose in off)


def _wide_rim(setting: Setting) -> Setting:
    """A tray with a low wall and a rim so wide that a die can lie on it."""
    tray = setting.tray
    low, wide = 0.45 * tray.wall_height_mm, 2.1 * tray.wall_width_mm
    return replace(setting, tray=replace(tray, wall_height_mm=low, wall_width_mm=max(wide, 24.0)))


DICE_OUT = (
    Scenario("out_of_view", "a die leaves the picture for good", in_match(_out_of_view), ANYWHERE),
    Scenario("on_rim", "a die comes to lie on the rim and is thrown again", in_match(_on_rim), ANYWHERE, _wide_rim),
    Scenario(
        "brought_back", "a lost die is set down in the tray before it is thrown", in_match(_brought_back), ANYWHERE
    ),
)
