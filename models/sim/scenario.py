"""What a scenario is: a family of recordings in which the same happens, and the seed varies everything else."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from models.sim.script import Setting
from models.sim.stage import Stage

BELOW, RIGHT = math.pi / 2, 0.0
"""Where a player sits, seen in the picture, which shows more of the table at its left and right."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A named scenario: one line that says what happens, the acting of it, and where who sits (see BELOW).

    `dress` changes what chance has drawn for tray and table, where that must not be left to it.
    """

    name: str
    about: str
    act: Callable[[Stage], None]
    seats: Mapping[str, float] = field(default_factory=lambda: {"Ann": BELOW})
    dress: Callable[[Setting], Setting] = lambda setting: setting

    @property
    def players(self) -> tuple[str, ...]:
        """The players in the order of play."""
        return tuple(self.seats)
