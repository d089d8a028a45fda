"""Kept dice: whether they still show what they were kept with, and the orders to set them back."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from scorer.bench import Bench, Outcome, ask_which, restore, turned_by_hand
from scorer.dice import FACES
from scorer.events import DieFact, KeptDieChanged, Ruling
from scorer.turn import Die, Flight, OpenRoll, Turn

Cause = Literal["hand", "hit", "put_back"]
"""What turned a kept die: a hand where it lay, a throw, or whoever lifted it and put it back."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Kept dice with the values they count for and their records, what was ordered, and all orders now standing;
    `strange` are those that the record does not know."""

    dice: tuple[Die, ...]
    records: tuple[Die, ...]
    strange: tuple[Die, ...]
    orders: tuple[Ruling, ...]
    turn: Turn


def restored(turn: Turn, id_: int) -> Turn:
    """The turn after the die was set back."""
    if turn.question is not None:
        turn = replace(turn, question=replace(turn.question, before=restored(turn.question.before, id_)))
    return replace(turn, restores=MappingProxyType({k: v for k, v in turn.restores.items() if k != id_}))


def on_change(bench: Bench, turn: Turn, event: KeptDieChanged) -> Outcome:
    """A kept die shows another face: it goes back to the value of record, and a hand's doing is an incident.

    Nothing is ruled before the turn's first roll, or where a hand has had it while nobody was sure of it: people are
    asked what it has to show.
    """
    record = next((die for die in turn.lying if die.id == event.id), None)
    value = event.before if record is None or record.value is None else record.value
    unknown = record is not None and record.value is None and event.id in turn.handled
    if not turn.lying or value not in FACES or unknown:
        return turn, ()
    return _on_shown(bench, turn, event.id, value, event.after, event.cause)


def _on_shown(bench: Bench, turn: Turn, id_: int, value: int, shown: int, cause: Cause) -> Outcome:
    """What a kept die with this value on record shows.

    Nothing is ruled when it shows the value of record again, when its order stands already, or where the players agreed
    that a die knocked by a throw stays as it lies. Whoever turns a die to what a lost one showed, while it is asked
    which that is, may have set it back: people are asked whether it is that one. If they say that it is not, it goes
    back as soon as the roll counts. Of dice that showed the same when a lost one among them was ordered back, any may
    be set back.
    """
    roll = turn.question if isinstance(turn.question, OpenRoll) else None
    if roll is not None and id_ in roll.turned:
        roll = replace(roll, turned=MappingProxyType({k: v for k, v in roll.turned.items() if k != id_}))
        turn = replace(turn, question=roll)
    if shown == value:
        return restored(turn, id_), ()
    twin = next((other for other in turn.alike if turn.restores.get(other) == shown), None)
    if twin is not None and id_ in turn.alike and cause != "hit":
        return _exchanged(turn, id_, twin), ()
    if id_ in turn.restores or (cause == "hit" and bench.options.as_it_lies):
        return turn, ()
    if roll is not None and cause != "hit" and _may_be_lost(roll, id_, shown):
        roll = replace(roll, turned=MappingProxyType({**roll.turned, id_: shown}))
        return replace(turn, question=roll), () if roll.doubt else ask_which(bench, roll)
    if cause == "hand":
        return turned_by_hand(bench, turn, id_, value)
    turn, order = restore(bench, turn, id_, value, "knocked" if cause == "hit" else "put_back_changed")
    return turn, (order,)


def _exchanged(turn: Turn, one: int, other: int) -> Turn:
    """The turn with each of two dice as the other one was on record, the `other` of which was ordered back: the one was
    set back in its stead."""
    turn = _renumbered(turn, {one: other, other: one})
    return restored(replace(turn, alike=turn.alike - {one}), other)


def _with_numbers(dice: Sequence[Die], ids: Mapping[int, int]) -> tuple[Die, ...]:
    return tuple(replace(die, id=ids.get(die.id, die.id)) for die in dice)


def _may_be_lost(roll: OpenRoll, id_: int, shown: int) -> bool:
    """Whether the die that was turned may be a lost kept one that now shows again what it was kept with."""
    read = {die.id for die in roll.candidates if die.value is not None}
    return shown in {die.value for die in roll.lost} and id_ in read and not roll.gone


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
    knocked it, else it is asked about; so is one that the record does not know. One that may be another since a throw
    drove it out of its place shows what it shows: people are asked which is which.
    """
    records = _match(bench, turn.lying, facts, turn.restores)
    dice: list[Die] = []
    orders: list[Ruling] = []
    stirred = flight.stirred | turn.handled  # these may have turned
    lost = flight.lost - flight.lifted
    for fact, record in zip(facts, records, strict=True):
        value = bench.sure(fact)
        if fact.id in lost:
            dice.append(Die(fact.id, value))
        elif record is None or record.value is None:
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
    strange = tuple(die for die, record in zip(dice, records, strict=True) if record is None)
    handled = turn.handled | {die.id for die in strange}  # no later look says what they have to show
    return Kept(tuple(dice), known, strange, tuple(orders), replace(turn, handled=handled))


