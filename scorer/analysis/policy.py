"""What optimal play leads to: the spread of its total, the mean of each box, and how often each is zero.

From the empty card onwards the chance of every standing is followed through the best keeps and the best boxes. Where
two are equally good, that with most dice kept is taken, and the box that is first on the card.
The total's variance is the sum, over all turns, of the variance within the turn: what a turn brings, with the mean of
what follows, is a martingale.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from scorer.analysis.moves import Group, Move, Moves
from scorer.analysis.solver import Solution, batches
from scorer.analysis.turn import EQUAL, Floats, Keeps

UPPER_BONUS, YAHTZEE_BONUS, MIDDLE = "upper_bonus", "yahtzee_bonus", "middle"


@dataclass(frozen=True)
class Outlook:
    """Optimal play in figures.

    `means` are points by box, then those of the upper bonus, the Yahtzee bonuses, and of Plus and Minus together,
    where there are any: these and the boxes (but Plus and Minus) add up to `expected`. `zeros` are chances by box.
    """

    expected: float
    sd: float
    means: Mapping[str, float]
    zeros: Mapping[str, float]
    upper_bonus_chance: float


def outlook(moves: Moves, solution: Solution) -> Outlook:
    """Follow optimal play through."""
    rules = moves.earn.rules
    follow = _Follow(moves, solution.values)
    for boxes in range(len(rules.boxes)):
        alive = [group for group in map(follow.alive, moves.layer(boxes)) if group.width]
        for batch in batches(alive):
            follow.play(batch)
    means = {box.name: float(follow.points[place]) for place, box in enumerate(rules.boxes)}
    bonuses = {UPPER_BONUS: follow.upper_bonus, YAHTZEE_BONUS: follow.yahtzee_bonus, MIDDLE: follow.middle}
    full = follow.chances[-1]
    won = [rules.upper_bonus_for(total) > 0 for total in range(full.shape[1])]
    return Outlook(
        expected=solution.expected,
        sd=sqrt(follow.variance),
        means=means | {name: mean for name, mean in bonuses.items() if mean},
        zeros={box.name: float(follow.zeros[place]) for place, box in enumerate(rules.boxes)},
        upper_bonus_chance=float(full[:, won].sum()),
    )


class _Follow:
    """What has been followed so far: the chance of each standing, and the sums that make the figures."""

    def __init__(self, moves: Moves, values: Floats) -> None:
        self.moves = moves
        self.values = values
        self.chances = np.zeros_like(values)
        self.chances[0, 0, 0] = 1
        self.points = np.zeros(len(moves.earn.rules.boxes))
        self.zeros = np.zeros(len(moves.earn.rules.boxes))
        self.upper_bonus = self.yahtzee_bonus = self.middle = self.variance = 0.0
        self._outcomes: dict[int, Floats] = {}

    def alive(self, group: Group) -> Group:
        """The group without upper totals that optimal play does not lead to."""
        chances = self.chances[group.filled][: group.states, group.uppers]
        return Group(group.filled, group.states, group.uppers[chances.any(axis=0)])

    def play(self, batch: Sequence[Group]) -> None:
        """Follow one turn from some groups."""
        graph = self.moves.earn.graph
        ends = np.cumsum([group.width for group in batch])
        moves = [list(self.moves.moves(group)) for group in batch]
        parts = [self._best_boxes(*part) for part in zip(batch, moves, strict=True)]
        worth = np.concatenate([part[0] for part in parts], axis=1)
        boxes = np.concatenate([part[1] for part in parts], axis=1)
        nodes = graph.nodes(ends[-1])
        nodes[graph.of_rolls] = worth
        keeps: list[Keeps] = []
        for _ in range(self.moves.earn.rules.rolls - 1):
            graph.expect(nodes)
            keeps.append(graph.choose(nodes))
        before = np.concatenate([group.of(self.chances) for group in batch])
        means = np.concatenate([group.of(self.values) for group in batch])
        rolls = self._last_rolls(graph.chance[:, None] * before, reversed(keeps))
        self.variance += float((rolls * worth**2).sum() - before @ means**2)
        for number, group in enumerate(batch):
            mine = slice(ends[number] - group.width, ends[number])
            for move in moves[number]:
                self._follow(group, move, np.where(boxes[:, mine] == move.place, rolls[:, mine], 0))

    def _best_boxes(self, group: Group, moves: Sequence[Move]) -> tuple[Floats, Keeps]:
        """What each roll is worth in its best box, and the box's place: (rolls, standings) each."""
        shape = len(self.moves.earn.graph.rolls), group.width
        best, boxes = np.full(shape, -np.inf), np.zeros(shape, np.int16)
        for move in moves:
            worth = self.moves.worth(group, move, self.values)
            boxes[worth > best + EQUAL] = move.place
            np.maximum(best, worth, out=best)
        return best, boxes

    def _last_rolls(self, chances: Floats, keeps: Iterable[Keeps]) -> Floats:
        """The chances of the rolls in the end, (rolls, standings), of those of the first and what is kept of each."""
        graph = self.moves.earn.graph
        columns = np.arange(chances.shape[1])
        for kept in keeps:
            size = len(graph.keeps) * len(columns)
            at = kept.astype(np.intp) * len(columns) + columns
            counts: Floats = np.bincount(at.reshape(-1), chances.reshape(-1), size).astype(float, copy=False)
            nodes = counts.reshape(-1, len(columns))
            graph.throw(nodes)
            chances = nodes[graph.of_rolls]
        return chances

    def _follow(self, group: Group, move: Move, chances: Floats) -> None:
        """Add what the rolls that go in a box bring, by their chances (rolls, standings), and where they lead."""
        shape = group.states, len(group.uppers)
        special = chances[self.moves.earn.special].reshape(-1, *shape)
        outcomes = (self._plain_rolls(move) @ chances).reshape(-1, *shape)
        np.add.at(outcomes, (move.special, np.arange(group.states)), special)
        self._count(move, outcomes, special)
        if len(move.state) == len(move.upper) == 1:  # all outcomes lead to the same standings
            outcomes = outcomes.sum(axis=0, keepdims=True)
        np.add.at(self.chances[move.filled], (move.state, move.upper), outcomes)

    def _plain_rolls(self, move: Move) -> Floats:
        """Which plain rolls have each outcome: (outcomes, rolls) of 0 and 1."""
        if move.place not in self._outcomes:
            which = (move.plain == np.arange(len(move.points))[:, None]).astype(float)
            which[:, self.moves.earn.special] = 0
            self._outcomes[move.place] = which
        return self._outcomes[move.place]

    def _count(self, move: Move, outcomes: Floats, special: Floats) -> None:
        """Add up what a box brings, by the chances (outcomes, states, upper totals) and those of the special rolls."""
        by_points = outcomes.sum(axis=(1, 2))
        self.points[move.place] += by_points @ move.points
        self.zeros[move.place] += by_points[move.points == 0].sum()
        bonuses = np.where(np.isfinite(move.besides), move.besides, 0)
        self.yahtzee_bonus += float((special.sum(axis=2) * bonuses).sum())
        gained = float((outcomes * move.gains).sum())
        section = self.moves.earn.rules.boxes[move.place].section
        if section == "upper":
            self.upper_bonus += gained - float(by_points @ move.points)
        elif section == "middle":
            self.middle += gained
