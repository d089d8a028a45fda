"""Ruling on a throw once it is at rest: a roll that counts, a roll that is not complete yet, or no roll at all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from statistics import fmean

from scorer.bench import VIEW_LOST, Bench, Outcome, restore, restore_all, settle, with_orders
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
from scorer.kept import check_kept
from scorer.table import (
    Table,
    dice_gone,
    dice_knocked_out,
    dice_still_out,
    ids_of,
    is_tilted,
    narrow,
    sort_out,
    standing_stay,
)
from scorer.turn import Die, Flight, OpenRoll, Reroll, Turn, is_taken_back, is_unwatched

STAGGERED_S = 1.0
"""Dice that enter further apart than this were not rolled at the same time."""

WEAK_TUMBLE = 0.1
"""A throw whose dice tumbled in less than this share of their steps, in the mean, was slid or set down: one that seems
to tumble once, as it slides past others, tells of no throw. A single die that did not, among others that plainly
tumbled, cannot be told from one whose tumbling a hand hid, so it is no reason to stop the play."""


def judge_throw(bench: Bench, turn: Turn, flight: Flight, rest: DiceAtRest, owed: str | None = None) -> Outcome:
    """Rule on the dice that have come to rest after a throw; `owed` as for `_judge`.

    A throw made while a question was open gives the open roll up (see `_leave_open`), or completes it: dice that
    had not been seen to leave may be what was thrown now. After a held roll the new throw is held too. A refused
    throw leaves the turn as it was.
    """
    table = sort_out(bench, rest, flight)
    question = turn.question
    if isinstance(question, OpenRoll):
        if question.unseen and flight.view_lost:
            return _see_at_last(bench, question, flight, table)
        if _completes(bench, question, table):
            return _complete(bench, turn, question, flight, table)
    start, notices = _leave_open(bench, turn, question, table) if isinstance(question, OpenRoll) else (turn, ())
    left = question if isinstance(question, OpenRoll) else None
    escaped = isinstance(question, OpenRoll) and _is_held(question)
    if start.roll >= bench.rolls and start.question is None:
        return refuse(bench, turn, table, "house_rule" if start.forced else "three_rolls")
    after, rulings = _judge(bench, start, flight, table, "unanswered" if escaped else owed, left)
    if is_refused(rulings):
        return narrow(turn, table), rulings
    return after, notices + rulings


def lose_sight(bench: Bench, turn: Turn) -> Outcome:
    """A throw was not seen to its end: the roll waits for people, whatever is seen of it later."""
    number = turn.question.roll if turn.question else turn.roll + 1
    unseen = OpenRoll(number, dice=(), before=turn, doubt=VIEW_LOST, record=turn.lying)
    return replace(turn, question=unseen), (RollUnseen(**bench.head(VIEW_LOST), roll=number),)


def _see_at_last(bench: Bench, question: OpenRoll, flight: Flight, table: Table) -> Outcome:
    """The dice of a throw during which the view was lost: people were told so then, and decide with them in view."""
    after, rulings = _judge(bench, question.before, flight, table)
    return after, tuple(ruling for ruling in rulings if not isinstance(ruling, RollUnseen))


def _complete(bench: Bench, turn: Turn, question: OpenRoll, flight: Flight, table: Table) -> Outcome:
    """The dice that had not been seen to leave were thrown now: late, if it was more than a second after the others.

    Those that lay outside were thrown before, and now again.
    """
    late = not question.outside and flight.count > 0 and flight.t_last - question.entered > STAGGERED_S
    doubt = question.doubt or ("staggered" if late else None)
    reroll = replace(question.again, doubt=doubt)
    after, rulings = _judge(bench, replace(turn, lying=question.recorded, question=reroll), flight, table)
    return (narrow(question.before, table) if is_refused(rulings) else after), rulings


def _judge(
    bench: Bench, turn: Turn, flight: Flight, table: Table, owed: str | None = None, left: OpenRoll | None = None
) -> Outcome:
    """Rule on a throw that may be the turn's next roll, or dice thrown again for the roll that is not complete.

    `owed` is why it is held even if it is clean itself; `left` is the roll over which it was thrown.
    """
    reroll = turn.question if isinstance(turn.question, Reroll) else None
    roll = reroll.roll if reroll else turn.roll + 1
    guessed = flight.lost if reroll is None else frozenset()  # of these people are asked whether they are outside
    knocked_out = tuple(die for die in dice_knocked_out(turn, flight, table) if die.id not in guessed)
    gap = bench.dice - len(table.floor) - len(knocked_out)
    explained = table.seen_to_go - len(knocked_out)
    still_out = dice_still_out(turn, table)
    gap -= len(still_out)
    foreign = any(fact.foreign for fact in table.floor)
    if gap < 0 or foreign:
        return refuse(bench, turn, table, "throw_off" if bench.throw_off and not foreign else "foreign_die")
    whole = reroll is None and (roll == 1 or bench.chance_only)
    if reroll is not None:
        table = standing_stay(bench, turn, table)
    doubt = _doubt(bench, turn, flight, table, reroll)
    too_few = whole and (bool(table.kept) or gap > explained)
    if too_few and doubt == VIEW_LOST and doubt not in bench.options.strict:
        return lose_sight(bench, turn)
    if whole and table.kept:
        return refuse(bench, turn, table, "all_dice_together")
    if doubt is not None and doubt in bench.options.strict:
        return refuse(bench, turn, table, doubt)
    if too_few:
        return refuse(bench, turn, table, "all_dice_together")
    since = reroll or left
    lost = reroll.lost if reroll else _lost_yet(left, table) if left else ()
    among = frozenset(ids_of(table.thrown)) | flight.lost | (since.among if since and since.lost else frozenset())
    case = _Case(flight, table, roll, reroll, doubt or owed, knocked_out, still_out, gap, explained, lost, among)
    return _gather(bench, turn, case)


@dataclass(frozen=True, slots=True)
class _Case:
    """What is known about the roll that a throw belongs to; `lost` are kept dice that could not be told from others
    before, and all that cannot are `among` these."""

    flight: Flight
    table: Table
    roll: int
    reroll: Reroll | None
    doubt: str | None
    knocked_out: tuple[Die, ...]
    still_out: tuple[Die, ...]
    gap: int
    explained: int
    lost: tuple[Die, ...]
    among: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Gathered:
    """A roll as put together, and the turn that knows what was ordered for it (`orders`).

    `start` is the turn before any throw of the roll. Of the dice on record those that `stayed` were kept, wherever they
    are, and those `absent` are not found. `tilted` ones are to be thrown again, and so are those `waiting` in the tray.
    """

    turn: Turn
    orders: tuple[Ruling, ...]
    start: Turn
    roll: OpenRoll
    stayed: tuple[Die, ...]
    absent: tuple[Die, ...]
    tilted: tuple[DieFact, ...]
    waiting: tuple[Die, ...]


def _gather(bench: Bench, turn: Turn, case: _Case) -> Outcome:
    """Put the roll together from thrown and kept dice, and order or ask for whatever is missing from it."""
    gathered = _put_together(bench, turn, case)
    if case.gap > case.explained and case.reroll is None:
        after, rulings = _ask_where(bench, case, gathered)
    elif _may_be_outside(case, gathered):
        after, rulings = _ask_outside(bench, case, gathered)
    elif case.gap or gathered.tilted or gathered.waiting:
        after, rulings = _order_again(bench, case, gathered)
    else:
        after, rulings = _settle(bench, case, gathered)
    return after, (*gathered.orders, *rulings)


def _put_together(bench: Bench, turn: Turn, case: _Case) -> _Gathered:
    """The dice of the roll: those thrown, and those kept for the value that they count for."""
    flight, table = case.flight, case.table
    floor, outside = ids_of(table.floor), (*case.knocked_out, *case.still_out)
    lost = tuple(die for die in turn.lying if die.id in flight.lost - flight.lifted)
    elsewhere = ids_of((*outside, *lost)) - floor  # none that is kept and not on record is one of these
    known = replace(turn, lying=tuple(die for die in turn.lying if die.id not in elsewhere), alike=frozenset())
    kept = check_kept(bench, known, flight, table.kept)
    after, orders = restore_all(bench, kept.turn, case.knocked_out, "knocked_out")
    there = floor | ids_of(outside)
    record = tuple(die for die in turn.lying if die.id in there)
    before = with_orders(replace(turn, lying=record), after)
    start = with_orders(case.reroll.before, after) if case.reroll else before
    tilted = tuple(fact for fact in table.thrown if is_tilted(bench, fact))
    thrown = tuple(Die(fact.id, bench.sure(fact)) for fact in table.thrown if fact not in tilted)
    found, lost = ids_of((*kept.records, *outside)), lost + case.lost
    stayed = tuple(die for die in turn.lying if die.id in found | ids_of(lost))
    roll = OpenRoll(
        case.roll,
        dice=(*thrown, *kept.dice, *outside),
        before=start if case.reroll and case.reroll.doubt else before,  # all of the roll is in doubt
        doubt=case.doubt,
        entered=flight.t_first,
        lost=lost,
        kept=case.reroll.kept if case.reroll else _values(stayed),
        among=case.among,
        record=record,
    )
    absent = tuple(die for die in turn.lying if die.id not in found)
    waiting = _still_to_throw(case, kept.strange)
    return _Gathered(after, (*kept.orders, *orders), start, roll, stayed, absent, tilted, waiting)


def _ask_where(bench: Bench, case: _Case, gathered: _Gathered) -> Outcome:
    """More dice are gone than were seen to leave: people say where they are."""
    gone = dice_gone(gathered.absent, case.flight, case.table, case.gap)
    asked = DieAsked(**bench.head("kept", "thrown_or_kept_back"), ids=tuple(die.id for die in gone), count=case.gap)
    roll = replace(
        gathered.roll,
        dice=gathered.roll.dice + tuple(Die(fact.id, None) for fact in gathered.tilted),
        gone=case.gap,
        missing=gone,
        kept=_values(die for die in gathered.stayed if die not in gone or die in gathered.roll.lost),
    )
    return replace(gathered.turn, lying=roll.dice, question=roll), (asked,)


def _may_be_outside(case: _Case, gathered: _Gathered) -> bool:
    """Whether as many dice left the tray as kept ones were lost from sight."""
    new = case.reroll is None and not (case.lost or gathered.tilted)
    return new and case.gap == len(gathered.roll.lost) > 0


def _ask_outside(bench: Bench, case: _Case, gathered: _Gathered) -> Outcome:
    """The dice that left the tray may be the kept ones that were lost from sight: people say whether they are.

    Were they thrown, they are thrown again; kept ones that were knocked out count for their values on record.
    """
    roll = gathered.roll
    ids = tuple(fact.id for fact in case.table.off if fact.thrown or fact.id in ids_of(roll.lost))[: case.gap]
    pairs = zip_longest(roll.lost, ids)
    missing = tuple(die if seen is None else replace(die, id=seen) for die, seen in pairs)
    asked = DieAsked(**bench.head("kept", "thrown_or_kept_back"), ids=ids, count=case.gap)
    roll = replace(roll, gone=case.gap, missing=missing, outside=True)
    return replace(gathered.turn, lying=roll.dice, question=roll), (asked,)


def _order_again(bench: Bench, case: _Case, gathered: _Gathered) -> Outcome:
    """Dice of the roll are to be thrown again, while the others stay as they are on record."""
    roll = gathered.roll
    dice = tuple(die for die in roll.recorded if die not in gathered.waiting)
    count = case.gap + len(gathered.tilted) + len(gathered.waiting)
    question = Reroll(roll.roll, count, gathered.start, roll.doubt, roll.lost, roll.kept, among=roll.among)
    return replace(gathered.turn, lying=dice, question=question), _reroll_orders(bench, case, gathered.tilted)


def _settle(bench: Bench, case: _Case, gathered: _Gathered) -> Outcome:
    """All dice of the roll are there: lost ones are found where that is clear, and the roll is settled."""
    may_be_gone = bool(case.lost) and case.reroll is None  # people threw on before they said which these are
    turn, roll, orders = _find_lost(bench, gathered.turn, gathered.roll, may_be_gone)
    after, rulings = settle(bench, turn, roll, case.table.floor)
    return after, (*orders, *rulings)


def _still_to_throw(case: _Case, strange: tuple[Die, ...]) -> tuple[Die, ...]:
    """The dice that are to be thrown again and lie in the tray yet, as they leant or set down there by hand, where
    others of the roll were thrown first. None where it is not sure that the `strange` ones are these."""
    to_come = case.reroll.count - len(case.table.thrown) - case.gap if case.reroll else 0
    return strange if len(strange) == to_come else ()


def _find_lost(
    bench: Bench, turn: Turn, roll: OpenRoll, may_be_gone: bool
) -> tuple[Turn, OpenRoll, tuple[Ruling, ...]]:
    """Lost kept dice among dice that all show the same: whichever they are, each has the value it was kept with."""
    shown = {die.value for die in roll.candidates}
    if not roll.lost or len(shown) != 1 or None in shown or may_be_gone or bench.options.as_it_lies:
        return turn, roll, ()
    found = list(roll.dice)
    orders: list[Ruling] = []
    turn = replace(turn, alike=roll.among)
    places = (place for place, die in enumerate(roll.dice) if die.id in roll.among)
    for record, place in zip(roll.lost, places, strict=False):
        if record.value is not None and found[place].value not in (None, record.value):
            turn, order = restore(bench, turn, found[place].id, record.value, "knocked")
            orders.append(order)
            found[place] = replace(found[place], value=record.value)
    return turn, replace(roll, dice=tuple(found), lost=()), tuple(orders)


def _reroll_orders(bench: Bench, case: _Case, tilted: Sequence[DieFact]) -> tuple[Ruling, ...]:
    """One order for the dice off the tray, one for those that lean, one for those on others.

    Dice still to come of a roll that is thrown again bring no new order: they may be thrown one after the other.
    """
    orders: list[Ruling] = []
    if case.gap and case.explained > 0:
        outside = tuple(fact.id for fact in case.table.off)[: case.gap]
        orders.append(RerollOrdered(**bench.head("roll", "off_tray"), ids=outside, count=case.gap, roll=case.roll))
    for state in ("cocked", "stacked"):
        if ids := tuple(fact.id for fact in tilted if fact.state == state):
            orders.append(RerollOrdered(**bench.head("roll", state), ids=ids, count=len(ids), roll=case.roll))
    return tuple(orders)


def _values(dice: Iterable[Die]) -> tuple[int, ...]:
    return tuple(die.value for die in dice if die.value is not None)


def is_refused(rulings: Sequence[Ruling]) -> bool:
    """Whether a throw is no roll by these rulings."""
    return any(isinstance(ruling, RollRefused) for ruling in rulings)


def refuse(bench: Bench, turn: Turn, table: Table, reason: str) -> Outcome:
    """The throw is no roll; the turn stays as it was."""
    refused = RollRefused(**bench.head("roll", reason))
    if reason == "foreign_die":
        return narrow(turn, table), (refused, IncidentRecorded(**bench.head("roll", reason)))
    return narrow(turn, table), (refused,)


def _completes(bench: Bench, roll: OpenRoll, table: Table) -> bool:
    """Whether the dice thrown now are the ones that had not been seen to leave, and all others stayed."""
    stayed = {die.id for die in roll.dice} <= ids_of(table.kept)
    return bool(roll.gone) and stayed and len(table.floor) == bench.dice == len(table.thrown) + len(table.kept)


def _leave_open(bench: Bench, turn: Turn, roll: OpenRoll, table: Table) -> Outcome:
    """What becomes of an open roll when dice are thrown before it was decided.

    A roll held or not accounted for is refused, and people decide whether the new throw counts (`judge_throw`):
    nobody gets rid of a throw by throwing again. If every die of it was thrown again it never was a roll. Otherwise
    play went on from it, or it was a clean throw of which only a value was asked: its number is used, and it never
    counts, because nobody decided its values.
    """
    before = {die.id for die in roll.before.lying}
    all_again = all(fact.id in before for fact in table.kept)
    stayed = ids_of(table.kept)
    used = replace(turn, roll=roll.roll, values=(), lying=roll.recorded, question=None)
    used, orders = restore_all(bench, used, (die for die in roll.astray if die.id in stayed), "turned_by_hand")
    if not _is_held(roll):
        return used, (Noticed(**bench.head("roll", "unanswered")), *orders)
    refused = RollRefused(
        **bench.head("roll", roll.doubt or "thrown_or_kept_back"), replaces=roll.entry, roll=roll.roll
    )
    return (roll.before, (refused,)) if all_again else (used, (refused, *orders))


def _lost_yet(roll: OpenRoll, table: Table) -> tuple[Die, ...]:
    """The kept dice that nobody found in an open roll, if any that may be one of them stayed."""
    return roll.lost if ids_of(roll.candidates) & ids_of(table.kept) else ()


def _is_held(roll: OpenRoll) -> bool:
    """Whether people have to say that it was a roll at all, and not only what its dice show."""
    return roll.doubt is not None or roll.gone > 0


def _doubt(bench: Bench, turn: Turn, flight: Flight, table: Table, reroll: Reroll | None) -> str | None:
    """The first reason, if any, why people must decide whether the throw is a roll."""
    if reroll is not None and reroll.doubt:
        return reroll.doubt
    if flight.view_lost or flight.taken_unseen or is_unwatched(flight, turn):
        return VIEW_LOST
    if flight.interfered or is_taken_back(flight, turn):
        return "interference"
    others = flight.lifted & ids_of(turn.lying) - ids_of(table.floor)
    if reroll is not None and (len(table.thrown) > reroll.count or others):
        return "more_than_ordered"
    if reroll is None and flight.t_last - flight.t_first > STAGGERED_S:
        return "staggered"
    if flight.tumble and fmean(flight.tumble) < WEAK_TUMBLE:
        return "weak_throw"
    return None
