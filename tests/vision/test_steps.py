"""A step of all tracks: whether all dice of a game are seen."""

from dataclasses import replace

import pytest

from tests.vision.seen_steps import at, steps


@pytest.mark.parametrize(("heat", "near", "all_seen"), [(0.9, False, True), (0.4, True, False), (0.7, True, True)])
def test_all_dice_of_a_game_are_seen_where_each_is_surely_one(heat: float, near: bool, all_seen: bool) -> None:
    others = [replace(at(100.0 + 60 * n, 400.0, heat if n == 0 else 0.9), near_body=near and n == 0) for n in range(4)]
    assert steps([at(200.0), *others], [at(214.0), *others]).see_all() is all_seen
    assert not steps(others, others).see_all()


@pytest.mark.parametrize(("heat", "all_seen"), [(0.3, False), (0.45, True)])
def test_a_die_that_comes_clear_of_a_hand_is_seen_unless_it_looked_like_a_finger(heat: float, all_seen: bool) -> None:
    others = [at(100.0 + 60 * n, 400.0) for n in range(4)]
    assert steps([replace(at(200.0, 300.0, heat), near_body=True), *others], [at(214.0), *others]).see_all() is all_seen


@pytest.mark.parametrize("still", [False, True])
def test_a_die_that_lies_beside_the_tray_is_none_of_the_game(still: bool) -> None:
    seen = [at(100.0 + 60 * n, 400.0) for n in range(4)] + [replace(at(200.0), still=still, beyond=0.5)]
    assert steps(seen, seen).see_all() is not still
