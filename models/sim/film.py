"""Draws a recording frame by frame.

What rests is drawn once, carefully; in every frame only the blocks of the picture are drawn again in which something
moves, or a shadow of it falls.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from models.sim.camera import VIDEO, Camera, Light, Picture, meter, without_grain
from models.sim.changes import BLOCK, moving_balls, regions, touched
from models.sim.pose import Pose
from models.sim.script import Lies, Timeline
from models.sim.sensor import ROOM, Box, Sensor
from models.sim.tracer import Rendered, render

REST_SAMPLES = (20, 40)
MOVING_SAMPLES = (5, 10)
MOVING_GRAIN = (9, 0.5)
"""What moves is drawn with few rays and smoothed more (see `without_grain`)."""


@dataclass(frozen=True)
class Still:
    """The picture while everything rests, its light without grain, and which dice lie where in it."""

    lies: tuple[Pose | None, ...]
    drawn: Rendered
    light: Light


def film(timeline: Timeline, seed: int, camera: Camera = VIDEO) -> Iterator[Picture]:
    """All frames, uint8 BGR (h, w, 3), in order; the same timeline and seed give the same frames.

    Raises:
        SimulatorError: the tracer cannot be compiled.
    """
    still: Still | None = None
    gain = camera.exposure / meter(render(timeline.scene(0.0, seed)).rgb)
    sensor = Sensor(camera, timeline.setting.lens.size, seed)
    for frame, t in enumerate(timeline.clock.taken):
        lies = _lying(timeline, t)
        if still is None or still.lies != lies:
            still = _rest(timeline, t, seed, lies)
        light, changed = _with_moving(timeline, t, seed, still)
        place = np.random.default_rng([seed, frame]).integers(0, ROOM, 2)
        yield sensor.picture(still.light, gain, place, light, changed)


def _lying(timeline: Timeline, t: float) -> tuple[Pose | None, ...]:
    """Where each die lies while the shutter is open, None for those that move or are away."""
    poses = []
    for die in range(len(timeline.setting.dice)):
        chapter, after = timeline.chapter(die, t), timeline.chapter(die, t + timeline.clock.shutter_s)
        poses.append(chapter.pose if isinstance(chapter, Lies) and chapter is after else None)
    return tuple(poses)


def _rest(timeline: Timeline, t: float, seed: int, lies: tuple[Pose | None, ...]) -> Still:
    """The scene without hands and moving dice, drawn well."""
    setting, scene = timeline.setting, timeline.scene(t, seed)
    resting = tuple(placed for placed in scene.dice if placed.start in lies or placed in setting.idle_dice)
    bare = replace(scene, lamps=setting.lamps, dice=resting, bodies=setting.clutter)
    drawn = render(bare, samples=REST_SAMPLES)
    return Still(lies, drawn, without_grain(drawn))


def _with_moving(timeline: Timeline, t: float, seed: int, still: Still) -> tuple[Light, list[Box]]:
    """The light of one frame, the resting picture with everything that moves drawn into it, and where it differs."""
    scene = timeline.scene(t, seed)
    if len(scene.lamps) > len(timeline.setting.lamps):
        return without_grain(render(scene, samples=MOVING_SAMPLES), *MOVING_GRAIN), [(0, 0, *scene.lens.size)]
    balls = moving_balls(timeline, t, scene, still.lies)
    if len(balls[0]) == 0:
        return still.light, []
    mask = touched(scene, balls)
    light, boxes = still.light.copy(), list(regions(mask, scene.lens.size))
    for box in boxes:
        x, y, width, height = box
        part = (slice(y, y + height), slice(x, x + width))
        here = mask[y // BLOCK :, x // BLOCK :].repeat(BLOCK, axis=0).repeat(BLOCK, axis=1)[:height, :width]
        drawn = without_grain(render(scene, box, MOVING_SAMPLES, here, still.drawn.part(part)), *MOVING_GRAIN)
        light[part] = np.where(here[..., None] > 0, drawn, still.light[part])
    return light, boxes
