"""What is pressed while dice are in the air is nothing to them: they are judged by what held when they were thrown."""

from dataclasses import replace

from scorer.bench import Bench
from scorer.events import Undone
from scorer.state import Bar, State, Step, said
from scorer.turn import Flight
from scorer.undo import take_back


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
    """Why the dice in the air were not to be thrown, or None; of a throw that was not seen to begin, why not now.

    One that began out of sight may have begun before what was pressed since the view was lost.
    """
    if _is_box_looked_into(state):
        return state.no_throw
    if flight.view_lost:
        return None if state.no_throw and state.bars[-1].since > flight.dark_since else state.no_throw
    if not flight.count:
        return state.no_throw
    return next((bar.reason for bar in state.bars if bar.since <= flight.t_first < bar.until), None)


def is_of_turn(state: State, flight: Flight) -> bool:
    """Whether a throw began in this turn, as far as it was seen to begin."""
    return not _is_begun_in_view(flight) or flight.t_first >= state.turn.began


def without_late(state: State, flight: Flight, bench: Bench) -> Step:
    """Play without the house rule called since the throw began."""
    calls = (mark for mark in state.history if mark.called is not None and mark.called > flight.t_first)
    late = next(calls, None) if _is_begun_in_view(flight) else None
    if late is None:
        return state, ()
    state, fallen = take_back(state, late, bench, (), "called_late")
    state, undone = said(state, Undone(**bench.now(state).head("undone", "called_late"), replaces=late.entry, by=()))
    return state, (*fallen, *undone)


def _is_box_looked_into(state: State) -> bool:
    """Whether a box is in dispute, or its cry is asked about: no throw counts then, whenever it began."""
    return state.proposal is not None and (state.dispute is not None or state.proposal.agreed)


def _is_begun_in_view(flight: Flight) -> bool:
    """Whether it is known when the throw began."""
    return flight.count > 0 and not flight.view_lost
