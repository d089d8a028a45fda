"""Whole matches played through the umpire, as the lines of their record."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from scorer.dice import Dice
from scorer.events import DieFact, RecordingEnded, Ruling, to_json
from scorer.rules import Ruleset
from scorer.state import Options, State
from scorer.umpire import Umpire
from tests.scorer.tray import choose, feed, lift, throw
from tests.scorer.tray import dice as facts_of

Keeper = Callable[[State, Dice, int], Dice]
"""Which dice a player keeps after a roll of a turn (from 1); all of them to stop."""
Chooser = Callable[[State, Dice], str]
"""In which box."""


def keep_at_random(random: Random) -> Keeper:
    """Any of the dice."""
    return lambda state, roll, number: tuple(value for value in roll if random.random() < 0.6)


def box_at_random(random: Random) -> Chooser:
    """Any legal box."""
    return lambda state, roll: random.choice([placement.box for placement in state.legal])


def play(
    rules: Ruleset, players: Sequence[str], random: Random, keep: Keeper, box: Chooser, turns: int | None = None
) -> list[Ruling]:
    """Everything ruled in a match whose players choose so; the recording ends after so many turns, if at all."""
    umpire = Umpire(rules, players, Options())
    rulings = list(umpire.start())
    played, t = 0, 0.0
    while not umpire.state.over and played != turns:
        t = _play_turn(umpire, rulings, random, keep, box, t)
        played += 1
    return rulings + feed(umpire, RecordingEnded(t=t))


def _play_turn(umpire: Umpire, rulings: list[Ruling], random: Random, keep: Keeper, box: Chooser, t: float) -> float:
    rules, player = umpire.state.rules, umpire.state.player
    kept: list[DieFact] = []
    for number in range(1, rules.rolls + 1):
        t += 10
        thrown = facts_of("".join(str(random.randint(1, 6)) for _ in range(rules.dice - len(kept))), first=10 * number)
        rulings += feed(umpire, throw(t, thrown, kept))
        roll = umpire.state.turn.values
        if number == rules.rolls:
            break
        wanted = Counter(keep(umpire.state, roll, number))
        if wanted == Counter(roll):
            break
        lying, kept = [*kept, *thrown], []
        for fact in lying:
            if wanted[fact.value or 0]:
                wanted[fact.value or 0] -= 1
                kept.append(fact)
        rulings += feed(umpire, lift(t + 1, *(fact.id for fact in lying if fact not in kept)))
    rulings += feed(umpire, choose(t + 2, box(umpire.state, umpire.state.turn.values), player))
    return t + 2


def lines_of(rulings: Sequence[Ruling]) -> list[str]:
    """The record's lines."""
    return [json.dumps(to_json(ruling)) for ruling in rulings]
