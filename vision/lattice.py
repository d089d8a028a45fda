"""The pips of a value as a lattice: whether peaks of the pip map lie as its pips do, and what else lies among them.

Every value is a part of one pattern: four corners, the middle, and the middles of two opposite sides. So what could
make a value a larger one lies in known places, and peaks elsewhere (on side faces, on other dice, of print between the
pips) need not make it doubtful.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

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

Places = Sequence[complex]


@dataclass(frozen=True, slots=True)
class Lattice:
    """Pips that lie as those of a value do, and by how much the weakest of them stands above what would add a pip."""

    pips: tuple[Pip, ...]
    margin: float


class Peaks:
    """The peaks of a pip map, strongest first, and the pairs of them that may lie opposite each other on a face."""

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
        self.pairs = [
            (i, j)
            for i, j in itertools.combinations(range(len(self.pips)), 2)
            if abs(self.middle(i, j)) < FARTHEST and EDGE[0] < abs(self.places[i] - self.places[j]) < DIAGONAL[1]
        ]

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
        found = ((self.weakest(chosen) - rival, chosen) for chosen, rival in _WAYS[value](self))
        margin, chosen = max(found, default=(0.0, ()))
        return Lattice(tuple(self.pips[i] for i in chosen), margin) if chosen else None


_Ways = Iterator[tuple[tuple[int, ...], float]]
"""Peaks that may be all pips of a value, with the height of what would make it another."""


def _ones(peaks: Peaks) -> _Ways:
    """Ones: a single pip tells nothing of where a face would have more, so any other peak is one too many."""
    for i, place in enumerate(peaks.places):
        if abs(place) < FARTHEST:
            yield (i,), max((pip.height for pip in peaks.pips if pip is not peaks.pips[i]), default=0.0)


def _twos(peaks: Peaks) -> _Ways:
    for pair in _diagonals(peaks):
        more = [peaks.height(peaks.middle(*pair), pair), *(peaks.height(c, pair) for c in _corners(peaks, pair))]
        yield pair, max(*more, _beside(peaks, pair), _crowd(peaks, pair, pair))


def _threes(peaks: Peaks) -> _Ways:
    for pair in _diagonals(peaks):
        middle = peaks.near(peaks.middle(*pair), pair)
        if middle is not None:
            three = (*pair, middle)
            more = [peaks.height(corner, three) for corner in _corners(peaks, pair)]
            yield three, max(*more, _beside(peaks, pair), _crowd(peaks, pair, three))


def _fours(peaks: Peaks) -> _Ways:
    for four in _quadrangles(peaks):
        yield four, max(peaks.height(_centre(peaks, four), four), _sides(peaks, four, four))


def _fives(peaks: Peaks) -> _Ways:
    for four in _quadrangles(peaks):
        middle = peaks.near(_centre(peaks, four), four)
        if middle is not None:
            yield (*four, middle), _sides(peaks, four, (*four, middle))


def _sixes(peaks: Peaks) -> _Ways:
    """Sixes: among more pips than six, as close together, nobody can tell which are theirs; but makers print signs
    between the rows, which are no pips."""
    for four in _quadrangles(peaks, NARROWEST_SIX):
        for a, b, c, d in (four, (*four[1:], four[0])):
            between = [peaks.near(peaks.middle(a, b), four), peaks.near(peaks.middle(c, d), four)]
            if between[0] is None or between[1] is None or between[0] == between[1]:
                continue
            six = (a, b, c, d, between[0], between[1])
            close = max(abs(peaks.places[a] - peaks.places[b]), abs(peaks.places[c] - peaks.places[d])) / 2
            but = (*six, *peaks.about(_centre(peaks, four), BETWEEN * close))
            yield six, max(peaks.height(peaks.places[i], but, CROWDED * close) for i in six)


_WAYS: dict[int, Callable[[Peaks], _Ways]] = {1: _ones, 2: _twos, 3: _threes, 4: _fours, 5: _fives, 6: _sixes}


def _diagonals(peaks: Peaks) -> Iterator[tuple[int, int]]:
    return (pair for pair in peaks.pairs if abs(peaks.places[pair[0]] - peaks.places[pair[1]]) >= DIAGONAL[0])


def _corners(peaks: Peaks, pair: tuple[int, int]) -> Places:
    """Where the other two corners of a face would be that has two opposite ones here, also if seen aslant."""
    across = (peaks.places[pair[0]] - peaks.places[pair[1]]) / 2 * 1j
    return [peaks.middle(*pair) + across * reach for reach in (1, 0.85, -1, -0.85)]


def _beside(peaks: Peaks, pair: tuple[int, int]) -> float:
    """How high two peaks stand with which a pair would be the corners of a four or a six, on either side."""
    along = peaks.places[pair[0]] - peaks.places[pair[1]]
    if abs(along) >= LONGEST_EDGE:
        return 0.0
    steps = [along * 1j * side * stretch for side in (1, -1) for stretch in STRETCHES]
    return max(min(peaks.height(peaks.places[i] + step, pair) for i in pair) for step in steps)


def _crowd(peaks: Peaks, pair: tuple[int, int], but: Sequence[int]) -> float:
    """How high the second of the peaks stands that lie within the circle about a diagonal, other than these."""
    reach = abs(peaks.places[pair[0]] - peaks.places[pair[1]]) / 2 + OFF
    middle = peaks.middle(*pair)
    heights = [p.height for i, p in enumerate(peaks.pips) if i not in but and abs(peaks.places[i] - middle) < reach]
    return sorted(heights, reverse=True)[1] if len(heights) > 1 else 0.0


def _quadrangles(peaks: Peaks, narrowest: float = NARROWEST) -> Iterator[tuple[int, int, int, int]]:
    """Peaks that may be the four corners of a face, in their order around it."""
    for (a, c), (b, d) in itertools.combinations(peaks.pairs, 2):
        if {a, c} & {b, d} or abs(peaks.middle(a, c) - peaks.middle(b, d)) > OFF:
            continue
        one, other = peaks.places[a] - peaks.places[c], peaks.places[b] - peaks.places[d]
        area = abs((one.conjugate() * other).imag) / 2
        if not EDGE[0] <= area**0.5 <= EDGE[1]:
            continue
        # The singular values' product is twice the area, and the sum of their squares that of the diagonals.
        if 2 * area / (abs(one) ** 2 + abs(other) ** 2) >= narrowest / (1 + narrowest**2):
            yield a, b, c, d


def _centre(peaks: Peaks, chosen: Sequence[int]) -> complex:
    return sum(peaks.places[i] for i in chosen) / len(chosen)


def _sides(peaks: Peaks, four: tuple[int, int, int, int], but: Sequence[int]) -> float:
    """How high the peaks between corners stand that would make a six: the weaker of two opposite ones."""
    a, b, c, d = (peaks.height(peaks.middle(i, j), but) for i, j in zip(four, (*four[1:], four[0]), strict=True))
    return max(min(a, c), min(b, d))
