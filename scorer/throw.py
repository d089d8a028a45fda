"""Ruling on a throw once it is at rest: a roll that counts, a roll that is not complete yet, or no roll at all."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from scorer.bench import VIEW_LOST, Bench, Outcome, settle
from scorer.events import (
    DiceAtRest,
    DieAsked,
    DieFact,
    IncidentRecorded,
    Noticed,
    RerollOrdered,
    RollRefused,
    RollUnseen,
    Ruling,
)
from scorer.kept import check_kept, restore
from scorer.state import Die, Flight, OpenRoll, Reroll, Turn

STAGGERED_S = 1.0
"""Dice that enter further apart than this were not rolled at the same time."""

WEAK_TUMBLE = 0.1
"""A throw in which no die tumbled in this share of its steps was slid or set down. One such die among tumbling ones
cannot be told from one whose tumbling a hand hid, so it is no reason to stop the play."""


@dataclass(frozen=True, slots=True)
class Table:
    """The dice of a rest, sorted out: `off` are those that this throw left off the floor."""

    thrown: tuple[DieFact, ...]
    kept: tuple[DieFact, ...]
    off: tuple[DieFact, ...]

    @property
    def floor(self) -> tuple[DieFact, ...]:
        """Every die on the floor."""
        return self.thrown + self.kept


def is_throw(rest: DiceAtRest) -> bool:
    """Whether dice were thrown since the last rest; otherwise hands were at the dice at most."""
    return bool(rest.thrown)


def sort_out(rest: DiceAtRest, flight: Flight) -> Table:
    """Take the event's word for what was thrown and what was kept. Dice that lay off the floor before do not count."""
    dice = [replace(die, thrown=die.id in rest.thrown or (die.thrown and die.id not in rest.kept)) for die in rest.dice]
    floor = [die for die in dice if die.state != "off_tray"]
    off = [die for die in dice if die.state == "off_tray"]
    return Table(
        thrown=tuple(die for die in floor if die.thrown),
        kept=tuple(die for die in floor if not die.thrown),
        off=tuple(die for die in off if die.thrown or die.id not in flight.off_tray),
    )


def judge_throw(bench: Bench, turn: Turn, flight: Flight, rest: DiceAtRest) -> Outcome:
    """Rule on the dice that have come to rest after a throw.

    A throw made while a question was open gives the open roll up (see `_leave_open`), or completes it: dice that
    had not been seen to leave may be what was thrown now. A refused throw leaves the turn as it was.
    """
    table = sort_out(rest, flight)
    question = turn.question
    if isinstance(question, OpenRoll):
        if question.unseen and flight.view_lost:
            return _see_at_last(bench, question, flight, table)
        if _completes(bench, question, table):
            return _complete(bench, turn, question, flight, table)
    start, notices = _leave_open(bench, turn, question, table) if isinstance(question, OpenRoll) else (turn, ())
    if start.roll >= bench.rules.rolls and start.question is None:
        return _refuse(bench, turn, table, "three_rolls")
    after, rulings = _judge(bench, start, flight, table)
    if _is_refused(rulings):
        return _narrow(turn, table), rulings
    return after, notices + rulings


def _see_at_last(bench: Bench, question: OpenRoll, flight: Flight, table: Table) -> Outcome:
    """The dice of a throw during which the view was lost: people were told so then, and decide with them in view."""
    after, rulings = _judge(bench, question.before, flight, table)
    return after, tuple(ruling for ruling in rulings if not isinstance(ruling, RollUnseen))


def _complete(bench: Bench, turn: Turn, question: OpenRoll, flight: Flight, table: Table) -> Outcome:
    """The dice that had not been seen to leave were thrown now: late, if it was more than a second after the others."""
    late = flight.count > 0 and flight.t_last - question.entered > STAGGERED_S
    reroll = Reroll(question.roll, question.gone, question.doubt or ("staggered" if late else None), question.lost)
    after, rulings = _judge(bench, replace(turn, lying=question.dice, question=reroll), flight, table)
    return (_narrow(question.before, table) if _is_refused(rulings) else after), rulings


