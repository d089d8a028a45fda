"""Whose turn it is, and what a match is by its rules: rounds, columns, direction."""

from dataclasses import replace

from scorer.events import MatchEnded
from scorer.presets import RULESETS, ruleset
from scorer.ruled import Ruling
from scorer.state import Options, State, new_match
from scorer.turns import following
from tests.scorer.tray import choose, dice, feed, match, shorts, throw


def order(state: State, turns: int) -> str:
    """The initials of the players of the next turns."""
    names = ""
    for _ in range(turns):
        player = following(state)
        assert player is not None
        names += state.players[player][0]
        state = replace(state, current=player)
    return names


def test_play_goes_round_as_agreed() -> None:
    players = ("Ann", "Ben", "Cy")
    assert order(new_match(ruleset("deluxe"), players, Options()), 4) == "BCAB"
    assert order(new_match(ruleset("deluxe", {"clockwise": False}), players, Options()), 4) == "CBAC"


def test_a_match_has_as_many_turns_as_its_card_has_boxes() -> None:
    for rules in [*RULESETS.values(), ruleset("casino", {"columns": 2})]:
        umpire, _ = match(rules=rules, players=["Ann"])
        turns = 0
        rulings: list[Ruling] = []
        while not umpire.state.over:
            t = 10.0 * turns + 3
            rulings = feed(umpire, throw(t, dice("111111"[: rules.dice], first=10 * turns)))
            rulings = feed(umpire, choose(t + 2, umpire.state.legal[0].box))
            turns += 1
        assert turns == len(rules.slots)
        assert isinstance(rulings[-1], MatchEnded)
        assert rulings[-1].totals["Ann"] == umpire.state.totals["Ann"].total


def test_a_later_round_is_not_open_yet() -> None:
    _, rulings = match(throw(3, dice("11111")), choose(5, "2:Y"), rules=ruleset("casino", {"columns": 2}))
    assert shorts(rulings)[1] == "BoxRefused round_not_open box=2:Y"
