"""Draws one die into a picture: polygons on uint8, since OpenCV smooths edges there and not on float pictures."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.look import Colour, DieLook, Light, luma
from models.training.noise import texture
from models.training.reflections import add_glare, add_streaks, add_veil
from models.training.view import SUBPIXEL_BITS, Picture, Points, View

_CIRCLE = np.array([[np.cos(a), np.sin(a)] for a in np.arange(16) * np.pi / 8])

# The six faces: outward normal, and the two directions along the face. The first is the top, the second the bottom.
_FACES = [
    (np.array(n, float), np.array(u, float), np.array(v, float))
    for n, u, v in (
        ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
        ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
        ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
        ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    )
]
PIPS: dict[int, list[tuple[int, int]]] = {
    0: [],
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}
"""Where the pips of a field lie about its middle, in steps from it; a domino has fields without any."""

_SIDE_SEEN = 0.25  # cosine between a side face and the ray from which its pips can be counted
_MOST_WORN = 2 / 3  # share of its paint that a pip may have lost and still be counted
_FAINTEST = 20.0  # levels by which it must then differ from the body in some channel
_REFRACTIVE_INDEX = 1.5  # of acrylic: a clear die's far faces look nearer by this factor


@dataclass(frozen=True)
class Pose:
    """Where a die is: centre (3,) in die edges, rotation (3, 3), the value on the face whose normal was z."""

    centre: Points
    rotation: Points
    value: int


@dataclass(frozen=True)
class DrawnDie:
    """What was drawn, in px: centre (2,) of the top face, its edge, pip centres (value, 2), side faces seen (n, 2).

    `faint`: a pip on top is so worn that nobody could count it.
    """

    centre: Points
    face_px: float
    pips: Points
    sides: Points
    faint: bool


@dataclass(frozen=True)
class _Patch:
    """A window into a picture that takes polygons in the picture's own coordinates."""

    pixels: Picture
    origin: Points

    def fill(self, outline: Points, colour: Colour) -> None:
        """Fill a convex polygon (n, 2) with a BGR colour."""
        points = np.round((outline - self.origin) * 2**SUBPIXEL_BITS).astype(np.int32)
        cv2.fillConvexPoly(self.pixels, points, np.clip(colour, 0, 255).tolist(), cv2.LINE_AA, SUBPIXEL_BITS)

    def mask(self, outline: Points) -> NDArray[np.float32]:
        """Return the polygon's coverage of the window, float32 (h, w), 0..1."""
        blank = _Patch(np.zeros(self.pixels.shape[:2], np.uint8), self.origin)
        blank.fill(outline, np.array([255.0]))
        return np.asarray(blank.pixels, np.float32) / np.float32(255)


def _rounded_square(half: float, radius: float) -> Points:
    """Return the outline (20, 2) of a square of half-width `half` with rounded corners."""
    angles = np.radians(np.linspace(0, 90, 5))
    corners = []
    for sx, sy, start in ((1, 1, 0.0), (-1, 1, 90.0), (-1, -1, 180.0), (1, -1, 270.0)):
        turned = angles + np.radians(start)
        corners.append(
            np.c_[sx * (half - radius) + radius * np.cos(turned), sy * (half - radius) + radius * np.sin(turned)]
        )
    return np.concatenate(corners)


def _outline(points: Points, radius: float) -> Points:
    """Return the convex hull of circles of one radius (px) about picture points (n, 2)."""
    rim = (points[:, None] + _CIRCLE * radius).reshape(-1, 2)
    return np.asarray(cv2.convexHull(rim.astype(np.float32)), np.float64)[:, 0]


