"""Whose hand is over the dice of a throw: others' are told from the one that threw by where they reach in."""

import math
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile

import cv2
import numpy as np
import numpy.typing as npt

from vision.arm import along_border
from vision.hand import TOUCH, TOUCH_FACES, Body
from vision.network import LOCATOR_FACE_PX
from vision.resting import Resting
from vision.track import DIE_HEAT, Moment, Track
from vision.window import Window

Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Labels = npt.NDArray[np.int32]
Indices = npt.NDArray[np.intp]
Place = tuple[float, float]

ROLLED = 1.0
"""Faces that a thrown die has rolled away from any hand as it shows whose hand let it go: chosen, as all here are."""
BEFORE_S = 0.4
"""A die that has rolled so far was let go no longer ago."""
NEAR, FAR = 2.5, 8.0
"""Faces behind the place where a die is first seen free within which a hand is one of the thrower's, be it the second,
and beyond which even the nearest may not have thrown it..."""
BEHIND = 0.5
"""...where the cosine of the angle to the way it came from is no smaller."""
ASIDE_PX = 3.0 * LOCATOR_FACE_PX
"""Along the border, at most between an arm and where it was in the frame before."""
AWAY_S = 0.2
"""No hand was in for so long: whoever comes then has come in after the throw, and is told by that."""
CUT_PX = 1.5 * LOCATOR_FACE_PX
"""Dice in a hand, or what looks like them, and a sleeve like the table cut it in pieces no farther apart."""
NEVER = -2


@dataclass(frozen=True, slots=True)
class _Look:
    """One frame: the body in it (h, w), and whether a die was away from hands that one had let go."""

    now: Moment
    body: Mask
    free: bool


class Others:
    """Where others' hands have been since the first die of a throw flew, as long as a hand stays in the tray."""

    def __init__(self) -> None:
        """Nothing flew yet."""
        self._lately: deque[_Look] = deque()
        self._hands: _Hands | None = None
        self._in_t = self._unknown = -math.inf  # whose hand let go what was free until then says nothing any more
        self._moments: list[Moment] = []
        self._first: Labels | None = None
        self._last: Labels | None = None

    def step(self, now: Moment, body: Body, tracks: Sequence[Track], window: Window) -> None:
        """Note where others' hands are, by the body of this frame; `tracks`: things seen in it."""
        if body.area > 0:
            self._in_t = now[0]
        elif now[0] - self._in_t > AWAY_S:
            self._hands, self._unknown = None, now[0]
        if self._hands is not None:
            self._note(now, body.mask)
            return
        new = [track for track in tracks if self._is_new(track)]
        free = any(not track.sighting.near_body for track in new)
        self._lately.append(_Look(now, body.mask, free))
        while now[0] - self._lately[0].now[0] > BEFORE_S:
            self._lately.popleft()
        flown = next((track for track in new if track.travel >= ROLLED), None)
        if flown is not None:
            self._begin(window.to_working(*flown.freed), flown.speed)

    def since(self, die: Resting, bare: float, window: Window) -> Moment | None:
        """Since when another's hand was over the place of a die at rest, or touched it, that was last seen bare at
        `bare`, s; None where none was since."""
        if self._first is None or self._last is None:
            return None
        first, last = (window.part(noted, die.x, die.y, TOUCH_FACES) for noted in (self._first, self._last))
        over = last >= bisect_right(self._moments, bare, key=lambda moment: moment[0])
        return self._moments[int(first[over].min())] if over.size and float(over.mean()) > TOUCH else None

    def _is_new(self, track: Track) -> bool:
        """Whether this is a die that lay nowhere, and that a hand let go since one came in."""
        free = track.die is None and track.free is not None and track.free[0] > self._unknown
        return free and max(track.heat, track.sighting.heat) >= DIE_HEAT

    def _begin(self, freed: Place, speed: Place) -> None:
        """A die has flown from a place, px, at such a speed: tell whose hand it left, as soon as one was free, and what
        others' have done since."""
        looks = list(self._lately)
        self._lately, self._unknown = deque(), looks[-1].now[0]
        for look in dropwhile(lambda look: not look.free, looks):
            if self._hands is None:
                self._hands = _threw(look.body, freed, speed)
            else:
                self._note(look.now, look.body)

    def _note(self, now: Moment, body: Mask) -> None:
        """Note of a body (h, w) what is others' hands now, and has been since they came there."""
        if self._hands is None or not body.any():
            return
        others = self._hands.others(body)
        if self._first is None or self._last is None:
            self._first, self._last = (np.full(others.shape, NEVER, np.int32) for _ in range(2))
        index = len(self._moments)
        self._moments.append(now)
        self._first[others & (self._last < index - 1)] = index
        self._last[others] = index


