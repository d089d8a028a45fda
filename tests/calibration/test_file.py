"""The calibration file: what is written is read, and what is wrong is named with its range."""

import re
import warnings
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.errors import CalibrationError
from calibration.facts import Calibration, DiceSet, Locked, LockedUsb, Picture
from calibration.file import dump, load, parse
from calibration.shape import KINDS, View, border
from vision.lens import Lens

FLOOR = ((100.0, 80.0), (1100.0, 84.0), (1096.0, 640.0), (98.0, 635.5))
PLAIN = Calibration(1280, 720, FLOOR, 31.2)
HOMOGRAPHY = ((0.5, 0.01, -300.0), (0.0, 0.5, -180.0), (1e-6, 0.0, 1.0))
LENS = Lens((1400.0, 1390.0), (639.5, 359.5), (0.1, -0.05, 0.01), (4.0, -7.5, 700.0), (-0.1, 0.02, 0.0, 1e-4, 0.0))
FULL = Calibration(
    1280,
    720,
    FLOOR,
    31.2,
    15.9,
    HOMOGRAPHY,
    LENS,
    scale="tray",
    shape="rectangle",
    camera='imx708 "left"',
    locked=Locked(10_000, 1.5, (1.8, 1.45), focus=2.5),
    made=datetime(2026, 1, 31, 20, 0, tzinfo=UTC),
    picture=Picture(30.0, 0.4, 88.0, (40.0, 80.0, 50.0), 1.5, 0.8),
    dice=DiceSet(5, ((200.0, 128.0, 128.0),), 0.02),
    thresholds={"sure": 0.4},
)


USB = replace(FULL, locked=LockedUsb(156.0, None, 4600.0, 30.0))


@pytest.mark.parametrize("calibration", [PLAIN, FULL, USB])
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
        ("version = 2", "version = 0", "version must be 1 or 2"),
        ("version = 2", "version = 3", "version 3 is newer than this Fairtray knows"),
        ("width = 1280", "width = 8", "image.width must be a number from 32 to 16384, not 8"),
        ("width = 1280", "width = 1280.5", "image.width must be a whole number"),
        ("width = 1280", "", "image.width must be a number from 32 to 16384, and is missing"),
        ("version = 2", "", "version must be 1 or 2, and is missing"),
        ("px = 31.2", "px = true", "die.px must be a number from 4 to 2000"),
        ("px = 31.2", "px = nan", "die.px must be a number"),
        ("px = 31.2", "px = 31.2\nsize = 3", "unknown key die.size"),
        ("px = 31.2", "px = 900.0", "smaller than 4 dice"),
        ("mm = 16.0", "mm = 1.6", "die.mm must be a number from 5 to 60"),
        ("[die]", "[dies]", "unknown key dies"),
        ("outline = [[", "outline = [[1.0], [", "floor.outline must be 3 to 256 pairs"),
        ("outline = [[100.0", "outline = [[99999.0", "far outside the picture"),
        ("version = 2", "version = 2\nnote = 3", "unknown key note"),
        ("version = 2", "version = ", "no TOML"),
        ("[image]", "camera = 3\n[image]", "camera.* is no table"),
        ("[image]", "[camera]\nusb_gain = 3\ngain = 1.5\n[image]", "contradict each other"),
        ("[image]", "[camera]\nusb_focus = -3\n[image]", "camera.usb_focus must be a number from 0"),
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


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[[1400.0, 0", "[[-1400.0, 0", "camera.matrix must be"),
        ("[[1400.0, 0", "[[1400.0, 5", "camera.matrix must be"),
        ("700.0]", "-700.0]", "camera.translation"),
        ("rotation = [0.1, ", "rotation = [2.1, ", "does not look down"),
        ("rotation = [0.1, -0.05, 0.01]", "", "camera.rotation must be a list of 3 numbers"),
        ("distortion = [-0.1", "distortion = [-100.0", "belong to no lens"),
        ("sure = 0.4", "sure = 1.4", "reader.sure must be a number from 0 to 1"),
        ("sure = 0.4", "certain = 0.4", "unknown key reader.certain"),
        ("fps = 30.0", "fps = 0", "picture.fps"),
        ("count = 5", "count = 5.5", "dice.count must be a whole number"),
        ('scale = "tray"', 'scale = "guess"', "die.scale must be one of assumed, die, tray, board"),
        ("made = 2026", "made = 5 # 2026", "made must be a date"),
    ],
)
def test_nonsense_by_hand_is_named(old: str, new: str, message: str) -> None:
    text = dump(FULL)
    assert old in text
    with pytest.raises(CalibrationError, match=message) as caught:
        parse(text.replace(old, new, 1))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("px = 31.2", "px = 13.0", "by which such dice are 6.5 mm: make the calibration anew"),
        ("mm = 15.9", "mm = 51.9", "die.px and die.mm contradict"),
        ("700.0]", "7000.0]", "contradict"),
        ("[0.0, 1390.0, 359.5]", "[0.0, 1390.0, 1e7]", "does not look at the floor's outline"),
        ("distortion = [-0.1", "distortion = [-4.0", "cannot see the floor's outline"),
        ("px = 31.2", "px = 1" + "0" * 400, "die.px must be a number"),
        ("[100.0, 80.0]", f"[1{'0' * 400}, 80.0]", "floor.outline must be"),
        ("[100.0, 80.0]", "[" * 3000 + "]" * 3000, "no TOML"),
        ("colour = [40.0", "colour = [4e9", "picture.colour must be a list of 3 numbers from 0 to 255"),
        ("colours = [[200.0", "colours = [[-2.0", "dice.colours must be rows of three numbers from 0 to 255"),
    ],
)
def test_numbers_that_contradict_each_other_or_are_too_large_are_named(old: str, new: str, message: str) -> None:
    text = dump(replace(FULL, homography=None))
    assert parse(text)
    assert old in text
    with pytest.raises(CalibrationError, match=message) as caught:
        parse(text.replace(old, new, 1))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("floor", "message"),
    [
        ([(x + 1000, y) for x, y in FLOOR], "most of it lies outside the picture of 1280x720 px: make the calibration"),
        ([(x, y - 500) for x, y in FLOOR], "most of it lies outside the picture"),
        ([FLOOR[0], FLOOR[2], FLOOR[1], FLOOR[3]], "its points do not go round it in order: make the calibration anew"),
        ([*FLOOR, *FLOOR], "do not go round it in order"),
    ],
)
def test_outlines_beside_the_picture_or_that_cross_themselves_are_named(
    floor: list[tuple[float, float]], message: str
) -> None:
    with pytest.raises(CalibrationError, match=message):
        parse(dump(replace(PLAIN, floor=tuple(floor))))