def _corners(pose: Pose, inset: float) -> Points:
    """Return the world places (8, 3) of the centres of the die's rounded corners."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return np.asarray(pose.centre + (signs * (0.5 - inset)) @ pose.rotation.T)


def _values(rng: np.random.Generator, top: int) -> list[int]:
    """Return the values of the six faces: opposite ones add up to seven, as on every real die."""
    first = int(rng.choice([v for v in range(1, 7) if v not in (top, 7 - top)]))
    second = int(rng.choice([v for v in range(1, 7) if v not in (top, 7 - top, first, 7 - first)]))
    return [top, 7 - top, first, 7 - first, second, 7 - second]


def _pip_places(rng: np.random.Generator, look: DieLook, value: int) -> Points:
    """Return the pip centres (value, 2) on the face, in die edges; 2, 3 and 6 lie in either of their two directions."""
    places = np.array(PIPS[value], float) * look.spacing
    if value == 6:
        places[:, 1] *= look.six_stretch
    if value in (2, 3) and rng.random() < 0.5:
        places[:, 0] *= -1
    if value == 2 and look.straight:
        places[:, 0] = 0
    if value == 6 and rng.random() < 0.5:
        places = places[:, ::-1]
    return places


class _Painter:
    """Paints the faces of one die, farthest first, and remembers where the top pips came to lie."""

    def __init__(self, rng: np.random.Generator, view: View, pose: Pose, look: DieLook, lamp: Light, patch: _Patch):
        self.rng, self.view, self.pose, self.look, self.lamp, self.patch = rng, view, pose, look, lamp, patch
        self.top_pips: Points = np.zeros((0, 2))
        self.faint = False
        self._light_sideways = (lamp.direction * (1, -1, 1))[:2]  # in the picture y runs down

    def on_face(self, face: int, places: Points, depth: float = 0.5) -> Points:
        """Return the picture places (n, 2) of places (n, 2) on a face that lies `depth` from the die's centre."""
        normal, u, v = _FACES[face]
        local = normal * depth + places[:, :1] * u + places[:, 1:] * v
        return self.view.project(self.pose.centre + local @ self.pose.rotation.T)

    def facing(self, face: int) -> float:
        """Return the cosine between a face's normal and the ray to the camera."""
        normal = self.pose.rotation @ _FACES[face][0]
        return float(normal @ self.view.towards(self.pose.centre + normal * 0.5))

    def shade(self, face: int) -> float:
        """Return how bright the lamp makes a face."""
        lit = max(0.0, float(self.pose.rotation @ _FACES[face][0] @ self.lamp.direction))
        return float(np.clip(self.lamp.ambient + self.lamp.strength * lit, 0.25, 1.45))

    def paint(self, blank_top: bool) -> None:
        """Paint every face that is seen, and for a clear die the far ones that shine through."""
        values = _values(self.rng, self.pose.value)
        for face in sorted(range(6), key=self.facing):
            seen = self.facing(face) > 0.06
            if seen:
                self._face(face)
            elif not self.look.clearness:
                continue
            self._pips(face, values[face], seen, face == 0 and blank_top)

    def _face(self, face: int) -> None:
        look = self.look
        half = 0.5 - look.corner * (1 - look.flatness * 0.6)
        outline = self.on_face(face, _rounded_square(half, min(half * 0.8, max(0.03, look.corner * 1.1))))
        if look.clearness:
            under = self.patch.pixels.copy()
            self.patch.fill(outline, look.body * self.shade(face))
            share = look.clearness * 0.75
            self.patch.pixels[:] = cv2.addWeighted(under, share, self.patch.pixels, 1 - share, 0)
        else:
            self.patch.fill(outline, look.body * self.shade(face))
        rim = self.rng.uniform(0.36, 0.46)
        if look.disc is not None:
            self.patch.fill(self.on_face(face, _CIRCLE * rim), look.disc * self.shade(face))
        if look.ringed and face == 0:
            colour = look.pip * 0.5 + (look.body if look.disc is None else look.disc) * 0.5
            self._stroke(face, np.r_[_CIRCLE, _CIRCLE[:1]] * rim, colour, self.rng.uniform(0.01, 0.05))
        if look.engraved:
            self._engrave(face)

    def _stroke(self, face: int, path: Points, colour: Colour, width: float) -> None:
        """Draw a line `width` die edges wide along a path (n, 2) on a face."""
        points = np.round((self.on_face(face, path) - self.patch.origin) * 2**SUBPIXEL_BITS).astype(np.int32)
        thick = max(1, round(width * self.view.scale(self.pose.centre)))
        pixels = self.patch.pixels
        cv2.polylines(pixels, [points], False, np.clip(colour, 0, 255).tolist(), thick, cv2.LINE_AA, SUBPIXEL_BITS)

    def _engrave(self, face: int) -> None:
        """Scratch what casinos do into a face: a ring of letters, a row or two of them, or a curled sign."""
        rng, look = self.rng, self.look
        colour = look.pip * look.engraved + look.body * (1 - look.engraved)
        kind = rng.random()
        if kind < 0.3:
            reach, letters = rng.uniform(0.15, 0.27), int(rng.integers(8, 20))
            for angle in np.linspace(0, 2 * np.pi, letters, endpoint=False) + rng.uniform(0, 1):
                self._letter(face, reach * np.array([np.cos(angle), np.sin(angle)]), angle, colour, 0.06)
        elif kind < 0.65:
            turned, letters, size = float(rng.integers(4)) * np.pi / 2, int(rng.integers(3, 8)), rng.uniform(0.06, 0.13)
            along, up = np.array([np.cos(turned), np.sin(turned)]), np.array([-np.sin(turned), np.cos(turned)])
            for row in range(int(rng.integers(1, 3))):
                for k in range(letters):
                    place = along * (k - (letters - 1) / 2) * size * 0.85 + up * row * size * 1.2
                    self._letter(face, place, turned, colour, size)
        else:
            for _ in range(int(rng.integers(1, 4))):
                start, radii = rng.uniform(0, 2 * np.pi), rng.uniform(0.03, 0.16, 2)
                angles = start + np.linspace(0, rng.uniform(2, 6), 12)
                curl = np.c_[np.cos(angles) * radii[0], np.sin(angles) * radii[1]] + rng.uniform(-0.1, 0.1, 2)
                self._stroke(face, curl, colour, rng.uniform(0.015, 0.06))

    def _letter(self, face: int, place: Points, turned: float, colour: Colour, size: float) -> None:
        """Scratch two strokes that look like a letter of some size, in die edges."""
        spin = np.array([[np.cos(turned), np.sin(turned)], [-np.sin(turned), np.cos(turned)]])
        for _ in range(2):
            ends = self.rng.uniform(-0.5, 0.5, (2, 2)) * (0.6, 1) * size
            self._stroke(face, place + ends @ spin, colour, 0.02)

    def _pips(self, face: int, value: int, seen: bool, blank: bool) -> None:
        look, shade = self.look, self.shade(face)
        radius = look.one_radius if value == 1 else look.pip_radius
        colour = {1: look.one, 4: look.four}.get(value, look.pip)
        depth = 0.5 if seen else 0.5 - 1 / _REFRACTIVE_INDEX
        if luma(colour) > 120:
            colour = colour * shade
        if not seen:
            # Far pips are seen through the body: in its colour, lighter or darker than the rest of it.
            through = look.body * (1.5 if luma(colour) > luma(look.body) else 0.45)
            colour = np.clip(look.body + (through - look.body) * look.clearness, 0, 255)
        places = _pip_places(self.rng, look, value)
        centres = self.on_face(face, places, depth)
        if face == 0:
            self.top_pips = centres
        if blank:
            return
        for place, centre in zip(places, centres, strict=True):
            rim = self.on_face(face, place + _CIRCLE * radius, depth)
            paint = colour
            if self.rng.random() < look.worn:
                lost = self.rng.uniform(0.4, 0.9)
                paint = colour + (look.body * shade - colour) * lost
                left = float(np.abs(paint - look.body * shade).max())
                self.faint |= face == 0 and (lost > _MOST_WORN or left < _FAINTEST)
            self.patch.fill(rim, paint)
            if seen:
                self._relief(centre, rim - centre, paint)

    def _relief(self, centre: Points, rim: Points, colour: Colour) -> None:
        """Add what a drilled pip shows when it is large enough: a lit lower wall and a glint."""
        size = float(np.abs(rim).max())
        if self.look.dished and size > 2:
            lit = colour * 0.8 + (20 if luma(colour) < 140 else 0)
            self.patch.fill(centre - self._light_sideways * size * 0.3 + rim * 0.6, lit)
        if self.look.glint and size > 2.5:
            spot = centre + self._light_sideways * size * 0.45
            self.patch.fill(spot + _CIRCLE * max(0.5, size * 0.28), colour * 0.35 + 0.65 * self.lamp.glint)


