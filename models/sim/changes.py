"""Which parts of a picture change while something moves: where it is seen, and where its shadows fall."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sim.gesture import Visit, points_of
from models.sim.pose import Pose
from models.sim.scene import Scene
from models.sim.script import Timeline
from models.sim.sight import LENS_GAP_MM
from models.sim.view import project

BLOCK = 16
"""Edge in px of the blocks that a picture is parted into."""
HALO_MM = 10.0
"""Dark surroundings of a thing that lies on something, beyond its shadow."""
HAND_POINT_MM = 9.0
"""Radius of the part of a hand that one of its points stands for."""

Balls = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Centres (n, 3) and radii (n,), mm."""


def moving_balls(timeline: Timeline, t: float, scene: Scene, lies: tuple[Pose | None, ...]) -> Balls:
    """Balls around all that moves or is no die, while the shutter is open from `t` on."""
    idle = timeline.setting.idle_dice
    dice = [placed for placed in scene.dice if placed.start not in lies and placed not in idle]
    centres = [[pose.position for placed in dice for pose in (placed.start, placed.end)]] if dice else []
    radii = [np.repeat([0.87 * placed.look.side_mm + HALO_MM for placed in dice], 2)]
    points = [_hand_points(timeline, visit, t) for visit in timeline.visits_at(t)]
    radii += [np.full(len(part), HAND_POINT_MM + HALO_MM) for part in points]
    return np.concatenate([np.zeros((0, 3)), *centres, *points]), np.concatenate(radii)


def touched(scene: Scene, balls: Balls) -> NDArray[np.uint8]:
    """Blocks of the picture, 0 or 1, that the balls or their shadows touch."""
    centres, radii = balls
    places, sizes = [centres], [radii]
    for lamp in scene.lamps:
        source = np.asarray(lamp.position)
        for ground in (0.0, -scene.tray.base_mm):
            share = (centres[:, 2:] - ground) / np.maximum(source[2] - centres[:, 2:], 1.0)
            shadow = centres + (centres - source) * share
            spread = radii * (1 + share[:, 0]) + lamp.radius_mm * share[:, 0]
            places += [shadow, (shadow + centres) / 2]
            sizes += [spread, radii + spread / 2]
    return _blocks(scene, np.concatenate(places), np.concatenate(sizes))


def regions(mask: NDArray[np.uint8], size: tuple[int, int]) -> Iterator[tuple[int, int, int, int]]:
    """Rectangles x, y, width, height in px around the connected groups of marked blocks."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    for x, y, width, height, _ in stats[1:].tolist():
        left, top = x * BLOCK, y * BLOCK
        yield left, top, min(width * BLOCK, size[0] - left), min(height * BLOCK, size[1] - top)


def _hand_points(timeline: Timeline, visit: Visit, t: float) -> NDArray[np.float64]:
    """(n, 3) points on the hand and its arm while the shutter is open."""
    moments = (t, min(t + timeline.clock.shutter_s, visit.end))
    return np.concatenate([points_of(visit, timeline.hand_at(moment, visit))[::9] for moment in moments])


def _blocks(scene: Scene, centres: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The blocks in the squares around the balls, found as the running sums of the squares' corners."""
    width, height = scene.lens.size
    count = np.zeros((-(-height // BLOCK) + 1, -(-width // BLOCK) + 1), np.int32)
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
    return (count.cumsum(axis=0).cumsum(axis=1) > 0)[:-1, :-1].astype(np.uint8)
