"""`fairtray rules value`: what optimal play is worth."""

import json
from pathlib import Path

import pytest

from firmware.commands.value import value_command
from scorer.errors import AnalysisError
from tests.firmware.command import fairtray


def test_the_published_value_of_the_official_rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """254.58772873449593: partybox-gpt-drops; also precisit, docs/rules.md, and CaseyTewey/ysolver."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    run = fairtray("rules", "value", "official", "--json")
    assert (run.returncode, run.stderr) == (0, "")
    value = json.loads(run.stdout)
    assert value["expected"] == pytest.approx(254.58772873449593, abs=1e-8)
    assert value["sd"] == pytest.approx(59.6079, abs=0.0001)
    assert value["states"] == 536448
    assert sum(value["boxes"].values()) == pytest.approx(value["expected"], abs=1e-8)
    assert set(value) == {"rules", "expected", "sd", "boxes", "states", "seconds"}
    assert [path.name.partition("-")[0] for path in (tmp_path / "fairtray").iterdir()] == ["official"]


@pytest.mark.parametrize(
    ("rules", "settings", "word"),
    [("triple", [], "one column"), ("deluxe", [], "five dice"), ("casino", ["columns=3"], "one column"),
     ("bho", ["mulligan=yes"], "mulligan")],
)  # fmt: skip
def test_rules_that_cannot_be_solved_say_why(rules: str, settings: list[str], word: str) -> None:
    with pytest.raises(AnalysisError, match=word):
        value_command(rules, settings, as_json=True)
