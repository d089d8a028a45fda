"""The pips of a value as a lattice: whether peaks of the pip map lie as its pips do, and what else lies among them.

Every value is a part of one pattern: four corners, the middle, and the middles of two opposite sides. So what could
make a value a larger one lies in known places, and peaks elsewhere (on side faces, on other dice, of print between the
pips) need not make it doubtful.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from vision.face import Pip

WEAKEST = 0.06
"""Lower peaks of the pip map are none."""
APART = 0.1
"""Peaks nearer than this, in faces, are one pip."""
OFF = 0.09
"""How far, in faces, a pip may lie from where the others put it."""
FARTHEST = 0.45
"""How far, in faces, the middle of a face may lie from that of the crop."""
DIAGONAL = (0.36, 1.35)
"""Faces between the pips of a two: as the die's maker likes it, and with a size that is not quite known. Of 328 twos of
two sources one in fifty has them .38 faces apart or nearer."""
EDGE = (0.28, 0.95)
"""Faces between two neighbouring corners of a four."""
LONGEST_EDGE = 0.85
"""Faces between pips farther apart than which no two are on one edge of a four or six."""
NARROWEST = 0.55
"""Least ratio of the diagonals' singular values: a face seen aslant is foreshortened..."""
NARROWEST_SIX = 0.4
"""...and a six oblong besides: on some dice its rows are .58 times as far apart as they are long."""
CROWDED = 1.1
"""A pip this many times as far from one of a six as the next in its row is one too many..."""
BETWEEN = 0.7
"""...but not between its rows, nearer to its middle than this many times as far: no value has seven pips."""
STRETCHES = (0.5, 0.8, 1.0, 1.25)
"""Where pips may lie across from an edge of a four or a row of a six, in multiples of its length."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Pips that lie as those of a value do, and by how much the weakest of them stands above what would add a pip."""

    pips: tuple[Pip, ...]
    margin: float


Chosen = tuple[int, ...]
"""Peaks that may be all pips of a value, by their numbers; the corners first, in their order around the face."""


class Pair(NamedTuple):
    """Two peaks that may lie opposite each other on a face: their numbers, where halfway is, and the way between."""

    first: int
    second: int
    middle: complex
    way: complex


class Peaks:
    """The peaks of a pip map, strongest first, and how they may lie on a face."""

    def __init__(self, pips: Sequence[Pip]) -> None:
        """Take the peaks that can be told apart."""
        self._lattices: dict[int, Lattice | None] = {}
        self.pips: list[Pip] = []
        self.places: list[complex] = []
        for pip in pips:
            place = complex(pip.x, pip.y)
            if pip.height > WEAKEST and all(abs(place - other) > APART for other in self.places):
                self.pips.append(pip)
                self.places.append(place)
        every = (
            Pair(i, j, self.middle(i, j), self.places[i] - self.places[j])
            for i, j in itertools.combinations(range(len(self.pips)), 2)
        )
        self.pairs = [pair for pair in every if abs(pair.middle) < FARTHEST and EDGE[0] < abs(pair.way) < DIAGONAL[1]]

    @cached_property
    def quadrangles(self) -> list[tuple[float, Chosen]]:
        """Peaks that may be the four corners of a face, in their order around it, and how far from oblong they lie: two
        times their area over the sum of their diagonals' squares, .5 for a square."""
        found: list[tuple[float, Chosen]] = []
        for (a, c, middle, one), (b, d, beside, other) in itertools.combinations(self.pairs, 2):
            if abs(middle - beside) > OFF or a in (b, d) or c in (b, d):
                continue
            area = abs((one.conjugate() * other).imag) / 2
            if EDGE[0] <= area**0.5 <= EDGE[1]:
                found.append((2 * area / (abs(one) ** 2 + abs(other) ** 2), (a, b, c, d)))
        return found

    def middle(self, i: int, j: int) -> complex:
        """Halfway between two peaks."""
        return (self.places[i] + self.places[j]) / 2

    def weakest(self, chosen: Sequence[int]) -> float:
        """Height of the weakest of some peaks."""
        return min(self.pips[i].height for i in chosen)

    def near(self, place: complex, but: Sequence[int]) -> int | None:
        """The peak at a place, if there is one other than these."""
        gaps = [(abs(other - place), i) for i, other in enumerate(self.places) if i not in but]
        gap, nearest = min(gaps, default=(OFF, 0))
        return nearest if gap < OFF else None

    def height(self, place: complex, but: Sequence[int], off: float = OFF) -> float:
        """Height of the highest peak at a place, other than these; 0 where there is none."""
        heights = (p.height for i, p in enumerate(self.pips) if i not in but and abs(self.places[i] - place) < off)
        return max(heights, default=0.0)

    def about(self, place: complex, off: float) -> list[int]:
        """The peaks about a place."""
        return [i for i, other in enumerate(self.places) if abs(other - place) < off]

    def lattice(self, value: int) -> Lattice | None:
        """The most certain of the ways in which peaks lie as the pips of a value, 1 to 6; sought once."""
        if value not in self._lattices:
            self._lattices[value] = self._sought(value)
        return self._lattices[value]

    def _sought(self, value: int) -> Lattice | None:
        ways, rival = _WAYS[value]
        best: tuple[float, Chosen] | None = None
        for chosen in ways(self):
            weakest = self.weakest(chosen)
            if best is None or weakest >= best[0]:  # else it is less certain whatever lies beside
                told = weakest - rival(self, chosen), chosen
                best = told if best is None else max(best, told)
        return None if best is None else Lattice(tuple(self.pips[i] for i in best[1]), best[0])


