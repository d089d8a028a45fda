"""Frames from files, folders and cameras, and one clear line where there are none."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.sim.video import write_video as write_stamped
from vision.errors import SourceError
from vision.source import open_source


def write_video(path: Path, frames: int = 12, fps: float = 25.0, size: tuple[int, int] = (64, 48)) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
    for index in range(frames):
        writer.write(np.full((size[1], size[0], 3), 20 * index % 255, np.uint8))
    writer.release()
    return path


def write_pictures(folder: Path, names: list[str], size: tuple[int, int] = (64, 48)) -> Path:
    for value, name in enumerate(names):
        cv2.imwrite(str(folder / name), np.full((size[1], size[0], 3), 40 * value, np.uint8))
    return folder


def test_video_gives_every_frame_at_its_time(tmp_path: Path) -> None:
    with open_source(str(write_video(tmp_path / "a.mp4"))) as source:
        assert (source.size, source.fps, source.frame_count) == ((64, 48), 25.0, 12)
        frames = list(source)
    assert [frame.index for frame in frames] == list(range(12))
    assert [frame.t for frame in frames] == pytest.approx([n / 25 for n in range(12)], abs=1e-3)
    assert frames[0].image.shape == (48, 64, 3)


def test_folder_goes_by_sorted_names_and_passes_other_files_over(tmp_path: Path) -> None:
    write_pictures(tmp_path, ["b.png", "a.png", "c.jpg"])
    (tmp_path / "notes.txt").write_text("no picture")
    with open_source(str(tmp_path)) as source:
        frames = list(source)
    assert [int(frame.image.mean()) for frame in frames] == [40, 0, 80]
    assert [frame.t for frame in frames] == pytest.approx([0, 1 / 30, 2 / 30])


def test_pictures_of_another_size_or_that_cannot_be_read_are_not_sound(tmp_path: Path) -> None:
    write_pictures(tmp_path, ["a.png", "c.png", "e.png", "h.png"])
    write_pictures(tmp_path, ["b.png"], size=(80, 48))
    (tmp_path / "d.png").write_bytes((tmp_path / "c.png").read_bytes()[:60])
    (tmp_path / "f.png").write_bytes(b"")
    (tmp_path / "g.png").write_bytes(huge_picture())
    frames = list(open_source(str(tmp_path)))
    assert [frame.sound for frame in frames] == [True, False, True, False, True, False, False, True]
    assert [frame.index for frame in frames] == list(range(8))
    assert {frame.image.shape for frame in frames} == {(48, 64, 3)}
    assert not any(frame.image.any() for frame in frames if not frame.sound)


def huge_picture() -> bytes:
    """The head of a PNG that claims more pixels than OpenCV takes."""
    head = b"IHDR" + struct.pack(">IIBBBBB", 2**20, 2**20, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))


def test_frames_of_a_video_that_cannot_be_decoded_leave_the_others_as_they_are(tmp_path: Path) -> None:
    path, stamps = tmp_path / "a.mp4", [n / 25 for n in range(60)]
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 255, (60, 48, 64, 3), np.uint8)
    write_stamped(path, iter(noise), stamps, 25, lambda: None)
    data = bytearray(path.read_bytes())
    first = data.index(b"mdat") + 4
    middle = first + (data.index(b"moov", first) - first) // 2
    data[middle : middle + 8000] = bytes(8000)
    path.write_bytes(data)
    frames = list(open_source(str(path)))
    spoiled = [frame.index for frame in frames if not frame.sound]
    assert 1 <= len(spoiled) <= 10
    assert 20 < spoiled[0] <= spoiled[-1] < 45
    assert [frame.index for frame in frames] == list(range(len(frames)))
    assert [frame.t for frame in frames[:20]] == pytest.approx(stamps[:20], abs=1e-3)
    assert [frame.t for frame in frames[-15:]] == pytest.approx(stamps[-15:], abs=1e-3)


def test_cut_off_video_ends_where_it_can_no_longer_be_decoded(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "a.mp4", frames=50)
    data = whole.read_bytes()
    where = data.index(b"moov")
    assert where > len(data) // 4  # the index lies behind the frames, so these can be damaged alone
    damaged = bytearray(data)
    damaged[where // 2 : where - 8] = bytes(where - 8 - where // 2)
    whole.write_bytes(bytes(damaged))
    frames = list(open_source(str(whole)))
    assert 0 < len(frames) <= 50


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("gone.mp4", None, "no such file or folder"),
        ("text.mp4", b"hello, this is no video", "not a video that can be played"),
        ("empty.mp4", b"", "it is empty"),
        ("W\udcfcrfel.mp4", b"in Latin 1", "must be UTF-8: rename it"),
        ("photo.jpg", b"\xff\xd8\xff", "a picture, not a video: give a video, or a folder of pictures"),
    ],
)
def test_what_is_no_video_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, content: bytes | None, message: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=message) as caught:
        open_source(str(tmp_path / name))
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_no_source_at_all_is_not_the_folder_that_one_is_in() -> None:
    with pytest.raises(SourceError, match="no source is named"):
        open_source("")


def test_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no picture in this folder"):
        open_source(str(tmp_path))


def test_tiny_pictures_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="1x1 px are too small"):
        open_source(str(write_pictures(tmp_path, ["a.png"], size=(1, 1))))


def test_pictures_of_a_usb_camera_that_waited_are_timed_as_they_were_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(write_video(tmp_path / "a.mp4"))
    capture, reads = cv2.VideoCapture, iter([0.25, 0.29, 0.8, 0.801, 0.802, 0.81, 0.82, 0.83])
    monkeypatch.setattr(cv2, "VideoCapture", lambda _number, _driver: capture(path, cv2.CAP_FFMPEG))
    with open_source("usb:0", clock=lambda: next(reads)) as source:
        assert [frame.t for frame in source] == pytest.approx([n / 25 for n in range(7)], abs=1e-3)


@pytest.mark.parametrize("spec", ["usb:99", "usb:front", "usb:", "usb:12345678901"])
def test_camera_that_is_not_there_is_refused_quietly(spec: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SourceError):
        open_source(spec)
    assert capfd.readouterr().err == ""


def test_closing_twice_is_harmless(tmp_path: Path) -> None:
    source = open_source(str(write_video(tmp_path / "a.mp4")))
    source.close()
    source.close()


def test_dropped_frames_leave_a_gap_and_a_clock_set_back_none(tmp_path: Path) -> None:
    path, stamps = tmp_path / "a.mp4", [5 + n / 25 for n in (*range(20), *range(40, 60))]
    stamps += [stamps[-1] - 2 + n / 25 for n in range(1, 21)]
    frames = (np.full((48, 64, 3), 30 + 3 * n, np.uint8) for n in range(60))
    write_stamped(path, frames, stamps, 25, lambda: None)
    with open_source(str(path)) as source:
        assert source.fps == pytest.approx(25)
        seen = list(source)
    assert [frame.t for frame in seen] == pytest.approx([n / 25 for n in (*range(20), *range(40, 80))], abs=1e-3)
    grey = [float(frame.image.mean()) for frame in seen]
    assert [value - grey[0] for value in grey] == pytest.approx([3 * n for n in range(60)], abs=2)
