"""`fairtray analyse`: a finished match reviewed, and one line for whatever cannot be."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from firmware.commands import chart
from firmware.commands.analyse import analyse_command, read_record
from firmware.errors import FirmwareError
from scorer.presets import ruleset
from tests.firmware.command import fairtray
from tests.scorer.analysis.games import box_at_random, keep_at_random, lines_of, play
from tests.scorer.analysis.solved import solve_once

RULES = "verhoeff"


@pytest.fixture(scope="module", autouse=True)
def cache(session_folder: Path) -> Iterator[None]:
    """The cache folder of the session's tests, in which these rules are solved once."""
    solve_once(ruleset(RULES), session_folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(session_folder))
        yield


def record(rules: str, path: Path) -> Path:
    random = Random(rules)
    played = play(ruleset(rules), ("Ann", "Bénédicte [b]_$"), random, keep_at_random(random), box_at_random(random))
    path.write_text("\n".join(lines_of(played)) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match folder."""
    folder = tmp_path_factory.mktemp("match")
    record(RULES, folder / "events.jsonl")
    return folder


def test_a_match_is_reviewed_and_drawn(match: Path, tmp_path: Path) -> None:
    run = fairtray("analyse", match / "events.jsonl", "--plot", tmp_path / "play.png")
    assert (run.returncode, run.stderr) == (0, "")
    assert "??" in run.stdout
    assert (tmp_path / "play.png").read_bytes().startswith(b"\x89PNG")


def test_json_holds_every_decision_and_the_books_balance(match: Path) -> None:
    run = fairtray("analyse", match, "--json")
    assert (run.returncode, run.stderr) == (0, "")
    review = json.loads(run.stdout)
    assert (review["rules"], review["complete"]) == (RULES, True)
    for player in review["players"]:
        earned = player["expected"] + player["luck"] + player["skill"]
        assert earned == pytest.approx(player["total"], abs=0.01)
        costs = [decision["cost"] for decision in player["decisions"]]
        assert sum(costs) == pytest.approx(-player["skill"], abs=0.01)
        assert {decision["turn"] for decision in player["decisions"]} == set(range(1, 14))
        first = player["decisions"][0]
        assert set(first) == {"turn", "roll", "t", "dice", "kind", "chosen", "best", "cost", "automatic"}


def test_a_drawing_of_lines_has_the_names_in_it(match: Path, tmp_path: Path) -> None:
    assert analyse_command(match, as_json=True, plot=tmp_path / "play.svg") == 0
    assert "<svg" in (tmp_path / "play.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(("rules", "word"), [("triple", "one column"), ("deluxe", "five dice")])
def test_rules_that_cannot_be_solved_are_refused_in_one_line(rules: str, word: str, tmp_path: Path) -> None:
    random = Random(1)
    played = play(ruleset(rules), ("Ann",), random, keep_at_random(random), box_at_random(random), turns=2)
    path = tmp_path / "match.jsonl"
    path.write_text("\n".join(lines_of(played)), encoding="utf-8")
    run = fairtray("analyse", path)
    assert run.returncode == 2
    assert word in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "word"),
    [("", "no match"), ("dice\n", "line 1"), ('{"name": "HandEntered", "kind": "event"}\n', "no match")],
)
def test_files_that_are_no_record_are_refused_in_one_line(text: str, word: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text(text, encoding="utf-8")
    run = fairtray("analyse", path)
    assert run.returncode == 2
    assert word in run.stderr
    assert run.stderr.count("\n") == 1


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FirmwareError, match=r"no\.jsonl"):
        read_record(tmp_path / "no.jsonl")
    with pytest.raises(FirmwareError, match=r"events\.jsonl"):
        read_record(tmp_path)


def test_a_plot_that_cannot_be_written_is_refused(match: Path, tmp_path: Path) -> None:
    with pytest.raises(FirmwareError, match=r"\.png or \.svg"):
        analyse_command(match, as_json=True, plot=tmp_path / "play.doc")
    with pytest.raises(FirmwareError, match="can be written"):
        analyse_command(match, as_json=True, plot=tmp_path / "no" / "play.png")


def test_without_matplotlib_the_extra_is_named(match: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chart, "find_spec", lambda name: None)
    with pytest.raises(FirmwareError, match=r"fairtray\[analyse\]"):
        analyse_command(match, as_json=True, plot=tmp_path / "play.png")
