"""A video is whole or not there at all."""

import resource
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.drawn.film import Film
from firmware.errors import FirmwareError


def test_a_film_can_be_read_back(tmp_path: Path) -> None:
    with Film(tmp_path / "a.mp4", 25.0) as film:
        for level in range(5):
            film.add(np.full((61, 83, 3), level * 40, np.uint8))
    video = cv2.VideoCapture(str(tmp_path / "a.mp4"))
    assert (video.get(cv2.CAP_PROP_FRAME_COUNT), video.get(cv2.CAP_PROP_FPS)) == (5, 25)
    assert [path.name for path in tmp_path.iterdir()] == ["a.mp4"]


def test_a_link_stays_one_and_what_it_leads_to_becomes_the_film(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    link = tmp_path / "a.mp4"
    link.symlink_to("kept/b.mp4")
    with Film(link, 25.0) as film:
        film.add(np.zeros((60, 80, 3), np.uint8))
    assert link.is_symlink() and [path.name for path in (tmp_path / "kept").iterdir()] == ["b.mp4"]


def test_an_error_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), Film(tmp_path / "a.mp4", 25.0) as film:
        film.add(np.zeros((60, 80, 3), np.uint8))
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_a_writer_that_is_broken_off_while_it_is_made_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(SystemExit), Film(tmp_path / "a.mp4", 25.0):
        (tmp_path / ".a.part.mp4").touch()
        raise SystemExit
    assert list(tmp_path.iterdir()) == []


def test_a_video_for_which_there_is_no_room_is_not_there(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (20, 240, 320, 3), np.uint8)
    _, most = limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, most))
    try:
        with pytest.raises(FirmwareError, match="no room"), Film(tmp_path / "a.mp4", 25.0) as film:
            for picture in noise:
                film.add(picture)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a.avi", "the video .*end in .mp4"),
        ("a", "the video .*end in .mp4"),
        ("W\udcfcrfel.mp4", "the video .*must be UTF-8"),
        ("none/a.mp4", ".*there is no folder"),
        ("/proc/a.mp4", ".*nothing may be written in /proc"),
    ],
)
def test_a_name_that_cannot_be_written_is_refused_before_any_frame(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(FirmwareError, match=f"cannot write {why}"):
        Film(tmp_path / name, 25.0)
