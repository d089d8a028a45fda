"""Plain play: turns as they should be, and the faults that every match sees."""

from dataclasses import replace

from models.sim.gesture import Player
from models.sim.outcome import one_cocked, spread
from models.sim.scenario import BELOW, RIGHT, Scenario
from models.sim.scene import Material, Table
from models.sim.script import Setting
from models.sim.stage import Stage
from models.sim.turns import ALL, choose_best, counted, first_roll, next_roll, off_tray, to_reroll

LEATHER = Material("leather", (0.085, 0.060, 0.044), (0.12, 0.085, 0.062), 60.0, roughness=0.5, gloss=0.3)
SLATE = Material("cloth", (0.105, 0.115, 0.130), (0.145, 0.158, 0.178), 90.0)


def _throw(stage: Stage) -> None:
    ann = stage.setting.players[0]
    first_roll(stage, ann)
    choose_best(stage, ann, ann)


def _keep(stage: Stage) -> None:
    ann = stage.setting.players[0]
    first_roll(stage, ann)
    next_roll(stage, ann, 2, to_reroll(stage, 3))
    next_roll(stage, ann, 3, to_reroll(stage, 2))
    choose_best(stage, ann, ann)


def _die_off_tray(stage: Stage) -> None:
    ann = stage.setting.players[0]
    off_tray(stage, ann, ALL, 1)
    choose_best(stage, ann, ann)


def _cocked(stage: Stage) -> None:
    ann = stage.setting.players[0]
    stage.throw(ann, ALL, one_cocked)
    stage.expect("RerollOrdered", player=ann.name, reason="cocked", count=1, roll=1)
    leaning = stage.cocked()
    stage.take(ann, leaning)
    stage.throw(ann, leaning)
    counted(stage, ann, 1)
    choose_best(stage, ann, ann)


def _four_dice(stage: Stage) -> None:
    ann = stage.setting.players[0]
    stage.throw(ann, ALL[:4])
    stage.expect("RollRefused", player=ann.name, reason="all_dice_together")
    stage.take(ann, ALL[:4])
    first_roll(stage, ann)
    choose_best(stage, ann, ann)


def _three_rolls_and_a_fourth(stage: Stage, player: Player, following: Player) -> None:
    first_roll(stage, player)
    next_roll(stage, player, 2, to_reroll(stage, 3))
    next_roll(stage, player, 3, to_reroll(stage, 2))
    again = to_reroll(stage, 2)
    stage.take(player, again)
    stage.throw(player, again)
    stage.expect("RollRefused", player=player.name, reason="three_rolls")
    choose_best(stage, player, following)


def _fourth_throw(stage: Stage) -> None:
    ann = stage.setting.players[0]
    _three_rolls_and_a_fourth(stage, ann, ann)


def _kept_turned(stage: Stage) -> None:
    ann = stage.setting.players[0]
    first_roll(stage, ann)
    die = to_reroll(stage, 5)[-1]
    before = stage.value(die)
    stage.turn(ann, die, 6 if before in (2, 3, 4, 5) else 5)
    stage.expect("RestoreOrdered", player=ann.name, value=before, reason="turned_by_hand")
    stage.expect("IncidentRecorded", player=ann.name, reason="kept_die_turned")
    stage.turn(ann, die, before)
    again = [other for other in to_reroll(stage, 5) if other != die][:3]
    next_roll(stage, ann, 2, again)
    choose_best(stage, ann, ann)


def _quiet_table(setting: Setting) -> Setting:
    """A brown tray on a grey cloth: hands and dice catch the eye."""
    return replace(setting, table=Table(SLATE), tray=replace(setting.tray, rim=LEATHER))


def _sample(stage: Stage) -> None:
    ann, ben = stage.setting.players
    first_roll(stage, ann)
    next_roll(stage, ann, 2, to_reroll(stage, 3))
    choose_best(stage, ann, ben)
    stage.take(ann, ALL)
    first_roll(stage, ben)
    again = to_reroll(stage, 3)
    stage.take(ben, again)
    off_tray(stage, ben, again, 2)
    choose_best(stage, ben, ann)
    stage.take(ben, ALL)
    _three_rolls_and_a_fourth(stage, ann, ben)
    stage.take(ann, ALL)
    first_roll(stage, ben, spread)
    choose_best(stage, ben, ann)


PLAIN_PLAY = (
    Scenario("throw", "five dice are thrown and counted, a box is chosen", _throw),
    Scenario("keep", "two dice are kept, three thrown again; then three kept, two thrown again", _keep),
    Scenario("off_tray", "a die jumps over the wall and is thrown again alone", _die_off_tray, {"Ann": RIGHT}),
    Scenario("cocked", "a die leans on the wall and is thrown again alone", _cocked),
    Scenario("four_dice", "a first throw of four dice is refused, all five are thrown", _four_dice),
    Scenario("fourth_throw", "a fourth throw is refused, the third stands", _fourth_throw),
    Scenario("kept_turned", "a hand turns a kept die and must turn it back", _kept_turned),
    Scenario(
        "sample",
        "Ann and Ben play four turns with a lost die and a fourth throw",
        _sample,
        {"Ann": BELOW, "Ben": RIGHT},
        _quiet_table,
        plain=True,
    ),
)
