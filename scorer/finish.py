"""The end of a turn and of a match: who is next, who has won, and what becomes of a tie."""

from dataclasses import replace

from scorer.bench import Bench
from scorer.contest import leave_contest, open_contest, tie_contest
from scorer.events import Ruling, TieFound, TurnEnded
from scorer.state import State, Step, said
from scorer.turn import Turn
from scorer.turns import begin_turn, close_match, following, leaders


def finish_turn(state: State, bench: Bench) -> Step:
    """The turn ends; the next one begins, or the match ends."""
    state, ended = said(replace(state, turn=Turn(), proposal=None), TurnEnded(**bench.head("turn")))
    player = following(state)
    if player is None:
        state, more = finish_match(state, bench)
    else:
        state, more = begin_turn(state, bench, player)
    return state, ended + more


def finish_match(state: State, bench: Bench) -> Step:
    """Every box is filled: the highest total wins.

    A tie is broken as agreed before the match, or left to people where the rules leave it open.
    """
    best = leaders(state)
    if len(best) < 2:
        return close_match(state, bench, best, complete=True)
    how = "tie_open" if state.rules.tie == "ask" else "tie"
    head = {**bench.head("match", how), "player": None}
    state, found = said(state, TieFound(**head, players=best, total=state.totals[best[0]].total))
    if how == "tie_open":
        state, more = close_match(state, bench, best, complete=True)
    else:
        players = tuple(state.players.index(name) for name in best)
        state, more = open_contest(state, bench, tie_contest(state.rules, players))
    return state, found + more


def pass_over_disqualified(state: State, bench: Bench) -> Step:
    """Whoever is disqualified has no turn any more, and no part in a throw-off."""
    rulings: tuple[Ruling, ...] = ()
    for name in state.players:
        if name in state.out and not state.over:
            state, more = _pass_over(state, bench.now(state), name)
            rulings += more
    return state, rulings


def _pass_over(state: State, bench: Bench, name: str) -> Step:
    player = state.players.index(name)
    if state.contest and player in state.contest.players:
        return leave_contest(state, bench, player)
    if not state.contest and player == state.current:
        return finish_turn(state, bench)
    return state, ()
