"""Judging photographs: every labelled die ends up in exactly one column."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.training.__main__ import main
from models.training.clips import judge_clips
from models.training.errors import TrainingError
from models.training.evaluate import Tally, count, given_places, judge, whole_photo
from models.training.real import LabelledDie, Photo, crops_of, load_photos, read_picture
from models.training.scene import UNREADABLE
from tests.shared_data import SHARED, needs_shared
from vision.network import load_networks
from vision.read import Reading
from vision.stills import PhotoDie


def collection(folder: Path, rows: Iterable[Iterable[object]], complete: str = "1") -> Path:
    """A collection of one blank photograph with the given dice."""
    (folder / "images").mkdir()
    cv2.imwrite(str(folder / "images/nellbyler_1.jpg"), np.full((120, 160, 3), 90, np.uint8))
    with (folder / "images.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["file", "all_dice_labelled"], ["nellbyler_1.jpg", complete]])
    with (folder / "annotations.csv").open("w", newline="") as file:
        header = ["file", "source", "value", "x", "y", "w", "h", "note"]
        csv.writer(file).writerows([header, *rows])
    return folder


def found(value: int | None, x: float = 50.0, likely: int | None = None) -> PhotoDie:
    """A die of 20 px that was found at (x, 50): sure if it has a value."""
    likely = value or likely or 1
    reading = Reading(value, 0.9, likely, "flat", 0.0, (x - 10, 40.0, 20.0, 20.0), 0.8, 0.0)
    return PhotoDie(reading, 0.9)


def labelled(value: int, x: float = 50.0, doubtful: bool = False) -> LabelledDie:
    return LabelledDie(x, 50.0, face_px=20.0, value=value, box_px=24.0, doubtful=doubtful)


def tally(
    dice: Sequence[LabelledDie], things: Sequence[PhotoDie], values: Sequence[int] = (), complete: bool = True
) -> Tally:
    """The tally of a grey picture with these labels and these findings."""
    photo = Photo(Path("a.jpg"), "nellbyler", tuple(dice), tuple(values), complete, 20.0)
    return count(judge(photo, np.full((100, 200, 3), 90, np.uint8), things))


def test_dice_that_nobody_can_see_are_missed_or_unsure_but_never_sure(tmp_path: Path) -> None:
    rows = [
        ["nellbyler_1.jpg", "nellbyler", 3, 20, 30, 40, 40, ""],
        ["nellbyler_1.jpg", "nellbyler", 5, 90, 50, 40, 40, ""],
    ]
    photo = load_photos(collection(tmp_path, rows))[0]
    picture, networks = read_picture(photo.path), load_networks()
    whole = count(whole_photo(networks, photo, picture))
    assert (whole.dice, whole.missed, whole.right, whole.wrong, whole.extra) == (2, 2, 0, 0, 0)
    given = count(given_places(networks, photo, picture))
    assert (given.dice, given.unsure, given.all_right) == (2, 2, 0)


@pytest.mark.parametrize(
    ("die", "things", "expected"),
    [
        (labelled(3), [found(3)], Tally(dice=1, right=1, photos=1, all_right=1)),
        (labelled(3), [found(4)], Tally(dice=1, wrong=1, photos=1)),
        (labelled(3), [found(None)], Tally(dice=1, unsure=1, photos=1)),
        (labelled(3), [], Tally(dice=1, missed=1, photos=1)),
        (labelled(3), [found(3), found(1, x=120)], Tally(dice=1, right=1, extra=1, photos=1)),
        (labelled(3), [found(3), found(None, x=120)], Tally(dice=1, right=1, photos=1, all_right=1)),
        (labelled(UNREADABLE), [found(3)], Tally(photos=1, unreadable=1, guessed=1)),
        (labelled(UNREADABLE), [], Tally(photos=1, unreadable=1, all_right=1)),
        (labelled(6, doubtful=True), [found(5)], Tally(photos=1, all_right=1)),
    ],
)
def test_every_die_ends_up_in_one_column(die: LabelledDie, things: list[PhotoDie], expected: Tally) -> None:
    assert tally([die], things) == expected


def test_in_a_picture_with_unlabelled_dice_nothing_is_extra() -> None:
    assert tally([labelled(3)], [found(3), found(1, x=120)], complete=False).extra == 0


@pytest.mark.parametrize(
    ("values", "things", "expected"),
    [
        ((1, 2), [found(2), found(1)], Tally(dice=2, right=2, photos=1, all_right=1)),
        ((1, 2), [found(2), found(5)], Tally(dice=2, right=1, wrong=1, photos=1)),
        ((1, 2), [found(2), found(1), found(1)], Tally(dice=2, right=2, extra=1, photos=1)),
        ((1, 2, 4), [found(None, likely=2), found(None, likely=6)], Tally(dice=3, unsure=2, missed=1, photos=1)),
    ],
)
def test_where_only_values_are_known_they_are_matched_by_value(
    values: tuple[int, ...], things: list[PhotoDie], expected: Tally
) -> None:
    assert tally([], things, values) == expected


def test_a_box_of_pips_alone_does_not_tell_the_size_of_a_one(tmp_path: Path) -> None:
    rows = [
        ["nellbyler_1.jpg", "matteop65", 1, 20, 30, 5, 5, "box_is_pip_extent"],
        ["nellbyler_1.jpg", "matteop65", 6, 90, 50, 30, 30, "box_is_pip_extent"],
    ]
    photo = load_photos(collection(tmp_path, rows))[0]
    assert photo.face_px == pytest.approx(30 * 1.2)
    assert photo.dice[0].face_px == photo.face_px


def test_nobody_learns_from_a_source_without_a_licence(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no licence"):
        crops_of([], "fudw")


def test_a_folder_without_photographs_is_named_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--photos", str(tmp_path / "nowhere")]) == 2
    said = capsys.readouterr().err
    assert said.startswith("fairtray: ")
    assert "nowhere" in said
    assert said.count("\n") == 1


def test_every_frame_of_a_rest_counts_its_dice(tmp_path: Path) -> None:
    (tmp_path / "videos").mkdir()
    writer = cv2.VideoWriter(str(tmp_path / "videos/tray.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 30, (160, 120))
    for _ in range(12):
        writer.write(np.full((120, 160, 3), 90, np.uint8))
    writer.release()
    events = tmp_path / "video_events.csv"
    rows: list[list[object]] = [
        ["file", "event", "start_frame", "end_frame", "values"],
        ["tray.avi", "rest", 2, 8, "1 5"],
    ]
    with events.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    frames = judge_clips(load_networks(), tmp_path)["tray.avi"]
    total = sum((count(cases) for cases in frames), Tally())
    assert (total.photos, total.dice, total.missed) == (4, 8, 8)
    events.write_text(events.read_text().replace(",8,", ",30,"))
    with pytest.raises(TrainingError, match="ends at frame 12"):
        judge_clips(load_networks(), tmp_path)


@needs_shared
def test_every_real_source_is_known_and_every_box_has_a_size() -> None:
    photos = load_photos(SHARED / "real")
    assert len(photos) > 1000
    assert all(p.face_px is None or p.face_px > 8 for p in photos)
    assert all(len(p.values) >= len(p.dice) for p in photos)
