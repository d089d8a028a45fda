"""Scenarios of how hands throw and how soon they are back: from a cup, off the open palm, in a hurry."""

from collections.abc import Sequence
from dataclasses import replace

from models.sim.body_acts import over_floor, rests_at
from models.sim.gesture import Key, Player, Visit
from models.sim.hand import carried
from models.sim.handling import push, wall_places
from models.sim.manner import from_cup, open_hand
from models.sim.pose import random_rotation
from models.sim.props import Cup
from models.sim.scenario import ANYWHERE, Scenario
from models.sim.script import Carried
from models.sim.stage import Stage
from models.sim.turns import ALL, choose_best, counted, first_roll, in_match, to_reroll

CUPS = (
    Cup((0.09, 0.045, 0.02)),
    Cup((0.03, 0.025, 0.022)),
    Cup((0.5, 0.03, 0.03), leather=False),
    Cup((0.03, 0.08, 0.35), leather=False),
    Cup((0.55, 0.55, 0.52), leather=False),
)
FILLING_S = 2.0
BACK_S = (0.2, 0.47)
"""A brisk player's hand is over the floor again so long after the dice came to rest."""


def draw_cup(stage: Stage) -> Cup:
    """One of the cups, a little larger or smaller."""
    cup = CUPS[stage.rng.integers(len(CUPS))]
    return replace(cup, radius=float(stage.rng.uniform(36, 41)), height=float(stage.rng.uniform(84, 100)))


def throw_from_cup(stage: Stage, player: Player, dice: Sequence[int], cup: Cup) -> None:
    """The cup comes with the dice in it, or the other hand puts them in."""
    if stage.rng.random() < 0.5:
        stage.throw(player, dice, manner=from_cup(player, cup))
    else:
        _fill_and_throw(stage, player, dice, cup)


def _fill_and_throw(stage: Stage, player: Player, dice: Sequence[int], cup: Cup) -> None:
    start = stage.clock
    stage.throw(player, dice, manner=from_cup(player, cup, FILLING_S))
    emptied = stage.last_visit()
    drop = start + 1.25
    mouth = emptied.make.parts(0)[-1].place
    wrist = stage.finish().hand_at(drop, emptied).wrist
    x, y, z = (float(v) for v in wrist.to_world([mouth.position])[0])
    thumb_side = 1 if player.make.left else -1
    other = Player(player.name, replace(player.make, left=not player.make.left), player.seat - 0.6 * thumb_side)
    above, outside = (x, y, z + cup.height / 2 + 52), stage.out_of_sight(other)
    keys = (
        Key(start + 0.35, outside),
        Key(drop - 0.12, above),
        Key(drop + 0.1, above, closed=0.2),
        Key(drop + 0.65, outside, closed=0.3),
    )
    index = stage.enter(Visit(other, keys))
    places = carried(other.make, len(dice), stage.setting.dice[dice[0]].side_mm)
    for die, place in zip(dice, places, strict=True):
        stage.hand_over(die, Carried(start + 0.35, index, place, random_rotation(stage.rng)), drop)


def _cup(stage: Stage, player: Player) -> None:
    cup = draw_cup(stage)
    throw_from_cup(stage, player, ALL, cup)
    counted(stage, player, 1)
    again = to_reroll(stage, int(stage.rng.integers(2, 5)))
    stage.take(player, again)
    throw_from_cup(stage, player, again, cup)
    counted(stage, player, 2)


def _open_hand(stage: Stage, player: Player) -> None:
    stage.throw(player, ALL, manner=open_hand(player))
    counted(stage, player, 1)
    again = to_reroll(stage, int(stage.rng.integers(2, 5)))
    stage.take(player, again)
    stage.throw(player, again, manner=open_hand(player))
    counted(stage, player, 2)


def _sorting(stage: Stage, player: Player) -> None:
    first_roll(stage, player)
    again = to_reroll(stage, int(stage.rng.integers(2, 4)))
    push(stage, player, [die for die in stage.in_tray() if die not in again], wall_places, again)
    stage.throw(player, again)
    counted(stage, player, 2)


def _brisk(stage: Stage) -> None:
    ann, ben = stage.setting.players
    for player, following in ((ann, ben), (ben, ann)):
        stage.throw(player, ALL)
        counted(stage, player, 1)
        for roll, count in ((2, 3), (3, 2)):
            again = to_reroll(stage, count)
            take_soon(stage, player, again)
            stage.clock = stage.last_visit().end + float(stage.rng.uniform(0.02, 0.2))
            stage.throw(player, again)
            counted(stage, player, roll)
        choose_best(stage, player, following)
        stage.take(player, ALL)


def take_soon(stage: Stage, player: Player, dice: Sequence[int]) -> None:
    """The hand that takes dice is over the floor very soon after the last throw came to rest."""
    thrower = stage.last_visit()
    over = over_floor(stage, thrower)
    rest = max(over[1] if over else thrower.end, rests_at(stage))
    stage.clock = thrower.end + 0.03
    coming = over_floor(stage, stage.taking(player, dice))
    assert coming is not None
    stage.clock += max(0.0, rest + float(stage.rng.uniform(*BACK_S)) - coming[0])
    stage.take(player, dice)


BODY_THROWS = (
    Scenario("cup", "dice are thrown from a cup; some taken up, put in it and thrown again", in_match(_cup), ANYWHERE),
    Scenario("open_hand", "dice come in view on the open palm, and are thrown off it", in_match(_open_hand), ANYWHERE),
    Scenario("sorting", "dice stay in the hand while it slides the kept ones", in_match(_sorting), ANYWHERE),
    Scenario("brisk", "in a hurry: the hand is back as soon as the dice lie", _brisk, ANYWHERE, least=2),
)
