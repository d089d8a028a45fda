"""What is in one frame: die-like things, a body, motion that no die explains.

Everything but stillness and reading happens in the working picture: the tray and a margin around it, shrunk until a
die's face is 18 px.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from scorer.events import ViewFault
from vision.bare import Bare
from vision.border import arm, reaches_in
from vision.empty import Difference
from vision.geometry import Points, TrayGeometry
from vision.hand import PUNCH, TOUCH, TOUCH_FACES, Body, BodyFinder
from vision.health import Verdict, ViewHealth
from vision.known_tray import KnownTray
from vision.lately import Lately
from vision.light import NEAR_BLACK
from vision.locate import locate
from vision.motion import IDLE_FACES, motion
from vision.network import LOCATOR_FACE_PX, Networks
from vision.pieces import pieces
from vision.reference import Surroundings
from vision.repeated import Repeats
from vision.rest import Past, floor_places, is_still, likeness, past
from vision.shift import Matrix
from vision.source import Frame
from vision.stray import Beyond
from vision.track import DIE_HEAT, FLYING_HEAT, Sighting
from vision.window import Window

Image = npt.NDArray[np.uint8]

SIZES = (0.55, 1.7)
"""Things smaller or larger than these multiples of the face expected at their place are no dice."""
CHANGED, OVER_PX = 3, 5
"""Levels: a working picture that differs no more from the last one located in, over squares of so many px, shows the
same things. Of a camera's noise, up to 10 levels at a single place, that leaves 3 in good light, in a trial that no
command repeats."""
ANEW_S = 0.25
"""A picture that does not change is looked at anew so often: what moves very slowly, and slow changes of the light."""
BESIDE_FACES = 1.5
TOUCHING_FACES = 1.0
HELD_SHARE = 0.35
"""Share of a die's surroundings from which the hand around it holds it."""
AWAY_FACES, DIE_AREAS = 0.8, (0.5, 2.0)
"""Faces about a die within which what differs is its own, and die areas of what may be one: chosen, with its shadow."""
FLOOR_SHOWS = 0.6
"""How like the empty tray a place looks, but for brightness and contrast, where nothing lies and its pattern is lit
otherwise, or another's side or shadow reaches in: .65 and more at eight such places of three films, at drawn dice of
twelve films .47 at most, in a trial that no command repeats."""
DARKEST = 0.5
"""Share of its light that a shadow leaves a place at least, or what is dark there is a thing: chosen (as `empty.GAIN`).
"""
CORE_FACES, COVERED = 0.3, 0.5
"""Half edge, in faces, of the middle of a die, and the share of it that differs from the empty tray where one lies: .92
and more at four drawn dice, .12 at most one face aside of others where none lay, in a trial that no command repeats."""


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
        self._watch(geometry)
        shown = self._window.shrink(past(0.0, empty, geometry.die_px)) if empty is not None else None
        self._tray = KnownTray(self._window.floor.shape, shown)
        self._health = ViewHealth(self._window.floor)
        self._lately = Lately()
        self._difference: Difference | None = None
        self._quiet: tuple[Image, Scene] | None = None
        self._unchanged = 0
        self._repeated = False

    def _watch(self, geometry: TrayGeometry) -> None:
        """Look for the tray there; what is known of places in the working picture holds until it is pushed."""
        self._geometry, self._window = geometry, Window(geometry)
        self._places = floor_places(geometry.outline)
        floor = self._window.floor
        self._bodies = BodyFinder(floor, LOCATOR_FACE_PX)
        self._beyond = Beyond(floor, LOCATOR_FACE_PX)
        self._bare = Bare(floor.shape, LOCATOR_FACE_PX)
        self._repeats = Repeats()
        self._located: tuple[float, Image, list[Sighting]] | None = None
        self._body = Body(floor > 1, 0.0)

    def check(self, frame: Frame) -> list[Verdict]:
        """What the next frame says of the view; where it is not `trusted` then, nothing may be read from the frame."""
        width, height = self._geometry.size
        self._repeated = False
        if not frame.sound or frame.image.shape != (height, width, 3):
            verdicts = self._health.broken(frame.t, frame.index)
            if not self.passes_over:
                self._lately.lose_sight()
            return verdicts
        grey: Image = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8)
        picture = past(frame.t, grey, self._geometry.die_px, frame.index)
        small = self._window.shrink(picture)
        self._repeated = self._repeats.step(grey, small)
        if self._repeated:
            return self._stopped(self._health.repeated(frame.t, frame.index), small)
        if self._is_unchanged(frame.t, small):
            assert self._quiet is not None
            self._unchanged += 1
            self._health.unchanged(frame.t, frame.index)
            then = self._quiet[1].picture
            self._lately.keep(replace(picture, aside=then.aside, noise=then.noise), small)
            return []
        self._quiet = None
        found = self._health.step(frame.t, frame.index, self._window.blocks(grey), small, self._around)
        if self.passes_over:
            return []
        verdicts = [self._in_picture(verdict) for verdict in found]
        for verdict in verdicts:
            if verdict.lost:
                self._tray.lost(verdict.t, verdict.cause, small)
            elif verdict.shift is not None:
                small = self._move(verdict.shift, picture)
            elif verdict.cause == "light_changed":
                self._tray.relit(frame.t, small, self._window.hues(frame.image))
        sound = self.trusted or self._health.recovering
        if not (sound or self._health.steadying):
            self._lately.lose_sight()
        elif not sound or any(verdict.lost or verdict.shift is not None for verdict in verdicts):
            self._lately.forget()
        aside = self._health.aside(small)
        if aside is not None:
            picture = replace(picture, aside=(aside[0] / self._window.scale, aside[1] / self._window.scale))
        if sound:
            if self.trusted:
                self._lately.tell_noise(frame.t, self._places, self._geometry.die_px)
            self._lately.keep(replace(picture, noise=self._lately.noise), small if self.trusted else None)
        elif self._health.steadying:
            self._lately.keep_steadying(picture)
        return verdicts

    def _stopped(self, verdicts: list[Verdict], small: Image) -> list[Verdict]:
        """The same picture keeps coming: what is known of the tray is that of before, and nothing of what moves."""
        for verdict in verdicts:
            self._tray.lost(verdict.t, verdict.cause, small)
            self._lately.lose_sight()
            self._quiet = None
        return verdicts

    def step(self, frame: Frame) -> Scene:
        """What is in this frame, which was checked and can be trusted."""
        picture, small = self._lately.now
        if self._quiet is not None:
            self._lately.keep_body(self._body.mask)
            return replace(self._quiet[1], frame=frame, picture=picture)
        things = self._locate(frame.t, small)
        hue = self._window.hues(frame.image)
        dice = [self._window.disc(thing) for thing in things]
        empty, difference = self._tray.compare(small, hue, dice)
        self._difference = difference
        earlier = self._lately.earlier
        change = np.asarray(cv2.absdiff(small, earlier), np.uint8)
        learn = not self._body.mask.any()
        self._body = self._bodies.find(frame.t, difference, empty, dice, change, learn)
        self._tray.follow(frame.t, difference, self._body, self._unchanged + 1)
        self._unchanged = 0
        flying = [disc for thing, disc in zip(things, dice, strict=True) if thing.heat >= FLYING_HEAT]
        self._bare.note(frame.t, difference, self._body.mask, flying)
        seen = [s for s in (self._sight(thing) for thing in things) if s is not None]
        self._lately.keep_body(self._body.mask)
        bodies = self._lately.bodies
        stray = self._beyond.flies_past(difference, empty, [(s, self._window.disc(s)) for s in seen], bodies)
        moving = motion(small, earlier, self._window.floor, bodies, dice)
        scene = Scene(frame, picture, tuple(seen), self._body, moving, stray)
        self._quiet = (_softened(small), scene) if self._is_quiet(scene) else None
        return scene

    def _is_quiet(self, scene: Scene) -> bool:
        """Whether nothing moves in this scene, nor did just now."""
        calm = scene.moving < IDLE_FACES and all(thing.still for thing in scene.sightings)
        return calm and not any(body.any() for body in self._lately.bodies)

    def _is_unchanged(self, t: float, small: Image) -> bool:
        """Whether a picture shows what the last did that was looked at: nothing that moves."""
        if self._quiet is None or not (self.trusted and 0 < t - self._quiet[1].frame.t < ANEW_S):
            return False
        return _shows_the_same(_softened(small), self._quiet[0])

    @property
    def geometry(self) -> TrayGeometry:
        """Where the tray lies now: a push shifts it."""
        return self._geometry

    @property
    def window(self) -> Window:
        """Where the working picture lies now."""
        return self._window

    @property
    def trusted(self) -> bool:
        """Whether the view is sound, and nothing suggests that it will not be."""
        return self._health.trusted and not self._repeated

    @property
    def passes_over(self) -> bool:
        """Whether the last frame, which was no picture or the one before again, is to be taken as one that did not
        come."""
        return self._repeated or self._health.passes_over

    @property
    def recent(self) -> Sequence[Past]:
        """The last pictures, oldest first."""
        return self._lately.recent

    def lately(self) -> list[Past]:
        """The last pictures, oldest first, with those of a camera that had just swung back: not yet to be trusted, but
        they tell since when things lie."""
        return self._lately.pictures

    @property
    def fault(self) -> ViewFault | None:
        """Why the view is not sound, once that is sure."""
        return self._health.fault

    def body_outlines(self) -> list[Points]:
        """Outlines (n, 2), px of the picture, of the body of the last frame."""
        return self._window.outlines(self._body.mask)

    @property
    def hidden(self) -> float:
        """Share of the floor that the last frame's body hides."""
        return np.count_nonzero(self._over_floor) / np.count_nonzero(self._window.floor)

    @property
    def arm(self) -> tuple[float, float] | None:
        """Where the last frame's body, what of it is over the floor, reaches in over what is watched's border, px; None
        where it does not."""
        place = arm(self._body.mask, self._window.floor)
        return None if place is None else self._window.to_picture(*place)

    @property
    def over(self) -> tuple[float, float] | None:
        """The middle, px, of what of the last frame's body is over the floor; None where nothing is."""
        y, x = np.nonzero(self._over_floor)
        return self._window.to_picture(float(x.mean()), float(y.mean())) if len(x) else None

    @property
    def _over_floor(self) -> npt.NDArray[np.bool_]:
        """What of the last frame's body is over the floor (h, w)."""
        return self._body.mask & (self._window.floor > 0)

    @property
    def _around(self) -> Surroundings:
        """What the last frame that could be trusted showed beside the tray."""
        dice: Image = np.zeros_like(self._window.floor)
        for thing in self._located[2] if self._located else ():
            disc = self._window.disc(thing)
            cv2.circle(dice, (round(disc.x), round(disc.y)), round(PUNCH * disc.size), 1, -1)
        return Surroundings(dice, body=self._body.area > 0, arm=reaches_in(self._body.mask))

    def _in_picture(self, verdict: Verdict) -> Verdict:
        """The verdict with its shift in px of the whole picture."""
        return verdict if verdict.shift is None else replace(verdict, shift=self._window.in_picture(verdict.shift))

    def _move(self, shift: Matrix, picture: Past) -> Image:
        """Look for the tray where it lies now, by the map of places in the picture; the new working picture."""
        before = self._window
        self._watch(self._geometry.moved(shift))
        small, way = self._window.shrink(picture), before.way_to(self._window, shift)
        self._tray.moved(way, small)
        self._health.moved(self._window.floor, way, small)
        return small

    @property
    def gain(self) -> float:
        """How much brighter the last frame was exposed than the empty tray (1 = alike)."""
        return self._difference.gain if self._difference is not None else 1.0

    def look_at(self, x: float, y: float) -> Sighting | None:
        """What would be known of a die at a place, px, where none was located; None where a hand would hold it."""
        return self._sight(Sighting(x, y, self._geometry.face_px(x, y), DIE_HEAT, still=False, near_body=False))

    def like_dice(self, known: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """Places, px, on the floor where something of a die's size differs from the empty tray and no body is, away
        from the things whose places are `known`; the same, but for noise, while nothing moves."""
        assert self._difference is not None
        here = self._difference.mask & self._window.floor & ~self._body.mask
        for x, y in known:
            at = tuple(round(v) for v in self._window.to_working(x, y))
            cv2.circle(here, at, round(AWAY_FACES * LOCATOR_FACE_PX), 0, -1)
        least, most = (share * LOCATOR_FACE_PX**2 for share in DIE_AREAS)
        found = [np.nonzero(piece) for piece in pieces(here, least)]
        return [
            self._window.to_picture(round(float(x.mean())), round(float(y.mean()))) for y, x in found if len(x) <= most
        ]

    def is_new(self, thing: Sighting) -> bool:
        """Whether something differs from the empty tray where this thing is: more than the light on what lies still."""
        assert self._difference is not None
        differs = self._window.share(self._difference.mask, thing.x, thing.y, 0.5) > 0.08
        return differs and not (thing.still and self._shows_floor(thing))

    def _shows_floor(self, thing: Sighting) -> bool:
        """Whether the floor's pattern is seen where this thing is, in whatever light: nothing lies there."""
        assert self._difference is not None
        pictures = self._difference.levelled, self._tray.picture
        now, bare = (self._window.part(picture, thing.x, thing.y, 0.5) for picture in pictures)
        return likeness(now, bare) > FLOOR_SHOWS

    def light(self, x: float, y: float) -> float:
        """How bright the floor about a die is beside what it was when the tray was empty, at most 1: less in a shadow.
        A half of it tells, whatever lies on the other."""
        assert self._difference is not None
        pictures = self._difference.levelled, self._tray.lit
        now, bare = (self._window.part(picture, x, y, BESIDE_FACES) for picture in pictures)
        row, column = (np.abs(np.arange(length) - (length - 1) / 2) for length in now.shape)
        about = np.maximum.outer(row, column) >= AWAY_FACES * LOCATOR_FACE_PX
        share = float(np.median((now[about] + NEAR_BLACK) / (bare[about] + NEAR_BLACK))) if about.any() else 1.0
        return min(1.0, max(DARKEST, share))

    def is_covered(self, thing: Sighting) -> bool:
        """Whether something lies right there, and not but its shadow or side reaches there from beside."""
        assert self._difference is not None
        return self._window.share(self._difference.mask, thing.x, thing.y, CORE_FACES) > COVERED

    def touched(self, x: float, y: float) -> bool:
        """Whether the body of this frame covers or touches a place."""
        return self._window.share(self._body.mask, x, y, TOUCH_FACES) > TOUCH

    def has(self, x: float, y: float) -> bool:
        """Whether what of the body of this frame is over the floor, and not only on its wall, covers or touches a
        place."""
        return self._window.share(self._body.mask & self.within, x, y, TOUCHING_FACES) > 0

    @property
    def within(self) -> npt.NDArray[np.bool_]:
        """The floor (h, w) of the working picture away from its wall."""
        return self._bodies.within

    @property
    def bare_times(self) -> npt.NDArray[np.float64]:
        """When each place of the working picture (h, w) was last seen bare, s; minus infinity if never."""
        return self._bare.times

    def last_bare(self, x: float, y: float) -> float:
        """When a place, px of the picture, was last seen bare, s; minus infinity if never."""
        return self._bare.last(*self._window.to_working(x, y))

    def bare_since(self, x: float, y: float) -> float:
        """Since when a place, px of the picture, has been seen bare, s; infinity if it is not now."""
        return self._bare.since(*self._window.to_working(x, y))

    def _locate(self, t: float, small: Image) -> list[Sighting]:
        """Things in the working picture, in px of the picture; while it does not change, looked for anew now and then
        only."""
        soft = _softened(small)
        if self._located is not None and 0 <= t - self._located[0] < ANEW_S and _shows_the_same(soft, self._located[1]):
            return self._located[2]
        things = []
        for found in locate(self._networks, small, LOCATOR_FACE_PX):
            x, y = self._window.to_picture(found.x, found.y)
            size = found.size / self._window.scale
            width, height = self._geometry.size
            seen = 0 <= x < width and 0 <= y < height  # the working picture shows some more, blank, at its edges
            if seen and SIZES[0] < size / self._geometry.face_px(x, y) < SIZES[1]:
                things.append(Sighting(x, y, size, found.heat, still=False, near_body=False))
        self._located = (t, soft, things)
        return things

    def _sight(self, thing: Sighting) -> Sighting | None:
        """The thing with what is known of its motion and neighbourhood; None where a hand holds it."""
        x, y, body, share = thing.x, thing.y, self._body.mask, self._window.share
        if share(body, x, y, PUNCH + 0.35) > HELD_SHARE:
            return None
        near = share(body, x, y, BESIDE_FACES) > 0
        still = is_still(self._lately.recent, x, y, self._geometry.face_px(x, y))
        held = near and share(body, x, y, TOUCHING_FACES) > 0
        uncovered = any(share(mask, x, y, 0.5) > 0 for mask in self._lately.bodies)
        beyond = -self._geometry.inside(x, y)
        seen = Sighting(x, y, thing.size, thing.heat, still, near, uncovered, held, beyond)
        return replace(seen, bare=not self.is_new(seen))


def _softened(picture: Image) -> Image:
    """A working picture (h, w) without most of its noise."""
    return np.asarray(cv2.blur(picture, (OVER_PX, OVER_PX)), np.uint8)


def _shows_the_same(soft: Image, then: Image) -> bool:
    """Whether two softened working pictures (h, w) differ by no more than their noise."""
    return int(cv2.absdiff(soft, then).max()) <= CHANGED
