"""Dice that come to rest on other dice: one leans on another, or lies on top of it."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.sim.die import DieLook, face_up, lowest_point, upmost_face
from models.sim.gesture import Player
from models.sim.manner import CLOSED_HAND
from models.sim.moves import Aim
from models.sim.outcome import Landed, all_flat, apart, settled, tumbled
from models.sim.physics import Lying, Released, Surface, Ways, fall
from models.sim.pose import Pose, about, multiply
from models.sim.scenario import ANYWHERE, Scenario
from models.sim.scene import Tray, die_state, room_inside
from models.sim.script import Setting
from models.sim.stage import Guide, Stage
from models.sim.turns import ALL, counted, first_roll, in_match, next_roll, to_reroll

GRAVITY = 9810.0
"""mm/s^2."""
LATE_S = (0.45, 0.7)
"""The die that lands on another leaves the hand so long after the rest: later than they settle, but in one throw."""
AIMED_MM_S = 320.0
"""A die that comes faster does not stay on another."""
LEAN_DEG = (14.0, 43.0)
"""Tilts of a die that leans beyond doubt, and of which one can still say which face is up."""
WOBBLE_DEG = 6.5
"""A die on top rests on the domes of two faces, so not quite level."""
NEAR_SIDES = 1.3
"""A die that leans on another lies this near to it."""
STAYED_SIDES = 0.2
"""A kept die that is leant on was pushed no farther."""
SPIN = 9.0
"""rad/s about each axis."""
ROUGH = Surface(0.75, 0.75)
TRIES = 60
UNDER = -1
"""The number of the die that lies below, where no other is."""

Rests = Callable[[Landed, int], bool]
"""Whether a die rests on another as it should."""
Posed = Callable[[np.random.Generator, DieLook, Pose], Pose]
"""Draws a pose that a die may come to rest in on another, which lies as given."""


def _cocked_on_die(stage: Stage, player: Player) -> None:
    _upon(stage, player, "cocked", _leans, _leaning)


def _stacked(stage: Stage, player: Player) -> None:
    _upon(stage, player, "stacked", _lies_on, _on_top)


def _upon(stage: Stage, player: Player, state: str, rests: Rests, posed: Posed) -> None:
    """At the first roll or a later one a die comes to rest on another, thrown with it or kept; it is thrown again."""
    roll, dice = 1, list(ALL)
    if stage.rng.random() < 0.6:
        first_roll(stage, player)
        roll = 2
        if stage.rng.random() < 0.3:
            next_roll(stage, player, 2, to_reroll(stage, 3))
            roll = 3
        dice = to_reroll(stage, int(stage.rng.integers(2, 4)))
        stage.take(player, dice)
    late = {dice[-1]: float(stage.rng.uniform(*LATE_S))}
    manner = replace(CLOSED_HAND, aim=_gently(stage))
    stage.throw(
        player, dice, _one_upon(rests), late=late, hits=True, manner=manner, guide=_onto(stage, dice, rests, posed)
    )
    stage.expect("RerollOrdered", player=player.name, reason=state, count=1, roll=roll)
    stage.take(player, dice[-1:])
    stage.throw(player, dice[-1:])
    counted(stage, player, roll)


def _one_upon(rests: Rests) -> Callable[[Landed], bool]:
    """The die thrown last rests on another; all others lie flat and apart, those kept where they were."""

    def falls(landed: Landed) -> bool:
        *_, last = landed.ways
        others = {die: pose for die, pose in (*landed.lying.items(), *landed.thrown.items()) if die != last}
        if not rests(landed, last) or not all_flat(landed, others) or not apart(landed, among=others):
            return False
        side = landed.setting.dice[last].side_mm
        return all(way.moved_mm < STAYED_SIDES * side for way in landed.hit.values())

    return falls


def _leans(landed: Landed, die: int) -> bool:
    """It leans on a die that lies there, and not on the wall."""
    pose, side = landed.thrown[die], landed.setting.dice[die].side_mm
    least, most = LEAN_DEG
    free = room_inside(landed.setting.tray, *pose.position) > NEAR_SIDES * side
    return free and least < upmost_face(pose)[1] < most and _beside(landed, die) < NEAR_SIDES


def _lies_on(landed: Landed, die: int) -> bool:
    """It lies level upon another die."""
    pose, look = landed.thrown[die], landed.setting.dice[die]
    return upmost_face(pose)[1] < WOBBLE_DEG and die_state(landed.setting.tray, look, pose) == "stacked"


def _beside(landed: Landed, die: int) -> float:
    """Sides between the centre of a die and the nearest other."""
    poses = {**landed.lying, **landed.thrown}
    gaps = [math.dist(poses[die].position, pose.position) for other, pose in poses.items() if other != die]
    return min(gaps, default=math.inf) / landed.setting.dice[die].side_mm


def _gently(stage: Stage) -> Callable[[np.random.Generator, Tray, Player, float], Aim]:
    """The aim of a throw from a low hand, over one of the dice that lie there, if any do."""

    def aim(rng: np.random.Generator, tray: Tray, player: Player, vigour: float) -> Aim:
        drawn = Aim.drawn(rng, tray, player, vigour)
        x, y = drawn.place[:2]
        if stage.in_tray():
            target = np.asarray(stage.lying()[int(rng.choice(stage.in_tray()))].position[:2])
            x, y = (float(v) for v in target - drawn.along * float(rng.uniform(5, 40)))
        place = (x, y, float(rng.uniform(44, 58)))
        return replace(drawn, place=place, speed=float(rng.uniform(250, 600)))

    return aim


def _onto(stage: Stage, dice: list[int], rests: Rests, posed: Posed) -> Guide:
    """Lets the last of the dice go so that it lands on the nearest of all that lie there by then, and stays."""
    setting, obstacles = stage.setting, stage.obstacles()

    def guide(thrown: list[Released]) -> list[Released] | None:
        *first, last = thrown
        targets = list(obstacles)
        if first:
            ways = fall(setting.tray, first, obstacles, setting.surface)
            if ways is None or not settled(landed := stage.landed(dice[:-1], ways)) or not tumbled(landed):
                return None
            calm = [way.last for way in ways.thrown if math.dist(way.at(last.after).position, way.last.position) < 0.3]
            targets += [Lying(setting.dice[0], pose) for pose in calm]
        target = min(
            (lying.pose for lying in targets),
            key=lambda pose: math.dist(pose.position, last.pose.position),
            default=None,
        )
        if target is None:
            return None
        for _ in range(TRIES):
            aimed = _aimed(stage.rng, last, posed(stage.rng, last.look, target))
            if math.hypot(*aimed.velocity[:2]) > AIMED_MM_S:
                continue
            lying = [Lying(aimed.look, target)]
            alone = fall(setting.tray, [replace(aimed, after=0.0)], lying, setting.surface, hits=True)
            if alone is not None and rests(_pair(stage, target, dice[-1], alone), dice[-1]):
                return [*first, aimed]
        return None

    return guide


def _pair(stage: Stage, target: Pose, die: int, alone: Ways) -> Landed:
    """How one die came to rest where only the target lay."""
    lies = {UNDER: target}
    return Landed(stage.setting, lies, lies, {die: alone.thrown[0]}, {})


def _aimed(rng: np.random.Generator, die: Released, pose: Pose) -> Released:
    """The die let go from where it is, so that it comes down in that pose: few would stay there that bounced."""
    down = float(rng.uniform(-150, 50))
    drop = max(die.pose.position[2] - pose.position[2], 1.0)
    takes = (down + math.sqrt(down**2 + 2 * GRAVITY * drop)) / GRAVITY
    vx, vy = (float(v) for v in (np.asarray(pose.position) - die.pose.position)[:2] / takes)
    a, b, c = (float(v) for v in rng.normal(size=3) * SPIN)
    turn = multiply(about((a, b, c), -math.hypot(a, b, c) * takes), pose.rotation)
    return replace(die, pose=Pose(die.pose.position, turn), velocity=(vx, vy, down), spin=(a, b, c), sticks=takes)


def _leaning(rng: np.random.Generator, look: DieLook, under: Pose) -> Pose:
    """A pose in which a die's lower edge stands on the floor and the next one against a side of the die there."""
    side, tilt = look.side_mm, math.radians(float(rng.uniform(22, 44)))
    away = math.atan2(*(float(v) for v in _across(under)[::-1])) + int(rng.integers(4)) * math.pi / 2
    flat = face_up(look, int(rng.integers(1, 7)), away + float(rng.normal() * 0.15))
    turn = multiply(about((math.sin(away), -math.cos(away), 0.0), -tilt), flat)
    apart = side / 2 * (1 + math.cos(tilt) + math.sin(tilt))
    along = float(rng.uniform(-0.4, 0.4)) * side
    x, y, _ = under.position
    x += apart * math.cos(away) - along * math.sin(away)
    y += apart * math.sin(away) + along * math.cos(away)
    return Pose((x, y, lowest_point(look, turn)), turn)


def _on_top(rng: np.random.Generator, look: DieLook, under: Pose) -> Pose:
    """A pose in which a die lies on another."""
    x, y = (float(v) for v in under.position[:2] + rng.normal(size=2) * 0.2 * look.side_mm)
    turn = face_up(look, int(rng.integers(1, 7)), float(rng.uniform(-math.pi, math.pi)))
    return Pose((x, y, 1.5 * look.side_mm), turn)


def _across(flat: Pose) -> NDArray[np.float64]:
    """(2,) the direction of an edge of a flat die's top."""
    up = upmost_face(flat)[0] // 2
    return flat.matrix[:2, (up + 1) % 3]


def _rough(setting: Setting) -> Setting:
    """A floor and dice that hold a leaning die: on smooth ones it slides down."""
    return replace(setting, surface=ROUGH)


DICE_UPON = (
    Scenario(
        "cocked_on_die", "a die leans on another and is thrown again alone", in_match(_cocked_on_die), ANYWHERE, _rough
    ),
    Scenario("stacked", "a die comes to rest on another and is rolled again", in_match(_stacked), ANYWHERE),
)
