"""Throws that people must decide on: dice thrown one after another, set down, or slid in without tumbling."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.sim.die import face_up, lowest_point, top_face
from models.sim.errors import SimulatorError
from models.sim.gesture import Key, Player, Visit, own_turn
from models.sim.hand import carried
from models.sim.outcome import Landed, settled
from models.sim.physics import Released, fall
from models.sim.pose import Pose, Vec3
from models.sim.scenario import ANYWHERE, Scenario
from models.sim.scene import room_inside
from models.sim.script import GRASP_S, Carried
from models.sim.stage import Stage
from models.sim.tumble import tumble
from models.sim.turns import ALL, first_roll, held, in_match, to_reroll

STAGGERED_S = (1.3, 2.2)
"""The last die leaves the hand so long after the first: clearly more than the second that is allowed."""
SLID_MM_S = (220, 380)
STEP_SIDES = 1.5
"""Between dice that are set down together."""
TRIES = 300


def _staggered(stage: Stage, player: Player) -> None:
    """In two groups, or each die by itself."""
    last = float(stage.rng.uniform(*STAGGERED_S))
    order = [int(die) for die in stage.rng.permutation(ALL)]
    if stage.rng.random() < 0.5:
        late = dict.fromkeys(order[int(stage.rng.integers(1, 5)) :], last)
    else:
        late = {die: last * n / 4 for n, die in enumerate(order) if n}
    stage.throw(player, ALL, late=late)
    held(stage, player, 1, "staggered", ALL)


def _set_down(stage: Stage, player: Player) -> None:
    set_down(stage, player, ALL, 0.0)
    held(stage, player, 1, "weak_throw", ALL)


def _slid_in(stage: Stage, player: Player) -> None:
    """All dice, or some of them at a later roll, more of them with new values than might be one put back turned."""
    if stage.rng.random() < 0.5:
        set_down(stage, player, ALL, float(stage.rng.uniform(*SLID_MM_S)))
        held(stage, player, 1, "weak_throw", ALL)
        return
    first_roll(stage, player)
    again = to_reroll(stage, int(stage.rng.integers(2, 4)))
    showed = [stage.value(die) for die in again]
    stage.take(player, again)
    set_down(stage, player, again, float(stage.rng.uniform(*SLID_MM_S)), showed)
    held(stage, player, 2, "weak_throw", again)


def set_down(stage: Stage, player: Player, dice: Sequence[int], speed: float, showed: Sequence[int] = ()) -> None:
    """The hand comes low over the floor and lets the dice lie there, or slide on at `speed` mm/s: none tumbles.

    Where it is known what the dice `showed`, at least two of their values are new.

    Raises:
        SimulatorError: there is no place for them, or they do not lie flat.
    """
    setting, outside = stage.setting, stage.out_of_sight(player)
    side = max(setting.dice[die].side_mm for die in dice)
    cells = [(0.5, 0.0), (0.5, -1.0), (0.5, 1.0), (-0.5, -0.5), (-0.5, 0.5)]
    across = np.array([-player.outward[1], player.outward[0]])
    for n in range(TRIES):
        gently = speed * (1 - 0.5 * n / TRIES)
        middle = stage.rng.uniform(-60, 60, 2)
        places = [middle + STEP_SIDES * side * (-player.outward * u + across * v) for u, v in cells[: len(dice)]]
        if any(room_inside(setting.tray, *place) < 1.2 * side for place in places):
            continue
        release = stage.clock + float(stage.rng.uniform(0.8, 1.2))
        visit = Visit(
            player, _low(player, (float(middle[0]), float(middle[1]), side), outside, stage.clock, release, gently)
        )
        wrist = visit.at(release, setting.tray, []).wrist
        thrown = [_let_go(stage, player, die, place, gently) for die, place in zip(dice, places, strict=True)]
        ways = fall(setting.tray, thrown, stage.obstacles(), setting.surface)
        if ways is None or not settled(landed := stage.landed(dice, ways)) or not _unturned(landed, speed):
            continue
        if showed and len(showed) - sum((Counter(_values(landed)) & Counter(showed)).values()) < 2:
            continue
        index = stage.enter(visit)
        in_hand = carried(player.make, len(dice), side)
        for die, place, let_go in zip(dice, in_hand, thrown, strict=True):
            turn = own_turn(wrist, let_go.pose)
            stage.tell(die, Carried(visit.start, index, place, turn))
            # under the hand the dice spread out, so that none shows between the fingers before
            stage.tell(die, Carried(release - GRASP_S, index, place, turn, laid_at=let_go.pose))
        stage.let_fall(release, landed, {})
        stage.clock = max(stage.clock, visit.end) + float(stage.rng.uniform(0.5, 1.2))
        return
    raise SimulatorError("the dice find no room to be set down: choose another --seed")


def _unturned(landed: Landed, speed: float) -> bool:
    """Whether no die turned over, and of those let go at a speed one went on by itself."""
    ways = landed.ways.values()
    return all(tumble(way) == 0 for way in ways) and (speed == 0 or max(way.moved_mm for way in ways) > 4)


def _values(landed: Landed) -> list[int]:
    return [top_face(landed.setting.dice[die], pose)[0] for die, pose in landed.thrown.items()]


def _let_go(stage: Stage, player: Player, die: int, place: NDArray[np.float64], speed: float) -> Released:
    look = stage.setting.dice[die]
    turn = face_up(look, int(stage.rng.integers(1, 7)), float(stage.rng.uniform(-np.pi, np.pi)))
    z = lowest_point(look, turn) + float(stage.rng.uniform(0.2, 0.5))
    vx, vy = (float(v) for v in -player.outward * speed * float(stage.rng.uniform(0.9, 1.1)))
    return Released(look, Pose((float(place[0]), float(place[1]), z), turn), (vx, vy, 0.0), (0.0, 0.0, 0.0))


def _low(player: Player, over: Vec3, outside: Vec3, start: float, release: float, speed: float) -> tuple[Key, ...]:
    """Keys of a hand that comes down to the floor, opens there at `release` while it moves on, and leaves."""

    def at(forward: float, up: float) -> Vec3:
        x, y = np.asarray(over[:2]) - player.outward * forward
        return (float(x), float(y), over[2] + up)

    return (
        Key(start, outside),
        Key(release - 0.45, at(-0.3 * speed - 10, 30)),
        Key(release - 0.25, at(-0.25 * speed, 0)),
        Key(release, at(0, 0), closed=0.8),
        Key(release + 0.1, at(0.05 * speed, 12), closed=0.2),
        Key(release + 0.3, at(0.02 * speed - 20, 40), closed=0.2),
        Key(release + 0.75, outside, closed=0.3),
    )


DICE_FAKE = (
    Scenario("staggered", "dice are thrown one after another", in_match(_staggered), ANYWHERE),
    Scenario("set_down", "all dice are set down instead of thrown", in_match(_set_down), ANYWHERE),
    Scenario("slid_in", "dice are slid in without tumbling", in_match(_slid_in), ANYWHERE),
)
