"""How matches are judged: the books balance, and optimal play costs nothing."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from scorer.analysis.record import PlayedMatch, PlayedTurn, Roll, read_match
from scorer.analysis.review import PlayerReview, TurnValues, review
from scorer.analysis.solver import Solution
from scorer.analysis.turn import lattice
from scorer.card import Card
from scorer.dice import Dice
from scorer.errors import AnalysisError
from scorer.state import State
from tests.scorer.analysis.games import box_at_random, keep_at_random, lines_of, play
from tests.scorer.analysis.solved import Solved


def balance(player: PlayerReview) -> float:
    """What is left of: total = expected + luck - costs."""
    lost = player.cost + player.automatic_cost
    return player.total + player.to_come - (player.expected + player.luck - lost)


@pytest.mark.parametrize("name", ["verhoeff", "yams"])
def test_the_books_balance(name: str, solved: Callable[[str], Solved]) -> None:
    random, known = Random(name), solved(name)
    for turns in (None, 7):
        rulings = play(known.rules, ("Ann", "Ben"), random, keep_at_random(random), box_at_random(random), turns)
        for player in review(read_match(lines_of(rulings)), known.solution):
            assert balance(player) == pytest.approx(0, abs=1e-9)
            assert all(decision.cost >= 0 for decision in player.decisions)
            assert (player.to_come == pytest.approx(0, abs=1e-9)) is (turns is None)


def test_optimal_play_costs_nothing(solved: Callable[[str], Solved]) -> None:
    known = solved("verhoeff")

    def values(state: State) -> TurnValues:
        return TurnValues(known.solution, state.card)

    def keep(state: State, roll: Dice, number: int) -> Dice:
        return values(state).best_keep(number - 1, roll)

    def box(state: State, roll: Dice) -> str:
        boxes = values(state).boxes(roll)
        return max(boxes, key=lambda name: boxes[name])

    (player,) = review(read_match(lines_of(play(known.rules, ("Ann",), Random(4), keep, box))), known.solution)
    assert player.cost == 0
    assert player.total == pytest.approx(player.expected + player.luck)


def test_every_choice_of_a_turn_is_judged_beside_all_others(solved: Callable[[str], Solved]) -> None:
    known = solved("verhoeff")
    values = TurnValues(known.solution, Card())
    keeps = [keep for keep in lattice(5).keeps if not Counter(keep) - Counter((2, 3, 4, 5, 6))]
    best = max(keeps, key=lambda keep: values.keep(1, keep))
    assert best == values.best_keep(1, (2, 3, 4, 5, 6)) == (2, 3, 4, 5, 6)
    assert values.keep(1, best) == values.best(2, (2, 3, 4, 5, 6)) == values.boxes((2, 3, 4, 5, 6))["LS"]


def judged(solution: Solution, turn: PlayedTurn) -> PlayerReview:
    (player,) = review(PlayedMatch(solution.rules, (turn.player,), (turn,), complete=False), solution)
    return player


def test_a_decision_is_named_with_what_was_best(solved: Callable[[str], Solved]) -> None:
    rolls = (Roll((2, 3, 4, 5, 6), (), 1.0), Roll((1, 1, 2, 5, 6), (6,), 2.0), Roll((1, 1, 1, 2, 6), (1, 1, 6), 3.0))
    player = judged(solved("verhoeff").solution, PlayedTurn("Ann", rolls, "6s", 6, 0, automatic=False))
    first, second, box = player.decisions
    assert (first.chosen, first.best) == ((6,), (2, 3, 4, 5, 6))
    assert (second.chosen, second.dice) == ((1, 1, 6), (1, 1, 2, 5, 6))
    assert (box.chosen, box.best) == ("6s", "1s")
    assert box.cost > first.cost > 0
    assert player.blunders == 2 + (second.cost >= 2)
    assert balance(player) == pytest.approx(0, abs=1e-9)


def test_a_box_that_nobody_chose_is_no_error_of_the_player(solved: Callable[[str], Solved]) -> None:
    rolls = (Roll((2, 3, 4, 5, 6), (), 1.0),)
    player = judged(solved("verhoeff").solution, PlayedTurn("Ann", rolls, "C", 20, 0, automatic=True))
    assert (player.cost, player.errors, player.blunders) == (0, 0, 0)
    assert player.automatic_cost > 10
    assert balance(player) == pytest.approx(0, abs=1e-9)


def test_points_that_the_roll_does_not_give_are_refused(solved: Callable[[str], Solved]) -> None:
    rolls = (Roll((2, 3, 4, 5, 6), (), 1.0),)
    with pytest.raises(AnalysisError, match="C cannot hold 21"):
        judged(solved("verhoeff").solution, PlayedTurn("Ann", rolls, "C", 21, 0, automatic=False))


def test_a_yahtzee_that_was_not_cried_out_is_an_error_of_the_player(solved: Callable[[str], Solved]) -> None:
    solution = solved("verhoeff").solution
    solution = replace(solution, rules=replace(solution.rules, battle_cry=True))
    rolls = (Roll((4, 4, 4, 4, 4), (), 1.0),)
    player = judged(solution, PlayedTurn("Ann", rolls, "Y", 0, 0, automatic=False))
    assert player.cost > 50
    assert balance(player) == pytest.approx(0, abs=1e-9)
