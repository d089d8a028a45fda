"""Dice that are not the match's own: one too many, or one of another look."""

from dataclasses import replace

from models.sim.errors import SimulatorError
from models.sim.gesture import Player
from models.sim.scenario import ANYWHERE, Scenario
from models.sim.script import Setting
from models.sim.setting import BODIES
from models.sim.stage import Stage
from models.sim.turns import ALL, counted, first_roll, in_match, next_roll, to_reroll
from models.sim.variety import apart, as_pictured, body_as_pictured, floor_as_pictured

EXTRA = 5
"""The number of the die that does not belong to the match."""
TELLING = 0.35
"""Colours at least so far apart are told apart by anybody, as a picture shows them."""


def _refused(stage: Stage, player: Player) -> None:
    stage.expect("RollRefused", player=player.name, reason="foreign_die")
    stage.expect("IncidentRecorded", player=player.name, reason="foreign_die")


def _six_dice(stage: Stage, player: Player) -> None:
    """Six are thrown at once, or a sixth comes in with dice that are thrown again."""
    if stage.rng.random() < 0.5:
        stage.throw(player, (*ALL, EXTRA))
        _refused(stage, player)
        stage.take(player, (*ALL, EXTRA))
        first_roll(stage, player)
        return
    first_roll(stage, player)
    again = to_reroll(stage, int(stage.rng.integers(2, 4)))
    stage.take(player, again)
    stage.throw(player, (*again, EXTRA))
    _refused(stage, player)
    stage.take(player, (*again, EXTRA))
    stage.throw(player, again)
    counted(stage, player, 2)


def _swapped(stage: Stage, player: Player) -> None:
    """One of the dice thrown again is another one; then the right one is thrown."""
    first_roll(stage, player)
    if stage.rng.random() < 0.3:
        next_roll(stage, player, 2, to_reroll(stage, 3))
        roll = 3
    else:
        roll = 2
    again = to_reroll(stage, int(stage.rng.integers(1, 4)))
    stage.take(player, again)
    swapped = (*again[:-1], EXTRA)
    stage.throw(player, swapped)
    _refused(stage, player)
    stage.take(player, swapped)
    stage.throw(player, again)
    counted(stage, player, roll)


def _with_sixth(setting: Setting) -> Setting:
    """Another die like the five."""
    return replace(setting, dice=(*setting.dice, setting.dice[0]))


def _with_stranger(setting: Setting) -> Setting:
    """A sixth die of another colour; the five are alike.

    Raises:
        SimulatorError: none differs enough from the five and from the floor.
    """
    own, floor = setting.dice[0], setting.tray.floor
    not_like = [*body_as_pictured(own), *floor_as_pictured(floor)]
    others = [pair for pair in BODIES if apart([as_pictured(pair[0])], not_like) > TELLING]
    if not others:
        raise SimulatorError("no die differs enough from these five and from this floor: choose another --seed")
    body, pips = others[int(own.gloss * 1e6) % len(others)]
    faces = tuple(replace(face, colour=pips) for face in own.faces)
    stranger = replace(own, colour=body, faces=faces, marbling=0.0, translucency=0.0)
    return replace(setting, dice=(*[own] * len(setting.dice), stranger))


DICE_FOREIGN = (
    Scenario("six_dice", "six dice are thrown, or a sixth comes in later", in_match(_six_dice), ANYWHERE, _with_sixth),
    Scenario("swapped_die", "a die is swapped for one of another colour", in_match(_swapped), ANYWHERE, _with_stranger),
)
