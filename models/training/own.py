"""Teaches the shipped reader somebody's own dice from about 20 photographs, and measures whether that helped.

The folder holds the photographs and `values.csv` (file, values): the values on top in each, in any order. No boxes are
needed: the networks that ship find the dice. Where they cannot tell which die shows which of the values, `dice.csv`
(file, x, y, face_px, value) says it, and a form of it with the places filled in is written.
"""

import csv
import json
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from models.training.augment import augment
from models.training.card import write_card
from models.training.drawn import MOST_PIPS, NO_PIP, Crops, cut, draw, load_crops
from models.training.errors import TrainingError
from models.training.evaluate import Tally, count, whole_photo
from models.training.export import export
from models.training.exported import load_exported
from models.training.marking import mark_pips
from models.training.networks import Locator, Reader, normalise
from models.training.reader import Share, mixed_plan, train_reader
from models.training.real import LabelledDie, Photo, read_picture
from models.training.sheets import write_sheet
from vision.network import CARD, LOCATOR, READER, Networks, Thresholds, load_networks
from vision.stills import PhotoDie, read_photo

SOURCE = "own"
VALUES, DICE, FORM, SHEETS = "values.csv", "dice.csv", "dice-to-fill-in.csv", "to-fill-in"
_COLUMNS = ("file", "x", "y", "face_px", "value")
_HELD_BACK = 4  # every fourth photograph
_LEAST = 8
Say = Callable[[str], None]


_SCENES = 1500  # drawn, where there are none yet, so that other dice are not forgotten
_RATE = 5e-4
_SHARE = 0.3  # of own dice in a batch


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
    photos = []
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
        photos.append(Photo(folder / row["file"], SOURCE, dice, values, True, face_px))
    if len(photos) < _LEAST:
        raise TrainingError(f"{path}: {len(photos)} photographs are too few; take 20, and at least {_LEAST}")
    return sorted(photos, key=lambda photo: photo.path.name)


