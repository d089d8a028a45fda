"""Kept dice that do not lie as they lay: turned in one quick move, hit by a throw, knocked over or out of the tray."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from models.sim.die import top_face
from models.sim.gesture import Player
from models.sim.handling import free_places, lying_flat, push, put_down, wall_places
from models.sim.manner import CLOSED_HAND
from models.sim.moves import Aim
from models.sim.outcome import Landed, beside, kept_flat, settled
from models.sim.physics import RATE_HZ, Fall
from models.sim.scenario import ANYWHERE, Scenario
from models.sim.scene import Tray, room_inside
from models.sim.script import Setting
from models.sim.stage import Stage
from models.sim.turns import counted, first_roll, in_match, next_roll, to_reroll

LIVELY = 0.7
"""Share of its deadness that a tray has left in which one die stops as it knocks another over the lip: in a dead one
both go on together, and leave it together."""
MOVED_SIDES, STAYED_SIDES = 0.45, 0.1
"""A hit die lies at least so far from where it lay, an unhit one at most."""
HIT_SIDES, OUT_SIDES = 3.0, 2.0
"""The hand is so far from a die that is hit, sides of it, that those which come are seen before; and from one that is
knocked out, which such throws seldom do."""
AIMED_MM, HARDER = 150.0, (1.0, 1.5)
"""A throw at a die is let go so far from it, beyond the fingers' reach, and somewhat harder than others."""
FOLLOWED_S, NEARER_SIDES = 1 / 30, 0.35
"""A hit die can be followed: of all dice it is the nearest, by so many sides, to where it was so long before."""


def _turned_quickly(stage: Stage, player: Player) -> None:
    first_roll(stage, player)
    if stage.rng.random() < 0.4:
        next_roll(stage, player, 2, to_reroll(stage, 2))
    die = int(stage.rng.choice(stage.in_tray()))
    before = stage.value(die)
    stage.turn(player, die, int(stage.rng.choice([v for v in range(1, 7) if v != before])), quickly=True)
    stage.expect("RestoreOrdered", player=player.name, value=before, reason="turned_by_hand")
    stage.expect("IncidentRecorded", player=player.name, reason="kept_die_turned")
    stage.turn(player, die, before, quickly=bool(stage.rng.random() < 0.5))


def _hit(stage: Stage, player: Player) -> None:
    first_roll(stage, player)
    again = to_reroll(stage, int(stage.rng.integers(2, 4)))
    stage.take(player, again)
    _throw_at_one(stage, player, again, lambda landed, die: _face(landed, die, 0) == _face(landed, die, -1))
    counted(stage, player, 2)


def _knocked(stage: Stage, player: Player) -> None:
    first_roll(stage, player)
    again = to_reroll(stage, int(stage.rng.integers(2, 4)))
    stage.take(player, again)
    showed = {die: stage.value(die) for die in stage.in_tray()}
    _throw_at_one(stage, player, again, lambda landed, die: _face(landed, die, 0) != _face(landed, die, -1))
    (knocked,) = (die for die, value in showed.items() if stage.value(die) != value)
    stage.expect("RestoreOrdered", player=player.name, value=showed[knocked], reason="knocked")
    values = [stage.value(die) for die in again] + list(showed.values())
    stage.expect("RollCounted", player=player.name, roll=2, values=tuple(sorted(values)))
    stage.turn(player, knocked, showed[knocked])


def _knocked_out(stage: Stage, player: Player) -> None:
    """A hard throw at a die by a low wall; it is put back by hand."""
    first_roll(stage, player)
    again = to_reroll(stage, int(stage.rng.integers(1, 3)))
    stage.take(player, again)
    kept = stage.in_tray()
    target = int(stage.rng.choice(kept))
    push(stage, player, [target], wall_places)
    showed = {die: stage.value(die) for die in kept}
    manner = replace(CLOSED_HAND, aim=_at(stage, target))
    stage.throw(player, again, _one_out, hits=True, manner=manner, clear_sides=OUT_SIDES)
    (out,) = (die for die in kept if die not in stage.in_tray())
    stage.expect("RestoreOrdered", player=player.name, value=showed[out], reason="knocked_out")
    values = [stage.value(die) for die in again] + list(showed.values())
    stage.expect("RollCounted", player=player.name, roll=2, values=tuple(sorted(values)))
    stage.fetch(player, out)
    place = free_places(stage, player, [out])[out]
    put_down(stage, player, {out: lying_flat(stage, out, place, showed[out])})


def _throw_at_one(stage: Stage, player: Player, dice: Sequence[int], wanted: Callable[[Landed, int], bool]) -> None:
    """These dice are thrown at one that lies there, and move it as wanted, in plain view."""
    manner = replace(CLOSED_HAND, aim=_toward_one(stage))
    falls = _one_hit(wanted)
    stage.throw(player, dice, falls, hits=True, manner=manner, clear_sides=HIT_SIDES)


