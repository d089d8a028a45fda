"""Whole games against published optima, and single cards against one turn worked out from `placements` alone."""

from collections.abc import Callable
from random import Random

import pytest

from scorer.analysis.solver import Solution
from scorer.analysis.turn import lattice
from scorer.card import Card, enter
from scorer.legal import placements
from tests.scorer.analysis.solved import Solved, random_card


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("verhoeff", 254.5896094820),  # Verhoeff 1999: 254.5896; precisit/yatzy-solver, tests/published.rs
        ("no bonus", 245.8707745141),  # Glenn 2006: 245.87; precisit
    ],
)
def test_the_published_optimum(name: str, expected: float, solved: Callable[[str], Solved]) -> None:
    assert solved(name).solution.expected == pytest.approx(expected, abs=1e-8)


def test_the_published_optimum_with_100s_but_no_joker(solved: Callable[[str], Solved]) -> None:
    """Published with seven digits (precisit, docs/rules.md)."""
    assert solved("no joker").solution.expected == pytest.approx(253.9702412, abs=1e-7)


def test_as_many_standings_as_can_be_reached(solved: Callable[[str], Solved]) -> None:
    """536,448 with the Yahtzee box open, 0 or 50: partybox-gpt-drops; two thirds where it is open or filled."""
    assert solved("verhoeff").solution.reachable == 536448
    assert solved("no bonus").solution.reachable == 536448 * 2 // 3


@pytest.mark.parametrize("name", ["verhoeff", "yams"])
def test_a_card_is_worth_its_best_turn_and_the_cards_that_follow(name: str, solved: Callable[[str], Solved]) -> None:
    random, known = Random(name), solved(name)
    for _ in range(12):
        card = random_card(known.rules, random)
        if not card.complete(known.rules):
            assert known.solution.final(card) == pytest.approx(best_turn(known.solution, card), abs=1e-9)


def best_turn(solution: Solution, card: Card) -> float:
    """The mean total that the best play of one turn leads to, each roll asked of `placements`."""
    rules, graph = solution.rules, lattice(solution.rules.dice)
    nodes = graph.nodes(1)
    for row, roll in enumerate(graph.rolls, graph.of_rolls.start):
        legal, _ = placements(rules, card, roll)
        nodes[row] = max(solution.final(enter(rules, card, roll, placement)) for placement in legal)
    for _ in range(rules.rolls - 1):
        graph.expect(nodes)
        graph.improve(nodes)
    return float(graph.chance @ nodes[graph.of_rolls, 0])
