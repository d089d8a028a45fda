"""Whose turn it is, and how the match closes."""

from collections.abc import Mapping
from dataclasses import replace

from scorer.bench import Bench
from scorer.events import MatchEnded, TurnStarted
from scorer.state import State, Step, said
from scorer.turn import Turn


def begin_turn(state: State, bench: Bench, player: int) -> Step:
    """The player of that number is to throw; in a throw-off the ruling says for what."""
    state = replace(state, current=player, turn=Turn(began=bench.t), proposal=None)
    reason = state.contest.purpose if state.contest else None
    return said(state, TurnStarted(**bench.now(state).head("turn", reason)))


def following(state: State) -> int | None:
    """The number of the player after this one who has a box to fill, this one last; None where nobody has.

    Play goes on clockwise, in the order in which the players are listed, or the other way round; the disqualified
    are passed over.
    """
    step = 1 if state.rules.clockwise else -1
    count = len(state.players)
    order = [(state.current + step * place) % count for place in range(1, count + 1)]
    return next((player for player in order if can_play(state, player)), None)


def can_play(state: State, player: int) -> bool:
    """Whether the player has a box to fill and is not disqualified."""
    return state.players[player] not in state.out and not state.cards[player].complete(state.rules)


def leaders(state: State) -> tuple[str, ...]:
    """Who has the highest total of those not disqualified."""
    totals = {name: sums.total for name, sums in state.totals.items() if name not in state.out}
    return tuple(name for name, total in totals.items() if total == max(totals.values()))


def close_match(
    state: State, bench: Bench, winners: tuple[str, ...], complete: bool, beaten: frozenset[str] | None = None
) -> Step:
    """The match is over. Leaders who have not won are `beaten`, as by a throw-off, unless it was over before."""
    if beaten is None:
        beaten = frozenset(leaders(state)) - {*winners} if complete else frozenset()
    totals = {name: sums.total for name, sums in state.totals.items()}
    ended = MatchEnded(
        **{**bench.head("match"), "player": None},
        totals=totals,
        complete=complete,
        winners=winners,
        places=_places(state, totals, winners) if complete else {},
    )
    return said(replace(state, over=True, beaten=beaten, contest=None), ended)


def _places(state: State, totals: Mapping[str, int], winners: tuple[str, ...]) -> Mapping[str, int]:
    """Each player's place: the winners first, equal totals alike."""
    ranked = {name: (name in winners, total) for name, total in totals.items() if name not in state.out}
    return {name: 1 + sum(other > mine for other in ranked.values()) for name, mine in ranked.items()}