def _rows(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            if not set(columns) <= set(reader.fieldnames or ()):
                raise TrainingError(f"{path}: its first line must name the columns {', '.join(columns)}")
            return [{name: row[name] or "" for name in columns} for row in reader]
    except OSError as error:
        raise TrainingError(f"{path}: cannot read it ({error.strerror}); it names each file and its values") from error


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


def crops_of(photos: Sequence[Photo]) -> Crops:
    """Return the crops (n, 72, 72, 3) of all dice; their pips are not marked."""
    pictures, values = [], []
    for photo in photos:
        picture = read_picture(photo.path)
        for die in photo.dice:
            pictures.append(cut(picture, np.array([die.x, die.y]), die.face_px)[0])
            values.append(die.value)
    pips = np.full((len(values), MOST_PIPS, 2), NO_PIP, np.float32)
    return Crops(np.array(pictures), np.array(values, np.int64), pips, np.zeros(len(values), np.float32))


def teach(photos: Path, models: Path, work: Path, out: Path, die_px: float | None, steps: int, say: Say) -> int:
    """Teach the reader of `models` the dice of a folder of photographs and write networks with a card to `out`.

    Every fourth photograph is held back, to measure before and after. Returns 1, and writes no networks, where the
    taught ones are wrong while sure on any of those. Raises TrainingError or ModelError for what cannot be used.
    """
    networks, given = load_networks(models), load_own(photos)
    cv2.setNumThreads(1)
    held = given[_HELD_BACK - 1 :: _HELD_BACK]
    placed = [place(networks, photo, die_px) for photo in given if photo not in held]
    unclear = [p for p in placed if isinstance(p, Unclear)]
    clear = [p for p in placed if isinstance(p, Photo)]
    _say_unclear(unclear, photos, out, say)
    if not clear:
        raise TrainingError(f"{photos}: in no photograph is it clear which die shows which value; fill in {out / FORM}")
    say(f"learning from {sum(len(p.dice) for p in clear)} dice in {len(clear)} photographs, {len(held)} are held back")
    tried = out / "tried"
    shutil.rmtree(tried, ignore_errors=True)
    _train(models, clear, work, tried, steps)
    _write_card(models, tried, clear, {})
    before, after = (_measured(load_networks(folder), held, die_px) for folder in (models, tried))
    for name, tally in (("before", before), ("after", after)):
        say(f"held back, {name}: {_in_words(tally)}")
    if after.wrong or after.extra:
        say(f"the taught reader is wrong while sure on photographs held back: do not play with {tried}")
        return 1
    _write_card(models, tried, clear, {"before": before.as_dict(), "after": after.as_dict()})
    for name in (LOCATOR, READER, CARD):
        (tried / name).replace(out / name)
    shutil.rmtree(tried)
    say(f"play with it: fairtray run --models {out}")
    return 0


def _say_unclear(unclear: Sequence[Unclear], photos: Path, out: Path, say: Say) -> None:
    for each in unclear:
        say(f"not learnt from: {each.photo.path.name}: {each.reason}")
    if unclear:
        write_form(unclear, out)
        say(f"to learn from them too, fill in the values in {out / FORM} (none where there is no die, a row more")
        say(f"for a die that is missing; {out / SHEETS} shows them), keep it as {photos / DICE} and begin again")


def _train(models: Path, photos: Sequence[Photo], work: Path, out: Path, steps: int) -> None:
    """Train the shipped reader on drawn dice and these photographs, and export it beside the shipped locator."""
    if not any((work / "drawn").glob("drawn_*_specks.npz")):  # they are drawn last
        draw(work / "drawn", _SCENES)
    drawn, own = load_crops(work / "drawn"), crops_of(photos)
    out.mkdir(parents=True, exist_ok=True)
    reader, locator = Reader(), Locator()
    load_exported(reader, models / READER, _seen(drawn))
    load_exported(locator, models / LOCATOR, normalise(torch.rand(2, 1, 184, 320))[:1])
    for network, name in ((reader, "start"), (locator, "locator")):
        torch.save(network.state_dict(), out / f"{name}.pt")
    shares = [Share(drawn, 1 - _SHARE), Share(mark_pips(reader, own), _SHARE)]
    train_reader(shares, replace(mixed_plan(steps), rate=_RATE), out / "reader.pt", start=out / "start.pt")
    export(out / "locator.pt", out / "reader.pt", out)
    shutil.copyfile(models / LOCATOR, out / LOCATOR)


def _seen(crops: Crops) -> torch.Tensor:
    """Return a batch (n, 1, 56, 56) of what the reader is given in training."""
    rng = np.random.default_rng(0)
    chosen = rng.integers(0, len(crops.values), 256)
    return augment(rng, crops.pictures[chosen], crops.values[chosen], crops.pips[chosen])[0].contiguous()


def _measured(networks: Networks, photos: Sequence[Photo], die_px: float | None) -> Tally:
    """Count by the values alone, whether or not the places are known."""
    asked = [replace(photo, dice=(), face_px=die_px) for photo in photos]
    return sum((count(whole_photo(networks, photo, read_picture(photo.path))) for photo in asked), Tally())


def _in_words(tally: Tally) -> str:
    return (
        f"{tally.right} of {tally.dice} dice right, {tally.wrong} wrong while sure, {tally.unsure} unsure, "
        f"{tally.missed} missed, {tally.extra} sure where no die is"
    )


def _write_card(models: Path, folder: Path, photos: Sequence[Photo], figures: dict[str, Any]) -> None:
    """Write a card that says where the networks come from; the bar and p stay those of the ones that ship."""
    shipped = json.loads((models / CARD).read_text(encoding="utf-8"))
    card = write_card(folder, Thresholds(**shipped["thresholds"]), shipped["calibration"])
    dice = sum(len(photo.dice) for photo in photos)
    card["learnt_from"] = [
        {"what": f"the networks with the reader {shipped['files'][READER]['sha256']}", "licence": "Apache-2.0"},
        *shipped["learnt_from"],
        {"what": f"{dice} dice in {len(photos)} photographs of somebody's own", "licence": "theirs"},
    ]
    card["figures"] = {"own_held_back": figures} if figures else {}
    (folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
