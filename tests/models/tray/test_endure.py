"""Play over and over in miniature: the first turn of the sample match, twice under the eyes of one watcher."""

from pathlib import Path

import pytest

from firmware.sample import SAMPLE
from models.tray.endure import Loop, endure, find_loop, in_lines, summary
from models.tray.errors import TrayError
from models.tray.films import Film
from vision.network import load_networks


@pytest.fixture(scope="module")
def loop() -> Loop:
    return find_loop(Film(SAMPLE), turns=1)


def test_a_film_is_cut_where_the_tray_is_empty(loop: Loop) -> None:
    assert (loop.turns, loop.frames) == (1, 427)
    assert loop.seconds == pytest.approx(loop.frames / 30, abs=0.001)
    assert max(event.t_said for event in loop.events) < loop.seconds
    assert find_loop(Film(SAMPLE)).turns == 3


def test_a_film_that_cannot_be_cut_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrayError, match="never empty after 4 turns"):
        find_loop(Film(SAMPLE), turns=4)
    for name in ("truth.jsonl", "choices.jsonl"):
        (tmp_path / name).write_text((SAMPLE / name).read_text())
    with (tmp_path / "choices.jsonl").open("a") as choices:
        choices.write('{"t": 60, "name": "RefereeCalled"}\n')
    with pytest.raises(TrayError, match="say more"):
        find_loop(Film(tmp_path))


def test_every_pass_is_ruled_like_the_truth(loop: Loop) -> None:
    (match,) = endure(load_networks(), [loop], turns=2)
    assert match.verdict.outcome == "right", "\n".join(in_lines(1, match))
    assert (match.turns, match.frames) == (2, 2 * loop.frames)
    assert summary([match]).startswith("2 turns in 0.01 h of video: 1 of 1 matches ruled right; memory")
