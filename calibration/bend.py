"""How much the lens bends above a round floor, which is seen as a circle through any: told by a board or dice's pips.

Pips lie on a square grid that is the same on all dice of a set: seen through the right lens it is square and as large
in the middle of the floor as at its wall. Where pips do not tell, lengths are in doubt: through another lens all within
the circle is larger or smaller.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration.board import Board
from calibration.fit import DOUBT_PX, FINE_PX, K2_OF_K1, fit
from calibration.pips import Diagonals
from calibration.shape import Points, View, mm_per_px, try_lens
from calibration.trace import Outline
from vision.lens import Lens

BENDS = np.linspace(-0.36, 0.12, 25)
"""k1 of the lenses that are tried."""
LENSES = ((0.85, -0.03, 0.04), (0.15, -0.2, 0.08))
"""What lenses there are: shares, mean and spread of k1 of usual and of wide ones."""
LARGER, OBLONG = 0.004, 0.006
"""Spreads of what pips' places in pictures make of a grid: by which shares one looks larger than others, and oblong."""
FAR = 2.0
"""From so many spreads on something else was taken for a pip more likely, or a die is of another set."""
LIKELIEST, OUTLINE = 2.5, 0.003
"""Spreads, and a share by which the outline is off: 28 of 29 scales by floors were as near, 11 of them through wide
lenses, in a trial with drawn set-ups that no command repeats."""


@dataclass(frozen=True, slots=True)
class Bend:
    """The view with the bend that is likeliest, the dice's edge in it, and the shares by which lengths may be off at
    most in 19 of 20 set-ups because nobody knows it: the scale by the floor's width, or by the board, and by the dice,
    and the dice's edge in half widths."""

    view: View
    edge: float
    by_length: float
    by_dice: float
    of_dice: float


def bend(
    outline: Outline,
    size: tuple[int, int],
    dice: Sequence[Diagonals],
    places: Points,
    edge: float,
    board: Board | None = None,
) -> Bend | None:
    """The bend of a lens that sees a round floor, by the pips of dice and a board that lay there; `places` (n, 2) of
    all dice on the floor and their edge are in half widths in the outline's view. None where no lens is like that."""
    tried = list(_bent(outline, size))
    if not tried:
        return None
    seen = outline.view.lens(size).project(places, edge)
    before = outline.view.lens(size).px_per_mm(seen, edge)
    bends = np.array([view.k1 for view, *_ in tried])
    odd = np.array([off + unlike(dice, lens, edge) for _, lens, off in tried]) - 2 * np.log(_common(bends))
    odd += np.array([board.unlike(lens) if board is not None else 0.0 for _, lens, _ in tried])
    shares = np.exp(-0.5 * (odd - odd.min()))
    shares /= shares.sum()
    k1 = float(shares @ bends)
    start = tried[int(np.abs(bends - k1).argmin())][0]
    view, _ = _held(replace(outline, view=start), size, k1)
    now = edge * _grown(before, view.lens(size), seen, edge)
    units = np.log([mm_per_px(lens) for _, lens, _ in tried])
    sizes = np.log([edge * _grown(before, lens, seen, edge) for _, lens, _ in tried])
    told = units if board is None else units + np.log([board.unit_mm(lens) for _, lens, _ in tried])
    by_length, by_dice, of_dice = (LIKELIEST * _spread(shares, each) for each in (told, units - sizes, sizes))
    return Bend(view, now, math.hypot(by_length, OUTLINE if board is None else 0.0), by_dice, of_dice)


def unlike(dice: Sequence[Diagonals], lens: Lens, edge: float) -> float:
    """How ill the pips fit square grids of one size through a lens: a sum of squared spreads, in which those far off
    count little. A six may have a grid of its own."""
    sizes: tuple[list[float], list[float]] = ([], [])
    off: list[float] = []
    for die in dice:
        ends = lens.to_floor(die.px.reshape(-1, 2), edge).reshape(die.px.shape)
        ways = ends[:, 1] - ends[:, 0]
        squared = (ways**2).sum(1)
        sizes[die.value == 6].append(0.5 * math.log(float(squared.mean())))
        if die.value in (4, 5):
            off += (np.array([squared[0] - squared[1], 2 * ways[0] @ ways[1]]) / (OBLONG * squared.sum())).tolist()
    for alike in sizes:
        off += _from_middle(np.array(alike)).tolist() if len(alike) > 1 else []
    return float(FAR**2 * np.log1p((np.array(off) / FAR) ** 2).sum())


def _from_middle(sizes: Points) -> Points:
    """How many spreads logarithms of sizes (n,) lie from their middle, on which those far off hardly weigh."""
    middle = float(np.median(sizes))
    for _ in range(10):
        weights = 1 / (1 + ((sizes - middle) / (FAR * LARGER)) ** 2)
        middle = float(weights @ sizes / weights.sum())
    return np.asarray((sizes - middle) / LARGER, np.float64)


def _grown(before: Points, lens: Lens, seen: Points, edge: float) -> float:
    """By which factor dice are larger through another lens that are seen at px (n, 2), where `before` (n,) px were one
    unit."""
    return float(np.exp(np.median(np.log(before / lens.px_per_mm(seen, edge)))))


def _bent(outline: Outline, size: tuple[int, int]) -> Iterator[tuple[View, Lens, float]]:
    """The views that show the outline so through every lens, and how ill each does; from the one found outward."""
    more = outline.view.k1 <= BENDS
    for bends in (BENDS[more], BENDS[~more][::-1]):
        now = outline
        for k1 in bends:
            view, offsets = _held(now, size, float(k1))
            lens = try_lens(view, size)
            if lens is None:
                break
            now = replace(now, view=view)
            yield view, lens, float((np.clip(offsets, -FINE_PX, FINE_PX) ** 2).mean()) / DOUBT_PX**2


def _held(outline: Outline, size: tuple[int, int], k1: float) -> tuple[View, Points]:
    """The view through a lens that bends so, and how far the outline's edges lie off the shape in it, px."""
    k2 = outline.view.k2 + K2_OF_K1 * (k1 - outline.view.k1)
    start = replace(outline.view, k1=k1, k2=k2)
    return fit(outline.kind, outline.points, size, start, free_lens=False, huber_px=FINE_PX)


def _common(bends: Points) -> npt.NDArray[np.float64]:
    """How common lenses are that bend so."""
    kinds = (share / spread * np.exp(-0.5 * ((bends - mean) / spread) ** 2) for share, mean, spread in LENSES)
    return np.asarray(sum(kinds), np.float64)


def _spread(shares: Points, values: Points) -> float:
    mean = float(shares @ values)
    return math.sqrt(float(shares @ (values - mean) ** 2))
