"""Time to play: where the players agreed on a limit, who takes longer is reminded, once and neutrally.

The rules give no limit (BHO competition rules, line 125), so without an agreement nothing is said.
"""

from dataclasses import replace

from scorer.bench import Bench
from scorer.events import MatchResumed, Noticed, RefereeRuled, RollCounted, RollRefused, Ruling, TurnStarted
from scorer.state import State, Step, said

_STARTS = (TurnStarted, RollCounted, RollRefused, MatchResumed, RefereeRuled)
"""From these rulings on it is the player's time."""


def remind(state: State, bench: Bench) -> Step:
    """A reminder, if the player is to throw or to choose and the time agreed is over."""
    limit = state.options.seconds_to_play
    if limit is None or state.since is None or state.waiting_for not in ("throw", "box"):
        return state, ()
    if bench.t - state.since <= limit or state.flight.count:
        return state, ()
    return said(replace(state, since=None), Noticed(**bench.head("turn", "slow_play")))


def watch_time(state: State, rulings: tuple[Ruling, ...]) -> State:
    """The state with the moment from which the player's time runs."""
    starts = [ruling.t_said for ruling in rulings if isinstance(ruling, _STARTS)]
    return replace(state, since=starts[-1]) if starts else state
