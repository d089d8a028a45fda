"""The exact value of optimal solitaire play: what every standing at the start of a turn may still bring on average.

Standings are worked through from full cards to the empty one, all of one number of filled boxes together. A standing's
value is that of the best play of one turn, where a roll in a box is worth what it earns and the standing that follows
(T. Verhoeff, Optimal Solitaire Yahtzee Strategies, 1999; J. Glenn, An Optimal Strategy for Yahtzee, CS-TR-0002, 2006).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scorer.analysis.earnings import Earnings, counted, standing
from scorer.analysis.moves import Group, Moves
from scorer.analysis.turn import Floats
from scorer.card import Card, totals
from scorer.rules import Ruleset

_WIDTH = 512
"""Standings worked on at once: as many as keep the arrays of a turn in a processor's cache."""


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """The mean points that optimal play still brings, at the start of a turn.

    `values` is (sets of filled boxes, states of the Yahtzee box, upper totals), as in `Standing`; NaN where no card
    stands.
    """

    rules: Ruleset
    values: Floats

    @property
    def expected(self) -> float:
        """The mean total of a whole game."""
        return float(self.values[0, 0, 0])

    @property
    def reachable(self) -> int:
        """How many standings there are, full cards included."""
        return int(np.count_nonzero(~np.isnan(self.values)))

    def final(self, card: Card) -> float:
        """The mean total that a card comes to."""
        sums, place = totals(self.rules, card), standing(self.rules, card)
        alone = sum(
            counted(self.rules, box, card.points[box.name])
            for box in self.rules.boxes
            if box.section == "middle" and box.name in card
        )
        so_far = sums.total - sums.columns[0].middle + alone
        return so_far + float(self.values[place.filled, int(place.full), place.upper])


def solve(earn: Earnings) -> Solution:
    """Work out every value."""
    moves = Moves(earn)
    values = moves.unknown()
    *layers, full = [moves.layer(boxes) for boxes in range(len(earn.rules.boxes) + 1)]
    for group in full:
        group.put(values, np.zeros(group.width))
    for layer in reversed(layers):
        for batch in batches(layer):
            _solve(moves, batch, values)
    return Solution(earn.rules, values)


def batches(layer: Iterable[Group]) -> Iterator[list[Group]]:
    """Groups in turn, together as wide as is worked on at once."""
    batch: list[Group] = []
    for group in layer:
        if batch and sum(other.width for other in batch) + group.width > _WIDTH:
            yield batch
            batch = []
        batch.append(group)
    yield batch


def _solve(moves: Moves, batch: Sequence[Group], values: Floats) -> None:
    """The values of some groups from those of the groups with a box more filled."""
    graph = moves.earn.graph
    nodes = graph.nodes(sum(group.width for group in batch))
    rolls = nodes[graph.of_rolls]
    rolls[:] = -np.inf
    ends = np.cumsum([group.width for group in batch])
    for group, best in zip(batch, np.split(rolls, ends, axis=1), strict=False):
        for move in moves.moves(group):
            np.maximum(best, moves.worth(group, move, values), out=best)
    for _ in range(moves.earn.rules.rolls - 1):
        graph.expect(nodes)
        graph.improve(nodes)
    for group, means in zip(batch, np.split(graph.chance @ rolls, ends), strict=False):
        group.put(values, means)
