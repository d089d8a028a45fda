"""What a scenario is: a family of recordings in which the same happens, and the seed varies everything else."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from models.sim.script import Setting
from models.sim.stage import Stage

BELOW, RIGHT = math.pi / 2, 0.0
"""Where a player sits, seen in the picture, which shows more of the table at its left and right."""


ANYWHERE: Mapping[str, float] = {}
NAMES = ("Ann", "Ben", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana")
TWO_PLAY = 0.3


def draw_seats(rng: np.random.Generator, least: int = 1) -> dict[str, float]:
    """One player, or sometimes (with `least` 2 always) two, each at another side of the table."""
    first, side = int(rng.integers(4)), int(rng.choice([1, 2, 3]))
    names = [str(name) for name in rng.permutation(NAMES)[: 2 if rng.random() < TWO_PLAY else least]]
    return {name: (first + side * n) * math.pi / 2 for n, name in enumerate(names)}


@dataclass(frozen=True, slots=True)
class Scenario:
    """A named scenario: one line that says what happens, the acting of it, and where who sits (see BELOW).

    `plain`: camera and looks are the usual ones, whatever the seed.

    With seats ANYWHERE chance says who plays, one or two (but `least`), and where they sit.
    `dress` changes what chance has drawn for tray and table, where that must not be left to it.
    """

    name: str
    about: str
    act: Callable[[Stage], None]
    seats: Mapping[str, float] = field(default_factory=lambda: {"Ann": BELOW})
    dress: Callable[[Setting], Setting] = lambda setting: setting
    plain: bool = False
    least: int = 1

    @property
    def players(self) -> tuple[str, ...]:
        """The players in the order of play, none if chance chooses them."""
        return tuple(self.seats)
