"""Rulesets are solved once for all tests: each takes seconds."""

from collections.abc import Callable
from functools import cache

import pytest

from tests.scorer.analysis.solved import Solved, solve_named


@pytest.fixture(scope="session")
def solved() -> Callable[[str], Solved]:
    """Solve a ruleset by its name, once in a session."""
    return cache(solve_named)