def _judge(bench: Bench, turn: Turn, flight: Flight, table: Table) -> Outcome:
    """Rule on a throw that may be the turn's next roll, or dice thrown again for the roll that is not complete."""
    reroll = turn.question if isinstance(turn.question, Reroll) else None
    roll = reroll.roll if reroll else turn.roll + 1
    knocked_out = _knocked_out(turn, flight, table)
    gap = bench.rules.dice - len(table.floor) - len(knocked_out)
    still_out = _still_out(turn, flight, table)[: max(gap, 0)]
    gap -= len(still_out)
    if gap < 0:
        return _refuse(bench, turn, table, "foreign_die")
    if reroll is not None:
        table = _standing_stay(bench, turn, table)
    elif roll == 1 and table.kept:
        return _refuse(bench, turn, table, "all_dice_together")
    doubt = _doubt(bench, flight, table, reroll)
    if doubt in bench.options.strict:
        return _refuse(bench, turn, table, doubt)
    seen_to_go = len(table.off) + flight.over_rim - len(flight.over_rim_ids & _ids(table.off))
    explained = seen_to_go - len(knocked_out)
    if gap > explained and reroll is None and roll == 1:
        return _refuse(bench, turn, table, "all_dice_together")
    return _gather(bench, turn, flight, table, _Case(roll, reroll, doubt, knocked_out, still_out, gap, explained))


@dataclass(frozen=True, slots=True)
class _Case:
    """What is known about the roll that a throw belongs to."""

    roll: int
    reroll: Reroll | None
    doubt: str | None
    knocked_out: tuple[Die, ...]
    still_out: tuple[Die, ...]
    gap: int
    explained: int


def _gather(bench: Bench, turn: Turn, flight: Flight, table: Table, case: _Case) -> Outcome:
    """Put the roll together from thrown and kept dice, and order or ask for whatever is missing from it."""
    before = replace(turn, lying=tuple(die for die in turn.lying if die.id in _ids(table.floor)))
    kept = check_kept(bench, turn, flight, table.kept)
    lost = tuple(die for die in turn.lying if die.id in flight.lost - flight.lifted)
    lost += case.reroll.lost if case.reroll else ()
    turn, orders = kept.turn, list(kept.orders)
    for die in case.knocked_out:
        turn, order = restore(bench, turn, die.id, die.value or 0, "knocked_out")
        orders.append(order)
    tilted = tuple(fact for fact in table.thrown if _is_tilted(bench, fact))
    thrown = tuple(Die(fact.id, bench.sure(fact)) for fact in table.thrown if fact not in tilted)
    dice = thrown + kept.dice + case.knocked_out + case.still_out
    if case.gap > case.explained and case.reroll is None:
        gone = _gone(turn, flight, table, case.gap)
        asked = DieAsked(**bench.head("kept", "thrown_or_kept_back"), ids=tuple(die.id for die in gone), count=case.gap)
        dice += tuple(Die(fact.id, None) for fact in tilted)
        lost = tuple(die for die in lost if die not in gone)
        roll = OpenRoll(case.roll, dice, before, case.doubt, flight.t_first, case.gap, gone, lost)
        return replace(turn, lying=dice, question=roll), (*orders, asked)
    if case.gap or tilted:
        question = Reroll(case.roll, case.gap + len(tilted), case.doubt, lost)
        again = _reroll_orders(bench, case, table.off, tilted)
        return replace(turn, lying=dice, question=question), (*orders, *again)
    among = _ids(dice) if case.reroll and case.reroll.lost else _ids(thrown) | flight.lost
    if lost and len({die.value for die in dice if die.id in among}) == 1:
        turn, dice, found = _find_lost(bench, turn, dice, among, lost)
        orders, lost = orders + found, ()
    after, rulings = settle(bench, turn, OpenRoll(case.roll, dice, before, case.doubt, lost=lost), table.floor)
    return after, (*orders, *rulings)


def _find_lost(
    bench: Bench, turn: Turn, dice: tuple[Die, ...], among: AbstractSet[int], lost: Sequence[Die]
) -> tuple[Turn, tuple[Die, ...], list[Ruling]]:
    """Lost kept dice among dice that all show the same: whichever they are, each has the value it was kept with."""
    found = list(dice)
    orders: list[Ruling] = []
    places = (place for place, die in enumerate(dice) if die.id in among)
    for record, place in zip(lost, places, strict=False):
        if record.value is not None and found[place].value not in (None, record.value):
            turn, order = restore(bench, turn, found[place].id, record.value, "knocked")
            orders.append(order)
            found[place] = replace(found[place], value=record.value)
    return turn, tuple(found), orders


def _reroll_orders(bench: Bench, case: _Case, off: Sequence[DieFact], tilted: Sequence[DieFact]) -> tuple[Ruling, ...]:
    """One order for the dice off the tray, one for those that lean, one for those on others.

    Dice still to come of a roll that is thrown again bring no new order: they may be thrown one after the other.
    """
    orders: list[Ruling] = []
    if case.gap and case.explained > 0:
        ids = tuple(fact.id for fact in off)[: case.gap]
        orders.append(RerollOrdered(**bench.head("roll", "off_tray"), ids=ids, count=case.gap, roll=case.roll))
    for state in ("cocked", "stacked"):
        if ids := tuple(fact.id for fact in tilted if fact.state == state):
            orders.append(RerollOrdered(**bench.head("roll", state), ids=ids, count=len(ids), roll=case.roll))
    return tuple(orders)


