"""Scenarios in which nothing happens for long, in an empty tray or over lying dice, and then a turn follows."""

from collections.abc import Callable

from models.sim.conditions import Drift
from models.sim.scenario import Scenario
from models.sim.stage import Stage
from models.sim.turns import choose_best, first_roll, next_roll, to_reroll

IDLE_FPS = 15
DAYLIGHT_S = 900.0
"""The light of a room changes in so long."""


def _waits(least_s: float, most_s: float) -> Callable[[Stage], None]:
    def act(stage: Stage) -> None:
        ann, rng = stage.setting.players[0], stage.rng
        stage.rig.set_rate(IDLE_FPS)
        stage.rig.meets(drift=Drift(0.12, 0.0, float(rng.uniform(0, 6.28)), DAYLIGHT_S))
        empty = rng.random() < 0.5
        if not empty:
            first_roll(stage, ann)
        stage.clock += float(rng.uniform(least_s, most_s))
        if empty:
            first_roll(stage, ann)
        next_roll(stage, ann, 2, to_reroll(stage, 3))
        choose_best(stage, ann, ann)

    return act


IDLE = (
    Scenario("idle", "nothing for one to five minutes, then a turn", _waits(60, 300)),
    Scenario("idle_hour", "nothing for an hour, then a turn", _waits(3600, 3600)),
)
