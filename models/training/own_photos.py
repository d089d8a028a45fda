"""Reads somebody's own photographs and their values, and tells which die shows which, or asks.

The folder holds the photographs and `values.csv` (file, values): the values on top in each, in any order. No boxes are
needed: the networks that ship find the dice. Where they cannot tell which die shows which of the values, `dice.csv`
(file, x, y, face_px, value) says it, and a form of it with the places filled in is written.
"""

import csv
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from models.training.drawn import cut
from models.training.errors import TrainingError
from models.training.real import LabelledDie, Photo, read_picture
from models.training.sheets import write_sheet
from vision.network import Networks
from vision.stills import PhotoDie, read_photo

VALUES, DICE, FORM, SHEETS = "values.csv", "dice.csv", "dice-to-fill-in.csv", "to-fill-in"
_COLUMNS = ("file", "x", "y", "face_px", "value")
_LEAST = 8


@dataclass(frozen=True)
class Unclear:
    """A photograph whose values could not be given to its dice, and why; the dice that were found."""

    photo: Photo
    reason: str
    found: tuple[PhotoDie, ...]


def load_own(folder: Path) -> list[Photo]:
    """Return the photographs of a folder with their values, and their dice where `dice.csv` has them.

    Raises TrainingError where there is no `values.csv`, it makes no sense, or there are fewer than 8 photographs.
    """
    path = folder / VALUES
    placed = _placed(folder / DICE)
    photos: list[Photo] = []
    for line, row in enumerate(_rows(path, ("file", "values")), 2):
        digits = row["values"].replace(" ", "").replace(",", "")
        if not digits or not set(digits) <= set("123456"):
            raise TrainingError(f"{path}, line {line}: '{row['values']}' are no values of dice: write 1 3 3 5 6")
        values = tuple(sorted(int(d) for d in digits))
        dice = placed.get(row["file"], ())
        if dice and tuple(sorted(d.value for d in dice)) != values:
            raise TrainingError(f"{folder / DICE}: the dice of {row['file']} show other values than {VALUES} says")
        if not (folder / row["file"]).is_file():
            raise TrainingError(f"{path}, line {line}: there is no {row['file']} beside it")
        face_px = float(np.median([d.face_px for d in dice])) if dice else None
        if any(photo.path.name == row["file"] for photo in photos):
            raise TrainingError(f"{path}, line {line}: {row['file']} is there twice: each photograph has one line")
        photos.append(Photo(folder / row["file"], "own", dice, values, True, face_px))
    if len(photos) < _LEAST:
        raise TrainingError(f"{path}: {len(photos)} photographs are too few; take 20, and at least {_LEAST}")
    return sorted(photos, key=lambda photo: photo.path.name)


def _rows(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            separator = ";" if ";" in file.readline() else ","  # as spreadsheets write it where 1,5 is a number
            file.seek(0)
            reader = csv.DictReader(file, delimiter=separator)
            if not set(columns) <= set(reader.fieldnames or ()):
                raise TrainingError(f"{path}: its first line must name the columns {', '.join(columns)}")
            return [{name: row[name] or "" for name in columns} for row in reader]
    except OSError as error:
        raise TrainingError(f"{path}: cannot read it ({error.strerror}); it names each file and its values") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise TrainingError(f"{path}: not a table that can be read: save it as CSV in UTF-8") from error


def _placed(path: Path) -> dict[str, tuple[LabelledDie, ...]]:
    placed: dict[str, tuple[LabelledDie, ...]] = {}
    for line, row in enumerate(_rows(path, _COLUMNS) if path.exists() else [], 2):
        if not row["value"].strip():
            continue  # somebody looked: there is no die
        try:
            x, y, face_px, value = (float(row[name]) for name in _COLUMNS[1:])
        except ValueError as error:
            raise TrainingError(f"{path}, line {line}: x, y, face_px and value must be numbers") from error
        if value not in range(1, 7) or not face_px > 0:
            raise TrainingError(f"{path}, line {line}: no die of {row['face_px']} px can show {row['value']}")
        die = LabelledDie(x, y, face_px, int(value), face_px, False)
        placed[row["file"]] = (*placed.get(row["file"], ()), die)
    return placed


def place(networks: Networks, photo: Photo, die_px: float | None) -> Photo | Unclear:
    """Give the values of a photograph to the dice found in it, where only one way is likely.

    There must be as many dice as values. Sure dice keep their values; the likeliest values of the others must together
    be exactly the values that are left.
    """
    if photo.dice:
        return photo
    found = read_photo(networks, read_picture(photo.path), die_px).dice
    if len(found) != len(photo.values):
        return Unclear(photo, f"dice found: {len(found)}, values given: {len(photo.values)}", found)
    left = Counter(photo.values)
    left.subtract(d.reading.value for d in found if d.reading.value is not None)
    if min(left.values()) < 0:
        return Unclear(photo, "a die is read as sure that is not among the values: is the line right?", found)
    if Counter(d.reading.likely for d in found if d.reading.value is None) != +left:
        return Unclear(photo, "it is not clear which die shows which value", found)
    dice = tuple(_labelled(d) for d in found)
    return replace(photo, dice=dice, face_px=float(np.median([d.face_px for d in dice])))


def _labelled(die: PhotoDie) -> LabelledDie:
    x, y = die.reading.centre
    return LabelledDie(x, y, die.reading.face_px, die.reading.likely, die.reading.face_px, False)


def write_form(unclear: Sequence[Unclear], folder: Path) -> None:
    """Write what somebody has to fill in: a table of the dice found, and sheets that show them."""
    shutil.rmtree(folder / SHEETS, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / FORM).open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow([*_COLUMNS, "number on the sheet", "looks like"])
        for each in unclear:
            picture, tiles = read_picture(each.photo.path), []
            for number, seen in enumerate((die.reading for die in each.found), 1):
                places = (f"{v:.1f}" for v in (*seen.centre, seen.face_px))
                table.writerow([each.photo.path.name, *places, seen.value or "", number, seen.likely])
                crop = cut(picture, np.array(seen.centre), seen.face_px)[0]
                tiles.append((crop, (f"number {number}", f"looks like {seen.likely}", "value: ____")))
            write_sheet(folder / SHEETS / f"{each.photo.path.stem}.png", tiles)
