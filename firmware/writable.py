"""Whether something can be written where it is wanted: to be known before any work is done for it."""

import os
import tempfile
from pathlib import Path

from firmware.errors import FirmwareError


def check_file(path: Path) -> Path:
    """Where a file of that name is to be written: where links lead. Raises FirmwareError where that cannot be, or
    where something is that is no file; nothing is changed there."""
    if not path.parent.is_dir():
        raise FirmwareError(f"cannot write {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise FirmwareError(f"cannot write {path}: it is a folder; name a file in it")
    if path.exists() and not path.is_file():
        raise FirmwareError(f"cannot write {path}: it is a device or a pipe; name a file")
    place = Path(os.path.realpath(path))
    if place.is_symlink() or not place.parent.is_dir():
        raise FirmwareError(f"cannot write {path}: it is a link that leads nowhere; remove it, or name another file")
    _try(place.parent, path)
    return place


def check_ending(path: Path, *endings: str) -> None:
    """Raise FirmwareError for a name that says it is a file of another kind, which would be lost."""
    if path.suffix.lower() not in endings:
        raise FirmwareError(f"cannot write {path}: its name must end in {' or '.join(endings)}")


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
