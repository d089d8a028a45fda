"""The sweep through its command: a film found is watched once, and what it was drawn by is told."""

import json
import subprocess
import sys
from itertools import islice
from pathlib import Path

import av
import cv2
import pytest
from typer.testing import CliRunner

from models.tray.__main__ import app
from models.tray.films import CALIBRATION, CHOICES, TRUTH, VIDEO
from models.tray.results import load
from models.tray.sheet import COLUMNS, TILE_PX

SAMPLE = Path(__file__).parents[3] / "firmware" / "sample"
FRAMES = 117
"""Of the sample match: its first throw, up to just before the next hand."""


ASKED = ("--scenarios", "sample", "--seeds", "1-2")


def measure(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "models.tray", "sweep", "--clips", "nowhere", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def cut_sample(folder: Path) -> None:
    """The first throw of the sample match as a film of its own, with nobody's choices and not a pixel changed."""
    folder.mkdir(parents=True)
    end = (FRAMES - 1) / 30
    with av.open(str(SAMPLE / VIDEO)) as whole, av.open(str(folder / VIDEO), "w") as cut:
        stream = cut.add_stream_from_template(whole.streams.video[0])
        for packet in islice(whole.demux(video=0), FRAMES):
            packet.stream = stream
            cut.mux(packet)
    lines = [json.loads(line) for line in (SAMPLE / TRUTH).read_text().splitlines()]
    ended = {**lines[-1], "t": end, "frame": FRAMES - 1, "t_said": end}
    assert ended["name"] == "MatchEnded"
    kept = [line for line in lines if line["t_said"] < end]
    text = "".join(json.dumps(line) + "\n" for line in [*kept, ended])
    (folder / TRUTH).write_text(text.replace('"Ann"', '"Player"'))
    (folder / CHOICES).write_text("")
    (folder / CALIBRATION).write_text((SAMPLE / CALIBRATION).read_text())


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("sweep")
    for seed in (1, 2):
        cut_sample(folder / "films" / f"sample-{seed}")
    truth = folder / "films" / "sample-2" / TRUTH
    truth.write_text(truth.read_text().replace('"values": [', '"values": [1, '))
    return folder, measure(*ASKED, "--films", folder / "films", "--out", folder / "out")


def test_a_film_found_is_watched_and_judged(measured: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, ran = measured
    assert ran.returncode == 0, ran.stderr
    assert "1 of 2 films ruled right" in ran.stdout
    assert "1 values confirmed wrong" in ran.stdout
    assert "VALUES CONFIRMED WRONG:\n  sample-2, 2.93 s: counted " in ran.stdout
    assert "films not drawn by the simulator of now: --redraw does that (2: sample-1, sample-2)" in ran.stdout
    result = load(folder / "out" / "results", "sample", 1)
    assert result is not None
    assert result.seconds == pytest.approx(FRAMES / 30, abs=0.05)
    assert result.cpu_watch_s > 0
    report = json.loads((folder / "out" / "report.json").read_text())
    assert report["all"]["right"] == report["scenarios"]["sample"]["wrong"] == 1
    assert report["all"]["events"]["DiceAtRest"]["recall"] == 1
    assert "No real clips at nowhere: left out" in ran.stdout
    assert (folder / "out" / "report.md").read_text().startswith("# The tray, measured")


def test_a_contact_sheet_shows_what_was_not_right(measured: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, _ = measured
    (sheet,) = (folder / "out" / "sheets").iterdir()
    assert sheet.name == "sample-2.jpg"
    picture = cv2.imread(str(sheet))
    assert picture is not None
    assert picture.shape[1] == COLUMNS * TILE_PX
    assert picture.shape[0] > 3 * 480 * TILE_PX / 640


def test_what_is_done_is_not_done_again(measured: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, before = measured
    kept = folder / "out" / "results" / "sample-1.json"
    stamp = kept.stat().st_mtime_ns
    again = measure(*ASKED, "--films", folder / "films", "--out", folder / "out")
    assert "2 of 2 films were measured before" in again.stderr
    assert again.stdout == before.stdout
    assert kept.stat().st_mtime_ns == stamp


def test_a_report_on_nothing_says_so(tmp_path: Path) -> None:
    ran = CliRunner().invoke(app, ["report", "--out", str(tmp_path), "--clips", str(tmp_path / "none")])
    assert ran.exit_code == 0
    assert "no films were measured" in ran.output


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--scenarios", "snap"], "no scenario 'snap': choose among throw"),
        (["--seeds", "few"], "'few' names no seeds: give them as 1000-1019 or 1,2,7"),
        (["--seeds", "9-3"], "the first is larger than the last"),
        (["--size", "big"], "'big' is no size: give it as 640x480"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], complaint: str, tmp_path: Path) -> None:
    ran = CliRunner().invoke(app, ["sweep", *arguments, "--out", str(tmp_path / "out")])
    assert ran.exit_code == 2
    assert complaint in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()
