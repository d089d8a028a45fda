"""The lattice of a turn, held against counted ways and published odds."""

from fractions import Fraction

import numpy as np
import pytest

from scorer.analysis.turn import Lattice, lattice
from scorer.presets import DELUXE, VERHOEFF, YAMS
from scorer.rules import Ruleset


def turn(graph: Lattice, worth: list[float], rolls: int = 3) -> float:
    """The mean of the best play of a turn whose last roll is worth so much."""
    nodes = graph.nodes(1)
    nodes[graph.of_rolls, 0] = worth
    for _ in range(rolls - 1):
        graph.expect(nodes)
        graph.improve(nodes)
    return float(graph.chance @ nodes[graph.of_rolls, 0])


def chance_of(rules: Ruleset, box: str) -> float:
    """The chance to bring the dice that a box asks for within a turn."""
    graph = lattice(rules.dice)
    return turn(graph, [float(rules.box[box].pattern(roll)) for roll in graph.rolls])


def test_the_lattice_of_five_dice_has_252_rolls_and_462_keeps() -> None:
    """J. Glenn, An Optimal Strategy for Yahtzee, CS-TR-0002, 2006, section 4.2."""
    graph = lattice(5)
    assert (len(graph.rolls), len(graph.keeps)) == (252, 462)
    assert graph.chance.sum() == pytest.approx(1, abs=1e-14)
    assert all(graph.row[keep] == row for row, keep in enumerate(graph.keeps))


@pytest.mark.parametrize(
    ("rules", "box", "chance"),
    [
        (VERHOEFF, "Y", Fraction(347897, 7558272)),  # OEIS A096256; datagenetics.com
        # The others are published by nobody; a second program counted them in fractions.
        (VERHOEFF, "3K", Fraction(234053, 314928)),
        (VERHOEFF, "4K", Fraction(2197897, 7558272)),
        (VERHOEFF, "FH", Fraction(5485535, 15116544)),
        (VERHOEFF, "SS", Fraction(753572225, 1224440064)),
        (VERHOEFF, "LS", Fraction(319695199, 1224440064)),
        (YAMS, "R", Fraction(48469, 419904)),
    ],
)
def test_the_chance_of_a_pattern_within_a_turn(rules: Ruleset, box: str, chance: Fraction) -> None:
    assert chance_of(rules, box) == pytest.approx(float(chance), abs=1e-12)


@pytest.mark.parametrize(
    ("box", "percent"),
    [("3P", 29.73), ("2T", 16.49), ("FH", 19.62), ("ST", 19.68), ("SS", 51.78), ("SY", 15.72), ("Y", 2.045)],
)
def test_the_chance_of_a_pattern_of_six_dice_within_a_turn(box: str, percent: float) -> None:
    """A second program counted these."""
    assert 100 * chance_of(DELUXE, box) == pytest.approx(percent, abs=0.0051)


@pytest.mark.parametrize(
    ("kept", "throws", "chance"),
    [  # published as tests of a turn analyser (YatzyCoach)
        ((3, 3, 3, 3), 1, Fraction(1, 6)),
        ((3, 3, 3, 3), 2, Fraction(11, 36)),
        ((3, 3, 3), 1, Fraction(1, 36)),
        ((3, 3, 3), 2, Fraction(1, 36) + Fraction(10, 216) + Fraction(25, 1296)),
    ],
)
def test_the_chance_of_a_yahtzee_from_dice_kept(kept: tuple[int, ...], throws: int, chance: Fraction) -> None:
    graph = lattice(5)
    nodes = graph.nodes(1)
    nodes[graph.of_rolls, 0] = [float(roll[0] == roll[-1]) for roll in graph.rolls]
    graph.expect(nodes)
    for _ in range(throws - 1):
        graph.improve(nodes)
        graph.expect(nodes)
    assert nodes[graph.row[kept], 0] == pytest.approx(float(chance), abs=1e-12)


def test_the_best_keep_named_has_the_value_of_the_best_keep() -> None:
    graph = lattice(5)
    nodes = graph.nodes(7)
    nodes[graph.of_rolls] = np.random.default_rng(1).integers(0, 50, (252, 7))
    graph.expect(nodes)
    means, best = nodes.copy(), nodes.copy()
    graph.improve(best)
    named = graph.choose(nodes)
    assert np.array_equal(nodes, best)
    assert np.allclose(np.take_along_axis(means, named.astype(np.intp), axis=0), best[graph.of_rolls])


def test_of_equally_good_keeps_that_of_most_dice_is_named() -> None:
    """Where all rolls are worth the same, none is thrown again."""
    graph = lattice(5)
    nodes = graph.nodes(1)
    nodes[graph.of_rolls] = 1
    graph.expect(nodes)
    assert list(graph.choose(nodes)[:, 0]) == list(range(462 - 252, 462))


def test_chances_thrown_meet_the_values_expected() -> None:
    """What keeps are worth by their means is what the rolls that come of them are worth."""
    graph = lattice(5)
    random = np.random.default_rng(2)
    values, chances = graph.nodes(3), random.random((462, 3))
    values[graph.of_rolls] = random.random((252, 3))
    graph.expect(values)
    kept = (chances * values).sum()
    graph.throw(chances)
    assert (chances * values)[graph.of_rolls].sum() == pytest.approx(kept)
