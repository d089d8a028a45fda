"""Draws a recording frame by frame.

What rests is drawn once, carefully; in every frame only the blocks of the picture are drawn again in which something
moves, or a shadow of it falls.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sim.camera import VIDEO, Camera, Light, Picture, develop, meter, without_grain
from models.sim.gesture import Visit, points_of
from models.sim.pose import Pose
from models.sim.scene import Scene
from models.sim.script import Lies, Timeline
from models.sim.sight import LENS_GAP_MM
from models.sim.tracer import render
from models.sim.view import project

REST_SAMPLES = (20, 40)
MOVING_SAMPLES = (7, 14)
BLOCK = 16
"""Edge in px of the blocks that are drawn again."""
HALO_MM = 10.0
"""Dark surroundings of a thing that lies on something, beyond its shadow."""


@dataclass(frozen=True)
class Still:
    """The picture's light while everything rests, and which dice lie where in it."""

    lies: tuple[Pose | None, ...]
    light: Light


def film(timeline: Timeline, seed: int, camera: Camera = VIDEO) -> Iterator[Picture]:
    """All frames, uint8 BGR (h, w, 3), in order; the same timeline and seed give the same frames.

    Raises:
        SimulatorError: the tracer cannot be compiled.
    """
    still: Still | None = None
    metered = meter(render(timeline.scene(0.0, seed)).rgb)
    for frame, t in enumerate(timeline.clock.taken):
        lies = _lying(timeline, t)
        if still is None or still.lies != lies:
            still = _rest(timeline, t, seed, lies)
        light = _with_moving(timeline, t, seed, still)
        yield develop(light, camera, np.random.default_rng([seed, frame]), metered)


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
    return Still(lies, without_grain(render(bare, samples=REST_SAMPLES)))


def _with_moving(timeline: Timeline, t: float, seed: int, still: Still) -> Light:
    """The light of one frame: the resting picture with everything that moves drawn into it."""
    scene = timeline.scene(t, seed)
    if len(scene.lamps) > len(timeline.setting.lamps):
        return without_grain(render(scene, samples=MOVING_SAMPLES))
    idle = timeline.setting.idle_dice
    moving = [placed for placed in scene.dice if placed.start not in still.lies and placed not in idle]
    if not moving and len(scene.bodies) == len(timeline.setting.clutter):
        return still.light
    balls = [
        (np.array([pose.position]), 0.87 * placed.look.side_mm + HALO_MM)
        for placed in moving
        for pose in (placed.start, placed.end)
    ]
    balls += [(_hand_points(timeline, visit, t), 9.0 + HALO_MM) for visit in timeline.visits_at(t)]
    rgb = still.light.copy()
    for x, y, width, height in _regions(_touched(scene, balls), scene.lens.size):
        part = render(scene, (x, y, width, height), MOVING_SAMPLES)
        rgb[y : y + height, x : x + width] = without_grain(part)
    return rgb


def _hand_points(timeline: Timeline, visit: Visit, t: float) -> NDArray[np.float64]:
    """(n, 3) points on the hand and its arm while the shutter is open."""
    points = []
    for moment in (t, min(t + timeline.clock.shutter_s, visit.end)):
        hand = timeline.hand_at(moment, visit)
        points.append(points_of(visit, hand)[::9])
    return np.concatenate(points)


def _touched(scene: Scene, balls: Sequence[tuple[NDArray[np.float64], float]]) -> NDArray[np.uint8]:
    """Blocks of the picture that the balls (centres (n, 3) mm and radius) or their shadows touch."""
    width, height = scene.lens.size
    count = np.zeros((-(-height // BLOCK) + 1, -(-width // BLOCK) + 1), np.int32)
    for centres, radius in balls:
        _mark(count, scene, centres, np.full(len(centres), radius))
        for lamp in scene.lamps:
            source = np.asarray(lamp.position)
            for ground in (0.0, -scene.tray.base_mm):
                share = (centres[:, 2:] - ground) / np.maximum(source[2] - centres[:, 2:], 1.0)
                shadow = centres + (centres - source) * share
                spread = radius * (1 + share[:, 0]) + lamp.radius_mm * share[:, 0]
                for place, size in ((shadow, spread), ((shadow + centres) / 2, radius + spread / 2)):
                    _mark(count, scene, place, size)
    return (count.cumsum(axis=0).cumsum(axis=1) > 0)[:-1, :-1].astype(np.uint8)


def _mark(count: NDArray[np.int32], scene: Scene, centres: NDArray[np.float64], radii: NDArray[np.float64]) -> None:
    """Note the squares of blocks around the balls, as the corners of a table whose running sums count them."""
    below = centres[:, 2] < scene.lens.position[2] - LENS_GAP_MM
    centres, radii = centres[below], radii[below]
    depth = scene.lens.position[2] - centres[:, 2]
    px = project(scene.lens, centres)
    reach = (radii * scene.lens.focal_px / depth)[:, None]
    edge = np.array(count.shape[::-1]) - 1
    low = np.clip(np.floor((px - reach) / BLOCK), 0, edge).astype(int)
    high = np.clip(np.floor((px + reach) / BLOCK) + 1, 0, edge).astype(int)
    for x, y, sign in ((low, low, 1), (high, low, -1), (low, high, -1), (high, high, 1)):
        np.add.at(count, (y[:, 1], x[:, 0]), sign)


def _regions(mask: NDArray[np.uint8], size: tuple[int, int]) -> Iterator[tuple[int, int, int, int]]:
    """Rectangles x, y, width, height in px around the connected groups of marked blocks."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    for x, y, width, height, _ in stats[1:].tolist():
        left, top = x * BLOCK, y * BLOCK
        yield left, top, min(width * BLOCK, size[0] - left), min(height * BLOCK, size[1] - top)
