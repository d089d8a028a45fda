"""Whose hand is over the dice of a throw: others' are told from the one that threw by where they reach in."""

import math
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from vision.arms import Arms, Labels, numbers
from vision.hand import FRAMES, LEAST_OVER, TOUCH, TOUCH_FACES, Body
from vision.network import LOCATOR_FACE_PX
from vision.resting import Resting
from vision.track import DIE_HEAT, Moment, Track
from vision.visits import AWAY_S
from vision.window import Window

Mask = npt.NDArray[np.bool_]
Times = npt.NDArray[np.float64]
Place = tuple[float, float]

ROLLED = 1.0
"""Faces that a thrown die has rolled away from any hand as it shows whose hand let it go: chosen, as all here are."""
BEFORE_S = 0.4
"""A die that has rolled so far was let go no longer ago."""
NEAR, FAR = 2.5, 5.0
"""Faces behind the place where a die is first seen free within which a hand is one of the thrower's, be it the second,
and beyond which even the nearest of several may not have thrown it: a fast one is first seen free 5.7 away..."""
BEHIND = 0.5
"""...where the cosine of the angle to the way it came from is no smaller."""
TOGETHER_S = 0.1
"""So long after the first others fly that one has thrown with it."""
MOST = 0.6
"""Who let go so many times the dice that the one did who let go most is one of the thrower's hands, too."""
MIDDLE_FACES = 0.4
"""Half edge, in faces, of the middle of a die, which a hand beside it does not hide."""
HALF_FACE = 0.5
"""Half edge of a die, in faces: a hand that lay beside it, and came no nearer, turned none that was in sight."""
MOVES_S = 1.0
"""A die that a hand hides moves no longer after the last that was seen to: who comes then touches none that does."""


@dataclass(frozen=True, slots=True)
class _Look:
    """One frame: the numbers of the arms in it (h, w), and whether a die was away from hands that one had let go."""

    now: Moment
    labels: Labels
    free: bool


@dataclass(frozen=True, slots=True)
class Had:
    """Another's hand: since when, s, it was over a die, and when it had come over the floor, where that was seen."""

    over: float
    since: Moment


class Seen(Protocol):
    """Where the working picture lies, what of it (h, w) is the floor away from its wall, and when each place of it
    (h, w) was last seen bare, s: a `Perception`."""

    @property
    def window(self) -> Window: ...

    @property
    def within(self) -> Mask: ...

    @property
    def bare_times(self) -> Times: ...


class Others:
    """Where others' hands have been since the first die of a throw flew. Of who comes in when no hand was in, `Visits`
    tells."""

    def __init__(self) -> None:
        """Nothing flew yet."""
        self._arms = Arms()
        self._lately: deque[_Look] = deque()
        self._in_t = self._empty_t = self._moved_t = -math.inf  # when a hand, none, and a moving die was seen last, s
        self._first_free = math.inf
        self._flown: set[int] = set()
        self._threw = Counter[int]()
        self._moments: list[Moment] = []
        self._over: dict[int, _Over] = {}
        self._over_before: list[_Over] = []

    def step(self, now: Moment, body: Body, tracks: Iterable[Track], seen: Seen) -> None:
        """Note where each hand is, by the body of this frame, and whose dice fly; `tracks`: things seen in it."""
        if body.area > 0:
            self._in_t = now[0]
        elif now[0] - self._in_t > AWAY_S:
            self._leave(now[0])
        new = [track for track in tracks if self._is_new(track)]
        free = any(not track.sighting.near_body for track in new)
        still = all(track.sighting.still or not track.sighting.plain for track in new)
        if not still and now[0] - self._moved_t <= MOVES_S:
            self._moved_t = now[0]
        self._lately.append(_Look(now, self._arms.step(now[0], body.mask), free))
        while now[0] - self._lately[0].now[0] > BEFORE_S:
            self._lately.popleft()
        known = bool(self._threw)
        for track in new:
            if track.travel >= ROLLED and track.number not in self._flown:
                self._count(track, seen.window)
        if self._threw and now[0] - self._moved_t <= MOVES_S:
            for look in [self._lately[-1]] if known else self._lately:
                self._note(look.now, look.labels, seen)

    def since(self, die: Resting, flew: float, bare: float, window: Window, sighted: float) -> Had | None:
        """Another's hand that was over the place of a die at rest, or touched it, after that was last seen bare at
        `bare`, s; None where none was, nor one that only lay where the die came to rest in sight. The first die of the
        throw `flew` at that time, s, and this one counts as in sight where nothing hid it since it was `sighted`, s."""
        looked = (
            (over, over.since(die, flew, bare, window, sighted)) for over in (*self._over_before, *self._others())
        )
        had = [(t, over.came if -math.inf < over.came < t else t) for over, t in looked if t is not None]
        first, came = min(had, default=(None, None))
        return None if first is None else Had(first, self._moments[bisect_left(self._moments, (came, 0))])

    def _leave(self, t: float) -> None:
        """No hand is in at `t`, s: whose it was that came next is another question."""
        self._over_before += self._others()
        self._arms, self._empty_t = Arms(), t
        self._lately.clear()
        self._threw.clear()
        self._first_free = math.inf
        self._over.clear()

    def _others(self) -> "list[_Over]":
        """Where the hands have been that threw none or hardly any of the dice; what is over the floor for a frame
        only, as a shadow may seem to be when it comes and when it goes, is none."""
        threw = Counter[int]()
        for arm, dice in self._threw.items():
            threw[self._arms.whole(arm)] += dice
        most = max(threw.values(), default=0)
        whole = ((self._arms.whole(arm), over) for arm, over in self._over.items())
        return [over for arm, over in whole if over.looks >= FRAMES and threw[arm] < MOST * most]

    def _is_new(self, track: Track) -> bool:
        """Whether this is a die that lay nowhere, and that a hand let go since one came in."""
        free = track.die is None and track.free is not None and track.free[0] > self._empty_t
        return free and max(track.heat, track.sighting.heat) >= DIE_HEAT

    def _count(self, flown: Track, window: Window) -> None:
        """Count a die that flies for the arms whose hands may have let it go: those behind it and near, as one was
        first free. Those that fly later may come from a hand that caught them."""
        self._flown.add(flown.number)
        self._moved_t = self._lately[-1].now[0]
        free = math.inf if flown.free is None else flown.free[0]
        self._first_free = min(free, self._first_free)
        looks = (look.labels for look in self._lately if look.free and look.labels.any())
        if free <= self._first_free + TOGETHER_S and (labels := next(looks, None)) is not None:
            self._threw.update(_behind(labels, window.to_working(*flown.freed), flown.speed))

    def _note(self, now: Moment, labels: Labels, seen: Seen) -> None:
        """Note where each arm is now, and has been since it came there."""
        first = not self._moments
        self._moments.append(now)
        for arm in numbers(labels):
            over, mine = self._over.setdefault(arm, _Over(labels.shape)), labels == arm
            over.note(now[0], mine, seen.bare_times)
            over.reach(now[0], mine & seen.within, first)


