"""What hands and other bodies do over a tray besides throwing: they come, stay, look on, and leave."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.sim.errors import SimulatorError
from models.sim.gesture import Key, Player, Visit, points_of
from models.sim.manner import resting, staying
from models.sim.outcome import Landed, Outcome, settled
from models.sim.physics import Fall
from models.sim.pose import Vec3
from models.sim.scene import room_inside
from models.sim.script import Falls
from models.sim.shape import Make
from models.sim.sight import Sight, is_still, still_times
from models.sim.stage import Stage, sides_beside
from models.sim.turns import ALL
from models.sim.view import project

REACH_MM_S = 480.0
PROBE_S = 1 / 60
STEP_MM = 4.0
DIE_SIDES = 0.9
"""A hand is clear of a moving die whose middle is so many sides away."""
TRIES = 60
LONG_S = 0.8
"""A throw in which somebody can meddle rolls at least so long."""
MARGIN_S = 0.13
"""Whoever comes while dice roll comes so long before they stop, and so long after the thrower's hand has gone."""


def reach(
    stage: Stage, player: Player, place: Vec3, start: float, seconds: float, body: Make | None = None, **pose: float
) -> Visit:
    """In to a place, still there for some seconds, and out again."""
    outside = stage.out_of_sight(player, body, pose.get("roll", 0.0), max(place[2], 95.0))
    way = max(0.35, math.dist(outside, place) / REACH_MM_S)
    stay = resting(place, start + way, start + way + seconds, stage.rng, **pose)
    return Visit(player, (replace(stay[0], t=start, place=outside), *stay, _out(stay[-1], outside, way)), body)


def through(
    stage: Stage, player: Player, places: Sequence[Vec3], start: float, body: Make | None = None, **pose: float
) -> Visit:
    """In, slowly from place to place, and out again."""
    outside = stage.out_of_sight(player, body, pose.get("roll", 0.0))
    way = max(0.35, math.dist(outside, places[0]) / REACH_MM_S)
    keys = [Key(start, outside, **pose)]
    for place in places:
        keys.append(Key(keys[-1].t + (way if len(keys) == 1 else float(stage.rng.uniform(0.25, 0.5))), place, **pose))
        keys += resting(
            place, keys[-1].t + 0.2, keys[-1].t + 0.2 + float(stage.rng.uniform(0.2, 0.8)), stage.rng, **pose
        )
    return Visit(player, (*keys, _out(keys[-1], outside, way)), body)


def come(stage: Stage, visit: Visit) -> int:
    """Somebody comes and goes; play goes on a little later. The number of that visit."""
    index = stage.enter(visit)
    stage.clock = max(stage.clock, visit.end) + float(stage.rng.uniform(0.3, 0.9))
    return index


def over_floor(stage: Stage, visit: Visit) -> tuple[float, float] | None:
    """From when to when the visit's body is seen over the floor."""
    sight = Sight(stage.finish())
    over = [t for t in np.arange(visit.start, visit.end, PROBE_S).tolist() if sight.over_floor(visit, t)]
    return (over[0], over[-1]) if over else None


def nearing(stage: Stage, visit_at: Callable[[float], Visit], far_mm: float, beyond_mm: float) -> Visit:
    """The visit of a body that comes `beyond_mm` farther in than where it would first be over the floor.

    `visit_at` gives the visit of one that comes so near to the tray's middle; the nearest that may be is asked for
    from `far_mm` downward. With `beyond_mm` below 0 it stays beside the floor.

    Raises:
        SimulatorError: it never comes over the floor.
    """
    sight = Sight(stage.finish())
    for distance in np.arange(far_mm, -200.0, -STEP_MM).tolist():
        visit = visit_at(distance)
        if sight.over_floor(visit, (visit.start + visit.end) / 2):
            return visit_at(float(distance - beyond_mm))
    raise SimulatorError("nothing comes over the floor there: choose another --seed")


def beside(stage: Stage, player: Player, share: float, sideways: float, height: float) -> Vec3:
    """A place on the player's side of the tray: so much of the way to the wall, and to the side."""
    outward, room = player.outward, room_inside(stage.setting.tray, 0.0, 0.0)
    x, y = outward * room * share + np.array([-outward[1], outward[0]]) * room * sideways
    return (float(x), float(y), height)


def throw_and_stay(
    stage: Stage,
    player: Player,
    seconds: float,
    dice: Sequence[int] = ALL,
    wanted: Outcome = settled,
    share: tuple[float, float] = (0.8, 1.0),
) -> Visit:
    """Dice are thrown, and the hand that threw them lies down beside them, such a `share` of the way to the wall."""
    sideways = float(stage.rng.uniform(-0.35, 0.35))
    place = beside(stage, player, float(stage.rng.uniform(*share)), sideways, 22.0)
    clear = clear_of(stage, reach(stage, player, place, 0.0, 1.0), 0.6)
    manner = staying(place, seconds, stage.rng)
    stage.throw(player, dice, lambda landed: clear(landed) and wanted(landed), manner=manner)
    return stage.last_visit()


