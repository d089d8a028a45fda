"""`fairtray calibrate`, through the command line, on a drawn recording."""

import json
import os
import signal
import threading
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.board import board_pdf, find_board
from calibration.errors import CalibrationError
from calibration.facts import Calibration
from calibration.file import dump, load
from calibration.run import calibrate
from calibration.shape import corners
from calibration.words import CHECKED
from firmware.commands import calibrate as command
from firmware.commands.calibrate import CalibrateOptions
from firmware.errors import FirmwareError
from tests.calibration.drawn import SIZE, VIEW, empty, recording
from tests.firmware.command import fairtray, fairtray_here


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of a tray being set up; a folder is played at 30 frames a second."""
    made = tmp_path_factory.mktemp("setup")
    for frame in recording(empty(), fps=30.0):
        cv2.imwrite(str(made / f"{frame.index:04}.png"), frame.image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return made


def picture_of(path: Path) -> npt.NDArray[np.uint8]:
    picture = cv2.imread(str(path))
    assert picture is not None
    return np.asarray(picture, np.uint8)


def test_a_tray_is_calibrated_checked_and_given_more_dice(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, page = tmp_path / "calibration.toml", tmp_path / "calibration.html"
    options = ("--tray-mm", "240", "--row", "--expect", "6,5,4,2,1", "--json")
    ran = fairtray("calibrate", "run", folder, "-o", out, *options)
    assert (ran.returncode, ran.stderr) == (0, "")
    told = json.loads(ran.stdout)
    assert told["ok"] and told["reasons"] == [] and "scale_unknown" not in told["advice"]
    assert "row_not_seen" in told["advice"]  # they lie apart
    assert told["mm_per_px"] == pytest.approx(240 / 2 / 165, rel=0.02)
    assert len(told["floor"]) >= 32
    widths = [np.ptp([x for x, _ in told[name]]) for name in ("floor", "wall", "rim")]
    assert widths[0] < widths[1] < widths[2] < SIZE[0]
    assert "data:image/jpeg" in page.read_text() and "http://" not in page.read_text()
    assert load(out).shape == "square"
    checked = fairtray("calibrate", "check", folder, "--calibration", out)
    assert (checked.returncode, checked.stdout.strip().endswith("still holds")) == (0, True)
    added = fairtray("calibrate", "add-dice", folder, "--calibration", out, "--expect", "1,2,4,5,6", "--json")
    assert added.returncode == 0
    told = json.loads(added.stdout)
    assert told["ok"] and told["advice"] == told["missing"] == []
    monkeypatch.setattr(command, "LONGEST_S", 3.5)
    assert command.add_dice_command(str(folder), out, "1,2,4,5,6,6,3", None, as_json=False) == 0
    _, cut, unread = capsys.readouterr().out.splitlines()
    assert cut.startswith("only the first 4 s of the recording were looked at")
    assert unread.startswith("no rest surely showed 3 6 of --expect with the others: ")
    before, moved = out.read_bytes(), tmp_path / "moved"
    moved.mkdir()
    for picture in sorted(folder.iterdir()):
        cv2.imwrite(str(moved / picture.name), np.roll(picture_of(picture), 40, axis=1))
    refused = fairtray("calibrate", "add-dice", moved, "--calibration", out)
    assert (refused.returncode, out.read_bytes()) == (1, before)
    assert refused.stdout == f"{CHECKED['camera_moved']}\n"


def test_watch_says_in_play_that_the_camera_was_moved(folder: Path, tmp_path: Path) -> None:
    known, played = tmp_path / "calibration.toml", tmp_path / "played"
    played.mkdir()
    known.write_text(dump(Calibration(640, 480, ((155.0, 75.0), (485.0, 75.0), (485.0, 405.0), (155.0, 405.0)), 30.0)))
    still = picture_of(sorted(folder.iterdir())[0])
    shifted = cv2.warpAffine(still, np.array([[1, 0, 14.0], [0, 1, 9.0]]), (640, 480), borderMode=cv2.BORDER_REPLICATE)
    for number in range(75):
        seen = (still if number < 40 else shifted).copy()
        seen[0, 0] = number  # no camera sends the same picture twice
        cv2.imwrite(str(played / f"{number:03}.png"), seen)
    ran = fairtray("watch", played, "--calibration", known, "--events-only", "--json")
    assert ran.returncode == 0
    assert "the camera or the tray was moved" in ran.stderr and ran.stderr.count("\n") == 1


def test_a_recording_that_is_broken_off_is_not_calibrated_from_its_first_part(folder: Path) -> None:
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            command.recorded(str(folder), command.LONGEST_S)


def test_a_failed_calibration_leaves_the_old_file_and_its_report(tmp_path: Path) -> None:
    few = tmp_path / "few"
    few.mkdir()
    for frame in list(recording(empty()))[:3]:
        cv2.imwrite(str(few / f"{frame.index}.png"), frame.image)
    out, page = tmp_path / "calibration.toml", tmp_path / "calibration.html"
    failed = tmp_path / "calibration-failed.html"
    ran = fairtray_here("calibrate", "run", few, "-o", out)
    assert (ran.returncode, out.exists(), failed.exists()) == (1, False, False)
    assert "too_short" in ran.stdout and "too short" in page.read_text()
    out.write_text("the old one")
    page.write_text("its report")
    ran = fairtray_here("calibrate", "run", few, "-o", out)
    assert (ran.returncode, out.read_text(), page.read_text()) == (1, "the old one", "its report")
    assert failed.name in ran.stdout and "too short" in failed.read_text()
    elsewhere = tmp_path / "elsewhere.html"
    assert fairtray_here("calibrate", "run", few, "-o", out, "--report", elsewhere).returncode == 1
    assert "too short" in elsewhere.read_text()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--die-mm", "16", "--tray-mm", "250"), "contradict"),
        (("--die-mm", "160"), "--die-mm 160: give 5 to 60 mm"),
        (("--die-mm", "16", "--height-mm", "64"), "--height-mm 64: give 100 to 5000 mm"),
        (("--height-mm", "640"), "--height-mm alone tells no scale: give --die-mm, --tray-mm or --board with it"),
        (("--row",), "--row alone tells no scale: give --die-mm, --tray-mm or --board with it"),
        (("--corners", "1,2 3"), "--corners"),
        (("--expect", "1,7"), "--expect"),
        (("-o", "no/folder/here.toml"), "no folder"),
    ],
)
def test_options_that_can_mean_nothing_are_named(options: tuple[str, ...], says: str, tmp_path: Path) -> None:
    ran = fairtray_here("calibrate", "run", tmp_path / "none.mp4", *options)
    assert ran.returncode == 2
    assert says in ran.stderr and ran.stderr.count("\n") == 1


def test_no_file_is_written_over_another_that_is_needed(folder: Path, tmp_path: Path) -> None:
    video = tmp_path / "setup.mp4"
    video.write_bytes(b"the recording")
    for options, says in (
        (("-o", video), "is the recording: name another file"),
        (("-o", tmp_path / "a.html", "--report", tmp_path / "b" / ".." / "a.html"), "no folder"),
        (("-o", tmp_path / "a.html", "--report", tmp_path / "a.html"), "is -o too"),
        (("-o", tmp_path / "a.toml", "--report", "old.toml"), "cannot write old.toml: its name must end in .html or"),
        (("-o", tmp_path / "a.html"), "is -o too"),
        (("-o", tmp_path), "it is a folder; name a file in it"),
        (("-o", "."), "cannot write .: it is a folder; name a file in it"),
        (("-o", ""), "cannot write .: it is a folder; name a file in it"),
        (("-o", "/"), "cannot write /: it is a folder; name a file in it"),
    ):
        ran = fairtray_here("calibrate", "run", video, *options)
        assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
        assert says in ran.stderr
    for out, says in ((tmp_path, "must end in .pdf"), (tmp_path / "no" / "b.pdf", "no folder")):
        ran = fairtray_here("calibrate", "board", "-o", out)
        assert (ran.returncode, says in ran.stderr, ran.stderr.count("\n")) == (2, True, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["setup.mp4"] and video.read_bytes() == b"the recording"
    assert not list(tmp_path.parent.glob(f".{tmp_path.name}-*"))


@pytest.mark.parametrize(("option", "name"), [("-o", "0001.png"), ("-o", "new.JPG")])
def test_no_file_is_written_among_the_recordings_pictures(folder: Path, option: str, name: str) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    ran = fairtray_here("calibrate", "run", folder, option, folder / name)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert f"{option} {folder / name} would be one of the recording's pictures: name another file" in ran.stderr
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.fixture
def passing(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CalibrateOptions:
    """What to calibrate from three pictures, which is said to pass with a limit of the reader that no file may have."""
    few = tmp_path / "few"
    few.mkdir()
    for path in sorted(folder.iterdir())[:3]:
        (few / path.name).write_bytes(path.read_bytes())
    floor = ((155.0, 75.0), (485.0, 75.0), (485.0, 405.0), (155.0, 405.0))
    known = Calibration(640, 480, floor, 30.0, thresholds={"sure": 2.0})
    monkeypatch.setattr(command, "calibrate", lambda *a: replace(calibrate(*a), reasons=(), calibration=known))
    return CalibrateOptions(str(few), tmp_path / "calibration.toml", report=tmp_path / "report.html")


def test_nothing_is_written_where_the_calibration_could_not_be_read_again(passing: CalibrateOptions) -> None:
    passing.out.write_text("the old one")
    with pytest.raises(CalibrationError, match=r"reader\.sure"):
        command.calibrate_command(passing, as_json=True)
    assert sorted(path.name for path in passing.out.parent.iterdir()) == ["calibration.toml", "few"]
    assert passing.out.read_text() == "the old one"


def test_files_are_put_in_their_places_once_all_are_on_the_disk(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "folder"
    second.mkdir()
    with pytest.raises(FirmwareError, match="it is a folder"):
        command.write_whole({first: b"new", second: b"new"})
    assert list(tmp_path.iterdir()) == [second]
    command.write_whole({first: b"new", second / "file": b"too"})
    assert (first.read_bytes(), [path.name for path in second.iterdir()]) == (b"new", ["file"])


def test_a_link_stays_one_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    link, kept = tmp_path / "link.toml", tmp_path / "kept"
    kept.mkdir()
    link.symlink_to("kept/mine.toml")
    for content in (b"new", b"newer"):
        command.write_whole({link: content})
        assert (link.is_symlink(), (kept / "mine.toml").read_bytes()) == (True, content)
    assert [path.name for path in kept.iterdir()] == ["mine.toml"]


def test_a_link_to_the_recording_is_the_recording(folder: Path, tmp_path: Path) -> None:
    picture = folder / "0001.png"
    for source, target, says in ((picture, picture, "is the recording"), (folder, picture, "recording's pictures")):
        link = tmp_path / f"{source.name}.toml"
        link.symlink_to(target)
        with pytest.raises(FirmwareError, match=says):
            command.calibrate_command(CalibrateOptions(str(source), link), as_json=True)


def test_no_move_is_told_where_no_edge_lies_along_the_corners(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "calibration.toml"
    given = VIEW.lens(SIZE).project(corners("square") * 0.85)
    told = " ".join(f"{x:.0f},{y:.0f}" for x, y in given)
    ran = fairtray_here("calibrate", "run", folder, "-o", out, "--tray-mm", "204", "--corners", told)
    assert (ran.returncode, "no plain edge lies along the floor" in ran.stdout) == (0, True)
    checked = fairtray_here("calibrate", "check", folder, "--calibration", out)
    assert (checked.returncode, "cannot be told" in checked.stdout) == (0, True)
    checked = fairtray_here("calibrate", "check", folder, "--calibration", out, "--json")
    assert json.loads(checked.stdout)["moved_px"] is None


def test_corners_that_are_no_floors_are_named_and_the_old_file_stays(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "calibration.toml"
    out.write_text("the old one")
    ran = fairtray_here("calibrate", "run", folder, "-o", out, "--corners", "1,1 2,2 3,3 4,4")
    assert (ran.returncode, ran.stderr.count("\n"), out.read_text()) == (2, 1, "the old one")
    assert "--corners: a floor so small" in ran.stderr


def test_what_is_no_video_or_belongs_to_another_is_named(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.mp4").write_bytes(b"\0" * 100)
    assert fairtray_here("calibrate", "run", tmp_path / "bad.mp4").returncode == 2
    sample = Path(__file__).parents[3] / "firmware" / "sample" / "calibration.toml"
    ran = fairtray_here("calibrate", "check", folder, "--calibration", sample)
    assert (ran.returncode, "cannot be checked" in ran.stderr) == (2, True)
    other = tmp_path / "other.toml"
    other.write_text(sample.read_text().replace("width = 640", "width = 800"))
    ran = fairtray_here("calibrate", "add-dice", folder, "--calibration", other)
    assert (ran.returncode, "calibrate again" in ran.stderr) == (2, True)


def test_the_board_is_printed_to_scale_and_found_again(tmp_path: Path) -> None:
    out = tmp_path / "board.pdf"
    assert fairtray("calibrate", "board", "-o", out).returncode == 0
    assert out.read_bytes().startswith(b"%PDF")
    width, height = 297 / 25.4 * 72, 210 / 25.4 * 72
    box = out.read_bytes().split(b"/MediaBox")[1].split(b"]")[0].replace(b"[", b"").split()
    assert [float(v) for v in box[2:]] == pytest.approx([width, height], abs=0.5)
    assert len(board_pdf()) > 10_000
    assert find_board(empty()) is None
