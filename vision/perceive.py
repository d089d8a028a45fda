"""What is in one frame: die-like things, a body, motion that no die explains.

Everything but stillness and reading happens in the working picture: the tray and a margin around it, shrunk until a
die's face is 18 px.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from scorer.events import ViewFault
from vision.empty import SQUARE, Difference, EmptyTray, hues
from vision.geometry import Points, TrayGeometry
from vision.hand import PUNCH, Body, BodyFinder, Disc, punch
from vision.health import Verdict, ViewHealth
from vision.locate import locate, working_picture
from vision.network import LOCATOR_FACE_PX, Networks
from vision.rest import SLACK_S, Past, is_still, past
from vision.source import Frame
from vision.track import Sighting

Image = npt.NDArray[np.uint8]

MARGIN_FACES = 8.0
"""Seen around the floor: dice on the rim or well beside the tray, and hands on their way in."""
SIZES = (0.55, 1.7)
"""Things smaller or larger than these multiples of the face expected at their place are no dice."""
MOVING = 0.3
"""Die areas of unexplained motion on the floor that forbid to speak of rest."""
NEW_LIGHT_S = 1.0
"""Another light that stays for so long is the light from now on."""
MOVING_EDGE = 20
"""Levels by which an edge changes when something moves; soft shadows that pass change less."""
MOVING_LAG_S = 0.1
CHANGED = 6
"""Levels: a working picture that differs less from the last one located in shows the same things."""
IDLE_FACES = 0.2
"""Die areas of moving edges that are not worth sorting out."""
BESIDE_FACES = 1.5
TOUCHING_FACES = 1.0
HELD_SHARE = 0.35
"""Share of a die's surroundings from which the hand around it holds it."""
JUST_S = 0.19
"""A hand was there just now if it was so long ago."""
KEEP_S = 0.4
"""How long pictures are kept: until it is sure that nothing moves, and the little it moved before that."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One frame, seen: things that may be dice (px of the picture), and what else there is.

    picture: the whole picture, grey. moving: die areas of the floor where edges move and no thing is. verdicts: faults
    of the view that began or ended.
    """

    frame: Frame
    picture: Past
    sightings: tuple[Sighting, ...]
    body: Body
    moving: float
    verdicts: tuple[Verdict, ...]


