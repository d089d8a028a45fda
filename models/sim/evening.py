"""The scenario of many turns of any kind, one after another, each from an empty tray to an empty tray."""

from models.sim.dice_kept import DICE_KEPT
from models.sim.plain_play import PLAIN_PLAY
from models.sim.scenario import Scenario
from models.sim.stage import Stage

TURNS = 4
_MATCH = "sample"
"""A match of its own, with two players."""


def _evening(stage: Stage) -> None:
    (player,) = stage.setting.players
    kinds = [scenario for scenario in (*PLAIN_PLAY, *DICE_KEPT) if scenario.name != _MATCH]
    for kind in stage.rng.choice(len(kinds), TURNS, replace=False):
        kinds[kind].act(stage)
        stage.take(player, stage.in_tray())


EVENING = (Scenario("evening", "four turns of as many kinds, the tray empty before and after each", _evening),)
