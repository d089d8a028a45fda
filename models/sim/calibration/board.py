"""The printed board lies on the floor of the tray, is turned and moved by hand, and taken away."""

import math

import numpy as np

from models.sim.errors import SimulatorError
from models.sim.gesture import Key, Visit
from models.sim.scene import room_inside
from models.sim.sheet import Laid, Place, corners
from models.sim.stage import Stage

PLACES = 3
SHOWN_S = (1.2, 1.8)
GAP_MM = 1.5
"""Least distance of the paper's corners from the wall."""
TRIES = 20000
STEP_S = 1 / 30
MOVED_S = 0.5


def show_board(stage: Stage) -> None:
    """It lies in three places one after the other from the first frame on, and is drawn away over the wall."""
    places = [_place(stage) for _ in range(PLACES)]
    stage.lay(Laid(-1.0, places[0]))
    stage.clock = float(stage.rng.uniform(*SHOWN_S))
    x, y = stage.setting.players[0].outward * 420
    for before, after in zip(places, [*places[1:], (x, y, places[-1][2])], strict=True):
        _move(stage, before, (float(after[0]), float(after[1]), after[2]))
        stage.clock += float(stage.rng.uniform(*SHOWN_S))
    stage.lay(Laid(stage.clock, None))


def _place(stage: Stage) -> Place:
    """A place where all of the paper lies on the floor.

    Raises:
        SimulatorError: the tray is too small for it.
    """
    tray, rng = stage.setting.tray, stage.rng
    for _ in range(TRIES):
        x, y = (float(v) for v in rng.normal(0, 20, 2))
        place = (x, y, float(rng.uniform(0, 2 * math.pi)))
        if min(room_inside(tray, *corner) for corner in corners(place).tolist()) > GAP_MM:
            return place
    raise SimulatorError("the board is larger than the tray: choose another --seed")


def _move(stage: Stage, before: Place, after: Place) -> None:
    """The player's hand comes down on the board's near side, and takes the board along."""
    (player,) = stage.setting.players
    outside, t = stage.out_of_sight(player), stage.clock
    grip = np.asarray(before[:2]) + player.outward * 60
    there = np.clip(grip + np.asarray(after[:2]) - before[:2], -300, 300)
    touch, gone = (float(grip[0]), float(grip[1]), 24.0), (float(there[0]), float(there[1]), 24.0)
    keys = (
        Key(t, outside, closed=0.3),
        Key(t + 0.5, touch, 0.35, closed=0.3),
        Key(t + 0.6, touch, 0.35, closed=0.4),
        Key(t + 0.6 + MOVED_S, gone, 0.35, closed=0.4),
        Key(t + 1.2 + MOVED_S, outside, closed=0.3),
    )
    stage.enter(Visit(player, keys))
    turn = (after[2] - before[2] + math.pi) % (2 * math.pi) - math.pi
    for k in range(1, round(MOVED_S / STEP_S) + 1):
        s = k * STEP_S / MOVED_S
        share = s * s * (3 - 2 * s)
        x, y = (a + (b - a) * share for a, b in zip(before[:2], after[:2], strict=True))
        stage.lay(Laid(t + 0.6 + k * STEP_S - STEP_S / 2, (x, y, before[2] + turn * share)))
    stage.lay(Laid(t + 0.6 + MOVED_S + STEP_S / 2, after))
    stage.clock = keys[-1].t
