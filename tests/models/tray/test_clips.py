"""Reports of rests beside labels of real clips."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from models.tray.clips import Rest, Watched, judge, table, watch_clips
from models.tray.errors import TrayError
from tests.models.tray.lines import die, event

LABELLED = [Rest(60, 90, (1, 1, 4)), Rest(120, 140, (6,))]


def report(frame: int, *values: int | None) -> dict[str, object]:
    dice = [die(value, 20.0 * n) for n, value in enumerate(values)]
    return {**event(frame / 30, "DiceAtRest", dice=dice, thrown=[1]), "frame": frame}


def test_rests_reported_once_and_rightly_are_right_a_little_early_too() -> None:
    counts, notes = judge([report(55, 4, 1, 1), report(121, 6)], LABELLED, [], whole=True)
    assert counts == {"right": 2}
    assert notes == []


def test_unsure_missed_wrong_twice_and_invented_are_told_apart() -> None:
    said = [report(61, 1, None, 4), report(64, 1, 1, 4), report(200, 5)]
    counts, notes = judge(said, LABELLED, [], whole=True)
    assert counts == {"right": 1, "twice": 1, "missed": 1, "invented": 1}
    assert notes == [
        "frame 60: 14? and 114, labelled 114",
        "frame 120: nothing, labelled 6",
        "frame 200: 5, not labelled",
    ]
    assert judge([report(61, 1, None, 4)], LABELLED[:1], [], whole=True)[0] == {"unsure": 1}
    assert judge([report(61, 1, 1, 5)], LABELLED[:1], [], whole=True)[0] == {"wrong": 1}
    assert judge([report(61, 1, 4)], LABELLED[:1], [], whole=True)[0] == {"wrong": 1}
    assert judge(said[2:], [], [], whole=False)[0] == {"unlabelled": 1}


def test_a_short_rest_may_be_reported_and_need_not() -> None:
    assert judge([], [], LABELLED[1:], whole=True)[0] == {}
    assert judge([report(122, 6)], [], LABELLED[1:], whole=True)[0] == {"right": 1}
    assert judge([report(122, 5)], [], LABELLED[1:], whole=True)[0] == {"wrong": 1}


def test_what_was_said_of_a_clip_can_be_kept() -> None:
    counts, notes = judge([report(55, 4, 1, 1)], LABELLED, [], whole=True)
    kept = json.loads(json.dumps(asdict(Watched("a.mp4", True, len(LABELLED), counts, notes, 1.0))))
    assert Watched(**kept).counts == {"right": 1, "missed": 1}


def test_the_table_has_a_row_for_each_clip_and_a_line_for_each_doubt() -> None:
    clip = Watched("a.mp4", True, 2, {"right": 1, "missed": 1}, ["frame 120: nothing, labelled 6"], 3.4)
    lines = table([clip]).splitlines()
    assert lines[1].split() == ["a.mp4", "fixed", "2", "1", "0", "1", "0", "0", "0", "0", "3"]
    assert lines[2] == "  a.mp4, frame 120: nothing, labelled 6"


def test_a_folder_without_clips_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrayError, match="no real clips at"):
        watch_clips(tmp_path)
