"""`fairtray watch` and `fairtray run`, through the command line, on the sample match and on a real clip."""

import io
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from rich.console import Console

from firmware.commands.watch import on_terminal
from scorer.agreed import options_of
from scorer.events import from_json, to_json
from scorer.presets import ruleset
from scorer.umpire import replay
from tests.firmware.command import fairtray, fairtray_here
from tests.shared_data import SHARED, needs_shared
from vision.source import open_source

SAMPLE = Path(__file__).parents[3] / "firmware" / "sample"
BEGUN_S = 20.0
"""So long is the film of the sample's first turn and half of its second."""
COMPARED = ("kind", "name", "roll", "values", "reason", "player", "box", "points")


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def rulings(facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rulings by what two runs are compared by."""
    return [{key: fact.get(key) for key in COMPARED} for fact in facts if fact["kind"] == "ruling"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Where `fairtray run` leaves what it makes of the whole sample, and what it says."""
    out = tmp_path_factory.mktemp("played") / "match"
    ran = fairtray("run", "--out", out)
    assert ran.returncode == 0, ran.stderr
    return out, ran.stdout


@pytest.fixture(scope="module")
def of_whole(played: tuple[Path, str]) -> list[dict[str, Any]]:
    """What is said of the whole sample."""
    return lines((played[0] / "events.jsonl").read_text())


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's first BEGUN_S."""
    film = tmp_path_factory.mktemp("begun") / "video.mp4"
    with av.open(str(SAMPLE / "video.mp4")) as whole, av.open(str(film), "w") as cut:
        video = cut.add_stream_from_template(whole.streams.video[0])
        for packet in whole.demux(video=0):
            if packet.pts is not None and float(packet.pts * packet.time_base) < BEGUN_S:
                packet.stream = video
                cut.mux(packet)
    return film


def watch_begun(begun: Path, *more: str | Path) -> str:
    ran = fairtray("watch", begun, "--calibration", SAMPLE / "calibration.toml", "--json", *more)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the match that `watched` keeps; the video and the pictures lie outside of `matches`."""
    matches = tmp_path_factory.mktemp("watched") / "matches"
    matches.mkdir()
    return matches / "sample"


@pytest.fixture(scope="module")
def watched(begun: Path, kept: Path) -> str:
    """What is said of the sample's beginning, while all is written that can be asked for."""
    beside = kept.parents[1]
    return watch_begun(
        begun, "--choices", SAMPLE / "choices.jsonl", "--match", kept,
        "--annotate", beside / "seen.mp4", "--display", beside / "display",
    )  # fmt: skip


@pytest.fixture(scope="module")
def begun_alone(begun: Path) -> str:
    """The sample's beginning without the boxes that its players picked: the best ones are entered."""
    return watch_begun(begun, "--players", "Ann,Ben")


def test_the_sample_match_gives_exactly_its_scripted_rulings(of_whole: list[dict[str, Any]]) -> None:
    truth = lines((SAMPLE / "truth.jsonl").read_text())
    assert rulings(of_whole) == rulings(truth)
    for seen, true in zip(
        (fact for fact in of_whole if fact["kind"] == "ruling"),
        (fact for fact in truth if fact["kind"] == "ruling"),
        strict=True,
    ):
        assert seen["t"] == pytest.approx(true["t"], abs=0.1)


def test_the_sample_match_holds_what_is_said_of_it(of_whole: list[dict[str, Any]]) -> None:
    said = rulings(of_whole)
    assert {ruling["player"] for ruling in said if ruling["name"] == "BoxEntered"} == {"Ann", "Ben"}
    assert sum(ruling["name"] == "TurnEnded" for ruling in said) >= 3
    assert ("RerollOrdered", "off_tray") in {(ruling["name"], ruling["reason"]) for ruling in said}
    assert ("RollRefused", "three_rolls") in {(ruling["name"], ruling["reason"]) for ruling in said}
    assert any(fact.get("kept") for fact in of_whole if fact["name"] == "DiceAtRest")


def test_the_pictures_asked_for_are_there(watched: str, begun: Path, kept: Path) -> None:
    assert watched
    beside = kept.parents[1]
    frames, film = (cv2.VideoCapture(str(path)) for path in (begun, beside / "seen.mp4"))
    assert film.get(cv2.CAP_PROP_FRAME_COUNT) == frames.get(cv2.CAP_PROP_FRAME_COUNT)
    assert len(list((beside / "display").glob("*.png"))) > 5


@pytest.mark.parametrize(
    ("source", "option", "target"),
    [
        ("video.mp4", "--annotate", "video.mp4"),
        ("video.mp4", "--annotate", "linked.mp4"),
        ("frames", "--annotate", "frames/seen.mp4"),
        ("frames", "--display", "frames"),
    ],
)
def test_nothing_is_written_over_the_recording_or_among_its_pictures(
    tmp_path: Path, source: str, option: str, target: str
) -> None:
    shutil.copy(SAMPLE / "video.mp4", tmp_path)
    (tmp_path / "linked.mp4").symlink_to(tmp_path / "video.mp4")
    (tmp_path / "frames").mkdir()
    cv2.imwrite(str(tmp_path / "frames" / "0.png"), np.zeros((480, 640, 3), np.uint8))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    ran = fairtray_here(
        "watch", tmp_path / source, "--calibration", SAMPLE / "calibration.toml", "--json", option, tmp_path / target
    )
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert f"{option} {tmp_path / target}: the recording itself is there" in ran.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


@pytest.mark.parametrize(
    ("option", "target"),
    [
        ("--annotate", "seen.avi"),
        ("--annotate", "/proc/seen.mp4"),
        ("--display", "/proc"),
        ("--display", "/proc/shown"),
    ],
)
def test_no_match_is_begun_where_something_else_cannot_be_written(tmp_path: Path, option: str, target: str) -> None:
    given = ("--calibration", SAMPLE / "calibration.toml", "--match", tmp_path / "match", option, target)
    ran = fairtray_here("watch", SAMPLE / "video.mp4", *given)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert ran.stderr.startswith(f"fairtray: cannot write {'the video ' if 'avi' in target else ''}{target}: ")
    assert list(tmp_path.iterdir()) == []


def test_no_bar_is_printed_where_the_output_is_no_terminal() -> None:
    said = io.StringIO()
    with open_source(str(SAMPLE / "video.mp4")) as source, on_terminal(Console(file=said), source):
        pass
    assert said.getvalue() == ""


@pytest.mark.parametrize("chosen", [True, False])
def test_the_record_alone_gives_the_same_rulings(watched: str, begun_alone: str, chosen: bool) -> None:
    record = lines(watched if chosen else begun_alone)
    assert {line["automatic"] for line in record if line["name"] == "BoxEntered"} == {not chosen}
    facts = [from_json(line) for line in record if line["kind"] != "ruling"]
    opened = record[0]
    rules = ruleset(opened["rules"], opened["settings"])
    _, again = replay(rules, opened["players"], options_of(opened["agreed"]), facts)
    assert [to_json(ruling) for ruling in again] == [line for line in record if line["kind"] == "ruling"]


def test_a_match_that_is_kept_can_be_shown_proved_and_replayed(watched: str, kept: Path) -> None:
    listed = lines(fairtray_here("match", "list", kept.parent, "--json").stdout)
    assert [(match["match"], match["rules"], match["state"]) for match in listed] == [("sample", "bho", "over")]
    entries = lines(fairtray_here("match", "show", kept, "--json").stdout)
    assert entries[0]["name"] == "Opened" and entries[0]["source"].endswith("video.mp4")
    ended = next(n for n, line in enumerate(lines(watched), 1) if line["name"] == "MatchEnded")
    assert [entry for entry in entries if entry["kind"] != "note"] == lines(watched)[:ended]
    shown = fairtray_here("match", "show", kept).stdout
    assert "Score card" in shown and "over; it ends with" in shown
    code = shown.split()[-1]
    verdict = lines(fairtray_here("match", "verify", kept, "--head", code, "--json").stdout)
    assert [(v["ok"], v["entries"], v["fault"]) for v in verdict] == [(True, len(entries), None)]
    (head,) = (v["head"] for v in verdict)
    assert fairtray_here("match", "verify", kept, "--head", head).returncode == 0
    replayed = fairtray_here("match", "replay", kept, "--json")
    assert lines(replayed.stdout) == [entry for entry in entries if entry["kind"] == "ruling"]
    assert fairtray_here("match", "close", kept).stderr == f"fairtray: the match in {kept} is over already\n"


def test_an_altered_match_is_refused_and_its_entry_named(watched: str, kept: Path, tmp_path: Path) -> None:
    shutil.copy(kept / "match.db", tmp_path)
    with closing(sqlite3.connect(tmp_path / "match.db")) as connection, connection:
        connection.execute("DROP TRIGGER no_update")
        seq = connection.execute("SELECT min(seq) FROM entries WHERE body LIKE '%BoxEntered%'").fetchone()[0]
        connection.execute("UPDATE entries SET body = replace(body, 'Ann', 'Ben') WHERE seq = ?", (seq,))
    said = fairtray_here("match", "verify", tmp_path)
    assert said.returncode == 1
    assert said.stdout == f"altered: entry {seq}: its content is not what was sealed\n"
    refused = fairtray_here("match", "show", tmp_path)
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert f"was altered, entry {seq}" in refused.stderr


def test_what_people_say_is_ruled_on_in_its_place(begun: Path, tmp_path: Path) -> None:
    said = [
        {"t": 9.5, "name": "RefereeCalled", "player": "Ben"},
        {"t": 9.6, "name": "RefereeDecided", "action": "confirm", "reason": "all saw it"},
        {"t": 18.0, "name": "Undo", "entry": 0, "by": ["Ann", "Ben"]},
    ]
    choices = tmp_path / "choices.jsonl"
    own = (SAMPLE / "choices.jsonl").read_text()
    choices.write_text(own + "".join(json.dumps(line) + "\n" for line in said))
    facts = lines(watch_begun(begun, "--choices", choices))
    told = [fact["name"] for fact in facts if fact["kind"] == "input"]
    assert [told.count(line["name"]) for line in said] == [1, 1, 1]
    names = [(fact["name"], fact.get("reason")) for fact in facts if fact["kind"] == "ruling"]
    after = names.index(("DisputeOpened", None))
    assert names[after + 1] == ("RefereeRuled", "all saw it")
    assert ("CallRefused", "unknown_entry") in names


def test_events_only_knows_no_match_and_no_picture_that_is_written_changes_them(
    begun: Path, begun_alone: str, watched: str
) -> None:
    events = lines(watch_begun(begun, "--events-only"))
    for told in (begun_alone, watched):
        assert events == [fact for fact in lines(told) if fact["kind"] == "event"]


def test_run_plays_the_sample_as_watching_it_does_and_says_where_everything_is(
    played: tuple[Path, str], of_whole: list[dict[str, Any]], watched: str
) -> None:
    out, said = played
    assert "No camera" in said
    assert "Playing the sample match" in said
    assert "Score card" in said
    for name in ("annotated.mp4", "events.jsonl"):
        assert (out / name).stat().st_size > 0
        assert name in said
    early, early_of_whole = (
        [fact for fact in told if fact.get("t_said", BEGUN_S) < BEGUN_S - 1] for told in (lines(watched), of_whole)
    )
    assert early == early_of_whole and len(early) > 20


@needs_shared
def test_a_real_throw_is_counted_once_with_its_five_values() -> None:
    facts = lines(fairtray("watch", SHARED / "real" / "videos" / "tuia_tirada_1.mp4", "--json").stdout)
    counted = [fact for fact in facts if fact["name"] == "RollCounted"]
    assert [fact["values"] for fact in counted] == [[1, 1, 2, 3, 4]]
    assert abs(counted[0]["frame"] - 66) <= 20
    entered = [fact for fact in facts if fact["name"] == "BoxEntered"]
    assert [(fact["box"], fact["points"], fact["automatic"]) for fact in entered] == [("SS", 30, True)]


def test_a_calibration_of_another_picture_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "calibration.toml"
    other.write_text((SAMPLE / "calibration.toml").read_text().replace("width = 640", "width = 1280"))
    ran = fairtray_here("watch", SAMPLE / "video.mp4", "--calibration", other)
    assert ran.returncode == 2
    assert "1280x480" in ran.stderr
