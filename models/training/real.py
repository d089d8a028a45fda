"""The labelled photographs: which sources may teach a model that ships, and how big a die is in each picture.

The photographs themselves are no part of Fairtray; `images.csv` and `annotations.csv` beside them describe them.
"""

import csv
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import cv2
import numpy as np

from models.training.drawn import MOST_PIPS, NO_PIP, Crops, cut
from models.training.errors import TrainingError

PIP_EXTENT = "box_is_pip_extent"


@dataclass(frozen=True)
class Source:
    """Where photographs come from. `licence` None: nobody said, so they may be measured with but not learnt from.

    `face_per_box` is the edge of the top face over the square root of the box's area: boxes are drawn more or less
    loosely round the die, and aslant dice have larger ones. It was measured by laying squares over faces.
    """

    repository: str
    licence: str | None
    attribution: str
    face_per_box: float


SOURCES = {
    "nellbyler": Source("nell-byler/dice_detection", "BSD-3-Clause", "Nell Byler", 0.67),
    "rune55v": Source("N3VERS4YDIE/dice-recognition", "CC BY 4.0", "rune-zkmvl (Roboflow, rune55 v3)", 0.69),
    "matteop65": Source("matteop65/Dice_Detection_Recognition", "MIT", "matteop65", 1.20),
    "chasecrops": Source("chaseelliottpatterson/dice-reader", "MIT", "Chase Elliott Patterson", 0.62),
    "epanemu": Source("Epanemu/GameDiceRecognition", "CC BY 4.0", "Epanemu (Roboflow, Dice v3)", 0.76),
    "damiantab": Source("DamianTab/DiceDetection", "Apache-2.0", "Damian Tabaczynski and others", 0.75),
    "fudw": Source("fudw/dice-detection-for-board-games", None, "", 0.77),
}

LEARNT = {"nellbyler": 0.13, "rune55v": 0.09, "matteop65": 0.06, "chasecrops": 0.06}
"""Sources that the networks that ship learnt from, by weight in a batch; drawn dice weigh 0.55, traced ones 0.1."""

ASLANT = ("epanemu",)
"""Sources taken at 30 to 60 degrees from the vertical, which Fairtray does not support: measured, but no bar for it."""

MISLABELLED = {("nellbyler_0002.jpg", 0): 3, ("rune55v_0077.jpg", 0): 4, ("rune55v_0082.jpg", 1): 3}
"""Values, by photograph and number of the die there, of dice that the source labels wrongly: looked at by eye."""


@dataclass(frozen=True)
class LabelledDie:
    """A die in a photograph: centre (px), edge of its top face (px), the value on top; the box's longer side (px), or
    the face's edge where the box bounds the pips alone.

    `doubtful`: nobody can tell what a reader should say of it. A value of 0 is a die that must not be read; `kind`
    then says why.
    """

    x: float
    y: float
    face_px: float
    value: int
    box_px: float
    doubtful: bool
    kind: str = ""


@dataclass(frozen=True)
class Photo:
    """A photograph with its labels. `complete`: every die in it is labelled, so anything else found is a mistake.

    `values` are those of all dice, also where no places are known; `face_px` is None there.
    """

    path: Path
    source: str
    dice: tuple[LabelledDie, ...]
    values: tuple[int, ...]
    complete: bool
    face_px: float | None


def _own_face(source: str, width: float, height: float, value: int, note: str) -> float | None:
    """Return the face's edge by one die's own box, or None where the box cannot tell."""
    if PIP_EXTENT in note and value < 4:
        return None  # one dot, or a diagonal that depends on how the die is turned
    return float(np.sqrt(width * height)) * SOURCES[source].face_per_box


def load_photos(folder: Path) -> list[Photo]:
    """Return all labelled photographs of a collection; raises TrainingError where there is no collection."""
    try:
        with (folder / "images.csv").open(newline="") as file:
            complete = {row["file"]: row["all_dice_labelled"] == "1" for row in csv.DictReader(file)}
        with (folder / "annotations.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise TrainingError(
            f"{error.filename}: no labelled photographs there; give their folder with --photos"
        ) from error
    by_file: dict[str, list[dict[str, str]]] = defaultdict(list)
    faces: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        number = len(by_file[row["file"]])
        row["value"] = str(MISLABELLED.get((row["file"], number), row["value"]))
        by_file[row["file"]].append(row)
        if row["x"] and (own := _own_of(row)) is not None:
            faces[row["source"]].append(own)
    usual = {source: median(sizes) for source, sizes in faces.items()}
    return [_photo(folder, name, by_file[name], complete[name], usual) for name in sorted(by_file)]


def _own_of(row: dict[str, str]) -> float | None:
    return _own_face(row["source"], float(row["w"]), float(row["h"]), int(row["value"]), row["note"])


def _photo(folder: Path, name: str, rows: list[dict[str, str]], complete: bool, usual: dict[str, float]) -> Photo:
    source = rows[0]["source"]
    values = tuple(sorted(int(row["value"]) for row in rows))
    boxed = [row for row in rows if row["x"]]
    if not boxed:
        return Photo(folder / "images" / name, source, (), values, complete, None)
    known = [own for row in boxed if (own := _own_of(row)) is not None]
    face_px = median(known) if known else usual[source]
    return Photo(folder / "images" / name, source, tuple(_die(r, face_px) for r in boxed), values, complete, face_px)


def _die(row: dict[str, str], face_px: float) -> LabelledDie:
    """Return a labelled die; a box that differs much from its neighbours' is an aslant die, not a larger one."""
    x, y, width, height = (float(row[k]) for k in ("x", "y", "w", "h"))
    own = _own_of(row)
    size = face_px if own is None else min(max(own, 0.87 * face_px), 1.15 * face_px)
    return LabelledDie(
        x=x + width / 2 - 0.5,
        y=y + height / 2 - 0.5,
        face_px=size,
        value=int(row["value"]),
        box_px=max(width, height, size if PIP_EXTENT in row["note"] else 0.0),
        doubtful="maybe_symbol" in row["note"],
    )


def crops_of(photos: Sequence[Photo], source: str) -> Crops:
    """Return the crops (n, 72, 72, 3) of every die of one source; nobody marked their pips.

    Raises TrainingError if the source's licence does not allow to learn from it.
    """
    if SOURCES[source].licence is None:
        raise TrainingError(f"{source}: no licence is stated, so no model may be trained on it")
    return unmarked_crops([photo for photo in photos if photo.source == source and photo.dice])


def unmarked_crops(photos: Sequence[Photo]) -> Crops:
    """Return the crops (n, 72, 72, 3) of every die of some photographs, without their pips."""
    pictures, values = [], []
    for photo in photos:
        picture = read_picture(photo.path)
        for die in photo.dice:
            pictures.append(cut(picture, np.array([die.x, die.y]), die.face_px)[0])
            values.append(die.value)
    pips = np.full((len(values), MOST_PIPS, 2), NO_PIP, np.float32)
    return Crops(np.array(pictures), np.array(values, np.int64), pips, np.zeros(len(values), np.float32))


def read_picture(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return a photograph uint8 (h, w, 3) BGR; raises TrainingError if it cannot be read."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise TrainingError(f"{path}: cannot read this picture")
    return np.asarray(picture, np.uint8)
