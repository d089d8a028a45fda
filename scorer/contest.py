"""Throw-offs: who starts, and who wins among equals.

Each player throws in turn and the highest sum decides; those who are highest together throw again, until one is
(BHO competition rules, Game Start; Yahtzee Deluxe, Game preparation; World Yahtzee Institute, on ties). The same
tray rules hold as for any roll.
"""

from collections.abc import Set as AbstractSet
from dataclasses import replace

from scorer.bench import Bench
from scorer.events import ThrowOff, ThrowOffEnded
from scorer.rules import Ruleset
from scorer.state import Contest, State, Step, said
from scorer.turns import begin_turn, close_match


def start_contest(rules: Ruleset, players: tuple[int, ...]) -> Contest:
    """Who starts: each throws one die or all of them."""
    return Contest("start", players, dice=1 if rules.start_dice == "one" else rules.dice, rolls=1)


def tie_contest(rules: Ruleset, players: tuple[int, ...]) -> Contest:
    """Who wins among equals: one die, all dice, or up to as many rolls as a turn has."""
    dice = 1 if rules.tie == "one_die" else rules.dice
    return Contest("tie", players, dice, rolls=rules.rolls if rules.tie == "three_rolls" else 1)


def open_contest(state: State, bench: Bench, contest: Contest) -> Step:
    """The first of them is to throw."""
    names = tuple(state.players[player] for player in contest.players)
    head = {**bench.head("throw_off", contest.purpose), "player": None}
    opened = ThrowOff(**head, purpose=contest.purpose, players=names, dice=contest.dice, rolls=contest.rolls)
    state, rulings = said(replace(state, contest=contest), opened)
    state, begun = begin_turn(state, bench, contest.players[0])
    return state, rulings + begun


def go_on(state: State, bench: Bench) -> Step:
    """A roll of a throw-off has counted: the last one that a player may have is the player's sum."""
    contest = state.contest
    if contest is None or state.turn.roll < contest.rolls:
        return state, ()
    return take_sum(state, bench)


def take_sum(state: State, bench: Bench) -> Step:
    """The dice as they lie are the player's sum; the next player throws, or the throw-off is decided."""
    assert state.contest is not None
    contest = replace(state.contest, sums=(*state.contest.sums, sum(state.turn.values)))
    if len(contest.sums) < len(contest.players):
        return begin_turn(replace(state, contest=contest), bench, contest.players[len(contest.sums)])
    return _decide(replace(state, contest=contest), bench, contest)


def without_disqualified(state: State) -> State:
    """The throw-off, if there is one, among those who are still in the match."""
    contest = state.contest
    if contest is None:
        return state
    there = {player for player in contest.players if state.players[player] not in state.out}
    return replace(state, contest=_among(contest, there))


def leave_contest(state: State, bench: Bench, player: int) -> Step:
    """A player is out of the match and so of the throw-off; whoever is left alone has won it.

    Where a roll was undone after the others had gone, nobody may be left: then the match is over.
    """
    assert state.contest is not None
    contest = _among(state.contest, set(state.contest.players) - {player})
    state = replace(state, contest=contest)
    players, sums = contest.players, contest.sums
    if not players:
        return close_match(state, bench, winners=(), complete=True)
    if len(players) == 1:
        return _settle(state, bench, contest, players[0])
    if len(sums) == len(players):
        return _decide(state, bench, contest)
    return begin_turn(state, bench, players[len(sums)]) if player == state.current else (state, ())


def _among(contest: Contest, there: AbstractSet[int]) -> Contest:
    """The throw-off among these of its players, with what they have thrown."""
    places = [place for place, player in enumerate(contest.players) if player in there]
    players = tuple(contest.players[place] for place in places)
    sums = tuple(contest.sums[place] for place in places if place < len(contest.sums))
    return replace(contest, players=players, sums=sums)


def _decide(state: State, bench: Bench, contest: Contest) -> Step:
    """All have thrown: the highest alone has it, several throw again among themselves."""
    highest = tuple(
        player for player, points in zip(contest.players, contest.sums, strict=True) if points == max(contest.sums)
    )
    names = [state.players[player] for player in contest.players]
    ended = ThrowOffEnded(
        **{**bench.head("throw_off", contest.purpose), "player": None},
        purpose=contest.purpose,
        sums=dict(zip(names, contest.sums, strict=True)),
        highest=tuple(state.players[player] for player in highest),
    )
    state, rulings = said(state, ended)
    if len(highest) == 1:
        state, more = _settle(state, bench, contest, highest[0])
    else:
        state, more = open_contest(state, bench, replace(contest, players=highest, sums=()))
    return state, rulings + more


def _settle(state: State, bench: Bench, contest: Contest, winner: int) -> Step:
    """The winner starts the match, or has won it."""
    if contest.purpose == "start":
        return begin_turn(replace(state, contest=None), bench, winner)
    return close_match(state, bench, winners=(state.players[winner],), complete=True)
