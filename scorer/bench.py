"""What every ruling is made with, and how a roll at rest is settled: held, asked about, or counted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from scorer.card import Card
from scorer.dice import FACES
from scorer.events import (
    DieFact,
    IncidentRecorded,
    LegalBox,
    Noticed,
    ReadingAsked,
    RestoreOrdered,
    RollCounted,
    RollHeld,
    RollUnseen,
    Ruling,
)
from scorer.legal import placements
from scorer.rules import Ruleset
from scorer.state import Options, State
from scorer.turn import Die, OpenRoll, Turn

Outcome = tuple[Turn, tuple[Ruling, ...]]
"""The turn as it is afterwards, and what was ruled."""

VIEW_LOST = "view_lost"


@dataclass(frozen=True, slots=True)
class Bench:
    """The rules, the player and the moment that rulings are made for.

    `dice` and `rolls` are those of this turn; `chance_only`: the next roll takes all dice and goes only in Chance;
    `throw_off`: the dice are thrown for the highest sum and go in no box.
    """

    rules: Ruleset
    options: Options
    player: str
    card: Card
    t: float
    frame: int
    t_said: float
    dice: int
    rolls: int
    chance_only: bool = False
    throw_off: bool = False

    def now(self, state: State) -> "Bench":
        """The bench for another state at the same moment."""
        return bench_of(state, self.t, self.frame, self.t_said)

    def head(self, subject: str, reason: str | None = None, about: str | None = None) -> dict[str, Any]:
        """The fields that every ruling carries; the rule cited is that of its reason, else of its subject.

        The ruling is about the player whose turn it is, or another one.
        """
        return {
            "t": self.t,
            "frame": self.frame,
            "t_said": self.t_said,
            "player": about or self.player,
            "rule": self.rules.texts[reason or subject],
            "reason": reason,
        }

    def sure(self, fact: DieFact) -> int | None:
        """The value of a die that lies flat (or leans, where that stands) and was read surely, else None."""
        readable = fact.state == "flat" or (fact.state == "cocked" and self.options.cocked_stands)
        return fact.value if readable and fact.value in FACES else None

    def legal(self, values: tuple[int, ...]) -> tuple[LegalBox, ...]:
        """The boxes that the roll may go in, in the order of the card."""
        return () if self.throw_off else placements(self.rules, self.card, values, self.chance_only)[0]


def bench_of(state: State, t: float, frame: int, t_said: float) -> Bench:
    """The bench for what is ruled in this state at `t`."""
    return Bench(
        state.rules,
        state.options,
        state.player,
        state.card,
        t,
        frame,
        t_said,
        dice=state.dice_in_play,
        rolls=state.rolls_allowed,
        chance_only="chance_chance" in state.turn.calls,
        throw_off=state.contest is not None,
    )


def settle(bench: Bench, turn: Turn, roll: OpenRoll, likely: Sequence[DieFact] = ()) -> Outcome:
    """Hold the roll where it is in doubt, ask for what is not sure in it, or count it.

    `likely` are the dice as seen, for the best guess that goes with a question. Which of the dice a lost one is says
    nothing where all stay as they lie.
    """
    roll = replace(roll, lost=()) if bench.options.as_it_lies else roll
    if roll.doubt is not None:
        return replace(turn, lying=roll.dice, question=roll), _hold(bench, roll, roll.doubt)
    if roll.unsure or roll.lost:
        return replace(turn, lying=roll.dice, question=roll), _ask(bench, roll, likely)
    return _count(bench, turn, roll)


def conclude(bench: Bench, turn: Turn, roll: OpenRoll) -> Outcome:
    """Count an open roll once nothing is open in it any more; its questions are not asked again."""
    if roll.doubt is None and not (roll.gone or roll.unsure or roll.lost):
        return _count(bench, turn, roll)
    return replace(turn, lying=roll.dice, question=roll), ()


def _hold(bench: Bench, roll: OpenRoll, doubt: str) -> tuple[Ruling, ...]:
    if doubt == VIEW_LOST:
        return (RollUnseen(**bench.head(doubt), roll=roll.roll),)
    values = () if roll.unsure else tuple(sorted(die.value for die in roll.dice if die.value is not None))
    held = RollHeld(**bench.head("roll", doubt), roll=roll.roll, values=values)
    return (Noticed(**bench.head("roll", doubt)), held) if doubt == "weak_throw" else (held,)


def _ask(bench: Bench, roll: OpenRoll, likely: Sequence[DieFact]) -> tuple[Ruling, ...]:
    guesses = {fact.id: fact.value if fact.value in FACES else fact.likely for fact in likely}
    unsure = [ReadingAsked(**bench.head("reading"), id=die.id, likely=guesses.get(die.id)) for die in roll.unsure]
    return (*unsure, *ask_which(bench, roll))


def ask_which(bench: Bench, roll: OpenRoll) -> tuple[Ruling, ...]:
    """Ask what each lost kept die shows: what it was kept with, or what the die showed that may have been set back."""
    guesses = {shown: die.value for die in roll.dice if (shown := roll.turned.get(die.id)) is not None}
    return tuple(
        ReadingAsked(**bench.head("reading", "kept"), id=die.id, likely=guesses.get(die.value or 0, die.value))
        for die in roll.lost
    )


def restore(bench: Bench, turn: Turn, id_: int, value: int, reason: str) -> tuple[Turn, Ruling]:
    """Order a die back to the value of record."""
    return _ordered(turn, id_, value), RestoreOrdered(**bench.head("kept", reason), id=id_, value=value)


def _ordered(turn: Turn, id_: int, value: int) -> Turn:
    """The turn with that order, and so the one that is gone back to if the open roll is refused."""
    roll = turn.question
    if roll is not None and any((die.id, die.value) == (id_, value) for die in roll.before.lying):
        turn = replace(turn, question=replace(roll, before=_ordered(roll.before, id_, value)))
    return replace(turn, restores=MappingProxyType({**turn.restores, id_: value}))


def with_orders(before: Turn, turn: Turn) -> Turn:
    """The turn to go back to, in which the orders of this one about dice that it has on record stand too."""
    records = {(die.id, die.value) for die in before.lying}
    orders = {id_: value for id_, value in turn.restores.items() if (id_, value) in records}
    return replace(before, restores=MappingProxyType({**before.restores, **orders}))


def turned_by_hand(bench: Bench, turn: Turn, id_: int, value: int) -> Outcome:
    """A hand turned a die that had to stay: it goes back to the value of record, and people may look into it."""
    turn, order = restore(bench, turn, id_, value, "turned_by_hand")
    return turn, (order, IncidentRecorded(**bench.head("kept", "kept_die_turned")))


def restore_all(bench: Bench, turn: Turn, dice: Iterable[Die], reason: str) -> tuple[Turn, tuple[Ruling, ...]]:
    """Order dice back to their values."""
    orders: list[Ruling] = []
    for die in dice:
        turn, order = restore(bench, turn, die.id, die.value or 0, reason)
        orders.append(order)
    return turn, tuple(orders)


def _count(bench: Bench, turn: Turn, roll: OpenRoll) -> Outcome:
    orders: tuple[Ruling, ...] = ()
    for die in roll.astray:  # it was said to be another than the lost kept one
        turn, more = turned_by_hand(bench, turn, die.id, die.value or 0)
        orders += more
    values = tuple(sorted(die.value for die in roll.dice if die.value is not None))
    counted = RollCounted(
        **bench.head("roll"), roll=roll.roll, values=values, legal=bench.legal(values), kept=tuple(sorted(roll.kept))
    )
    there = {die.id for die in roll.dice}
    restores = MappingProxyType({id_: value for id_, value in turn.restores.items() if id_ in there})
    turn = replace(turn, roll=roll.roll, values=values, lying=roll.dice, restores=restores, question=None)
    return turn, (*orders, counted)
