"""Scenarios about time: other frame rates, frames that do not come, and stamps that are wrong."""

from collections.abc import Sequence

from models.sim.scenario import Scenario
from models.sim.stage import Stage
from models.sim.turns import ALL, choose_best, counted, first_roll, next_roll, to_reroll

RATES = (15, 25, 60, 90)


def _plain_turn(stage: Stage) -> None:
    ann = stage.setting.players[0]
    first_roll(stage, ann)
    next_roll(stage, ann, 2, to_reroll(stage, 3))
    choose_best(stage, ann, ann)


def _at_rate(fps: float) -> Scenario:
    def act(stage: Stage) -> None:
        stage.rig.set_rate(fps)
        _plain_turn(stage)

    return Scenario(f"fps_{fps:g}", f"a plain turn at {fps:g} frames a second", act)


def _frames_dropped(stage: Stage) -> None:
    """Single frames all the time, and a run of up to 0.35 s in each throw or after it: too short to lose the view."""
    rng, ann = stage.rng, stage.setting.players[0]
    for roll in (1, 2):
        again = to_reroll(stage, 3) if roll == 2 else ALL
        if roll == 2:
            stage.take(ann, again)
        stage.throw(ann, again)
        release, _ = stage.last_fall()
        stage.rig.drop(release + float(rng.uniform(0.1, 1.2)), float(rng.uniform(0.1, 0.35)))
        counted(stage, ann, roll)
    choose_best(stage, ann, ann)
    for moment in rng.uniform(0.5, stage.clock, 40):
        stage.rig.drop(float(moment), 1 / stage.rig.fps)


def _frames_stop(stage: Stage) -> None:
    """For a second or more nothing comes while the dice lie there; play goes on."""
    ann = stage.setting.players[0]
    first_roll(stage, ann)
    gap = float(stage.rng.uniform(0.8, 3.0))
    stage.rig.drop(stage.clock, gap)
    stage.clock += gap + float(stage.rng.uniform(0.7, 1.2))
    next_roll(stage, ann, 2, to_reroll(stage, 3))
    choose_best(stage, ann, ann)


def _frames_stop_in_throw(stage: Stage) -> None:
    """Nothing comes while the dice roll: the throw was not seen, and is thrown again."""
    roll, again = throw_of_any_roll(stage)
    release, rest = stage.last_fall()
    start = release + float(stage.rng.uniform(0.1, 0.3))
    stage.rig.drop(start, max(rest - start, 0.0) + float(stage.rng.uniform(0.8, 1.5)))
    unseen(stage, start, roll, again)


def throw_of_any_roll(stage: Stage) -> tuple[int, Sequence[int]]:
    """The throw of the first, second or third roll, and of which dice it is; those before it count."""
    ann, roll = stage.setting.players[0], int(stage.rng.integers(1, 4))
    again: Sequence[int] = ALL
    if roll > 1:
        first_roll(stage, ann)
    if roll > 2:
        next_roll(stage, ann, 2, to_reroll(stage, 3))
    if roll > 1:
        again = to_reroll(stage, int(stage.rng.integers(1, 5)))
        stage.take(ann, again)
    stage.throw(ann, again)
    return roll, again


def unseen(stage: Stage, since: float, roll: int, again: Sequence[int]) -> None:
    """The throw during which the view was lost is not ruled on: all agree to throw its dice again, that counts, and the
    turn ends."""
    ann = stage.setting.players[0]
    back = max(lost.end for lost in stage.rig.conditions.lost if lost.start >= since - 1e-6)
    stage.clock = max(stage.clock, back) + float(stage.rng.uniform(1.0, 1.5))
    stage.expect("RollUnseen", player=ann.name, roll=roll)
    stage.answer(counts=False)
    stage.expect("RollRefused", player=ann.name, reason="view_lost")
    next_roll(stage, ann, roll, again)
    choose_best(stage, ann, ann)


def _stamps_jitter(stage: Stage) -> None:
    stage.rig.jitter(float(stage.rng.uniform(0.004, 0.014)), stage.rng)
    _plain_turn(stage)


def _stamps_jump(stage: Stage) -> None:
    """The clock is set back while dice lie and while they fly, forward while they lie; single stamps are wrong.

    Not one beside where the clock is set: nothing would tell both from frames that did not come.
    """
    rng, ann = stage.rng, stage.setting.players[0]
    stage.throw(ann, ALL)
    release, _ = stage.last_fall()
    stage.rig.mistake(release + float(rng.uniform(0.1, 0.25)), float(rng.choice([-0.5, 0.7, 4.0])))
    stage.rig.set_clock(release + float(rng.uniform(0.4, 0.6)), -float(rng.uniform(0.3, 1.5)))
    counted(stage, ann, 1)
    forward = stage.clock + 0.3
    stage.rig.set_clock(forward, float(rng.uniform(2.0, 9.0)))
    stage.clock = forward + float(rng.uniform(0.8, 1.2))
    next_roll(stage, ann, 2, to_reroll(stage, 3))
    stage.rig.set_clock(stage.clock, -float(rng.uniform(0.3, 2.0)))
    stage.clock += 0.6
    choose_best(stage, ann, ann)


TIME_ACTS = (
    *(_at_rate(fps) for fps in RATES),
    Scenario("frames_dropped", "single frames and short runs do not come, also in throws", _frames_dropped),
    Scenario("frames_stop", "no frame comes for a second or more while dice lie", _frames_stop),
    Scenario("frames_stop_in_throw", "no frame comes while dice roll: they are thrown again", _frames_stop_in_throw),
    Scenario("stamps_jitter", "all time stamps are a little wrong", _stamps_jitter),
    Scenario("stamps_jump", "the clock is set back and forward, single stamps are wrong", _stamps_jump),
)
