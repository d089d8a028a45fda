"""Draws a recording frame by frame.

What rests is drawn once, carefully; in every frame only the blocks of the picture are drawn again in which something
moves, or a shadow of it falls.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.sim.camera import Camera, Light, Picture, meter, without_grain
from models.sim.changes import BLOCK, moving_balls, regions, touched
from models.sim.conditions import Conditions
from models.sim.packing import DIE
from models.sim.pose import Pose
from models.sim.script import Lies, Setting, Timeline
from models.sim.sensor import ROOM, Box, Exposure, Sensor
from models.sim.sheet import Place, papered
from models.sim.tracer import Rendered, render

REST_SAMPLES = (20, 40)
MOVING_SAMPLES = (5, 10)
REST_GRAIN, MOVING_GRAIN = (7, 0.25), (9, 0.5)
"""What moves is drawn with few rays and smoothed more (see `without_grain`)."""
SHADED_GRAIN = (9, 2.5)
"""Smoother still is a soft shadow away from what casts it: few rays hardly tell how much of a lamp is seen there."""
NOISES = 16
"""So many different noises a film has."""
FOLLOWS_S = 0.5
GAIN_STEP = 0.01
"""Exposure and gain change in steps of this share."""


@dataclass(frozen=True)
class Still:
    """The picture while everything rests, its light without grain, what it is metered at, and what lies where in it.

    `bare` is drawn without the sheet that lies on the floor, `drawn` with it.
    """

    setting: Setting
    lies: tuple[Pose | None, ...]
    sheet: Place | None
    bare: Rendered
    drawn: Rendered
    light: Light
    metered: float

    def shows(self, timeline: Timeline, t: float) -> bool:
        """Whether it is what rests at `t`."""
        return self.shows_dice(timeline, t) and self.sheet == timeline.sheet_at(t)

    def shows_dice(self, timeline: Timeline, t: float) -> bool:
        """Whether it is what rests at `t`, but for the sheet."""
        return self.setting is timeline.setting_at(t) and self.lies == _lying(timeline, t)


def film(timeline: Timeline, seed: int, camera: Camera | None = None) -> Iterator[Picture]:
    """All frames, uint8 BGR (h, w, 3), in order; the same timeline and seed give the same frames.

    `camera` is the timeline's own if none is given.

    Raises:
        SimulatorError: the tracer cannot be compiled.
    """
    camera, conditions, clock = camera or timeline.camera, timeline.conditions, timeline.clock
    meter_ = _Meter(camera, conditions, 1 / clock.fps)
    sensor = Sensor(camera, timeline.setting.lens.size, seed)
    places = [(int(y), int(x)) for y, x in np.random.default_rng(seed).integers(0, ROOM, (NOISES, 2))]
    still: Still | None = None
    before: Picture | None = None
    noise = 0
    for frame, t in enumerate(clock.taken):
        rng = np.random.default_rng([seed, frame])
        if still is None or not still.shows(timeline, t):
            still = _rest(timeline, t, seed, still)
        light, changed = _with_moving(timeline, t, seed, still)
        exposure = meter_.exposure(still, light if changed else None, t)
        if conditions.changes_light(t):
            light, changed = conditions.on_light(light, t, 1 / exposure.gains[1]), [_whole(light)]
        noise = (noise + 1 + int(rng.integers(NOISES - 1))) % NOISES  # never the same in two frames that follow
        picture = sensor.picture(still.light, exposure, places[noise], light, changed)
        yield conditions.spoil(picture, before, t, rng)
        before = picture


class _Meter:
    """The camera's exposure: that of the first picture, or one that follows the light within half a second."""

    def __init__(self, camera: Camera, conditions: Conditions, step_s: float) -> None:
        self._camera, self._conditions = camera, conditions
        follows = conditions.adapts or conditions.sees_hands > 0
        self._pace = 1 - math.exp(-step_s / FOLLOWS_S) if follows else 0.0
        self._log_gain: float | None = None

    def exposure(self, still: Still, light: Light | None, t: float) -> Exposure:
        """The exposure of the next frame, at `t`, of a picture that looks so at rest, and whose `light` is this where
        something moves in it."""
        aim = math.log(self._camera.exposure / still.metered)
        if light is not None and self._conditions.sees_hands:
            usual, now = (meter(seen[::4, ::4]) for seen in (still.light, light))
            aim += self._conditions.sees_hands * math.log(usual / now)
        if self._log_gain is None:
            self._log_gain = aim
        self._log_gain += self._pace * (aim - self._log_gain)
        gain = math.exp(round(self._log_gain / GAIN_STEP) * GAIN_STEP)
        r, g, b = (float(v) * gain for v in self._conditions.exposure(t))
        return Exposure((r, g, b), self._conditions.blur_px(t))


