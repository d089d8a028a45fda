"""What closes an open question: people's answers, or a later look at the dice."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from scorer.bench import VIEW_LOST, Bench, Outcome, conclude, restore, restore_all, settle
from scorer.dice import FACES
from scorer.events import (
    DiceAtRest,
    DieAnswered,
    DieFact,
    HoldAnswered,
    ReadingAnswered,
    RerollOrdered,
    RollRefused,
    Ruling,
)
from scorer.kept import check_put_back, without_handled
from scorer.said import LEANS
from scorer.table import Table, ids_of, sort_out
from scorer.throw import refuse
from scorer.turn import Die, Flight, OpenRoll, Reroll, Turn, is_unwatched


def on_look(
    bench: Bench, turn: Turn, flight: Flight, rest: DiceAtRest, waits: bool = False, idle: bool = False
) -> Outcome:
    """Dice at rest that nobody threw: unchanged ones change nothing, and those put back are compared with the record.

    Dice none of which is known any more, as when watching began anew, and that lie otherwise than before may have been
    thrown meanwhile: people decide, but where play was `idle` all the while that is no roll. While it `waits` dice
    answer no question.
    """
    table = sort_out(bench, rest, flight)
    if not idle and _may_be_thrown(bench, turn, flight, table):
        return _thrown_unseen(bench, turn, table)
    turn, orders = check_put_back(bench, turn, flight, table.floor)
    if waits:
        return turn, orders
    turn, rulings = _seen_since(bench, turn, flight, table, rest.kept)
    return turn, (*orders, *rulings)


def _seen_since(bench: Bench, turn: Turn, flight: Flight, table: Table, stayed: Collection[int]) -> Outcome:
    """What a look, at which these dice had `stayed`, says to the open question.

    A die that was asked about may be readable now, if no hand has had it since; a die that was not seen to leave may
    be back. While dice are to be thrown again, or may be those that left the tray, none counts that was merely put
    down.
    """
    match turn.question:
        case OpenRoll(unseen=True) as roll:
            return _appear(bench, turn, roll, table.floor if flight.view_lost else ())
        case OpenRoll(outside=False) as roll if roll.gone:
            return _come_back(bench, turn, roll, table.floor)
        case OpenRoll() as roll:
            untouched = (ids_of(turn.lying) & set(stayed)) - turn.handled - turn.restores.keys()
            return _read_later(bench, turn, roll, [fact for fact in table.kept if fact.id in untouched])
        case _:
            return turn, ()


def _may_be_thrown(bench: Bench, turn: Turn, flight: Flight, table: Table) -> bool:
    """Whether all dice lie there, strange ones, and show what those did not that rested there before the view was lost,
    while a throw was still to come. Where none rested there when watching stopped, all that lie there now do."""
    to_come = isinstance(turn.question, Reroll) or (turn.question is None and turn.roll < bench.rolls)
    known = bool(flight.rested) or is_unwatched(flight, turn)
    strange = known and not ids_of(table.floor) & ids_of(flight.rested)
    if not (flight.view_lost and to_come and strange and len(table.floor) == bench.dice):
        return False
    return flight.differs(bench.sure(fact) for fact in table.floor)


def _thrown_unseen(bench: Bench, turn: Turn, table: Table) -> Outcome:
    """The roll of dice that may have been thrown while nobody saw it: people say whether it is one."""
    if VIEW_LOST in bench.options.strict:
        return refuse(bench, turn, table, VIEW_LOST)
    again = turn.question if isinstance(turn.question, Reroll) else None
    dice = tuple(Die(fact.id, bench.sure(fact)) for fact in table.floor)
    number, before = (again.roll, again.before) if again else (turn.roll + 1, turn)
    lost, kept = (again.lost, again.kept) if again else ((), ())
    among = frozenset(ids_of(dice))
    return settle(bench, turn, OpenRoll(number, dice, before, VIEW_LOST, lost=lost, kept=kept, among=among))


def on_hold_answered(bench: Bench, turn: Turn, answer: HoldAnswered) -> Outcome:
    """People let a held roll count, as far as its values are sure, or refuse it, which undoes it."""
    roll = turn.question
    if not isinstance(roll, OpenRoll) or roll.doubt is None or roll.gone:
        return turn, ()
    if answer.counts and not roll.unseen:
        return settle(bench, turn, replace(roll, doubt=None))
    return _undo(bench, roll, roll.doubt)


def on_reading_answered(bench: Bench, turn: Turn, answer: ReadingAnswered) -> Outcome:
    """Both sides agree what a die shows, or that it leans. An answer about another die changes nothing."""
    roll = turn.question
    if not isinstance(roll, OpenRoll):
        return turn, ()
    asked = any(die.id == answer.id for die in roll.unsure)
    if asked and answer.value == LEANS and not (roll.gone or roll.doubt or bench.options.cocked_stands):
        return _leans(bench, turn, roll, answer.id)
    if answer.value not in FACES:
        return turn, ()
    if asked:
        return _decide(bench, turn, roll, answer)
    for lost in roll.lost:
        if lost.id == answer.id:
            return _find(bench, turn, roll, lost, answer.value)
    return turn, ()


def on_die_answered(bench: Bench, turn: Turn, answer: DieAnswered) -> Outcome:
    """People say where a die went: thrown, then it is thrown again; kept back, then it returns as it was kept."""
    roll = turn.question
    if not isinstance(roll, OpenRoll) or not roll.gone:
        return turn, ()
    there = bench.dice - roll.gone  # dice that have come back by now lie last
    if answer.thrown and len(roll.dice) > there:
        return settle(bench, turn, replace(roll, gone=0, missing=()))
    if answer.thrown:
        ids = tuple(die.id for die in roll.missing) if roll.outside else ()
        again = RerollOrdered(**bench.head("roll", "off_tray"), ids=ids, count=roll.gone, roll=roll.roll)
        return replace(turn, lying=roll.recorded[:there], question=roll.again), (again,)
    if len(roll.missing) != roll.gone:
        return _undo(bench, roll, "thrown_or_kept_back")
    turn, orders = restore_all(bench, turn, roll.missing, "knocked_out" if roll.outside else "kept_back")
    after, rulings = settle(bench, turn, _returned(roll, roll.dice[:there] + roll.missing))
    return after, (*orders, *rulings)


def _leans(bench: Bench, turn: Turn, roll: OpenRoll, id_: int) -> Outcome:
    """A die that was asked about leans or lies on another: one thrown is thrown again, a kept one was knocked."""
    place = _place_of_unsure(roll.dice, id_)
    record = roll.recorded[place]
    if record.value is None:
        others = (*roll.recorded[:place], *roll.recorded[place + 1 :])
        again = RerollOrdered(**bench.head("roll", "cocked"), ids=(id_,), count=1, roll=roll.roll)
        question = replace(roll.again, count=1)
        turn, orders = restore_all(bench, turn, roll.astray, "turned_by_hand")
        return replace(turn, lying=others, question=question), (*orders, again)
    turn, order = restore(bench, turn, id_, record.value, "knocked")
    after, rulings = conclude(bench, turn, replace(roll, dice=_with(roll.dice, place, record)))
    return after, (order, *rulings)


def _appear(bench: Bench, turn: Turn, roll: OpenRoll, facts: Sequence[DieFact]) -> Outcome:
    """The dice of a throw that nobody saw, once they are all there to be seen: people decide on them."""
    if len(facts) != bench.dice:
        return turn, ()
    dice = tuple(Die(fact.id, bench.sure(fact)) for fact in facts)
    kept = tuple(die.value for die in roll.before.lying if die.value is not None and die in dice)
    return replace(turn, lying=dice, question=replace(roll, dice=dice, kept=kept)), ()


def _read_later(bench: Bench, turn: Turn, roll: OpenRoll, facts: Sequence[DieFact]) -> Outcome:
    """Values that have become sure since, of dice that have stayed. One that was read tells of one die only, even
    where an id was given twice. A kept one that the throw turned goes back to what is on record; where people said
    that, they are still asked."""
    sure = {fact.id: bench.sure(fact) for fact in facts}
    dice: list[Die] = []
    orders: list[Ruling] = []
    for die, record in zip(roll.dice, roll.recorded, strict=True):
        value = sure.pop(die.id, None) if die.value is None else None
        if value is None or (record.by_people and record.value != value):
            dice.append(die)
            continue
        turn, known, order = _known(bench, turn, record, replace(die, value=value))
        dice.append(known)
        orders += order
    after, rulings = conclude(bench, turn, replace(roll, dice=tuple(dice)))
    return after, (*orders, *rulings)


def _come_back(bench: Bench, turn: Turn, roll: OpenRoll, facts: Sequence[DieFact]) -> Outcome:
    """A die that was not seen to leave lies there again, and nobody saw it thrown.

    With the value it was kept with the roll is what it is either way, and counts. With another value it may have been
    set down by hand, so people still have to say where it was.
    """
    there = roll.dice[: bench.dice - roll.gone]
    new = [fact for fact in facts if fact.id not in {die.id for die in there}]
    untouched = all(die in turn.lying for die in there)
    if len(facts) != bench.dice or len(new) != roll.gone or not untouched:
        return turn, ()
    known = {die.id: die.value for die in roll.dice[len(there) :]}  # as they came back, whatever a hand did since
    back = tuple(Die(fact.id, known.get(fact.id) or bench.sure(fact)) for fact in new)
    if Counter(die.value for die in back) == Counter(die.value for die in roll.missing):
        return settle(bench, turn, _returned(roll, there + back))
    return replace(turn, question=replace(roll, dice=there + back)), ()


def _returned(roll: OpenRoll, dice: tuple[Die, ...]) -> OpenRoll:
    """The roll with the missing dice back in it: they were kept."""
    lost = () if roll.outside else tuple(die for die in roll.lost if die not in roll.missing)
    others = () if roll.outside else tuple(die for die in roll.missing if die not in roll.lost)
    values = tuple(die.value for die in others if die.value is not None)
    return replace(roll, dice=dice, gone=0, missing=(), outside=False, lost=lost, kept=roll.kept + values)


def _find(bench: Bench, turn: Turn, roll: OpenRoll, lost: Die, shown: int) -> Outcome:
    """A lost kept die was found: if it showed another value than it was kept with, it goes back to that, unless it
    has been set back."""
    found = replace(roll, lost=tuple(die for die in roll.lost if die != lost))
    if shown == lost.value:
        return conclude(bench, turn, found)
    places = [i for i, die in enumerate(roll.dice) if die.value == shown and die in roll.candidates]
    if not places or lost.value is None:
        return turn, ()
    set_back = [i for i in places if roll.turned.get(roll.dice[i].id) == lost.value]
    place = (set_back or places)[0]
    die = roll.dice[place]
    orders: tuple[Ruling, ...] = ()
    if not set_back:
        turn, order = restore(bench, turn, die.id, lost.value, "knocked")
        turn = replace(turn, alike=frozenset(roll.dice[i].id for i in places))
        orders = (order,)
    dice = _with(roll.dice, place, Die(die.id, lost.value, by_people=True))
    after, rulings = conclude(bench, turn, replace(found, dice=dice))
    return after, (*orders, *rulings)


def _decide(bench: Bench, turn: Turn, roll: OpenRoll, answer: ReadingAnswered) -> Outcome:
    """People say what the first unsure die of that id shows."""
    place = _place_of_unsure(roll.dice, answer.id)
    record = roll.recorded[place]
    turn, die, order = _known(bench, turn, record, Die(answer.id, answer.value, by_people=True))
    roll = replace(roll, before=without_handled(roll.before, answer.id))
    roll = replace(roll, dice=_with(roll.dice, place, die))
    after, rulings = conclude(bench, without_handled(turn, answer.id), roll)
    return after, (*order, *rulings)


def _known(bench: Bench, turn: Turn, record: Die, shown: Die) -> tuple[Turn, Die, tuple[Ruling, ...]]:
    """What a die that could not be read counts for, now that it is known what it shows: a kept one that shows otherwise
    than was surely read before goes back to that, and counts for it."""
    if record.value in (None, shown.value) or record.by_people or bench.options.as_it_lies:
        return turn, shown, ()
    turn, order = restore(bench, turn, shown.id, record.value or 0, "knocked")
    return turn, record, (order,)


def _undo(bench: Bench, roll: OpenRoll, reason: str) -> Outcome:
    """The roll is refused: the turn is as it was before, with the dice that have stayed since, where they were seen."""
    refused = RollRefused(**bench.head("roll", reason))
    if roll.unseen:
        return roll.before, (refused,)
    there = {die.id for die in roll.dice}
    return replace(roll.before, lying=tuple(die for die in roll.before.lying if die.id in there)), (refused,)


def _with(dice: tuple[Die, ...], place: int, die: Die) -> tuple[Die, ...]:
    """The dice with this one in that place."""
    return (*dice[:place], die, *dice[place + 1 :])


def _place_of_unsure(dice: Sequence[Die], id_: int) -> int:
    """Which of the dice is the first unsure one of that id."""
    return next(place for place, die in enumerate(dice) if die.id == id_ and die.value is None)