def _ones(peaks: Peaks) -> Iterator[Chosen]:
    return ((i,) for i, place in enumerate(peaks.places) if abs(place) < FARTHEST)


def _beside_one(peaks: Peaks, one: Chosen) -> float:
    """A single pip tells nothing of where a face would have more, so any other peak is one too many."""
    return max((pip.height for i, pip in enumerate(peaks.pips) if i not in one), default=0.0)


def _twos(peaks: Peaks) -> Iterator[Chosen]:
    return ((pair.first, pair.second) for pair in peaks.pairs if abs(pair.way) >= DIAGONAL[0])


def _beside_two(peaks: Peaks, two: Chosen) -> float:
    return max(peaks.height(peaks.middle(*two), two), _beside_diagonal(peaks, two, two))


def _threes(peaks: Peaks) -> Iterator[Chosen]:
    for two in _twos(peaks):
        middle = peaks.near(peaks.middle(*two), two)
        if middle is not None:
            yield (*two, middle)


def _beside_three(peaks: Peaks, three: Chosen) -> float:
    return _beside_diagonal(peaks, three[:2], three)


def _fours(peaks: Peaks, narrowest: float = NARROWEST) -> Iterator[Chosen]:
    # The singular values' product is twice the area, and the sum of their squares that of the diagonals.
    return (four for even, four in peaks.quadrangles if even >= narrowest / (1 + narrowest**2))


def _beside_four(peaks: Peaks, four: Chosen) -> float:
    return max(peaks.height(_centre(peaks, four), four), _sides(peaks, four, four))


def _fives(peaks: Peaks) -> Iterator[Chosen]:
    for four in _fours(peaks):
        middle = peaks.near(_centre(peaks, four), four)
        if middle is not None:
            yield (*four, middle)


def _beside_five(peaks: Peaks, five: Chosen) -> float:
    return _sides(peaks, five[:4], five)


def _sixes(peaks: Peaks) -> Iterator[Chosen]:
    for four in _fours(peaks, NARROWEST_SIX):
        for a, b, c, d in (four, (*four[1:], four[0])):
            between = [peaks.near(peaks.middle(a, b), four), peaks.near(peaks.middle(c, d), four)]
            if between[0] is not None and between[1] is not None and between[0] != between[1]:
                yield a, b, c, d, between[0], between[1]


def _beside_six(peaks: Peaks, six: Chosen) -> float:
    """Among more pips than six, as close together, nobody can tell which are theirs; but makers print signs between the
    rows, which are no pips."""
    a, b, c, d = six[:4]
    close = max(abs(peaks.places[a] - peaks.places[b]), abs(peaks.places[c] - peaks.places[d])) / 2
    but = (*six, *peaks.about(_centre(peaks, six[:4]), BETWEEN * close))
    return max(peaks.height(peaks.places[i], but, CROWDED * close) for i in six)


_WAYS: dict[int, tuple[Callable[[Peaks], Iterator[Chosen]], Callable[[Peaks, Chosen], float]]] = {
    1: (_ones, _beside_one),
    2: (_twos, _beside_two),
    3: (_threes, _beside_three),
    4: (_fours, _beside_four),
    5: (_fives, _beside_five),
    6: (_sixes, _beside_six),
}
"""Of each value, which peaks may be all its pips, and how high that stands beside them which would make it another."""


def _beside_diagonal(peaks: Peaks, pair: Chosen, but: Chosen) -> float:
    """How high the peaks, other than these, stand that would make a pair's diagonal that of a larger value."""
    corners = (peaks.height(corner, but) for corner in _corners(peaks, pair))
    return max(*corners, _beside_edge(peaks, pair), _crowd(peaks, pair, but))


def _corners(peaks: Peaks, pair: Chosen) -> Sequence[complex]:
    """Where the other two corners of a face would be that has two opposite ones here, also if seen aslant."""
    across = (peaks.places[pair[0]] - peaks.places[pair[1]]) / 2 * 1j
    return [peaks.middle(*pair) + across * reach for reach in (1, 0.85, -1, -0.85)]


def _beside_edge(peaks: Peaks, pair: Chosen) -> float:
    """How high two peaks stand with which a pair would be the corners of a four or a six, on either side."""
    along = peaks.places[pair[0]] - peaks.places[pair[1]]
    if abs(along) >= LONGEST_EDGE:
        return 0.0
    steps = [along * 1j * side * stretch for side in (1, -1) for stretch in STRETCHES]
    return max(min(peaks.height(peaks.places[i] + step, pair) for i in pair) for step in steps)


def _crowd(peaks: Peaks, pair: Chosen, but: Chosen) -> float:
    """How high the second of the peaks stands that lie within the circle about a diagonal, other than these."""
    reach = abs(peaks.places[pair[0]] - peaks.places[pair[1]]) / 2 + OFF
    middle = peaks.middle(*pair)
    heights = [p.height for i, p in enumerate(peaks.pips) if i not in but and abs(peaks.places[i] - middle) < reach]
    return sorted(heights, reverse=True)[1] if len(heights) > 1 else 0.0


def _centre(peaks: Peaks, chosen: Sequence[int]) -> complex:
    return sum(peaks.places[i] for i in chosen) / len(chosen)


def _sides(peaks: Peaks, four: Chosen, but: Chosen) -> float:
    """How high the peaks between corners stand that would make a six: the weaker of two opposite ones."""
    a, b, c, d = (peaks.height(peaks.middle(i, j), but) for i, j in zip(four, (*four[1:], four[0]), strict=True))
    return max(min(a, c), min(b, d))
