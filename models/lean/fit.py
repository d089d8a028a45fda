"""Learns from drawn pairs of dice how what shows of two side by side tells that one leans on the other."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firmware.commands.simulate import calibrated
from models.lean.measure import AT_DIE, judged
from models.lean.scenes import PAIR, Laid, Still, draw, lay
from models.training.progress import Progress
from models.tray.errors import TrayError
from vision.evidence import all_evidence
from vision.lean import as_likely
from vision.network import Networks
from vision.pairs import cues, side_by_side

Array = NDArray[np.float64]
Say = Callable[[str], None]

DOUBTED = 1 / 40
"""Share of flat pairs that may be taken for leaning ones: chosen; so many more are asked about."""
STEPS = 30
"""Of Newton's method: chosen, a few are enough."""
RIDGE = 1.0
"""Of the weights of cues that are scaled alike: against pairs that tell too much."""
FEWEST = 20
"""Pairs of a kind that tell anything."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights of `vision.pairs`, the sum from which a die may lean, and how many pairs they come from."""

    weights: tuple[float, ...]
    bound: float
    flat: int
    leaning: int
    missed: int

    def in_words(self) -> str:
        """Two lines for `vision/pairs.py`, and what they were learnt from."""
        weights = ", ".join(f"{weight:.2f}" for weight in self.weights)
        pairs = f"{self.flat} flat and {self.leaning} leaning pairs, of which {self.missed} are not doubted"
        return f"{pairs}\nWEIGHTS = ({weights})\nMAY_LEAN = {self.bound:.2f}"


def fit(networks: Networks, seeds: Sequence[int], say: Say) -> Fitted:
    """Draw, read and learn. Raises TrayError where so few seeds tell nothing."""
    progress, told = Progress("seeds", len(seeds), 0, say), list[tuple[Array, bool]]()
    for done, seed in enumerate(seeds, start=1):
        for kind in (PAIR, "on_die"):
            told += _told(networks, lay(kind, seed, 0))
        progress.at(done)
    leans = np.array([leaning for _, leaning in told], np.bool_)
    if min(leans.sum(), (~leans).sum()) < FEWEST:
        raise TrayError(f"{len(seeds)} seeds show too few pairs of dice to learn from: give at least {FEWEST}")
    seen = np.array([suggests for suggests, _ in told])
    weights = regress(seen, leans)
    sums = seen @ weights[:-1] + weights[-1]
    bound = float(np.quantile(sums[~leans], 1 - DOUBTED))
    missed = int(np.count_nonzero(sums[leans] <= bound))
    return Fitted(tuple(weights.tolist()), bound, int((~leans).sum()), int(leans.sum()), missed)


def _told(networks: Networks, still: Still) -> Iterator[tuple[Array, bool]]:
    """What suggests of each of a picture's pairs that one leans on the other, and whether it does."""
    geometry, picture = calibrated(still.setting).geometry, draw(still)
    readings = as_likely([die.reading for die, _ in judged(networks, geometry, picture)])
    seen, pairs = all_evidence(picture, geometry, readings), side_by_side(geometry, readings)

    def found(die: Laid) -> int | None:
        place = still.top_px(die)
        far = [math.dist(reading.centre, place) for reading in readings]
        near = [index for index, away in enumerate(far) if away < AT_DIE * geometry.face_px(*place)]
        return min(near, key=lambda index: far[index], default=None)

    for one, other in zip(still.dice[:-1:2], still.dice[1::2], strict=True):
        mine, its = found(one), found(other)
        if mine is None or its is None or not {(mine, its), (its, mine)}.intersection(pairs):
            continue
        suggests = cues(geometry, readings, seen, mine, its)
        if suggests is not None:
            yield suggests, other.kind == "on_die"


def regress(seen: Array, leans: NDArray[np.bool_]) -> Array:
    """(m + 1,) the weights of cues (n, m) and a constant: a logistic regression by Newton's method."""
    middle, spread = seen.mean(axis=0), seen.std(axis=0)
    scaled = np.column_stack([(seen - middle) / spread, np.ones(len(seen))])
    ridge = np.diag([*[RIDGE] * seen.shape[1], 0.0])
    weights = np.zeros(scaled.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-np.clip(scaled @ weights, -30, 30)))
        slope = scaled.T @ (leans - likely) - ridge @ weights
        bend = (scaled * (likely * (1 - likely))[:, None]).T @ scaled + ridge
        weights = weights + np.linalg.solve(bend, slope)
    own = weights[:-1] / spread
    return np.append(own, weights[-1] - float(own @ middle))
