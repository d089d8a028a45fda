"""All scenarios by name, and how one is acted."""

import numpy as np

from models.sim.body_guests import BODY_GUESTS
from models.sim.body_others import BODY_OTHERS
from models.sim.body_things import BODY_THINGS
from models.sim.body_throws import BODY_THROWS
from models.sim.dice_close import DICE_CLOSE
from models.sim.dice_fake import DICE_FAKE
from models.sim.dice_foreign import DICE_FOREIGN
from models.sim.dice_hit import DICE_HIT
from models.sim.dice_kept import DICE_KEPT
from models.sim.dice_out import DICE_OUT
from models.sim.dice_spin import DICE_SPIN
from models.sim.dice_upon import DICE_UPON
from models.sim.errors import SimulatorError
from models.sim.evening import EVENING
from models.sim.idle import IDLE
from models.sim.plain_play import PLAIN_PLAY
from models.sim.scenario import Scenario, draw_seats
from models.sim.script import Timeline
from models.sim.setting import PICTURE, draw_setting
from models.sim.stage import Stage
from models.sim.time_acts import TIME_ACTS
from models.sim.variety import other_looks, other_views
from models.sim.view_acts import VIEW_ACTS

FAMILIES = (
    PLAIN_PLAY,
    BODY_THROWS,
    BODY_GUESTS,
    BODY_OTHERS,
    BODY_THINGS,
    DICE_KEPT,
    DICE_FAKE,
    DICE_HIT,
    DICE_OUT,
    DICE_CLOSE,
    DICE_UPON,
    DICE_SPIN,
    DICE_FOREIGN,
    TIME_ACTS,
    VIEW_ACTS,
    EVENING,
    IDLE,
)
SCENARIOS: dict[str, Scenario] = {scenario.name: scenario for family in FAMILIES for scenario in family}
LOOKS = "looks"
"""Looks have chances of their own, so that the rest of what a seed draws does not hang on them."""
ATTEMPTS = 6
"""With so many settings and players is it tried before a seed is refused."""


def act(name: str, seed: int, size: tuple[int, int] = PICTURE) -> Timeline:
    """The scenario acted with this seed; the same seed acts the same.

    Raises:
        SimulatorError: no such scenario, or no throw falls as it needs however often it is tried.
    """
    scenario = SCENARIOS.get(name)
    if scenario is None:
        raise SimulatorError(f"no scenario {name!r}: choose one of {', '.join(SCENARIOS)}")
    for attempt in range(ATTEMPTS):
        try:
            key = [seed, *name.encode(), *[attempt] * (attempt > 0)]
            looks = np.random.default_rng([*key, *LOOKS.encode()])
            return _act(scenario, np.random.default_rng(key), looks, size)
        except SimulatorError as error:
            refused = error
    raise refused


def _act(scenario: Scenario, rng: np.random.Generator, looks: np.random.Generator, size: tuple[int, int]) -> Timeline:
    setting = draw_setting(rng, scenario.seats or draw_seats(rng, scenario.least), size)
    setting = setting if scenario.plain else other_looks(setting, looks)
    stage = Stage(scenario.dress(setting), rng)
    if not scenario.plain:
        stage.rig.adapt_to(float(rng.spawn(1)[0].random()))
        stage.rig.meets(**other_views(looks))
    players = tuple(player.name for player in setting.players)
    stage.expect("MatchStarted", players=players)
    stage.expect("TurnStarted", player=players[0])
    scenario.act(stage)
    stage.expect("MatchEnded", complete=False)
    return stage.finish()
