"""Dice that stay: thrown again in part, pushed to the wall, re-arranged, picked up and put back."""

from models.sim.gesture import Player
from models.sim.handling import carry, free_places, lying_flat, push, put_down, wall_places
from models.sim.scenario import ANYWHERE, Scenario
from models.sim.stage import Stage
from models.sim.turns import counted, first_roll, in_match, next_roll, to_reroll


def _reroll(stage: Stage, player: Player) -> None:
    first_roll(stage, player)
    for roll in range(2, int(stage.rng.integers(3, 5))):
        next_roll(stage, player, roll, to_reroll(stage, int(stage.rng.integers(2, 6))))


def _slid(stage: Stage, player: Player) -> None:
    """The kept dice go to a wall before or after the others are taken up."""
    first_roll(stage, player)
    again = to_reroll(stage, int(stage.rng.integers(2, 5)))
    kept = [die for die in stage.in_tray() if die not in again]
    slid_first = stage.rng.random() < 0.5
    if slid_first:
        push(stage, player, kept, wall_places)
    stage.take(player, again)
    if not slid_first:
        push(stage, player, kept, wall_places)
    stage.throw(player, again)
    counted(stage, player, 2)


def _arranged(stage: Stage, player: Player) -> None:
    """One visit moves several kept dice, along the floor or through the air."""
    first_roll(stage, player)
    again = to_reroll(stage, int(stage.rng.integers(1, 4)))
    stage.take(player, again)
    kept = stage.in_tray()
    some = [int(die) for die in stage.rng.permutation(kept)[: int(stage.rng.integers(2, len(kept) + 1))]]
    if stage.rng.random() < 0.7:
        push(stage, player, some, free_places)
    else:
        places = free_places(stage, player, some)
        carry(stage, player, {die: lying_flat(stage, die, place) for die, place in places.items()})
    stage.throw(player, again)
    counted(stage, player, 2)


def _put_back(stage: Stage, player: Player) -> None:
    """Some dice are taken out of the tray and set down again, showing what they showed."""
    first_roll(stage, player)
    some = to_reroll(stage, int(stage.rng.integers(1, 4)))
    showed = {die: stage.value(die) for die in some}
    places = free_places(stage, player, some)
    stage.take(player, some)
    put_down(stage, player, {die: lying_flat(stage, die, places[die], showed[die]) for die in some})
    if stage.rng.random() < 0.5:
        next_roll(stage, player, 2, to_reroll(stage, int(stage.rng.integers(1, 4))))


def _put_back_changed(stage: Stage, player: Player) -> None:
    """One of the dice taken out is set down with another value, and then turned back to what it showed."""
    first_roll(stage, player)
    some = to_reroll(stage, int(stage.rng.integers(1, 3)))
    showed = {die: stage.value(die) for die in some}
    places = free_places(stage, player, some)
    stage.take(player, some)
    changed = some[0]
    others = [value for value in range(1, 7) if value not in showed.values() and value != 7 - showed[changed]]
    wrong = {**showed, changed: int(stage.rng.choice(others))}
    put_down(stage, player, {die: lying_flat(stage, die, places[die], wrong[die]) for die in some})
    stage.expect("RestoreOrdered", player=player.name, value=showed[changed], reason="put_back_changed")
    stage.turn(player, changed, showed[changed])


DICE_KEPT = (
    Scenario("reroll", "two to five dice are thrown again, once or twice", in_match(_reroll), ANYWHERE),
    Scenario("kept_slid", "a hand slides the kept dice to the wall", in_match(_slid), ANYWHERE),
    Scenario("kept_arranged", "a hand re-arranges kept dice", in_match(_arranged), ANYWHERE),
    Scenario("put_back", "dice are picked up and put back as they were", in_match(_put_back), ANYWHERE),
    Scenario("put_back_changed", "a die is put back with another face up", in_match(_put_back_changed), ANYWHERE),
)
