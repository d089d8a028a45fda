"""Which code a result came from: every file that decides it counts."""

import pytest

from models.tray import versions


@pytest.mark.parametrize("patterns", [versions._WATCH, versions._RECORD, versions._CALIBRATE])
def test_every_pattern_finds_a_file(patterns: tuple[str, ...]) -> None:
    assert [pattern for pattern in patterns if not list(versions.ROOT.glob(pattern))] == []
