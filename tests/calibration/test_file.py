"""The calibration file: what is written is read, and what is wrong is named with its range."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.errors import CalibrationError
from calibration.file import Calibration, dump, load, parse

FLOOR = ((100.0, 80.0), (1100.0, 84.0), (1096.0, 640.0), (98.0, 635.5))
PLAIN = Calibration(1280, 720, FLOOR, 31.2)
FULL = Calibration(1280, 720, FLOOR, 31.2, 15.9, ((0.5, 0.01, -300.0), (0.0, 0.5, -180.0), (1e-6, 0.0, 1.0)))


@pytest.mark.parametrize("calibration", [PLAIN, FULL])
def test_written_file_is_read_back_unchanged(tmp_path: Path, calibration: Calibration) -> None:
    path = tmp_path / "calibration.toml"
    path.write_text(dump(calibration), encoding="utf-8")
    assert load(path) == calibration
    assert load(path).geometry.die_px == 31.2


@given(px=st.floats(4, 60), corner=st.floats(0, 300))
def test_any_numbers_survive(px: float, corner: float) -> None:
    calibration = Calibration(1280, 720, ((corner, 0.0), *FLOOR[1:]), px)
    assert parse(dump(calibration)) == calibration


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version = 1", "version = 2", "version must be 1"),
        ("width = 1280", "width = 8", "image.width must be a number from 32 to 16384, not 8"),
        ("width = 1280", "width = 1280.5", "image.width must be a whole number"),
        ("width = 1280", "", "image.width must be a number"),
        ("px = 31.2", "px = true", "die.px must be a number from 4 to 2000"),
        ("px = 31.2", "px = nan", "die.px must be a number"),
        ("px = 31.2", "px = 31.2\nsize = 3", "unknown key die.size"),
        ("px = 31.2", "px = 900.0", "smaller than 4 dice"),
        ("mm = 16.0", "mm = 1.6", "die.mm must be a number from 5 to 60"),
        ("[die]", "[dice]", "die.* is missing or no table"),
        ("outline = [[", "outline = [[1.0], [", "floor.outline must be 3 to 64 pairs"),
        ("outline = [[100.0", "outline = [[99999.0", "far outside the picture"),
        ("version = 1", "version = 1\nnote = 3", "unknown key note"),
        ("version = 1", "version = ", "no TOML"),
        ("[image]", "camera = 3\n[image]", "camera.* is missing or no table"),
    ],
)
def test_wrong_files_are_refused_by_name(old: str, new: str, message: str) -> None:
    text = dump(PLAIN)
    assert old in text
    with pytest.raises(CalibrationError, match=message) as caught:
        parse(text.replace(old, new, 1))
    assert "\n" not in str(caught.value)


def test_homography_must_be_a_matrix_that_can_be_undone() -> None:
    good = "homography = [[0.5, 0.01, -300.0]"
    assert good in dump(FULL)
    for bad in ("homography = [[0.5, 0.01]", "homography = [[0.0, 0.5, -180.0]"):
        with pytest.raises(CalibrationError, match="homography"):
            parse(dump(FULL).replace(good, bad))


def test_missing_file_and_binary_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match=r"gone\.toml: cannot read"):
        load(tmp_path / "gone.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CalibrationError, match="is no text"):
        load(tmp_path / "bad.toml")
