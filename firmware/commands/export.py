"""`fairtray match export`: the score sheet, the record, and a package of the evidence for one roll."""

import tempfile
from pathlib import Path

from firmware.entries import opened_at
from firmware.errors import FirmwareError
from firmware.evidence.history import History
from firmware.evidence.package import record_lines, roll_package
from firmware.evidence.sheet import Sheet, as_csv, as_pdf
from firmware.evidence.verify import check

EXPORT = "export"
"""Where it goes in the folder of the match, unless somebody says otherwise."""


def export_command(match: Path, out: Path | None, roll: int | None) -> int:
    """Write the files and name them; the exit status.

    Raises one of our errors where there is no match, it was altered, or the roll is none; then nothing is written.
    """
    checked = check(match)
    if checked.verdict.fault:
        raise FirmwareError(f"{match} was altered, {checked.verdict.fault}: nothing is exported")
    history = History(match)
    if history.state is None:
        raise FirmwareError(f"no match was begun in {match}")
    key = ", ".join(checked.keys)
    begun = opened_at(match).replace("T", " ").replace("+00:00", " UTC")
    rulings = tuple(ruled.ruling for ruled in history.rulings)
    verdict = checked.verdict
    sheet = Sheet(history.state, rulings, match.resolve().name, begun, verdict.code, verdict.head, key, verdict.closed)
    files = {
        "sheet.pdf": as_pdf(sheet),
        "sheet.csv": as_csv(sheet).encode(),
        "record.jsonl": "".join(record_lines(history.entries)).encode(),
    }
    if roll is not None:
        files[f"roll-{roll}.zip"] = roll_package(history, roll, checked.verdict.code, key)
    _write(out or match / EXPORT, files)
    return 0


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Write all of them or none: into another folder on the same disk, and moved there once all are whole."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = folder if folder.is_dir() else folder.parent  # it may be a disk of its own
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=beside) as made:
            for name, content in files.items():
                Path(made, name).write_bytes(content)
            folder.mkdir(exist_ok=True)
            for name in files:
                Path(made, name).replace(folder / name)
    except OSError as error:
        raise FirmwareError(f"cannot write to {folder}: {error.strerror}; nothing is exported") from error
    for name in files:
        print(folder / name)
