"""The scenarios: what happens in each, and which rulings must follow. The seed varies everything else."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from models.sim.errors import SimulatorError
from models.sim.gesture import Player
from models.sim.outcome import Outcome, one_cocked, one_off_tray, settled, spread
from models.sim.scene import Material, Table, room_inside
from models.sim.script import Setting, Timeline
from models.sim.setting import PICTURE, draw_setting
from models.sim.stage import Stage

ALL = (0, 1, 2, 3, 4)
BELOW, RIGHT = math.pi / 2, 0.0
"""Where a player sits, seen in the picture, which shows more of the table at its left and right."""
LEATHER = Material("leather", (0.085, 0.060, 0.044), (0.12, 0.085, 0.062), 60.0, roughness=0.5, gloss=0.3)
SLATE = Material("cloth", (0.105, 0.115, 0.130), (0.145, 0.158, 0.178), 90.0)
WILD = 1.7
"""Vigour of a throw that sends dice over the wall."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A named scenario: one line that says what happens, the acting of it, and where who sits (see BELOW).

    `dress` changes what chance has drawn for tray and table, where that must not be left to it.
    """

    name: str
    about: str
    act: Callable[[Stage], None]
    seats: Mapping[str, float] = field(default_factory=lambda: {"Ann": BELOW})
    dress: Callable[[Setting], Setting] = lambda setting: setting

    @property
    def players(self) -> tuple[str, ...]:
        """The players in the order of play."""
        return tuple(self.seats)


def act(name: str, seed: int, size: tuple[int, int] = PICTURE) -> Timeline:
    """The scenario acted with this seed; the same seed acts the same.

    Raises:
        SimulatorError: no such scenario, or no throw falls as it needs.
    """
    scenario = SCENARIOS.get(name)
    if scenario is None:
        raise SimulatorError(f"no scenario {name!r}: choose one of {', '.join(SCENARIOS)}")
    rng = np.random.default_rng([seed, *name.encode()])
    stage = Stage(scenario.dress(draw_setting(rng, scenario.seats, size)), rng)
    stage.expect("MatchStarted", players=scenario.players)
    stage.expect("TurnStarted", player=scenario.players[0])
    scenario.act(stage)
    stage.expect("MatchEnded", complete=False)
    return stage.finish()


# --- parts that scenarios share ---


def _counted(stage: Stage, player: Player, roll: int) -> None:
    stage.expect("RollCounted", player=player.name, roll=roll, values=stage.values())


def _first_roll(stage: Stage, player: Player, wanted: Outcome = settled) -> None:
    """All dice thrown, and counted."""
    stage.throw(player, ALL, wanted)
    _counted(stage, player, 1)


def _next_roll(stage: Stage, player: Player, roll: int, again: list[int]) -> None:
    """Some dice taken up and thrown again, the others kept, and counted."""
    stage.take(player, again)
    stage.throw(player, again)
    _counted(stage, player, roll)


def _choose_best(stage: Stage, player: Player, following: Player) -> None:
    stage.choose(player)
    for name in ("BoxProposed", "BoxEntered", "TurnEnded"):
        stage.expect(name, player=player.name)
    stage.expect("TurnStarted", player=following.name)


def _to_reroll(stage: Stage, count: int) -> list[int]:
    """The dice a sensible player throws again: those whose value is rarest, then lowest."""
    values = {die: stage.value(die) for die in stage.in_tray()}
    often = list(values.values())
    return sorted(values, key=lambda die: (often.count(values[die]), values[die]))[:count]


def _off_tray(stage: Stage, player: Player, dice: Sequence[int], roll: int) -> None:
    """One of the dice leaves the tray and is thrown again alone; then the roll counts."""
    stage.throw(player, dice, one_off_tray, vigour=WILD)
    stage.expect("RerollOrdered", player=player.name, reason="off_tray", count=1, roll=roll)
    tray = stage.setting.tray
    lost = next(die for die, pose in stage.lying().items() if room_inside(tray, *pose.position) < 0)
    stage.fetch(player, lost)
    stage.throw(player, [lost])
    _counted(stage, player, roll)


# --- the scenarios ---


def _throw(stage: Stage) -> None:
    ann = stage.setting.players[0]
    _first_roll(stage, ann)
    _choose_best(stage, ann, ann)


def _keep(stage: Stage) -> None:
    ann = stage.setting.players[0]
    _first_roll(stage, ann)
    _next_roll(stage, ann, 2, _to_reroll(stage, 3))
    _next_roll(stage, ann, 3, _to_reroll(stage, 2))
    _choose_best(stage, ann, ann)


def _die_off_tray(stage: Stage) -> None:
    ann = stage.setting.players[0]
    _off_tray(stage, ann, ALL, 1)
    _choose_best(stage, ann, ann)


def _cocked(stage: Stage) -> None:
    ann = stage.setting.players[0]
    stage.throw(ann, ALL, one_cocked)
    stage.expect("RerollOrdered", player=ann.name, reason="cocked", count=1, roll=1)
    leaning = stage.cocked()
    stage.take(ann, leaning)
    stage.throw(ann, leaning)
    _counted(stage, ann, 1)
    _choose_best(stage, ann, ann)


def _four_dice(stage: Stage) -> None:
    ann = stage.setting.players[0]
    stage.throw(ann, ALL[:4])
    stage.expect("RollRefused", player=ann.name, reason="all_dice_together")
    stage.take(ann, ALL[:4])
    _first_roll(stage, ann)
    _choose_best(stage, ann, ann)


def _three_rolls_and_a_fourth(stage: Stage, player: Player, following: Player) -> None:
    _first_roll(stage, player)
    _next_roll(stage, player, 2, _to_reroll(stage, 3))
    _next_roll(stage, player, 3, _to_reroll(stage, 2))
    again = _to_reroll(stage, 2)
    stage.take(player, again)
    stage.throw(player, again)
    stage.expect("RollRefused", player=player.name, reason="three_rolls")
    _choose_best(stage, player, following)


def _fourth_throw(stage: Stage) -> None:
    ann = stage.setting.players[0]
    _three_rolls_and_a_fourth(stage, ann, ann)


def _kept_turned(stage: Stage) -> None:
    ann = stage.setting.players[0]
    _first_roll(stage, ann)
    die = _to_reroll(stage, 5)[-1]
    before = stage.value(die)
    stage.turn(ann, die, 6 if before in (2, 3, 4, 5) else 5)
    stage.expect("RestoreOrdered", player=ann.name, value=before, reason="turned_by_hand")
    stage.expect("IncidentRecorded", player=ann.name, reason="kept_die_turned")
    stage.turn(ann, die, before)
    again = [other for other in _to_reroll(stage, 5) if other != die][:3]
    _next_roll(stage, ann, 2, again)
    _choose_best(stage, ann, ann)


def _quiet_table(setting: Setting) -> Setting:
    """A brown tray on a grey cloth: hands and dice catch the eye."""
    return replace(setting, table=Table(SLATE), tray=replace(setting.tray, rim=LEATHER))


def _sample(stage: Stage) -> None:
    ann, ben = stage.setting.players
    _first_roll(stage, ann)
    _next_roll(stage, ann, 2, _to_reroll(stage, 3))
    _choose_best(stage, ann, ben)
    stage.take(ann, ALL)
    _first_roll(stage, ben)
    again = _to_reroll(stage, 3)
    stage.take(ben, again)
    _off_tray(stage, ben, again, 2)
    _choose_best(stage, ben, ann)
    stage.take(ben, ALL)
    _three_rolls_and_a_fourth(stage, ann, ben)
    stage.take(ann, ALL)
    _first_roll(stage, ben, spread)
    _choose_best(stage, ben, ann)


SCENARIOS = {
    scenario.name: scenario
    for scenario in (
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
        ),
    )
}
