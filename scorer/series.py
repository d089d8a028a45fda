"""A series of matches between the same players: what each has in all, and who starts the next one.

In series play the sum of all games decides, so that a tie in one of them stands (World Yahtzee Institute, line 330);
the winner of the game before goes first (line 148).
"""

from collections.abc import Mapping, Sequence


def series_totals(games: Sequence[Mapping[str, int]]) -> Mapping[str, int]:
    """The sum of each player's totals, in the order in which the players first appear."""
    players = dict.fromkeys(name for game in games for name in game)
    return {name: sum(game.get(name, 0) for game in games) for name in players}


def next_starter(winners: Sequence[str]) -> str | None:
    """Who starts the next match after one with these winners; None where they throw for it: there is not one winner."""
    return winners[0] if len(winners) == 1 else None
