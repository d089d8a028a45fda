"""A hand over the tray: a foreign body that reaches in from the border of the picture, or across the floor's edge."""

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.border import reaches_in
from vision.empty import Difference, EmptyTray
from vision.pieces import grown, pieces
from vision.unmoved import Unmoved

Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

PUNCH = 0.85
"""Radius, in die faces, of what is taken out of the picture of differences around each die (its shadow included)."""
TOUCH_FACES, TOUCH = 0.8, 0.02
"""A hand touches a die if it covers more than this share of a square of this half edge, in faces, around it."""
SMALLEST = 0.5
"""Die areas that a body reaching in from the border covers at least."""
SMALLEST_INSIDE = 2.5
"""The same for a body that only crosses the floor's edge: a die on the rim with its shadow is smaller."""
LEAST_OVER = 0.125
"""Die areas of floor from which a body is over it..."""
EDGE_FACES = 0.25
"""...farther in than this: on a wall an arm may lie, and its shadow falls in."""
STILL_THERE = 6.0
"""Die areas of a body that was there a moment ago, from which it is one still although nothing joins it to the border
any more: an arm may look like the wall below it. A handful of dice just let go is smaller."""
WALL_FACES = 1.5
"""How far a hand over the floor is at most from its arm beyond the wall, where both look like that: chosen."""
PLAIN_FACES = 0.75
"""From the floor's edge, within which its wall and what that casts are seen."""
STAYED = 0.5
"""Share of such a region that was body in the frame before."""
SMALL = 3.0
"""Bodies below this many die areas may be a die on its way through the border, and must stay longer to be a hand."""
MOVES = 8.0
"""Mean change, in levels, of a region that moves: a fast hand is blurred and has no edge."""
STIRS = 2.5
RESTING = 4.0
"""What is smaller than this and changes less has been left there: a hand is larger, and trembles. Nothing that changes
more is ever taken into the empty picture."""
SQUARE_PX, RESTS = 8, 25.0
"""Squares over which a camera's noise is taken, and the per cent of the floor's that nothing moves over at least."""
ROUNDING = 1e-3
ROLLED_S = 0.15
"""For so long what changes may be what a die has left that rolled there: `change` is over a tenth of a second, of 15
frames a second over two."""
UNEVEN = 1.1
"""By how much noisier a thing may be than the floor: chosen, what is darker is."""
FRAMES = 2
STEADY_S = 0.03
"""A hand is in, or out, once it was so for two frames and for this time."""
STAY_S = 0.12


@dataclass(frozen=True, slots=True)
class Disc:
    """A die-like thing in the working picture: centre and face, px, and whether it plainly is a die."""

    x: float
    y: float
    size: float
    plain: bool = True


@dataclass(frozen=True, slots=True)
class Body:
    """What of the picture is a hand or another body: `mask` (h, w) bool; `area`, in die areas, is 0 unless it is over
    the floor."""

    mask: Mask
    area: float


@dataclass(frozen=True, slots=True)
class _Region:
    """A piece of what differs from the empty tray: its pixels (h, w); its area, and what of that is over the floor, in
    die areas; by how many levels it stirs, and where no die was a moment ago; whether it reaches the border of the
    picture, and was body a frame ago."""

    mask: Mask
    area: float
    over: float
    stirs: float
    itself: float
    reaches_in: bool
    was: bool


