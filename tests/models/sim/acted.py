"""Scenarios acted once for all tests."""

from functools import lru_cache

from models.sim.scenarios import act
from models.sim.script import Timeline
from models.sim.truth import Truth, tell


def acted(name: str, seed: int = 1) -> Timeline:
    """The scenario's timeline."""
    return _acted(name, seed)


def told(name: str, seed: int = 1) -> Truth:
    """The truth about it."""
    return _told(name, seed)


@lru_cache
def _acted(name: str, seed: int) -> Timeline:
    return act(name, seed)


@lru_cache
def _told(name: str, seed: int) -> Truth:
    return tell(_acted(name, seed))
