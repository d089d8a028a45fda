"""What is pressed while dice are in the air is nothing to them: they are judged by what held when they were thrown."""

from dataclasses import replace

from scorer.bench import Bench
from scorer.choice import withdraw
from scorer.events import Undone
from scorer.state import Bar, State, Step, said
from scorer.turn import Flight
from scorer.undo import take_back

_LOOKED_AT = ("cry_asked", "dispute")
"""While a box is looked into no throw counts, whenever it began."""


def note_bar(before: State, state: State, t: float) -> State:
    """Remember that from `t` (s) on nothing is to be thrown, or something again."""
    reason = state.no_throw
    if reason == before.no_throw:
        return state
    *over, last = (*state.bars, Bar(reason or "", t)) if before.no_throw is None else state.bars
    last = replace(last, until=t) if reason is None else replace(last, reason=reason)
    return replace(state, bars=(*over, last))


def forget_bars(state: State) -> State:
    """The dice have come to rest: what was over before is nothing to the next throw."""
    return replace(state, bars=state.bars[-1:] if state.no_throw else ())


def barred(state: State, flight: Flight) -> str | None:
    """Why the dice in the air were not to be thrown, or None; of a throw that was not seen to begin, why not now."""
    if not _is_begun_in_view(flight) or (state.no_throw in _LOOKED_AT and state.proposal):
        return state.no_throw
    return next((bar.reason for bar in state.bars if bar.since <= flight.t_first < bar.until), None)


def is_of_turn(state: State, flight: Flight) -> bool:
    """Whether a throw began in this turn, as far as it was seen to begin."""
    return not _is_begun_in_view(flight) or flight.t_first >= state.turn.began


def without_late(state: State, flight: Flight, bench: Bench) -> Step:
    """Play without the box proposed and the house rule called since the throw began."""
    state, rulings = withdraw(state, bench)
    calls = (mark for mark in state.history if mark.called is not None and mark.called > flight.t_first)
    late = next(calls, None) if _is_begun_in_view(flight) else None
    if late is None:
        return state, rulings
    state, fallen = take_back(state, late, bench, (), "called_late")
    state, undone = said(state, Undone(**bench.now(state).head("undone", "called_late"), replaces=late.entry, by=()))
    return state, (*rulings, *fallen, *undone)


def _is_begun_in_view(flight: Flight) -> bool:
    """Whether it is known when the throw began."""
    return flight.count > 0 and not flight.view_lost
