"""What cannot be written is known beforehand, and nothing is left by looking."""

import os
from pathlib import Path

import pytest

from firmware.errors import FirmwareError
from firmware.writable import check_ending, check_file, check_folder


def test_what_can_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    there = tmp_path / "there.toml"
    there.write_text("kept")
    assert check_file(there) == there
    assert check_file(tmp_path / "new.toml") == tmp_path / "new.toml"
    check_folder(tmp_path)
    check_folder(tmp_path / "new" / "newer")
    check_folder(Path("new"))
    assert list(tmp_path.iterdir()) == [there]
    assert there.read_text() == "kept"


def test_files_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none" / "a", "no folder"), (tmp_path, "a folder"), (Path("/proc/a"), "nothing may")):
        with pytest.raises(FirmwareError, match=f"cannot write {path}: .*{why}"):
            check_file(path)


def test_links_are_followed_and_what_is_no_file_is_named(tmp_path: Path) -> None:
    link, circle, lost, pipe = (tmp_path / name for name in ("link", "circle", "lost", "pipe"))
    link.symlink_to("file")
    circle.symlink_to("circle")
    lost.symlink_to("no/file")
    os.mkfifo(pipe)
    assert check_file(link) == tmp_path / "file"
    for path, why in ((circle, "nowhere"), (lost, "nowhere"), (pipe, "a pipe"), (Path("/dev/null"), "pipe")):
        with pytest.raises(FirmwareError, match=f"cannot write {path}: .*{why}"):
            check_file(path)


def test_a_name_of_another_kind_is_refused() -> None:
    check_ending(Path("page.HTM"), ".html", ".htm")
    with pytest.raises(FirmwareError, match=r"cannot write old\.toml: its name must end in \.html or \.htm"):
        check_ending(Path("old.toml"), ".html", ".htm")


def test_folders_that_take_no_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "a", Path("/proc"), Path("/proc/a/b")):
        with pytest.raises(FirmwareError, match=f"cannot write .*{folder}: "):
            check_folder(folder)
