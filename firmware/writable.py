"""Whether something can be written where it is wanted: to be known before any work is done for it."""

import tempfile
from pathlib import Path

from firmware.errors import FirmwareError


def check_file(path: Path) -> None:
    """Raise FirmwareError where no file of that name can be written; nothing is changed there."""
    if not path.parent.is_dir():
        raise FirmwareError(f"cannot write {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise FirmwareError(f"cannot write {path}: it is a folder; name a file in it")
    _try(path.parent, path)


def check_folder(folder: Path) -> None:
    """Raise FirmwareError where no files can be written into that folder, made if need be; nothing is changed there."""
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not there.is_dir():
        raise FirmwareError(f"cannot write in {folder}: {there} is no folder")
    _try(there, folder)


def _try(there: Path, wanted: Path) -> None:
    """Write a file without a name, which vanishes: rights alone do not tell what a folder takes."""
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        raise FirmwareError(f"cannot write {wanted}: nothing may be written in {there} ({error.strerror})") from error
