"""Rulesets are worked out once for all tests, and for all processes that run them: each takes seconds."""

import os
from collections.abc import Callable
from functools import cache

import pytest

from scorer.analysis.earnings import Earnings, earnings
from scorer.analysis.store import load_or_solve
from tests.scorer.analysis.solved import Solved, rules_named


@pytest.fixture(scope="session")
def asked() -> Callable[[str], Earnings]:
    """What rolls earn by a ruleset of this name."""
    return cache(lambda name: earnings(rules_named(name)))


@pytest.fixture(scope="session")
def solved(asked: Callable[[str], Earnings], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Solved]:
    """That, and what optimal play brings."""
    own = tmp_path_factory.getbasetemp()
    kept = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "solutions"
    return cache(lambda name: Solved(asked(name), load_or_solve(asked(name).rules, kept)))
