"""The size of dice that lie flat on the floor, by how all of them are seen together; and the camera's pose by it.

How far a die's top is nearer to the camera than the floor, and which of its sides are seen, depends on where the camera
stands. The floor's outline tells that only in part: a circle is seen alike from two sides, and a camera straight
above says nothing of its height. So the dice and the outline are fitted at once; but where the tray's rim tells how the
camera stands, that is kept: dice that are taken for larger than they are make it stand elsewhere.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration.cube import see
from calibration.fit import DOUBT_PX, fit, unusual
from calibration.shape import Points, View, distance, mm_per_px, packed, try_lens, unpacked
from calibration.sides import Image, Lying, Strips, strips, unlike
from calibration.trace import Outline
from vision.lens import Lens

ROUNDED, ROUNDED_SPREAD, ROUNDEST = 0.06, 0.03, 0.2
"""Radius of dice's edges, in edges, mean and spread, and the most there is."""
EDGE_SPREAD, PLACE_SPREAD, TURN_SPREAD = 0.05, 0.06, 0.07
"""Shares of the edge by which readings tell a die's size and place, and radians by which they tell its turn."""
BLUR, BLUR_SPREAD, MOST_BLUR = 0.8, 0.3, (0.3, 3.0)
"""Px of blur, mean and spread of its logarithm, and bounds."""
FAR_PX, OUTLINE_PX = 0.5, DOUBT_PX
"""An edge of the outline farther off is more likely something else's; by so much all together may be off."""
TRUST = 0.18
"""Weight of strips beside all else: what is wrong in one place of a die is wrong beside it."""
ROUNDS, FIRST_BLUR = 3, 1.6
DOUBT = 0.05
"""How round dice are, and how their rounded edges shine, cannot be told apart from their size any better by profiles
across them in pictures in which a face has 20 to 30 px."""
FIT_STEPS, SETTLED = 12, 1e-4
FREE, HEIGHT, SHARED = 3, 4, 13
"""Of what all dice share: logarithm of the edge, rounding, logarithm of the blur; then the view, its height second."""
NUDGES = np.array([2e-4, 2e-3, 2e-2, *[2e-4] * 7, 2e-2, 2e-2, 2e-4])
OWN_NUDGES = (3e-4, 3e-4, 3e-3)
"""Of poses, half widths and radians."""


@dataclass(frozen=True, slots=True)
class Measured:
    """An edge of the dice, in half widths of the tray, the view in which they were seen so, their poses (n, 3) there,
    how ill all of it fits a die, and the share by which the edge is off at most in 19 of 20 simulated set-ups."""

    edge: float
    view: View
    poses: Points
    misfit: float
    doubt: float = DOUBT


@dataclass(frozen=True, slots=True)
class State:
    """What is fitted: what all share (13,), the dice's poses (n, 3)."""

    shared: Points
    poses: Points

    @property
    def view(self) -> View:
        return unpacked(self.shared[FREE:])


def measure_dice(dice: Sequence[Lying], empty: Image, outline: Outline, height_known: bool = False) -> Measured | None:
    """The dice's edge; `empty` is the tray's picture without them, BGR, `outline` its floor's. None without dice."""
    if not dice:
        return None
    found = [_Fit(dice, empty, replace(outline, view=view), height_known).measured() for view in _views(outline, empty)]
    return min(found, key=lambda measured: measured.misfit)


def _views(outline: Outline, empty: Image) -> list[View]:
    """The views that show the outline so: of a circle without a rim also the one from the other side."""
    view = outline.view
    if outline.kind != "round" or outline.whole:
        return [view]
    over = replace(view, tilt=(-view.tilt[0], -view.tilt[1]))
    return [view, fit("round", outline.points, (empty.shape[1], empty.shape[0]), over)[0]]


