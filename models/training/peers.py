"""Measures other readers beside ours, on the same photographs and by the same counting.

The readers stand in a folder of their own and are run from there; none of their code is part of Fairtray.
"""

import importlib
import importlib.util
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import cv2

from models.training.errors import TrainingError
from models.training.evaluate import Tally, count, judge
from models.training.figures import in_columns
from models.training.parallel import spread
from models.training.prototype import left_out_table, share
from models.training.real import LEARNT, SOURCES, Photo, load_photos, read_picture
from models.training.view import Picture
from vision.network import CARD, load_networks
from vision.read import Reading
from vision.stills import PhotoDie, read_photo

Name = Literal["ours", "prototype", "blobs"]
Found = Sequence[PhotoDie]
_Read = Callable[[Picture, float | None], Found]

KINDS: dict[str, tuple[Name, ...]] = {
    "The die size known, as a calibration knows it": ("ours", "prototype", "blobs"),
    "Nothing known about the photographs": ("ours", "blobs"),
}
"""What the readers are told, and who can be asked so: the prototype must know the die size, the blobs cannot use it."""

_MODULES: dict[Name, str] = {"prototype": "lab_reader", "blobs": "blob_baseline"}
_PROTOTYPE_FACE_PER_BOX = {"matteop65": 0.65 / 0.47, "chasecrops": 0.75}
"""Where the prototype's own script takes a face to be of another size than we do; elsewhere they are the same."""


@dataclass(frozen=True)
class _Task:
    """The photographs of one source, the reader to put them before, and whether it is told the die size."""

    name: Name
    source: str
    sized: bool
    photos: tuple[Photo, ...]
    peers: Path
    models: Path


def evaluate_peers(models: Path, peers: Path, photos: Path, say: Callable[[str], None]) -> None:
    """Say a table for each of KINDS, and the one of figures on sources left out.

    Raises TrainingError or ModelError where there are no such readers, photographs or networks.
    """
    load_networks(models)
    here = _present(peers, say)
    collection = load_photos(photos)
    for number, (title, names) in enumerate(KINDS.items()):
        tasks = [t for n in names if n in here for t in _tasks(n, number == 0, collection, peers, models)]
        tallies = dict(zip(((t.source, t.name) for t in tasks), spread(_measured, tasks), strict=True))
        say(f"{title} (* = ours learnt from it, + = the prototype did; 95 % bounds):\n{_table(tallies)}\n")
    say(left_out_table(json.loads((models / CARD).read_text(encoding="utf-8"))["figures"]))


def _present(peers: Path, say: Callable[[str], None]) -> set[Name]:
    """Return the readers that can be run; raises TrainingError where the folder has not got them."""
    for module in _MODULES.values():
        if not (peers / f"{module}.py").is_file():
            raise TrainingError(f"{peers}: no {module}.py there; give the folder of the other readers with --peers")
    if importlib.util.find_spec("sklearn") is None:
        say("blobs left out: they need scikit-learn (pip install 'fairtray[peers]')\n")
        return {"ours", "prototype"}
    return {"ours", "prototype", "blobs"}


def _tasks(name: Name, sized: bool, photos: Sequence[Photo], peers: Path, models: Path) -> list[_Task]:
    """Return a task for every source that the reader can be put before."""
    usable = [p for p in photos if name != "prototype" or p.face_px is not None]
    by_source = {s: tuple(p for p in usable if p.source == s) for s in sorted({p.source for p in usable})}
    return [_Task(name, source, sized, some, peers, models) for source, some in by_source.items()]


def _measured(task: _Task) -> Tally:
    cv2.setNumThreads(1)
    read, total = _reader(task), Tally()
    for photo in task.photos:
        picture = read_picture(photo.path)
        total += count(judge(photo, picture, read(picture, photo.face_px if task.sized else None)))
    return total


def _reader(task: _Task) -> _Read:
    if task.name == "ours":
        networks = load_networks(task.models)
        return lambda picture, face_px: read_photo(networks, picture, face_px).dice
    module = _import(task.peers, _MODULES[task.name])
    if task.name == "blobs":
        blobs = module.make()
        return lambda picture, face_px: [_die(x, y, value, 1.0) for x, y, value in blobs(picture)]
    prototype = module.LabReader()
    usual = SOURCES[task.source].face_per_box
    scale = _PROTOTYPE_FACE_PER_BOX.get(task.source, usual) / usual

    def read(picture: Picture, face_px: float | None) -> Found:
        assert face_px is not None
        return [_die(x, y, value, face_px) for x, y, value in prototype(picture, face_px * scale)]

    return read


def _import(folder: Path, module: str) -> Any:
    """Return a module of a folder, which may import its neighbours there."""
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(module)
    finally:
        sys.path.remove(str(folder))


def _die(x: float, y: float, value: int | None, face_px: float) -> PhotoDie:
    """Return what another reader found in the form of ours; what it does not say is left at nought."""
    box = (float(x) - face_px / 2, float(y) - face_px / 2, face_px, face_px)
    return PhotoDie(Reading(value, 0.0, value or 0, "flat", 0.0, box, 0.0, 0.0), 0.0)


def _table(tallies: Mapping[tuple[str, Name], Tally]) -> str:
    header = ["source", "reader", "dice", "right", "wrong", "unsure", "missed", "extra", "sure of the dice, %"]
    rows = [[*header, "wrong of the sure, %"]]
    for (source, name), t in sorted(tallies.items(), key=lambda item: item[0][0]):
        star = ("*" if source in LEARNT else "") + ("+" if source != "fudw" else "")
        counts = (t.dice, t.right, t.wrong, t.unsure, t.missed, t.extra)
        sure = t.right + t.wrong
        rows.append([source + star, name, *map(str, counts), share(sure, t.dice), share(t.wrong, sure)])
    return in_columns(rows)
