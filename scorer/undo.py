"""Putting play back to before an entry, by agreement: the entry stays in the record, and a new one takes its place."""

import math
from collections.abc import Sequence
from dataclasses import replace

from scorer.bench import Bench, with_orders
from scorer.events import CallRefused, Undo, Undone
from scorer.finish import pass_over_disqualified
from scorer.state import Bar, Mark, State, Step, said
from scorer.table import ids_of
from scorer.turn import Turn


def mark(
    state: State,
    before: State,
    entry: int,
    after: Turn | None = None,
    kept: Sequence[int] = (),
    called: float | None = None,
) -> State:
    """Remember how play stood before this entry: a box, a house rule `called` then, or a roll with the turn `after`."""
    stood = before.cards, before.current, before.turn, before.contest, before.used
    return replace(state, history=(*state.history, Mark(entry, *stood, after, tuple(kept), called)))


def find_mark(state: State, entry: int) -> Mark | None:
    """What is remembered of that entry, if it still stands."""
    return next((mark for mark in state.history if mark.entry == entry), None)


def last_roll(state: State) -> Mark | None:
    """What is remembered of the last roll that counted."""
    return next((mark for mark in reversed(state.history) if mark.after), None)


def put_back(state: State, to: Mark) -> State:
    """Play as it stood before that entry. What people decided about each other stands, and so do orders to set dice
    back. Dice that nobody was sure of then are not read any more: nobody remembers what became of them since. Those
    that were thrown since are not on record any more."""
    later = state.history[state.history.index(to) :]
    rolls = [mark.after for mark in later if mark.after] + ([state.turn] if state.turn.question else [])
    lying = tuple(die for die in to.before.lying if all(die.id in ids_of(roll.lying) for roll in rolls))
    turn = replace(to.before, lying=lying, handled=to.before.handled | to.before.unread)
    turn = with_orders(turn, state.turn)
    return replace(
        state,
        cards=to.cards,
        current=to.current,
        turn=turn,
        contest=to.contest,
        used=to.used,
        proposal=None,
        over=False,
        history=state.history[: state.history.index(to)],
    )


def take_back(
    state: State, to: Mark, bench: Bench, by: tuple[str, ...], reason: str | None = None, calls_stand: bool = False
) -> Step:
    """Put play back, with a ruling on each entry after that one that falls with it, newest first.

    Those are a box proposed, an open question, and rolls, boxes and house rules called; `calls_stand`: the house
    rules called since then are kept.
    """
    waiting = (state.proposal, state.turn.question)
    fallen = [(open_.entry, state.player) for open_ in waiting if open_ and open_.entry]
    if not calls_stand:
        later = state.history[state.history.index(to) + 1 :]
        fallen += [(mark.entry, state.players[mark.current]) for mark in reversed(later)]
    state = replace(put_back(state, to), used=state.used if calls_stand else to.used)
    now = bench.now(state)
    heads = [(now.head("undone", reason, about=player), entry) for entry, player in fallen]
    return said(state, *(Undone(**head, replaces=entry, by=by) for head, entry in heads))


def on_undo(state: State, asked: Undo, bench: Bench) -> Step:
    """Two people agree to take back a roll, a box or a house rule called, and all that came after it."""
    to = find_mark(state, asked.entry)
    reason = _objection(state, asked)
    if reason is not None or to is None:
        return said(state, CallRefused(**bench.head("undone", reason or "unknown_entry"), call="undo"))
    state, fallen = take_back(state, to, bench, asked.by)
    state, undone = said(state, Undone(**bench.now(state).head("undone"), replaces=to.entry, by=asked.by))
    state = bar_the_air(state, asked.t)
    state, more = pass_over_disqualified(state, bench)
    return state, fallen + undone + more


def bar_the_air(state: State, t: float) -> State:
    """Dice in the air at `t` (s) were thrown in a turn, or for a roll, that is none any more."""
    return replace(state, bars=(Bar("before_undo", -math.inf, t), *state.bars))


def _objection(state: State, asked: Undo) -> str | None:
    """Why play is not put back, or None."""
    if state.dispute or state.paused:
        return state.barred
    return None if agree_together(state, asked.by) else "undo_needs_two"


def agree_together(state: State, by: Sequence[str]) -> bool:
    """Whether two players who are still in the match are among these, or the one who plays alone."""
    present = set(state.players) - state.out
    return len(present & set(by)) >= (2 if len(present) > 1 else 1)
