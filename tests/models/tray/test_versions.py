"""Which code a result came from: every file that decides it counts."""

import pytest

from models.tray import versions


@pytest.mark.parametrize("patterns", [versions._WATCH, versions._RECORD, versions._CALIBRATE])
def test_every_pattern_finds_a_file(patterns: tuple[str, ...]) -> None:
    assert [pattern for pattern in patterns if not list(versions.ROOT.glob(pattern))] == []


def test_code_is_all_that_is_imported_and_no_more() -> None:
    behind = {path.relative_to(versions.ROOT).as_posix() for path in versions.code_behind("vision.read")}
    assert {"vision/read.py", "vision/doubt.py", "vision/lattice.py", "scorer/events.py"} <= behind
    assert {"vision/tracker.py", "vision/settle.py"}.isdisjoint(behind)
