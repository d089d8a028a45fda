"""A ruleset with all that was worked out for it, and random cards by it."""

from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from filelock import FileLock

from scorer.analysis.earnings import Earnings
from scorer.analysis.solver import Solution
from scorer.analysis.store import load_or_solve, path_of
from scorer.boxes import YAHTZEE
from scorer.card import Card
from scorer.dice import FACES, Dice
from scorer.presets import ruleset
from scorer.rules import Ruleset


@dataclass(frozen=True)
class Solved:
    """What rolls earn by a ruleset, and what optimal play brings."""

    earn: Earnings
    solution: Solution

    @property
    def rules(self) -> Ruleset:
        """The ruleset."""
        return self.earn.rules


def rules_named(name: str) -> Ruleset:
    """A preset, or one of the two readings that only the literature has."""
    if name == "no joker":  # 100 when the box holds 50, natural points, nothing forced
        return replace(ruleset("verhoeff"), active_when="never")
    if name == "no bonus":
        return replace(ruleset("verhoeff"), active_when="never", bonus_points=0)
    return ruleset(name)


def solve_once(rules: Ruleset, session: Path) -> Solution:
    """What optimal play brings, worked out by whichever process asks first in a session whose folder this is."""
    folder = session / "fairtray"
    with FileLock(session / f"{path_of(rules, folder).name}.lock"):
        return load_or_solve(rules, folder)


def random_card(rules: Ruleset, random: Random) -> Card:
    """A card that may be there in a game, often with a full Yahtzee box."""
    share = random.choice((0.3, 0.6, 0.9))
    points = {box.name: random.choice(rules.possible_points(box)) for box in rules.boxes if random.random() < share}
    if YAHTZEE in points and random.random() < 0.5:
        points[YAHTZEE] = min(rules.full_yahtzee)
    return Card(points)


def random_roll(random: Random) -> Dice:
    """Five dice, often all alike."""
    if random.random() < 0.3:
        return (random.choice(FACES),) * 5
    return tuple(sorted(random.choices(FACES, k=5)))
