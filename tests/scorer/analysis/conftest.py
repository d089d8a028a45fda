"""Rulesets are worked out once for all tests: each takes seconds."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from scorer.analysis.earnings import Earnings, earnings
from tests.scorer.analysis.solved import Solved, rules_named, solve_once


@pytest.fixture(scope="session")
def asked() -> Callable[[str], Earnings]:
    """What rolls earn by a ruleset of this name."""
    return cache(lambda name: earnings(rules_named(name)))


@pytest.fixture(scope="session")
def solved(asked: Callable[[str], Earnings], session_folder: Path) -> Callable[[str], Solved]:
    """That, and what optimal play brings."""
    return cache(lambda name: Solved(asked(name), solve_once(rules_named(name), session_folder)))
