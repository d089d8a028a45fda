"""What is in one frame: die-like things, a body, motion that no die explains.

Everything but stillness and reading happens in the working picture: the tray and a margin around it, shrunk until a
die's face is 18 px.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from scorer.events import ViewFault
from vision.bare import Bare
from vision.before import Before
from vision.cast import Cast
from vision.empty import SQUARE, Difference, EmptyTray, hues
from vision.geometry import Points, TrayGeometry
from vision.hand import PUNCH, Body, BodyFinder, Disc, grown, punch
from vision.health import Verdict, ViewHealth
from vision.locate import locate
from vision.network import LOCATOR_FACE_PX, Networks
from vision.reference import Surroundings
from vision.rest import SLACK_S, Past, is_still, past
from vision.shift import Matrix, carried
from vision.source import Frame
from vision.stray import SMEAR, Beyond
from vision.track import DIE_HEAT, FLYING_HEAT, Sighting
from vision.window import Window

Image = npt.NDArray[np.uint8]

SIZES = (0.55, 1.7)
"""Things smaller or larger than these multiples of the face expected at their place are no dice."""
MOVING = 0.3
"""Die areas of unexplained motion on the floor that forbid to speak of rest."""
MOVING_EDGE = 20
"""Levels by which an edge changes when something moves; soft shadows that pass change less."""
MOVING_LAG_S = 0.1
CHANGED = 6
"""Levels: a working picture that differs less from the last one located in shows the same things."""
ANEW_S = 0.25
"""A picture that does not change is looked at anew so often: what moves very slowly, and slow changes of the light."""
REPEATED = 50
"""Levels by which a working picture differs from the one before where something moves: one that is the same to the last
pixel afterwards is that picture again, sent twice by a camera or a network that stalls. Codecs repeat pictures where
nothing moves: of 1540 such in 68 films the picture repeated had changed by 36 at most, and by 130 where a film
stalls, in a trial that no command repeats."""
IDLE_FACES = 0.2
"""Die areas of moving edges that are not worth sorting out."""
BESIDE_FACES = 1.5
TOUCHING_FACES = 1.0
HELD_SHARE = 0.35
"""Share of a die's surroundings from which the hand around it holds it."""
CORE_FACES, COVERED = 0.3, 0.5
"""Half edge, in faces, of the middle of a die, and the share of it that differs from the empty tray where one lies: .92
and more at four drawn dice, .12 at most one face aside of others where none lay, in a trial that no command repeats."""
SIDE_PX = 2
"""Px of the working picture along its border by which a body reaches in."""
JUST_S = 0.19
"""A hand was there just now if it was so long ago."""
KEEP_S = 0.8
"""How long pictures are kept: until it is sure that nothing moves, and what was before that, or before a shadow that
passed meanwhile."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One frame, seen: things that may be dice (px of the picture), and what else there is.

    picture: the whole picture, grey. moving: die areas of the floor where edges move and no thing is. stray: whether
    something flies past beyond the floor, be it one of the things or not: their tracks may begin there.
    """

    frame: Frame
    picture: Past
    sightings: tuple[Sighting, ...]
    body: Body
    moving: float
    stray: bool = False


