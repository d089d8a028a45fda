"""Exact bounds on a share."""

import pytest

from models.training.bounds import bounds


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        (81, 263, 0.2527, 0.3676),  # the first four: Newcombe, Statistics in Medicine 17 (1998), 857, table I
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0.0, 0.1684),
        (1, 29, 0.0009, 0.1776),
        (5, 10, 0.1871, 0.8129),
        (10, 10, 0.6915, 1.0),
        (0, 0, 0.0, 1.0),
    ],
)
def test_bounds_are_those_of_clopper_and_pearson(count: int, of: int, low: float, high: float) -> None:
    assert bounds(count, of) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("of", [1, 100, 100_000])
def test_without_a_success_the_upper_bound_has_a_formula(of: int) -> None:
    assert bounds(0, of, confidence=0.9) == pytest.approx((0.0, 1 - 0.05 ** (1 / of)), rel=1e-6)


def test_bounds_mirror_each_other_and_narrow_with_confidence() -> None:
    low, high = bounds(99_950, 100_000)
    assert (1 - high, 1 - low) == pytest.approx(bounds(50, 100_000), rel=1e-5)
    assert low < bounds(99_950, 100_000, confidence=0.5)[0]


@pytest.mark.parametrize(("count", "of", "confidence"), [(-1, 5, 0.95), (6, 5, 0.95), (1, 5, 1.0)])
def test_impossible_counts_are_refused(count: int, of: int, confidence: float) -> None:
    with pytest.raises(ValueError, match="no bounds for"):
        bounds(count, of, confidence)
