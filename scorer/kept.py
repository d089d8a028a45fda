"""Kept dice: whether they still show what they were kept with, and the orders to set them back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from scorer.bench import Bench, Outcome, ask_which, restore, turned_by_hand
from scorer.dice import FACES
from scorer.events import DieFact, KeptDieChanged, Ruling
from scorer.turn import Die, Flight, OpenRoll, Turn


@dataclass(frozen=True, slots=True)
class Kept:
    """Kept dice with the values they count for and their records, what was ordered, and all orders now standing."""

    dice: tuple[Die, ...]
    records: tuple[Die, ...]
    orders: tuple[Ruling, ...]
    turn: Turn


def restored(turn: Turn, id_: int) -> Turn:
    """The turn after the die was set back."""
    return replace(turn, restores=MappingProxyType({k: v for k, v in turn.restores.items() if k != id_}))


def on_change(bench: Bench, turn: Turn, event: KeptDieChanged) -> Outcome:
    """A kept die shows another face: it goes back to the value of record, and a hand's doing is an incident.

    Nothing is ruled when it shows the value of record again, when its order stands already, before the turn's first
    roll, where the players agreed that a die knocked by a throw stays as it lies, or where a hand has had it while
    nobody was sure of it: people are asked what it has to show. Whoever turns a die to what a lost one showed, while it
    is asked which that is, may have set it back: people are asked whether it is that one. If they say that it is not,
    it goes back as soon as the roll counts. Of dice that showed the same when a lost one among them was ordered back,
    any may be set back.
    """
    record = next((die for die in turn.lying if die.id == event.id), None)
    value = event.before if record is None or record.value is None else record.value
    unknown = record is not None and record.value is None and event.id in turn.handled
    if not turn.lying or value not in FACES or unknown:
        return turn, ()
    roll = turn.question if isinstance(turn.question, OpenRoll) else None
    if roll is not None and event.id in roll.turned:
        roll = replace(roll, turned=MappingProxyType({k: v for k, v in roll.turned.items() if k != event.id}))
        turn = replace(turn, question=roll)
    if event.after == value:
        return restored(turn, event.id), ()
    twin = next((id_ for id_ in turn.alike if turn.restores.get(id_) == event.after), None)
    if twin is not None and event.id in turn.alike and event.cause == "hand":
        return _exchanged(turn, event.id, twin), ()
    if event.id in turn.restores or (event.cause == "hit" and bench.options.as_it_lies):
        return turn, ()
    if event.cause == "hit":
        turn, order = restore(bench, turn, event.id, value, "knocked")
        return turn, (order,)
    if roll is not None and _may_be_lost(roll, event):
        roll = replace(roll, turned=MappingProxyType({**roll.turned, event.id: event.after}))
        return replace(turn, question=roll), () if roll.doubt else ask_which(bench, roll)
    return turned_by_hand(bench, turn, event.id, value)


def _exchanged(turn: Turn, one: int, other: int) -> Turn:
    """The turn with each of two dice as the other one was on record, the `other` of which was ordered back: the one was
    set back in its stead."""
    roll = turn.question if isinstance(turn.question, OpenRoll) else None
    if roll is not None:
        turn = replace(turn, question=replace(roll, dice=_with_exchanged(roll.dice, one, other)))
    lying = _with_exchanged(turn.lying, one, other)
    return restored(replace(turn, lying=lying, alike=turn.alike - {one}), other)


def _with_exchanged(dice: Sequence[Die], one: int, other: int) -> tuple[Die, ...]:
    ids = {one: other, other: one}
    return tuple(replace(die, id=ids.get(die.id, die.id)) for die in dice)


def _may_be_lost(roll: OpenRoll, event: KeptDieChanged) -> bool:
    """Whether the die that was turned may be a lost kept one that now shows again what it was kept with."""
    kept = {die.id for die in roll.before.lying} - {die.id for die in roll.lost}
    read = {die.id for die in roll.dice if die.value is not None}
    fits = event.after in {die.value for die in roll.lost}
    return fits and event.id in read - kept and not roll.gone


def with_handled(turn: Turn, flight: Flight) -> Turn:
    """The turn in which it is known which dice that were not read surely a hand has had, or something has knocked."""
    roll, handled = turn.question, turn.handled | (flight.stirred & turn.unproved)
    if roll is not None:  # it may be refused yet: so it is in the turn that is gone back to then
        roll = replace(roll, before=with_handled(roll.before, flight))
    return replace(turn, question=roll, handled=handled)


def without_handled(turn: Turn, id_: int) -> Turn:
    """The turn in which people have said what a die shows as it lies now."""
    return replace(turn, handled=turn.handled - {id_})


def check_kept(bench: Bench, turn: Turn, flight: Flight, facts: Sequence[DieFact]) -> Kept:
    """Compare the dice that stayed during a throw with the record.

    A die that shows another value, or now leans, counts for the value of record and is ordered back to it. One that
    cannot be read counts for its old value only if people decided that and no hand has had it since, nor anything
    knocked it, else it is asked about; so is one that the record does not know.
    """
    records = _match(bench, turn.lying, facts)
    dice: list[Die] = []
    orders: list[Ruling] = []
    stirred = flight.stirred | turn.handled  # these may have turned
    for fact, record in zip(facts, records, strict=True):
        value = bench.sure(fact)
        if record is None or record.value is None:
            read_now = record is not None and fact.id not in turn.restores.keys() | stirred
            dice.append(Die(fact.id, value if read_now else None))
        elif value == record.value:
            turn = restored(turn, fact.id)
            dice.append(replace(record, id=fact.id))
        elif fact.id in turn.restores:
            dice.append(replace(record, id=fact.id))
        elif value is None and fact.state != "cocked":
            holds = record.by_people and stirred.isdisjoint((record.id, fact.id))
            dice.append(replace(record, id=fact.id) if holds else Die(fact.id, None))
        elif record.by_people:
            dice.append(Die(fact.id, None))  # people and the camera disagree about a die that nobody touched
        elif value is not None and bench.options.as_it_lies and record.id not in flight.lifted:
            dice.append(Die(fact.id, value))
        else:
            reason = "put_back_changed" if record.id in flight.lifted else "knocked"
            turn, order = restore(bench, turn, fact.id, record.value, reason)
            orders.append(order)
            dice.append(replace(record, id=fact.id))
    known = tuple(record for record in records if record is not None)
    return Kept(tuple(dice), known, tuple(orders), turn)


def check_put_back(bench: Bench, turn: Turn, flight: Flight, facts: Sequence[DieFact]) -> Outcome:
    """Compare all dice with the record after hands were at them and nothing was thrown.

    The same values in any places are right. Otherwise each changed die goes back to the value of record; one that
    was not even lifted was turned by hand, which is an incident.
    """
    values = [bench.sure(fact) for fact in facts]
    if len(facts) != len(turn.lying) or None in values or any(die.value is None for die in turn.lying):
        return turn, ()
    if sorted(v for v in values if v) == sorted(die.value for die in turn.lying if die.value):
        lying = tuple(Die(fact.id, value) for fact, value in zip(facts, values, strict=True))
        return replace(turn, lying=lying, restores=MappingProxyType({})), ()
    rulings: list[Ruling] = []
    records = _match(bench, turn.lying, facts, pair_all=True)
    for fact, value, record in zip(facts, values, records, strict=True):
        if record is not None and value == record.value:
            turn = restored(turn, fact.id)
        if record is None or record.value is None or value == record.value or fact.id in turn.restores:
            continue
        lifted = record.id in flight.lifted or (record.id != fact.id and bool(flight.lifted))
        if lifted:
            turn, order = restore(bench, turn, fact.id, record.value, "put_back_changed")
            rulings.append(order)
        else:
            turn, more = turned_by_hand(bench, turn, fact.id, record.value)
            rulings += more
    lying = tuple(
        replace(record, id=fact.id) for fact, record in zip(facts, records, strict=True) if record is not None
    )
    return replace(turn, lying=lying), tuple(rulings)


def _match(bench: Bench, lying: Sequence[Die], facts: Sequence[DieFact], pair_all: bool = False) -> list[Die | None]:
    """The record of each die seen: by its id, else by its value; with `pair_all` the rest in order of lying."""
    left = list(lying)
    found: dict[int, Die] = {}

    def take(place: int, candidates: list[Die]) -> None:
        if place not in found and candidates:
            found[place] = candidates[0]
            left.remove(candidates[0])

    for place, fact in enumerate(facts):
        take(place, [die for die in left if die.id == fact.id])
    for place, fact in enumerate(facts):
        take(place, [die for die in left if die.value is not None and die.value == bench.sure(fact)])
    if pair_all:
        for place in range(len(facts)):
            take(place, left)
    return [found.get(place) for place in range(len(facts))]
