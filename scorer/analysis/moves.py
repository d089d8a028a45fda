"""Where a game can stand and lead: standings with the same boxes filled, and what the open boxes give from there."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scorer.analysis.earnings import Earnings, Points, counted, most_upper
from scorer.analysis.turn import Floats, Rows


@dataclass(frozen=True, eq=False, repr=False)
class Group:
    """All standings with the same boxes `filled`: each of so many `states` of the Yahtzee box with each upper total.

    In arrays of them the upper total varies fastest.
    """

    filled: int
    states: int
    uppers: Rows

    @property
    def width(self) -> int:
        """How many standings they are."""
        return self.states * len(self.uppers)

    def of(self, values: Floats) -> Floats:
        """Their values among those of all standings: (standings,)."""
        mine: Floats = values[self.filled][: self.states, self.uppers]
        return mine.reshape(-1)

    def put(self, values: Floats, new: Floats) -> None:
        """Write their values, (standings,), among those of all standings."""
        values[self.filled][: self.states, self.uppers] = new.reshape(self.states, -1)


@dataclass(frozen=True, eq=False, repr=False)
class Move:
    """An open box for a group. An outcome of it is a number of points that it may get.

    `gains` (outcomes, 1, upper totals or 1): what the box adds to the total. Afterwards these boxes are `filled`, and
    `state` (outcomes or 1, states or 1, 1) and `upper` (outcomes or 1, 1, upper totals) say how the game stands.
    `plain` (rolls,) is the outcome of each plain roll; `special` (special rolls, states) that of each other roll, which
    brings `besides` (the same): the Yahtzee bonus, or minus infinity where it may not go there.
    """

    place: int
    points: Points
    gains: Floats
    filled: int
    state: Rows
    upper: Rows
    plain: Rows
    special: Rows
    besides: Floats


class Moves:
    """The groups of a ruleset and the moves from each."""

    def __init__(self, earn: Earnings) -> None:
        rules = earn.rules
        self.earn = earn
        self._most = most_upper(rules)
        self._bonus = np.array([rules.upper_bonus_for(total) for total in range(self._most + 31)], float)
        self._points = [np.array(rules.possible_points(box)) for box in rules.boxes]
        self._plain = [np.searchsorted(points, earn.plain[:, place]) for place, points in enumerate(self._points)]
        self._counted = [
            np.array([float(counted(rules, box, int(number))) for number in points])[:, None, None]
            for box, points in zip(rules.boxes, self._points, strict=True)
        ]
        self._upper_boxes = [place for place, box in enumerate(rules.boxes) if box.section == "upper"]
        self._totals: dict[int, Rows] = {}

    def unknown(self) -> Floats:
        """NaN for every standing: (sets of filled boxes, states of the Yahtzee box, upper totals)."""
        sets, states = self.earn.points.shape[:2]
        return np.full((sets, states, self._most + 1), np.nan)

    def layer(self, boxes: int) -> list[Group]:
        """The groups with so many boxes filled."""
        sets = len(self.earn.points)
        return [self.group(filled) for filled in range(sets) if filled.bit_count() == boxes]

    def group(self, filled: int) -> Group:
        """The standings with these boxes filled."""
        return Group(filled, self.earn.states(filled), self._reachable(filled))

    def moves(self, group: Group) -> Iterator[Move]:
        """A move for each box that is open."""
        for place, points in enumerate(self._points):
            if not group.filled >> place & 1:
                yield self._move(group, place, points)

    def worth(self, group: Group, move: Move, values: Floats) -> Floats:
        """What each roll in the box is worth, what follows included: (rolls, standings)."""
        outcomes = move.gains + values[move.filled][move.state, move.upper]
        worth: Floats = outcomes.reshape(len(outcomes), -1).take(move.plain, axis=0)
        special = outcomes[move.special, np.arange(group.states)] + move.besides[:, :, None]
        worth[self.earn.special] = special.reshape(len(special), -1)
        return worth

    def _reachable(self, filled: int) -> Rows:
        """The upper totals that there can be with these boxes filled, ascending."""
        upper = sum(filled & 1 << place for place in self._upper_boxes)
        if upper not in self._totals:
            totals = np.zeros(1, np.intp)
            for place in self._upper_boxes:
                if upper >> place & 1:
                    totals = np.minimum(np.add.outer(totals, self._points[place]), self._most).reshape(-1)
            self._totals[upper] = np.unique(totals)
        return self._totals[upper]

    def _move(self, group: Group, place: int, points: Points) -> Move:
        earn = self.earn
        gains, state, upper = self._counted[place], np.arange(group.states)[None, :, None], group.uppers[None, None]
        if place in self._upper_boxes:
            total = upper + points[:, None, None]
            gains, upper = gains + self._bonus[total] - self._bonus[upper], np.minimum(total, self._most)
        elif place == earn.yahtzee:
            state = earn.state_with(points)[:, None, None]
        return Move(
            place=place,
            points=points,
            gains=gains,
            filled=group.filled | 1 << place,
            state=state,
            upper=upper,
            plain=self._plain[place],
            special=np.searchsorted(points, earn.points[group.filled, : group.states, :, place].T),
            besides=earn.besides[group.filled, : group.states, :, place].T,
        )