def _whole(light: Light) -> Box:
    height, width = light.shape[:2]
    return 0, 0, width, height


def _lying(timeline: Timeline, t: float) -> tuple[Pose | None, ...]:
    """Where each die lies while the shutter is open, None for those that move or are away."""
    poses = []
    for die in range(len(timeline.setting.dice)):
        chapter, after = timeline.chapter(die, t), timeline.chapter(die, t + timeline.clock.shutter_s)
        poses.append(chapter.pose if isinstance(chapter, Lies) and chapter is after else None)
    return tuple(poses)


def _rest(timeline: Timeline, t: float, seed: int, before: Still | None = None) -> Still:
    """The scene without hands and moving dice, drawn well, or quickly where camera or tray are on their way."""
    setting, scene, lies = timeline.setting_at(t), timeline.scene(t, seed), _lying(timeline, t)
    resting = tuple(placed for placed in scene.dice if placed.start in lies or placed in setting.idle_dice)
    bare = replace(scene, lamps=setting.lamps, dice=resting, bodies=setting.clutter)
    moves, sheet = timeline.conditions.moves(t), timeline.sheet_at(t)
    samples, grain = (MOVING_SAMPLES, MOVING_GRAIN) if moves else (REST_SAMPLES, REST_GRAIN)
    known = before is not None and before.shows_dice(timeline, t)
    without = before.bare if before is not None and known else render(bare, samples=samples)
    drawn = without
    if sheet is not None:
        drawn = papered(without, setting.lens, sheet, (0, 0), np.ones_like(without.ids, bool))
    return Still(setting, lies, sheet, without, drawn, without_grain(drawn, *grain), meter(without.rgb))


def _with_moving(timeline: Timeline, t: float, seed: int, still: Still) -> tuple[Light, list[Box]]:
    """The light of one frame, the resting picture with everything that moves drawn into it, and where it differs."""
    scene = timeline.scene(t, seed)
    if len(scene.lamps) > len(still.setting.lamps):
        light = _without_grain(render(scene, samples=MOVING_SAMPLES))
        return light, [_whole(light)]
    balls = moving_balls(timeline, t, scene, still.lies)
    if len(balls[0]) == 0:
        return still.light, []
    mask = touched(scene, balls)
    light, boxes = still.light.copy(), list(regions(mask, scene.lens.size))
    for box in boxes:
        x, y, width, height = box
        part = (slice(y, y + height), slice(x, x + width))
        here = mask[y // BLOCK :, x // BLOCK :].repeat(BLOCK, axis=0).repeat(BLOCK, axis=1)[:height, :width]
        drawn = render(scene, box, MOVING_SAMPLES, here, still.drawn.part(part))
        if still.sheet is not None:
            drawn = papered(drawn, scene.lens, still.sheet, (x, y), here > 0)
        light[part] = np.where(here[..., None] > 0, _without_grain(drawn), still.light[part])
    return light, boxes


def _without_grain(drawn: Rendered) -> Light:
    """The light of a picture or a part of one that is drawn with few rays."""
    things = (drawn.ids >= DIE).astype(np.uint8)
    beside = cv2.dilate(things, np.ones((2 * BLOCK + 1, 2 * BLOCK + 1), np.uint8)) > 0
    near, far = without_grain(drawn, *MOVING_GRAIN), without_grain(drawn, *SHADED_GRAIN)
    return np.where(beside[..., None], near, far)