def check_put_back(bench: Bench, turn: Turn, flight: Flight, facts: Sequence[DieFact]) -> Outcome:
    """Compare dice with the record after hands were at them and nothing was thrown.

    The same values in any places are right. Otherwise each changed die goes back to the value of record; one that
    was not even lifted was turned by hand, which is an incident where that could be seen. While not all are surely
    known, or a question is open, only those that were lifted are compared. What people said of a die is no proof that
    it was changed.
    """
    turn = _with_fetched(bench, _with_new_numbers(bench, turn, flight, facts), flight, facts)
    values = [bench.sure(fact) for fact in facts]
    unknown = len(facts) != len(turn.lying) or None in values or any(die.value is None for die in turn.lying)
    if unknown or turn.question is not None:
        return _check_lifted(bench, turn, flight, facts)
    if sorted(v for v in values if v) == sorted(die.value for die in turn.lying if die.value):
        lying = tuple(Die(fact.id, value) for fact, value in zip(facts, values, strict=True))
        return replace(turn, lying=lying, restores=MappingProxyType({})), ()
    rulings: list[Ruling] = []
    records = _match(bench, turn.lying, facts, turn.restores, pair_all=True)
    for fact, value, record in zip(facts, values, records, strict=True):
        if record is not None and value == record.value:
            turn = restored(turn, fact.id)
        if record is None or record.value is None or value == record.value or fact.id in turn.restores:
            continue
        if record.by_people:
            continue
        unseen = bool(flight.lifted) or flight.view_lost  # how it came there
        lifted = record.id in flight.lifted or (record.id != fact.id and unseen)
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


def _with_new_numbers(bench: Bench, turn: Turn, flight: Flight, facts: Sequence[DieFact]) -> Turn:
    """The turn with the numbers that its dice have now, where watching began anew: each die is one that shows the same,
    first of those that lay there. One that was never read, or that people said the value of, is not known by that."""
    if not flight.view_lost or {fact.id for fact in facts} & {die.id for die in turn.lying}:
        return turn
    known = [die for die in turn.lying if die.value is not None and not die.by_people]
    known.sort(key=lambda die: die.id in flight.lifted or die.id in turn.restores)
    ids: dict[int, int] = {}
    for fact in facts:
        die = next((die for die in known if die.value == bench.sure(fact)), None)
        if die is not None:
            known.remove(die)
            ids[die.id] = fact.id
            turn = restored(turn, die.id)
    return _renumbered(turn, ids)


def _renumbered(turn: Turn, ids: Mapping[int, int]) -> Turn:
    """The turn with these other numbers for its dice, and so the one that is gone back to if its roll is refused."""
    roll = turn.question
    if roll is not None:
        among = frozenset(ids.get(id_, id_) for id_ in roll.among)
        roll = replace(roll, before=_renumbered(roll.before, ids), among=among)
    if isinstance(roll, OpenRoll):
        roll = replace(roll, dice=_with_numbers(roll.dice, ids), record=_with_numbers(roll.record, ids))
    return replace(turn, lying=_with_numbers(turn.lying, ids), question=roll)


def _with_fetched(bench: Bench, turn: Turn, flight: Flight, facts: Sequence[DieFact]) -> Turn:
    """The turn in which a die that was fetched from outside is known, where it has another number now, or was taken for
    one that a hand had lifted: it shows what that outside is to be set back to. The lifted one is in the hand yet, or
    has another number.
    """
    if flight.count or flight.view_lost:
        return turn
    there = {fact.id for fact in facts}
    values = {die.id: die.value for die in turn.lying}
    for fact in facts:
        shown = bench.sure(fact)
        outside = (id_ for id_, value in turn.restores.items() if value == shown and id_ not in there | flight.lifted)
        other = next(outside, None)
        strange = fact.id not in values
        taken_for = fact.id in flight.lifted and values.get(fact.id) not in (None, shown)
        if other is not None and (strange or taken_for) and fact.id not in turn.restores:
            turn = _exchanged(turn, fact.id, other)
            there.add(other)
    return turn


def _check_lifted(bench: Bench, turn: Turn, flight: Flight, facts: Sequence[DieFact]) -> Outcome:
    """Compare the dice that were lifted and lie there again, known by their numbers, as far as both readings are sure.

    Those that show what others have that were lifted with them may be these, which are still in the hand. None is
    compared where dice may have been thrown since without being seen.
    """
    roll = turn.question
    if flight.count or flight.view_lost or flight.taken_unseen or (isinstance(roll, OpenRoll) and roll.unseen):
        return turn, ()
    numbers = Counter(fact.id for fact in facts)
    known = flight.lifted - flight.lost - turn.unproved
    there = [fact for fact in facts if fact.id in known and numbers[fact.id] == 1 and not fact.thrown]
    records = {die.id: die.value for die in turn.lying if die.id in known and die.value is not None}
    sure = {fact.id: bench.sure(fact) for fact in there}
    shown = {id_: value for id_ in records if (value := sure.get(id_)) is not None}
    same = Counter(shown.values()) <= Counter(records.values())
    rulings: tuple[Ruling, ...] = ()
    for id_, value in shown.items():
        turn, more = _on_shown(bench, turn, id_, records[id_], records[id_] if same else value, "put_back")
        rulings += more
    return turn, rulings


def _match(
    bench: Bench,
    lying: Sequence[Die],
    facts: Sequence[DieFact],
    restores: Mapping[int, int],
    pair_all: bool = False,
) -> list[Die | None]:
    """The record of each die seen: by its id, else by the value that it was ordered back to, else by what it shows;
    with `pair_all` the rest in order of lying."""
    left = list(lying)
    found: dict[int, Die] = {}

    def take(place: int, candidates: list[Die]) -> None:
        if place not in found and candidates:
            found[place] = candidates[0]
            left.remove(candidates[0])

    for place, fact in enumerate(facts):
        take(place, [die for die in left if die.id == fact.id])
    for place, fact in enumerate(facts):
        take(place, [die for die in left if die.value is not None and die.value == restores.get(fact.id)])
    for place, fact in enumerate(facts):
        take(place, [die for die in left if die.value is not None and die.value == bench.sure(fact)])
    if pair_all:
        for place in range(len(facts)):
            take(place, left)
    return [found.get(place) for place in range(len(facts))]