class BodyFinder:
    """Tells bodies from dice, ghosts and shadows in the working picture."""

    def __init__(self, floor: Image, die_px: float) -> None:
        """`floor`: 1 on the floor, 0 elsewhere (h, w); `die_px`: a face in that picture."""
        self._floor = floor > 0
        self._inner, self._plain = (_within(floor, faces * die_px) for faces in (EDGE_FACES, PLAIN_FACES))
        inside = _in_squares(floor)
        self._squares = inside >= inside.max() - ROUNDING
        self._die_px = die_px
        self._before: Mask = np.zeros(floor.shape, bool)
        self._over: tuple[Image, Sequence[Disc]] | None = None  # what differed, and dice, while one was in
        self._unmoved = Unmoved()
        self._dice: deque[tuple[float, Sequence[Disc]]] = deque()

    @property
    def within(self) -> Mask:
        """The floor (h, w) away from its wall, on which an arm may lie that is not in."""
        return self._inner

    def find(
        self, t: float, difference: Difference, empty: EmptyTray, dice: Sequence[Disc], change: Image, learn: bool
    ) -> Body:
        """The body in the tray at `t`, s. With `learn`, ghosts and resting shadows are taken into the empty picture on
        the way; so is, at any time, what has not moved at all for so long that it is no body.

        dice: die-like things, which are no body. change: levels (h, w) by which each pixel changed lately.
        """
        if self._before.any():
            self._unmoved.step(t, difference.levelled)
        else:
            self._unmoved.forget()
        while self._dice and t - self._dice[0][0] > ROLLED_S:
            self._dice.popleft()
        self._dice.append((t, dice))
        mask = difference.mask.copy()
        tint = mask if difference.tint is None else difference.tint | mask
        punch(mask, dice)
        punch(tint, dice)
        before, self._before = self._before, np.zeros(mask.shape, bool)
        over_before, self._over = self._over, None
        if cv2.countNonZero(mask) < SMALLEST * self._die_px**2:
            return Body(self._before, 0.0)
        bodies, inside = list[_Region](), list[_Region]()
        for region in self._regions(mask, before, change):
            if self._passes_over(t, region, difference, empty, learn):
                continue
            if self._comes_from_outside(region, difference, empty):
                bodies.append(region)
            elif region.area >= SMALLEST_INSIDE:
                inside.append(region)
        ways_in = self._ways_in([region.mask for region in bodies]) if bodies and inside else self._before
        for region in inside:
            if (region.mask & ways_in).any() and empty.is_real(region.mask, difference, plain=self._plain):
                bodies.append(region)
        whole = [(grown(region.mask, tint), region.stirs) for region in bodies]
        body = self._as_one(whole, difference, empty, dice)
        if body.area == 0 and over_before is not None:
            hand = grown(before, _but_plain(*over_before))
            body = self._with_fingers(body, hand, difference, empty, dice)
        if body.area == 0 and bodies:
            body = self._with_pale(body, difference, empty, dice)
        self._before, self._over = body.mask, (difference.mask, dice) if body.area > 0 else None
        return body

    def _noise(self, change: Image) -> float:
        """Levels by which what rests of the floor has changed, in the mean over squares: a camera's noise."""
        return float(np.percentile(_in_squares(change)[self._squares], RESTS))

    def _regions(self, mask: Image, before: Mask, change: Image) -> Iterator[_Region]:
        """The pieces of a mask (h, w) that are large enough for a body; `before`: the body a frame ago."""
        noise, rolled = UNEVEN * self._noise(change), np.zeros_like(mask)
        for _, dice in self._dice:
            fill(rolled, dice, 1)
        for region in pieces(mask, SMALLEST * self._die_px**2):
            size, over, was = (np.count_nonzero(part) for part in (region, region & self._floor, region & before))
            stirs, itself = (_stirs(change[part], noise) for part in (region, region & (rolled == 0)))
            area, over_floor = size / self._die_px**2, over / self._die_px**2
            yield _Region(region, area, over_floor, stirs, itself, reaches_in(region), bool(was > STAYED * size))

    def _passes_over(self, t: float, region: _Region, difference: Difference, empty: EmptyTray, learn: bool) -> bool:
        """Whether this is no body, but the empty tray again, a ghost or shadow, or what never moves; the empty picture
        learns it then, if it may."""
        if region.stirs < STIRS and empty.is_back(region.mask, difference):
            learned = True
        elif region.stirs <= MOVES and not empty.is_real(
            region.mask, difference, region.reaches_in, self._plain, region.was, region.itself > STIRS
        ):
            learned = learn and region.stirs < STIRS
        elif self._unmoved.holds(t, region.mask):
            learned = True
        else:
            return False
        if learned:
            empty.learn(region.mask, difference)
        return True

    def _comes_from_outside(self, region: _Region, difference: Difference, empty: EmptyTray) -> bool:
        """Whether this reaches in from the border, or across the floor's edge, or is still there of what did."""
        if region.reaches_in or (region.area >= SMALLEST_INSIDE and region.over <= region.area - SMALLEST):
            return True
        if region.area < STILL_THERE or not region.was:
            return False
        return region.stirs <= MOVES or empty.is_real(region.mask, difference, region.reaches_in, self._plain)

    def _with_fingers(
        self, body: Body, before: Mask, difference: Difference, empty: EmptyTray, dice: Sequence[Disc]
    ) -> Body:
        """A body that no longer seems to be over the floor, with what of the hand `before` looks like dice there:
        fingers in a row do. What it only shades is none."""
        found, area, rest, mask = body.mask.copy(), 0.0, difference.mask.copy(), _but_plain(difference.mask, dice)
        punch(rest, dice)
        mask[self._shaded(rest, empty, difference, dice)] = 0
        for region in pieces(mask, STILL_THERE * self._die_px**2):
            over = np.count_nonzero(region & self._inner) / self._die_px**2
            was = float(before[region].mean()) > STAYED
            if was and over >= LEAST_OVER and empty.is_real(region, difference, plain=self._plain):
                found, area = found | region, area + np.count_nonzero(region) / self._die_px**2
        return Body(found, area)

    def _with_pale(self, body: Body, difference: Difference, empty: EmptyTray, dice: Sequence[Disc]) -> Body:
        """A body that reaches to the floor's edge, with what of it may go on over a floor of nearly its colour."""
        ways_in = self._ways_in([body.mask]) & self._floor
        if not (body.mask & ways_in).any():
            return body
        pale = empty.pale(difference, self._floor)
        punch(pale, dice)
        region = grown(ways_in & (pale > 0), pale)
        if np.count_nonzero(region & self._inner) < SMALLEST_INSIDE * self._die_px**2:
            return body
        mask = body.mask | region
        return Body(mask, np.count_nonzero(mask) / self._die_px**2)

    def _ways_in(self, bodies: Sequence[Mask]) -> Mask:
        """Where (h, w) bodies beyond the wall may come in over the floor's edge, though they look like the wall."""
        away = _within((~np.any(bodies, axis=0)).astype(np.uint8), WALL_FACES * self._die_px)
        return np.asarray(~(away | self._inner), np.bool_)

    def _as_one(
        self, bodies: Sequence[tuple[Mask, float]], difference: Difference, empty: EmptyTray, dice: Sequence[Disc]
    ) -> Body:
        """Bodies, each with how much it stirs and without the floor that it only shades, as one that is over the floor
        if any of them is."""
        mask, over_floor = np.zeros_like(self._inner), 0.0
        for whole, stirs in bodies:
            region = whole & ~self._shaded(whole.astype(np.uint8), empty, difference, dice)
            area, over = (np.count_nonzero(part) / self._die_px**2 for part in (region, region & self._inner))
            mask |= region
            rests = area < RESTING and stirs < STIRS
            over_floor = max(over_floor, 0.0 if rests or over < LEAST_OVER else area)
        return Body(mask, over_floor)

    def _shaded(self, mask: Image, empty: EmptyTray, difference: Difference, dice: Sequence[Disc]) -> Mask:
        """Where the floor away from its wall is only shaded, of what differs there and is no die (h, w), 0 or 1."""
        shaded, bare = np.zeros_like(self._inner), self._inner.astype(np.uint8)
        punch(bare, dice)
        for piece in pieces(mask & self._inner, LEAST_OVER * self._die_px**2):
            if empty.is_shaded(piece, difference, bare > 0, SMALLEST * self._die_px**2):
                shaded |= piece
        return shaded


