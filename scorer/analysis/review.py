"""How a match was played, against optimal play for oneself: what each decision cost, and what was luck.

A player's expected total moves with the dice (luck: the value of what was thrown less its mean before) and with each
decision (cost: the value of the best choice less that of the one made), so that total = expected + luck - costs.
Chess and backgammon programs review games the same way. Values are those of solitaire play: a player who takes risks
to win against others may be right where this calls it an error.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scorer.analysis.record import PlayedMatch, PlayedTurn, Roll
from scorer.analysis.solver import Solution
from scorer.analysis.turn import EQUAL, Floats, Keeps, lattice
from scorer.boxes import YAHTZEE
from scorer.card import Card, enter, totals
from scorer.dice import Dice
from scorer.errors import AnalysisError
from scorer.events import LegalBox
from scorer.legal import placements

ERROR, BLUNDER = 0.5, 2.0
"""Points that a decision costs at least to be called so."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player chose after a roll of a turn (both from 1): the dice to keep, or a box.

    `best` is an optimal choice, that made where it is one. Dice kept are written as their values; all of them means
    that no die is thrown again. `cost` is in points; `automatic`: nobody chose.
    """

    turn: int
    roll: int
    t: float
    dice: Dice
    chosen: Dice | str
    best: Dice | str
    cost: float
    automatic: bool = False


@dataclass(frozen=True)
class PlayerReview:
    """How one player did, in points.

    `expected` is the mean total before the first roll and `totals` that after each turn, by optimal play from there;
    `to_come` the part of the last one that is not on the card, 0 when it is full. `luck` is that of each turn.
    """

    player: str
    total: int
    expected: float
    to_come: float
    totals: tuple[float, ...]
    luck_by_turn: tuple[float, ...]
    decisions: tuple[Decision, ...]

    @property
    def luck(self) -> float:
        """What the dice brought beyond their mean."""
        return sum(self.luck_by_turn)

    @property
    def chosen(self) -> tuple[Decision, ...]:
        """The decisions that the player made."""
        return tuple(decision for decision in self.decisions if not decision.automatic)

    @property
    def cost(self) -> float:
        """What the player's decisions cost."""
        return sum(decision.cost for decision in self.chosen)

    @property
    def automatic_cost(self) -> float:
        """What was lost by boxes that nobody chose."""
        return sum(decision.cost for decision in self.decisions if decision.automatic)

    @property
    def errors(self) -> int:
        """How many decisions cost as much as an error, blunders left out."""
        return sum(ERROR <= decision.cost < BLUNDER for decision in self.chosen)

    @property
    def blunders(self) -> int:
        """How many cost as much as a blunder."""
        return sum(decision.cost >= BLUNDER for decision in self.chosen)


def review(match: PlayedMatch, solution: Solution) -> tuple[PlayerReview, ...]:
    """Every player's review. The solution is that of the match's rules.

    Raises `AnalysisError` where a box holds what the roll does not give there.
    """
    return tuple(_review_player(player, match.turns_of(player), solution) for player in match.players)


def _review_player(player: str, turns: Sequence[PlayedTurn], solution: Solution) -> PlayerReview:
    card = Card()
    totals_after: list[float] = []
    luck: list[float] = []
    decisions: list[Decision] = []
    for number, played in enumerate(turns, 1):
        values = TurnValues(solution, card)
        luck.append(_luck(values, played.rolls))
        card = played.enter(card)
        totals_after.append(solution.final(card))
        decisions += _decisions(values, played, number, totals_after[-1])
    total = totals(solution.rules, card).total
    return PlayerReview(
        player=player,
        total=total,
        expected=solution.expected,
        to_come=(totals_after[-1] if totals_after else solution.expected) - total,
        totals=tuple(totals_after),
        luck_by_turn=tuple(luck),
        decisions=tuple(decisions),
    )