def _toward_one(stage: Stage) -> Callable[[np.random.Generator, Tray, Player, float], Aim]:
    """The usual aim, turned to one of the dice that lie there, not too near to the hand."""
    lying = [np.asarray(stage.lying()[die].position[:2]) for die in stage.in_tray()]

    def aim(rng: np.random.Generator, tray: Tray, player: Player, vigour: float) -> Aim:
        drawn = Aim.drawn(rng, tray, player, vigour)
        place = np.asarray(drawn.place[:2])
        ways = [target - place for target in lying]
        way = max(ways, key=lambda each: float(np.linalg.norm(each)) * float(rng.uniform(0.6, 1.0)))
        distance = float(np.linalg.norm(way))
        x, y = place - way / distance * max(0.0, AIMED_MM - distance)
        return replace(
            drawn,
            place=(float(x), float(y), drawn.place[2]),
            along=way / distance,
            speed=drawn.speed * float(rng.uniform(*HARDER)),
        )

    return aim


def _one_hit(wanted: Callable[[Landed, int], bool]) -> Callable[[Landed], bool]:
    """Dice come to rest flat and apart, and exactly one that lay there was moved, so that it can be followed."""

    def falls(landed: Landed) -> bool:
        moved = [die for die, way in landed.hit.items() if _sides(landed, die, way) > STAYED_SIDES]
        if len(moved) != 1 or not settled(landed) or not kept_flat(landed):
            return False
        (die,) = moved
        far = _sides(landed, die, landed.hit[die]) > MOVED_SIDES
        return far and _followed(landed, die) and wanted(landed, die)

    return falls


def _one_out(landed: Landed) -> bool:
    """One die that lay there is out of the tray, all others lie flat inside, hit or not, with the faces they had."""
    tray = landed.setting.tray
    out = [die for die, pose in landed.lying.items() if room_inside(tray, *pose.position) < 0]
    if len(out) != 1 or not settled(landed):
        return False
    (die,) = out
    same = all(_face(landed, other, 0) == _face(landed, other, -1) for other in landed.hit if other != die)
    still = all(_sides(landed, other, way) < STAYED_SIDES for other, way in landed.hit.items() if other != die)
    away = beside(landed.setting, die, landed.lying[die], tray.wall_width_mm)
    return same and still and away and _followed(landed, die)


def _at(stage: Stage, die: int) -> Callable[[np.random.Generator, Tray, Player, float], Aim]:
    """The aim of a low hard throw at a die."""
    target = np.asarray(stage.lying()[die].position[:2])

    def aim(rng: np.random.Generator, tray: Tray, player: Player, vigour: float) -> Aim:
        drawn = Aim.drawn(rng, tray, player, vigour)
        along = target - np.asarray(drawn.place[:2])
        distance = float(np.linalg.norm(along))
        x, y = target - along / distance * min(distance, float(rng.uniform(110, 190)))
        place = (float(x), float(y), float(rng.uniform(34, 46)))
        return replace(drawn, place=place, along=along / distance, speed=float(rng.uniform(800, 1500)))

    return aim


def _low_wall(setting: Setting) -> Setting:
    """A hard tray with hardly more than a lip, over which a die can be knocked."""
    tray, surface = setting.tray, setting.surface
    return replace(
        setting,
        tray=replace(tray, wall_height_mm=0.11 * tray.wall_height_mm),
        surface=replace(surface, deadness=LIVELY * surface.deadness),
    )


def _face(landed: Landed, die: int, at: int) -> int:
    pose = landed.before[die] if at == 0 else landed.lying[die]
    return top_face(landed.setting.dice[die], pose)[0]


def _sides(landed: Landed, die: int, way: Fall) -> float:
    return math.dist(way.positions[0], way.positions[-1]) / landed.setting.dice[die].side_mm


def _followed(landed: Landed, die: int) -> bool:
    """Whether a hit die can be told from those thrown, from one picture to the next, wherever it goes."""
    lag = round(FOLLOWED_S * RATE_HZ)
    ways = {other: way.positions[:, :2] for other, way in landed.ways.items()} | {die: landed.hit[die].positions[:, :2]}
    count = max(len(way) for way in ways.values())
    ways = {other: np.pad(way, ((0, count - len(way)), (0, 0)), "edge") for other, way in ways.items()}
    before = ways[die][:-lag]
    away = {other: np.linalg.norm(way[lag:] - before, axis=1) for other, way in ways.items()}
    others = np.min([way for other, way in away.items() if other != die], axis=0)
    return bool((away[die] + NEARER_SIDES * landed.setting.dice[die].side_mm < others).all())


DICE_HIT = (
    Scenario("kept_turned_quickly", "a hand turns a kept die in one quick move", in_match(_turned_quickly), ANYWHERE),
    Scenario("kept_hit", "a throw moves a kept die, which shows the same face", in_match(_hit), ANYWHERE),
    Scenario("kept_knocked", "a throw knocks a kept die over, which is set back", in_match(_knocked), ANYWHERE),
    Scenario("knocked_out", "a throw knocks a kept die out of the tray", in_match(_knocked_out), ANYWHERE, _low_wall),
)
