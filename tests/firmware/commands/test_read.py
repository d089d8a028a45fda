"""`fairtray read`: lines, errors, annotated pictures."""

import json
from pathlib import Path

import cv2
import pytest

from firmware.commands.read import read_command
from firmware.errors import FirmwareError
from tests.vision.drawn_photo import photograph


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "throw.png"
    cv2.imwrite(str(path), photograph([2, 3, 4, 5, 6]))
    return path


def test_a_json_line_has_the_fields_promised(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert read_command([photo], 30.0, True, None) == 0
    line = json.loads(capsys.readouterr().out)
    assert list(line) == ["source", "width", "height", "dice", "values", "sure", "ms"]
    assert (line["source"], line["width"], line["height"]) == (str(photo), 640, 480)
    assert line["values"] == sorted(die["value"] for die in line["dice"] if die["value"])
    assert line["sure"] == all(die["value"] for die in line["dice"])
    for die in line["dice"]:
        assert list(die) == ["value", "p", "state", "box", "angle"]
        assert die["state"] in ("flat", "cocked", "stacked", "unknown")
        assert (die["state"] == "flat") == (die["value"] is not None)
        assert 0 <= die["p"] <= 1
        assert 0 <= die["angle"] < 90
        assert len(die["box"]) == 4


def test_a_bad_file_is_reported_and_the_others_are_read(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = photo.with_name("text.jpg")
    text.write_text("no picture")
    assert read_command([text, photo, photo.with_name("none.png")], 30.0, True, None) == 2
    said = capsys.readouterr()
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [set(line) == {"source", "error"} for line in lines] == [True, False, True]
    complaints = said.err.splitlines()
    assert len(complaints) == 2
    assert complaints[0] == f"fairtray: {text}: {lines[0]['error']}"


def test_for_people_a_question_mark_stands_for_every_die_that_is_not_sure(
    photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read_command([photo], 30.0, True, None)
    line = json.loads(capsys.readouterr().out)
    assert read_command([photo], 30.0, False, None) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{photo}: ")
    assert out.count("?") == len(line["dice"]) - len(line["values"])
    assert out.count("\n") == 1


def test_a_photograph_without_dice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.png"
    cv2.imwrite(str(path), photograph([])[:20, :30])
    assert read_command([path], None, True, None) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["width"], line["height"], line["dice"], line["sure"]) == (30, 20, [], False)
    assert read_command([path], None, False, None) == 0
    assert "no dice" in capsys.readouterr().out


@pytest.mark.parametrize("die_px", [0.0, -30.0, float("nan"), float("inf"), 3.0, 1e6])
def test_a_die_size_no_photograph_has(photo: Path, die_px: float) -> None:
    with pytest.raises(FirmwareError, match="--die-px"):
        read_command([photo], die_px, True, None)


def test_annotated_pictures_lie_beside_each_other(tmp_path: Path, photo: Path) -> None:
    other = tmp_path / "again" / "throw.png"
    jpeg = tmp_path / "throw.jpg"
    other.parent.mkdir()
    for path in (other, jpeg):
        cv2.imwrite(str(path), photograph([1]))
    before = photo.read_bytes()
    assert read_command([photo, other, jpeg], 30.0, True, tmp_path) == 0
    assert photo.read_bytes() == before
    names = sorted(path.name for path in tmp_path.iterdir() if path.is_file())
    assert names == ["throw-2.jpg", "throw-2.png", "throw-3.png", "throw.jpg", "throw.png"]
    drawn = cv2.imread(str(tmp_path / "throw-2.png"))
    assert drawn is not None
    assert drawn.shape == (480, 640, 3)


def test_a_folder_that_cannot_be_made(photo: Path) -> None:
    with pytest.raises(FirmwareError, match="cannot make that folder"):
        read_command([photo], 30.0, True, photo)
