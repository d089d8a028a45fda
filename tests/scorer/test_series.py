"""A series of matches."""

from scorer.series import next_starter, series_totals


def test_the_sum_of_all_games_decides() -> None:
    games = [{"Ann": 200, "Ben": 210}, {"Ben": 190, "Ann": 230}, {"Ann": 100, "Cy": 150}]
    assert series_totals(games) == {"Ann": 530, "Ben": 400, "Cy": 150}
    assert series_totals([]) == {}


def test_the_winner_of_the_game_before_starts() -> None:
    assert next_starter(("Ben",)) == "Ben"
    assert next_starter(("Ann", "Ben")) is None
    assert next_starter(()) is None
