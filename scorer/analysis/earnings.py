"""What every roll earns in every box on every card, asked of the product's own `placements`: the solver's whole data.

What play may still bring depends on a card only through its `Standing`: which boxes are filled, the upper total, and
whether the Yahtzee box holds its full points. Rolls that are plain by the rules are asked about once; the others, five
of a kind, for every set of filled boxes and what the Yahtzee box may hold.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from scorer.analysis.turn import Floats, Lattice, lattice
from scorer.boxes import MINUS, PLUS, YAHTZEE, Box
from scorer.card import Card, middle_points
from scorer.errors import AnalysisError
from scorer.legal import is_plain, placements
from scorer.rules import Ruleset

Points = npt.NDArray[np.int64]

_UNSOLVED = ("mulligan", "chance_chance", "mega_yahtzee", "fool_house", "voluntary_zero", "first_yahtzee_in_box")
"""Settings under which more decides than boxes, upper total and Yahtzee box, or a choice that is no keep and no box."""


@dataclass(frozen=True, slots=True)
class Standing:
    """All of a card that matters for what may follow.

    `filled` has a bit for each box in the order of the card; `full` says that the Yahtzee box holds its full points,
    where a further Yahtzee is special (else False); `upper` is the upper total, at most that from which the bonus grows
    no more, or by each further point alike.
    """

    filled: int
    full: bool
    upper: int


def check_solvable(rules: Ruleset) -> None:
    """Raises `AnalysisError`, which says why, where the rules are none whose optimal play can be worked out."""
    if rules.dice != 5:
        raise AnalysisError(f"rules {rules.name}: optimal play is worked out for five dice, not for {rules.dice}")
    if rules.columns > 1:
        raise AnalysisError(f"rules {rules.name}: optimal play is worked out for one column, not for {rules.columns}")
    for name in _UNSOLVED:
        if getattr(rules, name):
            raise AnalysisError(f"rules {rules.name}: optimal play is not worked out with {name}; leave it off")
    if rules.middle != "none" and not _adds_up(rules):
        raise AnalysisError(
            f"rules {rules.name}: optimal play needs Plus and Minus to count each for itself; leave plus_over_minus off"
        )


def standing(rules: Ruleset, card: Card) -> Standing:
    """Where a card of one column stands."""
    return Standing(
        filled=sum(1 << place for place, box in enumerate(rules.boxes) if box.name in card),
        full=_tells(rules) and card.points.get(YAHTZEE) in rules.full_yahtzee,
        upper=min(card.upper_subtotal(rules), most_upper(rules)),
    )


def most_upper(rules: Ruleset) -> int:
    """The upper total beyond which the bonus grows no more, or by each further point alike."""
    most = sum(max(rules.possible_points(box)) for box in rules.boxes if box.section == "upper")
    return min(rules.upper_bonus_from, most)


@dataclass(frozen=True, eq=False, repr=False)
class Earnings:
    """What rolls earn, as arrays; rolls are in the order of the lattice, boxes in that of the card.

    `plain` (rolls, boxes): the points of plain rolls, 0 for the others. `special` are the others' rows, with their
    `points` (sets of filled boxes, states of the Yahtzee box, special rolls, boxes) and, in the same shape, `besides`:
    the Yahtzee bonus, or minus infinity where the box may not be chosen.
    """

    rules: Ruleset
    graph: Lattice
    plain: Points
    special: npt.NDArray[np.intp]
    points: Points
    besides: Floats

    @cached_property
    def yahtzee(self) -> int:
        """The place of the Yahtzee box on the card."""
        return _places(self.rules)[YAHTZEE]

    def states(self, filled: int) -> int:
        """How many states of the Yahtzee box are told apart when these boxes are filled: 1, or 2 (0 and full)."""
        return self.points.shape[1] if filled >> self.yahtzee & 1 else 1

    def state_with(self, points: Points) -> npt.NDArray[np.intp]:
        """The state of a Yahtzee box that holds each of these points."""
        full = np.isin(points, list(self.rules.full_yahtzee))
        return np.where(full, self.points.shape[1] - 1, 0)


def earnings(rules: Ruleset) -> Earnings:
    """Ask `placements` about every roll. Raises `AnalysisError` where the rules cannot be solved."""
    check_solvable(rules)
    graph, places = lattice(rules.dice), _places(rules)
    special = [row for row, roll in enumerate(graph.rolls) if not is_plain(rules, roll)]
    plain = np.zeros((len(graph.rolls), len(places)), np.int64)
    for row in set(range(len(graph.rolls))).difference(special):
        for placement in placements(rules, Card(), graph.rolls[row])[0]:
            plain[row, places[placement.box]] = placement.points
    shape = (1 << len(places), 1 + _tells(rules), len(special), len(places))
    points, besides = np.zeros(shape, np.int64), np.full(shape, -np.inf)
    for filled, state, card in _cards(rules):
        for which, row in enumerate(special):
            for placement in placements(rules, card, graph.rolls[row])[0]:
                at = filled, state, which, places[placement.box]
                points[at], besides[at] = placement.points, placement.yahtzee_bonus
    return Earnings(rules, graph, plain, np.array(special, np.intp), points, besides)


def counted(rules: Ruleset, box: Box, points: int) -> int:
    """What points in a box add to the total, the upper bonus left out: Plus and Minus each as with both filled."""
    if box.section != "middle":
        return points
    return middle_points(rules, {PLUS: 0, MINUS: 0, box.name: points}, column=1)


def _places(rules: Ruleset) -> dict[str, int]:
    return {box.name: place for place, box in enumerate(rules.boxes)}


def _cards(rules: Ruleset) -> Iterator[tuple[int, int, Card]]:
    """A card for every set of filled boxes and state of the Yahtzee box, its other boxes with their least."""
    least = [(box.name, rules.possible_points(box)[0]) for box in rules.boxes]
    for filled in range(1 << len(least)):
        points = {name: number for place, (name, number) in enumerate(least) if filled >> place & 1}
        yield filled, 0, Card(points)
        if _tells(rules) and YAHTZEE in points:
            yield filled, 1, Card({**points, YAHTZEE: min(rules.full_yahtzee)})


def _tells(rules: Ruleset) -> bool:
    """Whether it matters what the Yahtzee box holds."""
    return rules.active_when != "never" or rules.bonus_points > 0


def _adds_up(rules: Ruleset) -> bool:
    """Whether Plus and Minus count each for itself, whatever the other holds."""
    plus, minus = rules.box[PLUS], rules.box[MINUS]
    return all(
        middle_points(rules, {PLUS: high, MINUS: low}, column=1)
        == counted(rules, plus, high) + counted(rules, minus, low)
        for high, low in product(rules.possible_points(plus), rules.possible_points(minus))
    )
