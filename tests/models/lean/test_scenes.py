"""Dice are laid as asked: flat ones flat, leaning ones tilted against what they lean on, stacked ones above others."""

import math

import pytest

from models.lean.scenes import KINDS, Still, lay
from models.sim.scene import FLAT_TILT_DEG, die_state, room_inside


def laid(kind: str) -> list[Still]:
    return [lay(kind, seed, 0) for seed in range(1, 9)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_dice_lie_as_their_kind_says(kind: str) -> None:
    states = {"flat": "flat", "support": "flat", "under": "flat", "on_wall": "cocked", "on_die": "cocked"}
    kinds = set()
    for still in laid(kind):
        look, tray = still.setting.dice[0], still.setting.tray
        for die in still.dice:
            kinds.add(die.kind)
            assert die_state(tray, look, die.pose) == states.get(die.kind, "stacked")
            assert die.kind not in ("flat", "support", "under") or die.tilt < 1e-3
    assert kind in kinds


def test_leaning_dice_touch_what_they_lean_on() -> None:
    for still in laid("on_wall"):
        side = still.setting.dice[0].side_mm
        rooms = [room_inside(still.setting.tray, *d.pose.position[:2]) for d in still.dice if d.kind == "on_wall"]
        assert all(0.4 * side < room < 0.9 * side for room in rooms)
    for still in laid("on_die"):
        supports = [die.pose.position for die in still.dice if die.kind == "support"]
        for die in (die for die in still.dice if die.kind == "on_die"):
            gap = min(math.dist(die.pose.position, other) for other in supports) / still.setting.dice[0].side_mm
            assert die.tilt > FLAT_TILT_DEG
            assert 0.9 < gap < 1.45


def test_the_same_seed_lays_the_same_and_another_other_dice() -> None:
    assert lay("flat", 1, 0).dice == lay("flat", 1, 0).dice
    assert lay("flat", 1, 0).dice != lay("flat", 1, 1).dice != lay("flat", 2, 1).dice