class Perception:
    """Sees frame after frame; keeps the last 0.2 s and the picture of the empty tray."""

    def __init__(self, networks: Networks, geometry: TrayGeometry, empty: Image | None = None) -> None:
        """`empty`: grey picture (h, w) of the empty tray, if there is one; else it is learned."""
        self._networks = networks
        self._geometry = geometry
        margin = MARGIN_FACES * geometry.die_px
        width, height = geometry.size
        left, top = np.floor(geometry.outline.min(0) - margin).astype(int).tolist()
        right, bottom = np.ceil(geometry.outline.max(0) + margin).astype(int).tolist()
        self._left, self._top = max(0, left), max(0, top)
        self._region = (slice(self._top, min(height, bottom)), slice(self._left, min(width, right)))
        blank = self._shrink(past(0.0, np.zeros(geometry.size[::-1], np.uint8), geometry.die_px))
        self._scale = blank.shape[1] / (self._region[1].stop - self._region[1].start)
        corners = np.round(self._to_working(geometry.outline)).astype(np.int32)
        self._floor: Image = np.asarray(cv2.fillPoly(blank, [corners], 1), np.uint8)
        self._bare = _spread(geometry.outline)
        self._bodies = BodyFinder(self._floor, LOCATOR_FACE_PX)
        self.empty = EmptyTray(self._shrink(past(0.0, empty, geometry.die_px))) if empty is not None else None
        self.recent: deque[Past] = deque()
        self._smalls: deque[tuple[float, Image]] = deque()
        self._masks: deque[npt.NDArray[np.bool_]] = deque()
        self._located: tuple[Image, list[Sighting]] | None = None
        self._body = Body(self._floor > 1, 0.0)
        self._difference: Difference | None = None
        self._health = ViewHealth(LOCATOR_FACE_PX)
        self._new_light: float | None = None
        self._quiet = True

    def step(self, frame: Frame) -> Scene:
        """What is in the next frame."""
        grey: Image = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8)
        picture = past(frame.t, grey, self._geometry.die_px, frame.index)
        small = self._shrink(picture)
        hue = self._hues(frame.image, small)
        self.empty = self.empty or EmptyTray(small, hue)
        self._remember(picture, small)
        things = self._locate(small)
        difference = self.empty.compare(small, hue)
        verdicts = self._check(frame, small, difference)
        if not self.trusted:
            self.recent.clear()
            self.recent.append(picture)
        dice = [self._disc(thing) for thing in things]
        self._difference = difference
        earlier = self._earlier(frame.t)
        change = np.asarray(cv2.absdiff(small, earlier), np.uint8)
        self._body = self._bodies.find(
            difference, self.empty, dice, change, learn=self.trusted and not self._body.mask.any()
        )
        if self._body.area == 0 and self.trusted:
            self.empty.follow(difference)
        seen = [s for s in (self._sight(thing) for thing in things) if s is not None]
        self._masks.append(self._body.mask)
        moving = self._motion(small, earlier, dice)
        self._quiet = moving < MOVING and self._body.area == 0
        return Scene(frame, picture, tuple(seen), self._body, moving, tuple(verdicts))

    @property
    def trusted(self) -> bool:
        """Whether the view is sound, and nothing suggests that it will not be."""
        return self._health.trusted

    @property
    def fault(self) -> ViewFault | None:
        """Why the view is not sound, once that is sure."""
        return self._health.fault

    def body_outlines(self) -> list[Points]:
        """Outlines (n, 2), px of the picture, of the body of the last frame."""
        mask = self._body.mask.astype(np.uint8)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        return [(c.reshape(-1, 2) + 0.5) / self._scale + (self._left, self._top) for c in contours]

    def _check(self, frame: Frame, small: Image, difference: Difference) -> list[Verdict]:
        """Whether the view is sound; a new light that stays is the light from then on."""
        assert self.empty is not None
        verdicts = self._health.step(frame.t, frame.index, small, self.empty.picture, difference.gain, self._quiet)
        for verdict in verdicts:
            self._new_light = verdict.t if verdict.lost and verdict.cause == "light_changed" else None
        if self._new_light is not None and frame.t - self._new_light >= NEW_LIGHT_S:
            self.empty = EmptyTray(small, difference.hue)
        return verdicts

    @property
    def gain(self) -> float:
        """How much brighter the last frame was exposed than the empty tray (1 = alike)."""
        return self._difference.gain if self._difference is not None else 1.0

    def is_new(self, thing: Sighting) -> bool:
        """Whether something differs from the empty tray where this thing is."""
        assert self._difference is not None
        return self._share(self._difference.mask, thing, 0.5) > 0.08

    def touched(self, x: float, y: float) -> bool:
        """Whether the body of this frame covers or touches a place."""
        return self._share(self._body.mask, (x, y), 0.8) > 0.02

    def _shrink(self, picture: Past) -> Image:
        """The tray and its margin with faces of 18 px."""
        rows, columns = (slice(round(s.start * picture.scale), round(s.stop * picture.scale)) for s in self._region)
        return working_picture(picture.grey[rows, columns], self._geometry.die_px * picture.scale)

    def _hues(self, image: Image, small: Image) -> npt.NDArray[np.float32]:
        """The hues of the working picture."""
        return hues(np.asarray(cv2.resize(image[self._region], small.shape[::-1]), np.uint8))

    def _to_working(self, points: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        return np.asarray((points - (self._left, self._top)) * self._scale, np.float32)

    def _disc(self, thing: Sighting) -> Disc:
        """The thing in the working picture, never smaller than a die."""
        x, y = (thing.x - self._left) * self._scale, (thing.y - self._top) * self._scale
        return Disc(x, y, max(LOCATOR_FACE_PX, thing.size * self._scale))

    def _remember(self, picture: Past, small: Image) -> None:
        t = picture.t
        self.recent.append(picture)
        self._smalls.append((t, small))
        while len(self.recent) > 3 and t - self.recent[1].t > KEEP_S:
            self.recent.popleft()
        while len(self._smalls) > 3 and t - self._smalls[1][0] > JUST_S:
            self._smalls.popleft()
            self._masks.popleft()

    def _locate(self, small: Image) -> list[Sighting]:
        """Things in the working picture, in px of the picture; not looked for again while it does not change."""
        if self._located is not None and int(cv2.absdiff(small, self._located[0]).max()) <= CHANGED:
            return self._located[1]
        things = []
        for found in locate(self._networks, small, LOCATOR_FACE_PX):
            x, y = found.x / self._scale + self._left, found.y / self._scale + self._top
            size = found.size / self._scale
            if SIZES[0] < size / self._geometry.face_px(x, y) < SIZES[1]:
                things.append(Sighting(x, y, size, found.heat, still=False, near_body=False))
        self._located = (small, things)
        return things

    def _sight(self, thing: Sighting) -> Sighting | None:
        """The thing with what is known of its motion and neighbourhood; None where a hand holds it."""
        if self._share(self._body.mask, thing, PUNCH + 0.35) > HELD_SHARE:
            return None
        near = self._share(self._body.mask, thing, BESIDE_FACES) > 0
        face = self._geometry.face_px(thing.x, thing.y)
        still = is_still(self.recent, thing.x, thing.y, face, self._bare)
        held = near and self._share(self._body.mask, thing, TOUCHING_FACES) > 0
        uncovered = any(self._share(mask, thing, 0.5) > 0 for mask in self._masks)
        return Sighting(thing.x, thing.y, thing.size, thing.heat, still, near, uncovered, held)

    def _share(self, mask: npt.NDArray[np.generic], thing: Sighting | tuple[float, float], faces: float) -> float:
        """Share of a square of half edge `faces` around a thing that the mask covers."""
        x, y = (thing.x, thing.y) if isinstance(thing, Sighting) else thing
        cx, cy = (x - self._left) * self._scale, (y - self._top) * self._scale
        reach = faces * LOCATOR_FACE_PX
        part = mask[
            max(0, int(cy - reach)) : max(0, int(cy + reach)), max(0, int(cx - reach)) : max(0, int(cx + reach))
        ]
        return float(np.count_nonzero(part)) / part.size if part.size else 0.0

    def _earlier(self, t: float) -> Image:
        """The working picture of 100 ms ago, or the oldest there is."""
        old_enough = (small for then, small in reversed(self._smalls) if t - then >= MOVING_LAG_S - SLACK_S)
        return next(old_enough, self._smalls[0][1])

    def _motion(self, small: Image, earlier: Image, dice: Sequence[Disc]) -> float:
        """Die areas of the largest piece of floor where edges moved within 100 ms and no thing is."""
        now, then = (cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, SQUARE) for picture in (small, earlier))
        moved = (cv2.absdiff(now, then) > MOVING_EDGE).astype(np.uint8) & self._floor
        for mask in self._masks:  # where a hand has just been, its leaving is the motion
            moved[mask] = 0
        if (pixels := cv2.countNonZero(moved)) < IDLE_FACES * LOCATOR_FACE_PX**2:
            return pixels / LOCATOR_FACE_PX**2
        moved = np.asarray(cv2.morphologyEx(moved, cv2.MORPH_CLOSE, SQUARE), np.uint8)
        punch(moved, dice)
        stats = cv2.connectedComponentsWithStats(moved, connectivity=8)[2]
        return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0)) / LOCATOR_FACE_PX**2


def _spread(outline: npt.NDArray[np.float32]) -> list[tuple[float, float]]:
    """Nine places spread over the floor, px: dice and hands cover few of them at once."""
    middle = outline.mean(0)
    edge = np.stack([outline, (outline + np.roll(outline, -1, axis=0)) / 2], axis=1).reshape(-1, 2)
    around = edge[np.linspace(0, len(edge), 8, endpoint=False).astype(int)]
    places = [middle, *(middle + (around - middle) * 0.6)]
    return [(float(x), float(y)) for x, y in places]