class _Over:
    """Where one arm has been: for each place the last time, s, and that since which it was not seen bare between."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        """It was nowhere yet in a working picture of this shape (h, w)."""
        self._last = np.full(shape, -np.inf)
        self._first = self._last.copy()
        self._now = 0
        self.looks = 0
        """In how many frames on end it was seen over the floor."""
        self.came = math.inf
        """When it came over the floor, s; -inf where it had been there before, inf where it did not."""

    def reach(self, t: float, floor: Mask, first: bool) -> None:
        """It is over so much of the floor (h, w) at `t`, s, which is the `first` look."""
        if np.count_nonzero(floor) < LEAST_OVER * LOCATOR_FACE_PX**2:
            self._now = 0
            return
        self._now += 1
        self.looks = max(self.looks, self._now)
        self.came = min(self.came, -math.inf if first else t)

    def note(self, t: float, arm: Mask, bare: Times) -> None:
        """It is there (h, w) at `t`, s; `bare`: when each place was last seen bare (h, w)."""
        self._first[arm & (self._last <= bare)] = t
        self._last[arm] = t

    def since(self, die: Resting, flew: float, bare: float, window: Window, sighted: float) -> float | None:
        """Since when it was over a die or touched it, after the place was bare; None where it did not, nor where it lay
        at that place before any `flew` and came no nearer, and hid nothing of the middle of the die since that was
        `sighted`, s: the die came to rest at it. What lies there trembles; nearer to a die sighted since its place was
        bare is what comes over that itself. What was over the floor before any flew, and leaves a die in sight, may but
        have looked like one with it as that flew past."""
        first, last = (window.part(noted, die.x, die.y, TOUCH_FACES) for noted in (self._first, self._last))
        over = last > (max(bare, sighted) if self.came < flew else bare)
        if not over.any() or float(over.mean()) <= TOUCH:
            return None
        trembles = sighted > bare and float((over & (first < flew)).mean()) > TOUCH
        came = (self._last > bare) & (self._first >= flew)
        lay = window.share(came, die.x, die.y, HALF_FACE if trembles else TOUCH_FACES) <= TOUCH
        in_sight = window.share(self._last > max(bare, sighted), die.x, die.y, MIDDLE_FACES) == 0
        return None if lay and in_sight else float(first[over].min())


def _behind(labels: Labels, free: Place, speed: Sequence[float]) -> list[int]:
    """Numbers of the arms (h, w) that are behind a die and, where they are several, near there, which was first free in
    a place, px, and flies on at such a speed."""
    rows, columns = np.nonzero(labels)
    arms, x, y = labels[rows, columns], free[0] - columns, free[1] - rows
    px, ahead = np.hypot(x, y), (x * speed[0] + y * speed[1]) / max(math.hypot(*speed), 1e-9)
    faces = np.where(ahead >= BEHIND * px, px / LOCATOR_FACE_PX, np.inf)
    away = {arm: float(faces[arms == arm].min()) for arm in numbers(labels)}
    within = min(FAR, max(NEAR, min(away.values()))) if len(away) > 1 else math.inf
    return [arm for arm, apart in away.items() if apart <= within and apart < math.inf]