def clear_of(stage: Stage, visit: Visit, after_s: float) -> Outcome:
    """Dice settle, and none comes near the body where it will rest, from so long after the throw on."""
    points = points_of(visit, visit.at((visit.start + visit.end) / 2, stage.setting.tray, []))

    def clear(landed: Landed) -> bool:
        ways = {die: way for die, way in landed.ways.items() if settled(landed)}
        return bool(ways) and all(
            _apart(points, way.at(t).position) > DIE_SIDES * landed.setting.dice[die].side_mm
            for die, way in ways.items()
            for t in np.arange(after_s, way.seconds + 0.05, 0.05).tolist()
        )

    return clear


def never_near(stage: Stage, visit: Visit, sides: float) -> Outcome:
    """Dice settle, and all are seen so many sides of theirs from the body where it rests, as long as they roll, too."""
    lens, resting_t = stage.setting.lens, (visit.start + visit.end) / 2
    body = project(lens, points_of(visit, visit.at(resting_t, stage.setting.tray, [])))

    def clear(landed: Landed) -> bool:
        if not settled(landed):
            return False
        poses = [(die, pose) for die, pose in landed.lying.items()]
        for die, way in landed.ways.items():
            poses += [(die, way.at(t)) for t in np.arange(0.0, way.seconds + PROBE_S, PROBE_S).tolist()]
        dice = landed.setting.dice
        return all(sides_beside(lens, body, pose, dice[die].side_mm) > sides for die, pose in poses)

    return clear


def hands_meet(stage: Stage, one: Visit, other: Visit, gap_mm: float) -> bool:
    """Whether two bodies come so near to each other."""
    for t in np.arange(max(one.start, other.start), min(one.end, other.end), 1 / 30).tolist():
        a, b = (points_of(visit, visit.at(t, stage.setting.tray, [])) for visit in (one, other))
        near_a, near_b = (_within(p, q, gap_mm) for p, q in ((a, b), (b, a)))
        if any(float(np.linalg.norm(near_b - point, axis=1).min()) < gap_mm for point in near_a if len(near_b)):
            return True
    return False


def _within(points: NDArray[np.float64], box: NDArray[np.float64], gap_mm: float) -> NDArray[np.float64]:
    """Those of the points that are no farther from the box around the others."""
    inside = (points > box.min(axis=0) - gap_mm) & (points < box.max(axis=0) + gap_mm)
    return np.asarray(points[inside.all(axis=1)][::2], np.float64)


def last_falls(stage: Stage) -> tuple[float, dict[int, Fall]]:
    """When the dice thrown last were let go, and how they fell."""
    timeline = stage.finish()
    falls = {die: story[-2] for die, story in enumerate(timeline.stories) if len(story) > 2}
    release = max(chapter.since for chapter in falls.values() if isinstance(chapter, Falls))
    return release, {
        die: chapter.fall for die, chapter in falls.items() if isinstance(chapter, Falls) and chapter.since == release
    }


def rests_at(stage: Stage) -> float:
    """When the dice thrown last are all at rest."""
    sight = Sight(stage.finish())
    return sight.clock.middle(sight.first_still(sight.clock.frame_from(last_falls(stage)[0])))


def rolls_for(fall: Fall) -> float:
    """Seconds until a falling die is at rest."""
    times = np.arange(0.0, fall.seconds, 2 * PROBE_S).tolist()
    return next((t for t in times if is_still([fall.at(moment) for moment in still_times(t)])), fall.seconds)


def rolls_long(landed: Landed) -> bool:
    """They settle, and the last of them rolls so long that somebody can meddle."""
    return settled(landed) and max(rolls_for(way) for way in landed.ways.values()) > LONG_S


def touches_none(stage: Stage, visit: Visit, but: Mapping[int, float] | None = None) -> bool:
    """Whether the hand keeps clear of the dice thrown last while they roll, `but` for some from a second on."""
    release, falls = last_falls(stage)
    for t in np.arange(visit.start, visit.end, 1 / 30).tolist():
        points = points_of(visit, visit.at(t, stage.setting.tray, []))
        for die, fall in falls.items():
            pose = fall.at(t - release)
            if t > (but or {}).get(die, math.inf):
                continue
            if _apart(points, pose.position) < DIE_SIDES * stage.setting.dice[die].side_mm:
                return False
    return True


def _apart(points: NDArray[np.float64], place: Vec3) -> float:
    return float(np.sqrt(((points - np.asarray(place)) ** 2).sum(axis=1).min()))


def _out(last: Key, outside: Vec3, seconds: float) -> Key:
    return replace(last, t=last.t + seconds, place=outside)
