"""What cannot be written is known beforehand, and nothing is left by looking."""

from pathlib import Path

import pytest

from firmware.errors import FirmwareError
from firmware.writable import check_file, check_folder


def test_what_can_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    there = tmp_path / "there.toml"
    there.write_text("kept")
    check_file(there)
    check_file(tmp_path / "new.toml")
    check_folder(tmp_path)
    check_folder(tmp_path / "new" / "newer")
    check_folder(Path("new"))
    assert list(tmp_path.iterdir()) == [there]
    assert there.read_text() == "kept"


def test_files_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none" / "a", "no folder"), (tmp_path, "a folder"), (Path("/proc/a"), "nothing may")):
        with pytest.raises(FirmwareError, match=f"cannot write {path}: .*{why}"):
            check_file(path)


def test_folders_that_take_no_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "a", Path("/proc"), Path("/proc/a/b")):
        with pytest.raises(FirmwareError, match=f"cannot write .*{folder}: "):
            check_folder(folder)
