"""Scenarios of bodies that are no hands: a sleeve over the rim, a head, a shadow, a phone with a flash."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.sim.body_acts import clear_of, come, nearing, reach
from models.sim.gesture import Key, Player, Visit
from models.sim.hand import HandMake, Held
from models.sim.looks import hsv
from models.sim.manner import resting
from models.sim.pose import Pose, Vec3, about
from models.sim.props import Head, Passer, Phone
from models.sim.scenario import ANYWHERE, Scenario
from models.sim.scene import Lamp
from models.sim.script import Flash
from models.sim.stage import Stage
from models.sim.turns import ALL, choose_best, counted, first_roll, held, in_match, next_roll, to_reroll
from models.sim.witness import Witness
from scorer.events import BodyInterfered

OVER_MM, CLEAR_MM = (18.0, 45.0), 9.0
"""How far over the floor a body comes, or at least how far beside it it stays."""
HAIRS = ((0.02, 0.015, 0.012), (0.06, 0.03, 0.015), (0.2, 0.11, 0.04), (0.3, 0.28, 0.26), None)
FLASH_FRAMES = 1 / 30
WALK_MM_S = (600.0, 1300.0)
"""At least and at most, chosen: from a stroll to a brisk walk."""


def _sleeve(stage: Stage) -> None:
    """The arm lies there before the dice come: over the rim for the whole turn, or over the floor until they rest. Of
    one that comes to rest hidden below it nobody knows whether it was turned."""
    ann, ben = stage.setting.players
    over = stage.rng.random() < 0.5
    start = stage.clock
    arm = _lying_arm(stage, ben, ann, float(stage.rng.uniform(*OVER_MM)) if over else -CLEAR_MM)
    stage.clock = start + 1.2
    stage.throw(ann, ALL, clear_of(stage, arm, 0.0))
    if over:
        _leaves(stage, arm, stage.clock + float(stage.rng.uniform(0.0, 1.2)))
        if any(isinstance(event, BodyInterfered) for event in Witness(stage.finish()).events()):
            held(stage, ann, 1, "interference", ALL)
        else:
            counted(stage, ann, 1)
        next_roll(stage, ann, 2, to_reroll(stage, 3))
    else:
        counted(stage, ann, 1)
        next_roll(stage, ann, 2, to_reroll(stage, 3))
        _leaves(stage, arm, stage.clock)
    choose_best(stage, ann, ben)


def _lying_arm(stage: Stage, player: Player, thrower: Player, beyond_mm: float) -> Visit:
    """The player's forearm in a wide sleeve, which lies down along the tray's edge where the thrower does not reach."""
    rng = stage.rng
    cloth = player.make.sleeve or hsv(rng.random(), rng.uniform(0.2, 0.7), rng.uniform(0.12, 0.6))
    make = replace(player.make, sleeve=cloth, loose=float(rng.uniform(1.1, 1.6)), cuff_mm=float(rng.uniform(2, 20)))
    out = player.outward
    side = 1.0 if out[0] * thrower.outward[1] < out[1] * thrower.outward[0] else -1.0
    owner = Player(player.name, make, player.seat + side * float(rng.uniform(0.2, 0.5)))
    across = np.array([-out[1], out[0]]) * side
    ahead = float(rng.uniform(*((-330, -260) if rng.random() < 0.7 else (-60, 20))))
    start, seed = stage.clock, int(rng.integers(1 << 30))

    def visit_at(distance: float) -> Visit:
        x, y = across * distance + out * ahead
        away = across * (distance + 260) + out * ahead
        place, outside = (float(x), float(y), 15.0), (float(away[0]), float(away[1]), 60.0)
        stay = resting(place, start + 0.9, start + 1.2, np.random.default_rng(seed), closed=0.3)
        return Visit(owner, (Key(start, outside, closed=0.3), *stay, Key(stay[-1].t + 0.9, outside, closed=0.3)))

    return nearing(stage, visit_at, 420.0, beyond_mm)


def _leaves(stage: Stage, visit: Visit, t: float) -> None:
    """The visit lasts until `t`."""
    lies, out = visit.keys[1], visit.keys[-1]
    stay = resting(lies.place, lies.t, t, stage.rng, closed=lies.closed)
    come(stage, replace(visit, keys=(visit.keys[0], *stay, replace(out, t=stay[-1].t + 0.9))))


def _head(stage: Stage) -> None:
    ann, ben = stage.setting.players
    first_roll(stage, ann)
    come(stage, _leaning(stage, ann, float(stage.rng.uniform(*OVER_MM)), stage.clock))
    beside = _leaning(stage, ben, -CLEAR_MM, stage.clock)
    stage.enter(beside)
    next_roll(stage, ann, 2, to_reroll(stage, 3))
    choose_best(stage, ann, ben)


def _leaning(stage: Stage, player: Player, beyond_mm: float, start: float) -> Visit:
    """The player's head comes so far over the floor, stays a while and goes."""
    rng = stage.rng
    hair = HAIRS[rng.integers(len(HAIRS))]
    shirt = hsv(rng.random(), rng.uniform(0.1, 0.7), rng.uniform(0.1, 0.6))
    head = Head(player.make.skin, hair, shirt)
    height = stage.setting.lens.position[2] * float(rng.uniform(0.3, 0.42))
    seconds, pitch = float(rng.uniform(0.6, 3.0)), float(rng.uniform(0.25, 0.6))
    across = np.array([-player.outward[1], player.outward[0]]) * float(rng.uniform(-50, 50))
    seed = int(rng.integers(1 << 30))
    outside = stage.out_of_sight(player, head, 0.0, height)

    def visit_at(distance: float) -> Visit:
        x, y = player.outward * distance + across
        place = (float(x), float(y), height)
        stay = resting(place, start + 0.7, start + 0.7 + seconds, np.random.default_rng(seed), pitch=pitch)
        return Visit(player, (Key(start, outside, pitch), *stay, Key(stay[-1].t + 0.7, outside, pitch)), head)

    return nearing(stage, visit_at, math.hypot(*outside[:2]), beyond_mm)