class _Fit:
    """Levenberg and Marquardt's method over all dice and the view at once: a pose moves its own die only."""

    def __init__(self, dice: Sequence[Lying], empty: Image, outline: Outline, height_known: bool) -> None:
        self._dice, self._empty, self._outline = dice, empty, outline
        self._size = (empty.shape[1], empty.shape[0])
        lens = outline.view.lens(self._size)
        edge = float(np.median([die.face_px for die in dice])) * mm_per_px(lens)
        edge *= 1 - edge / lens.place[2]
        self._edge = edge
        self._poses = np.array([_lies(die, lens, edge) for die in dice])
        self._view = packed(outline.view)
        self._free = np.ones(SHARED, bool)
        self._free[9], self._free[12] = outline.kind != "round", outline.kind == "rectangle"
        self._free[FREE:] &= not outline.whole
        self._free[HEIGHT] &= not height_known

    def measured(self) -> Measured:
        """What fits best."""
        state = State(np.array([math.log(self._edge), ROUNDED, math.log(FIRST_BLUR), *self._view]), self._poses)
        misfit = math.inf
        for number in range(ROUNDS):
            free = self._free if number else np.isin(np.arange(SHARED), (0, 2))
            if number == 1:
                state.shared[2] = math.log(BLUR)
            lens = state.view.lens(self._size)
            seen = see(lens, state.poses, math.exp(state.shared[0]), float(state.shared[1]))
            state, misfit = self._fitted(state, strips(self._dice, self._empty, seen), free)
        return Measured(math.exp(state.shared[0]), state.view, state.poses, misfit / len(self._dice))

    def _fitted(self, state: State, found: Strips, free: npt.NDArray[np.bool_]) -> tuple[State, float]:
        """The state that fits these strips best, and what is left."""
        own, shared = self._own(state, found), self._shared(state)
        places, count = np.nonzero(free)[0], len(state.poses)
        damping = 1e-3
        for _ in range(FIT_STEPS):
            slopes = np.zeros((own.size + len(shared), len(places) + 3 * count))
            for column, place in enumerate(places):
                step = np.where(np.arange(SHARED) == place, NUDGES, 0.0)
                moved = State(state.shared + step, state.poses)
                slopes[: own.size, column] = ((self._own(moved, found) - own) / NUDGES[place]).ravel()
                slopes[own.size :, column] = (self._shared(moved) - shared) / NUDGES[place]
            for k, nudge in enumerate(OWN_NUDGES):
                moved = State(state.shared, state.poses + nudge * np.eye(3)[k])
                off = (self._own(moved, found) - own) / nudge
                for die in range(count):
                    rows = slice(die * own.shape[1], (die + 1) * own.shape[1])
                    slopes[rows, len(places) + 3 * die + k] = off[die]
            here = np.concatenate([own.ravel(), shared])
            normal, pull = slopes.T @ slopes, slopes.T @ here
            for _ in range(7):
                change = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -pull)
                moved = _changed(state, places, change)
                if try_lens(moved.view, self._size) is not None:
                    own, shared = self._own(moved, found), self._shared(moved)
                    left = float((own**2).sum() + (shared**2).sum())
                    if left < here @ here:
                        break
                damping *= 6
            else:
                return state, float(here @ here)
            state, damping = moved, max(damping / 8, 1e-9)
            if left > (1 - SETTLED) * (here @ here):
                break
        return state, left

    def _own(self, state: State, found: Strips) -> Points:
        """(n, m) residuals of each die: its strips, and how far it lies from where it was read."""
        seen = see(state.view.lens(self._size), state.poses, math.exp(state.shared[0]), float(state.shared[1]))
        off = state.poses - self._poses
        place = PLACE_SPREAD * self._edge
        odd = off / np.array([place, place, TURN_SPREAD])
        return TRUST * np.concatenate([unlike(found, seen, math.exp(state.shared[2])), odd], axis=1)

    def _shared(self, state: State) -> Points:
        """Residuals of what all dice share: the outline, and how unusual lens, edge, rounding and blur are."""
        outline, view = self._outline, state.view
        edge, rounding, blur = state.shared[:FREE]
        beyond = distance(outline.kind, view.ratio, view.lens(self._size).to_floor(outline.points)) * view.scale
        off = FAR_PX * np.sqrt(np.log1p((beyond / FAR_PX) ** 2)) * np.sign(beyond)
        odd = [
            (edge - math.log(self._edge)) / EDGE_SPREAD,
            (rounding - ROUNDED) / ROUNDED_SPREAD,
            (blur - math.log(BLUR)) / BLUR_SPREAD,
        ]
        return np.concatenate([off / (OUTLINE_PX * math.sqrt(len(off))), unusual(view, 1) / DOUBT_PX, odd])


def _changed(state: State, places: npt.NDArray[np.intp], change: Points) -> State:
    """The state moved by `change`, within what there is."""
    shared = state.shared.copy()
    shared[places] += change[: len(places)]
    shared[1] = np.clip(shared[1], 0.005, ROUNDEST)
    shared[2] = np.clip(shared[2], *np.log(MOST_BLUR))
    return State(shared, state.poses + change[len(places) :].reshape(-1, 3))


def _lies(die: Lying, lens: Lens, edge: float) -> tuple[float, float, float]:
    """The die's place on the floor and its turn there, as the reader saw them."""
    turned = math.radians(die.angle)
    middle, ahead = lens.to_floor(
        [(die.x, die.y), (die.x + 5 * math.cos(turned), die.y + 5 * math.sin(turned))], edge
    ).tolist()
    return middle[0], middle[1], math.atan2(ahead[1] - middle[1], ahead[0] - middle[0])
