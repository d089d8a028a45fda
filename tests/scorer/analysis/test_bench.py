"""The benchmark asks both engines about the same positions; how fast they are is no test."""

from random import Random

from scorer.analysis.bench import ask_all, peer_steps, play_games, played
from scorer.card import check_card
from scorer.presets import VERHOEFF


def test_positions_are_those_of_games_and_both_engines_take_them() -> None:
    positions = played(Random(1), 40)
    assert len(positions) == 40
    for card, roll in positions:
        check_card(VERHOEFF, card)
        assert len(roll) == 5
        assert not card.complete(VERHOEFF)
    ask_all(positions)
    play_games(Random(1))
    for step in peer_steps(positions):
        step()