def _shadow(stage: Stage, player: Player) -> None:
    for middle in (stage.clock + 0.1, stage.clock + float(stage.rng.uniform(1.4, 2.6))):
        stage.enter(_passing(stage, middle))
    first_roll(stage, player)
    stage.enter(_passing(stage, stage.clock + 0.4))
    stage.take(player, again := to_reroll(stage, int(stage.rng.integers(2, 5))))
    stage.enter(_passing(stage, stage.clock + float(stage.rng.uniform(1.8, 2.8))))
    stage.throw(player, again)
    counted(stage, player, 2)


def _passing(stage: Stage, middle: float) -> Visit:
    """Somebody walks through the light of the brightest lamp, midway at `middle`, s; only the shadow is seen."""
    rng, lens = stage.rng, stage.setting.lens
    lamp = max(stage.setting.lamps, key=lambda lamp: sum(lamp.colour) / math.dist(lamp.position, (0, 0, 0)) ** 2)
    low, high = lens.position[2] + 90.0, lamp.position[2] - 250.0
    height = float(rng.uniform(low, max(low + 1.0, min(high, low + 400.0))))
    share = (lamp.position[2] - height) / lamp.position[2]
    passer = Passer(round(float(rng.uniform(120, 190))))
    towards = float(rng.uniform(0, 2 * math.pi))
    along, across = np.array([math.cos(towards), math.sin(towards)]), np.array([-math.sin(towards), math.cos(towards)])
    aside = across * rng.uniform(-60, 60)
    in_view = lens.position[2] * math.hypot(*lens.size) / 2 / lens.focal_px
    blurred = lamp.radius_mm * (1 - share)
    reach = in_view + (passer.reach_mm + blurred) / share

    def between(target: NDArray[np.float64]) -> Vec3:
        x, y = np.asarray(lamp.position[:2]) * (1 - share) + target * share
        return (float(x), float(y), height)

    ends = [between(aside + along * way) for way in (-reach, reach)]
    seconds = math.dist(*ends) / float(rng.uniform(*WALK_MM_S))
    keys = (Key(middle - seconds / 2, ends[0], 0.0), Key(middle + seconds / 2, ends[1], 0.0))
    return Visit(stage.setting.players[0], keys, passer)


def _phone(stage: Stage) -> None:
    ann, ben = stage.setting.players
    first_roll(stage, ann)
    beyond = float(stage.rng.uniform(*OVER_MM)) if stage.rng.random() < 0.5 else -CLEAR_MM
    visit = _photographing(stage, ben, beyond)
    seconds = float(stage.rng.integers(1, 4)) * FLASH_FRAMES
    t = visit.keys[1].t + float(stage.rng.uniform(0.4, 0.9))
    make = visit.make
    assert isinstance(make, HandMake) and make.holds is not None
    eye = make.holds.place.to_world([(62.0, 22.0, -11.0)])
    x, y, z = (float(v) for v in visit.at(t, stage.setting.tray, []).wrist.to_world(eye)[0])
    power = float(stage.rng.uniform(0.25, 0.9))
    stage.flash(Flash(t, t + seconds - 0.004, Lamp((x, y, z), 3.0, (power, power, power * 0.96))))
    come(stage, visit)
    next_roll(stage, ann, 2, to_reroll(stage, 3))
    choose_best(stage, ann, ben)


def _photographing(stage: Stage, player: Player, beyond_mm: float) -> Visit:
    """A phone lies on the player's palm high over the border; it stays for a second or two."""
    rng = stage.rng
    side = 1 if player.make.left else -1
    screen = tuple(float(v) for v in np.asarray(stage.setting.tray.floor.second_colour) * rng.uniform(0.0, 1.2))
    phone = Phone((screen[0], screen[1], screen[2]))
    place = Pose((185.0 * player.make.size, 0.0, -29.0 * player.make.size), about((1, 0, 0), math.pi))
    make = replace(player.make, holds=Held(phone, place))
    roll, height = side * math.pi, float(rng.uniform(150, 240))
    pose = {"roll": roll, "closed": 0.0, "pitch": -0.05}
    across = np.array([-player.outward[1], player.outward[0]]) * float(rng.uniform(-50, 50))
    seconds, start = float(rng.uniform(1.2, 2.5)), stage.clock

    def visit_at(distance: float) -> Visit:
        x, y = player.outward * distance + across
        return reach(stage, player, (float(x), float(y), height), start, seconds, make, **pose)

    return nearing(stage, visit_at, 500.0, beyond_mm)


BODY_THINGS = (
    Scenario("sleeve", "a sleeve lies over the rim, or over the floor and maybe a die", _sleeve, ANYWHERE, least=2),
    Scenario("head", "a head leans in, once over the floor and once beside it", _head, ANYWHERE, least=2),
    Scenario("shadow", "shadows pass with nobody over the tray", in_match(_shadow), ANYWHERE),
    Scenario("phone", "a phone is held in over the border and flashes", _phone, ANYWHERE, least=2),
)