class _Hands:
    """The hands of the one who threw, and others', followed from frame to frame. Who touches the one who threw as that
    hand lets go, or as its own is first seen, is taken for the same."""

    def __init__(self, own: Mask, others: Mask) -> None:
        """As they are in one frame (h, w)."""
        self._own, self._others = own, others
        self._own_at, self._others_at = (np.flatnonzero(along_border(hands)) for hands in (own, others))

    def others(self, body: Mask) -> Mask:
        """Which of the body of the next frame is others' (h, w): what reaches in elsewhere than the hands that threw.
        Of what reaches in at both places, or nowhere, that which is nearer to where others' were."""
        border = along_border(body)
        at = np.flatnonzero(border)
        to_own, to_others = (_gaps(at, there, len(border)) for there in (self._own_at, self._others_at))
        if len(self._others_at) == 0 and (to_own <= ASIDE_PX).all():
            self._own, self._own_at = body, at if len(at) else self._own_at
            return np.zeros(body.shape, bool)
        count, parts = cv2.connectedComponents(body.astype(np.uint8), connectivity=8)
        part = along_border(parts)[at]
        is_own, is_others = np.zeros(count, bool), np.zeros(count, bool)
        is_own[part[to_own <= ASIDE_PX]] = True
        is_others[part[to_others <= ASIDE_PX]] = True
        is_others[part[~is_own[part]]] = True
        own: Mask = (is_own & ~is_others)[parts] & body
        others: Mask = (is_others & ~is_own)[parts] & body
        unsure = body & ~(own | others)
        if unsure.any():
            nearer = _away(self._own | own) <= _away(self._others | others)
            own, others = own | (unsure & nearer), others | (unsure & ~nearer)
        mine = is_own[part] & (~is_others[part] | (to_own <= to_others))
        self._own, self._others = own if own.any() else self._own, others
        self._own_at = at[mine] if mine.any() else self._own_at
        self._others_at = at[~mine] if not mine.all() else self._others_at
        return others


def _threw(body: Mask, free: Place, speed: Place) -> _Hands | None:
    """The hands in a frame in which a die was first free in a place, px, that flies on at such a speed: those of the
    one who threw are behind it and near there. None where no hand is."""
    count, parts = cv2.connectedComponents(body.astype(np.uint8), connectivity=8)
    y, x = np.ogrid[: body.shape[0], : body.shape[1]]
    x, y = free[0] - x, free[1] - y
    px, ahead = np.hypot(x, y), (x * speed[0] + y * speed[1]) / max(math.hypot(*speed), 1e-9)
    faces = np.where(ahead >= BEHIND * px, px / LOCATOR_FACE_PX, np.inf)
    nearest = np.array([faces[parts == part].min() for part in range(1, count)])
    if len(nearest) == 0 or nearest.min() > FAR:
        return None
    own = np.isin(parts, 1 + np.flatnonzero(nearest <= max(NEAR, nearest.min())))
    if not along_border(own).any():
        beside = _away(own) <= CUT_PX
        own = np.isin(parts, [part for part in np.unique(parts[beside & body]) if part > 0])
    others = np.isin(parts, np.setdiff1d(along_border(parts), [0])) & ~own
    return _Hands(own, others) if along_border(own).any() else None


def _gaps(places: Indices, others: Indices, around: int) -> npt.NDArray[np.float64]:
    """Px along a border that is so long `around` from each of these places on it to the nearest of the others; infinity
    where there is none."""
    if len(others) == 0:
        return np.full(len(places), np.inf)
    apart = np.abs(places[:, None] - others)
    return np.asarray(np.minimum(apart, around - apart).min(1), np.float64)


def _away(mask: Mask) -> npt.NDArray[np.float32]:
    """Px from each pixel (h, w) to the nearest one of a mask; very many where it is empty."""
    return np.asarray(cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 3), np.float32)
