"""Labels say what the picture shows."""

from dataclasses import replace

import numpy as np
import pytest

from models.sim.die import PlacedDie, face_up
from models.sim.labels import label_dice
from models.sim.pose import Pose, about, multiply
from models.sim.scene import Scene

pytestmark = pytest.mark.usefixtures("compiler")


def test_dice_lying_free(five_dice: Scene) -> None:
    for k, label in enumerate(label_dice(five_dice)):
        assert (label.index, label.value, label.state) == (k, k + 1, "flat")
        assert label.visible == pytest.approx(1)
        assert len(label.pips) == label.value
        assert label.pips.mean(axis=0) == pytest.approx(label.top, abs=0.1)
        assert label.corners.mean(axis=0) == pytest.approx(label.top, abs=0.1)
        yaw = np.degrees(0.5 + 1.3 * k) % 90
        assert abs((label.angle_deg - yaw + 45) % 90 - 45) < 1
        side = five_dice.dice[k].look.side_mm
        height = five_dice.lens.position[2] - side
        assert label.face == pytest.approx(side * five_dice.lens.focal_px / height, rel=0.01)


def test_a_die_half_under_another_is_half_visible(five_dice: Scene) -> None:
    lower = five_dice.dice[1]
    x, y, _ = lower.start.position
    turn = lower.start.rotation
    right = lower.start.matrix @ [0, 8.0, 0]  # its own x points up
    on_top = PlacedDie.still(lower.look, Pose((x + right[0], y + right[1], 24), turn))
    hidden, stacked = label_dice(replace(five_dice, dice=(lower, on_top)))
    assert hidden.visible == pytest.approx(0.5, abs=0.08)
    assert stacked.state == "stacked"
    assert stacked.visible == pytest.approx(1)


def test_a_die_half_out_of_the_picture_is_half_visible(five_dice: Scene) -> None:
    x, _ = label_dice(five_dice)[4].middle
    narrow = replace(five_dice, lens=replace(five_dice.lens, size=(round(x), 240)))
    assert label_dice(narrow)[4].visible == pytest.approx(0.5, abs=0.06)


def test_leaning_moving_and_lost_dice(five_dice: Scene) -> None:
    first, second, third, *_ = five_dice.dice
    leaning = replace(
        first, start=Pose((0, 0, 10), multiply(about((1, 0, 0), 0.4), face_up(first.look, 3, 0))), end=first.end
    )
    leaning = replace(leaning, end=leaning.start)
    moving = replace(second, end=Pose((-6, 45, 8), second.start.rotation))
    lost = PlacedDie.still(third.look, Pose((145, 0, 4), third.start.rotation))
    states = [label.state for label in label_dice(replace(five_dice, dice=(leaning, moving, lost)))]
    assert states == ["cocked", "moving", "off_tray"]
