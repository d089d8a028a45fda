"""A die that spins on a corner for seconds, while all others lie still, before it falls on a face."""

import math
from dataclasses import replace

from models.sim.gesture import Player
from models.sim.outcome import Landed, settled
from models.sim.physics import RATE_HZ, Fall, Released
from models.sim.pose import Pose, Quaternion, about, multiply
from models.sim.scenario import ANYWHERE, Scenario
from models.sim.stage import Guide, Stage
from models.sim.turns import ALL, counted, first_roll, in_match, to_reroll

SPIN_RAD_S = (200.0, 260.0)
"""As fast as fingers can snap a die: slower ones fall over at once."""
ASKEW = 0.1
"""rad by which it does not stand upright on its corner."""
ALONE_S = 0.8
"""It spins on for so long after the last of the others lies still."""
LIMIT_S = 6.0


def _spinner(stage: Stage, player: Player) -> None:
    roll, dice = 1, list(ALL)
    if stage.rng.random() < 0.4:
        first_roll(stage, player)
        roll, dice = 2, to_reroll(stage, int(stage.rng.integers(2, 5)))
        stage.take(player, dice)
    stage.throw(player, dice, _one_spins, guide=_snapped(stage), limit_s=LIMIT_S)
    counted(stage, player, roll)


def _one_spins(landed: Landed) -> bool:
    """All lie flat and apart, and one came to rest long after the others."""
    *others, last = sorted(_stops(way) for way in landed.ways.values())
    return settled(landed) and last - max(others) > ALONE_S


def _stops(way: Fall) -> float:
    """Seconds until a die lies as it will."""
    still = abs(way.rotations @ way.rotations[-1]) > math.cos(math.radians(1))
    return (len(still) - int(still[::-1].argmin())) / RATE_HZ


def _snapped(stage: Stage) -> Guide:
    """Snaps one of the dice out of the fingers so that it spins about its own diagonal, corner down."""

    def guide(thrown: list[Released]) -> list[Released]:
        die, rng = thrown[0], stage.rng
        turn = multiply(about(rng.normal(size=3), ASKEW * float(rng.normal())), _on_corner(float(rng.uniform(0, 6.28))))
        spin = float(rng.choice([-1, 1])) * float(rng.uniform(*SPIN_RAD_S))
        vx, vy, vz = die.velocity
        slow = (0.4 * vx, 0.4 * vy, vz)
        return [replace(die, pose=Pose(die.pose.position, turn), velocity=slow, spin=(0.0, 0.0, spin)), *thrown[1:]]

    return guide


def _on_corner(yaw: float) -> Quaternion:
    """The turn that stands a die on a corner."""
    return multiply(about((0, 0, 1), yaw), about((1, -1, 0), math.acos(1 / math.sqrt(3))))


DICE_SPIN = (Scenario("spinner", "a die spins on a corner for long before it falls", in_match(_spinner), ANYWHERE),)
