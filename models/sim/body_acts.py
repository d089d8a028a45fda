"""What hands and other bodies do over a tray besides throwing: they come, stay, look on, and leave."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.sim.errors import SimulatorError
from models.sim.gesture import Key, Player, Visit, points_of
from models.sim.manner import resting
from models.sim.outcome import Landed, Outcome, settled
from models.sim.physics import Fall
from models.sim.pose import Vec3
from models.sim.scene import room_inside
from models.sim.script import Falls
from models.sim.shape import Make
from models.sim.sight import Sight, is_still, still_times
from models.sim.stage import Stage

REACH_MM_S = 480.0
PROBE_S = 1 / 60
STEP_MM = 4.0
DIE_SIDES = 0.9
"""A hand is clear of a moving die whose middle is so many sides away."""
TRIES = 60


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


def come(stage: Stage, visit: Visit) -> None:
    """Somebody comes and goes; play goes on a little later."""
    stage.enter(visit)
    stage.clock = max(stage.clock, visit.end) + float(stage.rng.uniform(0.3, 0.9))


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


def touches_none(stage: Stage, visit: Visit) -> bool:
    """Whether the hand keeps clear of the dice thrown last while they roll."""
    release, falls = last_falls(stage)
    for t in np.arange(visit.start, visit.end, 1 / 30).tolist():
        points = points_of(visit, visit.at(t, stage.setting.tray, []))
        for die, fall in falls.items():
            pose = fall.at(t - release)
            if _apart(points, pose.position) < DIE_SIDES * stage.setting.dice[die].side_mm:
                return False
    return True


def _apart(points: NDArray[np.float64], place: Vec3) -> float:
    return float(np.sqrt(((points - np.asarray(place)) ** 2).sum(axis=1).min()))


def _out(last: Key, outside: Vec3, seconds: float) -> Key:
    return replace(last, t=last.t + seconds, place=outside)
