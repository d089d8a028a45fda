"""Draws what dice lie on: cloth or wood, a tray with a raised edge, and hands that reach over it."""

from dataclasses import dataclass

import cv2
import numpy as np

from models.training.decoys import draw_decoys
from models.training.look import body_colour, plain_colour, skin_colour
from models.training.noise import texture
from models.training.view import Picture, Points, View

_FIXED_POINT = 4


@dataclass(frozen=True)
class Table:
    """A drawn table: the picture (BGR), the tray's floor outline (n, 3) in the world or None, its wall's height."""

    picture: Picture
    floor: Points | None


def cloth(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Return a plain surface (h, w, 3): felt, leather, wood or print."""
    base = body_colour(rng) if rng.random() < 0.7 else rng.uniform(0, 255, 3)
    rough = rng.uniform(1, 22)
    if rng.random() < 0.75:
        octaves = [(60, rough * 0.7), (8, rough * 0.4), (2.2, rough * 0.5), (1, rough * 0.4)]
        return _to_picture(base + texture(rng, height, width, 1, octaves))
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    angle = rng.uniform(0, np.pi)
    along = columns * np.cos(angle) + rows * np.sin(angle)
    bent = along + texture(rng, height, width, 1, [(50, 6.0), (10, 1.5)])[..., 0]
    stripes = np.sin(bent / rng.uniform(2, 14)) * rng.uniform(3, 25)
    colour = base + stripes[..., None] * rng.uniform(0.6, 1, 3)
    return _to_picture(colour + texture(rng, height, width, 1, [(1, rough * 0.3)]))


def _to_picture(colours: Points) -> Picture:
    return np.clip(colours, 0, 255).astype(np.uint8)


def _polygon(picture: Picture, view: View, points: Points, colour: tuple[float, float, float]) -> None:
    if ((view.rotation @ (points - view.position).T)[2] < 1).any():
        return
    places = np.round(view.project(points) * 2**_FIXED_POINT).astype(np.int64).clip(-(2**24), 2**24).astype(np.int32)
    cv2.fillPoly(picture, [places], colour, cv2.LINE_AA, _FIXED_POINT)


def _floor_outline(rng: np.random.Generator, view: View) -> Points:
    """Return a tray floor (n, 3) about the picture's middle: mostly square or oblong, now and then round."""
    edge = view.focal / view.position[2]
    reach = view.height / edge * rng.uniform(0.3, 0.75)
    sides = int(rng.choice([4, 6, 8, 28], p=[0.7, 0.08, 0.1, 0.12]))
    angles = np.arange(sides) * 2 * np.pi / sides + np.pi / sides
    outline = np.c_[np.cos(angles), np.sin(angles)] * reach / np.cos(np.pi / sides)
    outline[:, 0] *= rng.uniform(1.0, 1.7)
    turned = rng.normal(0, 0.08) if rng.random() < 0.7 else rng.uniform(0, np.pi)
    spin = np.array([[np.cos(turned), -np.sin(turned)], [np.sin(turned), np.cos(turned)]])
    moved = outline @ spin.T + rng.normal(0, 0.15, 2) * reach
    return np.asarray(np.c_[moved, np.zeros(sides)])


def _draw_tray(rng: np.random.Generator, picture: Picture, view: View, floor: Points) -> None:
    """Draw rim, inner walls and floor of a tray over the table, in place."""
    height, thickness, slant = rng.uniform(0.5, 2.6), rng.uniform(0.15, 1.6), rng.uniform(0, 0.35)
    middle = floor.mean(0)
    reach = np.linalg.norm(floor - middle, axis=1, keepdims=True)
    outward = (floor - middle) / reach
    inner = floor + outward * slant * height + (0, 0, height)
    outer = inner + outward * thickness
    wall = np.array(plain_colour(rng))
    rim = wall * rng.uniform(0.7, 1.3) if rng.random() < 0.7 else np.array(plain_colour(rng))
    _polygon(picture, view, outer, tuple(np.clip(rim, 0, 255).tolist()))
    around = rng.uniform(0, 2 * np.pi)
    for i in range(len(floor)):
        j = (i + 1) % len(floor)
        facing = -(outward[i] + outward[j])[:2] / 2 @ (np.cos(around), np.sin(around))
        shade = np.clip(wall * (0.75 + 0.35 * facing), 0, 255)
        _polygon(picture, view, np.stack([floor[i], floor[j], inner[j], inner[i]]), tuple(shade.tolist()))
    lined = rng.random() < 0.5
    surface = cloth(rng, picture.shape[0], picture.shape[1]) if lined else picture.copy()
    if not lined:
        surface[:] = np.clip(
            wall + texture(rng, picture.shape[0], picture.shape[1], 1, [(40, 6.0), (2, 4.0)]), 0, 255
        ).astype(np.uint8)
    inside = np.zeros(picture.shape[:2], np.uint8)
    places = np.round(view.project(floor) * 2**_FIXED_POINT).astype(np.int32)
    cv2.fillPoly(inside, [places], (255,), cv2.LINE_AA, _FIXED_POINT)
    # Corners of a tray are darker than its middle: less light reaches them.
    near_wall = cv2.GaussianBlur(inside, (0, 0), max(1.0, 0.6 * view.focal / view.position[2])).astype(np.float32) / 255
    gloom = 1 - rng.uniform(0, 0.8) * (1 - near_wall)
    cover = inside[..., None].astype(np.float32) / 255
    picture[:] = (picture * (1 - cover) + surface * gloom[..., None] * cover).astype(np.uint8)


def _strip(rng: np.random.Generator, picture: Picture) -> None:
    height, width = picture.shape[:2]
    middle = rng.uniform(0, 1, 2) * (width, height)
    angle = rng.uniform(0, np.pi)
    reach = np.array([np.cos(angle), np.sin(angle)]) * 1000
    ends = ((middle - reach).astype(int).tolist(), (middle + reach).astype(int).tolist())
    cv2.line(picture, ends[0], ends[1], plain_colour(rng), int(rng.integers(1, 26)), cv2.LINE_AA)


def draw_stitches(rng: np.random.Generator, picture: Picture, gap: float) -> None:
    """Draw one to three seams of evenly spaced dots through a picture, in place: three of the dots look like a 3."""
    height, width = picture.shape[:2]
    shade = picture.mean((0, 1)) + rng.choice([-1, 1]) * rng.uniform(15, 120)
    radius = gap * rng.uniform(0.12, 0.3)
    start, angle = rng.uniform(0.35, 0.65, 2) * (width, height), rng.uniform(0, np.pi)
    for _ in range(int(rng.choice([1, 2, 3], p=[0.7, 0.2, 0.1]))):
        along = np.array([np.cos(angle), np.sin(angle)])
        steps = np.arange(-(width + height), width + height, gap)
        dots = start + (steps[:, None] + rng.normal(0, 0.05 * gap, (len(steps), 1))) * along
        if rng.random() < 0.3:
            ends = (dots[0].astype(int).tolist(), dots[-1].astype(int).tolist())
            cv2.line(picture, ends[0], ends[1], (shade * 0.3 + picture.mean((0, 1)) * 0.7).tolist(), 1, cv2.LINE_AA)
        for x, y in dots[((dots > -gap) & (dots < (width + gap, height + gap))).all(1)]:
            axes = (max(1, int(radius * 16)), max(1, int(radius * rng.uniform(0.6, 1.2) * 16)))
            at = (int(x * 16), int(y * 16))
            cv2.ellipse(picture, at, axes, float(np.degrees(angle)), 0, 360, shade.tolist(), -1, cv2.LINE_AA, 4)
        start, angle = start + rng.normal(0, 2.5, 2) * gap, angle + rng.choice([0.0, 1.0])


def draw_table(rng: np.random.Generator, view: View) -> tuple[Table, list[tuple[float, float]]]:
    """Draw an empty table, with a tray more often than not, and the places (px) of things that are no dice."""
    picture = cloth(rng, view.height, view.width)
    floor = None
    if rng.random() < 0.55:
        floor = _floor_outline(rng, view)
        _draw_tray(rng, picture, view, floor)
    elif rng.random() < 0.3:
        for _ in range(int(rng.integers(1, 4))):
            _strip(rng, picture)
    if rng.random() < 0.06:
        draw_stitches(rng, picture, view.focal / view.position[2] * rng.uniform(0.15, 0.5))
    decoys = draw_decoys(rng, picture, view.focal / view.position[2]) if rng.random() < 0.35 else []
    return Table(picture, floor), decoys


def draw_hand(rng: np.random.Generator, picture: Picture) -> tuple[Points, Points, float]:
    """Draw a forearm with spread fingers reaching in, in place; return its axis' two ends (2,) and its width, px."""
    height, width = picture.shape[:2]
    start = np.array([rng.uniform(0, width), rng.choice([-20.0, height + 20.0])])
    end = np.array([rng.uniform(0.15, 0.85) * width, rng.uniform(0.15, 0.85) * height])
    thickness = rng.uniform(40, 130)
    skin = np.clip(skin_colour(rng), 0, 255)
    axis = (end - start) / np.linalg.norm(end - start)
    cv2.line(
        picture,
        start.astype(int).tolist(),
        end.astype(int).tolist(),
        tuple(skin.tolist()),
        int(thickness),
        cv2.LINE_AA,
    )
    for spread in np.linspace(-0.5, 0.5, 4):
        bent = spread + rng.normal(0, 0.12)
        finger = np.array(
            [axis[0] * np.cos(bent) - axis[1] * np.sin(bent), axis[0] * np.sin(bent) + axis[1] * np.cos(bent)]
        )
        root = end + np.array([-axis[1], axis[0]]) * spread * thickness * 0.7
        tip = root + finger * thickness * rng.uniform(0.5, 1.1)
        shade = tuple(np.clip(skin * rng.uniform(0.82, 1.05), 0, 255).tolist())
        cv2.line(
            picture, root.astype(int).tolist(), tip.astype(int).tolist(), shade, int(thickness * 0.2) + 1, cv2.LINE_AA
        )
    return start, end, thickness
