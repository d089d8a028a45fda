"""A piece of evidence: frames of the tray in one file beside the ledger, which holds the file's hash.

The file is a plain zip of JPEG pictures with `frames.json`, which tells of each its frame, time, name and the dice as
they were seen, and where in the camera's picture the crop was taken. What the ledger says of it is an entry of kind
`note`:

- `EvidenceKept`: the file, its hash and size, and the numbers (`entry`) of the rulings that it proves;
- `EvidencePruned`: the file was deleted to keep within the disk's budget;
- `EvidenceLost`: frames or a whole piece that could not be kept, and why.
"""

import hashlib
import io
import json
import os
import re
import stat
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Literal

from firmware.endcode import NOTE, PRUNED
from firmware.errors import EvidenceError

What = Literal["frames", "clip"]
"""The decisive frames of a roll, or all of the last seconds."""
Crop = tuple[int, int, int, int]
"""Left, top, width and height of the crop in the camera's picture, px."""

FOLDER = "evidence"
"""Where in the folder of a match the files are."""
INDEX = "frames.json"
KEPT, LOST = "EvidenceKept", "EvidenceLost"
_FILE = re.compile(rf"{FOLDER}/\d{{6,}}-(frames|clip)\.zip")
_OLD = (1980, 1, 1, 0, 0, 0)
"""The zip's own times say nothing, so that the same frames make the same file."""


@dataclass(frozen=True, slots=True)
class Die:
    """A die as it was seen: centre and face edge in px of the camera's picture, angle in degrees, and its reading."""

    x: float
    y: float
    size: float
    angle: float
    value: int | None
    state: str | None


@dataclass(frozen=True, slots=True)
class Picture:
    """One frame of the tray as JPEG, its number and its time (s) in the match, and the dice as they were seen in it."""

    frame: int
    t: float
    jpeg: bytes = field(repr=False)
    dice: tuple[Die, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """What the ledger says of a piece: its entry there, the rulings it proves, its file under the match folder.

    `start` and `end` are the times (s) of its first and last frame.
    """

    seq: int
    folder: Path
    entries: tuple[int, ...]
    what: What
    file: str
    sha256: str
    size: int
    frames: int
    start: float
    end: float
    pruned: bool = False

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self.folder / self.file

    def read(self) -> "Frames":
        """Its frames.

        Raises:
            EvidenceError: it was pruned, is missing, or is not what was kept.
        """
        if self.pruned:
            raise EvidenceError(f"{self.file} was deleted to make room: its hash is still in the ledger")
        try:
            content = self.path.read_bytes() if self._may_be_it() else None
        except OSError as error:
            raise EvidenceError(f"{self.file}: it is missing ({error.strerror})") from error
        if content is None or hashlib.sha256(content).hexdigest() != self.sha256:
            raise EvidenceError(f"{self.file}: it is not what was kept")
        return unpacked(content)

    def fault(self) -> str | None:
        """What is wrong with the file, or None; one that was pruned may be gone."""
        try:
            if not self._may_be_it():
                return "it is not what was kept"
            with self.path.open("rb") as file:
                is_kept = hashlib.file_digest(file, "sha256").hexdigest() == self.sha256
        except OSError as error:
            return None if self.pruned else f"it is missing ({error.strerror})"
        return None if is_kept else "it is not what was kept"

    def _may_be_it(self) -> bool:
        """Whether it is a file of that size: a pipe or a device in its place is never read to an end."""
        found = self.path.stat()
        return stat.S_ISREG(found.st_mode) and found.st_size == self.size


@dataclass(frozen=True, slots=True)
class Frames:
    """What is in the file: its pictures in order, where they were cut out, and the size of the camera's picture, px.

    `floor`: the outline of the tray's floor and `die_px` the edge of a die, both in px of the camera's picture.
    """

    pictures: tuple[Picture, ...]
    crop: Crop
    size: tuple[int, int]
    floor: tuple[tuple[float, float], ...]
    die_px: float


def pack(frames: Frames, file: BinaryIO) -> None:
    """Write the file's content."""
    told = {
        "crop": frames.crop,
        "size": frames.size,
        "floor": frames.floor,
        "die_px": frames.die_px,
        "frames": [
            {"frame": p.frame, "t": p.t, "file": _name(p), "dice": [astuple(die) for die in p.dice]}
            for p in frames.pictures
        ],
    }
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo(INDEX, _OLD), json.dumps(told, separators=(",", ":")))
        for picture in frames.pictures:
            archive.writestr(zipfile.ZipInfo(_name(picture), _OLD), picture.jpeg)


def unpacked(content: bytes) -> Frames:
    """What is in a file of this content. Raises `EvidenceError` where it is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            told = json.loads(archive.read(INDEX))
            pictures = tuple(
                Picture(one["frame"], one["t"], archive.read(one["file"]), tuple(Die(*die) for die in one["dice"]))
                for one in told["frames"]
            )
            floor = tuple((float(x), float(y)) for x, y in told["floor"])
            left, top, width, height = map(int, told["crop"])
            across, down = map(int, told["size"])
            return Frames(pictures, (left, top, width, height), (across, down), floor, float(told["die_px"]))
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError) as error:
        raise EvidenceError(f"these are no frames of a match: {error}") from error


def pieces(folder: Path, bodies: Iterable[tuple[int, Mapping[str, Any]]]) -> list[Piece]:
    """All pieces that the ledger's entries, each with its number, tell of.

    Raises:
        EvidenceError: an entry names a file that is none of ours.
    """
    told = [(seq, body) for seq, body in bodies if body["kind"] == NOTE]
    pruned = {body.get("file") for _, body in told if body["name"] == PRUNED}
    return [_piece(folder, seq, body, body.get("file") in pruned) for seq, body in told if body["name"] == KEPT]


def kept(entries: Sequence[int], what: What, folder: Path, file: str, frames: Frames) -> dict[str, Any]:
    """The ledger's entry of a piece whose file, under the folder of the match, is on the disk. Raises `OSError`."""
    with (folder / file).open("rb") as stored:
        sha256, size = hashlib.file_digest(stored, "sha256").hexdigest(), os.fstat(stored.fileno()).st_size
    return {
        "kind": "note",
        "name": KEPT,
        "entries": list(entries),
        "what": what,
        "file": file,
        "sha256": sha256,
        "bytes": size,
        "frames": len(frames.pictures),
        "from": frames.pictures[0].t,
        "to": frames.pictures[-1].t,
    }


def _piece(folder: Path, seq: int, body: Mapping[str, Any], pruned: bool) -> Piece:
    try:
        if not _FILE.fullmatch(body["file"]):
            raise EvidenceError(f"entry {seq}: {body['file']!r} is no file of evidence")
        told = (body["what"], body["file"], body["sha256"], body["bytes"], body["frames"], body["from"], body["to"])
        return Piece(seq, folder, tuple(map(int, body["entries"])), *told, pruned)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, EvidenceError):
            raise
        raise EvidenceError(f"entry {seq}: what it says of evidence cannot be read: {error}") from error


def _name(picture: Picture) -> str:
    return f"{picture.frame:07}.jpg"