class Perception:
    """Sees frame after frame; keeps the last pictures and that of the empty tray."""

    def __init__(self, networks: Networks, geometry: TrayGeometry, empty: Image | None = None) -> None:
        """`empty`: grey picture (h, w) of the empty tray, if there is one; else it is learned."""
        self._networks = networks
        self._geometry = geometry
        self._window = Window(geometry)
        self._bare = _spread(geometry.outline)
        self._bodies = BodyFinder(self._window.floor, LOCATOR_FACE_PX)
        self._beyond = Beyond(self._window.floor, LOCATOR_FACE_PX)
        self._seen_bare = Bare(self._window.floor.shape, LOCATOR_FACE_PX)
        self.empty = EmptyTray(self._window.shrink(past(0.0, empty, geometry.die_px))) if empty is not None else None
        self.recent: deque[Past] = deque()
        self._steadying: list[Past] = []
        self._smalls: deque[tuple[float, Image]] = deque()
        self._masks: deque[npt.NDArray[np.bool_]] = deque()
        self._located: tuple[Image, list[Sighting]] | None = None
        self._body = Body(self._window.floor > 1, 0.0)
        self._difference: Difference | None = None
        self._quiet: tuple[Image, Scene] | None = None
        self._unchanged = 0
        self._came: tuple[Image, Image] | None = None
        self._moved = self._repeated = False
        self._before, self._cast = Before(self._window.floor.shape), Cast()
        self._health = ViewHealth(self._window.floor)

    def check(self, frame: Frame) -> list[Verdict]:
        """What the next frame says of the view; where it is not `trusted` then, nothing may be read from the frame."""
        width, height = self._geometry.size
        self._repeated = False
        if not frame.sound or frame.image.shape != (height, width, 3):
            verdicts = self._health.broken(frame.t, frame.index)
            if not self.passes_over:
                self._forget()
            return verdicts
        grey: Image = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8)
        picture = past(frame.t, grey, self._geometry.die_px, frame.index)
        small = self._window.shrink(picture)
        self._repeated = self._is_repeated(grey, small)
        if self._repeated:
            return self._stopped(self._health.repeated(frame.t, frame.index))
        if self._is_unchanged(frame.t, small):
            self._unchanged += 1
            self._health.unchanged(frame.t, frame.index)
            self._remember(picture, small)
            return []
        self._quiet = None
        found = self._health.step(frame.t, frame.index, self._window.blocks(grey), small, self._around)
        if self.passes_over:
            return []
        verdicts = [self._in_picture(verdict) for verdict in found]
        for verdict in verdicts:
            if verdict.lost:
                self.empty = self._before.lost(verdict.t, verdict.cause, self.empty)
                if verdict.cause == "light_changed":
                    self._cast.came(verdict.t, small)
                else:
                    self._cast.forget()
            elif verdict.shift is not None:
                small = self._move(verdict.shift, picture)
            elif self.empty is not None and verdict.cause == "light_changed":
                self.empty = self._before.relit(frame.t, self.empty, small, self._hues(frame.image, small))
        sound = self.trusted or self._health.recovering
        if not sound or any(verdict.lost or verdict.shift is not None for verdict in verdicts):
            self._forget()
        if sound:
            self._remember(picture, small if self.trusted else None)
        elif self._health.steadying:
            self._steadying.append(picture)
        else:
            self._steadying = []
        return verdicts

    def _is_repeated(self, grey: Image, small: Image) -> bool:
        """Whether a picture is the last one again, in which something moved: no camera sees the same twice."""
        if self._came is not None and np.array_equal(small, self._came[1]) and np.array_equal(grey, self._came[0]):
            return self._moved  # the small pictures nearly always differ, and cost next to nothing to compare
        self._moved = self._came is not None and int(cv2.absdiff(small, self._came[1]).max()) > REPEATED
        self._came = grey, small
        return False

    def _stopped(self, verdicts: list[Verdict]) -> list[Verdict]:
        """The same picture keeps coming: what is known of the tray is that of before, and nothing of what moves."""
        for verdict in verdicts:
            self.empty = self._before.lost(verdict.t, verdict.cause, self.empty)
            self._cast.forget()
            self._forget()
            self._quiet = None
        return verdicts

    def step(self, frame: Frame) -> Scene:
        """What is in this frame, which was checked and can be trusted."""
        picture, (_, small) = self.recent[-1], self._smalls[-1]
        if self._quiet is not None:
            self._masks.append(self._body.mask)
            return replace(self._quiet[1], frame=frame, picture=picture)
        things = self._locate(small)
        hue = self._hues(frame.image, small)
        self.empty = self.empty or EmptyTray(small, hue)
        dice = [self._disc(thing) for thing in things]
        self._difference = difference = self._compare(self.empty, small, hue, dice)
        earlier = self._earlier(frame.t)
        change = np.asarray(cv2.absdiff(small, earlier), np.uint8)
        learn = not self._body.mask.any()
        self._body = self._bodies.find(frame.t, difference, self.empty, dice, change, learn)
        if self._body.area == 0:
            self.empty.follow(difference, self._unchanged + 1)
        self._unchanged = 0
        self._seen_bare.note(frame.t, self._body.mask | self._strange(difference, things))
        self._before.keep(frame.t, self.empty, self._body.mask)
        self._cast.note(frame.t, difference.mask)
        seen = [s for s in (self._sight(thing) for thing in things) if s is not None]
        self._masks.append(self._body.mask)
        stray = self._has_stray(difference, self.empty, seen)
        scene = Scene(frame, picture, tuple(seen), self._body, self._motion(small, earlier, dice), stray)
        self._quiet = (small, scene) if self._is_quiet(scene) else None
        return scene

    def _strange(self, difference: Difference, things: Sequence[Sighting]) -> npt.NDArray[np.bool_]:
        """Where (h, w) something is that the empty tray has not. A die in a deep shadow may be as bright as the bare
        floor: it is seen for what it is, or by its hue."""
        covered = difference.mask.copy() if difference.tint is None else difference.mask | difference.tint
        for disc in (self._disc(thing) for thing in things if thing.heat >= FLYING_HEAT):
            cv2.circle(covered, (round(disc.x), round(disc.y)), round(disc.size / 2), 1, -1)
        return covered > 0

    def _has_stray(self, difference: Difference, empty: EmptyTray, seen: Sequence[Sighting]) -> bool:
        """Whether something flies past beyond the floor, as far as this picture tells, in which these things are
        seen."""
        moving = [thing for thing in seen if not thing.still]
        if difference.tint is None or not moving:
            return False
        still = [self._disc(thing) for thing in seen if thing.still]
        inside = [self._disc(s) for s in moving if s.heat >= FLYING_HEAT and not s.outside]
        leaving = [self._disc(s) for s in moving if s.outside and not s.near_body]
        crossing = [self._disc(s) for s in moving if self._may_cross(s)]
        faint = empty.faint(difference) if leaving or crossing else None
        if self._beyond.has_stray(difference.tint, [*still, *inside], self._masks, faint, leaving):
            return True
        return faint is not None and self._beyond.is_crossed(difference.tint, faint, still, self._masks, crossing)

    def _may_cross(self, thing: Sighting) -> bool:
        """Whether this may be a die that flies over the floor, so near its edge that its smear may reach beyond."""
        flies = thing.heat >= FLYING_HEAT and not (thing.still or thing.outside or thing.near_body)
        return flies and thing.beyond > -SMEAR

    def _compare(
        self, empty: EmptyTray, small: Image, hue: npt.NDArray[np.float32], dice: Sequence[Disc]
    ) -> Difference:
        """What differs from the empty tray, which is learned to lie in the shadows that another light has brought."""
        difference = empty.compare(small, hue)
        if not self._cast.knows:
            return difference
        bare = difference.mask.copy()
        punch(bare, dice)
        shadows = self._cast.shadows(small, bare)
        if not shadows.any():
            return difference
        empty.learn(shadows, difference)
        return empty.compare(small, hue)

    def _is_quiet(self, scene: Scene) -> bool:
        """Whether nothing moves in this scene, nor did just now."""
        calm = scene.moving < IDLE_FACES and all(thing.still for thing in scene.sightings)
        return calm and not any(mask.any() for mask in self._masks)

    def _is_unchanged(self, t: float, small: Image) -> bool:
        """Whether a picture shows what the last did that was looked at: nothing that moves."""
        if self._quiet is None or not (self.trusted and 0 < t - self._quiet[1].frame.t < ANEW_S):
            return False
        return int(cv2.absdiff(small, self._quiet[0]).max()) <= CHANGED

    @property
    def geometry(self) -> TrayGeometry:
        """Where the tray lies now: a push shifts it."""
        return self._geometry

    @property
    def trusted(self) -> bool:
        """Whether the view is sound, and nothing suggests that it will not be."""
        return self._health.trusted and not self._repeated

    @property
    def passes_over(self) -> bool:
        """Whether the last frame, which was no picture or the one before again, is to be taken as one that did not
        come."""
        return self._repeated or self._health.passes_over

    def lately(self) -> list[Past]:
        """The last pictures, oldest first, with those of a camera that had just swung back: not yet to be trusted, but
        they tell since when things lie."""
        return [*self._steadying, *self.recent]

    @property
    def fault(self) -> ViewFault | None:
        """Why the view is not sound, once that is sure."""
        return self._health.fault

    def body_outlines(self) -> list[Points]:
        """Outlines (n, 2), px of the picture, of the body of the last frame."""
        mask = self._body.mask.astype(np.uint8)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        corner = (self._window.left, self._window.top)
        return [(c.reshape(-1, 2) + 0.5) / self._window.scale + corner for c in contours]

    @property
    def hidden(self) -> float:
        """Share of the floor that the last frame's body hides."""
        floor = self._window.floor > 0
        return float(self._body.mask[floor].mean())

    @property
    def arm(self) -> tuple[float, float] | None:
        """Where the last frame's body, what of it is over the floor, reaches in over what is watched's border, px; None
        where it does not."""
        body = self._body.mask
        sides = _sides(grown(body & (self._window.floor > 0), body.astype(np.uint8)))
        places = np.concatenate([np.argwhere(side) + np.array(corner) for corner, side in sides])
        if len(places) == 0:
            return None
        y, x = places.mean(axis=0).tolist()
        return self._window.to_picture(x, y)

    @property
    def _around(self) -> Surroundings:
        """What the last frame that could be trusted showed beside the tray."""
        dice: Image = np.zeros_like(self._window.floor)
        for thing in self._located[1] if self._located else ():
            disc = self._disc(thing)
            cv2.circle(dice, (round(disc.x), round(disc.y)), round(PUNCH * disc.size), 1, -1)
        return Surroundings(dice, body=self._body.area > 0, arm=any(part.any() for _, part in _sides(self._body.mask)))

    def _forget(self) -> None:
        """Nothing that was seen before says anything of what moves now."""
        self.recent.clear()
        self._smalls.clear()
        self._masks.clear()

    def _in_picture(self, verdict: Verdict) -> Verdict:
        """The verdict with its shift in px of the whole picture."""
        if verdict.shift is None:
            return verdict
        to_working = self._window.matrix
        shift = np.linalg.inv(to_working) @ np.vstack([verdict.shift, [0, 0, 1]]) @ to_working
        return replace(verdict, shift=shift[:2])

    def _move(self, shift: Matrix, picture: Past) -> Image:
        """Look for the tray where it lies now, by the map of places in the picture; the new working picture."""
        before = self._window
        self._geometry = self._geometry.moved(shift)
        self._window = Window(self._geometry)
        self._bare = _spread(self._geometry.outline)
        self._bodies = BodyFinder(self._window.floor, LOCATOR_FACE_PX)
        self._beyond = Beyond(self._window.floor, LOCATOR_FACE_PX)
        self._seen_bare = Bare(self._window.floor.shape, LOCATOR_FACE_PX)
        small = self._window.shrink(picture)
        way = self._window.matrix @ np.vstack([shift, [0, 0, 1]]) @ np.linalg.inv(before.matrix)
        self._before, self._cast = Before(self._window.floor.shape), Cast()
        if self.empty is not None:
            self.empty = EmptyTray(carried(self.empty.picture, way, small))
        self._health.moved(self._window.floor, way, small)
        self._came = None
        self._located, self._body = None, Body(self._window.floor > 1, 0.0)
        return small

    @property
    def gain(self) -> float:
        """How much brighter the last frame was exposed than the empty tray (1 = alike)."""
        return self._difference.gain if self._difference is not None else 1.0

    def look_at(self, x: float, y: float) -> Sighting | None:
        """What would be known of a die at a place, px, where none was located; None where a hand would hold it."""
        return self._sight(Sighting(x, y, self._geometry.face_px(x, y), DIE_HEAT, still=False, near_body=False))

    def is_new(self, thing: Sighting) -> bool:
        """Whether something differs from the empty tray where this thing is."""
        assert self._difference is not None
        return self._share(self._difference.mask, thing, 0.5) > 0.08

    def is_covered(self, thing: Sighting) -> bool:
        """Whether something lies right there, and not but its shadow or side reaches there from beside."""
        assert self._difference is not None
        return self._share(self._difference.mask, thing, CORE_FACES) > COVERED

    def touched(self, x: float, y: float) -> bool:
        """Whether the body of this frame covers or touches a place."""
        return self._share(self._body.mask, (x, y), 0.8) > 0.02

    def last_bare(self, x: float, y: float) -> float:
        """When a place, px of the picture, was last seen bare, s; minus infinity if never."""
        return self._seen_bare.last(*self._window.to_working(x, y))

    def _hues(self, image: Image, small: Image) -> npt.NDArray[np.float32]:
        """The hues of the working picture."""
        return hues(np.asarray(cv2.resize(self._window.cut(image), small.shape[::-1]), np.uint8))

    def _disc(self, thing: Sighting) -> Disc:
        """The thing in the working picture, never smaller than a die."""
        x, y = self._window.to_working(thing.x, thing.y)
        size = max(LOCATOR_FACE_PX, thing.size * self._window.scale)
        return Disc(x, y, size, plain=thing.heat >= DIE_HEAT)

    def _remember(self, picture: Past, small: Image | None) -> None:
        """Keep a picture; its working picture too where something is to be read from it."""
        if self._steadying and picture.t - self._steadying[-1].t > KEEP_S:
            self._steadying = []
        self.recent.append(picture)
        while len(self.recent) > 3 and picture.t - self.recent[1].t > KEEP_S:
            self.recent.popleft()
        if small is None:
            return
        self._smalls.append((picture.t, small))
        while len(self._smalls) > 3 and picture.t - self._smalls[1][0] > JUST_S:
            self._smalls.popleft()
            self._masks.popleft()

    def _locate(self, small: Image) -> list[Sighting]:
        """Things in the working picture, in px of the picture; not looked for again while it does not change."""
        if self._located is not None and int(cv2.absdiff(small, self._located[0]).max()) <= CHANGED:
            return self._located[1]
        things = []
        for found in locate(self._networks, small, LOCATOR_FACE_PX):
            x, y = self._window.to_picture(found.x, found.y)
            size = found.size / self._window.scale
            width, height = self._geometry.size
            seen = 0 <= x < width and 0 <= y < height  # the working picture shows some more, blank, at its edges
            if seen and SIZES[0] < size / self._geometry.face_px(x, y) < SIZES[1]:
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
        beyond = -self._geometry.inside(thing.x, thing.y)
        return Sighting(thing.x, thing.y, thing.size, thing.heat, still, near, uncovered, held, beyond)

    def _share(self, mask: npt.NDArray[np.generic], thing: Sighting | tuple[float, float], faces: float) -> float:
        """Share of a square of half edge `faces` around a thing that the mask covers."""
        x, y = (thing.x, thing.y) if isinstance(thing, Sighting) else thing
        cx, cy = self._window.to_working(x, y)
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
        moved = (cv2.absdiff(now, then) > MOVING_EDGE).astype(np.uint8) & self._window.floor
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


def _sides(body: npt.NDArray[np.bool_]) -> list[tuple[tuple[int, int], npt.NDArray[np.bool_]]]:
    """A body (h, w) along each side of what is watched: row and column where a part begins, and it."""
    height, width = body.shape
    return [
        ((0, 0), body[:SIDE_PX]),
        ((height - SIDE_PX, 0), body[-SIDE_PX:]),
        ((0, 0), body[:, :SIDE_PX]),
        ((0, width - SIDE_PX), body[:, -SIDE_PX:]),
    ]