def _is_refused(rulings: Sequence[Ruling]) -> bool:
    return any(isinstance(ruling, RollRefused) for ruling in rulings)


def _refuse(bench: Bench, turn: Turn, table: Table, reason: str | None) -> Outcome:
    refused = RollRefused(**bench.head("roll", reason))
    if reason == "foreign_die":
        return _narrow(turn, table), (refused, IncidentRecorded(**bench.head("roll", reason)))
    return _narrow(turn, table), (refused,)


def _narrow(turn: Turn, table: Table) -> Turn:
    """The turn as it was; only the dice that stayed are still known to lie as on record."""
    kept = _ids(table.kept)
    return replace(turn, lying=tuple(die for die in turn.lying if die.id in kept))


def _completes(bench: Bench, roll: OpenRoll, table: Table) -> bool:
    """Whether the dice thrown now are the ones that had not been seen to leave, and all others stayed."""
    stayed = {die.id for die in roll.dice} <= _ids(table.kept)
    return bool(roll.gone) and stayed and len(table.floor) == bench.rules.dice == len(table.thrown) + len(table.kept)


def _leave_open(bench: Bench, turn: Turn, roll: OpenRoll, table: Table) -> Outcome:
    """What becomes of an open roll when dice are thrown before it was decided.

    If every die thrown in it is thrown again, a roll held or not accounted for is given up: it never was a roll.
    Otherwise play went on from it, or it was a clean throw of which only a value was asked: its number is used, and
    it never counts, because nobody decided its values.
    """
    before = {die.id for die in roll.before.lying}
    all_again = all(fact.id in before for fact in table.kept)
    if (roll.doubt or roll.gone) and all_again:
        return roll.before, ()
    used = replace(turn, roll=roll.roll, values=(), lying=roll.dice, question=None)
    return used, (Noticed(**bench.head("roll", "unanswered")),)


def _standing_stay(bench: Bench, turn: Turn, table: Table) -> Table:
    """A standing die that moved but shows its value has stayed, whatever pushed it."""
    values = {die.id: die.value for die in turn.lying}
    stayed = tuple(f for f in table.thrown if values.get(f.id) is not None and values[f.id] == bench.sure(f))
    return replace(table, thrown=tuple(f for f in table.thrown if f not in stayed), kept=table.kept + stayed)


def _doubt(bench: Bench, flight: Flight, table: Table, reroll: Reroll | None) -> str | None:
    """The first reason, if any, why people must decide whether the throw is a roll."""
    if reroll is not None and reroll.doubt:
        return reroll.doubt
    if flight.view_lost:
        return VIEW_LOST
    if flight.interfered:
        return "interference"
    if reroll is not None and len(table.thrown) > reroll.count:
        return "more_than_ordered"
    if reroll is None and flight.t_last - flight.t_first > STAGGERED_S:
        return "staggered"
    if flight.tumble and max(flight.tumble) < WEAK_TUMBLE:
        return "weak_throw"
    return None


def _knocked_out(turn: Turn, flight: Flight, table: Table) -> tuple[Die, ...]:
    """Kept dice that a throw drove over the wall: they were not lifted, and lie off the floor or were seen to go."""
    gone = _ids(die for die in table.off if not die.thrown) | flight.over_rim_ids
    out = gone - flight.lifted - _ids(table.floor)
    return tuple(die for die in turn.lying if die.id in out and die.value is not None)


def _still_out(turn: Turn, flight: Flight, table: Table) -> tuple[Die, ...]:
    """Kept dice knocked over the wall earlier that have not been put back: they count for the value of record."""
    absent = turn.restores.keys() - _ids(table.floor) - flight.lifted - _ids(table.off) - flight.over_rim_ids
    return tuple(die for die in turn.lying if die.id in absent and die.value is not None)


def _gone(turn: Turn, flight: Flight, table: Table, gap: int) -> tuple[Die, ...]:
    """The dice that were not seen to leave, if the record leaves no doubt which they are."""
    absent = tuple(die for die in turn.lying if die.id not in _ids(table.floor) and die.value is not None)
    unlifted = tuple(die for die in absent if die.id not in flight.lifted)
    return next((dice for dice in (unlifted, absent) if len(dice) == gap), ())


def _is_tilted(bench: Bench, fact: DieFact) -> bool:
    """Whether the die leans or lies on another, so that it has no value to count."""
    stands = fact.state == "cocked" and bench.options.cocked_stands
    return fact.state in ("cocked", "stacked") and not stands


def _ids(dice: Iterable[DieFact | Die]) -> set[int]:
    return {die.id for die in dice}