def test_two_points_of_a_written_outline_in_the_others_places_are_named() -> None:
    lens = View(165.0, 5.5, -0.05, 0.011, (0.12, -0.08), 0.1, (640.0, 360.0)).lens((1280, 720))
    for kind in KINDS:
        points = [(float(x), float(y)) for x, y in lens.project(border(kind, 1.3 if kind == "rectangle" else 1.0, 64))]
        for floor in (points, points[::-1], [*points, points[0]], [(x - 500, y) for x, y in points]):
            assert parse(dump(replace(PLAIN, floor=tuple(floor)))).floor == tuple(floor)
        for one, other in ((5, 40), (5, 6)):
            swapped = points.copy()
            swapped[one], swapped[other] = points[other], points[one]
            with pytest.raises(CalibrationError, match="do not go round it in order"):
                parse(dump(replace(PLAIN, floor=tuple(swapped))))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("width = 1280", "width = " + "9" * 5000, r"no TOML of ours \(a number of thousands of digits\)"),
        (
            "width = 1280",
            "width = 0x" + "f" * 5000,
            "image.width must be .* 16384, not a number of thousands of digits",
        ),
        ("width = 1280", "width = [0x" + "f" * 5000 + "]", "image.width must be .*, not a number of thousands of"),
        ("width = 1280", "width = " + "9" * 400, r"image.width must be .* 16384, not 9{60} \.\.\. 9{30}$"),
        ("version = 2", "version = 0x" + "f" * 5000, "version a number of thousands of digits is newer"),
        ("version = 2", "version = 1" + "0" * 400, r"version 10{59} \.\.\. 0{30} is newer"),
        ("version = 2", f"version = 2\n{'k' * 3000} = 1", r"unknown key k{60} \.\.\. k{30}; known here: version"),
        ("[die]", f"[die]\n{'k' * 3000} = 1", r"unknown key die\.k{56} \.\.\. k{30}; known here: px"),
        ("version = 2", f"[{'k' * 3000}]\n" * 2, r"no TOML \(Cannot declare \('k{43} \.\.\. .*line 2, column"),
        ("made = 2026-01-31T20:00:00+00:00", f"made = '{'k' * 3000}'", r"made must be .*, not 'k{59} \.\.\. k{29}'$"),
        ("version = 2", "version = 2026-01-31", "version must be 1 or 2, not 2026-01-31"),
        ("[0.5, 0.01, -300.0]", "[1e300, 0.01, -300.0]", "camera.homography must be three rows of three numbers from"),
        ("[4.0, -7.5, 700.0]", "[1e308, -7.5, 700.0]", "camera.translation must be a list of 3 numbers from -1e.09 to"),
    ],
)
def test_absurd_numbers_and_names_are_told_in_a_short_line(old: str, new: str, message: str) -> None:
    text = dump(FULL)
    assert old in text
    with pytest.raises(CalibrationError, match=message) as caught:
        parse(text.replace(old, new, 1))
    assert len(str(caught.value)) < 240


def test_large_numbers_warn_of_nothing() -> None:
    for number in ("-1e9", "-1e6", "0", "1e6", "1e9"):
        for calibration in (replace(FULL, homography=None), replace(FULL, lens=None)):
            text = dump(calibration)
            begin, end = text.index("[camera]"), text.index("[picture]")
            for found in re.finditer(r"-?\d+\.\d+(?:e-\d+)?", text[begin:end]):
                changed = text[: begin + found.start()] + number + text[begin + found.end() :]
                with warnings.catch_warnings(), suppress(CalibrationError):
                    warnings.simplefilter("error")
                    parse(changed)


def test_a_file_saved_by_an_editor_that_marks_its_texts_is_read(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    path.write_text(dump(FULL), encoding="utf-8-sig")
    assert load(path) == FULL


def test_the_first_version_still_loads() -> None:
    old = """version = 1
[image]
width = 640
height = 480
[floor]
outline = [[475.7, 237.2], [164.5, 236.8], [320.0, 81.0]]
[die]
px = 27.8
[camera]
homography = [[0.65, 0.0, -206.8], [0.0, 0.65, -159.9], [0.0, 0.0, 1.0]]
"""
    found = parse(old)
    assert (found.die_px, found.die_mm, found.lens, found.scale) == (27.8, 16.0, None, "assumed")
    assert found.homography is not None


def test_missing_file_and_binary_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(
        CalibrationError, match=r"gone\.toml: there is no such calibration: `fairtray calibrate run` makes one"
    ):
        load(tmp_path / "gone.toml")
    with pytest.raises(CalibrationError, match="cannot read the calibration"):
        load(tmp_path)
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CalibrationError, match="is no text"):
        load(tmp_path / "bad.toml")
