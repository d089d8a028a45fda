"""What a person does before the camera to set up a tray: leaves it empty, shows the dice, throws them a few times."""

import math
from dataclasses import replace

import numpy as np

from models.sim.calibration.setup import Rng
from models.sim.errors import SimulatorError
from models.sim.gesture import Key, Visit
from models.sim.handling import flat_turned, lying_flat, put_down
from models.sim.scene import Tray, room_inside
from models.sim.stage import Stage

EMPTY_S = (2.0, 2.8)
SHOWN_S = (0.6, 1.2)
TRIES = 400
DUST_MM, ASIDE, ASKEW, FLAT = 0.1, 0.04, 0.004, 0.4
"""Dice pushed together in a row: the most that is left between two, the spread by which they lie aside, in edges, and
by which they are turned, radians; and edges from a face's middle to where it touches another that is turned."""
VIGOUR = 0.75
"""People throw gently while they set up a tray."""


def show_and_throw(stage: Stage) -> None:
    """The whole of it: the empty tray, the dice shown, all of them thrown, some thrown again."""
    leave_empty(stage)
    show(stage)
    throw_twice(stage)


def show_row_and_throw(stage: Stage) -> None:
    """The same by the manual: the dice are shown in a row."""
    leave_empty(stage)
    show_row(stage)
    throw_twice(stage)


def throw_twice(stage: Stage) -> None:
    """All dice are thrown, then some of them again."""
    take_and_throw(stage, len(stage.setting.dice))
    take_and_throw(stage, 2)


def leave_empty(stage: Stage, begins: float = 0.0) -> None:
    """Nothing happens for a few seconds."""
    stage.clock = begins + float(stage.rng.uniform(*EMPTY_S))


def show(stage: Stage) -> None:
    """All dice are laid down flat by hand, well apart, and lie there for a moment."""
    (player,) = stage.setting.players
    dice = range(len(stage.setting.dice))
    values = [int(v) for v in stage.rng.permutation([1, 2, 3, 4, 5, 6])]
    places = _places(stage)
    put_down(stage, player, {die: lying_flat(stage, die, places[die], values[die % 6]) for die in dice})
    stage.clock += float(stage.rng.uniform(*SHOWN_S))


def show_row(stage: Stage) -> None:
    """All dice are laid down flat and pushed together in a row, and lie there for a moment."""
    (player,) = stage.setting.players
    values = [int(v) for v in stage.rng.permutation([1, 2, 3, 4, 5, 6])]
    row = places_in_row(stage.rng, stage.setting.tray, stage.setting.dice[0].side_mm, len(stage.setting.dice))
    put_down(stage, player, {die: flat_turned(stage, die, row[die], values[die % 6]) for die in range(len(row))})
    stage.clock += float(stage.rng.uniform(*SHOWN_S))


def take_and_throw(stage: Stage, count: int, vigour: float = VIGOUR) -> None:
    """So many of the dice are taken up and thrown."""
    (player,) = stage.setting.players
    dice = [int(die) for die in stage.rng.permutation(stage.in_tray())[:count]]
    stage.take(player, dice)
    stage.throw(player, dice, vigour=vigour)


def hand_passes(stage: Stage) -> None:
    """A hand reaches over the tray and leaves again."""
    (player,) = stage.setting.players
    outside, t = stage.out_of_sight(player), stage.clock
    x, y = (float(v) for v in stage.rng.uniform(-40, 40, 2))
    over = Key(t + 0.7, (x, y, 70.0), closed=0.3)
    keys = (Key(t, outside, closed=0.3), over, replace(over, t=t + 1.1), Key(t + 1.8, outside, closed=0.3))
    stage.enter(Visit(player, keys))
    stage.clock = keys[-1].t


def _places(stage: Stage) -> list[tuple[float, float]]:
    """A place for each die, apart from the others and from the wall.

    Raises:
        SimulatorError: there is no room.
    """
    tray, side = stage.setting.tray, stage.setting.dice[0].side_mm
    reach = max(d for _, _, d in tray.sides)
    places: list[tuple[float, float]] = []
    for _ in range(TRIES):
        x, y = (float(v) for v in stage.rng.uniform(-reach, reach, 2))
        if room_inside(tray, x, y) > 1.2 * side and all(math.dist((x, y), place) > 2 * side for place in places):
            places.append((x, y))
        if len(places) == len(stage.setting.dice):
            return places
    raise SimulatorError("there is no room on the floor for the dice: choose another --seed")


def places_in_row(
    rng: Rng, tray: Tray, side: float, count: int, apart_mm: float = DUST_MM
) -> list[tuple[float, float, float]]:
    """A place and a turn, mm and radians, for each of so many dice in a row, all `apart_mm` apart at most and most of
    them a little aside.

    Raises:
        SimulatorError: there is no room.
    """
    reach = max(d for _, _, d in tray.sides)
    for _ in range(TRIES):
        x, y = (float(v) for v in rng.uniform(-reach, reach, 2))
        way = float(rng.uniform(-math.pi, math.pi))
        aside, turns = rng.normal(0, ASIDE * side, count), rng.normal(0, ASKEW, count)
        steps = side * (1 + FLAT * np.abs(np.diff(turns))) + rng.uniform(0, apart_mm, count - 1)
        along = np.concatenate([[0.0], np.cumsum(steps)])
        cos, sin = math.cos(way), math.sin(way)
        places = [(x + cos * a - sin * b, y + sin * a + cos * b) for a, b in zip(along, aside, strict=True)]
        if all(room_inside(tray, *place) > 0.8 * side for place in places):
            return [(*place, way + turn) for place, turn in zip(places, turns.tolist(), strict=True)]
    raise SimulatorError("there is no room on the floor for a row of the dice: choose another --seed")
