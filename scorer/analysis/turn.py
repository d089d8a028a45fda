"""One turn as a lattice: what a throw gives to the dice kept, and which dice are best kept of a roll.

The dice that may be kept are the multisets of up to all dice, 462 of five. Keeping some is worth the mean over the face
of one die more, so each keep rests on its six successors; the best keep of a roll is the roll itself or the best one of
the roll less a die (J. Glenn, An Optimal Strategy for Yahtzee, CS-TR-0002, 2006, section 4).
Many cards are worked on at once: in an array of nodes the rows are keeps, the rolls last, and each column is a card.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, pairwise
from math import factorial, prod

import numpy as np
import numpy.typing as npt

from scorer.dice import FACES, Dice

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]
Keeps = npt.NDArray[np.int16]

EQUAL = 1e-9
"""Points: values closer than this are the same, and differ by rounding only."""


@dataclass(frozen=True, eq=False, repr=False)
class Lattice:
    """The keeps of some dice, fewest dice first; `row` says where each is.

    `chance` is that of each roll when all dice are thrown. `levels` are the rows of the keeps of each size, and
    `successors[size][face - 1]` the rows of the keeps of `size` dice with that face added, in their order.
    """

    keeps: tuple[Dice, ...]
    row: Mapping[Dice, int]
    chance: Floats
    levels: tuple[slice, ...]
    successors: tuple[tuple[Rows, ...], ...]

    @property
    def of_rolls(self) -> slice:
        """The rows that are rolls of all dice."""
        return self.levels[-1]

    @property
    def rolls(self) -> tuple[Dice, ...]:
        """Every roll of all dice, its values ascending."""
        return self.keeps[self.of_rolls]

    def nodes(self, width: int) -> Floats:
        """An array of nodes for so many cards, its contents undefined."""
        return np.empty((len(self.keeps), width))

    def expect(self, nodes: Floats) -> None:
        """From the values of the rolls, in place, the mean value of every keep when the other dice are thrown."""
        for level, successors in reversed(list(zip(self.levels, self.successors, strict=False))):
            mean = nodes[level]
            spare = np.empty_like(mean)
            nodes.take(successors[0], axis=0, out=mean, mode="clip")
            for rows in successors[1:]:
                mean += nodes.take(rows, axis=0, out=spare, mode="clip")
            mean *= 1 / len(FACES)

    def improve(self, nodes: Floats) -> None:
        """From the values of the keeps, in place, the value of the best keep that is part of each."""
        for level, successors in zip(self.levels, self.successors, strict=False):
            fewer = nodes[level]
            spare = np.empty_like(fewer)
            for rows in successors:
                nodes.take(rows, axis=0, out=spare, mode="clip")
                nodes[rows] = np.maximum(fewer, spare, out=spare)

    def choose(self, nodes: Floats) -> Keeps:
        """As `improve`, and the row of each roll's best keep: (rolls, cards). Of equal ones it is that of most dice."""
        best = np.repeat(np.arange(len(self.keeps), dtype=np.int16)[:, None], nodes.shape[1], axis=1)
        for level, successors in zip(self.levels, self.successors, strict=False):
            for rows in successors:
                value, keep = nodes[rows], best[rows]
                np.copyto(keep, best[level], where=nodes[level] > value + EQUAL)
                nodes[rows], best[rows] = np.maximum(value, nodes[level], out=value), keep
        return best[self.of_rolls]

    def throw(self, nodes: Floats) -> None:
        """From the chances of the keeps, in place, those of the rolls when the other dice are thrown.

        What the nodes of fewer dice hold afterwards has no meaning.
        """
        for level, successors in zip(self.levels, self.successors, strict=False):
            share = nodes[level] * (1 / len(FACES))
            for rows in successors:
                nodes[rows] += share


@cache
def lattice(dice: int) -> Lattice:
    """The lattice of so many dice."""
    sizes = [tuple(combinations_with_replacement(FACES, size)) for size in range(dice + 1)]
    keeps = tuple(keep for of_size in sizes for keep in of_size)
    row = {keep: number for number, keep in enumerate(keeps)}
    ends = [row[of_size[0]] for of_size in sizes] + [len(keeps)]
    return Lattice(
        keeps=keeps,
        row=row,
        chance=np.array([_ways(roll) / len(FACES) ** dice for roll in sizes[-1]]),
        levels=tuple(slice(first, end) for first, end in pairwise(ends)),
        successors=tuple(
            tuple(np.array([row[tuple(sorted((*keep, face)))] for keep in of_size]) for face in FACES)
            for of_size in sizes[:-1]
        ),
    )


def _ways(roll: Dice) -> int:
    """In how many ways the dice of a roll can lie."""
    return factorial(len(roll)) // prod(factorial(count) for count in Counter(roll).values())
