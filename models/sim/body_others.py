"""Scenarios of another person's arm that is over the tray with the throwing one: it looks on, or it helps a die."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.sim.body_acts import (
    MARGIN_S,
    beside,
    come,
    hands_meet,
    last_falls,
    nearing,
    never_near,
    over_floor,
    reach,
    rests_at,
    rolls_for,
    throw_and_stay,
    touches_none,
)
from models.sim.die import top_face
from models.sim.errors import SimulatorError
from models.sim.gesture import Key, Player, Visit
from models.sim.handling import carrying, free_places, lying_flat, set_elsewhere
from models.sim.outcome import Landed, settled
from models.sim.pose import Pose
from models.sim.scenario import ANYWHERE, Scenario
from models.sim.scene import room_inside
from models.sim.sight import Sight
from models.sim.stage import Stage, turn_span
from models.sim.turns import ALL, choose_best, counted, first_roll, held, next_roll, to_reroll

ROLLS_S = 0.6
"""A throw of which another's hand has a die rolls at least so long."""
HANDS_MM = 12.0
"""Between two persons' hands and arms, at least."""
LOW_SIDES = 1.0
"""A die that a hand stops has its middle no higher above the floor: it rolls, and flies no more."""
CLEAR_SIDES = 1.75
"""Sides of a die between its middle and another's where they cannot touch, however they are turned."""
FROM_MM = 300.0
"""An onlooker's hand is so far from the tray's middle, at most."""
STAYS_S = (1.6, 3.0)
"""A hand that has thrown stays so long where it lies down."""
STAYS_SHARE = (1.0, 1.5)
"""There it lies so much of the way from the tray's middle to the wall: its fingers over the floor, or over the rim."""
TRIES = 240
FAR_SIDES = 2.0
"""Dice are seen so many sides of theirs from an onlooker's hand, at least."""
INTO_MM, BESIDE_MM = (12.0, 40.0), (-30.0, -10.0)
"""An onlooker's fingers reach so far over the floor, or end so far beside it, over the border."""


@dataclass(frozen=True, slots=True)
class _Touch:
    """A hand that has a die which was thrown: the pose in which it grasps it at `t`, and the one that it gives it."""

    die: int
    t: float
    visit: Visit
    grasped: Pose
    given: Pose


def _helped(stage: Stage) -> None:
    ann, ben = stage.setting.players
    throw_and_stay(stage, ann, float(stage.rng.uniform(*STAYS_S)), wanted=_rolls_on, share=STAYS_SHARE)
    _help(stage, ben)
    held(stage, ann, 1, "interference", ALL)
    next_roll(stage, ann, 2, to_reroll(stage, 3))
    choose_best(stage, ann, ben)


def _rolls_on(landed: Landed) -> bool:
    """They settle, and one rolls so long that another's hand is over the floor before it stops."""
    return settled(landed) and any(rolls_for(way) > ROLLS_S for way in landed.ways.values())


def _help(stage: Stage, player: Player) -> None:
    """A hand comes over the floor while dice roll and the thrower's is there: it turns one that has just come to rest,
    stops one that still rolls, or takes one up and sets it down elsewhere with another value."""
    kind = str(stage.rng.choice(["turns", "stops", "sets_down"]))
    thrower = stage.last_visit()
    for _ in range(TRIES):
        touch = _touch(stage, player, kind)
        if _alone(stage, touch) and _hits_none(stage, touch, thrower) and _in_time(stage, touch):
            _act(stage, touch, kind)
            return
    raise SimulatorError("no hand can reach a die that rolls without touching another: choose another --seed")


def _touch(stage: Stage, player: Player, kind: str) -> _Touch:
    """One of the dice thrown, and how the hand would have it."""
    release, falls = last_falls(stage)
    die = int(stage.rng.choice(list(falls)))
    rest = release + rolls_for(falls[die])
    first, last = {"turns": (0.03, 0.45), "stops": (-0.4, -0.06), "sets_down": (-0.2, 0.4)}[kind]
    t = rest + float(stage.rng.uniform(first, last))
    pose = falls[die].at(t - release)
    if kind == "sets_down":
        value = int(stage.rng.choice([v for v in range(1, 7) if v != stage.value(die)]))
        given = lying_flat(stage, die, free_places(stage, player, [die])[die], value)
        visit = carrying(stage, player, [(pose, given)])
        return _Touch(die, t, visit.later(t - visit.keys[2].t), pose, given)
    x, y, z = pose.position
    visit = stage.turning(player, (x, y, z + _lift(stage, player, die, pose)), quickly=bool(stage.rng.random() < 0.5))
    return _Touch(die, t, visit.later(t - turn_span(visit)[0]), pose, pose)


def _lift(stage: Stage, player: Player, die: int, pose: Pose) -> float:
    """By how much a hand that comes down on a die must keep higher than where it would take it, to be upon it."""
    down = Visit(player, (Key(0.0, pose.position, 0.42, closed=0.7), Key(1.0, pose.position, 0.42, closed=0.7)))
    side = stage.setting.dice[die].side_mm
    free, upon = (down.at(0.0, stage.setting.tray, lying).wrist for lying in ([], [(pose.position, side)]))
    return upon.position[2] - free.position[2]


