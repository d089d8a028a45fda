"""Counting on photographs: every labelled die ends up in exactly one column, and tables can be read."""

import csv

import cv2
import numpy as np
import pytest

from models.training.__main__ import main
from models.training.clips import measure_clips
from models.training.errors import TrainingError
from models.training.evaluate import Tally, given_places, measure, table, whole_photo
from models.training.real import crops_of, load_photos
from models.training.thresholds import BASE, Answer, chances, choose
from tests.shared_data import SHARED, needs_shared
from vision.network import load_networks


def collection(folder, rows, complete="1"):
    """A collection of one blank photograph with the given dice."""
    (folder / "images").mkdir()
    cv2.imwrite(str(folder / "images/nellbyler_1.jpg"), np.full((120, 160, 3), 90, np.uint8))
    with (folder / "images.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["file", "all_dice_labelled"], ["nellbyler_1.jpg", complete]])
    with (folder / "annotations.csv").open("w", newline="") as file:
        header = ["file", "source", "value", "x", "y", "w", "h", "note"]
        csv.writer(file).writerows([header, *rows])
    return folder


def test_dice_that_nobody_can_see_are_missed_or_unsure_but_never_sure(tmp_path):
    rows = [
        ["nellbyler_1.jpg", "nellbyler", 3, 20, 30, 40, 40, ""],
        ["nellbyler_1.jpg", "nellbyler", 5, 90, 50, 40, 40, ""],
    ]
    photos = load_photos(collection(tmp_path, rows))
    tally = measure(load_networks(), photos, whole_photo)["nellbyler"]
    assert (tally.dice, tally.missed, tally.right, tally.wrong, tally.extra) == (2, 2, 0, 0, 0)
    tally = measure(load_networks(), photos, given_places)["nellbyler"]
    assert (tally.dice, tally.unsure, tally.all_right) == (2, 2, 0)


def test_a_doubtful_label_counts_neither_way(tmp_path):
    rows = [["nellbyler_1.jpg", "nellbyler", 6, 20, 30, 40, 40, "maybe_symbol_face"]]
    photos = load_photos(collection(tmp_path, rows))
    assert measure(load_networks(), photos, given_places)["nellbyler"].dice == 0


def test_a_box_of_pips_alone_does_not_tell_the_size_of_a_one(tmp_path):
    rows = [
        ["nellbyler_1.jpg", "matteop65", 1, 20, 30, 5, 5, "box_is_pip_extent"],
        ["nellbyler_1.jpg", "matteop65", 6, 90, 50, 30, 30, "box_is_pip_extent"],
    ]
    photo = load_photos(collection(tmp_path, rows))[0]
    assert photo.face_px == pytest.approx(30 * 1.2)
    assert photo.dice[0].face_px == photo.face_px


def test_nobody_learns_from_a_source_without_a_licence(tmp_path):
    with pytest.raises(TrainingError, match="no licence"):
        crops_of([], "fudw")


def test_a_folder_without_photographs_is_named_in_one_line(tmp_path, capsys):
    assert main(["evaluate", "--photos", str(tmp_path / "nowhere")]) == 2
    said = capsys.readouterr().err
    assert said.startswith("fairtray: ")
    assert "nowhere" in said
    assert said.count("\n") == 1


def test_the_table_stars_what_was_learnt_from():
    lines = table("figures", {"a": Tally(dice=4, right=3, unsure=1), "b": Tally(dice=1, missed=1)}, ["a"]).splitlines()
    assert lines[2].startswith("a*")
    assert lines[2].endswith("75.0 %")
    assert len({len(line) for line in lines[1:]}) == 1


def test_the_chance_rises_with_the_score_even_where_the_counts_do_not():
    rng = np.random.default_rng(5)
    scores = rng.random(400)
    given = [Answer("x", 1, 1 if rng.random() < s else 2, float(s), s > 0.9) for s in scores]
    points = chances(given)
    assert [p[0] for p in points] == sorted(p[0] for p in points)
    assert [p[1] for p in points] == sorted(p[1] for p in points)
    assert all(0 < p[1] < 1 for p in points)


def test_the_bar_is_the_lowest_without_a_sure_mistake():
    right = [Answer("x", 3, 3, score, True) for score in (0.26, 0.36, 0.39, 0.8)]
    assert choose(right).sure == BASE.sure
    chosen = choose([*right, Answer("x", 3, 2, 0.37, True), Answer("x", 3, 2, 0.9, False)])
    assert chosen.sure == 0.39
    assert chosen.clear > chosen.sure


def test_every_frame_of_a_rest_counts_its_dice(tmp_path):
    (tmp_path / "videos").mkdir()
    writer = cv2.VideoWriter(str(tmp_path / "videos/tray.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 30, (160, 120))
    for _ in range(12):
        writer.write(np.full((120, 160, 3), 90, np.uint8))
    writer.release()
    events = tmp_path / "video_events.csv"
    rows = [["file", "event", "start_frame", "end_frame", "values"], ["tray.avi", "rest", 2, 8, "1 5"]]
    with events.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    tally = measure_clips(load_networks(), tmp_path)["tray.avi"]
    assert (tally.photos, tally.dice, tally.missed) == (4, 8, 8)
    events.write_text(events.read_text().replace(",8,", ",30,"))
    with pytest.raises(TrainingError, match="ends at frame 12"):
        measure_clips(load_networks(), tmp_path)


@needs_shared
def test_every_real_source_is_known_and_every_box_has_a_size():
    photos = load_photos(SHARED / "real")
    assert len(photos) > 1000
    assert all(p.face_px is None or p.face_px > 8 for p in photos)
    assert all(len(p.values) >= len(p.dice) for p in photos)
