"""Scenarios acted once for all tests."""

from functools import lru_cache

from models.sim.scenarios import act
from models.sim.script import Timeline
from models.sim.truth import Truth, tell


@lru_cache
def acted(name: str, seed: int = 1) -> Timeline:
    """The scenario's timeline."""
    return act(name, seed)


@lru_cache
def told(name: str, seed: int = 1) -> Truth:
    """The truth about it."""
    return tell(acted(name, seed))