def _in_time(stage: Stage, touch: _Touch) -> bool:
    """Whether the hand comes in while dice are seen to roll, and has its die as long as the throwing hand stays."""
    release, falls = last_falls(stage)
    sight, thrower, coming = Sight(stage.finish()), stage.last_visit(), over_floor(stage, touch.visit)
    rest = sight.clock.frame_from(rests_at(stage))
    seen = sight.clock.middle(min(sight.first_seen(die, release, rest) for die in falls))
    in_time = coming is not None and seen + MARGIN_S < coming[0] < rests_at(stage) - MARGIN_S
    return in_time and touch.t < thrower.keys[-2].t


def _alone(stage: Stage, touch: _Touch) -> bool:
    """Whether the die is on the floor, well away from the wall, no other would have been hit by it after the hand had
    it, and none rolls to where it now lies."""
    release, falls = last_falls(stage)
    own, side = falls[touch.die], stage.setting.dice[touch.die].side_mm
    x, y, z = touch.grasped.position
    if z > LOW_SIDES * side or room_inside(stage.setting.tray, x, y) < side:
        return False
    for t in np.arange(touch.t - release - MARGIN_S, own.seconds + 1 / 60, 1 / 60).tolist():
        places = own.at(t).position, touch.given.position
        others = [fall.at(t).position for die, fall in falls.items() if die != touch.die]
        if any(math.dist(place, other) < CLEAR_SIDES * side for place in places for other in others):
            return False
    return True


def _hits_none(stage: Stage, touch: _Touch, thrower: Visit) -> bool:
    """Whether the hand keeps clear of all dice but its own, and of the throwing hand."""
    alone = touches_none(stage, touch.visit, {touch.die: touch.t - MARGIN_S})
    return alone and not hands_meet(stage, touch.visit, thrower, HANDS_MM)


def _act(stage: Stage, touch: _Touch, kind: str) -> None:
    """It is so: what the die would have done is not."""
    die, visit = touch.die, touch.visit
    shown = top_face(stage.setting.dice[die], touch.grasped)[0]
    others = [value for value in range(1, 7) if value != shown]
    value = shown if kind == "stops" else int(stage.rng.choice(others))
    stage.cut(die, touch.t)
    index = come(stage, visit)
    if kind == "sets_down":
        set_elsewhere(stage, visit, index, {die: (touch.grasped, touch.given)})
    else:
        stage.turned(visit, index, die, touch.grasped, value)


def _onlooker(stage: Stage) -> None:
    ann, ben = stage.setting.players
    dice, roll = list(ALL), 1
    if stage.rng.random() < 0.5:
        first_roll(stage, ann)
        dice, roll = to_reroll(stage, int(stage.rng.integers(2, 4))), 2
        stage.take(ann, dice)
    _looked_on(stage, ann, ben, dice)
    counted(stage, ann, roll)
    if roll == 1:
        next_roll(stage, ann, 2, to_reroll(stage, 3))
    choose_best(stage, ann, ben)


def _looked_on(stage: Stage, player: Player, onlooker: Player, dice: Sequence[int]) -> None:
    """Another's arm rests over the floor or the border since before the throw, and no die comes near it."""
    start, rng = stage.clock, stage.rng
    pitch, closed = float(rng.uniform(0.15, 0.35)), float(rng.uniform(0.0, 0.7))
    rests = _resting(stage, player, onlooker, pitch, closed)
    arrives, place = rests.keys[1].t, rests.keys[1].place
    stage.clock = arrives + float(rng.uniform(0.1, 0.8))
    clear = never_near(stage, rests, FAR_SIDES)
    if rng.random() < 0.6:
        throw_and_stay(stage, player, float(rng.uniform(*STAYS_S)), dice, clear, STAYS_SHARE)
    else:
        stage.throw(player, dice, clear)
    leaves = rests_at(stage) + float(rng.uniform(0.3, 2.5))
    stays = reach(stage, onlooker, place, start, leaves - arrives, pitch=pitch, closed=closed)
    if hands_meet(stage, stays, stage.last_visit(), HANDS_MM):
        raise SimulatorError("the throwing hand comes to another's that rests there: choose another --seed")
    come(stage, stays)


def _resting(stage: Stage, player: Player, onlooker: Player, pitch: float, closed: float) -> Visit:
    """An onlooker's hand that comes to rest at its own side, on the half of the tray that is away from the player."""
    rng, room = stage.rng, room_inside(stage.setting.tray, 0.0, 0.0)
    across = np.array([-onlooker.outward[1], onlooker.outward[0]])
    toward = float(across @ player.outward)
    away = -math.copysign(1.0, toward) if abs(toward) > 0.1 else float(rng.choice([-1.0, 1.0]))
    sideways, height = float(rng.uniform(0.0, 0.6)) * away, float(rng.uniform(20.0, 60.0))
    into = float(rng.uniform(*(INTO_MM if rng.random() < 0.6 else BESIDE_MM)))

    def at(distance: float) -> Visit:
        place = beside(stage, onlooker, distance / room, sideways, height)
        return reach(stage, onlooker, place, stage.clock, 1.0, pitch=pitch, closed=closed)

    return nearing(stage, at, FROM_MM, into)


BODY_OTHERS = (
    Scenario("helped", "another hand has a die that rolled, the throwing one stays", _helped, ANYWHERE, least=2),
    Scenario("onlooker", "another's arm rests over tray or border all through a throw", _onlooker, ANYWHERE, least=2),
)
