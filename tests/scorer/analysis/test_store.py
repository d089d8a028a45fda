"""Solutions on disk: kept whole, found again, and worked out anew where a file is broken."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scorer.analysis import earnings, store
from scorer.analysis.solver import Solution
from scorer.analysis.store import keep, load_or_solve, path_of, user_folder
from scorer.errors import AnalysisError
from scorer.presets import ruleset
from tests.scorer.analysis.solved import Solved


@pytest.fixture
def solution(solved: Callable[[str], Solved]) -> Solution:
    return solved("verhoeff").solution


def test_what_was_kept_is_found(solution: Solution, tmp_path: Path) -> None:
    keep(solution, tmp_path / "new")
    found = load_or_solve(solution.rules, tmp_path / "new")
    assert np.array_equal(found.values, solution.values, equal_nan=True)
    assert [path.suffix for path in (tmp_path / "new").iterdir()] == [".npz"]


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text"])
def test_a_broken_file_is_worked_out_again(
    damage: str, solution: Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "solve", lambda earn: solution)  # it takes seconds, and has its own tests
    monkeypatch.setattr(earnings, "earnings", lambda rules: None)
    keep(solution, tmp_path)
    path = path_of(solution.rules, tmp_path)
    whole = path.read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    path.write_bytes({"cut": whole[:middle], "flipped": flipped, "empty": b"", "text": b"no archive"}[damage])
    assert load_or_solve(solution.rules, tmp_path) is solution
    assert path.read_bytes() == whole


def test_every_rule_that_matters_is_in_the_name_of_the_file(tmp_path: Path) -> None:
    rules = ruleset("yams")
    changed = [ruleset("yams", {"rigole_points": 40}), ruleset("yams", {"yams_middle": "delta"}),
               ruleset("yams", {"five_equal_full_house": True}), replace(rules, upper_bonus=31)]  # fmt: skip
    assert len({path_of(each, tmp_path) for each in (rules, *changed)}) == 5
    assert path_of(rules, tmp_path) == path_of(ruleset("yams"), tmp_path)


def test_a_folder_that_cannot_be_written_is_no_error(solution: Solution, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    keep(solution, tmp_path / "file")


def test_rules_that_cannot_be_solved_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(AnalysisError, match="five dice"):
        load_or_solve(ruleset("deluxe"), tmp_path)


def test_the_users_cache_folder(tmp_path: Path) -> None:
    assert user_folder({"XDG_CACHE_HOME": str(tmp_path)}) == tmp_path / "fairtray"
    assert user_folder({"XDG_CACHE_HOME": "relative"}) == user_folder({}) == Path.home() / ".cache" / "fairtray"