def _window(picture: Picture, *outlines: Points, margin: float) -> _Patch | None:
    """Return the window of a picture round some outlines, or None where hardly any of it is inside."""
    points = np.concatenate(outlines)
    height, width = picture.shape[:2]
    left, top = np.maximum(np.floor(points.min(0) - margin), 0).astype(int)
    right, bottom = np.minimum(np.ceil(points.max(0) + margin), (width, height)).astype(int)
    if right - left < 4 or bottom - top < 4:
        return None
    return _Patch(picture[top:bottom, left:right], np.array([left, top], float))


def _painted(
    seed: int, window: _Patch, outline: Points, view: View, pose: Pose, look: DieLook, lamp: Light, blank_top: bool
) -> _Painter:
    """Paint a die into a copy of a window."""
    layer = _Patch(window.pixels.copy(), window.origin)
    layer.fill(outline, look.body * lamp.edge)
    painter = _Painter(np.random.default_rng(seed), view, pose, look, lamp, layer)
    painter.paint(blank_top)
    return painter


def draw_die(
    rng: np.random.Generator,
    picture: Picture,
    view: View,
    pose: Pose,
    look: DieLook,
    lamp: Light,
    blank_top: bool = False,
) -> DrawnDie | None:
    """Draw a die with its shadow into `picture` (BGR, in place).

    Returns None, with nothing drawn, where the die lies outside the picture.
    """
    face_px = view.scale(pose.centre + pose.rotation[:, 2] * 0.5)
    corners = _corners(pose, look.corner)
    outline = _outline(view.project(corners), look.corner * face_px)
    fallen = corners - lamp.direction * (corners[:, 2:] / lamp.direction[2])
    shadow = _outline(view.project(fallen), look.corner * face_px)
    window = _window(picture, outline, margin=2)
    shaded = _window(picture, outline, shadow, margin=0.3 * face_px)
    if window is None or shaded is None:
        return None
    if lamp.shadow:
        dark = cv2.GaussianBlur(shaded.mask(shadow), (0, 0), max(0.6, lamp.shadow_blur * face_px))
        shaded.pixels[:] = (shaded.pixels * (1 - lamp.shadow * dark[..., None])).astype(np.uint8)
    seed = int(rng.integers(2**32))  # both colours of a die get the same pips
    painter = _painted(seed, window, outline, view, pose, look, lamp, blank_top)
    pixels = painter.patch.pixels
    if look.second is not None:
        other = _painted(seed, window, outline, view, pose, replace(look, body=look.second), lamp, blank_top)
        where = texture(rng, pixels.shape[0], pixels.shape[1], 1, [(face_px * 0.45, 1.5), (face_px * 0.2, 0.5)])
        share = np.clip(where + 0.5, 0, 1)
        pixels = (pixels * (1 - share) + other.patch.pixels * share).astype(np.uint8)
    centre = painter.on_face(0, np.zeros((1, 2)))[0]
    if lamp.softness * face_px > 0.35:
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), lamp.softness * face_px), np.uint8)
    if look.marble:
        height, width = pixels.shape[:2]
        veins = texture(rng, height, width, int(rng.choice([1, 3])), [(face_px * 0.25, look.marble)])
        pixels = np.clip(pixels * (1 + veins), 0, 255).astype(np.uint8)
    if rng.random() < lamp.glare:
        add_glare(rng, pixels, centre - window.origin, face_px)
    if rng.random() < lamp.veil:
        add_veil(rng, pixels, centre - window.origin, face_px)
    if rng.random() < lamp.streaks:
        add_streaks(rng, pixels, centre - window.origin, face_px)
    cover = window.mask(outline)[..., None]
    window.pixels[:] = (window.pixels * (1 - cover) + pixels * cover).astype(np.uint8)
    sides = [painter.on_face(i, np.zeros((1, 2)))[0] for i in range(2, 6) if painter.facing(i) > _SIDE_SEEN]
    return DrawnDie(centre, face_px, painter.top_pips, np.array(sides).reshape(-1, 2), painter.faint)
