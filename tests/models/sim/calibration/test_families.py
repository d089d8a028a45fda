"""Calibration recordings: their names, what is true of them, and what makes bad ones bad."""

from functools import lru_cache
from typing import get_args

import numpy as np
import pytest

from models.sim.calibration.acts import DUST_MM
from models.sim.calibration.bad import CUT_OFF, outside_share
from models.sim.calibration.families import FAMILIES, Recording, record
from models.sim.calibration.family import TAPE_MM, Reason
from models.sim.calibration.truth import tell
from models.sim.errors import SimulatorError
from models.sim.scenarios import SCENARIOS
from models.sim.scene import room_inside
from models.sim.script import Lies
from models.sim.view import to_floor


@lru_cache
def recorded(name: str) -> Recording:
    return record(name, 1)


def test_names_are_no_scenarios_of_play() -> None:
    assert not set(FAMILIES) & set(SCENARIOS)
    with pytest.raises(SimulatorError, match="round_tray"):
        record("snap", 1)


def test_every_reason_has_a_family() -> None:
    reasons = [family.reason for family in FAMILIES.values() if family.reason]
    assert sorted(reasons) == sorted(get_args(Reason))


def test_the_truth_tells_scale_outline_and_what_is_shown() -> None:
    recording = recorded("rectangle_tray")
    truth, setting = tell(recording, 1), recording.timeline.setting
    assert truth["reason"] is None
    floor = to_floor(setting.lens, truth["floor"])
    half_width, half_height = (max(d for nx, ny, d in setting.tray.sides if abs((nx, ny)[k]) == 1) for k in (0, 1))
    np.testing.assert_allclose(np.abs(floor).max(axis=0), (half_width, half_height), atol=0.05)
    x, y = np.asarray(truth["floor"]).T
    assert (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0  # clockwise where y points down
    assert len(truth["floor"]) >= 32
    middle = np.asarray(truth["camera"]["centre_px"])
    a, b = to_floor(setting.lens, [middle, np.add(middle, (1, 0))])
    assert truth["mm_per_px"] == pytest.approx(float(np.linalg.norm(a - b)), rel=0.1)
    assert truth["die_px"] == pytest.approx(truth["die_mm"] / truth["mm_per_px"], rel=0.1)
    assert truth["tray"]["mm"] == 2 * max(half_width, half_height)
    *lengths, row = truth["given"]
    assert row == "--row"
    given = dict(zip(lengths[::2], map(float, lengths[1::2]), strict=True))
    by_tray = {"--tray-mm": truth["tray"]["mm"]}
    taped = pytest.approx(float(np.linalg.norm(truth["camera"]["position_mm"])), abs=4 * TAPE_MM)
    assert given in (by_tray, {"--die-mm": truth["die_mm"], "--height-mm": taped})
    assert [len(shown["values"]) for shown in truth["shown"]] == [len(setting.dice)] * 3
    assert truth["expect"] == truth["shown"][0]["values"]
    assert len(set(truth["expect"])) == len(setting.dice)


def test_dice_in_a_row_touch_on_the_floor() -> None:
    timeline = recorded("square_tray").timeline
    laid = [next(each.pose for each in story if isinstance(each, Lies)) for story in timeline.stories]
    side, places = timeline.setting.dice[0].side_mm, np.array([pose.position for pose in laid])
    square_to_it = max(laid[0].matrix.T, key=lambda axis: abs(axis @ (places[-1] - places[0])))
    along = np.abs(np.diff(places @ square_to_it))
    assert (along > side - 0.05).all() and (along < side + DUST_MM + 0.02 * side).all()
    assert np.abs(places[:, 2] - side / 2).max() < 0.01
    assert all(room_inside(timeline.setting.tray, x, y) > side / 2 for x, y, _ in places.tolist())


def test_the_same_seed_is_recorded_the_same() -> None:
    again = record("rectangle_tray", 1)
    assert again.timeline.stories[0][-1] == recorded("rectangle_tray").timeline.stories[0][-1]
    assert again.given == recorded("rectangle_tray").given


def test_part_of_a_tray_that_is_cut_off_is_outside_the_picture() -> None:
    truth = tell(recorded("tray_cut_off"), 1)
    outside = outside_share(np.asarray(truth["floor"]), (truth["width"], truth["height"]))
    assert CUT_OFF[0] - 0.01 < outside < CUT_OFF[1] + 0.06


def test_short_recordings_end_before_dice_are_shown() -> None:
    truth = tell(recorded("too_short"), 1)
    assert truth["seconds"] < 1.7
    assert truth["shown"] == []


def test_the_board_is_seen_flat_before_the_dice() -> None:
    timeline = recorded("board").timeline
    assert timeline.sheet_at(0.0) is not None
    first = min(chapter.since for story in timeline.stories for chapter in story[1:])
    assert timeline.sheet_at(first) is None
    assert recorded("board").given == ("--board", "--row")