def _stirs(change: npt.NDArray[np.uint8], noise: float) -> float:
    """Levels by which places stir that have changed (n,) by so much, a camera's noise among it: the two add up in
    squares."""
    return math.sqrt(max(0.0, float(change.mean()) ** 2 - noise**2)) if len(change) else 0.0


def _in_squares(picture: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """The means of a picture (h, w) over squares."""
    size = max(1, picture.shape[1] // SQUARE_PX), max(1, picture.shape[0] // SQUARE_PX)
    return np.asarray(cv2.resize(picture.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)


def punch(mask: Image, dice: Sequence[Disc]) -> None:
    """Take dice and their shadows out of a mask, in place."""
    fill(mask, dice, 0)


def fill(mask: Image, dice: Sequence[Disc], level: int) -> None:
    """Set a mask to `level` where dice and their shadows are, in place."""
    for die in dice:
        cv2.circle(mask, (round(die.x), round(die.y)), round(PUNCH * die.size), level, -1)


def _but_plain(mask: Image, dice: Sequence[Disc]) -> Image:
    """A mask without the things that plainly are dice."""
    rest = mask.copy()
    punch(rest, [die for die in dice if die.plain])
    return rest


def _within(region: Image, px: float) -> Mask:
    """What of a region (h, w), 0 or 1, is farther than so many px from its edge."""
    edge = 2 * round(px) + 1
    return np.asarray(cv2.erode(region, np.ones((edge, edge), np.uint8)) > 0, np.bool_)


class HandSwitch:
    """Whether a hand is in the tray: in after two frames (and 30 ms) with a body, out after as many without."""

    def __init__(self) -> None:
        """Nothing is in yet."""
        self.present = False
        self._since: tuple[float, int] | None = None
        self._frames = 0

    def step(self, t: float, frame: int, body: Body) -> tuple[float, int] | None:
        """Take the body of one frame; when the answer changes, the time and frame at which it did."""
        if (body.area > 0) == self.present:
            self._since, self._frames = None, 0
            return None
        self._since = self._since or (t, frame)
        self._frames += 1
        small = not self.present and body.area < SMALL
        if self._frames < FRAMES or t - self._since[0] < (STAY_S if small else STEADY_S):
            return None
        changed, self._since, self._frames = self._since, None, 0
        self.present = not self.present
        return changed