class TurnValues:
    """The mean totals that a player's choices in one turn on a card lead to, everything after them played optimally.

    Rolls of the turn count from 0 here.
    """

    def __init__(self, solution: Solution, card: Card) -> None:
        self.before = solution.final(card)
        self._solution = solution
        self._card = card
        self._graph = lattice(solution.rules.dice)
        self._after: dict[LegalBox, float] = {}
        nodes = self._graph.nodes(1)
        rolls = nodes[self._graph.of_rolls, 0]
        rolls[:] = [max(self.boxes(roll).values()) for roll in self._graph.rolls]
        self.last = solution.rules.rolls - 1
        self._best: list[Floats] = [rolls.copy()]
        self._means: list[Floats] = []
        self._keeps: list[Keeps] = []
        for _ in range(solution.rules.rolls - 1):
            self._graph.expect(nodes)
            self._means.insert(0, nodes[:, 0].copy())
            self._keeps.insert(0, self._graph.choose(nodes)[:, 0])
            self._best.insert(0, rolls.copy())

    def boxes(self, roll: Dice) -> Mapping[str, float]:
        """What each box that the roll may go in leads to."""
        legal, _ = placements(self._solution.rules, self._card, roll)
        return {placement.box: self._entered(roll, placement) for placement in legal}

    def may_be_void(self, played: PlayedTurn) -> bool:
        """Whether this may be a Yahtzee that was not cried out, and so is scored 0."""
        return self._solution.rules.battle_cry and played.box == YAHTZEE and played.points == 0

    def best(self, number: int, roll: Dice) -> float:
        """What the best choice after a roll of the turn leads to."""
        return float(self._best[number][self._place(roll)])

    def best_keep(self, number: int, roll: Dice) -> Dice:
        """The dice best kept after a roll that is not the last; all of them to throw no more."""
        return self._graph.keeps[self._keeps[number][self._place(roll)]]

    def keep(self, number: int, kept: Dice) -> float:
        """What keeping these dice after a roll leads to; keeping all is to choose a box."""
        if len(kept) == self._solution.rules.dice:
            return self.best(-1, kept)
        return float(self._means[number][self._graph.row[kept]])

    def _place(self, roll: Dice) -> int:
        return self._graph.row[roll] - int(self._graph.of_rolls.start)

    def _entered(self, roll: Dice, placement: LegalBox) -> float:
        if placement not in self._after:
            card = enter(self._solution.rules, self._card, roll, placement)
            self._after[placement] = self._solution.final(card)
        return self._after[placement]


def _luck(values: TurnValues, rolls: Sequence[Roll]) -> float:
    """The value of each roll less its mean before, added up."""
    luck, before = 0.0, values.before
    for number, roll in enumerate(rolls):
        if number:
            before = values.keep(number - 1, roll.kept)
        luck += values.best(number, roll.values) - before
    return luck


def _decisions(values: TurnValues, played: PlayedTurn, turn: int, after: float) -> Iterator[Decision]:
    """Every choice of the turn: what was kept of each roll, where it was stopped early, and the box."""
    last = len(played.rolls) - 1
    for number, roll in enumerate(played.rolls):
        if number < last:
            yield _kept(values, played, turn, number, played.rolls[number + 1].kept)
        elif number < values.last:
            yield _kept(values, played, turn, number, roll.values)
    roll = played.rolls[last]
    boxes = values.boxes(roll.values)
    if played.box not in boxes or (abs(boxes[played.box] - after) > EQUAL and not values.may_be_void(played)):
        raise AnalysisError(f"turn {turn} of {played.player}: {played.box} cannot hold {played.points} for its roll")
    best = max(boxes, key=lambda box: boxes[box])
    cost = boxes[best] - after
    if cost < EQUAL:
        best, cost = played.box, 0.0
    yield Decision(turn, last + 1, roll.t, roll.values, played.box, best, cost, played.automatic)


def _kept(values: TurnValues, played: PlayedTurn, turn: int, number: int, kept: Dice) -> Decision:
    """The choice to keep some dice of a roll. Where nobody chose the box nobody may have chosen to stop either."""
    roll = played.rolls[number]
    best, cost = values.best_keep(number, roll.values), values.best(number, roll.values) - values.keep(number, kept)
    if cost < EQUAL:
        best, cost = kept, 0.0
    stopped = len(kept) == len(roll.values)
    return Decision(turn, number + 1, roll.t, roll.values, kept, best, cost, played.automatic and stopped)
